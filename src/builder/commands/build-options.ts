// Owns the options of analytics-build: flags, variables, defaults, what is allowed. Runs nothing.
import { logLevelOption, type LogLevel } from '../../process/log-level.ts'
import {
  choice,
  option,
  repeatable,
  switchOnce,
  switchOption,
  type OptionTable,
  type TypedOption,
} from '../../process/option.ts'
import { duration, httpUrl, integer, text, type Parse } from '../../process/value-syntax.ts'

export interface KeyValue {
  readonly key: string
  readonly value: string
}

const keyValue: Parse<KeyValue> = (given) => {
  const found = /^([A-Za-z_]\w*)=(.*)$/s.exec(given)
  return found === null ? { allowed: 'KEY=VALUE' } : { value: { key: found[1] ?? '', value: found[2] ?? '' } }
}

const metricsFile: Parse<string> = (given) =>
  /[^/]\.prom$/.test(given)
    ? { value: given }
    : { allowed: 'a file ending in .prom, the only ones that node_exporter reads' }

const SECOND = 1000
const MINUTE = 60 * SECOND
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR

const folderOption = (byDefault: string): TypedOption<string> =>
  option('--snapshots <DIR>', byDefault, 'Output', 'folder of the releases', text('a folder'))

export const snapshotsOption: TypedOption<string> = folderOption('./snapshots')
export const jsonOption: TypedOption<boolean> = switchOption('--json', 'Output', 'print the result as JSON')
export const quietOption: TypedOption<boolean> = switchOption(
  '--quiet',
  'Output',
  'print and log nothing of what went well, for cron',
).implies({ logLevel: 'warn' })

/** The options that the demo shares. */
export interface DemoValues {
  readonly siteUrl: string | null
  readonly topCategories: number
  readonly voteWeight: number
  readonly commentWeight: number
  readonly snapshots: string
  readonly keep: number
  readonly maxDrop: number
  readonly acceptDrop: boolean
  readonly every: number | null
  readonly deadline: number
  readonly metricsFile: string | null
  readonly json: boolean
  readonly quiet: boolean
  readonly logLevel: LogLevel
}

export interface BuildValues extends DemoValues {
  readonly databaseUrl: string | null
  readonly source: string
  readonly param: readonly KeyValue[]
  readonly rowSecurity: 'off' | 'apply'
  readonly statementTimeout: number
  readonly lockTimeout: number
}

export const DEMO_OPTIONS: OptionTable<DemoValues> = {
  siteUrl: option('--site-url <URL>', null, 'Numbers', 'joined to paths that the mapping gives as url', httpUrl()),
  topCategories: option('--top-categories <N>', '3', 'Numbers', 'how many topCategories', integer(1, 100)),
  voteWeight: option('--vote-weight <N>', '5', 'Numbers', 'score of a vote', integer(0, 1000)),
  commentWeight: option('--comment-weight <N>', '3', 'Numbers', 'score of a comment', integer(0, 1000)),
  // Another folder than that of real releases, so that a proxy or nginx never serves invented numbers as real ones.
  snapshots: folderOption('./snapshots/demo'),
  keep: option('--keep <N>', '5', 'Output', 'releases kept, and whatever is younger than 15 minutes', integer(1, 1000)),
  maxDrop: option('--max-drop <PERCENT>', '20', 'Output', 'refuse totals that fall by more', integer(0, 100)),
  acceptDrop: switchOnce('--accept-drop', 'Output', 'publish such a release this once'),
  every: option('--every <DURATION>', null, 'Output', 'declared cadence', duration(10 * SECOND, 366 * DAY)).default(
    null,
    'default 1h; schedule: longest gap of --cron; demo: 24h',
  ),
  deadline: option(
    '--deadline <DURATION>',
    '15m',
    'Limits',
    'of the whole build, retries included',
    duration(SECOND, DAY),
  ),
  metricsFile: option(
    '--metrics-file <FILE>',
    null,
    'Output',
    'how the build ended, for Prometheus; ends in .prom',
    metricsFile,
  ),
  json: jsonOption,
  quiet: quietOption,
  logLevel: logLevelOption,
}

