// A pooler as hosts of many databases have it: it takes only users with the suffix of one database, and takes the suffix away
// before it hands a session to the server.
import { connect, createServer, type Socket } from 'node:net'
import { onTestFinished } from 'vitest'
import type { Postgres } from './postgres.ts'

const VERSION_3 = 196608
const TLS = 80877103

export interface HostedPooler {
  readonly port: number
  /** Ends all sessions, and listens no more. */
  readonly stop: () => void
}

/** Whether a login is let in; `stall` = it is never answered. */
export type Judge = (user: string) => boolean | 'stall'

function errorResponse(message: string): Buffer {
  const fields = Buffer.from(`SFATAL\0VFATAL\0CXX000\0M${message}\0\0`)
  const head = Buffer.alloc(5)
  head.write('E')
  head.writeUInt32BE(4 + fields.length, 1)
  return Buffer.concat([head, fields])
}

function startupMessage(fields: ReadonlyMap<string, string>): Buffer {
  const text = Buffer.from(`${[...fields].map(([key, value]) => `${key}\0${value}\0`).join('')}\0`)
  const head = Buffer.alloc(8)
  head.writeUInt32BE(8 + text.length, 0)
  head.writeUInt32BE(VERSION_3, 4)
  return Buffer.concat([head, text])
}

/** Ends with the test. */
export async function startHostedPooler(
  postgres: Postgres,
  suffix: string,
  judge: Judge = (user) => user.endsWith(suffix),
): Promise<HostedPooler> {
  const open = new Set<Socket>()
  const keep = (socket: Socket): Socket => {
    open.add(socket)
    return socket.on('close', () => open.delete(socket)).on('error', () => socket.destroy())
  }
  const begin = (client: Socket, message: Buffer): void => {
    if (message.length === 8 && message.readUInt32BE(4) === TLS) {
      client.write('N')
      client.once('data', (next) => begin(client, next))
      return
    }
    if (message.readUInt32BE(4) !== VERSION_3) return void client.destroy()
    const parts = message.subarray(8).toString().split('\0')
    const fields = new Map<string, string>()
    for (let i = 0; i + 1 < parts.length && parts[i] !== ''; i += 2) fields.set(parts[i] ?? '', parts[i + 1] ?? '')
    const user = fields.get('user') ?? ''
    const isIn = judge(user)
    if (isIn === 'stall') return
    if (!isIn) return void client.end(errorResponse('Tenant or user not found'))
    fields.set('user', user.endsWith(suffix) ? user.slice(0, -suffix.length) : user)
    const server = keep(connect(postgres.port, '127.0.0.1'))
    server.write(startupMessage(fields))
    client.pipe(server)
    server.pipe(client)
    server.on('close', () => client.destroy())
    client.on('close', () => server.destroy())
  }
  const listener = createServer((client) => keep(client).once('data', (message) => begin(client, message)))
  const stop = (): void => {
    listener.close()
    for (const socket of open) socket.destroy()
  }
  onTestFinished(stop)
  await new Promise<void>((resolve, reject) => {
    listener.once('error', reject).listen(0, '127.0.0.1', resolve)
  })
  const address = listener.address()
  return { port: typeof address === 'object' && address !== null ? address.port : 0, stop }
}
