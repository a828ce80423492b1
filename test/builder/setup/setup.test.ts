// The steps of a set-up with answers that a script gives, and a database that is not there: src/builder/setup/setup.ts and
// the questions that it asks.
import { describe, expect, test } from 'vitest'
import type { Ask, Choice } from '../../../src/builder/setup/ask.ts'
import type { SetupRequest } from '../../../src/builder/setup/env-file.ts'
import type { Look } from '../../../src/builder/setup/look.ts'
import type { PageRow } from '../../../src/builder/setup/page-proposal.ts'
import type { RoleEffects } from '../../../src/builder/setup/role-question.ts'
import { runSetup, type SetupEffects } from '../../../src/builder/setup/setup.ts'
import { CliError } from '../../../src/process/cli-error.ts'
import { variablesOf } from '../../../src/process/env-file.ts'
import { releasePaths } from '../../../src/release/format/paths.ts'
import { foldedName, tableName } from '../../../src/source/sql/names.ts'
import type { CatalogTable } from '../../../src/source/database/catalog.ts'
import type { Session } from '../../../src/builder/setup/database-question.ts'
import type { Target } from '../../../src/source/database/parse-target.ts'
import { SourceError } from '../../../src/source/database/source-error.ts'
import type { CheckReport } from '../../../src/source/check/check.ts'
import type { Finding } from '../../../src/source/mapping/finding.ts'
import { openMapping } from '../../../src/source/mapping/mapping.ts'
import { catalogTable, textColumns } from '../../support/catalog-table.ts'

const ADMIN = 'postgresql://admin:s3cret@db/ideas'
/** Whoever logs in is who the URL names. */
const logIn = async ({ config }: Target): Promise<Session> => ({ ...SESSION, user: config.user ?? '' })
const SESSION = { user: 'admin', database: 'ideas', sentUser: 'admin', sentDatabase: 'ideas' }
/** Of a role that was made. */
const MADE = expect.stringMatching(/^postgresql:\/\/reader:[\w-]{32}@db\/ideas$/) as string

/** The tables that a mapping reads, as the catalogue has them. */
function catalogOf(platform: string): CatalogTable[] {
  const tables = new Map<string, Set<string>>()
  for (const { table, columns } of openMapping(platform).file.requires)
    tables.set(table, new Set([...(tables.get(table) ?? []), ...columns]))
  return [...tables].map(([table, columns]) => {
    const { schema, name } = tableName(table)
    return catalogTable({
      schema: schema ?? 'public',
      name,
      rows: 1,
      columns: textColumns([...columns].map(foldedName)),
    })
  })
}

interface Scene {
  readonly answers?: Readonly<Record<string, unknown>>
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

/** Answers by the beginning of the question; a question without an answer takes what is proposed, or fails. */
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
    text: async ({ message, suggested, fault }) => {
      const given = String(answer(message, suggested ?? null))
      const wrong = fault?.(given) ?? null
      if (wrong !== null) throw new Error(`${message}: ${wrong}`)
      return given
    },
    secret: async ({ message }) => String(answer(message, null)),
    choose: async ({ message, options, byDefault }) => answer(message, byDefault, options) as never,
    say: tell,
    show: (lines) => tell(lines.join('\n')),
    warn: (title, lines) => tell(`warning: ${title}`, lines),
  }
}

const REPORT = {
  mapping: 'logchimp',
  params: [],
  sections: [],
  server: { asOfMs: 0, serverVersion: '15', role: 'admin', standby: false, replayLagMs: null },
  site: null,
  samples: [],
  totals: { users: 1, ideas: 2, launched: 1, votes: 3, comments: 4, categories: 5, ideasWithoutCategory: 0 },
  fewPeople: { days: 3, of: 90 },
  ignored: [],
  proposedRequires: [],
}
const TENANTS = {
  tenant: [
    { value: '1', label: 'small' },
    { value: '2', label: 'ideas.town.org' },
  ],
}
const POWERS = { role: 'admin', createsRoles: true, changes: true, exists: false, note: null }
const ROLE: RoleEffects = {
  powers: async () => POWERS,
  script: () => 'CREATE ROLE reader;',
  make: async () => {},
  reachAsCron: logIn,
  end: async () => true,
}
const roleOf = (more: Partial<RoleEffects>, powers: object = {}): Partial<SetupEffects> => ({
  roleEffects: () => ({ ...ROLE, powers: async () => ({ ...POWERS, ...powers }), ...more }),
})
const POWERFUL: Finding = { level: 'warning', about: 'role', problem: 'role admin is a superuser', fix: '' }

