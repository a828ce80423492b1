// Owns what a whole request through node:http costs this process, client not included: the measure of every trick.
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { createServer, type RequestListener } from 'node:http'
import { connect, type AddressInfo } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'

const CONNECTIONS = 32
const ROUNDS = 51
const ROUND_MS = 120
const WARM_UP_MS = 1_500

/** Of the answer to `GET /api/analytics/trending?limit=20` in gzip. */
export const BODY: Buffer = Buffer.alloc(2_400, 'x')
export const HEADERS: readonly string[] = [
  ['Content-Type', 'application/json; charset=utf-8', 'Content-Encoding', 'gzip', 'Access-Control-Allow-Origin', '*'],
  ['Access-Control-Expose-Headers', 'ETag, Retry-After, X-RateLimit-Limit, X-RateLimit-Remaining, X-RateLimit-Reset'],
  ['X-Content-Type-Options', 'nosniff', 'ETag', 'W/"0123456789abcdef0123456789abcdef-20"', 'Vary', 'Accept-Encoding'],
  ['Last-Modified', 'Wed, 20 May 2026 09:30:00 GMT', 'X-Data-As-Of', '2026-05-20T09:30:00.000Z'],
  ['X-Snapshot-Id', '20260520T093000000Z-00000000', 'Cache-Control', 'private, max-age=60', 'X-RateLimit-Limit', '100'],
  ['X-RateLimit-Remaining', '99', 'X-RateLimit-Reset', '1780000000', 'Content-Length', String(BODY.length)],
].flat()

/** Microseconds of processor time by handler, of each interleaved round. */
export async function measureHandlers<Name extends string>(
  handlers: Readonly<Record<Name, RequestListener>>,
): Promise<Record<Name, number[]>> {
  const names = Object.keys(handlers) as Name[]
  let active: RequestListener = () => undefined
  let answered = 0
  const server = createServer((request, response) => {
    answered += 1
    active(request, response)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const client = fork(fileURLToPath(import.meta.url), [String((server.address() as AddressInfo).port)])
  const values = Object.fromEntries(names.map((name) => [name, [] as number[]])) as Record<Name, number[]>
  try {
    for (const name of names) {
      active = handlers[name]
      await sleep(WARM_UP_MS)
    }
    for (let round = 0; round < ROUNDS; round++)
      for (const name of names) {
        active = handlers[name]
        await sleep(20)
        const [from, before] = [answered, process.cpuUsage()]
        await sleep(ROUND_MS)
        const { user, system } = process.cpuUsage(before)
        values[name].push((user + system) / (answered - from))
      }
  } finally {
    client.kill()
    server.close()
    server.closeAllConnections()
  }
  return values
}

/** In the process of the client: one request at a time on each connection, whatever the answer says. */
function ask(port: number): void {
  const request = 'GET /api/analytics/trending?limit=20 HTTP/1.1\r\nHost: bench\r\nAccept-Encoding: gzip\r\n\r\n'
  for (let i = 0; i < CONNECTIONS; i++) {
    const socket = connect(port, '127.0.0.1')
    let waiting = 0
    socket.on('data', (data: Buffer) => {
      if (waiting === 0) {
        const head = data.toString('latin1')
        const length = /Content-Length: (\d+)/i.exec(head)?.[1]
        waiting = head.indexOf('\r\n\r\n') + 4 + Number(length ?? 0)
      }
      waiting -= data.length
      if (waiting === 0) socket.write(request)
    })
    socket.on('error', () => process.exit())
    socket.write(request)
  }
}

const port = process.send === undefined ? undefined : process.argv[2]
if (port !== undefined) ask(Number(port))
