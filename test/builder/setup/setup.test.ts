// The steps of a set-up with answers that a script gives, and a database that is not there: src/builder/setup/setup.ts and
// the questions that it asks.
import { describe, expect, test } from 'vitest'
import type { Ask, Choice } from '../../../src/builder/setup/ask.ts'
import type { Earlier, SetupRequest } from '../../../src/builder/setup/changes.ts'
import type { Look } from '../../../src/builder/setup/look.ts'
import type { PageRow } from '../../../src/builder/setup/page-proposal.ts'
import type { RoleEffects } from '../../../src/builder/setup/role-question.ts'
import { runSetup, type SetupEffects } from '../../../src/builder/setup/setup.ts'
import { CliError } from '../../../src/process/cli-error.ts'
import { variablesOf } from '../../../src/process/env-file.ts'
import { folded, tableName } from '../../../src/source/sql/names.ts'
import type { CatalogTable } from '../../../src/source/database/catalog.ts'
import { SourceError } from '../../../src/source/database/source-error.ts'
import type { CheckReport } from '../../../src/source/check/check.ts'
import type { Finding } from '../../../src/source/mapping/finding.ts'
import { openMapping } from '../../../src/source/mapping/mapping.ts'
import { catalogTable, textColumns } from '../../support/catalog-table.ts'

const ADMIN = 'postgresql://admin:s3cret@db/ideas'
const READER = 'postgresql://reader:generated@db/ideas'

/** The tables that a mapping reads, as the catalogue has them. */
function catalogOf(platform: string): CatalogTable[] {
  const tables = new Map<string, Set<string>>()
  for (const { table, columns } of openMapping(platform).file.requires)
    tables.set(table, new Set([...(tables.get(table) ?? []), ...columns]))
  return [...tables].map(([table, columns]) => {
    const { schema, name } = tableName(table)
    return catalogTable({ schema: schema ?? 'public', name, rows: 1, columns: textColumns([...columns].map(folded)) })
  })
}

interface Scene {
  readonly answers?: Readonly<Record<string, unknown>>
  readonly earlier?: string
  readonly request?: Partial<SetupRequest>
  readonly platform?: string
  readonly choices?: Readonly<Record<string, readonly { value: string; label: string | null }[]>>
  readonly findings?: readonly Finding[]
  readonly page?: readonly PageRow[]
  readonly effects?: Partial<SetupEffects>
  readonly look?: Partial<Look>
}

interface Ended {
  /** Every question that was asked, by its first words. */
  readonly asked: string[]
  readonly offered: Record<string, readonly string[]>
  readonly said: string
  readonly saved: ReadonlyMap<string, string> | null
  readonly ran: string[]
  readonly code: number | null
  readonly error: Error | null
}

/** Answers by the beginning of the question; a question without an answer takes its default, or fails. */
function scripted(answers: Readonly<Record<string, unknown>>, ended: Ended, say: (text: string) => void): Ask {
  const answer = (message: string, byDefault: unknown, options: readonly Choice[] = []): unknown => {
    ended.asked.push(message)
    ended.offered[message] = options.map(({ label }) => label)
    const key = Object.keys(answers).find((start) => message.startsWith(start))
    const given = key === undefined ? byDefault : answers[key]
    if (given === null) throw new Error(`no answer to: ${message}`)
    if (given instanceof Error) throw given
    return given
  }
  const tell = (title: string, lines: readonly string[] = []): void => say([title, ...lines].join('\n'))
  return {
    again: true,
    text: async ({ message, byDefault, suggested, optional, fault }) => {
      const given = String(answer(message, byDefault ?? suggested ?? (optional === true ? '' : null)))
      const wrong = given === '' ? null : (fault?.(given) ?? null)
      if (wrong !== null) throw new Error(`${message}: ${wrong}`)
      return given
    },
    secret: async ({ message }) => String(answer(message, null)),
    choose: async ({ message, options, byDefault }) => answer(message, byDefault, options) as never,
    several: async ({ message, options, byDefault }) => answer(message, byDefault, options) as string[],
    confirm: async ({ message, byDefault }) => answer(message, byDefault) as boolean,
    say: tell,
    show: (lines) => tell(lines.join('\n')),
    warn: (title, lines) => tell(`warning: ${title}`, lines),
  }
}

const REPORT = {
  server: { asOfMs: 0, serverVersion: '15', role: 'admin', standby: false, replayLagMs: null },
  site: null,
  samples: [],
  totals: { users: 1, ideas: 2, launched: 1, votes: 3, comments: 4, categories: 5, ideasWithoutCategory: 0 },
  fewPeople: { days: 3, of: 90 },
  ignored: [],
}
const POWERFUL: Finding = { level: 'warning', about: 'role', problem: 'role admin is a superuser', fix: '' }

