// Owns waiting until a server listens, and the error if it cannot. Knows no request.
import { once } from 'node:events'
import type { Server } from 'node:http'
import { CliError } from '../../process/cli-error.ts'

/** More than come while a flood is read; the kernel takes what it allows (net.core.somaxconn). */
const BACKLOG = 4096

/** @throws CliError with exit code 3 that names the address, and the flag that chooses another */
export async function listen(server: Server, host: string, port: number, flag: string): Promise<void> {
  try {
    await once(server.listen({ port, host, backlog: BACKLOG }), 'listening')
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException
    const next =
      code === 'EADDRINUSE' ? `another program listens there; give ${flag} another one, or 0 for any free one` : message
    throw new CliError(3, `cannot listen on ${host} port ${port}: ${next}`, error)
  }
}

export function originOf(host: string, port: number): string {
  return `http://${host.includes(':') ? `[${host}]` : host}:${port}`
}
