// Owns comparing a mapping's parameters with the database: the values that each may have, and whether the given one is
// among them.
import type pg from 'pg'
import type { Finding } from '../mapping/finding.ts'
import { listOf, type ParamOrigin, type ParamValue } from '../mapping/parameters.ts'
import { fillIn, type MappingSource } from '../mapping/mapping.ts'
import { asTable } from '../sql/template.ts'
import { explain, SourceError } from '../database/source-error.ts'
import { queryOne, attempt } from './attempt.ts'

/** A value of a parameter that the database knows. */
export interface Choice {
  readonly value: string
  readonly label: string | null
}

export interface CheckedParam {
  readonly name: string
  readonly type: string
  readonly description: string
  /** null = required and not given. */
  readonly value: string | null
  readonly from: ParamOrigin | null
  /** null = the mapping has no choices for it, or the query failed. */
  readonly choices: readonly Choice[] | null
}

/** More are not listed, and a value is not compared with a part of a list. */
const MAX_CHOICES = 100

export async function checkParams(
  client: pg.Client,
  source: MappingSource,
  values: readonly ParamValue[],
): Promise<{ params: CheckedParam[]; findings: Finding[] }> {
  const params: CheckedParam[] = []
  const findings: Finding[] = []
  for (const { param, text, from } of values) {
    const answer = await queryChoices(client, source, param.name, values)
    if (answer instanceof SourceError)
      findings.push({ level: 'warning', about: `param ${param.name}`, problem: answer.message, fix: '' })
    const choices = answer instanceof SourceError ? null : answer
    params.push({ name: param.name, type: param.type, description: param.description, value: text, from, choices })
  }
  return { params, findings: [...findings, ...params.flatMap(judgeParam)] }
}

/** null = there are no choices, or another parameter must be given first. */
async function queryChoices(
  client: pg.Client,
  source: MappingSource,
  name: string,
  values: readonly ParamValue[],
): Promise<Choice[] | SourceError | null> {
  const sql = source.file.choices.get(name)
  if (sql === undefined) return null
  let filled: string
  try {
    filled = fillIn(source, `choices ${name}`, sql, values)
  } catch (error) {
    if (!(error instanceof SourceError)) throw error
    return values.some(({ text }) => text === null) ? null : error
  }
  const text = `SELECT value::text AS value, label::text AS label FROM ${asTable(filled)} WHERE value IS NOT NULL LIMIT ${MAX_CHOICES + 1}`
  const answer = await attempt(client, () => queryOne<{ value: string; label: string | null }>(client, text))
  return answer.ok ? answer.value : explain(answer.error, `choices ${name}`)
}

function judgeParam(param: CheckedParam): Finding[] {
  const { name, type, description, value, from, choices } = param
  const about = `param ${name}`
  if (value === null)
    return [
      {
        level: 'error',
        about,
        problem: `--param ${name}=VALUE is required (${type}${description === '' ? '' : `: ${description}`})`,
        fix: choices === null || choices.length === 0 ? '' : shown(param, choices),
      },
    ]
  if (choices === null || choices.length > MAX_CHOICES) return []
  const given = type === 'text[]' ? listOf(value) : value === '' ? [] : [value]
  // Where the value is a number, a mapping may take the name as well.
  const names = new Set(choices.flatMap(({ value: one, label }) => [one.toLowerCase(), (label ?? one).toLowerCase()]))
  const unknown = given.filter((one) => !names.has(plain(one, type)))
  // A default list holds names that sites usually have: one of them is enough.
  if (unknown.length === 0 || (from === 'default' && unknown.length < given.length)) return []
  return [
    {
      // An unknown item of a list only adds nothing; an unknown single value counts nothing at all.
      level: type === 'text[]' ? 'warning' : 'error',
      about,
      problem: `--param ${name}: the database has no ${unknown.join(', ')}`,
      fix: choices.length === 0 ? 'there is nothing to choose from' : shown(param, choices),
    },
  ]
}

/** As SQL takes it: 01 is 1. */
function plain(text: string, type: string): string {
  return type === 'int' || type === 'bigint' ? String(BigInt(text)) : text.toLowerCase()
}

/** As they are typed in a shell. */
function shown({ name, type }: CheckedParam, choices: readonly Choice[]): string {
  const first = choices.slice(0, 8)
  const more = choices.length > first.length ? `, and ${choices.length - first.length} more` : ''
  if (type === 'text[]')
    return `there are: ${first.map(({ value }) => value).join(', ')}${more}; give them as --param '${name}=ONE,TWO'`
  const options = first.map(({ value, label }) => {
    const suffix = label === null || label === '' || label === value ? '' : ` (${label})`
    return `--param ${name}=${/^[\w.@:-]+$/.test(value) ? value : `'${value.replaceAll("'", "'\\''")}'`}${suffix}`
  })
  return `${choices.length === 1 ? 'it can only be' : 'one of'}: ${options.join(', ')}${more}`
}