/** `build` and `schedule`. */
export const BUILD_OPTIONS: OptionTable<BuildValues> = {
  databaseUrl: option(
    '--database-url <URL>',
    null,
    'Source',
    'postgresql://user:password@host:5432/database',
    text('a URL'),
  )
    .env('DATABASE_URL')
    .default(null, 'PGHOST, PGUSER, …'),
  source: option(
    '--source <NAME|FILE>',
    'native',
    'Source',
    'built-in mapping, or a mapping file ending in .sql',
    text('a name or a file'),
  ),
  param: repeatable('--param <KEY=VALUE>', 'Source', 'parameter of the mapping; repeatable', keyValue).default(
    [],
    'ANALYTICS_PARAM_KEY',
  ),
  rowSecurity: choice('--row-security <off|apply>', 'off', 'Source', 'row-level security: an error, or applied', [
    'off',
    'apply',
  ]),
  statementTimeout: option('--statement-timeout <DURATION>', '10m', 'Limits', 'of one query', duration(100, DAY)),
  lockTimeout: option('--lock-timeout <DURATION>', '5s', 'Limits', 'of waiting for a table', duration(100, HOUR)),
  ...DEMO_OPTIONS,
  snapshots: snapshotsOption,
}

/** Without `--accept-drop`: a gate that every build may pass is none. */
export type CronValues = Omit<BuildValues, 'acceptDrop' | 'json' | 'quiet'> & { readonly cron: string }

const { acceptDrop: _once, json: _result, quiet: _quiet, ...EVERY_BUILD } = BUILD_OPTIONS

export const SCHEDULE_OPTIONS: OptionTable<CronValues> = {
  cron: option(
    '--cron <PATTERN>',
    '*/5 * * * *',
    'Schedule',
    'when to build, in UTC',
    text('a cron pattern such as "*/5 * * * *"'),
  ),
  ...EVERY_BUILD,
}

export interface ReleaseValues {
  readonly snapshots: string
  readonly json: boolean
}

export const RELEASE_OPTIONS: OptionTable<ReleaseValues> = { snapshots: snapshotsOption, json: jsonOption }

export interface QuietValues extends ReleaseValues {
  readonly quiet: boolean
}

export const QUIET_OPTIONS: OptionTable<QuietValues> = { ...RELEASE_OPTIONS, quiet: quietOption }

export interface PruneValues extends QuietValues {
  readonly keep: number
  readonly allButCurrent: boolean
}

export const PRUNE_OPTIONS: OptionTable<PruneValues> = {
  ...QUIET_OPTIONS,
  keep: DEMO_OPTIONS.keep,
  allButCurrent: switchOnce(
    '--all-but-current',
    'Output',
    'prune: forget all others at once, however young; --keep is ignored',
  ),
}

/** How to reach a database. */
export type DatabaseValues = Pick<
  BuildValues,
  'databaseUrl' | 'rowSecurity' | 'statementTimeout' | 'lockTimeout' | 'deadline'
>
const { databaseUrl, source, param, rowSecurity, statementTimeout, lockTimeout, deadline, json } = BUILD_OPTIONS

export type CheckValues = DatabaseValues & Pick<BuildValues, 'source' | 'param' | 'json'>
export const CHECK_OPTIONS: OptionTable<CheckValues> = {
  databaseUrl,
  source,
  param,
  rowSecurity,
  statementTimeout,
  lockTimeout,
  deadline,
  json,
}

export interface InitValues {
  readonly databaseUrl: string | null
  readonly output: string | null
}
export const INIT_OPTIONS: OptionTable<InitValues> = {
  databaseUrl,
  output: option('--output <FILE>', null, 'Output', 'where to write it; - for standard output', text('a file')).default(
    null,
    'NAME.sql',
  ),
}

/** PostgreSQL cuts a longer name off, and no name holds a control character on purpose. */
const roleName: Parse<string> = (given) =>
  /^\P{Cc}{1,63}$/u.test(given) && Buffer.byteLength(given) <= 63
    ? { value: given }
    : { allowed: 'a name of at most 63 bytes without control characters' }

export interface GrantsValues {
  readonly databaseUrl: string | null
  readonly source: string
  readonly role: string
}
export const GRANTS_OPTIONS: OptionTable<GrantsValues> = {
  databaseUrl,
  source,
  role: option('--role <NAME>', 'analytics_reader', 'Source', 'name of the role that it makes', roleName),
}
