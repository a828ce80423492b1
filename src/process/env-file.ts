// Owns variables that come from files: all of --env-file, and one secret each of the variables that end in _FILE. Knows
// no option.
import { readFileSync } from 'node:fs'
import { parseEnv } from 'node:util'
import { usageError } from './cli-error.ts'
import { KNOWN_VARIABLES, PARAM_VARIABLE, SECRET_VARIABLES, twinOf } from './variables.ts'

/** Of both programs. */
export const ENV_FILE_FLAG = '--env-file'

/** Changed in place: the options are read from it, and child processes get it. */
export type Variables = Record<string, string | undefined>

/**
 * Adds the variables of a file that are not set yet. An empty one counts as unset, and a secret as set when its twin is.
 * @throws CliError naming file, line and variable, never a value
 */
export function addFromFile(env: Variables, path: string): void {
  const given = variablesOf(path, textOf(path, ENV_FILE_FLAG))
  // On Node.js 20 Node takes an --env-file that was meant for the program, too, and has added all of it.
  const isSet = (name: string): boolean => !isUnset(env[name]) && env[name] !== given.get(name)
  for (const [name, value] of given) {
    if (isSet(name)) continue
    const other = OTHER_TWIN.get(name)
    if (other !== undefined && isSet(other)) delete env[name]
    else env[name] = value
  }
}

/**
 * Puts the content of the file that the twin of a secret names in its place.
 * @throws CliError for both, and for a file that cannot be read or is empty; shows no content
 */
export function readSecret(env: Variables, name: string): void {
  const twin = twinOf(name)
  const path = env[twin]
  delete env[twin]
  if (path === undefined || path === '') return
  if (!isUnset(env[name])) throw usageError(`${name} and ${twin} are both set; set one of them`)
  const value = textOf(path, twin).replace(/\r?\n$/, '')
  if (value === '') throw usageError(`${twin}: ${path} is empty; expected the value of ${name}`)
  env[name] = value
}

function textOf(path: string, what: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch (error) {
    throw usageError(`${what}: cannot read ${path}: ${(error as Error).message}; give a file that this user may read`)
  }
}

const isUnset = (value: string | undefined): boolean => value === undefined || value === ''

/** A secret and its twin name each other. */
const OTHER_TWIN: ReadonlyMap<string, string> = new Map(
  SECRET_VARIABLES.flatMap((secret) => [[secret, twinOf(secret)] as const, [twinOf(secret), secret] as const]),
)

/** A name, and what follows: an opening quote and the rest of the line, or all of it. */
const ASSIGNMENT = /^\s*(?:export\s+)?([^\s=]+)\s*=\s*(["'`]?)(.*)$/

/**
 * The variables of a file's text that are not empty, as Node reads them. What Node leaves out is an error here.
 * @throws CliError naming file, line and variable, never a value
 */
export function variablesOf(path: string, marked: string): Map<string, string> {
  const text = marked.replace(/^\uFEFF/, '')
  /** The quote that a value of several lines ends with. */
  let until: string | null = null
  for (const [i, line] of text.split(/\r?\n/).entries()) {
    if (until !== null) {
      if (line.includes(until)) until = null
      continue
    }
    if (/^\s*(?:#|$)/.test(line)) continue
    const [, name = '', quote = '', rest = ''] = ASSIGNMENT.exec(line) ?? []
    const isOpen = quote !== '' && !rest.includes(quote)
    const fault = faultOf(name, isOpen ? quote : null)
    if (fault !== null) throw usageError(`${ENV_FILE_FLAG}: ${path}:${i + 1}: ${fault}`)
    if (isOpen) until = quote
  }
  const given = Object.entries(parseEnv(text) as Record<string, string>)
  return new Map(given.filter(([, value]) => value !== ''))
}

/**
 * Other programs may have theirs in the same file, but not names that begin like ours.
 * @param open the quote that the value begins with and, on its line, does not end with
 */
function faultOf(name: string, open: string | null): string | null {
  if (name === '') return 'expected NAME=VALUE, or a comment that begins with #'
  if (KNOWN_VARIABLES.includes(name) || PARAM_VARIABLE.test(name))
    return open === null ? null : `the value of ${name} begins with ${open} and does not end with it`
  return /^analytics_/i.test(name)
    ? `there is no variable ${name}; allowed: ANALYTICS_ and the name of an option in capitals, such as ANALYTICS_SNAPSHOTS for --snapshots, and ANALYTICS_PARAM_NAME for a parameter of a mapping`
    : null
}
