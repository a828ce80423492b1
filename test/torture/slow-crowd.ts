// Owns a crowd of clients that are slower than any honest one: heads that trickle in, readers who take nothing. Keeps
// its number: a client that is disconnected comes back. Measures nothing.
import { connect, type Socket } from 'node:net'
import { LARGE_TARGET } from '../support/large-release.ts'

const TRICKLE_MS = 1_000
/** Dialled at once; the rest follow. */
const BATCH = 100
const BATCH_MS = 20

export interface Crowd {
  /** Connections now. */
  readonly size: number
  /** How long the slowest head was let stay; 0 while all are young. */
  readonly longestHeadMs: number
  close(): void
}

/** @returns when all have been connected once */
export async function openCrowd(port: number, heads: number, readers: number): Promise<Crowd> {
  const now = { longestHeadMs: 0, isClosed: false }
  const sockets = new Set<Socket>()
  let readersSoFar = 0
  const come = (isReader: boolean): Promise<void> =>
    new Promise((resolve) => {
      const socket = connect(port, '127.0.0.1').on('error', () => undefined)
      sockets.add(socket)
      let trickle: NodeJS.Timeout | undefined
      let sinceMs = 0
      socket.once('connect', () => {
        sinceMs = performance.now()
        if (isReader) {
          socket.pause()
          // Each is another client, or most were refused: one may have few large answers.
          const n = readersSoFar++
          const address = `10.${n >> 16}.${(n >> 8) & 255}.${n & 255}`
          socket.write(`GET ${LARGE_TARGET} HTTP/1.1\r\nHost: a\r\nX-Forwarded-For: ${address}\r\n\r\n`)
        } else {
          socket.resume()
          socket.write('GET /api/public/stats HTTP/1.1\r\nHost: a\r\nX: ')
          trickle = setInterval(() => socket.write('x'), TRICKLE_MS)
        }
        resolve()
      })
      socket.once('close', () => {
        clearInterval(trickle)
        sockets.delete(socket)
        if (!isReader && sinceMs > 0) now.longestHeadMs = Math.max(now.longestHeadMs, performance.now() - sinceMs)
        if (now.isClosed) resolve()
        else setTimeout(() => void come(isReader).then(resolve), BATCH_MS)
      })
    })
  const coming: Promise<void>[] = []
  for (let n = 0; n < heads + readers; n++) {
    coming.push(come(n >= heads))
    if (n % BATCH === BATCH - 1) await new Promise((resolve) => setTimeout(resolve, BATCH_MS))
  }
  await Promise.all(coming)
  return {
    get size() {
      return sockets.size
    },
    get longestHeadMs() {
      return now.longestHeadMs
    },
    close() {
      now.isClosed = true
      for (const socket of sockets) socket.destroy()
    },
  }
}