async function setup({
  answers = {},
  earlier,
  request,
  platform = 'logchimp',
  choices = {},
  findings = [],
  page = [],
  effects,
  look: looks,
}: Scene): Promise<Ended> {
  const texts: string[] = []
  const ended: { -readonly [Key in keyof Ended]: Ended[Key] } = {
    asked: [],
    offered: {},
    said: '',
    saved: null,
    ran: [],
    code: null,
    error: null,
  }
  const look: Look = {
    catalog: async () => catalogOf(platform),
    params: async ({ mapping }, given) =>
      mapping.file.params.map(({ name, type, description }) => ({
        name,
        type,
        description,
        value: given[name] ?? null,
        from: null,
        choices: choices[name] ?? null,
      })),
    ideasBy: async (_, __, ___, values) => new Map(values.map((value) => [value, Number(value) * 10])),
    page: async () => page,
    check: async () => ({ ...REPORT, findings }) as unknown as CheckReport,
    ...looks,
  }
  const ask = scripted(answers, ended, (text) => void texts.push(text))
  const all: SetupEffects = {
    ask,
    places: {
      root: '/opt/analytics',
      node: '/usr/bin/node',
      rootTaken: false,
      file: '/srv/analytics.env',
      folder: '/srv',
    },
    reach: async () => {},
    lookAt: () => look,
    roleEffects: () => ({
      powers: async () => ({ role: 'admin', createsRoles: true, changes: true, exists: false }),
      script: (hash) => `CREATE ROLE reader; -- ${hash ?? 'without password'}`,
      make: async (script) => void ended.ran.push(script),
      write: async () => '/srv/reader.sql',
      reach: async () => {},
      newPassword: () => 'generated',
      hashOf: (password) => `hash of ${password}`,
      made: (what) => void ended.ran.push(`made ${what}`),
    }),
    writeMapping: async (name, text) => {
      ended.ran.push(text)
      return `/srv/${name}`
    },
    save: async (text) => void (ended.saved = variablesOf('x', text)),
    build: async () => ({
      users: 1,
      ideas: 2,
      launchedIdeas: 1,
      votes: 3,
      comments: 4,
      categories: 5,
      snapshots: '/srv/s',
    }),
    out: (text) => void texts.push(text),
    ...effects,
  }
  const given: SetupRequest = {
    url: null,
    source: null,
    params: {},
    paramVariables: new Map(),
    chosen: new Map(),
    snapshots: '/srv/s',
    role: 'reader',
    makeRole: false,
    ...request,
  }
  const variables = earlier === undefined ? null : variablesOf('x', earlier)
  const before: Earlier | null =
    earlier === undefined || variables === null
      ? null
      : { text: earlier, variables, url: variables.get('DATABASE_URL') ?? null }
  try {
    ended.code = await runSetup(given, before, all)
  } catch (error) {
    ended.error = error as Error
  }
  ended.said = texts.join('\n')
  return ended
}

const PAGE = [
  'Address of the platform',
  'Title of the page',
  'In which languages?',
  'Under which licence',
  'Address of the page',
]
const startsOf = ({ asked }: Ended): string[] =>
  asked.map(
    (message) =>
      [
        ...PAGE,
        'How are numbers',
        'Database of',
        'Password of',
        'What do you want',
        'As which role',
        'Run it',
        'Which',
      ].find((start) => message.startsWith(start)) ?? message,
  )

