// Owns which parameters of a mapping are asked, and what is proposed. Effects are given.
import { listOf, paramFlag } from '../../source/mapping/parameters.ts'
import type { MappingParam } from '../../source/mapping/parameters.ts'
import { labelled, type Choice as KnownValue } from '../../source/check/params.ts'
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
  const options = known.map((one): Choice => ({ value: one.value, label: labelled(one) }))
  if (param.default === null) {
    const [only] = options
    if (only === undefined) return ask.text({ message: `Which ${about}?`, flag })
    if (options.length === 1) {
      ask.say(`${paramFlag(param.name, only.value)}: the only one there is: ${only.label}`)
      return only.value
    }
    return ask.choose({ message: `Which ${about}?`, flag, options, byDefault: null })
  }
  // A list of names, with a default that may be wrong here: such as the statuses that mean launched.
  const usual = listOf(param.default).map((one) => one.toLowerCase())
  const isUsual = ({ value }: KnownValue): boolean => usual.includes(value.toLowerCase())
  if (param.type !== 'text[]' || usual.length === 0 || known.every(isUsual)) return null
  const suggested = known.flatMap((one) => (isUsual(one) ? [one.value] : [])).join(',')
  const chosen = await ask.text({
    message: `Which are ${about}, separated by commas? There are: ${options.map(({ label }) => label).join(', ')}`,
    flag: `--param '${param.name}=ONE,TWO'`,
    suggested,
  })
  return chosen === suggested ? null : chosen
}
