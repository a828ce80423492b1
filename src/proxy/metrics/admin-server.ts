// Owns the second port, for operators: /metrics, and nothing for clients. Knows no endpoint of
// the API. Import it only when that port is asked for: it loads prom-client.
import { collectDefaultMetrics, Registry } from 'prom-client'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { ServerContext } from '../context/context.ts'
import { listen } from '../http/listen.ts'
import { watchLoopDelay } from './loop-delay.ts'
import { METRICS_TYPE, proxyMetricsText } from './metrics.ts'

export const METRICS_PATH = '/metrics'

export type AdminServer = Awaited<ReturnType<typeof startAdminServer>>

const TIMEOUT_MS = 10_000
/** A few scrapers, and somebody with a browser. */
const MAX_CONNECTIONS = 32

const HEADERS = { 'Content-Type': METRICS_TYPE, 'Cache-Control': 'no-store', 'X-Content-Type-Options': 'nosniff' }

/** Listens. @throws CliError where it cannot */
export async function startAdminServer(context: ServerContext, host: string, port: number) {
  const scrape = async (): Promise<string> =>
    `${await proxyMetricsText(context, delay.now())}\n${await PROCESS_METRICS.metrics()}`
  const server = createServer(
    {
      headersTimeout: TIMEOUT_MS,
      requestTimeout: TIMEOUT_MS,
      keepAliveTimeout: TIMEOUT_MS,
      connectionsCheckingInterval: 1_000,
    },
    (request, response) => {
      const isMetrics = request.url?.split('?', 1)[0] === METRICS_PATH
      const text = isMetrics ? scrape() : Promise.resolve(`Nothing is here; ${METRICS_PATH} is.\n`)
      text.then(
        (shown) =>
          response
            .writeHead(isMetrics ? 200 : 404, { ...HEADERS, 'Content-Length': Buffer.byteLength(shown) })
            .end(shown),
        (error: unknown) => {
          context.log.error({ stack: (error as Error).stack }, `unexpected: ${String(error)}`)
          response.destroy()
        },
      )
    },
  )
  server.maxConnections = MAX_CONNECTIONS
  // This cuts a reader who takes nothing.
  server.setTimeout(2 * TIMEOUT_MS)
  await listen(server, host, port, '--admin-port')
  // The watch begins before the first scrape: no connection is taken in the same turn of the event loop.
  const delay = watchLoopDelay()
  return {
    address: server.address() as AddressInfo,
    /** Stops at once: scrapers ask again. */
    async stop(): Promise<void> {
      delay.stop()
      const closed = once(server.close(), 'close')
      server.closeAllConnections()
      await closed
    },
  }
}

/**
 * Left out are metrics that promtool objects to (gauges ending in _total), that list V8's internals, that each scrape
 * resets (the delays of the event loop), or that miss some of what they count (garbage collections).
 */
const SHOWN =
  /^(?:process_(?:cpu|start_time|resident_memory|open_fds|max_fds)|nodejs_(?:heap_size|external_memory|version_info))/

/** It is made once in a process: the collectors are never stopped. */
const PROCESS_METRICS: Registry = new Registry()
// prom-client's own watch of the event loop is not shown: keep it idle.
collectDefaultMetrics({ register: PROCESS_METRICS, eventLoopMonitoringPrecision: 60_000 })
for (const { name } of PROCESS_METRICS.getMetricsAsArray())
  if (!SHOWN.test(name)) PROCESS_METRICS.removeSingleMetric(name)
