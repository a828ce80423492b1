// Owns turning option values into one validated build request. Reads the mapping file and the logo; connects to nothing.
import { isUtf8 } from 'node:buffer'
import { hash } from 'node:crypto'
import { readFileSync, statSync } from 'node:fs'
import { calledAs } from '../../process/called-as.ts'
import { usageError } from '../../process/cli-error.ts'
import type { Log } from '../../process/log.ts'
import { DEMO_MAPPING } from '../../release/format/manifest.ts'
import { releasePaths } from '../../release/format/paths.ts'
import {
  namesDatabase,
  parseDatabaseUrl,
  type Target,
  targetOfEnvironment,
} from '../../source/database/parse-target.ts'
import type { ReadOptions } from '../../source/database/transaction.ts'
import { loadMapping } from '../../source/mapping/mapping.ts'
import type { BuildRequest } from '../run/context.ts'
import type { SiteRequest } from '../site/write-site.ts'
import type { Values } from '../options/build-options.ts'
import type { SiteValues } from '../options/site-options.ts'

/** @param defaultEveryMs the cadence when none was declared */
export function buildRequest(
  values: Omit<Values<'build'>, 'json' | 'quiet'>,
  env: Readonly<Record<string, string | undefined>>,
  defaultEveryMs: number,
): BuildRequest {
  const target = targetOf(values.databaseUrl, env)
  const mapping = loadMapping(values.source, givenParams(values.param), env)
  // A release whose mapping has that name is shown as one with invented numbers.
  if (mapping.name === DEMO_MAPPING)
    throw usageError(
      `--source: the mapping is called "${DEMO_MAPPING}", which names invented data; give it another name`,
    )
  return { ...values, ...commonRequest(values, defaultEveryMs), ...readOptions(values, target), target, mapping }
}

/** A table that is locked longer is being changed: the platform goes on, and the build tries again. */
const LOCK_TIMEOUT_MS = 5000

export function readOptions(
  values: Pick<Values<'build'>, 'deadline' | 'rowSecurity'>,
  { searchPath }: Pick<Target, 'searchPath'>,
): ReadOptions & { readonly searchPath: Target['searchPath'] } {
  const { deadline, rowSecurity } = values
  // The time is shorter than the deadline, so that a query that hangs is named before that is over.
  const statementTimeoutMs = Math.floor((deadline * 2) / 3)
  return { statementTimeoutMs, lockTimeoutMs: LOCK_TIMEOUT_MS, rowSecurity, searchPath }
}

/** The target of the URL, or else of PGHOST and the other variables of libpq. */
export function targetOf(databaseUrl: string | null, env: Readonly<Record<string, string | undefined>>): Target {
  if (databaseUrl !== null) return parseDatabaseUrl(databaseUrl)
  if (namesDatabase(env)) return targetOfEnvironment(env)
  throw usageError(
    `--database-url (or DATABASE_URL) is not set; give postgresql://user:password@host:5432/database, or set PGHOST, PGUSER and PGDATABASE, or try the demo: ${calledAs('analytics-build')} demo`,
  )
}

export function givenParams(params: Values<'check'>['param']): Record<string, string> {
  const again = params.find(([key], i) => params.findIndex((one) => one[0] === key) < i)
  if (again) throw usageError(`--param ${again[0]} is given twice; give it once`)
  return Object.fromEntries(params)
}

/** Warns of what an operator may not have meant. */
export function warnOfTarget(target: Target, log: Log): void {
  if (target.unused.length > 0)
    log.warn({}, `--database-url: a build does not use ${target.unused.join(', ')}; the rest of the URL is used`)
  if (target.sslMode === 'require')
    log.warn(
      {},
      `sslmode=require encrypts, but does not verify who ${target.shown} is; sslmode=verify-full does (with sslrootcert for your own authority)`,
    )
}

/** The demo's database serves one connection, has no time-outs and needs no password. */
export function demoRequest(values: Values<'demo'>, databaseUrl: string, nowMs: number): BuildRequest {
  return {
    ...values,
    ...commonRequest(values, 24 * 3_600_000),
    target: parseDatabaseUrl(databaseUrl),
    mapping: { ...loadMapping('native', {}), name: DEMO_MAPPING },
    statementTimeoutMs: 0,
    lockTimeoutMs: 0,
    rowSecurity: 'off',
    asOfMs: nowMs,
  }
}

/** The values that a build takes in another form than the options have, or not from them. */
function commonRequest(values: Omit<Values<'demo'>, 'json' | 'quiet'>, defaultEveryMs: number) {
  if (values.voteWeight === 0 && values.commentWeight === 0)
    throw usageError('--vote-weight and --comment-weight are both 0; at least one must be 1 to 1000')
  return {
    site: siteRequest(values),
    paths: releasePaths(values.snapshots),
    everyMs: values.every ?? defaultEveryMs,
    asOfMs: null,
  }
}

const MAX_LOGO_BYTES = 64 << 10

/** The site that is asked for; null = data only. @throws CliError for a logo that may not be shown */
function siteRequest(values: SiteValues): SiteRequest | null {
  if (!values.site) return null
  const { publicUrl, title, publisher, contact, license, accent, languages } = values
  const logo = values.logo === null ? null : readLogo(values.logo)
  const sha256 = logo === null ? null : hash('sha256', logo)
  return { options: { publicUrl, title, publisher, contact, license, accent, logo: sha256, languages }, logo }
}

function readLogo(path: string): string {
  const bytes = bytesOf(path)
  const text = bytes?.toString('utf8') ?? ''
  if (bytes !== null && isUtf8(bytes) && /<svg\b/.test(text)) return text
  throw usageError(`--logo: ${path}: allowed is an SVG image in UTF-8 of at most ${MAX_LOGO_BYTES >> 10} KiB`)
}

/** The bytes of a logo; null = it has too many. */
function bytesOf(path: string): Buffer | null {
  try {
    const found = statSync(path)
    if (!found.isFile()) throw new Error('it is not a file')
    return found.size > MAX_LOGO_BYTES ? null : readFileSync(path)
  } catch (error) {
    throw usageError(`--logo: cannot read ${path}: ${(error as Error).message}; give a file that this user may read`)
  }
}
