// Owns what may happen between a client and a server of HTTP: a proxy that passes each request on, unless a test says otherwise.
import { once } from 'node:events'
import { Agent, createServer, request, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'
import { setTimeout as delay } from 'node:timers/promises'

/**
 * `lost` = it is done, and the connection ends without an answer; `cut` = the answer's body ends early; `corrupt` = a byte of the
 * request's body is another; `late` = after a while; `gone` = it is not passed on.
 */
export type Fault = { readonly status: number; readonly code: string } | 'lost' | 'cut' | 'corrupt' | 'late' | 'gone'

/** What an upload is to try again, wherever a server or a test in memory says it. */
export const TRIED_AGAIN = [
  { status: 503, code: 'SlowDown' },
  { status: 500, code: 'InternalError' },
  { status: 409, code: 'OperationAborted' },
  'lost',
  'cut',
] as const satisfies readonly Fault[]

export interface FaultProxy {
  readonly port: number
  /** Decides by what is asked, such as `PUT /statistics/index.html`; null = none. */
  fault: (what: string) => Fault | null
  /** Whether it keeps conditions for a store that does not, one write after the other, as AWS does. */
  keepsConditions: boolean
  /** How far the clock of the store, which it tells in `Date`, is after the times that it gave its objects. */
  aheadMs: number
  /** What was asked. */
  readonly asked: string[]
  readonly stop: () => Promise<void>
}

const LATE_MS = 50

export async function startFaultProxy(target: number): Promise<FaultProxy> {
  const agent = new Agent({ keepAlive: true })
  const asked: string[] = []
  let writes: Promise<void> = Promise.resolve()
  const answer = async (from: IncomingMessage, to: ServerResponse): Promise<void> => {
    const body = await buffer(from)
    const what = `${from.method} ${from.url}`
    asked.push(what)
    const fault = proxy.fault(what)
    if (fault === 'gone') return void to.destroy()
    if (fault !== null && typeof fault === 'object') {
      const { status, code } = fault
      return void to.writeHead(status).end(`<Error><Code>${code}</Code><Message>said so</Message></Error>`)
    }
    if (fault === 'late') await delay(LATE_MS)
    if (fault === 'corrupt' && body.length > 0) body[0] = (body[0] ?? 0) ^ 1
    if (proxy.keepsConditions && from.method === 'PUT') {
      const before = writes
      writes = new Promise((resolve) => void to.once('close', resolve))
      await before
      const { 'if-match': same, 'if-none-match': none } = from.headers
      const { headers } = await fetch(`http://127.0.0.1:${target}${from.url}`, { method: 'HEAD' })
      const etag = headers.get('etag')
      if ((same !== undefined && same !== etag) || (none === '*' && etag !== null))
        return void to.writeHead(412).end('<Error><Code>PreconditionFailed</Code></Error>')
    }
    const options = {
      port: target,
      host: '127.0.0.1',
      method: from.method,
      path: from.url,
      headers: from.headers,
      agent,
    }
    const sent = request(options)
    // Swift sends a body to a HEAD, which is no answer to anything; what fails before the answer is thrown below.
    sent.on('error', () => {})
    sent.end(body)
    const [got] = (await once(sent, 'response')) as [IncomingMessage]
    const bytes = await buffer(got)
    if (fault === 'lost') return void to.destroy()
    to.writeHead(got.statusCode ?? 0, { ...got.headers, date: new Date(Date.now() + proxy.aheadMs).toUTCString() })
    if (fault !== 'cut') return void to.end(bytes)
    to.write(bytes.subarray(0, bytes.length >> 1))
    to.destroy()
  }
  const server = createServer((from, to) => {
    answer(from, to).catch(() => to.destroy())
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const proxy: FaultProxy = {
    port: (server.address() as AddressInfo).port,
    fault: () => null,
    keepsConditions: false,
    aheadMs: 0,
    asked,
    async stop() {
      agent.destroy()
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
  return proxy
}
