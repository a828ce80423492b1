// Owns cutting the connections of readers who take nothing, or next to nothing. Knows no HTTP.

/** The part of a socket that is used. */
export interface WatchedSocket {
  /** Bytes that wait to be taken. */
  readonly writableLength: number
  /** Bytes written so far, waiting ones included: does not grow while the reader takes nothing. */
  readonly bytesWritten: number
  destroy(): unknown
}

const SWEEP_MS = 5_000

/** The slowest allowed rate: a reader who takes a little now and then would keep its place for days. */
const RATE_MS = 300_000
const RATE_BYTES = 1 << 20

interface Seen {
  readonly bytes: number
  readonly sinceMs: number
  /** When the time over which the rate is judged began, and what had been taken by then. */
  readonly rateFromMs: number
  readonly rateFromBytes: number
}

/**
 * Looks at all sockets every few seconds and destroys those that have taken nothing for `idleMs`, or less than 1 MiB
 * in five minutes in which something always waited for them.
 * @returns what ends the watch
 */
export function watchSlowReaders(
  sockets: ReadonlySet<WatchedSocket>,
  idleMs: number,
  onCut: () => void = () => undefined,
): () => void {
  const seen = new WeakMap<WatchedSocket, Seen>()
  const sweep = (): void => {
    const nowMs = performance.now()
    for (const socket of sockets) {
      if (socket.writableLength === 0) {
        seen.delete(socket)
        continue
      }
      const bytes = socket.bytesWritten
      const before = seen.get(socket) ?? { bytes, sinceMs: nowMs, rateFromMs: nowMs, rateFromBytes: bytes }
      const sinceMs = before.bytes === bytes ? before.sinceMs : nowMs
      const isJudged = nowMs - before.rateFromMs >= RATE_MS
      const isSlow = isJudged && bytes - before.rateFromBytes < RATE_BYTES
      if (isSlow || nowMs - sinceMs >= idleMs) {
        socket.destroy()
        onCut()
      }
      const rate = isJudged ? { rateFromMs: nowMs, rateFromBytes: bytes } : before
      seen.set(socket, { bytes, sinceMs, rateFromMs: rate.rateFromMs, rateFromBytes: rate.rateFromBytes })
    }
  }
  const timer = setInterval(sweep, SWEEP_MS)
  timer.unref()
  return () => clearInterval(timer)
}
