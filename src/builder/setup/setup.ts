// Owns the steps of a set-up: from a database to a file of variables and a first release. Effects are given; writes nothing
// before the last step but what a step was told to.
import { PEOPLE_MODES, type PeopleMode } from '../../contract/people.ts'
import { calledAs } from '../../process/called-as.ts'
import { CliError, usageError } from '../../process/cli-error.ts'
import { countOf } from '../../process/printable.ts'
import type { CheckReport } from '../../source/check/check.ts'
import { parseDatabaseUrl, type Target } from '../../source/database/parse-target.ts'
import { SourceError } from '../../source/database/source-error.ts'
import { openMapping, type MappingSource } from '../../source/mapping/mapping.ts'
import { itemsOf, paramFlag, parameterVariable, type MappingParam } from '../../source/mapping/parameters.ts'
import { labelled, type ParameterChoice } from '../../source/check/params.ts'
import { templateByTables } from '../../source/mapping/template.ts'
import { OPTIONS, SETUP_WRITTEN } from '../options/build-options.ts'
import { checkText, hasErrors } from '../report/check-report.ts'
import type { Ask, Choice } from './ask.ts'
import { askDatabase, type Connected, type Session } from './database-question.ts'
import { readerOf } from './database-url.ts'
import { answersAgain, envText, PEOPLE, variablesFor, type SetupRequest } from './env-file.ts'
import { finalLines, type Places } from './keep-running.ts'
import type { Look, Params } from './look.ts'
import { pageVariables } from './page-proposal.ts'
import { offerRequires } from './requires-offer.ts'
import { askRole, makeAsked, type RoleEffects } from './role-question.ts'

export interface SetupEffects {
  readonly ask: Ask
  readonly places: Omit<Places, 'source'>
  readonly reach: (target: Target) => Promise<Session>
  /** Reaches it as a build of cron does: with nothing of this environment. */
  readonly reachAsCron: (target: Target) => Promise<Session>
  readonly lookAt: (target: Target) => Look
  /** @param role its name */
  readonly roleEffects: (target: Target, source: MappingSource, params: Params, role: string) => RoleEffects
  /** Writes the file of variables, never in place of another. */
  readonly save: (text: string) => Promise<void>
  /** Replaces the text of a file, unless it has another one by now. */
  readonly change: (path: string, from: string, to: string) => Promise<void>
  /** Removes the file of variables again. */
  readonly forget: () => Promise<void>
  /** Builds from the file of variables, and prints what was built. @throws CliError */
  readonly build: () => Promise<void>
  readonly out: (text: string) => void
}

/** The exit code where nothing can be set up yet. */
const UNKNOWN_PLATFORM = 2

/** Runs the set-up: what is given wins over what is asked or proposed. @returns the exit code */
export async function runSetup(request: SetupRequest, effects: SetupEffects): Promise<number> {
  const { ask, places } = effects
  const connected = await askDatabase(ask, request.databaseUrl, effects.reach)
  ask.say(`connected to ${connected.target.shown}`)
  const look = effects.lookAt(connected.target)
  const found = await sourceOf(request.source, look, ask)
  if (found === null) return UNKNOWN_PLATFORM
  const params = await askParams(ask, look, found, givenParams(request, found))
  const flags = answersAgain(found, params)
  const page = pageVariables(await look.page(found, params), await look.timeZone())
  const report = await look.check(found, params)
  showCheck(effects, report, connected, flags)
  const source = await offerRequires(ask, found, report)
  const people = request.chosen.get(PEOPLE) ?? (await peopleOf(ask, report))
  const texts = new Map([...page, ...request.chosen, [PEOPLE, people]])
  const variablesOf = (url: string): Map<string, string> =>
    variablesFor(url, source, params, texts, request.snapshots.root)
  const known = SETUP_WRITTEN.map((name) => OPTIONS.setup[name])
  const variables = variablesOf(connected.url)
  // A text that cannot be written is an error before a role is made.
  envText(variables, known)
  const name = request.role ?? readerOf(connected.target)
  const roleEffects = effects.roleEffects(connected.target, source, params, name)
  const made = await askRole(ask, connected, report, { ...request, name, flags }, roleEffects)
  if (source !== found) await amend(effects, found, source)
  const { session } = connected
  const save = async (url: string, user = session.user): Promise<void> => {
    const target = parseDatabaseUrl(variablesOf(url).get('DATABASE_URL') ?? '')
    const seen = await (made === null ? effects : roleEffects).reachAsCron(target)
    // A pooler may take everybody for one user.
    if (seen.user !== user || seen.database !== session.database)
      throw new SourceError(`${target.shown} is ${seen.user} in ${seen.database} to the server`)
    await effects.save(envText(variablesOf(url), known))
    ask.say(`wrote ${places.file}`)
  }
  await (made === null ? save(connected.url) : makeAsked(ask, made, roleEffects, save, effects.forget))
  await effects.build()
  const publicUrl = variables.get('ANALYTICS_PUBLIC_URL') ?? null
  effects.out(finalLines(variables.get('ANALYTICS_SNAPSHOTS') ?? '', publicUrl, { ...places, source: source.name }))
  return 0
}

