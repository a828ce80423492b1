// Owns the steps of a set-up: from a database to a file of variables and a first release. Effects are given; writes nothing
// before the last step but what a step was told to.
import { parseDatabaseUrl, type Target } from '../../source/database/parse-target.ts'
import type { CheckReport } from '../../source/check/check.ts'
import { variableOf } from '../../source/mapping/parameters.ts'
import { calledAs } from '../../process/called-as.ts'
import { CliError, usageError } from '../../process/cli-error.ts'
import { hasErrors } from '../report/check-report.ts'
import type { Ask } from './ask.ts'
import { checkScreen } from './check-screen.ts'
import { answersAgain, changesOf, PEOPLE, SOURCE, type Earlier, type SetupRequest } from './changes.ts'
import { askDatabase, type Database } from './database-question.ts'
import { asUser, readerOf } from './database-url.ts'
import { envText } from './env-text.ts'
import { finalLines, type Published } from './final-lines.ts'
import type { Places } from './keep-running.ts'
import type { Look, Source } from './look.ts'
import { askParams } from './mapping-questions.ts'
import { proposedBy } from './page-proposal.ts'
import { askPage, askPeople, type Proposals, type Proposed } from './page-questions.ts'
import { platformOf } from './platform-question.ts'
import { askRole, type Asked, type RoleEffects } from './role-question.ts'

export interface SetupEffects {
  readonly ask: Ask
  readonly places: Omit<Places, 'source'>
  readonly reach: (target: Target) => Promise<void>
  readonly lookAt: (target: Target) => Look
  /** @param role its name */
  readonly roleEffects: (
    database: Database,
    source: Source,
    params: Readonly<Record<string, string>>,
    role: string,
  ) => RoleEffects
  /** Writes a new file next to that of variables; its path. */
  readonly writeMapping: (name: string, text: string) => Promise<string>
  readonly save: (text: string) => Promise<void>
  /** Builds from the file of variables. */
  readonly build: () => Promise<Published | CliError>
  readonly out: (text: string) => void
}

const TOPICS = ['database', 'platform', 'page', 'people'] as const
type Topic = (typeof TOPICS)[number]

/** Nothing is set up yet. */
const UNKNOWN_PLATFORM = 2

/** The exit code. */
export async function runSetup(request: SetupRequest, earlier: Earlier | null, effects: SetupEffects): Promise<number> {
  const { ask } = effects
  const topics = await topicsOf(ask, earlier, effects.places.file)
  const known = request.url ?? (topics.has('database') ? null : (earlier?.url ?? null))
  const connected = await askDatabase(ask, known, effects.reach)
  ask.say(`connected to ${connected.target.shown}`)
  const look = effects.lookAt(connected.target)
  const source = await sourceOf(request, earlier, topics, look, effects)
  if (source === null) return UNKNOWN_PLATFORM
  const params = await askParams(ask, look, source, givenParams(request, source), keptParams(source, earlier, topics))
  const before: ReadonlyMap<string, string> = earlier?.variables ?? new Map()
  const page = topics.has('page')
    ? await askPage(ask, withoutPeople(request.chosen), before, await proposalsOf(look, source, params))
    : withoutPeople(request.chosen)
  const report = await look.check(source, params)
  sayCheck(ask, report, source, () => answersAgain(source, params, page))
  const people = await peopleOf(request, report, before, topics, ask)
  const texts = new Map([...page, [PEOPLE, people]])
  const chosen = { request, earlier, source, params, texts }
  // What cannot be written is an error before a role is made.
  envText(earlier?.text ?? null, changesOf({ ...chosen, database: connected }))
  const asked = roleAsked(request, earlier, connected)
  const database = await askRole(
    ask,
    connected,
    report,
    asked,
    effects.roleEffects(connected, source, params, asked.name),
  )
  const changes = changesOf({ ...chosen, database })
  await effects.save(envText(earlier?.text ?? null, changes))
  ask.say(`wrote ${effects.places.file}`)
  const published = await effects.build()
  if (published instanceof CliError) throw published
  const publicUrl = new Map([...before, ...changes]).get('ANALYTICS_PUBLIC_URL') ?? null
  effects.out(finalLines(published, publicUrl, { ...effects.places, source: source.name }))
  return 0
}

function sayCheck(ask: Ask, report: CheckReport, source: Source, again: () => string): void {
  ask.say(
    `check of ${source.mapping.file.name}: compare these totals with what the site itself shows`,
    checkScreen(report),
  )
  if (hasErrors(report))
    throw new CliError(
      3,
      `the check found an error, so nothing was written; when it is fixed, the same answers again: ${calledAs('analytics-build')} setup ${again()}`,
    )
}

function roleAsked(request: SetupRequest, earlier: Earlier | null, connected: Database): Asked {
  const name = request.role ?? readerOf(connected.target)
  return {
    name,
    makeIt: request.makeRole,
    own: isUserOf(earlier, connected, name),
    asConnected: (role) => request.role === role || earlier?.url === connected.url,
  }
}