async function setup({
  answers = {},
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
    params: async ({ file }, given) =>
      file.params.map(({ name, type, description }) => ({
        name,
        type,
        description,
        value: given[name] ?? null,
        from: null,
        choices: choices[name] ?? null,
      })),
    page: async () => page,
    timeZone: async () => 'Europe/Madrid',
    check: async () => ({ ...REPORT, findings }),
    ...looks,
  }
  const ask = scripted(answers, ended, (text) => void texts.push(text))
  const all: SetupEffects = {
    ask,
    places: {
      root: '/opt/analytics',
      real: '/opt/analytics',
      node: '/usr/bin/node',
      file: '/srv/analytics.env',
      folder: '/srv',
    },
    reach: async () => SESSION,
    reachAsCron: logIn,
    lookAt: () => look,
    roleEffects: () => ({
      ...ROLE,
      script: (hash) => `CREATE ROLE reader; ${hash}`,
      make: async (script) => void ended.ran.push(script),
    }),
    save: async (text) => void (ended.saved = variablesOf('x', text)),
    change: async (path, from, to) => void ended.ran.push(`${path}: ${from} → ${to}`),
    forget: async () => void (ended.saved = null),
    build: async () => {},
    out: (text) => void texts.push(text),
    ...effects,
  }
  const given: SetupRequest = {
    databaseUrl: null,
    source: null,
    params: {},
    env: {},
    chosen: new Map(),
    snapshots: releasePaths('/srv/s'),
    role: 'reader',
    makeRole: false,
    ...request,
  }
  try {
    ended.code = await runSetup(given, all)
  } catch (error) {
    ended.error = error as Error
  }
  ended.said = texts.join('\n')
  return ended
}

const STARTS = [
  'How are numbers',
  'On 3 of the last 90 days',
  'Which database',
  'Password of',
  'As which role',
  'Which',
]
const startsOf = ({ asked }: Ended): string[] =>
  asked.map((message) => STARTS.find((start) => message.startsWith(start)) ?? message)