/** Adds the lines to the file; where they cannot be added, what they name is granted all the same. */
async function amend({ ask, change }: SetupEffects, was: MappingSource, now: MappingSource): Promise<void> {
  const { name } = was
  const added = now.file.requires.length - was.file.requires.length
  try {
    await change(name, was.text, now.text)
    ask.say(`added ${countOf(added, 'requires lines')} to ${name}`)
  } catch (error) {
    ask.warn(
      `no requires line was added to ${name}, which is as it was: ${(error as Error).message}; add them yourself`,
    )
  }
}

function showCheck({ out }: SetupEffects, report: CheckReport, { target }: Connected, again: string): void {
  // Faults of the role are the next question.
  const findings = report.findings.filter(({ about, level }) => about !== 'role' || level === 'error')
  out(`\n${checkText({ ...report, findings }, target.shown)}\n`)
  if (hasErrors(report))
    throw new CliError(
      3,
      `the check found an error, so nothing was written; when it is fixed: ${calledAs('analytics-build')} setup ${again}`,
    )
}

/** The mapping that is given, or that the database looks like. Null = it looks like no platform that is built in, or another version. */
async function sourceOf(given: string | null, look: Look, ask: Ask): Promise<MappingSource | null> {
  if (given !== null) {
    const source = openMapping(given)
    ask.say(`platform: ${source.file.name}, as given`)
    return source
  }
  const catalog = await look.catalog()
  const { name, why, edit, missing } = templateByTables(catalog)
  const isBuiltIn = !edit && missing.length === 0
  ask.say(`platform: ${isBuiltIn ? name : edit ? 'none that is built in' : `${name}, an older or newer version`}`, why)
  if (isBuiltIn) return openMapping(name)
  if (catalog.length === 0)
    throw usageError('the database has no table: is it the right one, and may this role use its schemas?')
  const typed = calledAs('analytics-build')
  ask.say('its mapping is yours to write: the first command writes a file to change, and says how to go on. Then:')
  ask.show([`${typed} init --database-url …`, `${typed} setup --source ./${name}.sql`])
  return null
}

/** The given parameters; a variable that is empty counts as unset. */
function givenParams({ params, env }: SetupRequest, { file }: MappingSource): Params {
  const byVariable = file.params.map((param) => [param.name, env[parameterVariable(param)]] as const)
  return {
    ...Object.fromEntries(byVariable.filter((one): one is readonly [string, string] => Boolean(one[1]))),
    ...params,
  }
}

const PEOPLE_HINTS: Readonly<Record<PeopleMode, string>> = {
  exact: 'as they are counted',
  rounded: 'to 5, below 8 not shown, as of midnight',
  off: 'none are published',
}

/** Asks only where the check knows of days on which few people were active. */
async function peopleOf(ask: Ask, { fewPeople }: CheckReport): Promise<string> {
  if (fewPeople === null || fewPeople.days === 0) return String(OPTIONS.build.people.defaultValue)
  return ask.choose({
    message: `On ${fewPeople.days} of the last ${fewPeople.of} days 1 to 7 people were active: an exact number may point to somebody. How are numbers of people published?`,
    flag: '--people exact|rounded|off',
    options: PEOPLE_MODES.map((value) => ({ value, label: value, hint: PEOPLE_HINTS[value] })),
    byDefault: 'rounded',
  })
}

async function askParams(ask: Ask, look: Look, source: MappingSource, given: Params): Promise<Params> {
  let values: Params = given
  for (const param of source.file.params) {
    if (Object.hasOwn(values, param.name)) continue
    const known = (await look.params(source, values)).find(({ name }) => name === param.name)
    const answer = await askParam(ask, param, known?.choices ?? [])
    if (answer !== null) values = { ...values, [param.name]: answer }
  }
  return values
}

/** Asks for a parameter; null = it stays as the mapping has it. */
async function askParam(ask: Ask, param: MappingParam, known: readonly ParameterChoice[]): Promise<string | null> {
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
  // What follows is for a list of names with a default that may be wrong here: such as the statuses that mean launched.
  const usual = itemsOf(param.default).map((one) => one.toLowerCase())
  const isUsual = ({ value }: ParameterChoice): boolean => usual.includes(value.toLowerCase())
  if (param.type !== 'text[]' || usual.length === 0 || known.every(isUsual)) return null
  const suggested = known.flatMap((one) => (isUsual(one) ? [one.value] : [])).join(',')
  const chosen = await ask.text({
    message: `Which are ${about}, separated by commas? There are: ${options.map(({ label }) => label).join(', ')}`,
    flag: `--param '${param.name}=ONE,TWO'`,
    suggested,
  })
  return chosen === suggested ? null : chosen
}
