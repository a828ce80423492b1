// Owns a server's way to its end: idle connections at once, busy ones when they are answered or the time is up. Knows no
// request.
import type { Server } from 'node:http'
import type { Socket } from 'node:net'
import { setTimeout as delay } from 'node:timers/promises'

/** How often a stopping server closes what has become idle, and how long it waits before it begins. */
const SWEEP_MS = 50

export async function drain(server: Server, sockets: ReadonlySet<Socket>, drainMs: number): Promise<void> {
  // Requests and connections from before the signal may still wait in the kernel: closing would reset them unread.
  await delay(SWEEP_MS)
  const sweep = (): void => {
    server.closeIdleConnections()
    // Opened ahead of need, as browsers do: to node:http these are not idle but about to send.
    for (const socket of sockets) if (socket.bytesRead === 0) socket.destroy()
  }
  await new Promise<void>((resolve) => {
    const sweeping = setInterval(sweep, SWEEP_MS)
    const cut = setTimeout(() => sockets.forEach((socket) => socket.destroy()), drainMs)
    server.close(() => {
      clearInterval(sweeping)
      clearTimeout(cut)
      resolve()
    })
    sweep()
  })
}
