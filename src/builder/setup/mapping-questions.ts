// Owns which parameters of a mapping are asked, and what is proposed. Effects are given.
import { listOf, paramFlag } from '../../source/mapping/parameters.ts'
import type { MappingParam } from '../../source/mapping/param-line.ts'
import type { Choice as KnownValue } from '../../source/check/params.ts'
import type { Ask, Choice } from './ask.ts'
import type { Look, Params, Source } from './look.ts'

export async function askParams(ask: Ask, look: Look, source: Source, given: Params): Promise<Params> {
  let values: Params = given
  for (const param of source.mapping.file.params) {
    if (Object.hasOwn(values, param.name)) continue
    const known = (await look.params(source, values)).find(({ name }) => name === param.name)
    const answer = await askParam(ask, param, known?.choices ?? [])
    if (answer !== null) values = { ...values, [param.name]: answer }
  }
  return values
}

/** null = as the mapping has it. */
async function askParam(ask: Ask, param: MappingParam, known: readonly KnownValue[]): Promise<string | null> {
  const flag = `--param ${param.name}=VALUE`
  const about = param.description === '' ? param.name : `${param.name} (${param.description})`
  const options = known.map(optionOf)
  if (param.default === null) {
    const [only] = options
    if (only === undefined) return ask.text({ message: `Which ${about}?`, flag })
    if (options.length === 1) {
      ask.say(`${paramFlag(param.name, only.value)}: the only one there is: ${only.label}`)
      return only.value
    }
    return ask.choose({ message: `Which ${about}?`, flag, options, byDefault: null })
  }
  if (!isWorthAsking(param, known)) return null
  const chosen = await ask.several({
    message: `Which are ${about}?`,
    flag: `--param '${param.name}=ONE,TWO'`,
    options,
    byDefault: byDefaultOf(param, known),
  })
  return chosen.join(',') === byDefaultOf(param, known).join(',') ? null : chosen.join(',')
}

/** A list of names, with a default that may be wrong here: such as the statuses that mean launched. */
function isWorthAsking({ type, default: byDefault }: MappingParam, known: readonly KnownValue[]): boolean {
  if (type !== 'text[]' || byDefault === null || listOf(byDefault).length === 0) return false
  const usual = new Set(listOf(byDefault).map((one) => one.toLowerCase()))
  return known.some(({ value }) => !usual.has(value.toLowerCase()))
}

function byDefaultOf({ default: byDefault }: MappingParam, known: readonly KnownValue[]): string[] {
  const usual = new Set(listOf(byDefault ?? '').map((one) => one.toLowerCase()))
  return known.map(({ value }) => value).filter((value) => usual.has(value.toLowerCase()))
}

function optionOf({ value, label }: KnownValue): Choice {
  return { value, label: label === null || label === '' || label === value ? value : `${value} (${label})` }
}
