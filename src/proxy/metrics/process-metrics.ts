// Owns which of prom-client's metrics of the process are shown. Knows nothing of the proxy.
import { collectDefaultMetrics, Registry } from 'prom-client'

/**
 * Left out are metrics that promtool objects to (gauges ending in _total), that list V8's internals, that each scrape
 * resets (the delays of the event loop), or that miss some of what they count (garbage collections).
 */
const SHOWN = [
  'process_cpu_user_seconds_total',
  'process_cpu_system_seconds_total',
  'process_cpu_seconds_total',
  'process_start_time_seconds',
  'process_resident_memory_bytes',
  'process_open_fds',
  'process_max_fds',
  'nodejs_heap_size_total_bytes',
  'nodejs_heap_size_used_bytes',
  'nodejs_external_memory_bytes',
  'nodejs_version_info',
]

/** Only once in a process: the collectors are never stopped. */
export const PROCESS_METRICS: Registry = new Registry()
const all = new Registry()
// prom-client's own watch of the event loop is not shown: keep it idle.
collectDefaultMetrics({ register: all, eventLoopMonitoringPrecision: 60_000 })
for (const name of SHOWN) {
  const metric = all.getSingleMetric(name)
  // Descriptors are counted on Linux only.
  if (metric !== undefined) PROCESS_METRICS.registerMetric(metric)
}
