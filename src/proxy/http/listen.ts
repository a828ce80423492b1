// Owns how a server begins, with the error if it cannot listen, and stops: it closes idle connections at once, busy ones when they
// are answered or the time is up. Knows no request.
import { once } from 'node:events'
import type { Server as HttpServer } from 'node:http'
import type { Server, Socket } from 'node:net'
import { setImmediate as iteration, setTimeout as delay } from 'node:timers/promises'
import { CliError } from '../../process/cli-error.ts'

/** How many connections may wait: more than come while a flood is read; the kernel takes what it allows (net.core.somaxconn). */
const BACKLOG = 4096

/** What to do about an error, by its code. */
const NEXT: Readonly<Record<string, (host: string, flag: string) => string>> = {
  EADDRINUSE: (_, flag) => `another program listens there; give ${flag} another one, or 0 for any free one`,
  EACCES: (_, flag) =>
    `this user may not take a port below 1024; give ${flag} a higher one, such as 8080 behind nginx, or the program CAP_NET_BIND_SERVICE`,
  EADDRNOTAVAIL: (host, flag) => `this machine has no address ${host}; ${giveAddress(flag)}`,
  ENOTFOUND: (host, flag) => `there is no name ${host}; ${giveAddress(flag)}`,
}

function giveAddress(flag: string): string {
  return `give ${flag === '--port' ? '--host' : flag} one of this machine, such as 127.0.0.1, or 0.0.0.0 or :: for all of them`
}

/** @throws CliError with exit code 3 that names the address, and the flag that chooses another */
export async function listen(server: Server, host: string, port: number, flag: string): Promise<void> {
  try {
    await once(server.listen({ port, host, backlog: BACKLOG }), 'listening')
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException
    const next = NEXT[code ?? '']?.(host, flag) ?? message
    throw new CliError(3, `cannot listen on ${host} port ${port}: ${next}`, error)
  }
}

export function originOf(host: string, port: number): string {
  return `http://${host.includes(':') ? `[${host}]` : host}:${port}`
}

/** How often a stopping server closes what has become idle, and how long it waits before it begins. */
const SWEEP_MS = 50
/** New connections that never end must not keep a stopping server alive. */
const TAKE_MS = 1_000

export async function drain(server: HttpServer, sockets: ReadonlySet<Socket>, drainMs: number): Promise<void> {
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
async function takeWaiting(server: HttpServer): Promise<void> {
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
