// Owns opening and closing one connection, and finding the addresses of its host within a time. Knows neither how its target was
// given nor what is read.
import { Socket, type SocketConnectOpts, type LookupFunction } from 'node:net'
import pg from 'pg'
import { guardAnswers } from './answer-guard.ts'
import type { Target } from './parse-target.ts'
import { endWithProgram } from './guest.ts'
import { explain } from './source-error.ts'
import { execFile } from 'node:child_process'
import { lookup as lookupHere, type LookupAddress } from 'node:dns'

export type Connection = Awaited<ReturnType<typeof connect>>

/**
 * Connects. When `signal` aborts, the socket is destroyed at once, because a server that is suspended cannot time out.
 * @param leftMs the time until `signal` aborts: so long the server waits for a program that has been suspended
 * @throws SourceError naming the server, never the password
 */
export async function connect(target: Target, signal: AbortSignal, leftMs: () => number) {
  signal.throwIfAborted()
  const client = new pg.Client({ ...target.config, stream: () => boundedSocket(signal) })
  // Without a listener, a connection that breaks while idle would be an uncaught exception.
  client.on('error', () => {})
  guardAnswers(client.connection)
  const cut = (): void => {
    // pg has no public way to cut a connection without waiting for the server.
    client.connection.stream?.destroy()
  }
  signal.addEventListener('abort', cut, { once: true })
  try {
    await client.connect()
    await endWithProgram(client, leftMs)
  } catch (error) {
    cut()
    signal.removeEventListener('abort', cut)
    signal.throwIfAborted()
    throw explain(error, `cannot connect to ${target.shown}`)
  }
  return {
    client,
    /** Ends the session; waits at most two seconds for a server that has stopped answering. */
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

type Answer = { readonly addresses: LookupAddress[] } | { readonly code: string; readonly message: string }

const SCRIPT = `
const [host, family] = process.argv.slice(1)
require('node:dns').lookup(host, { all: true, family: JSON.parse(family) }, (error, addresses) =>
  process.stdout.write(JSON.stringify(error ? { code: error.code, message: error.message } : { addresses })))
`

/**
 * Makes the lookup of a socket run in a separate process that ends with `signal`. getaddrinfo(3) cannot be interrupted,
 * and Node waits for it even in process.exit(): a name server that does not answer would keep a build alive for half a
 * minute after its deadline (test/end-to-end/name-server.test.ts).
 */
export function lookupUntil(signal: AbortSignal): LookupFunction {
  return (host, options, callback) => {
    // `localhost` needs no name server.
    if (host.toLowerCase() === 'localhost') return lookupHere(host, options, callback)
    const args = ['-e', SCRIPT, '--', host, JSON.stringify(options.family ?? 0)]
    execFile(process.execPath, args, { env: environment(), signal, killSignal: 'SIGKILL' }, (failed, stdout) => {
      if (signal.aborted) return
      const answer = failed === null ? (JSON.parse(stdout) as Answer) : null
      // If no process can be started, a lookup without a time limit is better than none.
      if (answer === null) return lookupHere(host, options, callback)
      if ('code' in answer) return callback(Object.assign(new Error(answer.message), { code: answer.code }), [])
      const [first] = answer.addresses
      if (options.all === true) callback(null, answer.addresses)
      else callback(null, first?.address ?? '', first?.family)
    })
  }
}

/** Variables of the dynamic loader, and of the resolver and its NSS modules: resolv.conf(5), gethostbyname(3), ld.so(8). */
const OF_THE_RESOLVER = /^(?:LD_|DYLD_|NSS_|RES_|RESOLV_|LOCALDOMAIN$|HOSTALIASES$)/

/** The variables that the resolver may need and no others, because an environment can hold any secret. */
function environment(): NodeJS.ProcessEnv {
  return Object.fromEntries(Object.entries(process.env).filter(([name]) => OF_THE_RESOLVER.test(name)))
}
