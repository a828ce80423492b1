// What one consistent read gives, at which point in time, and what a mapping may return.
import { escapeLiteral } from 'pg'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { array, assert, asyncProperty } from 'fast-check'
import type { Client } from 'pg'
import { describe, expect, test } from 'vitest'
import type { IdeaFacts } from '../../../src/model/facts.ts'
import { loadMapping } from '../../../src/source/mapping/mapping.ts'
import type { Relation } from '../../../src/source/mapping/relations.ts'
import { beginConsistentRead } from '../../../src/source/read/consistent-read.ts'
import { anyText } from '../../contract/any-text.ts'
import { temporaryFolder } from '../../support/temporary-folder.ts'
import { describeWithPostgres } from '../../support/postgres.ts'
import {
  OPTIONS,
  AS_OF,
  THEN,
  THEN_MS,
  SECTIONS,
  mappingOf,
  of,
  EIGHT_TIMES_1,
  EIGHT_TIMES_0,
  type Read,
  withConnection,
  readAll,
  failure,
  useIdeas,
} from './reading.ts'
import { eventsAt } from '../../support/event-counts.ts'

/** The client, which does `then` when a statement has been answered; what a statement streams is as it was. */
function afterEachStatement(client: Client, then: () => Promise<unknown>): Client {
  const query = client.query.bind(client) as (...args: unknown[]) => unknown
  const queryAndThen = (...args: unknown[]): unknown => {
    const asked = query(...args)
    return asked instanceof Promise ? asked.then((result: unknown) => then().then(() => result)) : asked
  }
  return new Proxy(client, {
    get: (target, key) => (key === 'query' ? queryAndThen : (Reflect.get(target, key, target) as unknown)),
  })
}

