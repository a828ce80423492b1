// A database that lies: a real one, until a client asks for something; from then on what the lie says in its place.
import { connect, createServer, type Socket } from 'node:net'
import { served, type Served } from './liar.ts'

/** What a client has sent when the lie begins; '' = it has connected. */
export type When = '' | RegExp

/** Takes over the socket of the client. */
export type DatabaseLie = (socket: Socket) => Promise<void> | void

export async function startLyingDatabase(toPort: number, when: When, lie: DatabaseLie): Promise<Served> {
  const server = createServer((client) => {
    const real = connect(toPort, '127.0.0.1').on('error', () => {})
    let lies = false
    const begin = (): void => {
      lies = true
      real.destroy()
      Promise.resolve(lie(client)).catch(() => client.destroy())
    }
    client.on('data', (chunk) => {
      if (lies) return
      if (when !== '' && !when.test(chunk.toString('latin1'))) return void real.write(chunk)
      begin()
    })
    real.on('data', (chunk) => void (lies || client.write(chunk)))
    real.on('close', () => void (lies || client.end()))
    client.on('close', () => real.destroy())
  })
  return served(server)
}

/** A message: its code, and what follows its length. @param length that it says */
export function message(code: string, body: Buffer | string = '', length?: number): Buffer {
  const bytes = Buffer.from(body as string, 'latin1')
  const head = Buffer.alloc(5)
  head.write(code, 'latin1')
  head.writeUInt32BE(length ?? bytes.length + 4, 1)
  return Buffer.concat([head, bytes])
}

export function int16(value: number): Buffer {
  const bytes = Buffer.alloc(2)
  bytes.writeUInt16BE(value)
  return bytes
}

export function int32(value: number): Buffer {
  const bytes = Buffer.alloc(4)
  bytes.writeUInt32BE(value >>> 0)
  return bytes
}
