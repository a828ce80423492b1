// Owns the file of variables that a set-up writes: what is in it, from what was given and answered, and its text. Pure.
import { resolve } from 'node:path'
import type { Option } from 'commander'
import { usageError } from '../../process/cli-error.ts'
import { SECRET_VARIABLES } from '../../process/variables.ts'
import { paramFlag, parameterVariable } from '../../source/mapping/parameters.ts'
import type { Values } from '../options/build-options.ts'
import type { MappingSource } from '../../source/mapping/mapping.ts'
import type { Params } from './look.ts'

/** What is given, by flags and variables. Null = the database is asked, the source looked up, the role named after the database. */
export interface SetupRequest extends Pick<
  Values<'setup'>,
  'databaseUrl' | 'source' | 'snapshots' | 'role' | 'makeRole'
> {
  readonly params: Params
  /** The environment, with ANALYTICS_PARAM_…, which name parameters in capitals. */
  readonly env: Readonly<NodeJS.ProcessEnv>
  /** What is given about the page and about people, by variable. */
  readonly chosen: ReadonlyMap<string, string>
}

export const PEOPLE = 'ANALYTICS_PEOPLE'
/** How often the printed lines build. */
const EVERY = '5m'

/**
 * The variables by name, in the order of the file.
 * @param texts about the page and about people, by variable
 */
export function variablesFor(
  url: string,
  source: MappingSource,
  params: Params,
  texts: ReadonlyMap<string, string>,
  snapshots: string,
): Map<string, string> {
  const ofMapping = source.file.params.flatMap((param): [string, string][] => {
    const value = params[param.name]
    return value === undefined || value === param.default ? [] : [[parameterVariable(param), value]]
  })
  return new Map([
    // In a file of variables ' ends a value; in a URL %27 means the same.
    ['DATABASE_URL', url.replaceAll("'", '%27')],
    ['ANALYTICS_SOURCE', source.name.endsWith('.sql') ? resolve(source.name) : source.name],
    ...ofMapping,
    ...texts,
    ['ANALYTICS_SNAPSHOTS', resolve(snapshots)],
    ['ANALYTICS_EVERY', EVERY],
  ])
}

/** The answers as flags, so that nobody answers twice. */
export function answersAgain({ name }: MappingSource, params: Params): string {
  return [`--source ${name}`, ...Object.entries(params).map(([param, value]) => paramFlag(param, value))].join(' ')
}

const HEAD = `# Variables of analytics-build and analytics-proxy, for --env-file, systemd and compose. It holds a password: keep its mode.
# Change here what you want: the next build takes it.
`

/** @param known options that the file names where it does not set them */
export function envText(variables: ReadonlyMap<string, string>, known: readonly Option[] = []): string {
  const set = [...variables].map(([name, value]) => `${name}=${quoted(name, value)}\n`)
  const unset = known.filter(({ envVar = '' }) => !variables.has(envVar))
  const named = unset.map(({ envVar, description }) => `# ${description}\n#${envVar}=''\n`)
  return [HEAD, ...set, ...named].join('')
}

/** A value as Node, systemd and compose read it alike: none of them changes what is between single quotes. */
function quoted(name: string, value: string): string {
  if (!/['\n\r]/.test(value)) return `'${value}'`
  if (!/["\\$`\n\r]/.test(value)) return `"${value}"`
  const isSecret = SECRET_VARIABLES.some((secret) => secret === name) || name.startsWith('AWS_')
  throw usageError(
    `${name}: ${isSecret ? 'its value' : `"${value}"`} cannot be written into a file of variables: it has a line break, or a ' and one of " \\ $ \``,
  )
}
