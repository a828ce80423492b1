// Owns the names of all variables that the programs read, and telling which ones neither reads. Both read the same
// file, so that each also knows the names of the other. Knows no meaning.
import { usageError } from './cli-error.ts'
import { didYouMean, nearest } from './near.ts'

const PREFIX = 'ANALYTICS_'

/** The variable of each option that has one: a test compares them with the tables of options. */
const NAMES = `
  ACCENT ADMIN_PORT AFTER_PUBLISH CACHE COMMENT_WEIGHT CONTACT CRON DEADLINE EVERY HOST JSON KEEP KEEP_MONTHS
  LANGUAGES LICENSE LOGO MAX_REVISION METRICS_FILE NO_SIBLINGS NO_SITE ORIGIN OUTPUT PEOPLE
  PUBLIC_URL PUBLISH PUBLISHER QUIET RATE_CLIENTS RATE_LIMIT RATE_STORE RATE_WINDOW ROLE ROW_SECURITY SITE_URL
  SNAPSHOTS SOURCE TIME_ZONE TITLE TRUST_PROXY VOTE_WEIGHT`
  .trim()
  .split(/\s+/)
  .map((name) => `${PREFIX}${name}`)

/** The variables that may hold a password. Each has a twin with _FILE behind its name: a file that holds the value. */
export const SECRET_VARIABLES = ['DATABASE_URL', 'PGPASSWORD', 'ANALYTICS_RATE_STORE'] as const
export type SecretVariable = (typeof SECRET_VARIABLES)[number]

export const KNOWN_VARIABLES: readonly string[] = [
  'PORT',
  ...new Set([...NAMES, ...SECRET_VARIABLES]),
  ...SECRET_VARIABLES.map(twinOf),
]

/** The variable of a parameter of a mapping, whose names only the mapping knows. */
export const PARAM_VARIABLE = /^ANALYTICS_PARAM_\w+$/

export function isKnown(name: string): boolean {
  return KNOWN_VARIABLES.includes(name) || PARAM_VARIABLE.test(name)
}

/** The variable of ours that somebody may have meant; null = there is nothing like it. */
function meantBy(name: string): string | null {
  const own = KNOWN_VARIABLES.filter((one) => one.startsWith(PREFIX)).map((one) => one.slice(PREFIX.length))
  const meant = nearest(name.slice(PREFIX.length), own)
  return meant && `${PREFIX}${meant}`
}

/** The variable of ours that lacks the prefix; other programs read it with one (Rails: ANALYTICS_DATABASE_URL). Null = none. */
function bareOf(name: string): string | null {
  return KNOWN_VARIABLES.find((one) => name === `${PREFIX}${one}`) ?? null
}

/** The end of a message about a variable that does not exist. */
export function allowedInstead(name: string): string {
  return `${didYouMean(meantBy(name) ?? bareOf(name))}; allowed: ANALYTICS_ and the name of an option in capitals, such as ANALYTICS_SNAPSHOTS for --snapshots, and ANALYTICS_PARAM_NAME for a parameter of a mapping`
}

/** Variables that Kubernetes sets for the services of a namespace, and those set for what --after-publish starts. */
const OF_OTHERS = /_SERVICE_|_PORT(?:_|$)|^ANALYTICS_RELEASE(?:_ID)?$/

/** Warns of names that begin like ours. @throws CliError for one that was meant to be ours: other numbers would be published */
export function checkNames(env: Readonly<NodeJS.ProcessEnv>, warn: (message: string) => void): void {
  // For a service that is called analytics, Kubernetes sets this variable to an address.
  const isPort = (name: string): boolean => name === 'ANALYTICS_PORT' && /^\d+$/.test(env[name] ?? '')
  const isStray = (name: string): boolean =>
    name.startsWith(PREFIX) && !isKnown(name) && (isPort(name) || !OF_OTHERS.test(name))
  const strays = Object.keys(env).filter((name) => env[name] && isStray(name))
  for (const name of strays)
    if (meantBy(name) !== null)
      throw usageError(
        `the environment has ${name}, which nothing reads${didYouMean(meantBy(name))} Correct or unset it`,
      )
  const shown = strays.map((name) => (bareOf(name) === null ? name : `${name} (without the prefix it is ours)`))
  if (strays.length > 0) warn(`the environment has ${shown.join(', ')}, which nothing reads${allowedInstead('')}`)
}

/** The variable that names a file with a secret, for a variable that holds it. */
export function twinOf(secret: string): string {
  return `${secret}_FILE`
}
