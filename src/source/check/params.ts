// Owns comparing a mapping's parameters with the database: the values that each may have, and whether the given one is
// among them.
import { some } from '../../process/printable.ts'
import { error, isError, warning, type Finding } from '../mapping/finding.ts'
import { itemsOf, paramFlag, type MappingParam, type ParamValue } from '../mapping/parameters.ts'
import { nearSchemas, schemaParams } from '../mapping/requires-line.ts'
import { filledIn } from '../mapping/mapping.ts'
import { asTable } from '../sql/template.ts'
import { explain } from '../database/source-error.ts'
import { queryOne, attempt } from '../database/attempt.ts'
import { columnTypesOf, lineOf } from '../read/column-types.ts'
import type { CheckContext } from './context.ts'

/** A value of a parameter that the database knows. */
export interface ParameterChoice {
  readonly value: string
  readonly label: string | null
}

/** The value, followed by its label where that says more. */
export function labelled({ value, label }: ParameterChoice, text = value): string {
  return label === null || label === '' || label === value ? text : `${text} (${label})`
}

export interface CheckedParam extends Omit<MappingParam, 'default'>, Pick<ParamValue, 'from'> {
  /** null = required and not given. */
  readonly value: string | null
  /** null = the mapping has no choices for it, or the query failed. */
  readonly choices: readonly ParameterChoice[] | null
}

/** At most so many choices are listed; where there are more, a value is not compared with the incomplete list. */
const MAX_CHOICES = 100
const MAX_SHOWN = 8

export async function checkParams(context: CheckContext): Promise<CheckedParam[]> {
  const { required, findings } = context
  const params: CheckedParam[] = []
  for (const { param, text, from } of context.values) {
    const answer = await queryChoices(context, param.name)
    const isFault = answer instanceof Error
    // A fault that `requires` has reported is not reported again with the server's message.
    if (isFault && !required.some(isError)) findings.push(warning(`param ${param.name}`, answer.message))
    const { name, type, description } = param
    params.push({ name, type, description, value: text, from, choices: isFault ? null : answer })
  }
  findings.push(...params.flatMap(judgeParam).filter((one) => isError(one) || !required.some(isError)))
  return params
}

/** null = there are no choices, or another parameter must be given first. */
async function queryChoices(context: CheckContext, name: string): Promise<ParameterChoice[] | Error | null> {
  const { client } = context
  const written = context.fitted.choices.get(name)
  if (written === undefined) return schemasFor(context, name)
  const sql = filledIn(context, `choices ${name}`, written)
  if (typeof sql !== 'string') return sql
  const text = `SELECT value::text AS value, label::text AS label FROM ${asTable(sql)} WHERE value IS NOT NULL LIMIT ${MAX_CHOICES + 1}`
  // The SELECT is sent alone first, so that an error names its line.
  const accepted = await attempt(client, () => columnTypesOf(client, sql))
  if (!accepted.ok) return explain(accepted.error, `choices ${name}${lineOf(accepted.error, sql)}`)
  const answer = await attempt(client, () => queryOne<{ value: string; label: string | null }>(client, text))
  return answer.ok ? answer.value : explain(answer.error, `choices ${name}`)
}

/** The schemas that a parameter may name come from the catalogue, so they need no SELECT. */
function schemasFor({ source, catalog }: CheckContext, name: string): ParameterChoice[] | null {
  const { requires } = source.file
  if (!schemaParams(requires).includes(name)) return null
  const schemas = nearSchemas(requires, name, catalog).filter(({ whole }) => whole)
  return schemas.map((schema) => ({ value: schema.name, label: null }))
}

function judgeParam(param: CheckedParam): Finding[] {
  const { name, type, description, value, from, choices } = param
  const about = `param ${name}`
  if (value === null)
    return [
      error(
        about,
        `--param ${name}=VALUE is required (${type}${description === '' ? '' : `: ${description}`})`,
        choices === null || choices.length === 0 ? '' : shown(param, choices),
      ),
    ]
  if (choices === null || choices.length > MAX_CHOICES) return []
  const given = type === 'text[]' ? itemsOf(value) : value === '' ? [] : [value]
  // A mapping may accept the label in place of the value, as where the value is a number.
  const names = new Set(choices.flatMap(({ value: one, label }) => [plain(one, type), plain(label ?? one, type)]))
  const unknown = given.filter((one) => !names.has(plain(one, type)))
  // A default list holds names that sites usually have: one of them is enough.
  if (unknown.length === 0 || (from === 'default' && unknown.length < given.length)) return []
  // An unknown item of a list only adds nothing; an unknown single value counts nothing at all.
  const finding = type === 'text[]' ? warning : error
  const fix = choices.length === 0 ? 'there is nothing to choose from' : shown(param, choices)
  return [finding(about, `--param ${name}: the database has no ${unknown.join(', ')}`, fix)]
}

/** A value as SQL compares it: 01 equals 1, and an identifier, which is quoted, keeps its case. */
function plain(text: string, type: string): string {
  if ((type === 'int' || type === 'bigint') && /^-?\d+$/.test(text)) return String(BigInt(text))
  return type === 'identifier' ? text : text.toLowerCase()
}

/** The choices as they are typed in a shell. */
function shown({ name, type }: CheckedParam, choices: readonly ParameterChoice[]): string {
  if (type === 'text[]') {
    const values = choices.map(({ value }) => value)
    return `there are: ${some(values, MAX_SHOWN)}; give them as --param '${name}=ONE,TWO'`
  }
  const options = choices.map((one) => labelled(one, paramFlag(name, one.value)))
  return `${choices.length === 1 ? 'it can only be' : 'one of'}: ${some(options, MAX_SHOWN)}`
}