describe('a first set-up', () => {
  test('asks what cannot be known, in order, and writes what was chosen', async () => {
    const ended = await setup({
      platform: 'fider',
      choices: TENANTS,
      findings: [POWERFUL],
      answers: { 'Which database': ADMIN, 'Which tenant': '2', 'As which role': 'make' },
    })
    expect(ended.error).toBeNull()
    expect(startsOf(ended)).toEqual(['Which database', 'Which', 'On 3 of the last 90 days', 'As which role'])
    expect(ended.offered[ended.asked[1] ?? '']).toEqual(['1 (small)', '2 (ideas.town.org)'])
    expect(Object.fromEntries(ended.saved ?? [])).toEqual({
      DATABASE_URL: MADE,
      ANALYTICS_SOURCE: 'fider',
      ANALYTICS_PARAM_TENANT: '2',
      ANALYTICS_TIME_ZONE: 'Europe/Madrid',
      ANALYTICS_LANGUAGES: 'en',
      // On 3 days few people were active.
      ANALYTICS_PEOPLE: 'rounded',
      ANALYTICS_SNAPSHOTS: '/srv/s',
      ANALYTICS_EVERY: '5m',
    })
    expect(ended.ran).toEqual([expect.stringMatching(/^CREATE ROLE reader; SCRAM-SHA-256/)])
    const password = /reader:([^@]+)/.exec(ended.saved?.get('DATABASE_URL') ?? '')?.[1] ?? 'none'
    expect(ended.said).not.toMatch(new RegExp(`s3cret|${password}`))
  })

  test('what the platform says of itself is taken, but for what a flag gives', async () => {
    const page = [{ title: 'Our town', language: 'de-AT', url: 'https://ours.town.org' }]
    const chosen = new Map([['ANALYTICS_SITE_URL', 'https://given.town.org']])
    const ended = await setup({ request: { databaseUrl: ADMIN, chosen }, page })
    expect(Object.fromEntries(ended.saved ?? [])).toMatchObject({
      ANALYTICS_TITLE: 'Our town',
      ANALYTICS_LANGUAGES: 'de',
      ANALYTICS_SITE_URL: 'https://given.town.org',
    })
  })

  test('numbers of people are a question only where a day points to somebody, and exact elsewhere', async () => {
    for (const [fewPeople, expected, questions] of [
      [{ days: 1, of: 90 }, 'rounded', 1],
      [{ days: 0, of: 90 }, 'exact', 0],
      [null, 'exact', 0],
    ] as const) {
      const check = async (): Promise<CheckReport> => ({ ...REPORT, fewPeople, findings: [] })
      const ended = await setup({ request: { databaseUrl: ADMIN }, look: { check } })
      expect([ended.saved?.get('ANALYTICS_PEOPLE'), ended.asked.length]).toEqual([expected, questions])
    }
  })

  test('what is given is not asked', async () => {
    const names = ['SITE_URL', 'TITLE', 'LANGUAGES', 'LICENSE', 'PUBLIC_URL', 'PEOPLE']
    const chosen = new Map(names.map((name) => [`ANALYTICS_${name}`, `given ${name}`]))
    const ended = await setup({
      platform: 'fider',
      request: { databaseUrl: ADMIN, env: { ANALYTICS_PARAM_TENANT: '7' }, chosen },
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
      request: { databaseUrl: ADMIN },
      choices: statuses('Released', 'Later'),
      answers: { 'Which are launched': 'Later' },
    })
    expect(asked.asked[0]).toMatch(/There are: Released, Later$/)
    expect(asked.saved?.get('ANALYTICS_PARAM_LAUNCHED')).toBe('Later')
    const kept = await setup({ request: { databaseUrl: ADMIN }, choices: statuses('Released', 'Later') })
    expect(kept.saved?.has('ANALYTICS_PARAM_LAUNCHED')).toBe(false)
    expect((await setup({ request: { databaseUrl: ADMIN }, choices: statuses('Released') })).asked[0]).toMatch(/^On 3 /)
  })

  test('a password is asked where the server wants one, and the URL again where it cannot be reached', async () => {
    const tried: unknown[] = []
    const ended = await setup({
      answers: { 'Which database': 'postgresql://admin@db/ideas', 'Password of admin': 's3cret' },
      effects: {
        reach: async ({ config }) => {
          tried.push(config.password)
          if (config.password === '') throw new SourceError('password authentication failed')
          if (tried.length === 2) throw new SourceError('no such host')
          return SESSION
        },
      },
    })
    expect(tried).toEqual(['', 's3cret', '', 's3cret'])
    expect(startsOf(ended).slice(0, 4)).toEqual(['Which database', 'Password of', 'Which database', 'Password of'])
    expect(ended.said).toContain('warning: no such host')
    expect(ended.saved?.get('DATABASE_URL')).toBe(ADMIN)
  })

  test('an error of the check ends it, and says how the answers are given again', async () => {
    const finding: Finding = { level: 'error', about: 'requires', problem: 'table ideas does not exist', fix: '' }
    const ended = await setup({ request: { databaseUrl: ADMIN, params: { launched: 'Done' } }, findings: [finding] })
    expect(ended.saved).toBeNull()
    expect(ended.said).toContain('ERROR   requires: table ideas does not exist')
    expect((ended.error as CliError).exitCode).toBe(3)
    expect(ended.error?.message).toMatch(/nothing was written.* setup --source logchimp --param launched=Done$/)
  })

  test('a database like no platform is told how its mapping is made, and nothing else', async () => {
    const look = { catalog: async () => [catalogTable({ name: 'wishes', rows: 3, columns: [] })] }
    const ended = await setup({ request: { databaseUrl: ADMIN }, look })
    expect([ended.error, ended.code, ended.saved, ended.asked]).toEqual([null, 2, null, []])
    expect(ended.ran).toEqual([])
    expect(ended.said).toMatch(/ init --database-url …\n[^]*setup --source \.\/my-platform\.sql/)
  })

  test('a database without tables is an error', async () => {
    const ended = await setup({ request: { databaseUrl: ADMIN }, look: { catalog: async () => [] } })
    expect([ended.error?.message, ended.ran]).toEqual([expect.stringMatching(/^the database has no table: /), []])
  })

  test('a first build that fails says so with its code', async () => {
    const failure = new CliError(4, 'its first build failed')
    const build = (): Promise<never> => Promise.reject(failure)
    expect((await setup({ request: { databaseUrl: ADMIN }, effects: { build } })).error).toBe(failure)
  })
})

