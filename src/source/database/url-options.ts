// Owns what the options of a connection URL mean to a build: which it uses, where tables are looked up, and which it
// does not use. Pure.
import { folded } from '../sql/names.ts'
import type { SourceError } from './source-error.ts'

/** Options that say where and as whom to connect, and how, each with libpq's variable for it. */
export const VARIABLES = {
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
export type TargetOption = keyof typeof VARIABLES

export interface UrlOptions {
  readonly given: (name: TargetOption) => string | null
  /** null = not given. */
  readonly searchPath: readonly string[] | null
  /** Names of the others, each once. */
  readonly unused: readonly string[]
}

/**
 * Platforms add options for their own clients: a pool, an ORM, a driver. Only the one that says where the tables are
 * changes what is read: Prisma's `schema`, JDBC's `currentSchema`, `search_path`, and libpq's `options=-c search_path=…`.
 * @param wrong makes the error for a list of schemas that is malformed
 */
export function readUrlOptions(options: URLSearchParams, wrong: (why: string) => SourceError): UrlOptions {
  const set = settingsIn(options.get('options') ?? '')
  const path = set.get('search_path') ?? (options.get('search_path') || options.get('currentSchema'))
  const schema = options.get('schema') || null
  const known: readonly string[] = [...Object.keys(VARIABLES), 'options', 'search_path', 'currentSchema', 'schema']
  const unused = [
    ...[...options.keys()].filter((name) => !known.includes(name)).map(nameOf),
    ...[...set.keys()].filter((name) => name !== 'search_path').map((name) => `options ${nameOf(name)}`),
  ]
  return {
    given: (name) => options.get(name),
    searchPath: path !== null && path.trim() !== '' ? schemasIn(path, wrong) : schema === null ? null : [schema],
    unused: [...new Set(unused)],
  }
}

/** Only what looks like a name is shown; the rest may be a piece of a password. */
function nameOf(text: string): string {
  return /^[A-Za-z_.]{1,40}$/.test(text) ? text : 'an unnamed one'
}

/** libpq's `-c name=value`, `-cname=value` and `--name=value`; a backslash keeps a blank in a value. */
function settingsIn(options: string): ReadonlyMap<string, string> {
  const words = (options.match(/(?:\\.|[^\\\s])+/gs) ?? []).map((word) => word.replaceAll(/\\(.)/gs, '$1'))
  const found = new Map<string, string>()
  for (const [i, word] of words.entries()) {
    if (word === '-c') continue
    const text = words[i - 1] === '-c' ? word : word.replace(/^(?:-c|--)/, '')
    const equals = text.indexOf('=')
    const name = (equals < 0 ? text : text.slice(0, equals)).toLowerCase().replaceAll('-', '_')
    found.set(name, equals < 0 ? '' : text.slice(equals + 1))
  }
  return found
}

const SCHEMAS = /^\s*(?:"(?:[^"]|"")+"|[^",\s]+)\s*(?:,\s*(?:"(?:[^"]|"")+"|[^",\s]+)\s*)*$/

/** A list as SET takes it: names are folded to lower case unless quoted. */
function schemasIn(path: string, wrong: (why: string) => SourceError): string[] {
  if (!SCHEMAS.test(path)) throw wrong('search_path must be a list of schemas, such as app,public')
  return (path.match(/"(?:[^"]|"")+"|[^",\s]+/g) ?? []).map(folded)
}
