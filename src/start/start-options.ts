// Owns the options of `npm start`: those of both programs, and which of them goes to which. Runs nothing.
import { DEMO_OPTIONS, SCHEDULE_OPTIONS } from '../builder/commands/build-options.ts'
import { SITE_HEADING, titleOption } from '../builder/commands/site-options.ts'
import { DEFAULT_SITE, DEMO_TITLE } from '../contract/site-options.ts'
import { usageError } from '../process/cli-error.ts'
import { ENV_FILE_FLAG } from '../process/env-file.ts'
import { group, optionalOption, type Options, type ValuesOf } from '../process/option.ts'
import { text } from '../process/value-syntax.ts'
import { PROXY_OPTIONS } from '../proxy/options.ts'

// What it serves is what it builds.
const { origin: _elsewhere, ...SERVE_OPTIONS } = PROXY_OPTIONS

export const START_OPTIONS = {
  ...SERVE_OPTIONS,
  ...SCHEDULE_OPTIONS,
  ...group('Output', {
    snapshots: optionalOption('--snapshots <DIR>', 'folder of the releases', text('a folder')).default(
      null,
      `default ${SCHEDULE_OPTIONS.snapshots.defaultValue}; demo: ${DEMO_OPTIONS.snapshots.defaultValue}`,
    ),
  }),
  ...group(SITE_HEADING, {
    title: titleOption(DEFAULT_SITE.title).default(DEFAULT_SITE.title, `${DEFAULT_SITE.title}; demo: ${DEMO_TITLE}`),
  }),
}
export type StartValues = ValuesOf<typeof START_OPTIONS>

export interface Plan {
  readonly demo: boolean
  readonly snapshots: string
  readonly buildArgs: readonly string[]
  readonly proxyArgs: readonly string[]
}

/**
 * @param argv which `values` were read from
 * @param demo whether nothing names a database
 */
export function planOf(argv: readonly string[], values: StartValues, demo: boolean): Plan {
  const builder: Options = demo ? DEMO_OPTIONS : SCHEDULE_OPTIONS
  const snapshots = values.snapshots ?? String((demo ? DEMO_OPTIONS : SCHEDULE_OPTIONS).snapshots.defaultValue)
  const flags = flagsOf(argv)
  const needsDatabase = flags.find(
    ({ flag }) => flag !== ENV_FILE_FLAG && !takes(builder, flag) && !takes(PROXY_OPTIONS, flag),
  )
  if (needsDatabase !== undefined)
    throw usageError(
      `${needsDatabase.flag} needs --database-url (or DATABASE_URL); without a database the demo is built`,
    )
  const argsFor = (table: Options): string[] => [
    ...flags.filter(({ flag }) => !OWN.has(flag) && takes(table, flag)).flatMap(({ words }) => words),
    '--snapshots',
    snapshots,
  ]
  return { demo, snapshots, buildArgs: argsFor(builder), proxyArgs: argsFor(PROXY_OPTIONS) }
}

/**
 * Both programs get the folder of the plan; the builder gets the URL, which may hold a password, as a variable, as both
 * get all that the file of variables has.
 */
const OWN: ReadonlySet<string> = new Set(['--snapshots', '--database-url', ENV_FILE_FLAG])

function takes(table: Options, flag: string): boolean {
  return Object.values(table).some(({ long }) => long === flag)
}

interface Flag {
  readonly flag: string
  /** As they were written: `--port`, `9000`, or `--port=9000`. */
  readonly words: readonly string[]
}

/** Of a command line without faults. */
function flagsOf(argv: readonly string[]): Flag[] {
  const withValue = new Set([
    ENV_FILE_FLAG,
    ...Object.values(START_OPTIONS).flatMap(({ long, required }) => (required ? (long ?? []) : [])),
  ])
  const flags: Flag[] = []
  for (let i = 0; i < argv.length; i++) {
    const word = argv[i] ?? ''
    const flag = word.replace(/=.*$/s, '')
    flags.push({ flag, words: flag === word && withValue.has(flag) ? [word, argv[++i] ?? ''] : [word] })
  }
  return flags
}