describe('the role', () => {
  const withRole = (
    answers: Readonly<Record<string, unknown>>,
    effects: object = {},
    findings = [POWERFUL],
  ): Promise<Ended> => setup({ request: { databaseUrl: ADMIN }, findings, answers, effects })

  test('one that only reads stays', async () => {
    const ended = await withRole({}, {}, [])
    expect(ended.saved?.get('DATABASE_URL')).toBe(ADMIN)
    expect(startsOf(ended)).not.toContain('As which role')
  })

  test('is not made unless the operator says so, who has seen the script', async () => {
    const ended = await withRole({ 'As which role': 'keep' })
    expect([ended.ran, ended.saved?.get('DATABASE_URL')]).toEqual([[], ADMIN])
    expect(ended.said).toContain('CREATE ROLE reader;')
  })

  test('one that is there is never changed', async () => {
    const there = roleOf({}, { exists: true, note: '' })
    const ended = await withRole({}, there)
    expect([ended.saved, ended.error?.message]).toEqual([
      null,
      expect.stringMatching(/Give --make-role and --role with a name that is free \(reader exists; /),
    ])
    const asked = await setup({ request: { databaseUrl: ADMIN, makeRole: true }, effects: there })
    expect([asked.saved, asked.error?.message]).toEqual([null, expect.stringMatching(/role reader exists already/)])
  })

  describe('that is made', () => {
    const ENDS = ['keep', 'remove'] as const
    /** What is done, in order, where one step fails; and what is left of it. */
    const made = async (fails: string, failure: Error = new SourceError('the connection was lost')) => {
      const did: string[] = []
      const left = { role: false, file: false }
      const step = (name: string): void => {
        did.push(name)
        if (name === fails) throw failure
      }
      const ended = await withRole(
        { 'As which role': 'make' },
        {
          save: async () => (step('save'), void (left.file = true)),
          forget: async () => void (left.file = false),
          ...roleOf({
            make: async () => {
              left.role = true
              step('make')
            },
            reachAsCron: async () => (step('logIn'), { ...SESSION, user: 'reader' }),
            end: async (how) => {
              step(ENDS.find((one) => one === how) ?? '')
              if (how === 'keep') return fails !== 'lost'
              const was = left.role
              left.role = false
              return was
            },
          }),
        },
      )
      return { ended, did, left }
    }

    test('logs in before the file is written, and is kept after that', async () => {
      const { ended, did, left } = await made('nothing')
      expect([ended.error, did, left]).toEqual([null, ['make', 'logIn', 'save', 'keep'], { role: true, file: true }])
    })

    test.each(['make', 'logIn', 'save', 'keep', 'lost'])('leaves nothing where it fails at "%s"', async (step) => {
      const { ended, did, left } = await made(step)
      expect([did.at(-1), left]).toEqual(['remove', { role: false, file: false }])
      expect(ended.error).toBeInstanceOf(SourceError)
      expect(ended.said).toContain('Role reader was made, and is removed again; nothing is written')
    })

    test('and cannot be removed is named, with what a second try does', async () => {
      const lost = roleOf({
        reachAsCron: () => Promise.reject(new SourceError('not known')),
        end: () => Promise.reject(new Error('no server')),
      })
      const ended = await withRole({ 'As which role': 'make' }, lost)
      expect(ended.said).toMatch(/Role reader may be there: no server\. A second try with --make-role makes it anew/)
    })

    test('by a set-up that did not end is made anew, and it is said', async () => {
      const note = 'made by a set-up of analytics-build that did not end (…)'
      const effects = roleOf({}, { exists: false, note })
      const ended = await withRole({ 'As which role': 'make' }, effects)
      expect([ended.error, ended.saved?.get('DATABASE_URL')]).toEqual([null, MADE])
      expect(ended.said).toMatch(/warning: The role is there, of a set-up that did not end: it gets a new password/)
    })

    test('is tried as it is, then as the user before a pooler is written', async () => {
      const tried: unknown[] = []
      const session = { ...SESSION, sentUser: 'admin.ref' }
      const ended = await withRole(
        { 'As which role': 'make' },
        {
          reach: async () => session,
          ...roleOf({
            async reachAsCron({ config }) {
              tried.push(config.user)
              if (config.user === 'reader') throw new SourceError('Tenant or user not found')
              return { ...session, user: 'reader' }
            },
          }),
        },
      )
      expect([ended.error, tried]).toEqual([null, ['reader', 'reader.ref']])
      expect(ended.saved?.get('DATABASE_URL')).toMatch(/^postgresql:\/\/reader\.ref:[\w-]{32}@db\/ideas$/)
    })

    test('has the database of who is connected, also where the URL names none', async () => {
      const databaseUrl = 'postgresql://admin:s3cret@db?sslmode=disable'
      const ended = await setup({ request: { databaseUrl, makeRole: true } })
      expect(ended.saved?.get('DATABASE_URL')).toMatch(/@db\/ideas\?sslmode=disable$/)
    })

    test('does not count where the server takes whoever logs in for somebody else', async () => {
      const ended = await withRole({ 'As which role': 'make' }, roleOf({ reachAsCron: async () => SESSION }))
      expect([ended.saved, ended.error?.message]).toEqual([
        null,
        expect.stringMatching(/reader@db:5432\/ideas is admin in ideas to the server/),
      ])
    })
  })

  test('one that stays must log in with what the file says, too', async () => {
    const reachAsCron = (): Promise<never> => Promise.reject(new SourceError('put the password there'))
    const ended = await withRole({}, { reachAsCron }, [])
    expect([ended.saved, ended.error?.message]).toEqual([null, 'put the password there'])
  })

  test('without the right to make it, it is said who makes it, and how to go on', async () => {
    const weak = roleOf({}, { createsRoles: false })
    const ended = await withRole({}, weak)
    expect([ended.saved, ended.said.includes('CREATE ROLE')]).toEqual([null, false])
    expect(ended.error?.message).toMatch(
      /^role admin may do more than read, .* as it\. Let who may .*grants --source logchimp prints; or give --role admin to go on as it$/,
    )
    const request = { databaseUrl: ADMIN, role: 'admin' }
    const kept = await setup({ request, findings: [POWERFUL], effects: weak })
    expect(kept.saved?.get('DATABASE_URL')).toBe(ADMIN)
  })
})

describe('Ctrl-C', () => {
  const stop = new CliError(130, 'interrupted')

  test.each(['Which database', 'Which tenant', 'On 3 of', 'As which role'])(
    'at "%s" leaves nothing',
    async (question) => {
      const answers = { 'Which database': ADMIN, 'Which tenant': '1', 'As which role': 'make', [question]: stop }
      const ended = await setup({ platform: 'fider', choices: TENANTS, findings: [POWERFUL], answers })
      expect([ended.error, ended.saved, ended.ran]).toEqual([stop, null, []])
    },
  )
})

describe('requires lines that a mapping file lacks', () => {
  const PATH = 'src/source/mapping/built-in/logchimp/mapping.sql'
  const LINE = '-- requires reactions(id)'
  const proposedRequires = [{ table: 'reactions', columns: ['id'], since: '', optional: false }]
  /** What the script of the role is made of, last. */
  const offered = async (answer: unknown, effects: Partial<SetupEffects> = {}, source = PATH) => {
    let granted: readonly string[] = []
    const ended = await setup({
      answers: { 'Add to': answer, 'As which role': 'make' },
      request: { databaseUrl: ADMIN, source },
      findings: [POWERFUL],
      look: { check: async () => ({ ...REPORT, findings: [POWERFUL], proposedRequires }) },
      effects: {
        roleEffects: (_, { file }) => {
          granted = file.requires.map(({ table }) => table)
          return ROLE
        },
        ...effects,
      },
    })
    return { ended, granted }
  }

  test('are added where that is wanted, and the role gets what they name', async () => {
    const { ended, granted } = await offered('add')
    expect(ended.code).toBe(0)
    expect(ended.ran).toEqual([expect.stringContaining(`${LINE}\n`)])
    expect(ended.said).toContain(`added 1 requires line to ${PATH}`)
    // The units have a copy of the file, as they see no folder but their own.
    expect(ended.said).toContain('ANALYTICS_SOURCE=/etc/analytics/mapping.sql')
    expect(granted).toContain('reactions')
  })

  test('are not, where the file is to stay', async () => {
    const { ended, granted } = await offered('leave')
    expect([ended.code, ended.ran]).toEqual([0, []])
    expect(granted).not.toContain('reactions')
  })

  test('are not offered for a mapping that is built in', async () => {
    const { ended } = await offered('add', {}, 'logchimp')
    expect([ended.code, ended.ran]).toEqual([0, []])
    expect(ended.asked.filter((message) => message.startsWith('Add to'))).toEqual([])
  })

  test('that cannot be added are granted all the same, and it is said', async () => {
    const { ended, granted } = await offered('add', {
      change: async () => {
        throw new Error('EACCES: permission denied')
      },
    })
    expect(ended.code).toBe(0)
    expect(ended.said).toMatch(/warning: no requires line was added to .*mapping\.sql, which is as it was: EACCES/)
    expect(granted).toContain('reactions')
  })

  test('are not written where a later question is left by Ctrl-C, or the file of variables cannot be written', async () => {
    const powers = (): Promise<never> => Promise.reject(new CliError(130, 'interrupted'))
    const { ended } = await offered('add', roleOf({ powers }))
    expect([ended.error?.message, ended.ran, ended.saved]).toEqual(['interrupted', [], null])
  })
})
