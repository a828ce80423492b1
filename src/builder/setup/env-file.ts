// Owns the file of variables: what a set-up changes in it, from what was there, given and answered, and its text. Pure.
import { resolve } from 'node:path'
import type { Option } from 'commander'
import { usageError } from '../../process/cli-error.ts'
import { SECRET_VARIABLES } from '../../process/variables.ts'
import { paramFlag, variableOf } from '../../source/mapping/parameters.ts'
import type { Database } from './database-question.ts'
import type { Source } from './look.ts'

/** What is given, by flags and variables. */
export interface SetupRequest {
  /** null = the one of an earlier set-up, or asked. */
  readonly url: string | null
  readonly source: string | null
  readonly params: Readonly<Record<string, string>>
  /** ANALYTICS_PARAM_…, which name parameters in capitals. */
  readonly paramVariables: ReadonlyMap<string, string>
  /** Of the page and of people, by variable. */
  readonly chosen: ReadonlyMap<string, string>
  readonly snapshots: string
  /** Of the role that is made, or stays; null = one is named after the database. */
  readonly role: string | null
  readonly makeRole: boolean
}

/** The file of variables as it was. */
export interface Earlier {
  readonly text: string
  readonly variables: ReadonlyMap<string, string>
  /** null = the file names none. */
  readonly url: string | null
}

export const PEOPLE = 'ANALYTICS_PEOPLE'
export const SOURCE = 'ANALYTICS_SOURCE'
const SNAPSHOTS = 'ANALYTICS_SNAPSHOTS'
const EVERY = 'ANALYTICS_EVERY'
/** As often as the printed lines build. */
const EVERY_DEFAULT = '5m'

interface Chosen {
  readonly request: SetupRequest
  readonly earlier: Earlier | null
  readonly source: Source
  readonly params: Readonly<Record<string, string>>
  readonly database: Database
  /** Of the page and of people, by variable. */
  readonly texts: ReadonlyMap<string, string>
}

/** What becomes of each variable; null = it goes. */
export function changesOf(chosen: Chosen): Map<string, string | null> {
  const { request, earlier, source, texts } = chosen
  const before = earlier?.variables ?? new Map<string, string>()
  return new Map<string, string | null>([
    ...databaseChanges(chosen),
    [SOURCE, source.name.endsWith('.sql') ? resolve(source.name) : source.name],
    ...paramChanges(chosen),
    ...texts,
    [SNAPSHOTS, resolve(request.snapshots)],
    ...(before.has(EVERY) ? [] : [[EVERY, EVERY_DEFAULT] as const]),
  ])
}

function databaseChanges({ earlier, database }: Chosen): [string, string | null][] {
  if (database.url === earlier?.url) return []
  const others = ['DATABASE_URL_FILE', 'PGPASSWORD', 'PGPASSWORD_FILE'].filter((name) => earlier?.variables.has(name))
  // In a file of variables ' ends a value; in a URL %27 means the same.
  return [['DATABASE_URL', database.url.replaceAll("'", '%27')], ...others.map((name): [string, null] => [name, null])]
}

/** Those of another mapping go. */
function paramChanges({ earlier, source, params }: Chosen): [string, string | null][] {
  const before = [...(earlier?.variables.keys() ?? [])].filter((name) => name.startsWith('ANALYTICS_PARAM_'))
  const now = source.mapping.file.params.flatMap((param): [string, string][] => {
    const value = params[param.name]
    return value === undefined || value === param.default ? [] : [[variableOf(param), value]]
  })
  return [...before.map((name): [string, null] => [name, null]), ...now]
}

/** As flags: nobody answers twice. */
export function answersAgain({ name }: Source, params: Readonly<Record<string, string>>): string {
  return [`--source ${name}`, ...Object.entries(params).map(([param, value]) => paramFlag(param, value))].join(' ')
}

const HEAD = `# Variables of analytics-build and analytics-proxy, for --env-file, systemd and compose. It holds a password: keep its mode.
# "analytics-build setup" changes what it asks for, and keeps the rest.
`

/**
 * @param before the text of the file; null = there is none
 * @param changes by name; null = the variable goes
 * @param known options that a new file names where it does not set them
 */
export function envText(
  before: string | null,
  changes: ReadonlyMap<string, string | null>,
  known: readonly Option[] = [],
): string {
  const written = new Set<string>()
  const kept = (before ?? HEAD)
    .replace(/\n$/, '')
    .split('\n')
    .flatMap((line) => {
      const name = /^\s*(?:export\s+)?([^\s=#]+)\s*=/.exec(line)?.[1]
      const value = name === undefined ? undefined : changes.get(name)
      if (name === undefined || value === undefined) return [line]
      // Of a name that is there twice the last one counts to every reader, so the first must not stay.
      if (value === null || written.has(name)) return []
      written.add(name)
      return [`${name}=${quoted(name, value)}`]
    })
  const added = [...changes].flatMap(([name, value]) =>
    value === null || written.has(name) ? [] : [`${name}=${quoted(name, value)}`],
  )
  const unset = known.filter(({ envVar = '' }) => !changes.has(envVar))
  const named = before === null ? unset.flatMap(({ envVar, description }) => [`# ${description}`, `#${envVar}=''`]) : []
  return [...kept, ...added, ...named].map((line) => `${line}\n`).join('')
}

/** As Node, systemd and compose read it alike: none of them changes what is between single quotes. */
function quoted(name: string, value: string): string {
  if (!/['\n\r]/.test(value)) return `'${value}'`
  if (!/["\\$`\n\r]/.test(value)) return `"${value}"`
  const isSecret = SECRET_VARIABLES.some((secret) => secret === name)
  throw usageError(
    `${name}: ${isSecret ? 'its value' : `"${value}"`} cannot be written into a file of variables: it has a line break, or a ' and one of " \\ $ \``,
  )
}