describeWithPostgres('one consistent read of a source', (postgres) => {
  let url: string
  let admin: Client
  useIdeas(postgres, (...made) => ([url, admin] = made))

  test('gives ideas with their counts, users, and what the mapping lists', async () => {
    const { ideas, users, source, skipped } = await readAll(url, mappingOf({}), { asOfMs: AS_OF })
    const thenMs = Date.UTC(2026, 4, 1, 12)
    const once = eventsAt([thenMs], AS_OF)
    expect(ideas).toEqual([
      {
        id: '1',
        title: 'Dark mode',
        createdAtMs: thenMs,
        launched: true,
        launchedAtMs: thenMs,
        url: '/ideas/1',
        status: 'open',
        categories: ['Product'],
        votes: once,
        comments: once,
      },
    ])
    expect(users.accounts).toMatchObject({ total: 1, since: once.since })
    expect(users.active).toEqual({ inWindow: [0, 0, 3, 3], before: [0, 0, 0, 0], all: 3 })
    expect(users.buckets.map((rows) => rows.length)).toEqual([25, 8, 31, 91, 1])
    expect(users.buckets[4]).toEqual([
      { startMs: Date.UTC(2026, 4, 1), newUsers: 1, totalUsers: 1, active: 3, authors: 1, voters: 1, commenters: 1 },
    ])
    expect(source).toMatchObject({ asOfMs: AS_OF, replayLagMs: null, warnings: [], listedCategories: ['Product'] })
    expect((await source.counted()).ideas).toBe(1)
    expect(skipped).toEqual([])
  })

  describe('a mapping may', () => {
    const first = async (sections: Partial<Record<Relation, string>>): Promise<Read & { idea: IdeaFacts }> => {
      const read = await readAll(url, mappingOf(sections), { asOfMs: AS_OF })
      return { ...read, idea: read.ideas[0]! }
    }

    test('end a section in a comment, and in a semicolon', async () => {
      const path = join(temporaryFolder(), 'ends.sql')
      const ends = ['; -- the end', ' -- the end;', ';\n/* the end */', ' --', ';']
      const sections = (['users', 'ideas', 'idea_categories', 'votes', 'comments'] as const).map(
        (name, i) => `-- section ${name}\n${SECTIONS[name]}${ends[i]}`,
      )
      writeFileSync(path, ['-- mapping: ends', ...sections].join('\r\n'))
      expect((await readAll(url, loadMapping(path, {}), { asOfMs: AS_OF })).ideas).toHaveLength(1)
    })

    test('give timestamps without zone, which are UTC whatever the server’s zone, with a warning each', async () => {
      const { idea, source, users } = await first({
        ideas: of('ideas', { created_at: `'2026-05-20 09:29:59.999'::timestamp` }),
        users: of('users', { created_at: `'2026-05-20 09:29:59.999'::timestamp` }),
      })
      expect(idea.createdAtMs).toBe(AS_OF - 1)
      expect(users.accounts).toEqual({ total: 1, since: EIGHT_TIMES_1 })
      const warned = 'column created_at is timestamp without time zone and is taken as UTC'
      expect(source.warnings.toSorted()).toEqual([
        expect.stringContaining(`mapping test, section ideas: ${warned}`),
        expect.stringContaining(`mapping test, section users: ${warned}`),
      ])
    })

    test('leave titles, urls, statuses, users and the times of votes out', async () => {
      const texts = { title: 'NULL', url: 'NULL', status: 'NULL', author_id: 'NULL' }
      const { idea, users, skipped } = await first({
        ideas: of('ideas', { ...texts, launched_at: 'NULL::timestamptz' }),
        votes: of('votes', { user_id: 'NULL', created_at: 'NULL::timestamptz' }),
        comments: of('comments', { id: 'NULL', user_id: 'NULL' }),
      })
      expect(idea).toMatchObject({
        title: '',
        url: null,
        status: null,
        launched: true,
        launchedAtMs: null,
        votes: { total: 1, since: EIGHT_TIMES_0 },
      })
      expect(users.active).toMatchObject({ all: 0 })
      expect(skipped).toEqual([
        { relation: 'ideas', reason: 'launched without a date', rows: 1 },
        { relation: 'votes', reason: 'undated: in totals and the period all only', rows: 1 },
      ])
    })

    test('date a launch that is none as it likes', async () => {
      const ideas = of('ideas', { launched: 'false', launched_at: `'infinity'::timestamptz` })
      expect((await first({ ideas })).idea).toMatchObject({ launched: false, launchedAtMs: null })
    })

    const UUID = `'123e4567-e89b-12d3-a456-426614174000'`
    test.each([
      ['negative numbers', '-5::int', '-5::bigint', '-5'],
      ['numbers beyond 2^53', '9007199254740993::bigint', '9007199254740993::bigint', '9007199254740993'],
      ['uuids', `${UUID}::uuid`, `${UUID}::uuid`, '123e4567-e89b-12d3-a456-426614174000'],
      ['text of a union', `'proposal-1'`, `'proposal-1'::varchar`, 'proposal-1'],
      ['a number here and text there', '7', `'7'`, '7'],
      ['text with anything in it', `E'\\\\N\\t\\n'`, `E'\\\\N\\t\\n'`, '\\N\t\n'],
    ])('have %s as ids', async (_, id, key, text) => {
      const { idea, users, skipped } = await first({
        ideas: of('ideas', { id, author_id: key }),
        idea_categories: of('idea_categories', { idea_id: key }),
        votes: of('votes', { idea_id: key, user_id: key }),
        comments: of('comments', { idea_id: key, user_id: key }),
      })
      expect(idea).toMatchObject({ id: text, categories: ['Product'], votes: { total: 1 }, comments: { total: 1 } })
      expect(users.active.all).toBe(1)
      expect(skipped).toEqual([])
    })

    test('give categories in any spelling: they are published trimmed, composed, once, without the reserved name', async () => {
      const names = [
        ' Caf\u00e9\u2003',
        'Cafe\u0301',
        'cafe',
        '\u3000',
        '',
        'UNCATEGORIZED',
        '😀',
        '\uFF1D',
        'Caf\u00e9',
        'cafe',
      ]
      const rows = `unnest(ARRAY[${names.map(escapeLiteral).join()}])`
      const { idea, source, skipped } = await first({
        idea_categories: `SELECT 1 AS idea_id, ${rows} AS category`,
        categories: `SELECT ${rows} AS name`,
      })
      expect(idea.categories).toEqual(['Caf\u00e9', 'cafe', '\uFF1D', '😀'])
      expect(source.listedCategories).toEqual(idea.categories)
      expect(skipped).toEqual([
        { relation: 'idea_categories', reason: 'blank, or the reserved name Uncategorized', rows: 3 },
      ])
    })
  })

  test('a title arrives as it was written, and so do url, status and category', async () => {
    const titles = array(anyText({ maxLength: 20 }), { minLength: 50, maxLength: 200, size: 'max' })
    const examples: [string[]][] = [[['', '\\N', '\\.', '\t\r\n', 'a\\', '\v\f\b', `"'`, '😀\u2028', 'x'.repeat(190)]]]
    await assert(
      asyncProperty(titles, async (list) => {
        const rows = list.map((title, i) => `(${i}, ${escapeLiteral(title)})`).join()
        const { ideas } = await readAll(
          url,
          mappingOf({
            ideas: `SELECT n AS id, t AS title, ${THEN} AS created_at, false AS launched, NULL::timestamptz AS launched_at, t AS url,
                           NULL AS author_id, t AS status FROM (VALUES ${rows}) AS v (n, t)`,
            idea_categories: `SELECT n AS idea_id, '<' || t || '>' AS category FROM (VALUES ${rows}) AS v (n, t)`,
          }),
        )
        const found = ideas.sort((a, b) => Number(a.id) - Number(b.id))
        expect(found.map(({ title }) => title)).toEqual(list)
        expect(found.map(({ url: path, status }) => [path, status])).toEqual(list.map((title) => [title, title]))
        expect(found.map(({ categories }) => categories)).toEqual(list.map((title) => [`<${title}>`.normalize('NFC')]))
      }),
      { numRuns: 6, examples },
    )
  })

  describe('dataAsOf', () => {
    test('divides what others write between any two statements of the read: dated before is in, later is out', async () => {
      await admin.query('CREATE TABLE late (id int, created_at timestamptz)')
      // dataAsOf is a whole millisecond: what is written in the same one is dated after it.
      const write = () =>
        admin.query('INSERT INTO late SELECT count(*) + 1, clock_timestamp() FROM late; SELECT pg_sleep(0.005)')
      await write()
      await withConnection(url, async ({ client }) => {
        const source = await beginConsistentRead(
          afterEachStatement(client, write),
          mappingOf({ users: 'SELECT id, created_at FROM late' }),
          OPTIONS,
        )
        for await (const _ of source.facts()) await write()
        const { accounts } = (await source.counted()).users
        const { rows } = await admin.query<{ before: number; all: number }>(
          `SELECT count(*) FILTER (WHERE created_at < to_timestamp($1::float8 / 1000))::int AS before, count(*)::int AS all
             FROM late`,
          [source.asOfMs],
        )
        expect(accounts.total).toBe(rows[0]!.before)
        expect(accounts.total).toBeGreaterThan(0)
        expect(accounts.total).toBeLessThan(rows[0]!.all)
        expect(source.skippedRows().filter(({ relation }) => relation === 'users')).toEqual([])
        expect(Number.isInteger(source.asOfMs)).toBe(true)
      })
    })

    test('leaves the session as it was, for whom a pooler gives it next', async () => {
      await withConnection(url, async ({ client }) => {
        const settings = async (): Promise<unknown> =>
          (
            await client.query(`SELECT current_setting('timezone'), current_setting('statement_timeout') AS statement,
            current_setting('lock_timeout') AS lock, current_setting('row_security') AS rows,
            current_setting('transaction_isolation') AS level`)
          ).rows
        const before = await settings()
        const source = await beginConsistentRead(client, mappingOf({}), OPTIONS)
        expect(await settings()).toEqual([
          { current_setting: 'UTC', statement: '20s', lock: '5s', rows: 'off', level: 'repeatable read' },
        ])
        await source.end()
        expect(await settings()).toEqual(before)
      })
    })

    test.each([
      '1989-12-31 23:59:59.999999+00',
      '1970-01-01 00:00:00+00',
      '0001-01-01 00:00:00+00',
      // The same, written at a clock east of Greenwich.
      '0001-01-01 00:00:00+05:45',
      '4713-01-01 00:00:00+00 BC',
      '-infinity',
    ])('takes %s for no date: in totals and all, in no window and no month', async (literalText) => {
      const ancient = `'${literalText}'::timestamptz`
      // An idea's own date is published, so it must be one that can be written.
      const created = /BC|infinity|05:45/.test(literalText) ? `'0001-01-01 00:00:00+00'::timestamptz` : ancient
      const asked = await admin.query<{ ms: number }>(
        `SELECT extract(epoch FROM date_trunc('milliseconds', ${created}))::float8 * 1000 AS ms`,
      )
      const createdMs = asked.rows[0]?.ms
      const { ideas, users, skipped } = await readAll(
        url,
        mappingOf({
          users: `${SECTIONS.users} UNION ALL SELECT 2, ${ancient}`,
          ideas: `${SECTIONS.ideas} UNION ALL SELECT 2, 'Old', ${created}, true, ${ancient}, NULL, 70, NULL`,
          votes: `${SECTIONS.votes} UNION ALL VALUES (1, 80, 1, ${ancient}), (1, 81, -1, ${ancient})`,
          comments: `${SECTIONS.comments} UNION ALL SELECT 2, 1, 90, ${ancient}`,
        }),
        { asOfMs: AS_OF },
      )
      expect(
        ideas.map(({ id, createdAtMs, launched, launchedAtMs }) => [id, createdAtMs, launched, launchedAtMs]),
      ).toEqual([
        ['1', THEN_MS, true, THEN_MS],
        ['2', createdMs, true, null],
      ])
      for (const { votes, comments } of ideas.filter(({ id }) => id === '1')) {
        expect(votes).toEqual(eventsAt([THEN_MS, null], AS_OF))
        expect(comments).toEqual(eventsAt([THEN_MS, null], AS_OF))
      }
      expect(users.accounts).toEqual({ total: 2, since: [0, 0, 0, 0, 1, 1, 1, 1] })
      expect(users.active).toEqual({ inWindow: [0, 0, 3, 3], before: [0, 0, 0, 0], all: 6 })
      const months = users.buckets.at(-1) ?? []
      expect(months).toEqual([
        { startMs: Date.UTC(2026, 4), newUsers: 1, totalUsers: 2, active: 3, authors: 1, voters: 1, commenters: 1 },
      ])
      expect(skipped.map(({ relation, reason, rows }) => `${relation}: ${reason}: ${rows}`)).toEqual([
        'comments: dated before 1990-01-01: in totals and the period all only: 1',
        'ideas: dated before 1990-01-01: in totals and the period all only: 1',
        'ideas: launched before 1990-01-01: undated: 1',
        'users: dated before 1990-01-01: in totals and the period all only: 1',
        'votes: dated before 1990-01-01: in totals and the period all only: 1',
        'votes: value is not above zero: 1',
      ])
    })

    test('has no month where nothing is dated', async () => {
      const ancient = `'0001-01-01 00:00:00+00'::timestamptz`
      const { users } = await readAll(
        url,
        mappingOf({
          users: of('users', { created_at: ancient }),
          ideas: of('ideas', { created_at: ancient, launched_at: ancient }),
          votes: of('votes', { created_at: 'NULL::timestamptz' }),
          comments: of('comments', { created_at: ancient }),
        }),
        { asOfMs: AS_OF },
      )
      expect(users.buckets.at(-1)).toEqual([])
      expect(users.accounts).toEqual({ total: 1, since: EIGHT_TIMES_0 })
      expect(users.active).toMatchObject({ all: 3, inWindow: [0, 0, 0, 0] })
    })

    test('has no month before 1990, whatever the dates are', async () => {
      const months = async (sections: Partial<Record<Relation, string>>): Promise<number | undefined> =>
        (await readAll(url, mappingOf(sections), { asOfMs: AS_OF })).users.buckets.at(-1)?.length
      const one = await months({})
      expect(one).toBe(1)
      for (const date of ['-infinity', '0001-01-01 00:00:00+00', '1989-12-31 00:00:00+00', '9999-12-31 00:00:00+00'])
        expect(await months({ votes: of('votes', { created_at: `'${date}'::timestamptz` }) })).toBe(one)
      // January 1990 to May 2026.
      expect(await months({ votes: of('votes', { created_at: `'1990-01-01 00:00:00+00'::timestamptz` }) })).toBe(437)
    })

    test.each([Date.UTC(1970, 0), Date.UTC(1990, 11, 31), Date.UTC(2160, 0), Date.UTC(9999, 0)])(
      'is rejected at a clock of %s',
      async (asOfMs) => {
        expect((await failure(readAll(url, mappingOf({}), { asOfMs }))).message).toMatch(
          /the clock of the database is at .*; allowed: from 1991 to before 2160; set the server's clock$/,
        )
      },
    )
  })
})
