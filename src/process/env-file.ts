// Owns variables that come from files: all of --env-file, and one secret each of the variables that end in _FILE. Knows
// no option.
import { parseEnv } from 'node:util'
import { usageError } from './cli-error.ts'
import { readText } from './text-file.ts'
import { allowedInstead, isKnown, KNOWN_VARIABLES, SECRET_VARIABLES, twinOf } from './variables.ts'

/** Both programs take this option. */
export const ENV_FILE_FLAG = '--env-file'

/**
 * Adds the variables of a file that are not set yet, in place: the options are read from there, and child processes get them. An
 * empty one counts as unset, and a secret as set when its twin is.
 * @throws CliError naming file, line and variable, never a value
 */
export function addFromFile(env: NodeJS.ProcessEnv, path: string): void {
  const given = variablesOf(path, textOf(path, ENV_FILE_FLAG))
  // Node.js 20 itself takes an --env-file that was meant for the program, too, and has then added all of it.
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
 * @throws CliError where both are set, and for a file that cannot be read or is empty; shows no content
 */
export function readSecret(env: NodeJS.ProcessEnv, name: string): void {
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
    return readText(path)
  } catch (error) {
    throw usageError(`${what}: cannot read ${path}: ${(error as Error).message}`)
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
 * The variables in a file's text that are not empty, as Node reads them. What Node would leave out is an error here.
 * @throws CliError naming file, line and variable, never a value
 */
export function variablesOf(path: string, marked: string): Map<string, string> {
  const text = marked.replace(/^\uFEFF/, '')
  /** The quote that a value of several lines ends with. */
  let until: string | null = null
  /** The line of each name that this program reads. */
  const lines = new Map<string, number>()
  for (const [i, line] of text.split(/\r?\n/).entries()) {
    if (until !== null) {
      if (line.includes(until)) until = null
      continue
    }
    if (/^\s*(?:#|$)/.test(line)) continue
    const [, name = '', quote = '', rest = ''] = ASSIGNMENT.exec(line) ?? []
    const isOpen = quote !== '' && !rest.includes(quote)
    const again = lines.get(name)
    if (isOurVariable(name)) lines.set(name, i + 1)
    const fault = again ? `${name} is in line ${again} already; keep one of them` : faultOf(name, quote, rest)
    if (fault !== null) throw usageError(`${ENV_FILE_FLAG}: ${path}:${i + 1}: ${fault}`)
    if (isOpen) until = quote
  }
  const given = Object.entries(parseEnv(text) as Record<string, string>)
  return new Map(given.filter(([, value]) => value !== ''))
}

/** Whether a variable is ours. Other programs may have theirs in the same file, but no names that begin like ours. */
export const isOurVariable = (name: string): boolean =>
  /^(?:ANALYTICS_|AWS_|PG(?:APPNAME|CONNECT|DATABASE|HOST|OPTIONS|PASS|PORT|SSL|USER))/.test(name) ||
  KNOWN_VARIABLES.includes(name)

/** @param rest of the line, after the quote that the value begins with, if it does */
function faultOf(name: string, quote: string, rest: string): string | null {
  if (name === '') return 'expected NAME=VALUE, or a comment that begins with #'
  if (/^analytics_/i.test(name) && !isKnown(name)) return `there is no variable ${name}${allowedInstead(name)}`
  if (quote !== '' && isOurVariable(name) && !rest.includes(quote))
    return `the value of ${name} begins with ${quote} and does not end with it`
  // A # after a blank begins a comment, and any # after that belongs to it.
  if (quote === '' && isOurVariable(name) && /^#\S|\S#/.test(rest.replace(/\s#.*/s, '')))
    return `the value of ${name} would end at its #; put the value between single quotes: ${name}='…'`
  return null
}
