// Owns the names of all variables that the programs read. Both read one file, so each knows also the other's. Knows no meaning.

/** Of each option with a variable: a test compares them with the tables of options. */
const NAMES = `
  ACCENT ADMIN_PORT AFTER_PUBLISH CACHE COMMENT_WEIGHT CONTACT CRON DEADLINE EVERY HOST JSON KEEP KEEP_MONTHS
  LANGUAGES LICENSE LOGO MAX_REVISION METRICS_FILE NO_SITE ORIGIN OUTPUT PEOPLE
  PUBLIC_URL PUBLISH PUBLISHER QUIET RATE_CLIENTS RATE_LIMIT RATE_STORE RATE_WINDOW ROLE ROW_SECURITY SITE_URL
  SNAPSHOTS SOURCE TIME_ZONE TITLE TRUST_PROXY VOTE_WEIGHT`
  .trim()
  .split(/\s+/)
  .map((name) => `ANALYTICS_${name}`)

/** Those that may hold a password. Each has a twin with _FILE behind its name: a file that holds the value. */
export const SECRET_VARIABLES = ['DATABASE_URL', 'PGPASSWORD', 'ANALYTICS_RATE_STORE'] as const
export type SecretVariable = (typeof SECRET_VARIABLES)[number]

export const KNOWN_VARIABLES: readonly string[] = [
  'PORT',
  ...new Set([...NAMES, ...SECRET_VARIABLES]),
  ...SECRET_VARIABLES.map(twinOf),
]

/** Of a parameter of a mapping, whose names only the mapping knows. */
export const PARAM_VARIABLE = /^ANALYTICS_PARAM_\w+$/

/** The variable that names a file with a secret, for a variable that holds it. */
export function twinOf(secret: string): string {
  return `${secret}_FILE`
}
