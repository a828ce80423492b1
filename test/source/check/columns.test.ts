// A check finds what is wrong with the columns and the privileges of a mapping, and the line that is printed fixes it;
// check.ts, sections.ts.
import type { Client } from 'pg'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openMapping } from '../../../src/source/mapping/mapping.ts'
import { RELATIONS } from '../../../src/source/mapping/relations.ts'
import { describeWithPostgres } from '../../support/postgres.ts'
import {
  NATIVE,
  REQUIRES,
  FIDER_SCHEMA,
  native,
  tableless,
  errorsOf,
  about,
  rowsOf,
  columnsOf,
  usePlatform,
  sourceOf,
  type Sections,
} from './checking.ts'

describeWithPostgres('a check of the columns', (postgres) => {
  let url: string
  let admin: Client
  const { as, sql, database, check } = usePlatform(postgres, (platform) => ({ url, admin } = platform))

  describe('finds in the columns', () => {
    test('integer times, and says how to write them, which fixes it', async () => {
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
        'section users: column created_at (timestamptz) is missing; return id, created_at',
        `section users: column email is not one of users's; allowed: id, created_at`,
        'section votes: column value is numeric, must be int; write (value > 0)::int AS value',
      ])
      expect(rowsOf(report)).toEqual(Object.fromEntries(RELATIONS.map((relation) => [relation, 1])))
    })

    test('none at all', async () => {
      const report = await check(url, tableless({ users: 'SELECT FROM ideas' }))
      expect(errorsOf(report)).toHaveLength(2)
      expect(columnsOf(report, 'users')).toBe('')
      expect(rowsOf(report)['users']).toBe(5)
    })
  })

  describe('finds missing', () => {
    test('tables and columns of another version, with what can be done', async () => {
      const { to } = await database(
        `${FIDER_SCHEMA}; ALTER TABLE posts DROP COLUMN slug; ALTER TABLE comments DROP COLUMN deleted_at; DROP TABLE post_tags`,
      )
      const report = await check(to, openMapping('fider'), { params: { tenant: '1' } })
      const fix =
        'is --source fider right here, with its parameters? analytics-build init, without a name, says what the database looks like. For another version of the platform change a copy (analytics-build init fider)'
      expect(report.findings.filter(({ level }) => level === 'error')).toEqual([
        { level: 'error', about: 'requires', problem: `column posts.slug does not exist`, fix },
        { level: 'error', about: 'requires', problem: `table post_tags does not exist`, fix },
        { level: 'error', about: 'requires', problem: `column comments.deleted_at does not exist`, fix },
      ])
      expect(rowsOf(report)).toEqual({
        users: 4,
        ideas: null,
        idea_categories: null,
        votes: 15 - 2,
        comments: null,
        categories: 3,
      })
    })

    test('one of two versions of a table, of which neither is there', async () => {
      const head = ['-- requires talks(id) where present', '-- requires topics(id) where present -- until 2']
      const source = native({ categories: 'SELECT id::text AS name FROM topics' }, ...REQUIRES, ...head)
      const newer = sourceOf(`${source.text}\n-- section categories where present\nSELECT id::text AS name FROM talks`)
      const report = await check(url, newer)
      expect(errorsOf(report)).toEqual([
        expect.stringMatching(/^section categories: relation "topics" does not exist; check --source/),
      ])
    })

    test('columns and tables that a file of one’s own asks for, without a command that would be refused', async () => {
      const fix =
        'is --source ./mine.sql right here, with its parameters? analytics-build init, without a name, says what the database looks like. For another version of the platform change ./mine.sql'
      const lines = ['-- requires users(id, created_at, colour)', '-- requires campaigns(id) -- version 3']
      const report = await check(url, native({}, ...lines))
      expect(about(report, 'requires').filter(({ level }) => level === 'error')).toEqual([
        { level: 'error', about: 'requires', problem: 'column users.colour does not exist', fix },
        { level: 'error', about: 'requires', problem: 'table campaigns does not exist', fix },
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

    describe('completely', () => {
      const WITHOUT = REQUIRES.filter((line) => !/requires (?:votes|comments)\b/.test(line))
      const proposed = async (sections: Sections, ...lines: string[]): Promise<string[]> =>
        about(await check(as('reader'), native(sections, ...WITHOUT, ...lines)), 'requires').flatMap(
          ({ level, fix }) => [level, ...fix.split('\n').slice(1)],
        )
      const VOTES = '-- requires votes(idea_id, user_id, value, created_at)'
      const COMMENTS = '-- requires comments(id, idea_id, user_id, created_at)'

      test('proposes the columns and tables that no line names', async () => {
        expect(await proposed({}, '-- requires votes(idea_id, "value")', COMMENTS)).toEqual([
          'warning',
          '-- requires votes(user_id, created_at)',
        ])
        expect(
          await proposed({}, '-- requires public.votes(idea_id, user_id)', '-- requires VOTES(Value, created_at)'),
        ).toEqual(['warning', COMMENTS])
      })

      test('proposes no column of a table whose rows are counted only, if a line names it', async () => {
        const comments = `SELECT 1 AS id, 1 AS idea_id, 1 AS user_id, now() AS created_at FROM comments`
        expect(await proposed({ comments }, VOTES)).toEqual(['warning', '-- requires comments(id)'])
        expect(await proposed({ comments }, VOTES, '-- requires comments(created_at)')).toEqual([])
      })

      test('counts lines of versions, too', async () => {
        const lines = ['-- requires votes(idea_id, value, created_at)', '-- requires votes(user_id) where present -- 2']
        expect(await proposed({}, ...lines, COMMENTS)).toEqual([])
      })
    })

    test('that reads no table proposes none', async () => {
      expect((await check(url, tableless())).proposedRequires).toEqual([])
    })
  })

  describe('row-level security', () => {
    beforeAll(async () => {
      await admin.query(`ALTER TABLE ideas ENABLE ROW LEVEL SECURITY; CREATE POLICY one ON ideas USING (id = 1)`)
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
      expect(errorsOf(await check(as('reader'), native()))).toEqual([`row security: ${problem}`])
    })

    test('may be applied: only what the role may see counts, which is said, whether the mapping says what it reads or not', async () => {
      for (const mapping of [NATIVE, native()]) {
        const report = await check(as('reader'), mapping, { rowSecurity: 'apply' })
        expect(errorsOf(report)).toEqual([])
        const fix = '--row-security apply counts only what the role may see'
        expect(about(report, 'row security')).toEqual([{ level: 'warning', about: 'row security', problem, fix }])
        expect(report.totals).toMatchObject({ ideas: 1, votes: 5 })
      }
    })
  })
})
