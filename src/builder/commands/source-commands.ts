// Owns the commands about a source before a build reads it: check, init, grants. Publishes nothing.
import { calledAs, shellWord } from '../../process/called-as.ts'
import { usageError } from '../../process/cli-error.ts'
import { checkVariables, oneLine } from '../../process/command-line.ts'
import { checkSource } from '../../source/check/check.ts'
import { namesDatabase } from '../../source/database/parse-target.ts'
import { templateByName, templateByTables, type MappingTemplate } from '../../source/mapping/template.ts'
import { missingParam, paramValues } from '../../source/mapping/parameters.ts'
import { openMapping } from '../../source/mapping/mapping.ts'
import { granted, roleScript } from '../../source/mapping/role-script.ts'
import { OPTIONS, type Values } from '../options/build-options.ts'
import { givenParams, readOptions, targetOf } from './build-request.ts'
import { checkText, hasErrors } from '../report/check-report.ts'
import type { BuilderContext } from '../run/context.ts'
import { withSession, startDeadline } from '../run/session.ts'
import { lookAt } from '../setup/look.ts'
import { writeNew } from './setup.ts'

export async function check(values: Values<'check'>, effects: BuilderContext): Promise<number> {
  // What this command finds ready must be accepted by a build, too.
  checkVariables(OPTIONS.build)
  const source = openMapping(values.source)
  const given = paramValues(source.file, givenParams(values.param), effects.env)
  const target = targetOf(values, effects)
  effects.progress.show(`checking ${target.shown}`)
  const request = { source, values: given, ...readOptions(values, target) }
  const limit = startDeadline('the check', values.deadline)
  const report = await withSession(target, effects.signal, (client) => checkSource(client, request), limit)
  effects.out(
    values.json ? `${JSON.stringify({ target: target.shown, ...report })}\n` : checkText(report, target.shown),
  )
  return hasErrors(report) ? 3 : 0
}

export async function init(
  values: Values<'init'>,
  effects: BuilderContext,
  name: string | null = null,
): Promise<number> {
  if (name !== null && !/^[\w-]{1,64}$/.test(name))
    throw usageError(`NAME: "${oneLine(name).slice(0, 80)}" is not allowed; allowed: 1 to 64 of A-Z a-z 0-9 _ -`)
  if (name === null && values.databaseUrl === null && !namesDatabase(effects.env))
    throw usageError(
      'without NAME, init looks at the tables of a database: set --database-url (or DATABASE_URL), or give NAME',
    )
  const template =
    name === null
      ? templateByTables(await lookAt(targetOf(values, effects), effects.signal).catalog())
      : templateByName(name, values.output !== null)
  const file = values.output ?? `${template.name}.sql`
  if (file === '-') {
    effects.out(template.text)
    return 0
  }
  await writeNew(file, template.text, 0o644)
  effects.out(initText(template, file))
  return 0
}

function initText({ why, params, missing, edit }: MappingTemplate, file: string): string {
  const path = shellWord(/[/]/.test(file) ? file : `./${file}`)
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

export async function grants({ source, param, role }: Values<'grants'>, { env, out }: BuilderContext): Promise<number> {
  const mapping = openMapping(source)
  const given = paramValues(mapping.file, givenParams(param), env)
  // Parameters that name what is to be granted must be given; the others change no grant.
  for (const { param: one, text } of given)
    if (text === null && one.type === 'identifier') throw missingParam(mapping.file.name, one)
  out(roleScript(mapping.file.name, granted(mapping, given), role))
  return 0
}
