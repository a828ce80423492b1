// Owns what a connection URL or libpq's variables mean: server, role, TLS mode, time-outs. Reads the file of the root
// certificate; opens no connection.
import { readFileSync } from 'node:fs'
import type pg from 'pg'
import { type CliError, usageError } from '../../process/cli-error.ts'
import { foldedName } from '../sql/names.ts'

export const SSL_MODES = ['disable', 'require', 'verify-full'] as const
type SslMode = (typeof SSL_MODES)[number]

export interface Target {
  readonly config: pg.ClientConfig
  /** user@host:port/database, never a password. */
  readonly shown: string
  readonly sslMode: SslMode
  /** Schemas in which tables are looked up; null = the role's own search_path. */
  readonly searchPath: readonly string[] | null
  /** Options of the URL that a build does not use, by name. */
  readonly unused: readonly string[]
}

/** Options that say where and as whom to connect, and how, each with libpq's variable for it. */
const VARIABLES = {
  host: 'PGHOST',
  port: 'PGPORT',
  dbname: 'PGDATABASE',
  user: 'PGUSER',
  password: 'PGPASSWORD',
  sslmode: 'PGSSLMODE',
  sslrootcert: 'PGSSLROOTCERT',
  connect_timeout: 'PGCONNECT_TIMEOUT',
  application_name: 'PGAPPNAME',
} as const
type TargetOption = keyof typeof VARIABLES

const OTHER_HOSTS = 'all hosts but the first'

/** @throws CliError that shows no part of a password */
export function parseDatabaseUrl(text: string): Target {
  const { url, others } = firstUrl(text)
  const { searchPath, unused } = optionsIn(url.searchParams)
  const parts: Partial<Record<TargetOption, string>> = {
    host: url.hostname.replace(/^\[|\]$/g, ''),
    port: url.port,
    user: url.username,
    password: url.password,
    dbname: url.pathname.slice(1),
  }
  const target = targetFrom(
    (name) => url.searchParams.get(name) ?? (name in parts ? decoded(parts[name] ?? '') : null),
    (name) => `--database-url: ${name}`,
  )
  const hosts = others ? [OTHER_HOSTS] : target.unused
  return { ...target, searchPath, unused: [...hosts, ...unused] }
}

