// Owns the metrics of the proxy: names, help, labels, and the text of one scrape. Asks for values, changes none.
// It loads prom-client: import it only when metrics are served.
import { Counter, Gauge, Registry } from 'prom-client'
import { ENDPOINTS } from '../../contract/kinds/register.ts'
import type { ServerContext } from '../context/context.ts'
import type { LoopDelay } from './loop-delay.ts'

export const METRICS_TYPE: string = Registry.PROMETHEUS_CONTENT_TYPE

/** These series exist from the start, at 0: rate() does not count the first of a series that begins at 1. */
const EXPECTED_STATUSES = [200, 304, 400, 429, 500, 503]

export function proxyMetricsText(context: ServerContext, delay: LoopDelay): Promise<string> {
  const { counters, limiter, forwarding, bodies, watcher, streams } = context
  const registry = new Registry()
  const set = simple(registry)
  const { counter, gauge, labelled } = set
  addRequests(registry, counters)
  // Only the limiter gives answers with this status.
  const limited = counters.answers.reduce((sum, { status, count }) => sum + (status === 429 ? count : 0), 0)
  counter('rate_limit_refusals_total', 'Requests answered 429 because their client was over its limit.', limited)
  gauge('rate_limit_clients', 'Clients remembered in this process.', limiter.clients)
  gauge(
    'rate_store_down',
    'Whether the store of --rate-store does not answer: 1 until it does.',
    limiter.storeDown ? 1 : 0,
  )
  labelled(
    'forwarding_ignored_total',
    'Requests of the API and of files whose X-Forwarded-For, Forwarded or X-Real-IP was of no use, so that their clients share a limit.',
    'reason',
    forwarding.counts,
  )
  const { hits, misses, bytes, maxBytes } = bodies.cache
  counter('cache_hits_total', 'Prepared bodies found in the cache.', hits)
  counter('cache_misses_total', 'Prepared bodies not in the cache: read, or waited for.', misses)
  gauge('cache_bytes', 'Size of the prepared bodies in the cache.', bytes)
  gauge('cache_max_bytes', 'How large it may be: --cache.', maxBytes)
  counter('release_switches_total', 'Releases taken into service, the first one included.', watcher.switches)
  gauge('release_unreadable', 'Whether the current release cannot be read: 1 until it can.', watcher.problem ? 1 : 0)
  addRelease(set, context)
  gauge('streams', 'Large answers that are being sent.', streams.underWay)
  gauge('streams_max', 'How many there may be.', streams.max)
  labelled('stream_errors_total', 'Large bodies that were not sent to their end, by who ended them.', 'cause', {
    source: counters.streams.failed,
    reader: counters.streams.left,
  })
  labelled(
    'connections_cut_total',
    'Connections ended before their answers were sent, or refused, by why: requests sent ahead, slow to read, too many.',
    'cause',
    counters.cuts,
  )
  gauge('event_loop_delay_p99_seconds', 'How late timers run: 99 % are less late. 1 to 2 minutes.', delay.p99Seconds)
  gauge('event_loop_delay_max_seconds', 'How late timers run: the latest. 1 to 2 minutes.', delay.maxSeconds)
  return registry.metrics()
}

function addRequests(registry: Registry, { answers }: ServerContext['counters']): void {
  const requests = new Counter({
    name: 'analytics_proxy_requests_total',
    help: 'Requests answered, by endpoint and status.',
    labelNames: ['endpoint', 'status'],
    registers: [registry],
  })
  for (const { name } of Object.values(ENDPOINTS))
    for (const status of EXPECTED_STATUSES) requests.inc({ endpoint: name, status }, 0)
  for (const { endpoint, status, count } of answers) requests.inc({ endpoint, status }, count)
}

/** These are absent without a release, as Prometheus wants it: any number would be wrong. */
function addRelease({ gauge }: ReturnType<typeof simple>, { watcher: { release }, nowMs }: ServerContext): void {
  if (release === null) return
  const { dataAsOfMs, nextUpdateAtMs, manifest } = release
  gauge('release_age_seconds', 'Since the instant that its numbers describe.', Math.max(0, nowMs() - dataAsOfMs) / 1000)
  gauge('release_cadence_seconds', 'How often releases are to come.', (nextUpdateAtMs - dataAsOfMs) / 1000)
  gauge('release_closed', 'Whether the site is closed to visitors, so that it is empty.', manifest.closed ? 1 : 0)
}

function simple(registry: Registry) {
  const about = (name: string, help: string) => ({ name: `analytics_proxy_${name}`, help, registers: [registry] })
  return {
    counter: (name: string, help: string, value: number): void => new Counter(about(name, help)).inc(value),
    gauge: (name: string, help: string, value: number): void => new Gauge(about(name, help)).set(value),
    labelled: (name: string, help: string, label: string, counts: Readonly<Record<string, number>>): void => {
      const counter = new Counter({ ...about(name, help), labelNames: [label] })
      for (const [value, count] of Object.entries(counts)) counter.inc({ [label]: value }, count)
    },
  }
}
