// A check reports what a source holds and what a build would publish of it; check.ts, sections.ts and rows.ts.
import { beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import type { CheckReport } from '../../../src/source/check/check.ts'
import type { MappingSource } from '../../../src/source/mapping/mapping.ts'
import { RELATIONS, type Relation } from '../../../src/source/mapping/relations.ts'
import { run } from '../../builder/build-program.ts'
import { temporaryFolder } from '../../support/temporary-folder.ts'
import { describeWithPostgres } from '../../support/postgres.ts'
import { of } from '../read/reading.ts'
import {
  NATIVE,
  IDEA,
  NO_TABLES,
  sourceOf,
  native,
  tableless,
  check,
  errorsOf,
  about,
  rowsOf,
  columnsOf,
  usePlatform,
  type Sections,
} from './checking.ts'

describeWithPostgres('a check', (postgres) => {
  let url: string
  const { as, sql, database } = usePlatform(postgres, (platform) => ({ url } = platform))

  describe('of a good source says', () => {
    let report: CheckReport
    beforeAll(async () => {
      report = await check(as('reader'), NATIVE)
    })

    test('which mapping, server and role, and at which time', () => {
      expect(report).toMatchObject({ mapping: 'native', server: { role: 'reader', replayLagMs: null } })
      expect(report.server.serverVersion).toMatch(/^\d+/)
      // check --json prints all of it.
      expect(Object.keys(report.server).sort()).toEqual(['asOfMs', 'replayLagMs', 'role', 'serverVersion', 'standby'])
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
        { title: 'Four', url: '/ideas/4' },
        { title: 'Three', url: '/ideas/3' },
        { title: 'Two', url: null },
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

    test('users with two votes on an idea; anonymous votes may repeat', () => {
      expect(report.findings).toEqual([
        {
          level: 'warning',
          about: 'section votes',
          problem: '1 times a user has several votes on an idea (such as on 1): 1 votes too many, if one counts',
          fix: expect.stringMatching(/min\(created_at\)[^]*DISTINCT ON \(idea_id, user_id\)/) as string,
        },
      ])
    })

    test('what a build publishes', async () => {
      const built = await run(['--database-url', url, '--snapshots', temporaryFolder(), '--json'])
      expect(built).toMatchObject({ code: 0 })
      const { rows, ignored } = JSON.parse(built.stdout) as { rows: Record<string, number>; ignored: unknown }
      const { users, ideas, votes, comments, launched, categories } = report.totals!
      expect(ignored).toEqual(report.ignored)
      // A release has Uncategorized, too; the site itself shows no such category.
      expect({ users, ideas, votes, comments, launchedIdeas: launched, categories: categories + 1 }).toEqual(rows)
    })
  })

  test('does not need `requires` lines, nor a section categories', async () => {
    const text = native().text.replace(/-- section categories[^]*$/, '')
    const report = await check(as('reader'), sourceOf(text))
    expect(errorsOf(report)).toEqual([])
    expect(report.totals).toMatchObject({ ideas: 4, categories: 2, votes: 6 })
    expect(report.sections.map(({ relation }) => relation)).toEqual(RELATIONS.filter((one) => one !== 'categories'))
  })

  test('says on how many of the last 90 full days few people were active', async () => {
    // Each idea is older: a day with 7 people, one with 8, one with 1; today, and 91 days ago, do not count.
    const days = [
      [0, 3],
      [1, 7],
      [2, 8],
      [90, 1],
      [91, 2],
    ].map(
      ([ago, people]) =>
        `SELECT 1, person, 1, (date_trunc('day', now() AT TIME ZONE 'UTC') - ${ago} * interval '1 day') AT TIME ZONE 'UTC' FROM generate_series(1, ${people}) person`,
    )
    const votes = `SELECT * FROM (${days.join(' UNION ALL ')}) AS vote (idea_id, user_id, value, created_at)`
    const ideas = `SELECT 1 AS id, 'one' AS title, timestamptz '2020-01-01' AS created_at, false AS launched,
                          NULL::timestamptz AS launched_at, NULL AS url, NULL::int AS author_id, NULL AS status`
    const comments = `SELECT 1 AS id, 1 AS idea_id, 1 AS user_id, now() AS created_at WHERE false`
    const report = await check(url, native({ ideas, votes, comments }))
    expect(report.fewPeople).toEqual({ days: 2, of: 90 })
  })

  test('says when there is nothing to publish', async () => {
    const report = await check(url, native({ ideas: `SELECT * FROM ideas WHERE false` }))
    expect(errorsOf(report)).toEqual([])
    expect(report).toMatchObject({ samples: [], totals: { ideas: 0, votes: 0, users: 3 } })
    expect(about(report, 'section ideas').map(({ problem }) => problem)).toEqual([
      'there is nothing to publish: no idea counts that an anonymous visitor could see',
    ])
  })

  test('warns of categories that are addresses of people', async () => {
    const idea_categories = `SELECT id AS idea_id, id || '@example.org' AS category FROM ideas`
    const report = await check(url, native({ idea_categories }))
    expect(about(report, 'section idea_categories').map(({ problem }) => problem)).toEqual([
      expect.stringMatching(
        / categories look like e-mail addresses, such as \d+@example\.org: everybody can read their names$/,
      ),
    ])
  })

  test.each([
    ['created_at is NULL, or before the year 1', 'NULL::timestamptz', 'id'],
    ['dated at or after dataAsOf', `now() + interval '1 day'`, 'id'],
    ['id is NULL', 'created_at', 'NULL::int'],
  ])('no idea of rows that are there is an error beside the cause: %s', async (reason, created, id) => {
    const ideas = `SELECT ${id} AS id, title, ${created} AS created_at, launched, launched_at, url, author_id, NULL AS status FROM ideas`
    const report = await check(url, native({ ideas }))
    const error = reason.startsWith('dated')
      ? 'section ideas: no row counts: 5 of 5 rows: dated at or after dataAsOf'
      : 'section ideas: there is nothing to publish'
    expect(errorsOf(report)).toEqual([expect.stringContaining(error)])
    expect(report.ignored).toContainEqual({ relation: 'ideas', reason, rows: 5 })
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

    test('does not warn that a closed site shows no idea', async () => {
      const none = native({ ideas: `SELECT * FROM ideas WHERE false` }).text
      const report = await check(url, sourceOf(`${none}\n-- section closed\nSELECT true AS closed`))
      expect([report.site?.closed, about(report, 'section ideas')]).toEqual([true, []])
    })

    test.each([
      ['SELECT true AS closed WHERE false', 'section closed: no row, must be exactly one'],
      ['SELECT true AS closed FROM generate_series(1, 2)', 'section closed: several rows, must be exactly one'],
      ['SELECT NULL::boolean AS closed', 'section closed: column closed is NULL'],
      ['SELECT 1 AS closed', 'section closed: column closed is int4, must be boolean'],
      ['SELECT true AS closed, 7 AS reason', 'section closed: column reason is int4, must be text'],
      [
        'SELECT true AS private',
        /closed \(boolean\) is missing; return closed; column private is not one of closed's; allowed: closed, reason$/,
      ],
      ['SELECT 1 / 0 = 1 AS closed', 'section closed: division by zero'],
      ['SELECT true AS closed; COMMIT', /^section closed: syntax error at or near ";"/],
      ['SELECT :tenant = 1 AS closed', 'section closed uses :tenant, but none is declared'],
    ])('finds the fault of %s, and goes on', async (section, problem) => {
      const report = await check(as('reader'), closing(section))
      expect(report.site).toBe(null)
      expect(errorsOf(report)).toEqual([expect.stringMatching(problem)])
    })

    test('waits for a parameter, says what to grant, and proposes what it reads', async () => {
      const waiting = await check(as('reader'), closing('SELECT :p AS closed', '-- param p : boolean'))
      expect(errorsOf(waiting)).toEqual(['param p: --param p=VALUE is required (boolean)'])
      await sql('CREATE TABLE site (private boolean); INSERT INTO site VALUES (true)')
      onTestFinished(async () => void (await sql('DROP TABLE site')))
      const denied = await check(as('reader'), closing('SELECT private AS closed FROM site'))
      expect(about(denied, 'requires')[0]?.fix).toBe('GRANT SELECT (private) ON site TO "reader";')
      expect(denied.proposedRequires).toContainEqual(expect.objectContaining({ table: 'site', columns: ['private'] }))
    })
  })

  test('finds several sites in one database, and what it says tells them apart', async () => {
    const { to } = await database(
      `CREATE TABLE ideas (id int, tenant_id int); INSERT INTO ideas VALUES (1, 1), (2, 2), (3, 2)`,
    )
    const ideas = (where: string): Sections => ({
      ideas: `SELECT i.id, x.title, x.created_at, x.launched, x.launched_at, x.url, x.author_id, x.status
      FROM (${NO_TABLES.ideas}) AS x, ideas AS i ${where}`,
    })
    const report = await check(to, tableless(ideas('')))
    expect(errorsOf(report)).toEqual([expect.stringMatching(/^tenants: ideas\.tenant_id holds 2 values \(1, 2…\), /)])
    expect(report.totals).toBeNull()
    const [, line = '', where = '', dismissal = ''] =
      /line "(.*)" and, to each section, (WHERE .*)\nor, .*, (WHERE .*) in section ideas says so$/.exec(
        report.findings[0]?.fix ?? '',
      ) ?? []
    const fixed = await check(to, tableless(ideas(where), line), { params: { tenant: '2' } })
    expect([errorsOf(fixed), fixed.totals?.ideas]).toEqual([[], 2])
    const all = await check(to, tableless(ideas(dismissal)))
    expect([about(all, 'tenants'), all.totals?.ideas]).toEqual([[], 3])
  })

  test('of a database without a table says so once a table', async () => {
    const { to } = await database('')
    const report = await check(to, NATIVE)
    expect(errorsOf(report)).toEqual(RELATIONS.map((name) => `requires: table ${name} does not exist`))
    expect(report).toMatchObject({ samples: [], totals: null, ignored: [] })
    expect(Object.values(rowsOf(report))).toEqual(RELATIONS.map(() => null))
  })

  test('says errors first', async () => {
    const report = await check(url, native({ users: `SELECT 1 AS id, 'x' AS created_at` }))
    const levels = report.findings.map(({ level }) => level)
    expect(new Set(levels)).toEqual(new Set(['error', 'warning']))
    expect(levels).toEqual([...levels].sort())
  })

  describe('finds in the rows', () => {
    test('an idea twice, and says how to find the others', async () => {
      const report = await check(url, tableless({ ideas: `${IDEA} UNION ALL ${IDEA}` }))
      expect(errorsOf(report)).toEqual([
        expect.stringMatching(
          /^rows: mapping mine, section ideas: it returns an id several times; return each once: where a join has several rows/,
        ),
      ])
      expect(report.totals).toBeNull()
      expect(rowsOf(report)['ideas']).toBe(2)
    })

    test.each<[Relation, string, string, string]>([
      ['ideas', 'launched', 'NULL::boolean', 'launched is NULL: not launched'],
      ['votes', 'value', 'NULL::int', 'value is NULL'],
    ])('a row of %s with the %s %s: noted, and no error', async (relation, column, value, reason) => {
      const report = await check(url, tableless({ [relation]: of(relation, { [column]: value }) }))
      // Where it is the only idea, that there is none left is one.
      expect(errorsOf(report).filter((error) => !error.includes('there is nothing to publish'))).toEqual([])
      expect(report.totals).not.toBeNull()
      expect(report.ignored).toContainEqual({ relation, reason, rows: 1 })
      expect(JSON.stringify(report).length).toBeLessThan(20_000)
    })

    test('a division by zero that one row brings', async () => {
      const report = await check(url, tableless({ votes: of('votes', { value: '1 / (idea_id - 1)' }) }))
      expect(errorsOf(report)).toEqual([expect.stringMatching(/^section votes: division by zero; /)])
    })
  })
})