describe('a first set-up', () => {
  test('asks what cannot be known, in order, and writes what was chosen', async () => {
    const ended = await setup({
      platform: 'fider',
      choices: {
        tenant: [
          { value: '1', label: 'small' },
          { value: '2', label: 'ideas.town.org' },
        ],
      },
      findings: [POWERFUL],
      answers: {
        'Database of': ADMIN,
        'Which tenant': '2',
        'In which languages?': ['fr', 'en'],
        'Which of them': 'fr',
        'Under which licence': 'CC0-1.0',
        'As which role': 'make',
      },
    })
    expect(ended.error).toBeNull()
    expect(startsOf(ended)).toEqual([
      'Database of',
      'Which',
      ...PAGE.slice(0, 3),
      'Which',
      ...PAGE.slice(3),
      'How are numbers',
      'As which role',
      'Run it',
    ])
    // The largest first.
    expect(ended.offered[ended.asked[1] ?? '']).toEqual(['2 (ideas.town.org), 20 ideas', '1 (small), 10 ideas'])
    expect(Object.fromEntries(ended.saved ?? [])).toEqual({
      DATABASE_URL: READER,
      ANALYTICS_SOURCE: 'fider',
      ANALYTICS_PARAM_TENANT: '2',
      ANALYTICS_SITE_URL: 'https://ideas.town.org',
      ANALYTICS_TITLE: 'ideas.town.org',
      ANALYTICS_LANGUAGES: 'fr,en',
      ANALYTICS_LICENSE: 'CC0-1.0',
      // On 3 days few people were active.
      ANALYTICS_PEOPLE: 'rounded',
      ANALYTICS_SNAPSHOTS: '/srv/s',
      ANALYTICS_EVERY: '5m',
    })
    expect(ended.ran).toEqual(['CREATE ROLE reader; -- hash of generated', 'made role reader'])
    expect(ended.said).not.toMatch(/s3cret|(?<!hash of )generated(?!;)/)
  })

  test('what the platform says of itself is proposed, before what the choice of the site says', async () => {
    const ended = await setup({
      platform: 'fider',
      choices: { tenant: [{ value: '1', label: 'ideas.town.org' }] },
      page: [{ title: 'Our town', language: 'de-AT', url: null }],
      answers: { 'Database of': ADMIN },
    })
    expect(Object.fromEntries(ended.saved ?? [])).toMatchObject({
      ANALYTICS_TITLE: 'Our town',
      ANALYTICS_LANGUAGES: 'de',
      ANALYTICS_SITE_URL: 'https://ideas.town.org',
    })
  })

  test('numbers of people are exact by default only where no day points to somebody', async () => {
    for (const [fewPeople, expected] of [
      [{ days: 1, of: 90 }, 'rounded'],
      [{ days: 0, of: 90 }, 'exact'],
      [null, 'exact'],
    ] as const) {
      const check = async (): Promise<CheckReport> => ({ ...REPORT, fewPeople, findings: [] }) as unknown as CheckReport
      const ended = await setup({ request: { url: ADMIN }, look: { check } })
      expect(ended.saved?.get('ANALYTICS_PEOPLE')).toBe(expected)
    }
  })

  test('the operator replaces it, and a flag is not asked', async () => {
    const page = [{ title: 'Our town', language: 'de', url: 'https://ours.town.org' }]
    const ended = await setup({
      request: { url: ADMIN, chosen: new Map([['ANALYTICS_SITE_URL', 'https://given.town.org']]) },
      page,
      answers: { 'Title of': 'Numbers of our town', 'In which languages?': ['es'] },
    })
    expect(startsOf(ended)).not.toContain('Address of the platform')
    expect(Object.fromEntries(ended.saved ?? [])).toMatchObject({
      ANALYTICS_TITLE: 'Numbers of our town',
      ANALYTICS_LANGUAGES: 'es',
      ANALYTICS_SITE_URL: 'https://given.town.org',
    })
  })

  test('what is given is not asked', async () => {
    const chosen = new Map(
      ['SITE_URL', 'TITLE', 'LANGUAGES', 'LICENSE', 'PUBLIC_URL', 'PEOPLE'].map((name) => [
        `ANALYTICS_${name}`,
        `given ${name}`,
      ]),
    )
    const ended = await setup({
      platform: 'fider',
      request: { url: ADMIN, paramVariables: new Map([['ANALYTICS_PARAM_TENANT', '7']]), chosen },
    })
    expect([ended.asked, ended.error]).toEqual([[], null])
    expect(Object.fromEntries(ended.saved ?? [])).toMatchObject({
      ...Object.fromEntries(chosen),
      ANALYTICS_PARAM_TENANT: '7',
      DATABASE_URL: ADMIN,
    })
  })

  test('of a list of statuses those that the database has are offered, and a usual one is no question', async () => {
    const statuses = (...names: string[]) => ({ launched: names.map((value) => ({ value, label: null })) })
    const asked = await setup({
      request: { url: ADMIN },
      choices: statuses('Released', 'Later'),
      answers: { 'Which are launched': ['Later'] },
    })
    expect(asked.offered[asked.asked[0] ?? '']).toEqual(['Released', 'Later'])
    expect(asked.saved?.get('ANALYTICS_PARAM_LAUNCHED')).toBe('Later')
    const kept = await setup({ request: { url: ADMIN }, choices: statuses('Released', 'Later') })
    expect(kept.saved?.has('ANALYTICS_PARAM_LAUNCHED')).toBe(false)
    expect((await setup({ request: { url: ADMIN }, choices: statuses('Released') })).asked[0]).toMatch(/^Address/)
  })

  test('a password is asked where the server wants one, and the URL again where it cannot be reached', async () => {
    const tried: unknown[] = []
    const ended = await setup({
      answers: { 'Database of': 'postgresql://admin@db/ideas', 'Password of admin': 's3cret' },
      effects: {
        reach: async ({ config }) => {
          tried.push(config.password)
          if (config.password === '') throw new SourceError('source', 'password authentication failed')
          if (tried.length === 2) throw new SourceError('source', 'no such host')
        },
      },
    })
    expect(tried).toEqual(['', 's3cret', '', 's3cret'])
    expect(startsOf(ended).slice(0, 4)).toEqual(['Database of', 'Password of', 'Database of', 'Password of'])
    expect(ended.said).toContain('warning: no such host')
    expect(ended.saved?.get('DATABASE_URL')).toBe(ADMIN)
  })

  test('an error of the check ends it, and says how the answers are given again', async () => {
    const finding: Finding = { level: 'error', about: 'requires', problem: 'table ideas does not exist', fix: '' }
    const ended = await setup({ request: { url: ADMIN }, findings: [finding], answers: { 'Title of': 'Our town' } })
    expect(ended.saved).toBeNull()
    expect(ended.said).toContain('ERROR requires: table ideas does not exist')
    expect((ended.error as CliError).exitCode).toBe(3)
    expect(ended.error?.message).toMatch(/nothing was written.* setup --source logchimp .*--title 'Our town'/)
  })

  test('a database like no platform gets a mapping to change, and nothing else', async () => {
    const look = { catalog: async () => [catalogTable({ name: 'wishes', rows: 3, columns: [] })] }
    const ended = await setup({ request: { url: ADMIN }, look })
    expect([ended.error, ended.code, ended.saved, ended.asked]).toEqual([null, 2, null, []])
    expect(ended.ran).toEqual([expect.stringMatching(/^-- mapping: my-platform\n[^]*^-- {3}wishes\(\)$/m)])
    expect(ended.said).toMatch(/wrote \/srv\/my-platform\.sql[^]*setup --source \/srv\/my-platform\.sql/)
  })

  test('a database without tables is an error', async () => {
    const ended = await setup({ request: { url: ADMIN }, look: { catalog: async () => [] } })
    expect([ended.error?.message, ended.ran]).toEqual([expect.stringMatching(/^the database has no table: /), []])
  })

  test('a first build that fails says so with its code', async () => {
    const failure = new CliError(4, 'its first build failed')
    expect((await setup({ request: { url: ADMIN }, effects: { build: async () => failure } })).error).toBe(failure)
  })
})

