// Owns opening one connection from a URL or libpq's variables: TLS mode, time-outs, cutting it. Does not know what is
// read.
import { readFileSync } from 'node:fs'
import { Socket, type SocketConnectOpts } from 'node:net'
import pg from 'pg'
import { lookupUntil } from './name-lookup.ts'
import { explain, SourceError } from './source-error.ts'
import { readUrlOptions } from './url-options.ts'

export const SSL_MODES = ['disable', 'require', 'verify-full'] as const
type SslMode = (typeof SSL_MODES)[number]

export interface Target {
  readonly config: pg.ClientConfig
  /** user@host:port/database, never a password. */
  readonly shown: string
  readonly sslMode: SslMode
  /** Schemas in which tables are looked up; null = the role's own search_path. */
  readonly searchPath: readonly string[] | null
  /** Options of the URL that a build ignores, by name. */
  readonly ignored: readonly string[]
}

/** @throws SourceError (configuration) that shows no part of a password */
export function parseDatabaseUrl(text: string): Target {
  const { url, others } = firstUrl(text)
  const { given, searchPath, ignored } = readUrlOptions(url.searchParams, wrong)
  const [host = '', ...otherHosts] = (given('host') ?? decoded(url.hostname.replace(/^\[|\]$/g, ''))).split(',')
  const [port = '', ...otherPorts] = (given('port') ?? url.port).split(',')
  const several = others || otherHosts.length > 0 || otherPorts.length > 0
  return {
    ...targetFrom(
      {
        host,
        port,
        user: given('user') ?? decoded(url.username),
        password: given('password') ?? decoded(url.password),
        database: given('dbname') ?? decoded(url.pathname.slice(1)),
        sslMode: given('sslmode'),
        sslRootCertificate: given('sslrootcert') || null,
        connectTimeout: given('connect_timeout') || null,
        applicationName: given('application_name') || null,
      },
      URL_NAMES,
    ),
    searchPath,
    ignored: [...(several ? ['all hosts but the first'] : []), ...ignored],
  }
}

