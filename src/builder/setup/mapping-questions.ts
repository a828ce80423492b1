// Owns which parameters of a mapping are asked, and what is proposed. Effects are given.
import { countOf } from '../../process/printable.ts'
import { listOf, paramFlag } from '../../source/mapping/parameters.ts'
import type { MappingParam } from '../../source/mapping/param-line.ts'
import type { CheckedParam, Choice as KnownValue } from '../../source/read/params.ts'
import type { Ask, Choice } from './ask.ts'
import type { Look, Source } from './look.ts'

/** How many sites are counted before the list is shown. */
const COUNTED = 20

type Given = Readonly<Record<string, string>>

/** @param keep what an earlier set-up chose, and is not to be asked again */
export async function askParams(ask: Ask, look: Look, source: Source, given: Given, keep: Given): Promise<Given> {
  let values: Given = { ...keep, ...given }
  for (const param of source.mapping.file.params) {
    if (Object.hasOwn(values, param.name)) continue
    const known = (await look.params(source, values)).find(({ name }) => name === param.name)
    const answer = await askParam(ask, look, source, values, param, known?.choices ?? null)
    if (answer !== null) values = { ...values, [param.name]: answer }
  }
  return values
}

/** null = as the mapping has it. */
async function askParam(
  ask: Ask,
  look: Look,
  source: Source,
  values: Given,
  param: MappingParam,
  known: CheckedParam['choices'],
): Promise<string | null> {
  const flag = `--param ${param.name}=VALUE`
  const about = param.description === '' ? param.name : `${param.name} (${param.description})`
  if (param.default === null) {
    if (known === null || known.length === 0) return ask.text({ message: `Which ${about}?`, flag })
    const options = await withSizes(look, source, values, param, known)
    const [only] = options
    if (options.length === 1 && only !== undefined) {
      ask.say(
        `${paramFlag(param.name, only.value)}: the only one there is${only.label === only.value ? '' : ` (${only.label})`}`,
      )
      return only.value
    }
    return ask.choose({ message: `Which ${about}?`, flag, options, byDefault: null })
  }
  if (!isWorthAsking(param, known)) return null
  const chosen = await ask.several({
    message: `Which are ${about}?`,
    flag: `--param '${param.name}=ONE,TWO'`,
    options: (known ?? []).map(({ value, label }) => ({ value, label: value, ...hintOf(value, label) })),
    byDefault: byDefaultOf(param, known ?? []),
  })
  return chosen.join(',') === byDefaultOf(param, known ?? []).join(',') ? null : chosen.join(',')
}

/** A list of names, with a default that may be wrong here: such as the statuses that mean launched. */
function isWorthAsking({ type, default: byDefault }: MappingParam, known: CheckedParam['choices']): boolean {
  if (type !== 'text[]' || byDefault === null || listOf(byDefault).length === 0 || known === null) return false
  const usual = new Set(listOf(byDefault).map((one) => one.toLowerCase()))
  return known.some(({ value }) => !usual.has(value.toLowerCase()))
}

function byDefaultOf({ default: byDefault }: MappingParam, known: readonly KnownValue[]): string[] {
  const usual = new Set(listOf(byDefault ?? '').map((one) => one.toLowerCase()))
  return known.map(({ value }) => value).filter((value) => usual.has(value.toLowerCase()))
}

/** The site with most ideas first. */
async function withSizes(
  look: Look,
  source: Source,
  values: Given,
  param: MappingParam,
  known: readonly KnownValue[],
): Promise<Choice[]> {
  const ideas = await look.ideasBy(
    source,
    values,
    param.name,
    known.slice(0, COUNTED).map(({ value }) => value),
  )
  const sizeOf = (value: string): number => ideas.get(value) ?? -1
  return [...known]
    .sort((a, b) => sizeOf(b.value) - sizeOf(a.value))
    .map(({ value, label }) => {
      const { hint } = hintOf(value, label)
      const size = ideas.has(value) ? `, ${countOf(sizeOf(value), 'ideas')}` : ''
      return { value, label: `${value}${hint === undefined ? '' : ` (${hint})`}${size}` }
    })
}

function hintOf(value: string, label: string | null): { hint?: string } {
  return label === null || label === '' || label === value ? {} : { hint: label }
}
