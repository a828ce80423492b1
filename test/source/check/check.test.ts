// Checking a source against a real PostgreSQL: everything that a build would trip over or count wrongly is found, the
// line that is printed mends it, whatever fails the rest goes on, and the database stays as it was.
import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Client } from 'pg'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { packagePath } from '../../../src/process/package-root.ts'
import { checkSource, type CheckReport, type CheckRequest } from '../../../src/source/check/check.ts'
import { connect, parseDatabaseUrl } from '../../../src/source/database/connect.ts'
import type { Finding } from '../../../src/source/mapping/finding.ts'
import { parseMappingFile } from '../../../src/source/mapping/file-format.ts'
import { paramValues } from '../../../src/source/mapping/parameters.ts'
import { openMapping, type MappingSource } from '../../../src/source/mapping/mapping.ts'
import { RELATIONS, type Relation } from '../../../src/source/mapping/relations.ts'
import { roleScript } from '../../../src/source/mapping/role-script.ts'
import { SourceError } from '../../../src/source/database/source-error.ts'
import { literal } from '../../../src/source/sql/tokens.ts'
import { quoted } from '../../../src/source/sql/names.ts'
import { run } from '../../builder/build-program.ts'
import { temporaryFolder } from '../../release/sample-release.ts'
import { describeWithPostgres, postgresAvailable } from '../../support/postgres.ts'
import { startStandby, type Standby } from '../../support/standby.ts'

const NATIVE = openMapping('native')
const SCHEMA = readFileSync(packagePath('src', 'source', 'mapping', 'built-in', 'native', 'schema.sql'), 'utf8')
const REQUIRES = NATIVE.text.split('\n').filter((line) => line.startsWith('-- requires'))
const FIDER_SCHEMA = ['schema.sql', 'seed.sql']
  .map((file) => readFileSync(packagePath('test', 'platforms', 'fider', file), 'utf8'))
  .join('\n')

/** What counts, and why the rest does not, stands beside each row. */
const ROWS = `
INSERT INTO users VALUES (1, now() - interval '30 days'), (2, now() - interval '20 days'), (3, now() - interval '1 hour'),
                         (4, now() + interval '1 day');                                    -- tomorrow
INSERT INTO ideas (id, title, created_at, launched, launched_at, url, author_id) VALUES
  (1, 'One', now() - interval '10 days', false, NULL, '/ideas/1', 1),
  (2, 'Two', now() - interval '9 days', true, NULL, NULL, 2),                              -- launched, no date
  (3, 'Three', now() - interval '8 days', true, now() - interval '1 day', '/ideas/3', NULL),
  (4, 'Four', now() - interval '7 days', true, now() + interval '1 day', '/ideas/4', 1),   -- launched tomorrow
  (5, 'Five', now() + interval '1 day', false, NULL, '/ideas/5', 1);                       -- tomorrow
INSERT INTO categories VALUES ('Product'), ('Unused');
INSERT INTO idea_categories VALUES (1, 'Product'), (1, 'Design'), (2, 'Product'), (3, '  '); -- 3: blank; 4: none
INSERT INTO votes VALUES
  (1, 1, 1, now() - interval '5 days'), (1, 2, 1, now() - interval '5 days'),
  (1, 2, 1, now() - interval '4 days'),                                                    -- the same user again
  (1, NULL, 1, now() - interval '3 days'), (1, NULL, 1, now() - interval '3 days'),        -- two who are not known
  (2, 1, -1, now() - interval '5 days'),                                                   -- a down-vote
  (2, 2, 1, now() + interval '1 day'),                                                     -- tomorrow
  (3, 3, 1, NULL),                                                                         -- no date
  (5, 1, 1, now() - interval '1 hour'),                                                    -- on an idea of tomorrow
  (404, 1, 1, now() - interval '5 days');                                                  -- on no idea
INSERT INTO comments VALUES
  (1, 1, 1, now() - interval '5 days'), (2, 2, NULL, now() - interval '4 days'),
  (3, 404, 1, now() - interval '5 days'),                                                  -- on no idea
  (4, 1, 1, now() + interval '1 day');                                                     -- tomorrow
ANALYZE;
`
const PAST = `now() - interval '1 day'`
const IDEA = `SELECT 1 AS id, 'One' AS title, ${PAST} AS created_at, false AS launched, NULL::timestamptz AS launched_at,
                     NULL AS url, NULL AS author_id, NULL AS status`
/** Rows of no table at all: an idea, a vote and a comment. */
const NO_TABLES: Readonly<Record<Relation, string>> = {
  users: `SELECT 1 AS id, ${PAST} AS created_at`,
  ideas: IDEA,
  idea_categories: `SELECT 1 AS idea_id, 'Product' AS category`,
  votes: `SELECT 1 AS idea_id, 8 AS user_id, 1 AS value, ${PAST} AS created_at`,
  comments: `SELECT 1 AS id, 1 AS idea_id, 9 AS user_id, ${PAST} AS created_at`,
  categories: `SELECT 'Product' AS name`,
}

function sourceOf(text: string): MappingSource {
  return { path: 'mine.sql', text, file: parseMappingFile('mine.sql', text) }
}

type Sections = Partial<Record<Relation, string>>

function mappingOf(sections: Readonly<Record<string, string>>, head: readonly string[]): MappingSource {
  const lines = RELATIONS.map((relation) => `-- section ${relation}\n${sections[relation]}`)
  return sourceOf(['-- mapping: mine', ...head, ...lines].join('\n'))
}
/** The native mapping without its `requires` lines, below other lines, with some sections in place of its own. */
const native = (sections: Sections = {}, ...head: string[]): MappingSource =>
  mappingOf({ ...Object.fromEntries(NATIVE.file.sections), ...sections }, head)
const tableless = (sections: Sections = {}, ...head: string[]): MappingSource =>
  mappingOf({ ...NO_TABLES, ...sections }, head)

const OPTIONS = { statementTimeoutMs: 20_000, lockTimeoutMs: 5000, rowSecurity: 'off' } as const

interface Checking extends Partial<Pick<CheckRequest, 'statementTimeoutMs' | 'lockTimeoutMs' | 'rowSecurity'>> {
  readonly params?: Readonly<Record<string, string>>
  readonly sourceName?: string
}

async function check(
  url: string,
  source: MappingSource,
  { params = {}, sourceName = './mine.sql', ...options }: Checking = {},
): Promise<CheckReport> {
  const connection = await connect(parseDatabaseUrl(url), new AbortController().signal)
  try {
    const values = paramValues(source.file, params, {})
    return await checkSource(connection.client, { source, sourceName, values, ...OPTIONS, ...options })
  } finally {
    await connection.close()
  }
}

const shown = ({ about, problem }: Finding): string => `${about}: ${problem}`
const errorsOf = ({ findings }: CheckReport): string[] => findings.filter(({ level }) => level === 'error').map(shown)
const about = ({ findings }: CheckReport, what: string): Finding[] => findings.filter((one) => one.about === what)
const rowsOf = ({ sections }: CheckReport): Record<string, number | null> =>
  Object.fromEntries(sections.map(({ relation, rows }) => [relation, rows]))
const columnsOf = ({ sections }: CheckReport, relation: Relation): string | undefined =>
  sections
    .find((one) => one.relation === relation)
    ?.columns?.map(({ name, type }) => `${name} ${type}`)
    .join(', ')