/** The URL with its first host only, and whether there were others. */
function firstUrl(text: string): { url: URL; others: boolean } {
  // An @ after the first / ? or # means a password with one of them: the rest of it would be taken for a database or an
  // option, and be shown.
  if (/^\w+:\/\/[^/?#]*[/?#].*@/s.test(text))
    throw wrong('@ / ? # % in a user, password or database must be written %40 %2F %3F %23 %25')
  // A URL parser does not accept `a:5432,b:5433` as a host.
  const first = text.replace(/^(\w+:\/\/(?:[^/?#]*@)?[^/?#,@]*),[^/?#@]*(?=[/?#]|$)/, '$1')
  // libpq knows `user@/database?host=/socket/folder`; a URL that has a user must have a host.
  const whole = first.replace(/^(\w+:\/\/[^/?#]*@)(?=[/?#]|$)/, '$1localhost')
  const url = URL.canParse(whole) ? new URL(whole) : null
  // Without the slashes everything that follows would be taken for the name of the database, and be shown.
  if (url === null || !/^\w+:\/\//.test(whole.trimStart()) || !['postgres:', 'postgresql:'].includes(url.protocol))
    throw wrong(`not a PostgreSQL URL; expected ${EXPECTED}${beginningMeant(text)}`)
  return { url, others: first !== text }
}

/** Words a slip at the beginning of a URL, for the end of a message; nothing else of the URL is shown. */
function beginningMeant(text: string): string {
  const other = /^\s*(mysql2?|mariadb|mongodb|sqlite3?|sqlserver|mssql|oracle|redis|https?):/i.exec(text)
  if (other !== null) return `; this program reads PostgreSQL only, not ${other[1]}`
  if (/^\s*[a-z]+\s*=/.test(text)) return '; it has the form name=value, which is read as PGHOST, PGPORT, PGDATABASE, …'
  const [begins = ''] = /^\s*(?:jdbc:)?postg[a-z+]*:?\/*/i.exec(text) ?? []
  return /^$|^\s*postgres(?:ql)?:\/\/$/i.test(begins) ? '' : `; did you mean postgresql:// where it has "${begins}"?`
}

const EXPECTED = 'postgresql://user:password@host:5432/database'

/** Whether the variables of psql and libpq name a database: some platforms provide these instead of a URL. */
export function namesDatabase(env: Readonly<NodeJS.ProcessEnv>): boolean {
  return [env['PGHOST'], env['PGDATABASE']].some((value) => value !== undefined && value !== '')
}

/**
 * Reads PGHOST and the like. PGOPTIONS, and the password file where there is no PGPASSWORD, are read by pg.
 * @throws CliError
 */
export function targetOfEnvironment(env: Readonly<NodeJS.ProcessEnv>): Target {
  return targetFrom(
    (name) => env[VARIABLES[name]] || null,
    (name) => `${VARIABLES[name]}:`,
  )
}

/**
 * @param get the value of an option; null = not given
 * @param label the name of an option in an error message
 */
function targetFrom(get: (name: TargetOption) => string | null, label: (name: TargetOption) => string): Target {
  const text = (name: TargetOption): string => get(name) ?? ''
  const [user, password, database] = [text('user'), text('password'), text('dbname')]
  const [host = '', ...otherHosts] = text('host').split(',')
  const [given = '', ...otherPorts] = text('port').split(',')
  const sslMode = sslModeOf(get('sslmode'), host, label('sslmode'))
  const port = portOf(given, label('port'))
  const timeoutS = Number(get('connect_timeout') || DEFAULT_TIMEOUT_S)
  return {
    config: {
      host: host || 'localhost',
      port,
      // pg takes its default for each of these three that is empty.
      database,
      user,
      password,
      ssl: tlsOf(sslMode, get('sslrootcert') || 'system', label('sslrootcert')),
      connectionTimeoutMillis: Math.min((timeoutS > 0 ? timeoutS : DEFAULT_TIMEOUT_S) * 1000, MAX_TIMER_MS),
      keepAlive: true,
      application_name: get('application_name') || 'analytics-build',
    },
    shown: `${user}@${host.includes(':') ? `[${host}]` : host || 'localhost'}:${port}/${database}`,
    sslMode,
    searchPath: null,
    unused: otherHosts.length + otherPorts.length > 0 ? [OTHER_HOSTS] : [],
  }
}

const DEFAULT_TIMEOUT_S = 10
/** A longer timer of Node fires immediately. */
const MAX_TIMER_MS = 2 ** 31 - 1

function wrong(why: string): CliError {
  return usageError(`--database-url: ${why}`)
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
  throw usageError(`${name} "${given}" is not allowed; allowed: 1 to 65535`)
}

function sslModeOf(given: string | null, host: string, name: string): SslMode {
  const isLocal = host === '' || host.startsWith('/') || /^(localhost|127(\.\d+){3}|::1)$/i.test(host)
  if (given === null) return isLocal ? 'disable' : 'verify-full'
  const mode = SSL_MODES.find((known) => known === given)
  if (mode !== undefined) return mode
  throw usageError(`${name} "${given}" is not supported; allowed: ${SSL_MODES.join(', ')}`)
}

function tlsOf(mode: SslMode, rootCertificate: string, name: string): pg.ClientConfig['ssl'] {
  if (mode === 'disable') return false
  if (mode === 'require') return { rejectUnauthorized: false }
  // `system` is libpq's word for the certificates of the system, which are trusted anyway; providers put it into their URLs.
  if (rootCertificate === 'system') return { rejectUnauthorized: true }
  try {
    return { rejectUnauthorized: true, ca: readFileSync(rootCertificate, 'utf8') }
  } catch (error) {
    throw usageError(`${name} cannot be read: ${(error as Error).message}`)
  }
}

/**
 * Platforms add options for their own clients: a pool, an ORM, a driver. Only the one that says where the tables are
 * changes what is read: Prisma's `schema`, JDBC's `currentSchema`, `search_path`, and libpq's `options=-c search_path=…`.
 */
function optionsIn(options: URLSearchParams): Pick<Target, 'searchPath' | 'unused'> {
  const settings = options.get('options') ?? ''
  const set = SEARCH_PATH.exec(settings)?.[1]?.replaceAll(/\\(.)/gs, '$1')
  const path = set ?? (options.get('search_path') || options.get('currentSchema'))
  const schema = options.get('schema') || null
  const known: readonly string[] = [...Object.keys(VARIABLES), 'options', 'search_path', 'currentSchema', 'schema']
  const others = [...options.keys()].filter((name) => !known.includes(name))
  // Only what looks like a name is shown; the rest may be a piece of a password.
  const unused = others.map((name) => (/^[A-Za-z_.]{1,40}$/.test(name) ? name : 'an unnamed one'))
  if (settings.replace(SEARCH_PATH, '').trim() !== '') unused.push('options')
  return {
    searchPath: path !== null && path.trim() !== '' ? schemasIn(path) : schema === null ? null : [schema],
    unused: [...new Set(unused)],
  }
}

/** libpq's `-c name=value`, `-cname=value` and `--name=value`; a backslash keeps a blank in a value. */
const SEARCH_PATH = /(?<!\S)(?:-c\s*|--)search[_-]path=((?:\\.|[^\\\s])*)/is

/** A list as SET takes it: names are folded to lower case unless quoted. */
function schemasIn(path: string): string[] {
  const names = path.split(',').map((name) => name.trim())
  if (!names.every((name) => /^(?:"(?:[^"]|"")+"|[^"\s]+)$/.test(name)))
    throw wrong('search_path must be a list of schemas, such as app,public')
  return names.map(foldedName)
}