describe('the role', () => {
  const withRole = (
    answers: Readonly<Record<string, unknown>>,
    effects: object = {},
    findings = [POWERFUL],
  ): Promise<Ended> => setup({ request: { url: ADMIN }, findings, answers, effects })

  test('one that only reads stays', async () => {
    const ended = await withRole({}, {}, [])
    expect(ended.saved?.get('DATABASE_URL')).toBe(ADMIN)
    expect(startsOf(ended)).not.toContain('As which role')
  })

  test('is not made unless the operator says so, twice', async () => {
    expect((await withRole({ 'As which role': 'keep' })).ran).toEqual([])
    const no = await withRole({ 'As which role': 'make', 'Run it': false })
    expect([no.ran, no.saved?.get('DATABASE_URL')]).toEqual([[], ADMIN])
  })

  const roleOf = (more: Partial<RoleEffects>, exists = false): Partial<SetupEffects> => ({
    roleEffects: () => ({
      powers: async () => ({ role: 'admin', createsRoles: true, changes: true, exists }),
      script: () => 'CREATE ROLE reader;',
      make: async () => {},
      write: async () => '/srv/reader.sql',
      reach: async () => {},
      newPassword: () => 'generated',
      hashOf: () => 'hash',
      made: () => {},
      ...more,
    }),
  })

  test('one that is there is changed only where the operator says so: it is the last choice', async () => {
    const ended = await withRole({ 'As which role': 'keep' }, roleOf({}, true))
    expect(ended.offered['As which role do builds read?']?.at(-1)).toMatch(/^change reader, which exists/)
    const no = await withRole({ 'As which role': 'make' }, roleOf({}, true))
    expect(no.saved?.get('DATABASE_URL')).toBe(ADMIN)
    const asked = await setup({
      request: { url: ADMIN, makeRole: true },
      effects: roleOf({}, true),
      answers: { 'As which role': 'make', 'Run it': true },
    })
    expect(startsOf(asked).slice(-2)).toEqual(['As which role', 'Run it'])
    expect(asked.saved?.get('DATABASE_URL')).toBe(READER)
  })

  test('one that cannot log in through a pooler is named, and its password is in the file', async () => {
    const reach = async (): Promise<void> => {
      throw new SourceError('source', 'no such user')
    }
    const ended = await withRole({ 'As which role': 'make', 'Run it': true }, roleOf({ reach }))
    expect(ended.said).toMatch(/Role reader is made, but cannot log in here: no such user.*DROP ROLE "reader"/)
    expect(ended.saved?.get('DATABASE_URL')).toBe(READER)
  })

  test('without the right to make it, its script is written, and its password asked', async () => {
    const ended = await withRole({ 'As which role': 'write', 'Password of reader': 'p w' })
    expect(ended.ran).toEqual(['made /srv/reader.sql'])
    expect(ended.said).toContain('psql -v ON_ERROR_STOP=1 -f /srv/reader.sql postgresql://ADMIN@db:5432/ideas')
    expect(ended.saved?.get('DATABASE_URL')).toBe('postgresql://reader:p%20w@db/ideas')
    expect((await withRole({ 'As which role': 'write', 'Password of reader': '' })).saved?.get('DATABASE_URL')).toBe(
      ADMIN,
    )
  })
})

