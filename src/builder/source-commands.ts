// Owns the commands about a source before it is built from: check, init, grants. Publishes nothing.
import { writeFile } from 'node:fs/promises'
import type pg from 'pg'
import { calledAs } from '../process/called-as.ts'
import { usageError } from '../process/cli-error.ts'
import { oneLine, option, type CommandSpec, type OptionTableOf } from '../process/command-line.ts'
import type { Log } from '../process/log.ts'
import { text, type Parse } from '../process/value-syntax.ts'
import { readCatalog } from '../source/database/catalog.ts'
import { checkSource } from '../source/check/check.ts'
import { connect, namesDatabase, type Target } from '../source/database/connect.ts'
import { templateByName, templateByTables, misnamed, type MappingTemplate } from '../source/mapping/template.ts'
import { selectsOf } from '../source/mapping/file-format.ts'
import { paramValues } from '../source/mapping/parameters.ts'
import { openMapping } from '../source/mapping/mapping.ts'
import { referencedTables, proposeRequires } from '../source/sql/referenced-columns.ts'
import { roleScript } from '../source/mapping/role-script.ts'
import { SourceError } from '../source/database/source-error.ts'
import { beginRead } from '../source/database/transaction.ts'
import { BUILD_OPTIONS, type BuildValues } from './build-options.ts'
import { givenParams, readOptions, targetOf, warnOfTarget } from './build-request.ts'
import { checkText, hasErrors } from './check-report.ts'
import { startDeadline } from './deadline.ts'

export interface SourceEffects {
  readonly env: Readonly<Record<string, string | undefined>>
  readonly out: (text: string) => void
  readonly log: Log
  readonly signal: AbortSignal
}

/** How to reach the database; whatever asks it takes these. */
type DatabaseValues = Pick<BuildValues, 'databaseUrl' | 'rowSecurity' | 'statementTimeout' | 'lockTimeout' | 'deadline'>
const { databaseUrl, source, param, rowSecurity, statementTimeout, lockTimeout, deadline, json } = BUILD_OPTIONS

type CheckValues = DatabaseValues & Pick<BuildValues, 'source' | 'param' | 'json'>
const CHECK_OPTIONS: OptionTableOf<CheckValues> = {
  databaseUrl,
  source,
  param,
  rowSecurity,
  statementTimeout,
  lockTimeout,
  deadline,
  json,
}

interface InitValues {
  readonly databaseUrl: string | null
  readonly output: string | null
}
export const INIT_OPTIONS: OptionTableOf<InitValues> = {
  databaseUrl,
  output: option('--output', 'FILE', null, 'Output', 'where to write it; - for standard output', text('a file'), {
    defaultText: 'NAME.sql',
  }),
}

/** PostgreSQL cuts a longer name off, and no name holds a control character on purpose. */
const roleName: Parse<string> = (given) =>
  /^\P{Cc}{1,63}$/u.test(given) && Buffer.byteLength(given) <= 63
    ? { value: given }
    : { allowed: 'a name of at most 63 bytes without control characters' }

interface GrantsValues {
  readonly databaseUrl: string | null
  readonly source: string
  readonly role: string
}
export const GRANTS_OPTIONS: OptionTableOf<GrantsValues> = {
  databaseUrl,
  source,
  role: option('--role', 'NAME', 'analytics_reader', 'Source', 'name of the role that it makes', roleName),
}

/** For questions to the catalogue alone. */
const BRIEFLY = { rowSecurity: 'off', statementTimeout: 30_000, lockTimeout: 5000, deadline: 60_000 } as const

/** The commands, in the order of the help. */
export function sourceCommands(effects: SourceEffects): CommandSpec[] {
  return [
    {
      name: 'check',
      summary: 'hold a mapping against the live database: what is missing, wrong or costly, and how to mend it',
      options: CHECK_OPTIONS,
      example: '$0 --source fider --param tenant=1',
      run: (values) => check(values as unknown as CheckValues, effects),
    },
    {
      name: 'init',
      argument: '[NAME]',
      summary: 'write a mapping file to be changed: of a platform, or of the one that the database looks like',
      options: INIT_OPTIONS,
      example: '$0 --database-url postgresql://stats@db.example.org/ideas',
      run: (values, args) => init(args[0] ?? null, values as unknown as InitValues, effects),
    },
    {
      name: 'grants',
      summary: 'print the script of a role that may read what the mapping reads, and nothing else',
      options: GRANTS_OPTIONS,
      example: '$0 --source fider > role.sql',
      run: (values) => grants(values as unknown as GrantsValues, effects),
    },
  ]
}

