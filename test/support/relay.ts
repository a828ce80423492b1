// A TCP relay between a client and a real server on loopback: it counts and cuts what the server sends.
// Knows no protocol.
import { createServer, Socket, type AddressInfo } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'

/** What becomes of one connection; nothing = it passes as it is. */
export interface Treatment {
  /** After so many bytes to the client … */
  readonly afterBytes?: number
  /**
   * … both sides get a reset, or their end; only the server gets the end of the client; or nothing
   * moves any more in either direction.
   */
  readonly how?: Cut
  /** How much later than the server sends it each piece goes on to the client. */
  readonly delayMs?: number
}

export type Cut = 'reset' | 'end' | 'half-close' | 'stall'

export interface Relay {
  readonly port: number
  /** Bytes that went to each client, in the order in which they came. */
  readonly sent: readonly number[]
  close(): Promise<void>
}

/**
 * @param treat what to do with the nth connection, counted from 0
 * @param port where it listens; 0 = a free one
 */
export async function startRelay(
  toPort: number,
  treat: (nth: number) => Treatment = () => ({}),
  port = 0,
): Promise<Relay> {
  const sockets = new Set<Socket>()
  const sent: number[] = []
  const server = createServer({ allowHalfOpen: true, noDelay: true }, (client) => {
    const nth = sent.push(0) - 1
    const upstream = new Socket({ allowHalfOpen: true }).connect({ port: toPort, host: '127.0.0.1', noDelay: true })
    for (const [socket, other] of [
      [client, upstream],
      [upstream, client],
    ] as const) {
      sockets.add(socket)
      // What breaks here is what the test is about, or its end.
      socket.on('error', () => other.destroy()).once('close', () => sockets.delete(socket))
    }
    client.pipe(upstream)
    carry(upstream, client, treat(nth), (bytes) => {
      sent[nth] = (sent[nth] ?? 0) + bytes
    }).catch(() => client.destroy())
  })
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve))
  return {
    port: (server.address() as AddressInfo).port,
    sent,
    async close() {
      const closed = new Promise<void>((resolve) => server.close(() => resolve()))
      for (const socket of sockets) socket.destroy()
      await closed
    },
  }
}

async function carry(
  upstream: Socket,
  client: Socket,
  { afterBytes = Infinity, how = 'reset', delayMs = 0 }: Treatment,
  count: (bytes: number) => void,
): Promise<void> {
  let left = afterBytes
  for await (const chunk of upstream.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
    if (delayMs > 0) await sleep(delayMs)
    for (let at = 0; at < chunk.length;) {
      const bytes = Math.min(left, chunk.length - at)
      if (bytes > 0) {
        const goesOn = client.write(chunk.subarray(at, at + bytes))
        if (!goesOn) await new Promise((resolve) => client.once('drain', resolve).once('close', resolve))
        count(bytes)
      }
      at += bytes
      left -= bytes
      if (left > 0) continue
      if (how === 'stall') return stall(upstream, client)
      cut(upstream, client, how)
      if (how !== 'half-close') return
      left = Infinity
    }
  }
  client.end()
}

function cut(upstream: Socket, client: Socket, how: Exclude<Cut, 'stall'>): void {
  client.unpipe(upstream)
  if (how === 'half-close') {
    upstream.end()
    client.resume()
    return
  }
  upstream.destroy()
  if (how === 'reset') client.resetAndDestroy()
  else client.end()
}

/** Both connections stay open, as behind a firewall that has forgotten them, until one side gives up. */
function stall(upstream: Socket, client: Socket): Promise<void> {
  client.unpipe(upstream)
  client.pause()
  return new Promise((resolve) => {
    client.once('close', () => {
      upstream.destroy()
      resolve()
    })
  })
}