describe('an earlier set-up', () => {
  const EARLIER = `# mine
DATABASE_URL='${READER}'
ANALYTICS_SOURCE='fider'
ANALYTICS_PARAM_TENANT='2'
ANALYTICS_TITLE='Ours'
ANALYTICS_PEOPLE='rounded'
ANALYTICS_TRUST_PROXY='10.0.0.0/8'
`

  test('is shown without variables of other programs, which may be secrets', async () => {
    const others = "SECRET_KEY_BASE=k3y\nANALYTICS_AFTER_PUBLISH='curl -H t0ken'\nANALYTICS_ORIGIN=http://u:0rigin@x\n"
    const { said } = await setup({ earlier: `${EARLIER}${others}`, platform: 'fider' })
    expect(said).toContain('ANALYTICS_TITLE Ours')
    expect(said).not.toMatch(/k3y|t0ken|0rigin/)
  })

  test('is shown without its password, and stays where nothing is changed', async () => {
    const ended = await setup({ earlier: EARLIER, platform: 'fider' })
    expect(startsOf(ended)).toEqual(['What do you want'])
    expect(ended.said).toContain('reader@db:5432/ideas')
    expect(ended.saved).toEqual(
      new Map([...variablesOf('x', EARLIER), ['ANALYTICS_SNAPSHOTS', '/srv/s'], ['ANALYTICS_EVERY', '5m']]),
    )
  })

  test('is asked again only where it is to change, with what there was as a proposal', async () => {
    const ended = await setup({
      earlier: `${EARLIER}ANALYTICS_LANGUAGES='es'\n`,
      platform: 'fider',
      page: [{ title: 'Theirs', language: 'fr', url: 'https://theirs.example' }],
      answers: { 'What do you want': ['page', 'people'], 'How are': 'off' },
    })
    expect(startsOf(ended)).toEqual(['What do you want', ...PAGE, 'How are numbers'])
    expect(ended.saved?.get('ANALYTICS_TITLE')).toBe('Ours')
    expect(ended.saved?.get('ANALYTICS_LANGUAGES')).toBe('es')
    expect(ended.saved?.get('ANALYTICS_SITE_URL')).toBe('https://theirs.example')
    expect(ended.saved?.get('ANALYTICS_PEOPLE')).toBe('off')
    expect(ended.saved?.get('ANALYTICS_TRUST_PROXY')).toBe('10.0.0.0/8')
  })

  test('takes what is given', async () => {
    const ended = await setup({
      earlier: EARLIER,
      platform: 'fider',
      request: { chosen: new Map([['ANALYTICS_TITLE', 'New']]), params: { tenant: '3' } },
    })
    expect([ended.saved?.get('ANALYTICS_TITLE'), ended.saved?.get('ANALYTICS_PARAM_TENANT')]).toEqual(['New', '3'])
  })
})

describe('Ctrl-C', () => {
  const stop = new CliError(130, 'interrupted')

  test.each(['Database of', 'Which tenant', ...PAGE, 'How are numbers', 'As which role', 'Run it'])(
    'at "%s" leaves nothing',
    async (question) => {
      const answers = { 'Database of': ADMIN, 'Which tenant': '1', 'As which role': 'make', [question]: stop }
      const choices = {
        tenant: [
          { value: '1', label: null },
          { value: '2', label: null },
        ],
      }
      const ended = await setup({ platform: 'fider', choices, findings: [POWERFUL], answers })
      expect([ended.error, ended.saved, ended.ran]).toEqual([stop, null, []])
    },
  )
})
