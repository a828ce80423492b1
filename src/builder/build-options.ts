// Owns the options of analytics-build: flags, variables, defaults, what is allowed. Runs nothing.
import { option, type OptionSpec, type OptionTableOf } from '../process/command-line.ts'
import { logLevelOption, type LogLevel } from '../process/log-level.ts'
import { duration, httpUrl, integer, oneOf, text, type Parse } from '../process/value-syntax.ts'

export const yes: Parse<boolean> = (given) =>
  given === 'true' || given === 'false' ? { value: given === 'true' } : { allowed: 'true or false' }

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

export const snapshotsOption: OptionSpec<string> = option(
  '--snapshots',
  'DIR',
  './snapshots',
  'Output',
  'folder of the releases',
  text('a folder'),
)

export const jsonOption: OptionSpec<boolean> = option('--json', null, null, 'Output', 'print the result as JSON', yes)

export const quietOption: OptionSpec<boolean> = option(
  '--quiet',
  null,
  null,
  'Output',
  'print and log nothing of what went well, for cron',
  yes,
)

/** The options that the demo shares. */
export interface DemoValues {
  readonly siteUrl: string | null
  readonly topCategories: number
  readonly voteWeight: number
  readonly commentWeight: number
  readonly snapshots: string
  readonly keep: number
  readonly maxDrop: number
  readonly acceptDrop: boolean | null
  readonly every: number | null
  readonly deadline: number
  readonly metricsFile: string | null
  readonly json: boolean | null
  readonly quiet: boolean | null
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

export const DEMO_OPTIONS: OptionTableOf<DemoValues> = {
  siteUrl: option('--site-url', 'URL', null, 'Numbers', 'joined to paths that the mapping gives as url', httpUrl()),
  topCategories: option('--top-categories', 'N', '3', 'Numbers', 'how many topCategories', integer(1, 100)),
  voteWeight: option('--vote-weight', 'N', '5', 'Numbers', 'score of a vote', integer(0, 1000)),
  commentWeight: option('--comment-weight', 'N', '3', 'Numbers', 'score of a comment', integer(0, 1000)),
  // A folder of its own: a proxy or nginx on the one of real releases never meets invented numbers.
  snapshots: { ...snapshotsOption, default: './snapshots/demo' },
  keep: option(
    '--keep',
    'N',
    '5',
    'Output',
    'releases kept, and whatever is younger than 15 minutes',
    integer(1, 1000),
  ),
  maxDrop: option('--max-drop', 'PERCENT', '20', 'Output', 'refuse totals that fall by more', integer(0, 100)),
  acceptDrop: option('--accept-drop', null, null, 'Output', 'publish such a release this once', yes, {
    variable: null,
  }),
  every: option('--every', 'DURATION', null, 'Output', 'declared cadence', duration(10 * SECOND, 366 * DAY), {
    defaultText: 'default 1h; schedule: longest gap of --cron; demo: 24h',
  }),
  deadline: option(
    '--deadline',
    'DURATION',
    '15m',
    'Limits',
    'of the whole build, retries included',
    duration(SECOND, DAY),
  ),
  metricsFile: option(
    '--metrics-file',
    'FILE',
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
export const BUILD_OPTIONS: OptionTableOf<BuildValues> = {
  databaseUrl: option(
    '--database-url',
    'URL',
    null,
    'Source',
    'postgresql://user:password@host:5432/database',
    text('a URL'),
    {
      variable: 'DATABASE_URL',
      defaultText: 'PGHOST, PGUSER, …',
    },
  ),
  source: option(
    '--source',
    'NAME|FILE',
    'native',
    'Source',
    'built-in mapping, or a mapping file ending in .sql',
    text('a name or a file'),
  ),
  param: option('--param', 'KEY=VALUE', null, 'Source', 'parameter of the mapping; repeatable', keyValue, {
    variable: null,
    repeatable: true,
    defaultText: 'ANALYTICS_PARAM_KEY',
  }),
  rowSecurity: option(
    '--row-security',
    'off|apply',
    'off',
    'Source',
    'row-level security: an error, or applied',
    oneOf('off', 'apply'),
  ),
  statementTimeout: option('--statement-timeout', 'DURATION', '10m', 'Limits', 'of one query', duration(100, DAY)),
  lockTimeout: option('--lock-timeout', 'DURATION', '5s', 'Limits', 'of waiting for a table', duration(100, HOUR)),
  ...DEMO_OPTIONS,
  snapshots: snapshotsOption,
}

/** A gate that every build may pass is none: `--accept-drop` is for one build by hand. */
export type CronValues = Omit<BuildValues, 'acceptDrop' | 'json' | 'quiet'> & { readonly cron: string }

const { acceptDrop: _once, json: _result, quiet: _quiet, ...EVERY_BUILD } = BUILD_OPTIONS

export const SCHEDULE_OPTIONS: OptionTableOf<CronValues> = {
  cron: option(
    '--cron',
    'PATTERN',
    '*/5 * * * *',
    'Schedule',
    'when to build, in UTC',
    text('a cron pattern such as "*/5 * * * *"'),
  ),
  ...EVERY_BUILD,
}
