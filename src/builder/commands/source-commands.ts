// Owns the commands about a source before a build reads it: check, init, grants. Publishes nothing.
import { writeFile } from 'node:fs/promises'
import type pg from 'pg'
import { calledAs } from '../../process/called-as.ts'
import { usageError } from '../../process/cli-error.ts'
import { oneLine } from '../../process/command-line.ts'
import { readCatalog } from '../../source/database/catalog.ts'
import { checkSource } from '../../source/check/check.ts'
import { namesDatabase, type Target } from '../../source/database/parse-target.ts'
import {
  templateByName,
  templateByTables,
  whyNotThisName,
  type MappingTemplate,
} from '../../source/mapping/template.ts'
import type { MappingFile } from '../../source/mapping/mapping-file.ts'
import { missingParam, paramValues, type ParamValue } from '../../source/mapping/parameters.ts'
import { openMapping } from '../../source/mapping/mapping.ts'
import { granted, roleScript } from '../../source/mapping/role-script.ts'
import { beginRead } from '../../source/database/transaction.ts'
import type { CheckValues, GrantsValues, InitValues } from './build-options.ts'
import { givenParams, readOptions, targetOf, warnOfTarget } from './build-request.ts'
import { checkText, hasErrors } from '../report/check-report.ts'
import type { BuilderContext } from '../run/context.ts'
import { withSession, startDeadline } from '../run/session.ts'

/** For queries of the catalogue only. */
const BRIEFLY = { rowSecurity: 'off', statementTimeout: 30_000, deadline: 60_000 } as const

const THE_CHECK = 'the check'

/** Read-only and bounded in time, like a build. */
async function withDatabase<T>(
  what: string,
  values: Omit<CheckValues, 'source' | 'param' | 'json'>,
  effects: BuilderContext,
  ask: (client: pg.Client, target: Target) => Promise<T>,
): Promise<T> {
  const target = targetOf(values.databaseUrl, effects.env)
  warnOfTarget(target, effects.log)
  const limit = startDeadline(what, values.deadline, what === THE_CHECK ? '--deadline' : null)
  return withSession(target, effects.signal, (client) => ask(client, target), limit)
}

export async function check(values: CheckValues, effects: BuilderContext): Promise<number> {
  const mapping = openMapping(values.source)
  const given = paramValues(mapping.file, givenParams(values.param), effects.env)
  return withDatabase(THE_CHECK, values, effects, async (client, target) => {
    effects.progress.show(`checking ${target.shown}`)
    const report = await checkSource(client, {
      source: mapping,
      sourceName: values.source,
      values: given,
      ...readOptions(values, target),
    })
    effects.out(
      values.json ? `${JSON.stringify({ target: target.shown, ...report })}\n` : checkText(report, target.shown),
    )
    return hasErrors(report) ? 3 : 0
  })
}

export async function init(values: InitValues, effects: BuilderContext, name: string | null = null): Promise<number> {
  if (name !== null && !/^[\w-]{1,64}$/.test(name))
    throw usageError(`NAME: "${oneLine(name).slice(0, 80)}" is not allowed; allowed: 1 to 64 of A-Z a-z 0-9 _ -`)
  const misname = name === null ? null : whyNotThisName(name, values.output !== null)
  if (misname !== null) throw usageError(`NAME: ${misname}`)
  if (name === null && values.databaseUrl === null && !namesDatabase(effects.env))
    throw usageError(
      'without NAME, init looks at the tables of a database: set --database-url (or DATABASE_URL), or give NAME',
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

/** A file that exists is never overwritten. */
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

function initText({ why, params, missing, edit }: MappingTemplate, file: string): string {
  const path = /[/]/.test(file) ? file : `./${file}`
  const given = params.map((flag) => ` ${flag}`).join('')
  const change = missing.length === 0 ? '' : ' change what reads that (the head of the file lists it), then'
  const next = edit ? 'next: answer its five questions, change its SELECTs, then' : `next:${change}`
  return [
    `wrote ${file}`,
    ...why.map((line) => `  ${line}`),
    `${next} ${calledAs('analytics-build')} check --source ${path}${given}`,
  ]
    .map((line) => `${line}\n`)
    .join('')
}

export async function grants({ source, param, role }: GrantsValues, { env, out }: BuilderContext): Promise<number> {
  const mapping = openMapping(source)
  const given = paramValues(mapping.file, givenParams(param), env)
  rejectMissing(mapping.file, given)
  out(roleScript(mapping.file.name, granted(mapping, given), role))
  return 0
}

/** Whose tables are to be granted must be said; what else the parameters are changes no grant. */
function rejectMissing(file: MappingFile, values: readonly ParamValue[]): void {
  for (const { param, text } of values)
    if (text === null && param.type === 'identifier') throw missingParam(file.name, param)
}
