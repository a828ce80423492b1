// Owns opening and closing one connection. Knows neither how its target was given nor what is read.
import { Socket, type SocketConnectOpts } from 'node:net'
import pg from 'pg'
import { lookupUntil } from './name-lookup.ts'
import type { Target } from './parse-target.ts'
import { explain } from './source-error.ts'

export interface Connection {
  readonly client: pg.Client
  /** Ends the session; waits at most two seconds for a server that has stopped answering. */
  close(): Promise<void>
}

/**
 * Connects. When `signal` aborts, the socket is destroyed at once: a server that is stopped cannot time out.
 * @throws SourceError naming the server, never the password
 */
export async function connect(target: Target, signal: AbortSignal): Promise<Connection> {
  signal.throwIfAborted()
  const client = new pg.Client({ ...target.config, stream: () => boundedSocket(signal) })
  // Without a listener, a connection that breaks while idle would be an uncaught exception.
  client.on('error', () => {})
  const cut = (): void => {
    socketOf(client)?.destroy()
  }
  signal.addEventListener('abort', cut, { once: true })
  try {
    await client.connect()
  } catch (error) {
    cut()
    signal.removeEventListener('abort', cut)
    signal.throwIfAborted()
    throw explain(error, `cannot connect to ${target.shown}`)
  }
  return {
    client,
    async close(): Promise<void> {
      const patience = setTimeout(cut, 2000)
      await client.end().catch(() => {})
      clearTimeout(patience)
      signal.removeEventListener('abort', cut)
    },
  }
}

/** A socket whose lookup of the host ends with the socket, or with `signal`. */
function boundedSocket(signal: AbortSignal): Socket {
  const socket = new Socket()
  const closed = new AbortController()
  socket.once('close', () => closed.abort())
  const lookup = lookupUntil(AbortSignal.any([signal, closed.signal]))
  const connectWith = socket.connect.bind(socket) as (options: SocketConnectOpts) => Socket
  return Object.assign(socket, {
    // pg connects by (port, host), or by (path) for a socket file.
    connect: (to: number | string, host = 'localhost') =>
      connectWith(typeof to === 'string' ? { path: to } : { port: to, host, lookup }),
  })
}

// pg has no public way to cut a connection without waiting for the server.
function socketOf(client: pg.Client): { destroy(): void } {
  return client.connection.stream
}