describeWithPostgres('a check', (postgres) => {
  let url: string
  let admin: Client
  const as = (role: string, to = url): string => to.replace('//postgres@', `//${encodeURIComponent(role)}@`)
  const sql = (text: string, database = 'ideas'): Promise<string> => postgres().psql(text, database)
  let databases = 0
  /** A database of one test's own. */
  const database = async (text: string): Promise<{ name: string; to: string }> => {
    const name = `own_${++databases}`
    const to = await postgres().createDatabase(name)
    await sql(text, name)
    onTestFinished(async () => void (await sql(`DROP DATABASE ${name} WITH (FORCE)`, 'postgres')))
    return { name, to }
  }

  beforeAll(async () => {
    url = await postgres().createDatabase('ideas')
    // What the server does by itself must not look like something that a check has written.
    await sql(`ALTER SYSTEM SET autovacuum = off; SELECT pg_reload_conf()`)
    await sql(`${SCHEMA}\n${ROWS}\n${roleScript('native', NATIVE.file.requires, 'reader')}`)
    admin = new Client({ connectionString: url })
    admin.on('error', () => {})
    await admin.connect()
  })
  afterAll(() => admin?.end())

  describe('of a good source says', () => {
    let report: CheckReport
    beforeAll(async () => {
      report = await check(as('reader'), NATIVE, { sourceName: 'native' })
    })

    test('which mapping, server and role, and at which instant', () => {
      expect(report).toMatchObject({ mapping: 'native', server: { role: 'reader', replayLagMs: null } })
      expect(report.server.serverVersion).toMatch(/^\d+/)
      expect(Math.abs(report.server.asOfMs - Date.now())).toBeLessThan(60_000)
    })

    test('the columns and types of every section', () => {
      expect(Object.fromEntries(RELATIONS.map((relation) => [relation, columnsOf(report, relation)]))).toEqual({
        users: 'id int8, created_at timestamptz',
        ideas:
          'id int8, title text, created_at timestamptz, launched bool, launched_at timestamptz, url text, author_id int8, status text',
        idea_categories: 'idea_id int8, category text',
        votes: 'idea_id int8, user_id int8, value int4, created_at timestamptz',
        comments: 'id int8, idea_id int8, user_id int8, created_at timestamptz',
        categories: 'name text',
      })
    })

    test('how many rows each has, counted or not', () => {
      expect(rowsOf(report)).toEqual({ users: 4, ideas: 5, idea_categories: 4, votes: 10, comments: 4, categories: 2 })
    })

    test('the three newest titles, and where they lead', () => {
      expect(report.samples).toEqual([
        { title: 'Five', url: '/ideas/5' },
        { title: 'Four', url: '/ideas/4' },
        { title: 'Three', url: '/ideas/3' },
      ])
    })

    test('the totals, ideas without category among them', () => {
      expect(report.totals).toMatchObject({
        users: 3,
        ideas: 4,
        launched: 3,
        votes: 6,
        comments: 2,
        ideasWithoutCategory: 2,
      })
    })

    test('what is left out or counted differently: orphans, what has no date, what lies in the future', () => {
      expect(report.ignored.map(({ relation, reason, rows }) => `${rows} ${relation}: ${reason}`)).toEqual([
        '1 comments: dated at or after dataAsOf',
        '1 comments: the idea is not among the ideas',
        '1 idea_categories: blank, or the reserved name Uncategorized',
        '1 ideas: dated at or after dataAsOf',
        '1 ideas: launched at or after dataAsOf: undated',
        '1 ideas: launched without a date',
        '1 users: dated at or after dataAsOf',
        '1 votes: dated at or after dataAsOf',
        '1 votes: the idea is dated at or after dataAsOf',
        '1 votes: the idea is not among the ideas',
        '1 votes: undated: in totals and the period all only',
        '1 votes: value is not above zero',
      ])
    })

    test('who votes twice on an idea; those who are not known may', () => {
      expect(report.findings).toEqual([
        {
          level: 'warning',
          about: 'section votes',
          problem: '1 times a user has several votes on an idea (such as on 1): 1 votes too many, if one counts',
          fix: expect.stringMatching(/min\(created_at\)[^]*DISTINCT ON \(idea_id, user_id\)/) as string,
        },
      ])
    })

    test('what a build reads, and how long its questions took', () => {
      expect(report.cost?.plannerCost).toBeGreaterThan(0)
      expect(report.cost?.tables.map(({ table }) => table).sort()).toEqual(
        ['comments', 'idea_categories', 'ideas', 'users', 'votes'].sort(),
      )
      expect(report.cost?.bytes).toBe(report.cost?.tables.reduce((sum, one) => sum + one.bytes * one.times, 0))
      expect(report.cost?.bytes).toBeGreaterThan(0)
      expect(report.seconds).toBeGreaterThanOrEqual(0)
    })

    test('what a build publishes', async () => {
      const built = await run(['--database-url', url, '--snapshots', temporaryFolder(), '--json'])
      expect(built).toMatchObject({ code: 0 })
      const { rows, ignored } = JSON.parse(built.stdout) as { rows: Record<string, number>; ignored: unknown }
      const { users, ideas, votes, comments, launched, categories } = report.totals!
      expect(ignored).toEqual(report.ignored)
      expect({ users, ideas, votes, comments, launchedIdeas: launched, categories }).toEqual(rows)
    })
  })

  test('does not need `requires` lines, nor a section categories', async () => {
    const text = native().text.replace(/-- section categories[^]*$/, '')
    const report = await check(as('reader'), sourceOf(text))
    expect(errorsOf(report)).toEqual([])
    expect(report.totals).toMatchObject({ ideas: 4, categories: 3, votes: 6 })
    expect(report.sections.map(({ relation }) => relation)).toEqual(RELATIONS.filter((one) => one !== 'categories'))
  })

  test('says when there is nothing to publish', async () => {
    const report = await check(url, native({ ideas: `SELECT * FROM ideas WHERE false` }))
    expect(errorsOf(report)).toEqual([])
    expect(report).toMatchObject({ samples: [], totals: { ideas: 0, votes: 0, users: 3 } })
    expect(about(report, 'section ideas').map(({ problem }) => problem)).toEqual([
      'there is nothing to publish: no idea that an anonymous visitor could see',
    ])
  })

  describe('of a mapping that says whether the site is closed', () => {
    const closing = (section: string, ...head: string[]): MappingSource =>
      sourceOf(`${native({}, ...head).text}\n-- section closed\n${section}`)

    test.each([
      ['SELECT false AS closed', { closed: false, reason: null }],
      [`SELECT count(*) > 3 AS closed, 'over ' || 3 AS reason FROM ideas`, { closed: true, reason: 'over 3' }],
    ])('%s', async (section, site) => {
      const report = await check(as('reader'), closing(section))
      expect(errorsOf(report)).toEqual([])
      // What the other sections return is shown all the same: the operator may want to compare.
      expect(report).toMatchObject({ site, totals: { ideas: 4 } })
    })

    test('does not wonder that a closed site shows no idea', async () => {
      const none = native({ ideas: `SELECT * FROM ideas WHERE false` }).text
      const report = await check(url, sourceOf(`${none}\n-- section closed\nSELECT true AS closed`))
      expect([report.site?.closed, about(report, 'section ideas')]).toEqual([true, []])
    })

    test.each([
      ['SELECT true AS closed WHERE false', 'section closed: no row, must be exactly one'],
      ['SELECT NULL::boolean AS closed', 'section closed: column closed is NULL'],
      ['SELECT 1 AS closed', 'section closed: column closed is int4, must be boolean'],
      ['SELECT 1 / 0 = 1 AS closed', 'section closed: division by zero'],
      ['SELECT true AS closed; COMMIT', 'section closed: syntax error at or near ";"'],
      ['SELECT :tenant = 1 AS closed', 'section closed uses :tenant, but none is declared'],
    ])('finds the fault of %s, and goes on', async (section, problem) => {
      const report = await check(as('reader'), closing(section))
      expect(report.site).toBe(null)
      expect(errorsOf(report)).toEqual([expect.stringContaining(problem)])
    })

    test('waits for a parameter, says what to grant, and proposes what it reads', async () => {
      const waiting = await check(as('reader'), closing('SELECT :p AS closed', '-- param p : boolean'))
      expect(errorsOf(waiting)).toEqual(['param p: --param p=VALUE is required (boolean)'])
      await sql('CREATE TABLE site (private boolean); INSERT INTO site VALUES (true)')
      onTestFinished(async () => void (await sql('DROP TABLE site')))
      const denied = await check(as('reader'), closing('SELECT private AS closed FROM site'))
      expect(about(denied, 'section closed').map(({ fix }) => fix)).toEqual([
        'GRANT SELECT (private) ON site TO "reader";',
      ])
      expect(denied.proposedRequires).toContainEqual(expect.objectContaining({ table: 'site', columns: ['private'] }))
    })
  })

  test('of a database without a table says so once a table', async () => {
    const { to } = await database('')
    const report = await check(to, NATIVE, { sourceName: 'native' })
    expect(errorsOf(report)).toEqual(RELATIONS.map((name) => `requires: table ${name} does not exist`))
    expect(report).toMatchObject({ samples: [], totals: null, ignored: [], cost: null, seconds: null })
    expect(Object.values(rowsOf(report))).toEqual(RELATIONS.map(() => null))
  })

  test('says errors first', async () => {
    const report = await check(url, native({ users: `SELECT 1 AS id, 'x' AS created_at` }))
    const levels = report.findings.map(({ level }) => level)
    expect(new Set(levels)).toEqual(new Set(['error', 'warning']))
    expect(levels).toEqual([...levels].sort())
  })

  describe('finds in the rows', () => {
    const one = (relation: Relation, columns: Readonly<Record<string, string>>): string => {
      const select = Object.entries(columns).map(([name, value]) => `${value} AS ${name}`)
      const names = Object.keys(columns)
      const kept = COLUMN_NAMES[relation].filter((name) => !names.includes(name))
      return `SELECT ${[...kept, ...select].join(', ')} FROM (${NO_TABLES[relation]}) AS it`
    }
    const COLUMN_NAMES: Readonly<Record<Relation, readonly string[]>> = {
      users: ['id', 'created_at'],
      ideas: ['id', 'title', 'created_at', 'launched', 'launched_at', 'url', 'author_id', 'status'],
      idea_categories: ['idea_id', 'category'],
      votes: ['idea_id', 'user_id', 'value', 'created_at'],
      comments: ['id', 'idea_id', 'user_id', 'created_at'],
      categories: ['name'],
    }
    test('an idea twice, and says how to find the others', async () => {
      const report = await check(url, tableless({ ideas: `${IDEA} UNION ALL ${IDEA}` }))
      expect(errorsOf(report)).toEqual([
        expect.stringMatching(
          /^rows: mapping mine, section ideas: it returns id 1 2 times; return every idea once. In psql this lists all such ids: SELECT id::text, count/,
        ),
      ])
      expect(report.totals).toBeNull()
      expect(report.samples).toEqual(expect.arrayContaining([{ title: 'One', url: null }]))
      expect(rowsOf(report)['ideas']).toBe(2)
    })

    test.each<[Relation, string, string, string]>([
      ['users', 'id', 'NULL::int', 'id is NULL'],
      ['users', 'created_at', `'-infinity'::timestamptz`, 'undated: in totals and the period all only'],
      ['ideas', 'created_at', `'0044-03-15 BC'::timestamptz`, 'created_at is NULL, or before the year 1'],
      ['ideas', 'launched', 'NULL::boolean', 'launched is NULL: not launched'],
      ['ideas', 'title', `repeat('x', 20000000)`, 'title cut to 10,000 characters'],
      ['votes', 'value', 'NULL::int', 'value is NULL'],
      ['comments', 'created_at', 'NULL::timestamptz', 'undated: in totals and the period all only'],
      ['idea_categories', 'category', 'NULL::text', 'category is NULL'],
      ['categories', 'name', 'NULL::text', 'name is NULL'],
    ])('a row of %s with the %s %s: noted, and no error', async (relation, column, value, reason) => {
      const report = await check(url, tableless({ [relation]: one(relation, { [column]: value }) }))
      expect(errorsOf(report)).toEqual([])
      expect(report.totals).not.toBeNull()
      expect(report.ignored).toContainEqual({ relation, reason, rows: 1 })
      expect(JSON.stringify(report).length).toBeLessThan(20_000)
    })

    test('a division by zero that one row brings', async () => {
      const report = await check(url, tableless({ votes: one('votes', { value: '1 / (idea_id - 1)' }) }))
      expect(errorsOf(report)).toEqual([expect.stringMatching(/^section votes: division by zero; /)])
    })
  })

  describe('finds in the columns', () => {
    test('integer times, and says how to write them, which mends it', async () => {
      await sql('CREATE TABLE old_users AS SELECT 1 AS id, 1700000000 AS seconds, 1700000000000 AS milliseconds')
      const wrong = await check(url, native({ users: 'SELECT id, seconds AS created_at FROM old_users' }))
      expect(errorsOf(wrong)).toEqual([
        'section users: column created_at is int4, must be timestamptz; for epoch seconds write to_timestamp(created_at), for milliseconds to_timestamp(created_at / 1000.0)',
      ])
      expect(wrong.totals).toBeNull()
      for (const time of ['to_timestamp(seconds)', 'to_timestamp(milliseconds / 1000.0)'])
        expect(
          errorsOf(await check(url, native({ users: `SELECT id, ${time} AS created_at FROM old_users` }))),
        ).toEqual([])
    })

    test('a timestamp without time zone, which counts as UTC', async () => {
      const report = await check(url, tableless({ users: `SELECT 1 AS id, '2024-01-01'::timestamp AS created_at` }))
      expect(about(report, 'section users')).toEqual([
        {
          level: 'warning',
          about: 'section users',
          problem: `column created_at is timestamp without time zone and is taken as UTC; write created_at AT TIME ZONE 'UTC' (or its zone) to say so`,
          fix: '',
        },
      ])
      expect(report.totals).toMatchObject({ users: 1 })
    })

    test('all that is missing, wrong or too many at once, in every section', async () => {
      const report = await check(
        url,
        tableless({
          users: `SELECT 1 AS id, 'x' AS email`,
          votes: `SELECT 1 AS idea_id, 1 AS user_id, 1.5 AS value, now() AS created_at`,
        }),
      )
      expect(errorsOf(report)).toEqual([
        'section users: column created_at (timestamptz) is missing; users needs id, created_at',
        `section users: column email is not one of users's; allowed: id, created_at`,
        'section votes: column value is numeric, must be int; write value::int',
      ])
      expect(rowsOf(report)).toEqual(Object.fromEntries(RELATIONS.map((relation) => [relation, 1])))
      expect(report.samples).toEqual([{ title: 'One', url: null }])
    })

    test('none at all', async () => {
      const report = await check(url, tableless({ users: 'SELECT FROM ideas' }))
      expect(errorsOf(report)).toHaveLength(2)
      expect(columnsOf(report, 'users')).toBe('')
      expect(rowsOf(report)['users']).toBe(5)
    })
  })

  describe('finds missing', () => {
    test('columns, with the version of the platform that has them', async () => {
      const { to } = await database(
        `${FIDER_SCHEMA}; ALTER TABLE posts DROP COLUMN is_approved; ALTER TABLE comments DROP COLUMN is_approved`,
      )
      const report = await check(to, openMapping('fider'), { params: { tenant: '1' }, sourceName: 'fider' })
      const fix = 'update the platform, or copy the mapping (analytics-build init fider) and change it'
      const came = `(it came with Fider's migration 202511041300_content_moderation)`
      expect(report.findings.filter(({ level }) => level === 'error')).toEqual([
        { level: 'error', about: 'requires', problem: `column posts.is_approved does not exist ${came}`, fix },
        { level: 'error', about: 'requires', problem: `column comments.is_approved does not exist ${came}`, fix },
      ])
      expect(rowsOf(report)).toEqual({
        users: 4,
        ideas: null,
        idea_categories: 5,
        votes: 13,
        comments: null,
        categories: 3,
      })
    })

    test('columns that a file of one’s own asks for, without a command that would be refused', async () => {
      const report = await check(url, native({}, '-- requires users(id, colour)'))
      const [finding] = about(report, 'requires')
      expect(finding?.problem).toBe('column users.colour does not exist')
      expect(finding?.fix).not.toContain('init ./mine.sql')
    })

    test('a table', async () => {
      const report = await check(url, native({}, '-- requires campaigns(id) -- version 3'))
      expect(about(report, 'requires')).toEqual([
        {
          level: 'error',
          about: 'requires',
          problem: 'table campaigns does not exist (it came with version 3)',
          fix: 'is --source ./mine.sql right here? analytics-build init, without a name, says what the database looks like',
        },
      ])
      expect(rowsOf(report)['votes']).toBe(10)
    })

    test('nothing where a version may lack it', async () => {
      const report = await check(
        url,
        native({}, ...REQUIRES, '-- requires campaigns(id) where present', '-- requires users(colour) where present'),
      )
      expect(errorsOf(report)).toEqual([])
    })

    test('a table, and the mistake in another section that has nothing to do with it', async () => {
      const report = await check(
        url,
        native({ users: 'SELEC id, created_at FROM users' }, ...REQUIRES, '-- requires campaigns(id)'),
      )
      expect(errorsOf(report)).toEqual([
        'requires: table campaigns does not exist',
        expect.stringMatching(/^section users: syntax error at or near/),
      ])
    })
  })

  describe('prints the lines that mend', () => {
    let roles = 0
    /** A role that may log in, and nothing else. */
    const newRole = async (name = `nobody_${++roles}`): Promise<string> => {
      await admin.query(`CREATE ROLE ${quoted(name)} LOGIN`)
      return name
    }
    const statements = (report: CheckReport): string[] => [
      ...new Set(
        report.findings
          .filter(({ level }) => level === 'error')
          .flatMap(({ fix }) => fix.split(/(?<=;) (?=GRANT)/))
          .filter((line) => /^(GRANT|ALTER)\b/.test(line)),
      ),
    ]
    /** Runs exactly what is printed, as long as something is; a server says one refusal at a time. */
    const mend = async (
      to: string,
      name: string,
      source: MappingSource,
      rounds: number,
      path = 'public',
    ): Promise<CheckReport> => {
      let report = await check(to, source)
      expect(errorsOf(report)).not.toEqual([])
      for (let round = 0; round < rounds && errorsOf(report).length > 0; round++) {
        const lines = statements(report)
        if (lines.length === 0) break
        await sql([`SET search_path = ${path};`, ...lines].join('\n'), name)
        report = await check(to, source)
      }
      return report
    }

    test('what the role may not read, table by table', async () => {
      const role = await newRole()
      await admin.query(`GRANT SELECT ON users, ideas, comments TO ${role}; GRANT SELECT (idea_id) ON votes TO ${role}`)
      const report = await check(as(role), native({}, ...REQUIRES))
      expect(about(report, 'requires')).toEqual([
        {
          level: 'error',
          about: 'requires',
          problem: `role ${role} may not read idea_categories(idea_id, category)`,
          fix: `GRANT SELECT (idea_id, category) ON idea_categories TO "${role}";`,
        },
        {
          level: 'error',
          about: 'requires',
          problem: `role ${role} may not read votes(user_id, value, created_at)`,
          fix: `GRANT SELECT (user_id, value, created_at) ON votes TO "${role}";`,
        },
        {
          level: 'error',
          about: 'requires',
          problem: `role ${role} may not read categories(name)`,
          fix: `GRANT SELECT (name) ON categories TO "${role}";`,
        },
      ])
      expect(rowsOf(report)).toMatchObject({ users: 4, ideas: 5, idea_categories: null, votes: null })
    })

    test.each<[string, MappingSource, string]>([
      ['with requires lines', native({}, ...REQUIRES), 'reader_1'],
      ['without them', native(), 'reader_2'],
      ['for a role with quotes in its name', native(), `o'Brien "the reader"; --`],
      ['for a role in capitals, with spaces and umlauts', native({}, ...REQUIRES), 'Öffentliche STATISTIK'],
      ['for a role with a line break in its name', native(), 'one\ntwo'],
      ['for a role with as long a name as there may be', native({}, ...REQUIRES), 'x'.repeat(63)],
    ])('a role that may read nothing, in one go: %s', async (_, source, role) => {
      await newRole(role)
      const report = await mend(as(role), 'ideas', source, 1)
      expect(errorsOf(report)).toEqual([])
      expect(report.totals).toMatchObject({ ideas: 4, votes: 6 })
      expect(about(report, 'role')).toEqual([])
    })

    test('a table in a schema that the search_path does not lead to', async () => {
      const { name, to } = await database(`CREATE SCHEMA "Platform"; SET search_path = "Platform"; ${SCHEMA}; ${ROWS}`)
      const role = await newRole()
      await sql(`GRANT USAGE ON SCHEMA "Platform" TO ${role}`, name)
      const source = native({}, ...REQUIRES)
      const first = await check(as(role, to), source)
      expect(about(first, 'requires')[0]).toMatchObject({
        problem: `table users is in schema Platform, which is not in the search_path of role ${role}`,
        fix: `ALTER ROLE "${role}" SET search_path = "Platform", public;`,
      })
      expect(errorsOf(await mend(as(role, to), name, source, 2, '"Platform"'))).toEqual([])
    })

    test('a table in a schema that the role may not use', async () => {
      const { name, to } = await database(`CREATE SCHEMA hidden; SET search_path = hidden; ${SCHEMA}; ${ROWS}`)
      const role = await newRole()
      const source = native({}, ...REQUIRES)
      const first = await check(as(role, to), source)
      expect(about(first, 'requires')[0]).toMatchObject({
        problem: `role ${role} may not use schema hidden, where table users is`,
        fix: `GRANT USAGE ON SCHEMA hidden TO "${role}";`,
      })
      expect(errorsOf(await mend(as(role, to), name, source, 3, 'hidden'))).toEqual([])
    })

    test('whoever runs it, wherever their search_path leads', async () => {
      const { name, to } = await database(`CREATE SCHEMA platform; SET search_path = platform; ${SCHEMA}; ${ROWS}`)
      const role = await newRole()
      await sql(`GRANT USAGE ON SCHEMA platform TO ${role}; ALTER ROLE ${role} SET search_path = platform`, name)
      const [line] = statements(await check(as(role, to), native({}, ...REQUIRES)))
      expect(line).toContain('platform.users')
    })

    test.each([
      ['with requires lines', ['-- requires hidden.users(id, created_at)']],
      ['without them', []],
    ])('a table whose schema the mapping names, and the role may not use: %s', async (_, head) => {
      const { name, to } = await database(
        `CREATE SCHEMA hidden; CREATE TABLE hidden.users AS SELECT 1 AS id, ${PAST} AS created_at`,
      )
      const role = await newRole()
      const source = tableless({ users: 'SELECT id, created_at FROM hidden.users' }, ...head)
      expect(errorsOf(await mend(as(role, to), name, source, 2))).toEqual([])
    })

    test.each([
      'plain',
      'createdAt',
      'with space',
      'with "quotes"',
      `it's; -- $$ /*`,
      'größe',
      '1st',
      '日本語',
      'y'.repeat(63),
      'value',
      'order',
      'user',
      'select',
    ])('a table and a column called %j, and proposes its requires line', async (odd) => {
      const { name, to } = await database(
        `CREATE TABLE ${quoted(odd)} (${quoted(odd)} int, at timestamptz, secret text);
         INSERT INTO ${quoted(odd)} VALUES (7, ${PAST}, 'x')`,
      )
      const users = `SELECT "t".${quoted(odd)} AS id, "t".at AS created_at FROM ${quoted(odd)} AS "t"`
      const role = await newRole()
      const report = await mend(as(role, to), name, tableless({ users }), 1)
      expect(errorsOf(report)).toEqual([])
      const readable = await sql(
        `SELECT attname FROM pg_attribute WHERE attrelid = ${literal(quoted(odd))}::regclass AND attnum > 0
              AND has_column_privilege('${role}', attrelid, attnum, 'SELECT') ORDER BY attnum`,
        name,
      )
      expect(readable).toBe(`${odd}\nat`)

      const lines = about(report, 'requires').flatMap(({ fix }) => fix.split('\n').slice(1))
      const proposed = tableless({ users }, ...lines)
      expect(proposed.file.requires).toHaveLength(1)
      const other = await newRole()
      await sql(roleScript('mine', proposed.file.requires, other), name)
      const again = await check(as(other, to), proposed)
      expect(errorsOf(again)).toEqual([])
      expect(about(again, 'requires')).toEqual([])
    })
  })

  describe('of a mapping that does not say what it reads', () => {
    test('proposes the lines, which are those of the native mapping', async () => {
      const report = await check(as('reader'), native())
      const [finding, ...more] = about(report, 'requires')
      expect(more).toEqual([])
      expect(finding?.level).toBe('warning')
      expect(finding?.fix.split('\n').slice(1).sort()).toEqual([...REQUIRES].sort())
      expect(report.proposedRequires.map(({ table }) => table).sort()).toEqual([...RELATIONS].sort())
    })

    test('that has them proposes none', async () => {
      const report = await check(as('reader'), native({}, ...REQUIRES))
      expect(report.proposedRequires).toEqual([])
      expect(about(report, 'requires')).toEqual([])
    })

    test('that reads no table proposes none', async () => {
      expect((await check(url, tableless())).proposedRequires).toEqual([])
    })
  })

  describe('row-level security', () => {
    beforeAll(async () => {
      await admin.query(`ALTER TABLE ideas ENABLE ROW LEVEL SECURITY; CREATE POLICY one ON ideas USING (id = 1)`)
      await admin.query(`CREATE ROLE bypasser LOGIN BYPASSRLS`)
      await sql(roleScript('native', NATIVE.file.requires, 'bypasser'))
    })
    afterAll(() => admin.query(`DROP POLICY one ON ideas; ALTER TABLE ideas DISABLE ROW LEVEL SECURITY`))
    const problem = 'row-level security hides rows of ideas from role reader'

    test('is an error that names both ways out', async () => {
      const report = await check(as('reader'), NATIVE)
      expect(report.findings.filter(({ level }) => level === 'error')).toEqual([
        {
          level: 'error',
          about: 'row security',
          problem,
          fix: 'give the role BYPASSRLS, or pass --row-security apply to read through its policies',
        },
      ])
      expect(report.totals).toBeNull()
      expect(rowsOf(report)).toMatchObject({ users: 4, ideas: null, votes: 10 })
    })

    test('is one, too, where the mapping does not say what it reads', async () => {
      expect(errorsOf(await check(as('reader'), native()))).toEqual([
        'row security: row-level security hides rows of ideas from role reader',
      ])
    })

    test('may be applied: only what the role may see counts, which is said', async () => {
      const report = await check(as('reader'), NATIVE, { rowSecurity: 'apply' })
      expect(errorsOf(report)).toEqual([])
      expect(about(report, 'row security')).toEqual([
        {
          level: 'warning',
          about: 'row security',
          problem,
          fix: '--row-security apply counts only what the role may see',
        },
      ])
      expect(report.totals).toMatchObject({ ideas: 1, votes: 5 })
    })

    test('that is applied is said, too, where the mapping does not say what it reads', async () => {
      const report = await check(as('reader'), native(), { rowSecurity: 'apply' })
      expect(report.totals).toMatchObject({ ideas: 1, votes: 5 })
      expect(about(report, 'row security').map((one) => one.problem)).toEqual([problem])
    })

    test('does not concern a role that bypasses it', async () => {
      const report = await check(as('bypasser'), NATIVE)
      expect(errorsOf(report)).toEqual([])
      expect(report.totals).toMatchObject({ ideas: 4 })
    })
  })

  describe('warns of a role that may do more than read', () => {
    const readOnly = 'a role that only reads: analytics-build grants --source native > role.sql'
    const CASES: readonly [may: string, role: string, made: string, problems: readonly string[]][] = [
      ['insert', 'w1', 'GRANT INSERT ON votes TO w1', ['may write votes']],
      ['update a column', 'w2', 'GRANT UPDATE (title) ON ideas TO w2', ['may write ideas']],
      ['truncate', 'w3', 'GRANT TRUNCATE ON comments TO w3', ['may write comments']],
      [
        'write many tables',
        'w4',
        'GRANT DELETE ON users, ideas, votes, comments TO w4',
        ['may write 4 tables, such as comments, ideas, users'],
      ],
      [
        'write through a group',
        'w5',
        'CREATE ROLE crew; GRANT INSERT ON votes TO crew; GRANT crew TO w5',
        ['may write votes'],
      ],
      [
        'create roles and databases, and replicate',
        'w6',
        'ALTER ROLE w6 CREATEROLE CREATEDB REPLICATION',
        ['may create roles, create databases, replicate'],
      ],
      ['create schemas', 'w7', 'GRANT CREATE ON DATABASE ideas TO w7', ['may create schemas']],
      [
        'run programs on the server',
        'w8',
        'GRANT pg_execute_server_program TO w8',
        ['is a member of pg_execute_server_program'],
      ],
    ]
    test.each(CASES)('%s', async (_, role, made, problems) => {
      await sql(`${roleScript('native', NATIVE.file.requires, role)}; ${made}`)
      const report = await check(as(role), NATIVE, { sourceName: 'native' })
      expect(errorsOf(report)).toEqual([])
      expect(about(report, 'role')).toEqual(
        problems.map((problem) => ({
          level: 'warning',
          about: 'role',
          problem: `role ${role} ${problem}`,
          fix: readOnly,
        })),
      )
    })

    test('everything, which a superuser may', async () => {
      expect(about(await check(url, NATIVE, { sourceName: 'native' }), 'role')).toEqual([
        {
          level: 'warning',
          about: 'role',
          problem: 'role postgres is a superuser: it may read and change everything',
          fix: readOnly,
        },
      ])
    })

    test.each([
      ['everybody', 'PUBLIC'],
      ['the role', 'creator'],
    ])('create tables, as %s may; the line takes it back', async (_, grantee) => {
      const { name, to } = await database(`CREATE SCHEMA "My Schema"; CREATE SCHEMA other`)
      await sql(
        `DO $$ BEGIN CREATE ROLE creator LOGIN; EXCEPTION WHEN duplicate_object THEN NULL; END $$;
         GRANT CREATE ON SCHEMA "My Schema" TO ${grantee}`,
        name,
      )
      const report = await check(as('creator', to), tableless())
      const [finding, ...more] = about(report, 'role')
      expect(more).toEqual([])
      expect(finding?.problem).toBe('role creator may create tables in schema My Schema')
      await sql(/REVOKE .*;/.exec(finding?.fix ?? '')?.[0] ?? '', name)
      expect(about(await check(as('creator', to), tableless()), 'role')).toEqual([])
    })
  })

  describe('parameters', () => {
    const SITES = `-- choices site\nSELECT id AS value, name AS label FROM sites`
    const TAGS = `-- choices done\nSELECT name AS value, name AS label FROM tags WHERE site_id = :site`
    const users = `SELECT 1 AS id, ${PAST} AS created_at WHERE :site > 0`
    beforeAll(() =>
      admin.query(`
        CREATE TABLE sites (id int, name text);
        INSERT INTO sites VALUES (1, 'acme'), (2, 'other one'), (3, NULL), (NULL, 'nameless');
        CREATE TABLE tags (site_id int, name text);
        INSERT INTO tags VALUES (1, 'Done'), (1, 'Won''t do'), (1, 'In progress'), (2, 'Theirs')`),
    )
    const site = (...more: string[]): MappingSource => tableless({ users }, '-- param site : int -- which one', ...more)

    test('that is required and not given is an error with what it may be, and what does not need it goes on', async () => {
      const report = await check(url, site(SITES))
      expect(report.findings[0]).toEqual({
        level: 'error',
        about: 'param site',
        problem: '--param site=VALUE is required (int: which one)',
        fix: 'one of: --param site=1 (acme), --param site=2 (other one), --param site=3',
      })
      expect(errorsOf(report)).toHaveLength(1)
      expect(report.params).toEqual([
        {
          name: 'site',
          type: 'int',
          description: 'which one',
          value: null,
          from: null,
          choices: [
            { value: '1', label: 'acme' },
            { value: '2', label: 'other one' },
            { value: '3', label: null },
          ],
        },
      ])
      expect(rowsOf(report)).toEqual({ ideas: 1, idea_categories: 1, votes: 1, comments: 1, categories: 1 })
      expect(report.samples).toEqual([{ title: 'One', url: null }])
    })

    test('of which there is one choice', async () => {
      const only = '-- choices site\nSELECT id AS value, name AS label FROM sites WHERE id = 1'
      expect((await check(url, site(only))).findings[0]?.fix).toBe('it can only be: --param site=1 (acme)')
    })

    test('without a word on what it may be', async () => {
      expect((await check(url, site())).findings[0]).toMatchObject({
        problem: '--param site=VALUE is required (int: which one)',
        fix: '',
      })
    })

    test('with many choices: the first eight are said, all are listed', async () => {
      const many = '-- choices site\nSELECT n AS value, NULL AS label FROM generate_series(1, 12) AS n'
      const report = await check(url, site(many))
      expect(report.findings[0]?.fix).toMatch(/^one of: --param site=1, .*--param site=8, and 4 more$/)
      expect(report.params[0]?.choices).toHaveLength(12)
    })

    test('whose value is one of the choices', async () => {
      const report = await check(url, site(SITES), { params: { site: '2' } })
      expect(errorsOf(report)).toEqual([])
      expect(report.params[0]).toMatchObject({ value: '2', from: 'flag' })
    })

    test('whose value the database does not know is an error', async () => {
      const report = await check(url, site(SITES), { params: { site: '9' } })
      expect(report.findings[0]).toEqual({
        level: 'error',
        about: 'param site',
        problem: '--param site: the database has no 9',
        fix: 'one of: --param site=1 (acme), --param site=2 (other one), --param site=3',
      })
      expect(report.totals).toBeNull()
    })

    test('whose value is a number, however it is written', async () => {
      expect(errorsOf(await check(url, site(SITES), { params: { site: '01' } }))).toEqual([])
    })

    test('with nothing to choose from', async () => {
      const none = '-- choices site\nSELECT id AS value, name AS label FROM sites WHERE false'
      const report = await check(url, site(none), { params: { site: '1' } })
      expect(report.findings[0]).toMatchObject({
        level: 'error',
        problem: '--param site: the database has no 1',
        fix: 'there is nothing to choose from',
      })
    })

    test('with more choices than can be held against', async () => {
      const many = '-- choices site\nSELECT n AS value, NULL AS label FROM generate_series(1, 101) AS n'
      expect(errorsOf(await check(url, site(many), { params: { site: '500' } }))).toEqual([])
    })

    test('that is a list: an item that the database does not know is a warning', async () => {
      const source = site('-- param done : text[] = Done, Shipped', SITES, TAGS)
      const report = await check(url, source, { params: { site: '1', done: 'Done,Shipped' } })
      expect(about(report, 'param done')).toEqual([
        {
          level: 'warning',
          about: 'param done',
          problem: '--param done: the database has no Shipped',
          fix: expect.stringMatching(/^there are: Done, .*give them as --param 'done=ONE,TWO'$/) as string,
        },
      ])
      expect(report.totals).toMatchObject({ ideas: 1 })
      const byDefault = await check(url, source, { params: { site: '1' } })
      expect(about(byDefault, 'param done'), 'of a default one is enough').toEqual([])
      expect(
        about(await check(url, source, { params: { site: '1', done: 'done,In progress' } }), 'param done'),
      ).toEqual([])
    })

    test('whose choices need another one: none until that is given, and no second complaint', async () => {
      const source = site('-- param done : text[] = Done', SITES, TAGS)
      const without = await check(url, source)
      expect(without.params.map(({ name, choices }) => [name, choices?.length])).toEqual([
        ['site', 3],
        ['done', undefined],
      ])
      expect(about(without, 'param done')).toEqual([])
      expect(errorsOf(without)).toHaveLength(1)
      const given = await check(url, source, { params: { site: '1' } })
      expect(given.params[1]?.choices?.map(({ value }) => value)).toEqual(['Done', `Won't do`, 'In progress'])
    })

    test.each([
      ['fail', 'SELECT id AS value, name AS label FROM nowhere', /^choices site: relation "nowhere" does not exist; /],
      ['lack a column', 'SELECT id AS value FROM sites', /^choices site: column "label" does not exist; /],
      ['write', `DELETE FROM sites RETURNING id AS value, name AS label`, /^choices site: syntax error /],
      [
        'hide a second statement',
        `SELECT 1 AS value, '' AS label) AS source; DROP TABLE sites; SELECT * FROM (SELECT 1`,
        /^choices site: cannot insert multiple commands into a prepared statement; /,
      ],
      [
        'never end',
        'SELECT count(*) AS value, NULL AS label FROM generate_series(1, 9000000000000)',
        /--statement-timeout/,
      ],
      [
        'use what is not declared',
        'SELECT :other AS value, NULL AS label',
        /choices site uses :other, but declared: site/,
      ],
    ])('whose choices %s: a warning, and the rest goes on', async (_, choices, problem) => {
      const source = site(`-- choices site\n${choices}`)
      const report = await check(url, source, { params: { site: '1' }, statementTimeoutMs: 500 })
      expect(about(report, 'param site')).toEqual([
        { level: 'warning', about: 'param site', problem: expect.stringMatching(problem) as string, fix: '' },
      ])
      expect(report.totals).toMatchObject({ users: 1, ideas: 1 })
      expect(await sql('SELECT count(*) FROM sites')).toBe('4')
    })

    test.each(['plain', 'with space', '$(touch x)', '"double"', 'back\\slash', '`tick`', 'new\nline', `Won't do`])(
      'that may be %j is printed as a shell takes it',
      async (value) => {
        const choices = `-- choices done\nSELECT ${literal(value).replace('\n', `' || chr(10) || '`)} AS value, NULL AS label`
        const report = await check(
          url,
          tableless(
            { users: `SELECT 1 AS id, ${PAST} AS created_at WHERE :done <> ''` },
            '-- param done : text',
            choices,
          ),
        )
        const fix = report.findings[0]?.fix.replace(/^it can only be: /, '') ?? ''
        expect(execFileSync('sh', ['-c', `printf '%s|' ${fix}`], { encoding: 'utf8' })).toBe(`--param|done=${value}|`)
      },
    )

    test('that a section uses and nobody declared', async () => {
      const report = await check(url, tableless({ users }))
      expect(errorsOf(report)).toEqual([
        'section users: mine.sql: section users uses :site, but none is declared; add a "-- param site : TYPE" line',
      ])
      expect(rowsOf(report)['votes']).toBe(1)
    })
  })

  describe('several sites in one database', () => {
    /** Ideas in a table with one more column; `values` are those of three ideas. */
    const tenants = (
      table: string,
      column: string,
      type: string,
      values: readonly string[],
    ): Promise<{ name: string; to: string }> =>
      database(
        `CREATE TABLE ${table} (id int, title text, created_at timestamptz, ${column} ${type});
         INSERT INTO ${table} SELECT n, 'Idea ' || n, ${PAST}, (ARRAY[${values.join()}]::${type}[])[n] FROM generate_series(1, 3) n`,
      )
    const ideas = (table: string, where = ''): Sections => ({
      ideas: `SELECT id, title, created_at, false AS launched, NULL::timestamptz AS launched_at, NULL AS url, NULL AS author_id, NULL AS status
                FROM ${table} ${where}`,
    })
    const UUIDS = [1, 2, 3].map((n) => `'00000000-0000-0000-0000-00000000000${n}'`)

    test.each<[string, string, string, string, readonly string[], string, string]>([
      ['an int', 'ideas', 'tenant_id', 'int', ['1', '2', '2'], 'int', 'tenant_id = :tenant'],
      [
        'a bigint in quoted camelCase',
        'ideas',
        '"tenantId"',
        'bigint',
        ['1', '2', '3'],
        'bigint',
        '"tenantId" = :tenant',
      ],
      ['a text', 'ideas', 'site_id', 'text', [`'a'`, `'b'`, `'b'`], 'text', 'site_id = :tenant'],
      ['a uuid', 'ideas', 'organization_id', 'uuid', UUIDS, 'text', 'organization_id::text = :tenant'],
      [
        'a uuid in quoted camelCase',
        'ideas',
        '"organisationId"',
        'uuid',
        UUIDS,
        'text',
        '"organisationId"::text = :tenant',
      ],
      ['a smallint', 'ideas', 'workspace_id', 'smallint', ['1', '2', '3'], 'text', 'workspace_id::text = :tenant'],
      ['in a quoted table', '"Ideas of all"', '"accountId"', 'int', ['1', '1', '2'], 'int', '"accountId" = :tenant'],
    ])(
      '%s: the parameter that tells them apart, which mends it',
      async (_, table, column, type, values, param, compared) => {
        const { to } = await tenants(table, column, type, values)
        const report = await check(to, tableless(ideas(table)))
        const [finding, ...more] = about(report, 'tenants')
        expect(more).toEqual([])
        expect(finding?.level).toBe('error')
        expect(finding?.problem).toMatch(
          / holds [23] values \(.*\), and the mapping does not mention it: several sites would count as one$/,
        )
        expect(finding?.problem.startsWith(`${table}.${column} `)).toBe(true)
        expect(finding?.fix).toBe(`add the line "-- param tenant : ${param}" and, to each section, WHERE ${compared}`)
        expect(report.totals).toBeNull()

        const [, line = '', where = ''] = /line "(.*)" and, to each section, (WHERE .*)$/.exec(finding?.fix ?? '') ?? []
        const first = values[0]!.replaceAll("'", '')
        const mended = await check(to, tableless(ideas(table, where), line), { params: { tenant: first } })
        expect(errorsOf(mended)).toEqual([])
        expect(mended.totals).toMatchObject({ ideas: values.filter((value) => value === values[0]).length })
      },
    )

    test.each([
      ['there is only one', 'tenant_id', ['1', '1', '1'], ''],
      ['there is one, and rows of none', 'tenant_id', ['1', 'NULL', '1'], ''],
      ['the mapping mentions it', 'tenant_id', ['1', '2', '3'], 'WHERE tenant_id = 1'],
      ['the mapping mentions it in quotes', '"tenantId"', ['1', '2', '3'], 'WHERE "tenantId" = 1'],
      ['the column is called otherwise', 'account', ['1', '2', '3'], ''],
    ])('nothing is said when %s', async (_, column, values, where) => {
      const { to } = await tenants('ideas', column, 'int', values)
      const report = await check(to, tableless(ideas('ideas', where)))
      expect(errorsOf(report)).toEqual([])
      expect(report.totals).not.toBeNull()
    })

    test('a comment of the mapping does not tell them apart', async () => {
      const { to } = await tenants('ideas', 'tenant_id', 'int', ['1', '2', '3'])
      expect(
        about(await check(to, tableless(ideas('ideas', '/* tenant_id? */ -- tenant_id'))), 'tenants'),
      ).toHaveLength(1)
    })

    test('many are not all counted', async () => {
      const { name, to } = await tenants('ideas', 'tenant_id', 'int', ['1', '2', '3'])
      await sql(`INSERT INTO ideas SELECT n, 'x', ${PAST}, n FROM generate_series(4, 1000) n`, name)
      expect(about(await check(to, tableless(ideas('ideas'))), 'tenants')[0]?.problem).toMatch(
        / holds at least 6 values /,
      )
    })

    test('through a view, and in a partitioned table', async () => {
      const { to } = await database(`
        CREATE TABLE all_ideas (id int, title text, created_at timestamptz, tenant_id int) PARTITION BY LIST (tenant_id);
        CREATE TABLE ideas_1 PARTITION OF all_ideas FOR VALUES IN (1);
        CREATE TABLE ideas_2 PARTITION OF all_ideas FOR VALUES IN (2);
        INSERT INTO all_ideas VALUES (1, 'a', ${PAST}, 1), (2, 'b', ${PAST}, 2);
        CREATE VIEW seen AS SELECT * FROM all_ideas`)
      for (const table of ['all_ideas', 'seen'])
        expect(about(await check(to, tableless(ideas(table))), 'tenants')).toHaveLength(1)
    })

    test('a table that the ideas are joined with', async () => {
      const { to } = await tenants('ideas', 'tenant_id', 'int', ['1', '2', '3'])
      const joined = `${IDEA} WHERE EXISTS (SELECT FROM users AS u JOIN ideas AS i ON true)`
      expect(about(await check(to, tableless({ ideas: joined })), 'tenants')).toHaveLength(1)
    })

    test('what the role may not read is not asked', async () => {
      const { name, to } = await tenants('ideas', 'tenant_id', 'int', ['1', '2', '3'])
      await sql(`GRANT SELECT (id, title, created_at) ON ideas TO reader`, name)
      expect(errorsOf(await check(as('reader', to), tableless(ideas('ideas'))))).toEqual([])
    })

    test('a table whose schema the mapping names', async () => {
      const { to } = await database(`
        CREATE SCHEMA polis;
        CREATE TABLE polis.ideas (id int, title text, created_at timestamptz, tenant_id int);
        INSERT INTO polis.ideas VALUES (1, 'a', ${PAST}, 1), (2, 'b', ${PAST}, 2)`)
      expect(about(await check(to, tableless(ideas('polis.ideas'))), 'tenants')).toEqual([
        expect.objectContaining({
          level: 'error',
          problem: expect.stringContaining('polis.ideas.tenant_id holds 2') as string,
        }),
      ])
    })

    test('a table called by a reserved word', async () => {
      const { to } = await tenants('"order"', 'tenant_id', 'int', ['1', '2', '3'])
      expect(about(await check(to, tableless(ideas('"order"'))), 'tenants')).toHaveLength(1)
    })

    test('a mention of another column is none', async () => {
      const { name, to } = await tenants('ideas', 'tenant_id', 'int', ['1', '2', '3'])
      await sql(`ALTER TABLE ideas ADD COLUMN former_tenant_id int`, name)
      const source = tableless(ideas('ideas', 'WHERE former_tenant_id IS NULL'))
      expect(about(await check(to, source), 'tenants')).toHaveLength(1)
    })
  })

  describe('what reading costs', () => {
    /** Votes dated by a log: for each vote the log is read from end to end, unless it has an index. */
    const dated = (log: string): Sections => ({
      votes: `SELECT v.idea_id, v.user_id, v.value, (SELECT min(l.at) FROM ${log} l WHERE l.vote_idea = v.idea_id) AS created_at FROM votes v`,
    })
    const LOG = `CREATE TABLE TABLE_NAME (vote_idea bigint, at timestamptz);
                 INSERT INTO TABLE_NAME SELECT n, ${PAST} FROM generate_series(1, 5000) n;`
    const many = `INSERT INTO ideas SELECT n, 'Idea', ${PAST} FROM generate_series(1, 500) n;
                  INSERT INTO votes SELECT n, n, 1, ${PAST} FROM generate_series(1, 500) n;`

    test.each(['vote_log', '"voteLog"'])(
      'is said with the index that %s lacks; with it nothing is said',
      async (log) => {
        const { name, to } = await database(`${SCHEMA}; ${many} ${LOG.replaceAll('TABLE_NAME', log)} ANALYZE`)
        const report = await check(to, native(dated(log)))
        const line = `CREATE INDEX CONCURRENTLY ON ${log} (vote_idea);`
        expect(about(report, 'index')).toEqual([
          {
            level: 'warning',
            about: 'index',
            problem: expect.stringMatching(
              /^the mapping reads (?:vote_log|"voteLog") from end to end about [\d,]+ times$/i,
            ) as string,
            fix: line,
          },
        ])
        await sql(`${line} ANALYZE`, name)
        expect(about(await check(to, native(dated(log))), 'index')).toEqual([])
      },
    )

    test('of a small table asks for no index that is there', async () => {
      const { to } = await database(
        `${SCHEMA}; ${many} CREATE TABLE sites (id int PRIMARY KEY, path text); INSERT INTO sites VALUES (1, '/a'); ANALYZE`,
      )
      const ideas = `SELECT i.id, i.title, i.created_at, i.launched, i.launched_at, i.author_id, i.status,
                            (SELECT s.path FROM sites s WHERE s.id = i.id % 2) AS url FROM ideas i`
      const report = await check(to, native({ ideas }))
      expect(errorsOf(report)).toEqual([])
      expect(about(report, 'index')).toEqual([])
    })

    test('is no matter for the native mapping, whatever its size', async () => {
      const { to } = await database(
        `${SCHEMA}; ${many} INSERT INTO votes SELECT 1, n, 1, ${PAST} FROM generate_series(1, 20000) n; ANALYZE`,
      )
      expect(about(await check(to, NATIVE), 'index')).toEqual([])
    })

    test('is a guess without statistics; the line that counts them ends that', async () => {
      const { name, to } = await database(`${SCHEMA}; ${ROWS.replace('ANALYZE', '')}`)
      const report = await check(to, NATIVE)
      const [finding, ...more] = about(report, 'statistics')
      expect(more).toEqual([])
      expect(finding?.problem).toMatch(/^the planner has no statistics of \w+(, \w+)*: it guesses/)
      await sql(finding?.fix ?? '', name)
      expect(about(await check(to, NATIVE), 'statistics')).toEqual([])
    })

    const BYTES = 200_000
    const big = `CREATE TABLE TABLE_NAME (idea_id bigint, user_id bigint, value int, created_at timestamptz)`
    const filled = `INSERT INTO TABLE_NAME SELECT 1, n, 1, ${PAST} FROM generate_series(1, 5000) n; ANALYZE`

    test.each([
      [
        'a partitioned table',
        `DROP TABLE votes; ${big.replace('TABLE_NAME', 'votes')} PARTITION BY LIST (idea_id);
         CREATE TABLE votes_1 PARTITION OF votes FOR VALUES IN (1); ${filled.replace('TABLE_NAME', 'votes')}`,
      ],
      [
        'a view',
        `DROP TABLE votes; ${big.replace('TABLE_NAME', 'ballots')}; ${filled.replace('TABLE_NAME', 'ballots')};
         CREATE VIEW votes AS SELECT * FROM ballots`,
      ],
      [
        'a table that another schema has, too, and empty',
        `CREATE SCHEMA archive; ${big.replace('TABLE_NAME', 'archive.votes')}; ${filled.replace('TABLE_NAME', 'votes')}`,
      ],
    ])('counts the bytes of %s', async (_, made) => {
      const { to } = await database(`${SCHEMA}; ${made}`)
      const report = await check(to, native())
      expect(errorsOf(report)).toEqual([])
      expect(report.cost?.bytes).toBeGreaterThan(BYTES)
      expect(about(report, 'statistics')).toEqual([])
    })
  })

  describe('of a mapping that must not be trusted', () => {
    let before: string
    /** Everything that a dump of the database holds; pg_dump guards its text with a word of chance. */
    const dump = (): string =>
      execFileSync(join(bin(), 'pg_dump'), ['-d', url], { encoding: 'utf8' }).replaceAll(/^\\(un)?restrict .*$/gm, '')
    const bin = (): string => {
      const available = postgresAvailable()
      if (!available.ok) throw new Error(available.how)
      return available.bin
    }
    beforeAll(async () => {
      await admin.query(`
        CREATE SEQUENCE tickets;
        CREATE FUNCTION meddle() RETURNS int LANGUAGE plpgsql AS $$ BEGIN DELETE FROM votes; RETURN 1; END $$`)
      before = dump()
    })

    const slow = 'a query ran longer than --statement-timeout; raise it, or see which index the mapping would need'
    const oneSelect = 'mend the mapping: each section is one'
    test.each<[string, string, string]>([
      ['a second statement', `SELECT 1 AS id, now() AS created_at; DROP TABLE votes`, oneSelect],
      [
        'a second statement behind a parenthesis of its own',
        `SELECT 1 AS id, now() AS created_at) AS source; DROP TABLE votes; SELECT * FROM (SELECT 1 AS id, now() AS created_at`,
        oneSelect,
      ],
      [
        'an end of the transaction',
        `SELECT 1 AS id, now() AS created_at) AS s; COMMIT; DELETE FROM votes; --`,
        oneSelect,
      ],
      ['a deletion', `DELETE FROM votes RETURNING 1 AS id, now() AS created_at`, oneSelect],
      [
        'a deletion in WITH',
        `WITH gone AS (DELETE FROM votes RETURNING 1 AS id) SELECT id, now() AS created_at FROM gone`,
        oneSelect,
      ],
      ['a new table', `SELECT 1 AS id, now() AS created_at INTO TABLE loot`, oneSelect],
      ['a COPY to a program', `COPY votes TO PROGRAM 'cat'`, oneSelect],
      ['a COPY of an answer', `COPY (SELECT 1) TO STDOUT`, oneSelect],
      ['a DO', `DO $$ BEGIN DELETE FROM votes; END $$`, oneSelect],
      ['a function that writes', `SELECT meddle() AS id, ${PAST} AS created_at`, 'a mapping may only read'],
      ['a sequence that moves', `SELECT nextval('tickets') AS id, ${PAST} AS created_at`, 'a mapping may only read'],
      ['a lock of rows', `SELECT id, created_at FROM users FOR UPDATE`, 'a mapping may only read'],
      [
        'an end of reading only',
        `SELECT 1 AS id, set_config('transaction_read_only', 'off', true)::timestamptz AS created_at`,
        'cannot set transaction read-write mode inside a read-only transaction',
      ],
      ['a sleep', `SELECT 1 AS id, ${PAST} AS created_at FROM pg_sleep(60)`, slow],
      ['no end', `SELECT n AS id, ${PAST} AS created_at FROM generate_series(1, 9000000000000) n`, slow],
      [
        'no end, recursively',
        `WITH RECURSIVE n AS (SELECT 1 AS id UNION ALL SELECT 1 FROM n) SELECT id, ${PAST} AS created_at FROM n`,
        slow,
      ],
      ['an open comment', `SELECT 1 AS id, now() AS created_at /* and`, oneSelect],
      ['an open string', `SELECT 1 AS id, now() AS created_at WHERE '`, oneSelect],
      ['an open dollar quote', `SELECT 1 AS id, now() AS created_at WHERE $x$`, oneSelect],
      ['an open parenthesis', `SELECT 1 AS id, (now() AS created_at`, oneSelect],
    ])('%s is refused, and nothing is written', async (_, users, problem) => {
      const startMs = performance.now()
      const report = await check(url, native({ users }), { statementTimeoutMs: 300 })
      expect(performance.now() - startMs).toBeLessThan(5000)
      const errors = errorsOf(report)
      expect(errors).toEqual([expect.stringMatching(/^section users(?:, line \d)?: /)])
      expect(errors[0]).toContain(problem)
      expect(errors[0]).not.toContain('\n')
      expect(report.totals).toBeNull()
      expect(rowsOf(report)).toMatchObject({ users: null, ideas: 5, votes: 10, comments: 4 })
      expect(report.samples).toHaveLength(3)
      expect(dump()).toBe(before)
    })

    test.each([
      ['dollar quotes', `SELECT length($$it's; -- DROP$$ || $a$ /* $a$) AS id, ${PAST} AS created_at`],
      ['a line comment at the end', `SELECT 1 AS id, ${PAST} AS created_at -- that is all; DROP`],
      ['a block comment at the end', `SELECT 1 AS id, ${PAST} AS created_at /* ; /* nested */ */`],
      ['a semicolon and a comment at the end', `SELECT 1 AS id, ${PAST} AS created_at; -- that is all`],
      ['strings that look like more', `SELECT length('; DROP TABLE votes; --') AS id, ${PAST} AS created_at`],
      ['backslashes', `SELECT length(E'\\'; -- ') AS id, ${PAST} AS created_at`],
      ['WITH', `WITH one AS (SELECT 1 AS id) SELECT id, ${PAST} AS created_at FROM one`],
      ['VALUES', `SELECT * FROM (VALUES (1, ${PAST})) AS v (id, created_at)`],
      [
        'UNION, ORDER BY and LIMIT',
        `SELECT 1 AS id, ${PAST} AS created_at UNION ALL SELECT 2, ${PAST} ORDER BY 1 LIMIT 1`,
      ],
    ])('%s is taken', async (_, users) => {
      const report = await check(url, native({ users }))
      expect(errorsOf(report)).toEqual([])
      expect(report.totals).toMatchObject({ users: 1, ideas: 4 })
      expect(dump()).toBe(before)
    })

    test('a large object that a section makes is not kept', async () => {
      onTestFinished(async () => void (await sql('SELECT lo_unlink(oid) FROM pg_largeobject_metadata')))
      await check(url, native({ users: `SELECT lo_from_bytea(0, 'loot')::int8 AS id, ${PAST} AS created_at` }))
      expect(dump()).toBe(before)
    })

    test('all sections at once: each is refused by itself', async () => {
      const report = await check(
        url,
        native(Object.fromEntries(RELATIONS.map((relation) => [relation, 'DROP TABLE votes']))),
      )
      expect(errorsOf(report)).toHaveLength(RELATIONS.length)
      expect(report.samples).toEqual([])
      expect(dump()).toBe(before)
    })

    test('one that ends its own session ends the check', async () => {
      const users = `SELECT pg_terminate_backend(pg_backend_pid())::int AS id, ${PAST} AS created_at`
      const failure = await check(url, native({ users })).then(
        () => null,
        (error: unknown) => error,
      )
      expect(failure).toBeInstanceOf(SourceError)
      expect(failure).toMatchObject({ kind: 'source', message: expect.stringMatching(/^mapping mine: /) as string })
    })
  })

  describe('meanwhile', () => {
    const SLEEPS = `SELECT 1 AS id, ${PAST} AS created_at FROM pg_sleep(1.5) UNION ALL SELECT id, created_at FROM users WHERE false`
    const asleep = async (): Promise<number> => {
      const { rows } = await admin.query<{ pid: number }>(
        `SELECT pid FROM pg_stat_activity WHERE application_name = 'analytics-build' AND wait_event = 'PgSleep'`,
      )
      return rows[0]?.pid ?? 0
    }
    const untilAsleep = async (): Promise<number> => {
      await expect.poll(asleep, { timeout: 10_000, interval: 20 }).toBeGreaterThan(0)
      return asleep()
    }

    test('others write at once, and the check sees one instant', async () => {
      const work = check(url, native({ users: SLEEPS }))
      const pid = await untilAsleep()
      await admin.query(`SET lock_timeout = '500ms'`)
      onTestFinished(async () => void (await admin.query(`RESET lock_timeout; DELETE FROM votes WHERE user_id = 77`)))
      await admin.query(`INSERT INTO votes VALUES (1, 77, 1, ${PAST})`)
      await admin.query(`UPDATE ideas SET title = title; UPDATE users SET created_at = created_at`)
      const { rows } = await admin.query<{ mode: string }>(
        `SELECT DISTINCT mode FROM pg_locks WHERE pid = $1 AND locktype = 'relation'`,
        [pid],
      )
      expect(await asleep()).toBe(pid)
      expect(rows).toEqual([{ mode: 'AccessShareLock' }])
      const report = await work
      expect(rowsOf(report)['votes']).toBe(10)
      expect(report.totals).toMatchObject({ votes: 6 })
    })

    test('its transaction gets no number: nothing is written', async () => {
      const next = async (): Promise<string> => sql('SELECT pg_snapshot_xmax(pg_current_snapshot())', 'postgres')
      // Whatever an earlier test left running would take numbers, too.
      const before = await next()
      for (const source of [NATIVE, native({ users: 'DELETE FROM votes', ideas: 'SELECT' }), tableless()])
        await check(as('reader'), source)
      expect(await next()).toBe(before)
    })

    test('somebody changes a table: that is a finding, and the rest goes on', async () => {
      await admin.query('BEGIN; ALTER TABLE votes ADD COLUMN weight int')
      onTestFinished(async () => void (await admin.query('ROLLBACK')))
      const report = await check(url, native(), { lockTimeoutMs: 200 })
      expect(errorsOf(report)).toEqual([
        expect.stringMatching(/^section votes: .*--lock-timeout: another session changes a table/),
      ])
      expect(rowsOf(report)).toMatchObject({ users: 4, ideas: 5, votes: null, comments: 4 })
    })

    test('the session is ended by somebody: the check ends with that, and may be tried again', async () => {
      const work = check(url, native({ users: SLEEPS })).then(
        () => null,
        (error: unknown) => error,
      )
      await admin.query('SELECT pg_terminate_backend($1)', [await untilAsleep()])
      const failure = await work
      expect(failure).toBeInstanceOf(SourceError)
      expect(failure).toMatchObject({ kind: 'source', retryable: true })
      expect((failure as SourceError).message).toMatch(/^mapping mine: /)
    })

    test('the session goes to somebody else afterwards, as it was', async () => {
      const connection = await connect(parseDatabaseUrl(url), new AbortController().signal)
      onTestFinished(() => connection.close())
      const settings = async (): Promise<unknown> =>
        (
          await connection.client.query(
            `SELECT current_setting('timezone') AS zone, current_setting('statement_timeout') AS statement,
                    current_setting('row_security') AS rows, current_setting('transaction_read_only') AS reads`,
          )
        ).rows
      const before = await settings()
      await checkSource(connection.client, { source: native(), sourceName: './mine.sql', values: [], ...OPTIONS })
      expect(await settings()).toEqual(before)
    })
  })

  describe('on a hot standby', () => {
    let standby: string
    let started: Standby | undefined

    beforeAll(async () => {
      started = await startStandby(postgres())
      standby = started.url('reader', 'ideas')
    })
    afterAll(() => started?.stop())

    test('it says the same as on the primary, and how far the standby lags', async () => {
      const there = await check(standby, NATIVE)
      const here = await check(as('reader'), NATIVE)
      expect(here.server.replayLagMs).toBeNull()
      expect(there.server.replayLagMs).toBeGreaterThanOrEqual(0)
      expect(there.totals).toEqual(here.totals)
      expect(there.sections).toEqual(here.sections)
      expect(there.findings).toEqual(here.findings)
      expect(there.ignored).toEqual(here.ignored)
    })

    test('what fails is a finding there, too, and the rest goes on', async () => {
      const report = await check(standby, native({ users: 'SELECT 1 / 0 AS id, now() AS created_at' }))
      expect(errorsOf(report)).toEqual([expect.stringMatching(/^section users: division by zero/)])
      expect(rowsOf(report)).toMatchObject({ users: null, ideas: 5 })
    })
  })
})
