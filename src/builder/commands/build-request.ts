// Owns turning option values into one validated build request. Reads the mapping file and the logo; connects to nothing.
import { isUtf8 } from 'node:buffer'
import { hash } from 'node:crypto'
import { readFileSync, statSync } from 'node:fs'
import { calledAs } from '../../process/called-as.ts'
import { usageError } from '../../process/cli-error.ts'
import { SILENT } from '../../process/log.ts'
import { DEMO_MAPPING, isDemo } from '../../release/format/manifest.ts'
import {
  namesDatabase,
  parseDatabaseUrl,
  type Target,
  targetOfEnvironment,
} from '../../source/database/parse-target.ts'
import type { ReadOptions } from '../../source/database/transaction.ts'
import { loadMapping } from '../../source/mapping/mapping.ts'
import type { BuilderContext, BuildRequest } from '../run/context.ts'
import type { Values } from '../options/build-options.ts'

/** @param defaultEveryMs the cadence when none was declared. @throws CliError also for a logo that may not be shown */
export function buildRequest(
  values: Omit<Values<'build'>, 'json' | 'quiet'>,
  context: Pick<BuilderContext, 'env' | 'log'>,
  defaultEveryMs: number,
): BuildRequest {
  const mapping = loadMapping(values.source, givenParams(values.param), context.env)
  // A release whose mapping has that name is shown as one with invented numbers.
  if (isDemo({ mapping }))
    throw usageError(
      `--source: the mapping is called "${DEMO_MAPPING}", which names invented data; give it another name`,
    )
  if (values.voteWeight === 0 && values.commentWeight === 0)
    throw usageError('--vote-weight and --comment-weight are both 0; at least one must be 1 to 1000')
  const { publicUrl, title, publisher, contact, license, accent, languages } = values
  const logo = values.site && values.logo !== null ? readLogo(values.logo) : null
  const sha256 = logo === null ? null : hash('sha256', logo)
  const options = { publicUrl, title, publisher, contact, license, accent, logo: sha256, languages }
  const target = targetOf(values, context)
  return {
    ...values,
    ...readOptions(values, target),
    target,
    mapping,
    site: values.site ? { options, logo } : null,
    paths: values.snapshots,
    everyMs: values.every ?? defaultEveryMs,
    asOfMs: null,
  }
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

/** The target of the URL, or else of PGHOST and the other variables of libpq. Warns of what an operator may not have meant. */
export function targetOf(
  { databaseUrl }: Pick<Values<'build'>, 'databaseUrl'>,
  { env, log }: Pick<BuilderContext, 'env' | 'log'>,
): Target {
  if (databaseUrl === null && !namesDatabase(env))
    throw usageError(
      `--database-url (or DATABASE_URL) is not set; give postgresql://user:password@host:5432/database, or set PGHOST, PGUSER and PGDATABASE, or try the demo: ${calledAs('analytics-build')} demo`,
    )
  const target = databaseUrl === null ? targetOfEnvironment(env) : parseDatabaseUrl(databaseUrl)
  if (target.unused.length > 0)
    log.warn({}, `--database-url: a build does not use ${target.unused.join(', ')}; the rest of the URL is used`)
  if (target.sslMode === 'require')
    log.warn(
      {},
      `sslmode=require encrypts, but does not verify who ${target.shown} is; sslmode=verify-full does (with sslrootcert for your own authority)`,
    )
  return target
}

export function givenParams(params: Values<'check'>['param']): Record<string, string> {
  const again = params.find(([key], i) => params.findIndex((one) => one[0] === key) < i)
  if (again) throw usageError(`--param ${again[0]} is given twice; give it once`)
  return Object.fromEntries(params)
}

/** A build that reads the demo's own database: no variable of the environment counts, and no option that `demo` does not have. */
export function demoRequest(values: Values<'demo'>, databaseUrl: string, nowMs: number): BuildRequest {
  const source = { databaseUrl, source: 'native', param: [], rowSecurity: 'off' } as const
  const given = { ...values, ...source, publish: null, acceptSite: false, afterPublish: null }
  const request = buildRequest(given, { env: {}, log: SILENT }, 24 * 3_600_000)
  return { ...request, mapping: { ...request.mapping, name: DEMO_MAPPING }, asOfMs: nowMs }
}

const MAX_LOGO_BYTES = 64 << 10

function readLogo(path: string): string {
  let text = ''
  try {
    const found = statSync(path)
    if (!found.isFile()) throw new Error('it is not a file')
    const bytes = found.size > MAX_LOGO_BYTES ? Buffer.alloc(0) : readFileSync(path)
    if (isUtf8(bytes)) text = bytes.toString('utf8')
  } catch (error) {
    throw usageError(`--logo: cannot read ${path}: ${(error as Error).message}; give a file that this user may read`)
  }
  if (/<svg\b/.test(text)) return text
  throw usageError(`--logo: ${path}: allowed is an SVG image in UTF-8 of at most ${MAX_LOGO_BYTES >> 10} KiB`)
}
