// Owns the options of analytics-build: flags, variables, defaults, what is allowed. Runs nothing.
import { GRACE_MINUTES } from '../../release/writing/prune.ts'
import { bucketOf } from '../../release/publishing/bucket.ts'
import { PEOPLE_MODES } from '../../contract/people.ts'
import { DEMO_TITLE } from '../../contract/site-options.ts'
import { ianaName } from '../../contract/time-zone.ts'
import { DAY_MS } from '../../contract/timestamp.ts'
import { didYouMean, nearest } from '../../process/near.ts'
import {
  choice,
  group,
  option,
  optionalOption,
  repeatable,
  secret,
  switchOnce,
  switchOption,
  withDefault,
  type ValuesOf,
} from '../../process/option.ts'
import { SITE_OPTIONS } from './site-options.ts'
import { duration, httpUrl, integer, anyText, type Parse } from '../../process/value-syntax.ts'
import { releasePaths, type ReleasePaths } from '../../release/format/paths.ts'

const keyValue: Parse<readonly [key: string, value: string]> = (given) => {
  const [, key, value = ''] = /^([A-Za-z_]\w*)=(.*)$/s.exec(given) ?? []
  return key === undefined ? { allowed: 'KEY=VALUE' } : { value: [key, value] }
}

const timeZone: Parse<string> = (given) => {
  const value = ianaName(given)
  return value === null ? { allowed: `a name of the IANA list, such as Europe/Madrid${zoneMeantBy(given)}` } : { value }
}

/** The end of a message that asks for the zone of a city, or of a misspelt name; '' = there is none. */
function zoneMeantBy(given: string): string {
  if (/^\W*(?:[A-Z]{1,5})?[+-]\d/i.test(given))
    return ', whose summer time it follows; an offset for all of the year is Etc/GMT-2, which is two hours ahead of UTC'
  const name = given.trim().replaceAll(/\s+/g, '_')
  const zones = Intl.supportedValuesOf('timeZone')
  const ofCity = zones.find((zone) => zone.toLowerCase().endsWith(`/${name.toLowerCase()}`))
  return didYouMean(ofCity ?? nearest(name, zones))
}

const metricsFile: Parse<string> = (given) =>
  /[^/]\.prom$/.test(given)
    ? { value: given }
    : { allowed: 'a file ending in .prom, the only ones that node_exporter reads' }

const SECOND_MS = 1000

/** PostgreSQL cuts a longer name off, and no name holds a control character on purpose. */
const roleName: Parse<string> = (given) =>
  /^\P{Cc}{1,63}$/u.test(given) && Buffer.byteLength(given) <= 63
    ? { value: given }
    : { allowed: 'a name of at most 63 bytes without control characters' }

const folder: Parse<ReleasePaths> = (given) => (given === '' ? { allowed: 'a folder' } : { value: releasePaths(given) })

/** Every option of every command, each under its heading of the help. */
const ALL = {
  ...group('Schedule', {
    cron: option(
      '--cron <PATTERN>',
      '*/5 * * * *',
      'when to build, in UTC',
      anyText('a cron pattern such as "*/5 * * * *"'),
    ),
  }),
  ...group('Source', {
    databaseUrl: secret(
      optionalOption('--database-url <URL>', 'postgresql://user:password@host:5432/database', anyText('a URL'))
        .env('DATABASE_URL')
        .default(null, 'PGHOST, PGUSER, …'),
      'DATABASE_URL',
      'PGPASSWORD',
    ),
    source: option('--source <NAME|FILE>', 'native', 'built-in mapping, or a .sql file', anyText('a name or a file')),
    param: repeatable('--param <KEY=VALUE>', 'parameter of the mapping; repeatable', keyValue).default(
      [],
      'ANALYTICS_PARAM_KEY',
    ),
    rowSecurity: choice('--row-security <off|apply>', 'off', 'row-level security: an error, or applied', [
      'off',
      'apply',
    ]),
    role: option('--role <NAME>', 'analytics_reader', 'name of the role that it makes', roleName).default(
      'analytics_reader',
      'analytics_reader; setup: analytics_reader_DATABASE',
    ),
    makeRole: switchOnce('--make-role', 'setup: make the role --role in the database, and use it'),
  }),
  ...group('Numbers', {
    siteUrl: optionalOption('--site-url <URL>', 'address to put before a url that is a path', httpUrl()),
    voteWeight: option('--vote-weight <N>', '5', 'score of a vote', integer(0, 1000)),
    commentWeight: option('--comment-weight <N>', '3', 'score of a comment', integer(0, 1000)),
    people: choice('--people <exact|rounded|off>', 'exact', 'how numbers of people are published', PEOPLE_MODES),
    timeZone: option('--time-zone <NAME>', 'UTC', 'time zone of hours, days, months and years', timeZone),
  }),
  ...group('Output', {
    snapshots: option('--snapshots <DIR>', './snapshots', 'folder of the releases', folder),
    keep: option(
      '--keep <N>',
      '5',
      `how many releases to keep, beside all made or replaced within ${GRACE_MINUTES} minutes`,
      integer(1, 1000),
    ),
    keepMonths: option(
      '--keep-months <N>',
      '24',
      'how many months that have ended to keep as they were at their end, without ideas',
      integer(0, 1200),
    ),
    maxRevision: option(
      '--max-revision <PERCENT>',
      '10',
      'reject a release whose past changed by more',
      integer(0, 100),
    ),
    acceptRevision: switchOnce('--accept-revision', 'publish once although the past changed'),
    siblings: switchOption('--no-siblings', 'no .gz and .br beside files: for a host that has no use for them'),
    every: optionalOption('--every <DURATION>', 'how often builds run', duration(10 * SECOND_MS, 366 * DAY_MS)).default(
      null,
      '1h; schedule: longest gap; demo: 24h',
    ),
    metricsFile: optionalOption('--metrics-file <FILE>', '.prom file that says how the build ended', metricsFile),
    json: switchOption('--json', 'print the result as JSON'),
    quiet: switchOption('--quiet', 'for cron: print and log nothing that went well'),
    log: repeatable(
      '--log <FILE>',
      'a copy of log.csv, or lines of it, that must be there; repeatable',
      anyText('a file'),
    ),
    publish: optionalOption('--publish <S3>', 's3://bucket/prefix to show the current release', bucketOf),
    acceptSite: switchOnce('--accept-site', 'replace what somebody else shows at --publish'),
    afterPublish: optionalOption(
      '--after-publish <COMMAND>',
      'shell command to run after each publication',
      anyText('a command'),
    ),
    allButCurrent: switchOnce(
      '--all-but-current',
      'prune: remove all other releases at once, however young; --keep is not used',
    ),
    output: optionalOption('--output <FILE>', 'where to write it; - for standard output', anyText('a file')).default(
      null,
      'NAME.sql; setup: analytics.env',
    ),
    yes: switchOnce('--yes', 'setup: ask nothing; take what is given, else what the database says, else the default'),
  }),
  ...SITE_OPTIONS,
  ...group('Limits', {
    deadline: option(
      '--deadline <DURATION>',
      '15m',
      'how long the build may take, with retries; one query two thirds of it',
      duration(SECOND_MS, DAY_MS),
    ),
  }),
}