/** Whether the file of variables reads this database as the role. */
function isUserOf(earlier: Earlier | null, { url }: Database, role: string): boolean {
  const known = earlier?.url ?? null
  return known !== null && parseDatabaseUrl(known).shown === parseDatabaseUrl(asUser(url, role, '')).shown
}

/** Of what set-ups ask. Other variables, of other programs also, may hold a secret. */
const ASKED =
  /^ANALYTICS_(?:SOURCE|PARAM_\w+|SITE_URL|TITLE|PUBLISHER|CONTACT|LANGUAGES|LICENSE|PUBLIC_URL|PEOPLE|SNAPSHOTS|EVERY)$/

/** What an earlier set-up has is shown, and asked again only where the operator wants to change it. */
async function topicsOf(ask: Ask, earlier: Earlier | null, file: string): Promise<ReadonlySet<Topic>> {
  if (earlier === null) return new Set(TOPICS)
  const { variables, url } = earlier
  const shown = [...variables].filter(([name]) => ASKED.test(name))
  ask.say(`${file} is there: what is not changed now stays`, [
    `database  ${url === null ? 'none' : parseDatabaseUrl(url).shown}`,
    ...shown.map(([name, value]) => `${name} ${value}`),
  ])
  const chosen = await ask.several({
    message: 'What do you want to change? (nothing: check it and build)',
    flag: '--database-url, --source, --param, --title and so on',
    options: [
      { value: 'database', label: 'the database' },
      { value: 'platform', label: 'the platform, its site, and what launched means' },
      { value: 'page', label: 'the page: addresses, title, languages, licence' },
      { value: 'people', label: 'numbers of people' },
    ],
    byDefault: [],
  })
  return new Set(TOPICS.filter((topic) => chosen.includes(topic)))
}

/** null = a mapping was written, which must be changed first. */
async function sourceOf(
  { source: given }: SetupRequest,
  earlier: Earlier | null,
  topics: ReadonlySet<Topic>,
  look: Look,
  { ask, writeMapping }: SetupEffects,
): Promise<Source | null> {
  const known = given ?? (topics.has('platform') ? null : (earlier?.variables.get(SOURCE) ?? null))
  const catalog = await look.catalog()
  const found = platformOf(ask, catalog, known)
  if ('mapping' in found) return found
  if (catalog.length === 0)
    throw usageError('the database has no table: is it the right one, and may this role use its schemas?')
  const { name, text, edit } = found
  const path = await writeMapping(`${name}.sql`, text)
  const change = edit ? 'Answer the five questions at its head and change its SELECTs' : 'Change what its head lists'
  ask.say(`wrote ${path}. ${change}. Then:`)
  const typed = calledAs('analytics-build')
  ask.show([`${typed} check --source ${path}`, `${typed} setup --source ${path}`])
  return null
}

function givenParams({ params, paramVariables }: SetupRequest, { mapping }: Source): Record<string, string> {
  const byVariable = mapping.file.params.flatMap((param) => {
    const value = paramVariables.get(variableOf(param))
    return value === undefined ? [] : [[param.name, value]]
  })
  return { ...Object.fromEntries(byVariable), ...params }
}

function keptParams({ mapping }: Source, earlier: Earlier | null, topics: ReadonlySet<Topic>): Record<string, string> {
  if (earlier === null || topics.has('platform')) return {}
  return Object.fromEntries(
    mapping.file.params.flatMap((param) => {
      const value = earlier.variables.get(variableOf(param)) ?? param.default
      return value === null ? [] : [[param.name, value]]
    }),
  )
}

const HOST = /^[a-z0-9-]+(?:\.[a-z0-9-]+)+$/i

async function proposalsOf(look: Look, source: Source, params: Readonly<Record<string, string>>): Promise<Proposals> {
  return { stated: proposedBy(await look.page(source, params)), guessed: await guessedBy(look, source, params) }
}

/** From the site that was chosen: its name, or the host that it is known by. */
async function guessedBy(
  look: Look,
  { mapping, name }: Source,
  params: Readonly<Record<string, string>>,
): Promise<Proposed> {
  const required = mapping.file.params.find((param) => param.default === null)
  if (required === undefined) return {}
  const value = params[required.name] ?? ''
  const known = (await look.params({ mapping, name }, params)).find((one) => one.name === required.name)
  const label = known?.choices?.find((choice) => choice.value === value)?.label ?? ''
  const host = required.type === 'identifier' ? value.replaceAll('_', '.') : label
  return { ...(HOST.test(host) && { siteUrl: `https://${host}` }), ...(label !== '' && { title: label }) }
}

function withoutPeople(chosen: ReadonlyMap<string, string>): Map<string, string> {
  return new Map([...chosen].filter(([name]) => name !== PEOPLE))
}

async function peopleOf(
  { chosen }: SetupRequest,
  report: CheckReport,
  before: ReadonlyMap<string, string>,
  topics: ReadonlySet<Topic>,
  ask: Ask,
): Promise<string> {
  const known = chosen.get(PEOPLE) ?? (topics.has('people') ? null : (before.get(PEOPLE) ?? null))
  return known ?? askPeople(ask, report, before.get(PEOPLE) ?? null)
}