/** The URL with its first host only; whether there were others. */
function firstUrl(text: string): { url: URL; others: boolean } {
  // The notation of another program is reported before any other error.
  const scheme = /^\s*(jdbc:\w+|[\w.]+\+\w+):\/\//.exec(text)?.[1]
  if (scheme !== undefined) throw wrong(`${scheme}:// is another program's notation; expected ${EXPECTED}`)
  if (/^\s*["']/.test(text)) throw wrong(`it begins with a quote, which is not a part of it; expected ${EXPECTED}`)
  // An @ after the first / ? or # means a password with one of them: the rest of it would be taken for a database or an
  // option, and be shown.
  if (/^\w+:\/\/[^/?#]*[/?#].*@/s.test(text))
    throw wrong('@ / ? # % in a user, password or database must be written %40 %2F %3F %23 %25')
  const { first, others } = firstHost(text)
  // libpq knows `user@/database?host=/socket/folder`; a URL that has a user must have a host.
  const whole = first.replace(/^(\w+:\/\/[^/?#]*@)(?=[/?#]|$)/, '$1localhost')
  const url = URL.canParse(whole) ? new URL(whole) : null
  // Without the slashes everything that follows would be taken for the name of the database, and be shown.
  if (url === null || !/^\w+:\/\//.test(whole.trimStart()) || !['postgres:', 'postgresql:'].includes(url.protocol))
    throw wrong(`not a PostgreSQL URL; expected ${EXPECTED}`)
  return { url, others }
}

const EXPECTED = 'postgresql://user:password@host:5432/database'

/** A URL parser does not accept `a:5432,b:5433` as a host. */
function firstHost(text: string): { first: string; others: boolean } {
  const first = text.replace(/^(\w+:\/\/(?:[^/?#]*@)?[^/?#,@]*),[^/?#@]*(?=[/?#]|$)/, '$1')
  return { first, others: first !== text }
}

/** The variables of psql and libpq, for platforms that provide these instead of a URL. */
export type PgEnvironment = Readonly<Record<string, string | undefined>>

/** Whether the variables name a database. */
export function namesDatabase(env: PgEnvironment): boolean {
  return [env['PGHOST'], env['PGDATABASE']].some((value) => value !== undefined && value !== '')
}

/**
 * Reads PGHOST and the like. PGOPTIONS, and the password file where there is no PGPASSWORD, are read by pg.
 * @throws SourceError (configuration)
 */
export function targetOfEnvironment(env: PgEnvironment): Target {
  const [host = '', ...others] = (env['PGHOST'] ?? '').split(',')
  const [port = ''] = (env['PGPORT'] ?? '').split(',')
  return {
    ...targetFrom(
      {
        host,
        port,
        user: env['PGUSER'] ?? '',
        password: env['PGPASSWORD'] ?? '',
        database: env['PGDATABASE'] ?? '',
        sslMode: env['PGSSLMODE'] || null,
        sslRootCertificate: env['PGSSLROOTCERT'] || null,
        connectTimeout: env['PGCONNECT_TIMEOUT'] || null,
        applicationName: env['PGAPPNAME'] || null,
      },
      ENVIRONMENT_NAMES,
    ),
    searchPath: null,
    ignored: others.length > 0 ? ['all hosts but the first'] : [],
  }
}

interface Fields {
  readonly host: string
  readonly port: string
  readonly user: string
  readonly password: string
  readonly database: string
  readonly sslMode: string | null
  readonly sslRootCertificate: string | null
  readonly connectTimeout: string | null
  readonly applicationName: string | null
}

/** The names of the fields in error messages. */
interface Names {
  readonly port: string
  readonly sslMode: string
  readonly sslRootCertificate: string
}
const URL_NAMES: Names = {
  port: '--database-url: port',
  sslMode: '--database-url: sslmode',
  sslRootCertificate: '--database-url: cannot read sslrootcert',
}
const ENVIRONMENT_NAMES: Names = {
  port: 'PGPORT:',
  sslMode: 'PGSSLMODE:',
  sslRootCertificate: 'PGSSLROOTCERT: cannot read it',
}

function targetFrom(fields: Fields, names: Names): Pick<Target, 'config' | 'shown' | 'sslMode'> {
  const { host, user, password, database } = fields
  const local = host === '' || host.startsWith('/') || /^(localhost|127(\.\d+){3}|::1)$/i.test(host)
  const sslMode = sslModeOf(fields.sslMode, local, names.sslMode)
  const port = portOf(fields.port, names.port)
  const timeout = Number(fields.connectTimeout ?? 10)
  return {
    config: {
      host: host === '' ? 'localhost' : host,
      port,
      ...(database === '' ? {} : { database }),
      ...(user === '' ? {} : { user }),
      ...(password === '' ? {} : { password }),
      ssl: tlsOf(sslMode, fields.sslRootCertificate, names.sslRootCertificate),
      connectionTimeoutMillis: timeout > 0 ? Math.min(timeout * 1000, MAX_TIMER_MS) : 10_000,
      keepAlive: true,
      application_name: fields.applicationName ?? 'analytics-build',
    },
    shown: `${user}@${host.includes(':') ? `[${host}]` : host || 'localhost'}:${port}/${database}`,
    sslMode,
  }
}

/** A longer timer of Node fires immediately. */
const MAX_TIMER_MS = 2 ** 31 - 1

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

function portOf(given: string, name: string): number {
  const port = given === '' ? 5432 : Number(given)
  if (Number.isInteger(port) && port > 0 && port < 65_536) return port
  throw new SourceError('configuration', `${name} "${given}" is not allowed; allowed: 1 to 65535`)
}

function sslModeOf(given: string | null, local: boolean, name: string): SslMode {
  if (given === null) return local ? 'disable' : 'verify-full'
  const mode = SSL_MODES.find((known) => known === given)
  if (mode !== undefined) return mode
  throw new SourceError('configuration', `${name} "${given}" is not supported; allowed: ${SSL_MODES.join(', ')}`)
}

function tlsOf(mode: SslMode, rootCertificate: string | null, name: string): pg.ClientConfig['ssl'] {
  if (mode === 'disable') return false
  if (mode === 'require') return { rejectUnauthorized: false }
  // libpq's word for the certificates of the system, which are trusted anyway; providers put it into their URLs.
  if (rootCertificate === null || rootCertificate === 'system') return { rejectUnauthorized: true }
  try {
    return { rejectUnauthorized: true, ca: readFileSync(rootCertificate, 'utf8') }
  } catch (error) {
    throw new SourceError('configuration', `${name}: ${(error as Error).message}`)
  }
}

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
