// Owns what a set-up changes in the file of variables, from what was there, given and answered. Pure.
import { resolve } from 'node:path'
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
  /** Of the page and of people, by variable; an empty one unsets it. */
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
    ...[...texts].map(([name, value]): [string, string | null] => [name, value === '' ? null : value]),
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
export function answersAgain(
  source: Source,
  params: Readonly<Record<string, string>>,
  texts: ReadonlyMap<string, string>,
): string {
  const flagOf = (variable: string): string =>
    `--${variable.replace('ANALYTICS_', '').toLowerCase().replaceAll('_', '-')}`
  return [
    `--source ${source.name}`,
    ...Object.entries(params).map(([name, value]) => paramFlag(name, value)),
    ...[...texts].flatMap(([name, value]) =>
      value === '' ? [] : [`${flagOf(name)} '${value.replaceAll("'", String.raw`'\''`)}'`],
    ),
  ].join(' ')
}
