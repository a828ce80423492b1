// Owns waiting until a server listens, and the error if it cannot. Knows no request.
import { once } from 'node:events'
import type { Server } from 'node:net'
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
