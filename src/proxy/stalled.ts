// Owns giving up readers who take nothing: their connections, and the open files behind them. Knows no HTTP.

/** What is needed of a socket. */
export interface WatchedSocket {
  /** Bytes that wait to be taken. */
  readonly writableLength: number
  /** Bytes handed on so far, waiting ones included: it stands still while the reader does. */
  readonly bytesWritten: number
  destroy(): unknown
}

const SWEEP_MS = 5_000

/**
 * Looks at all sockets every few seconds and destroys those that have taken nothing for `stalledMs`. A time-out of the
 * server's own would be set anew twice a request (measured: 4 % of its processor time).
 * @returns what ends the watch
 */
export function watchStalled(
  sockets: ReadonlySet<WatchedSocket>,
  stalledMs: number,
  onCut: () => void = () => undefined,
): () => void {
  const seen = new WeakMap<WatchedSocket, { readonly bytes: number; readonly sinceMs: number }>()
  const sweep = (): void => {
    const nowMs = performance.now()
    for (const socket of sockets) {
      const before = seen.get(socket)
      if (socket.writableLength === 0) seen.delete(socket)
      else if (before?.bytes !== socket.bytesWritten) seen.set(socket, { bytes: socket.bytesWritten, sinceMs: nowMs })
      else if (nowMs - before.sinceMs >= stalledMs) {
        socket.destroy()
        onCut()
      }
    }
  }
  const timer = setInterval(sweep, SWEEP_MS)
  timer.unref()
  return () => clearInterval(timer)
}