const THE_CHECK = 'the check'

/** Read-only and bounded in time, like a build. */
async function withDatabase<T>(
  what: string,
  values: DatabaseValues,
  effects: SourceEffects,
  ask: (client: pg.Client, target: Target) => Promise<T>,
): Promise<T> {
  const target = targetOf(values.databaseUrl, effects.env)
  warnOfTarget(target, effects.log)
  const limit = startDeadline(what, values.deadline, what === THE_CHECK ? '--deadline' : null)
  const signal = AbortSignal.any([effects.signal, limit.signal])
  try {
    const connection = await connect(target, signal)
    try {
      return await ask(connection.client, target)
    } catch (error) {
      signal.throwIfAborted()
      throw error
    } finally {
      await connection.close()
    }
  } finally {
    limit.clear()
  }
}

async function check(values: CheckValues, effects: SourceEffects): Promise<number> {
  const mapping = openMapping(values.source)
  const given = paramValues(mapping.file, givenParams(values.param), effects.env)
  return withDatabase(THE_CHECK, values, effects, async (client, target) => {
    const report = await checkSource(client, {
      source: mapping,
      sourceName: values.source,
      values: given,
      ...readOptions(values, target),
    })
    effects.out(
      values.json === true
        ? `${JSON.stringify({ target: target.shown, ...report })}\n`
        : checkText(report, target.shown),
    )
    return hasErrors(report) ? 3 : 0
  })
}

async function init(name: string | null, values: InitValues, effects: SourceEffects): Promise<number> {
  if (name !== null && !/^[\w-]{1,64}$/.test(name))
    throw usageError(`NAME: "${oneLine(name).slice(0, 80)}" is not allowed; allowed: 1 to 64 of A-Z a-z 0-9 _ -`)
  const misname = name === null ? null : misnamed(name, values.output !== null)
  if (misname !== null) throw usageError(`NAME: ${misname}`)
  if (name === null && values.databaseUrl === null && !namesDatabase(effects.env))
    throw usageError(
      'without NAME the database is asked what it looks like: set --database-url (or DATABASE_URL), or give NAME',
    )
  const template =
    name === null
      ? await withDatabase('looking at the database', { ...BRIEFLY, ...values }, effects, async (client, target) => {
          await beginRead(client, readOptions(BRIEFLY, target))
          return templateByTables(await readCatalog(client, null))
        })
      : templateByName(name)
  const file = values.output ?? `${template.name}.sql`
  if (file === '-') {
    effects.out(template.text)
    return 0
  }
  await writeNew(file, template.text)
  effects.out(initText(template, file))
  return 0
}

/** What somebody has written is never overwritten. */
async function writeNew(file: string, content: string): Promise<void> {
  try {
    await writeFile(file, content, { flag: 'wx' })
  } catch (error) {
    const exists = (error as NodeJS.ErrnoException).code === 'EEXIST'
    throw usageError(
      exists
        ? `--output: ${file} exists; give another name, or - for standard output`
        : `--output: cannot write ${file}: ${(error as Error).message}`,
    )
  }
}

function initText({ why, params, edit }: MappingTemplate, file: string): string {
  const path = /[/]/.test(file) ? file : `./${file}`
  const given = params.map((name) => ` --param ${name}=VALUE`).join('')
  const next = edit ? 'next: answer its five questions, change its SELECTs, then' : 'next:'
  return [
    `wrote ${file}`,
    ...why.map((line) => `  ${line}`),
    `${next} ${calledAs('analytics-build')} check --source ${path}${given}`,
  ]
    .map((line) => `${line}\n`)
    .join('')
}

async function grants(values: GrantsValues, effects: SourceEffects): Promise<number> {
  const { path, file } = openMapping(values.source)
  if (file.requires.length === 0 && values.databaseUrl === null && !namesDatabase(effects.env))
    throw new SourceError(
      'configuration',
      `${path} has no "-- requires TABLE(column, …)" lines; add them, or set --database-url (or DATABASE_URL), whose tables say what its words mean`,
    )
  const requires =
    file.requires.length > 0
      ? file.requires
      : await withDatabase('looking at the database', { ...BRIEFLY, ...values }, effects, async (client, target) => {
          await beginRead(client, readOptions(BRIEFLY, target))
          const selects = selectsOf(file)
          return proposeRequires(selects, await readCatalog(client, selects.flatMap(referencedTables)))
        })
  if (file.requires.length === 0)
    effects.log.warn({}, `${path} has no "-- requires" lines: these grants are read off its words; look at them`)
  effects.out(roleScript(file.name, requires, values.role))
  return 0
}
