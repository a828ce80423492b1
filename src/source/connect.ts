// Owns opening one connection from a URL: TLS mode, time-outs, a way to cut it. Knows nothing of what is read.
import { readFileSync } from 'node:fs'
import { Socket, type SocketConnectOpts } from 'node:net'
import pg from 'pg'
import { lookupUntil } from './lookup.ts'
import { explain, SourceError } from './source-error.ts'

export const SSL_MODES = ['disable', 'require', 'verify-full'] as const
type SslMode = (typeof SSL_MODES)[number]

export interface Target {
  readonly config: pg.ClientConfig
  /** user@host:port/database, never a password. */
  readonly shown: string
  readonly sslMode: SslMode
}

/** @throws SourceError (configuration) that shows no part of a password */
export function parseDatabaseUrl(text: string): Target {
  // An @ behind the first / ? or # ends a password that holds one of them: the rest of it would pass for a database or
  // an option, and be shown.
  if (/^\w+:\/\/[^/?#]*[/?#].*@/s.test(text))
    throw wrong('@ / ? # % in a user, password or database must be written %40 %2F %3F %23 %25')
  // libpq knows `user@/database?host=/socket/folder`; a URL that has a user must have a host.
  const whole = text.replace(/^(\w+:\/\/[^/?#]*@)(?=[/?#]|$)/, '$1localhost')
  const url = URL.canParse(whole) ? new URL(whole) : null
  if (url === null || !['postgres:', 'postgresql:'].includes(url.protocol))
    throw wrong('not a PostgreSQL URL; expected postgresql://user:password@host:5432/database')
  const options = url.searchParams
  const host = options.get('host') ?? decoded(url.hostname.replace(/^\[|\]$/g, ''))
  const local = host === '' || host.startsWith('/') || /^(localhost|127(\.\d+){3}|::1)$/i.test(host)
  const sslMode = sslModeOf(options.get('sslmode'), local)
  const unknown = [...options.keys()].filter((key) => !KNOWN_OPTIONS.has(key))
  if (unknown.length > 0) throw wrong(`unknown option ${unknown[0]}; allowed: ${[...KNOWN_OPTIONS].join(', ')}`)
  const port = portOf(options.get('port') ?? url.port)
  const database = decoded(url.pathname.slice(1)) || undefined
  const user = decoded(url.username) || undefined
  const timeout = Number(options.get('connect_timeout') ?? 10)
  return {
    config: {
      host: host === '' ? 'localhost' : host,
      port,
      ...(database === undefined ? {} : { database }),
      ...(user === undefined ? {} : { user }),
      ...(url.password === '' ? {} : { password: decoded(url.password) }),
      ssl: tlsOf(sslMode, options.get('sslrootcert')),
      connectionTimeoutMillis: timeout > 0 ? timeout * 1000 : 10_000,
      keepAlive: true,
      application_name: options.get('application_name') ?? 'analytics-build',
    },
    shown: `${user ?? ''}@${host.includes(':') ? `[${host}]` : host || 'localhost'}:${port}/${database ?? ''}`,
    sslMode,
  }
}

const KNOWN_OPTIONS: ReadonlySet<string> = new Set([
  'sslmode',
  'sslrootcert',
  'host',
  'port',
  'connect_timeout',
  'application_name',
])

function wrong(why: string): SourceError {
  return new SourceError('configuration', `--database-url: ${why}`)
}

function decoded(part: string): string {
  try {
    return decodeURIComponent(part)
  } catch {
    throw wrong('malformed percent-encoding; a % itself is written %25')
  }
}

function portOf(given: string): number {
  const port = given === '' ? 5432 : Number(given)
  if (Number.isInteger(port) && port > 0 && port < 65_536) return port
  throw wrong(`port "${given}" is not allowed; allowed: 1 to 65535`)
}

function sslModeOf(given: string | null, local: boolean): SslMode {
  if (given === null) return local ? 'disable' : 'verify-full'
  const mode = SSL_MODES.find((known) => known === given)
  if (mode !== undefined) return mode
  throw wrong(`sslmode "${given}" is not supported; allowed: ${SSL_MODES.join(', ')}`)
}

function tlsOf(mode: SslMode, rootCertificate: string | null): pg.ClientConfig['ssl'] {
  if (mode === 'disable') return false
  if (mode === 'require') return { rejectUnauthorized: false }
  if (rootCertificate === null) return { rejectUnauthorized: true }
  try {
    return { rejectUnauthorized: true, ca: readFileSync(rootCertificate, 'utf8') }
  } catch (error) {
    throw wrong(`cannot read sslrootcert: ${(error as Error).message}`)
  }
}

export interface Connection {
  readonly client: pg.Client
  /** Ends the session; waits at most two seconds for a server that has stopped answering. */
  close(): Promise<void>
}

/**
 * Connects. When `signal` aborts, the socket is destroyed at once: a stopped server honours no time-out of its own.
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

/** A socket whose look-up of the host ends with the socket, or with `signal`. */
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
function socketOf(client: pg.Client): { destroy(): void } | undefined {
  return (client as unknown as { connection?: { stream?: { destroy(): void } } }).connection?.stream
}
