-- What wrk counted, as one line of JSON after its own report.
done = function(summary, latency)
  local e = summary.errors
  io.write(string.format('{"requests":%d,"microseconds":%d,"statusErrors":%d,"socketErrors":%d,"p50":%.0f,"p99":%.0f}\n',
    summary.requests, summary.duration, e.status, e.connect + e.read + e.write + e.timeout,
    latency:percentile(50), latency:percentile(99)))
end
