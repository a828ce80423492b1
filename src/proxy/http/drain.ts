// Owns stopping a server: closes idle connections at once, busy ones when they are answered or the time is up. Knows no
// request.
import { once } from 'node:events'
import type { Server } from 'node:http'
import type { Socket } from 'node:net'
import { setImmediate as iteration, setTimeout as delay } from 'node:timers/promises'

/** How often a stopping server closes what has become idle, and how long it waits before it begins. */
const SWEEP_MS = 50
/** New connections that never end must not keep a stopping server alive. */
const TAKE_MS = 1_000

export async function drain(server: Server, sockets: ReadonlySet<Socket>, drainMs: number): Promise<void> {
  // Requests and connections from before the signal may still wait in the kernel: closing would reset them unread.
  await delay(SWEEP_MS)
  await takeWaiting(server)
  const sweep = (): void => {
    server.closeIdleConnections()
    // Browsers open connections ahead of need: to node:http these are not idle but about to send.
    for (const socket of sockets) if (socket.bytesRead === 0) socket.destroy()
  }
  const sweeping = setInterval(sweep, SWEEP_MS)
  const cut = setTimeout(() => sockets.forEach((socket) => socket.destroy()), drainMs)
  const closed = once(server.close(), 'close')
  sweep()
  await closed
  clearInterval(sweeping)
  clearTimeout(cut)
}

/** libuv accepts one connection in an iteration of the event loop (libuv 1.45, #3696): an iteration without one means that none waits. */
async function takeWaiting(server: Server): Promise<void> {
  let taken = 0
  const count = (): number => (taken += 1)
  server.on('connection', count)
  // Timers run before sockets in an iteration of the event loop, so no connection was accepted since the delay ended.
  for (let before = -1, endMs = Date.now() + TAKE_MS; taken !== before && Date.now() < endMs;) {
    before = taken
    await iteration()
  }
  server.off('connection', count)
}
