// A row that breaks a rule does not end the read: it is skipped and counted. Files: idea-aggregates.ts, skipped-rows.ts.
import { describe, expect, test } from 'vitest'
import type { Relation } from '../../../src/source/mapping/relations.ts'
import { describeWithPostgres } from '../../support/postgres.ts'
import { AS_OF, THEN, SECTIONS, mappingOf, of, type Read, useIdeas, useReadAll } from './reading.ts'

describeWithPostgres('a row that breaks a rule', (postgres) => {
  let url: string
  useIdeas(postgres, (...made) => ([url] = made))
  const readAll = useReadAll()

  describe('a row that breaks a rule ends nothing', () => {
    const time = (text: string): string => `'${text}'::timestamptz`
    const noted = ({ skipped }: Read): string[] =>
      skipped.map(({ relation, reason, rows }) => `${rows} ${relation}: ${reason}`)
    /** What the sections give, and a second row of one of them with some columns replaced. */
    const withRow = (relation: Relation, columns: Readonly<Record<string, string>>): Promise<Read> => {
      const own = { users: { id: '2' }, ideas: { id: '2' }, comments: { id: '2' } }[relation as string] ?? {}
      const given = of(relation, { ...own, ...columns })
      const names = of(relation, {}).replace(/ FROM .*/s, '')
      const both = `${names} FROM (${SECTIONS[relation]}) AS good UNION ALL ${names} FROM (${given}) AS bad`
      return readAll(url, mappingOf({ [relation]: both }), { asOfMs: AS_OF })
    }
    const UNDATED = 'undated: in totals and the period all only'
    const EARLY = 'dated before 1990-01-01: in totals and the period all only'
    const LEFT_OUT = 'created_at is NULL, or before the year 1'
    const FUTURE = time('2026-05-20 09:30:00+00')
    const LONG = `repeat('\u{1f600}', 10001)`

    test.each<[Relation, string, string, string, Partial<Record<string, number>>?]>([
      ['users', 'id', 'NULL::int', 'id is NULL'],
      ['users', 'created_at', 'NULL::timestamptz', UNDATED, { users: 2 }],
      ['users', 'created_at', time('0044-03-15 BC'), EARLY, { users: 2 }],
      ['users', 'created_at', time('-infinity'), EARLY, { users: 2 }],
      ['users', 'created_at', time('infinity'), 'dated at or after dataAsOf'],
      ['ideas', 'id', 'NULL::int', 'id is NULL'],
      ['ideas', 'created_at', 'NULL::timestamptz', LEFT_OUT],
      ['ideas', 'created_at', time('0001-12-31 23:59:59+00 BC'), LEFT_OUT],
      ['ideas', 'created_at', time('-infinity'), LEFT_OUT],
      ['ideas', 'created_at', time('infinity'), 'dated at or after dataAsOf'],
      ['ideas', 'created_at', time('12026-01-01'), 'dated at or after dataAsOf'],
      ['ideas', 'launched', 'NULL::boolean', 'launched is NULL: not launched', { ideas: 2 }],
      ['ideas', 'launched_at', time('-infinity'), 'launched before 1990-01-01: undated', { ideas: 2, launched: 2 }],
      ['ideas', 'launched_at', time('infinity'), 'launched at or after dataAsOf: undated', { ideas: 2, launched: 2 }],
      ['ideas', 'title', LONG, 'title cut to 10,000 characters', { ideas: 2, launched: 2 }],
      ['ideas', 'url', `'/' || ${LONG}`, 'url over 10,000 characters: none', { ideas: 2, launched: 2 }],
      ['ideas', 'status', LONG, 'status over 10,000 characters: none', { ideas: 2, launched: 2 }],
      ['idea_categories', 'idea_id', 'NULL::int', 'idea_id is NULL'],
      ['idea_categories', 'category', 'NULL::text', 'category is NULL'],
      ['idea_categories', 'category', `repeat('x', 201)`, 'over 200 characters'],
      ['idea_categories', 'category', `repeat(' ', 9990) || repeat('x', 20000)`, 'over 200 characters'],
      ['votes', 'idea_id', 'NULL::int', 'idea_id is NULL'],
      ['votes', 'value', 'NULL::int', 'value is NULL'],
      ['votes', 'created_at', time('0044-03-15 BC'), EARLY, { votes: 2 }],
      ['votes', 'created_at', time('-infinity'), EARLY, { votes: 2 }],
      ['votes', 'created_at', time('infinity'), 'dated at or after dataAsOf'],
      ['votes', 'created_at', time('20000-01-01'), 'dated at or after dataAsOf'],
      ['comments', 'idea_id', 'NULL::int', 'idea_id is NULL'],
      ['comments', 'created_at', 'NULL::timestamptz', UNDATED, { comments: 2 }],
      ['comments', 'created_at', time('-infinity'), EARLY, { comments: 2 }],
      ['comments', 'created_at', time('infinity'), 'dated at or after dataAsOf'],
      ['categories', 'name', 'NULL::text', 'name is NULL'],
      ['categories', 'name', `'  '`, ''],
      ['categories', 'name', `repeat('x', 201)`, 'over 200 characters'],
    ])('%s.%s = %s', async (relation, column, value, note, more = {}) => {
      const read = await withRow(relation, { [column]: value })
      expect(noted(read)).toEqual(note === '' ? [] : [`1 ${relation}: ${note}`])
      const { ideas, users, source } = read
      const sum = (what: 'votes' | 'comments'): number => ideas.reduce((total, idea) => total + idea[what].total, 0)
      expect({
        users: users.accounts.total,
        ideas: ideas.length,
        launched: ideas.filter(({ launched }) => launched).length,
        votes: sum('votes'),
        comments: sum('comments'),
      }).toEqual({ users: 1, ideas: 1, launched: 1, votes: 1, comments: 1, ...more })
      // What is undated is in no window, and the good row is what it was.
      const lately = { total: 1, since: [0, 0, 0, 0, 1, 1, 1, 1] }
      expect(users.accounts.since).toEqual(lately.since)
      const good = ideas.find(({ id }) => id === '1')
      expect(good).toMatchObject({ title: 'Dark mode', url: '/ideas/1', status: 'open', categories: ['Product'] })
      expect([good?.votes.since, good?.comments.since]).toEqual([lately.since, lately.since])
      // The bad row's author, voter or commenter is one of the good row's.
      expect(users.active).toEqual({ inWindow: [0, 0, 3, 3], before: [0, 0, 0, 0], all: 3 })
      expect(source.listedCategories).toEqual(['Product'])
      expect(source.skippedRows(['fault']).length).toBe(
        /^$|dated at or after|launched at|(?:votes|users): undated/.test(noted(read)[0] ?? '') ? 0 : 1,
      )
    })

    test('several at once, also of one idea, and the rows of an idea that is left out', async () => {
      const read = await readAll(
        url,
        mappingOf({
          ideas: `${SECTIONS.ideas} UNION ALL SELECT 2, 'Never', NULL, true, NULL, NULL, 70, NULL
                  UNION ALL SELECT NULL, 'Nameless', ${THEN}, true, NULL, NULL, 71, NULL
                  UNION ALL SELECT NULL, 'Nameless, too', ${THEN}, true, NULL, NULL, 71, NULL
                  UNION ALL SELECT 3, 'Tomorrow', ${FUTURE}, true, NULL, NULL, 72, NULL
                  UNION ALL SELECT 4, 'Launched tomorrow', ${THEN}, true, ${FUTURE}, NULL, NULL, NULL`,
          users: `${SECTIONS.users} UNION ALL SELECT 2, ${FUTURE}`,
          votes: `${SECTIONS.votes} UNION ALL VALUES (1, 1, NULL, NULL), (NULL, 80, 1, ${THEN}), (2, 81, 1, ${THEN}),
                  (1, NULL, 1, '-infinity'), (NULL, NULL, NULL, NULL), (404, 80, NULL, ${THEN}), (1, 1, -1, 'infinity'),
                  (1, 1, 0, NULL), (1, 1, 5, ${FUTURE}), (404, 84, 1, ${THEN}), (3, 84, 1, ${THEN})`,
          comments: `${SECTIONS.comments} UNION ALL VALUES (2, 1, NULL, NULL), (3, NULL, 82, ${THEN}), (4, 2, 83, ${THEN}),
                  (5, 1, 85, ${FUTURE}), (6, 404, 85, ${THEN}), (7, 3, 85, ${THEN})`,
          idea_categories: `${SECTIONS.idea_categories} UNION ALL VALUES (1, NULL), (1, NULL), (1, repeat('y', 201)), (2, 'P'), (NULL, NULL), (404, 'a'), (404, 'b')`,
        }),
        { asOfMs: AS_OF },
      )
      expect(read.ideas).toMatchObject([
        { id: '1', categories: ['Product'], votes: { total: 2 }, comments: { total: 2 } },
        { id: '4', launched: true, launchedAtMs: null, votes: { total: 0 }, comments: { total: 0 } },
      ])
      expect(read.users.active.all).toBe(3)
      expect((await read.source.counted()).ideas, 'with those that are left out').toBe(4)
      expect(noted(read)).toEqual([
        '1 comments: dated at or after dataAsOf',
        '1 comments: idea_id is NULL',
        '1 comments: the idea is dated at or after dataAsOf',
        '1 comments: the idea is left out',
        '1 comments: the idea is not among the ideas',
        `1 comments: ${UNDATED}`,
        '1 idea_categories: category is NULL',
        '1 idea_categories: idea_id is NULL',
        '1 idea_categories: over 200 characters',
        '1 idea_categories: the idea is left out',
        '2 idea_categories: the idea is not among the ideas',
        `1 ideas: ${LEFT_OUT}`,
        '1 ideas: dated at or after dataAsOf',
        '2 ideas: id is NULL',
        '1 ideas: launched at or after dataAsOf: undated',
        '1 users: dated at or after dataAsOf',
        '1 votes: dated at or after dataAsOf',
        `1 votes: ${EARLY}`,
        '1 votes: idea_id is NULL',
        '1 votes: the idea is dated at or after dataAsOf',
        '1 votes: the idea is left out',
        '1 votes: the idea is not among the ideas',
        '3 votes: value is NULL',
        '2 votes: value is not above zero',
      ])
    })

    test('an id without end is no id: to cut it might make it another one’s', async () => {
      const ideas = ["'1'", LONG].map((id) => of('ideas', { id })).join(' UNION ALL ')
      const read = await readAll(url, mappingOf({ ideas, votes: of('votes', { idea_id: LONG }) }))
      expect(read.ideas.map(({ id }) => id)).toEqual(['1'])
      // The author of both, and who commented on the first.
      expect(read.users.active.all, 'nobody by the idea that is left out').toBe(2)
      expect(noted(read)).toEqual(['1 ideas: id over 10,000 characters', '1 votes: the idea is left out'])
    })

    test('a title is cut between two characters, and not by one too many', async () => {
      const titleOf = async (title: string): Promise<string | undefined> =>
        (await readAll(url, mappingOf({ ideas: of('ideas', { title }) }))).ideas[0]?.title
      expect(await titleOf(`'x' || ${LONG}`)).toBe(`x${'\u{1f600}'.repeat(9999)}`)
      expect(await titleOf(`repeat('\u{1f600}', 10000)`)).toBe('\u{1f600}'.repeat(10_000))
    })

    test('a category of 200 code points is one, however it was composed or padded', async () => {
      const read = await withRow('idea_categories', { category: `'  ' || repeat(U&'e\\0301', 199) || '\u{1f600} '` })
      expect(read.ideas[0]?.categories).toEqual(['Product', `${'\u00e9'.repeat(199)}\u{1f600}`])
      expect(noted(read)).toEqual([])
    })
  })
})