/** Some of the options, in the order of the help. */
function these<Name extends keyof typeof ALL>(...names: readonly Name[]): Pick<typeof ALL, Name> {
  return Object.fromEntries(names.map((name) => [name, ALL[name]])) as unknown as Pick<typeof ALL, Name>
}

/** The options of every build, the demo's too. */
const COMMON = {
  ...these('siteUrl', 'voteWeight', 'commentWeight', 'people', 'timeZone'),
  ...these('snapshots', 'keep', 'keepMonths', 'maxRevision', 'acceptRevision'),
  ...these('siblings', 'every', 'metricsFile', 'json', 'quiet'),
  ...SITE_OPTIONS,
  ...these('deadline'),
}

const BUILD = {
  ...these('databaseUrl', 'source', 'param', 'rowSecurity'),
  ...COMMON,
  ...these('publish', 'acceptSite', 'afterPublish'),
}

// A schedule has no `--accept-revision`: a gate that every build may pass is none.
const { acceptRevision: _once, json: _result, quiet: _quiet, ...EVERY_BUILD } = BUILD

/** The options of each command. */
export const OPTIONS = {
  build: BUILD,
  schedule: { ...these('cron'), ...EVERY_BUILD },
  demo: {
    ...COMMON,
    // This is another folder than that of real releases, so that a proxy or nginx never serves invented numbers as real ones.
    snapshots: withDefault(ALL.snapshots, releasePaths('./snapshots/demo'), './snapshots/demo'),
    title: withDefault(ALL.title, DEMO_TITLE, DEMO_TITLE),
  },
  setup: {
    ...these('databaseUrl', 'source', 'param', 'role', 'makeRole', 'siteUrl', 'people', 'timeZone'),
    ...these('snapshots', 'publish', 'output', 'yes'),
    ...these('title', 'publisher', 'contact', 'license', 'languages', 'publicUrl'),
    // A value that is null was not given: setup asks for it, or proposes one.
    source: withDefault(ALL.source, null),
    role: withDefault(ALL.role, null),
    people: withDefault(ALL.people, null),
    timeZone: withDefault(ALL.timeZone, null),
    title: withDefault(ALL.title, null),
    languages: withDefault(ALL.languages, null),
  },
  check: these('databaseUrl', 'source', 'param', 'rowSecurity', 'deadline', 'json'),
  init: these('databaseUrl', 'output'),
  grants: these('source', 'param', 'role'),
  status: these('snapshots', 'json', 'publish'),
  verify: these('snapshots', 'json', 'quiet', 'log'),
  diff: these('snapshots', 'json'),
  rollback: these('snapshots', 'json', 'publish', 'afterPublish', 'acceptSite'),
  resume: these('snapshots', 'json'),
  prune: these('snapshots', 'json', 'quiet', 'keep', 'keepMonths', 'publish', 'acceptSite', 'allButCurrent'),
}

/** The options that setup writes for the builds, as far as they are given, in the order of the file. */
export const SETUP_WRITTEN = [
  ...(['siteUrl', 'people', 'timeZone', 'title', 'publisher'] as const),
  ...(['contact', 'license', 'languages', 'publicUrl', 'publish'] as const),
]

/** What the options of a command give it. */
export type Values<Command extends keyof typeof OPTIONS> = ValuesOf<(typeof OPTIONS)[Command]>
