// Owns the second port, for operators: /metrics, and nothing for clients. Knows no endpoint of
// the API. Import it only when that port is asked for: it loads prom-client.
import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Log } from '../../process/log.ts'
import { listen } from '../http/listen.ts'
import { LoopDelayWatch } from './loop-delay.ts'
import { METRICS_TYPE, metricsText, type Measured } from './metrics.ts'
import { PROCESS_METRICS } from './process-metrics.ts'

export const METRICS_PATH = '/metrics'

export interface AdminServer {
  readonly address: AddressInfo
  /** At once: scrapers ask again. */
  stop(): Promise<void>
}

const TIMEOUT_MS = 10_000
/** A few scrapers, and somebody with a browser. */
const MAX_CONNECTIONS = 32

const TEXT = { 'Content-Type': 'text/plain; charset=utf-8' }

/** Listens. @throws CliError where it cannot */
export async function startAdminServer(measured: Measured, log: Log, host: string, port: number): Promise<AdminServer> {
  const scrape = async (): Promise<string> =>
    `${await metricsText(measured, delay.now)}\n${await PROCESS_METRICS.metrics()}`
  const server = createServer(
    {
      headersTimeout: TIMEOUT_MS,
      requestTimeout: TIMEOUT_MS,
      keepAliveTimeout: TIMEOUT_MS,
      connectionsCheckingInterval: 1_000,
    },
    (request, response) => {
      answer(request, scrape).then(
        (page) => write(page, request, response),
        (error: unknown) => {
          log.error({ stack: (error as Error).stack }, `unexpected: ${String(error)}`)
          response.destroy()
        },
      )
    },
  )
  server.maxConnections = MAX_CONNECTIONS
  // A reader who takes nothing.
  server.setTimeout(2 * TIMEOUT_MS)
  await listen(server, host, port, '--admin-port')
  // Before the first scrape: no connection is taken in the same turn of the event loop.
  const delay = new LoopDelayWatch()
  return {
    address: server.address() as AddressInfo,
    async stop() {
      delay.stop()
      const closed = once(server.close(), 'close')
      server.closeAllConnections()
      await closed
    },
  }
}

async function answer({ method, url = '' }: IncomingMessage, scrape: () => Promise<string>) {
  if (url !== METRICS_PATH && !url.startsWith(`${METRICS_PATH}?`))
    return { status: 404, headers: TEXT, text: `Nothing is here; ${METRICS_PATH} is.\n` }
  if (method !== 'GET' && method !== 'HEAD')
    return { status: 405, headers: { ...TEXT, Allow: 'GET, HEAD' }, text: 'Only GET and HEAD are allowed.\n' }
  return { status: 200, headers: { 'Content-Type': METRICS_TYPE }, text: await scrape() }
}

function write(
  { status, headers, text }: Awaited<ReturnType<typeof answer>>,
  request: IncomingMessage,
  response: ServerResponse,
): void {
  response.writeHead(status, {
    ...headers,
    'Content-Length': Buffer.byteLength(text),
    'Cache-Control': 'no-store',
    'X-Content-Type-Options': 'nosniff',
    // A body is not read.
    ...(request.method === 'GET' || request.method === 'HEAD' ? {} : { Connection: 'close' }),
  })
  response.end(request.method === 'HEAD' ? undefined : text)
}
