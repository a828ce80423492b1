// Owns the options of `npm start`: those of both programs, and which of them goes to which. Runs nothing.
import { DEMO_OPTIONS, SCHEDULE_OPTIONS, type CronValues } from '../builder/build-options.ts'
import { usageError } from '../process/cli-error.ts'
import type { OptionTable, OptionTableOf } from '../process/command-line.ts'
import { PROXY_OPTIONS, type ProxyValues } from '../proxy/options.ts'

/** What it serves is what it builds. */
export type StartValues = CronValues & Omit<ProxyValues, 'origin'>

const { origin: _elsewhere, ...SERVE_OPTIONS } = PROXY_OPTIONS

export const START_OPTIONS: OptionTableOf<StartValues> = { ...SERVE_OPTIONS, ...SCHEDULE_OPTIONS }

export interface Plan {
  readonly demo: boolean
  readonly snapshots: string
  readonly buildArgs: readonly string[]
  readonly proxyArgs: readonly string[]
}

/**
 * @param argv which `values` were read from
 * @param given the options that a flag or a variable gave
 * @param demo whether nothing names a database
 */
export function planOf(argv: readonly string[], values: StartValues, given: ReadonlySet<string>, demo: boolean): Plan {
  const snapshots = given.has('snapshots') || !demo ? values.snapshots : DEMO_OPTIONS.snapshots.default
  const flags = flagsOf(argv)
  const builder: OptionTable = demo ? DEMO_OPTIONS : SCHEDULE_OPTIONS
  const needsDatabase = flags.find(({ flag }) => !takes(builder, flag) && !takes(PROXY_OPTIONS, flag))
  if (needsDatabase !== undefined)
    throw usageError(
      `${needsDatabase.flag} needs --database-url (or DATABASE_URL); without a database the demo is built`,
    )
  const argsFor = (table: OptionTable): string[] => [
    ...flags.filter(({ flag }) => !OWN.has(flag) && takes(table, flag)).flatMap(({ words }) => words),
    '--snapshots',
    snapshots ?? '',
  ]
  return { demo, snapshots: snapshots ?? '', buildArgs: argsFor(builder), proxyArgs: argsFor(PROXY_OPTIONS) }
}

/** Given to both by the plan; and what may hold a password, to the builder as a variable. */
const OWN: ReadonlySet<string> = new Set(['--snapshots', '--database-url'])

function takes(table: OptionTable, flag: string): boolean {
  return Object.values(table).some((row) => row.flag === flag)
}

interface Flag {
  readonly flag: string
  /** As they were written: `--port`, `9000`, or `--port=9000`. */
  readonly words: readonly string[]
}

/** Of a command line that was understood. */
function flagsOf(argv: readonly string[]): Flag[] {
  const rows = Object.values(START_OPTIONS as OptionTable)
  const flags: Flag[] = []
  for (let i = 0; i < argv.length; i++) {
    const word = argv[i] ?? ''
    const flag = word.replace(/=.*$/s, '')
    const alone = flag !== word || rows.find((row) => row.flag === flag)?.argument === null
    flags.push({ flag, words: alone ? [word] : [word, argv[++i] ?? ''] })
  }
  return flags
}
