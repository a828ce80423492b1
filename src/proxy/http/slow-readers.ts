// Owns cutting the connections of readers who take nothing, or next to nothing. Knows no HTTP.
import type { Socket } from 'node:net'

const SWEEP_MS = 5_000

/** The slowest allowed rate: otherwise a reader who takes a little now and then would keep its place for days. */
const RATE_MS = 300_000
const RATE_BYTES = 1 << 20

/** What had been written, and when. */
interface Seen {
  readonly bytes: number
  readonly atMs: number
}

/**
 * Looks at all sockets every few seconds and destroys those that have taken nothing for `idleMs`, or less than 1 MiB
 * in five minutes in which something always waited for them.
 * @returns a function that ends the watch
 */
export function watchSlowReaders(sockets: ReadonlySet<Socket>, idleMs: number, onCut: () => void): () => void {
  /** When something was taken last, and when the time over which the rate is judged began. */
  const seen = new WeakMap<Socket, { readonly taken: Seen; readonly judged: Seen }>()
  const sweep = (): void => {
    const atMs = performance.now()
    for (const socket of sockets) {
      if (socket.writableLength === 0) {
        seen.delete(socket)
        continue
      }
      // The bytes include those that wait, so they do not grow while the reader takes nothing.
      const now = { bytes: socket.bytesWritten, atMs }
      const before = seen.get(socket) ?? { taken: now, judged: now }
      const taken = before.taken.bytes === now.bytes ? before.taken : now
      const isJudged = atMs - before.judged.atMs >= RATE_MS
      const isSlow = isJudged && now.bytes - before.judged.bytes < RATE_BYTES
      if (isSlow || atMs - taken.atMs >= idleMs) {
        socket.destroy()
        onCut()
      }
      seen.set(socket, { taken, judged: isJudged ? now : before.judged })
    }
  }
  const timer = setInterval(sweep, SWEEP_MS)
  timer.unref()
  return () => clearInterval(timer)
}
