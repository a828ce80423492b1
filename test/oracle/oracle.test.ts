// The oracle is not trusted blindly: here are small databases whose numbers were worked out by hand, beside them.
import { assert, asyncProperty } from 'fast-check'
import { Client } from 'pg'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { describeWithPostgres } from '../support/postgres.ts'
import {
  installOracle,
  oracleCategories,
  oracleCategoryNames,
  oracleExport,
  oracleStats,
  oracleTrending,
  publishedName,
  type ExportType,
  type Period,
  type Row,
  type TrendingPeriod,
} from './documents.ts'
import {
  createNativeTables,
  emptyDatabase,
  loadDatabase,
  nativeDatabases,
  type NativeDatabase,
  type NativeIdea,
} from './random-database.ts'

const AS_OF = '2024-05-17T12:30:00.000Z'
const options = { asOf: AS_OF, siteUrl: null }
const TRENDING_PERIODS: TrendingPeriod[] = ['24h', '7d', '30d', '90d']
const PERIODS: Period[] = [...TRENDING_PERIODS, 'all']

const idea = (id: string, created_at: string, more: Partial<NativeIdea> = {}): NativeIdea => ({
  id,
  title: `Idea ${id}`,
  created_at,
  launched: false,
  launched_at: null,
  url: null,
  author_id: null,
  status: null,
  ...more,
})
const vote = (idea_id: string, created_at: string | null, user_id: string | null = null, value = 1) => ({
  idea_id,
  user_id,
  value,
  created_at,
})
const file = (category: string, ...ids: string[]) => ids.map((idea_id) => ({ idea_id, category }))
const times = <T>(count: number, row: T): T[] => Array.from({ length: count }, () => row)
const column = (rows: Record<string, unknown>[], key: string) => rows.map((row) => row[key])
const overview = (rows: Row[]) =>
  Object.fromEntries(rows.map((row) => [row['metric'], [row['value'], row['previousValue'], row['changePercent']]]))

describeWithPostgres('the oracle', (postgres) => {
  let client: Client
  beforeAll(async () => {
    client = new Client({ connectionString: await postgres().createDatabase() })
    await client.connect()
    await createNativeTables(client)
    await installOracle(client)
  })
  afterAll(() => client?.end())

  const given = (rows: Partial<NativeDatabase>) => loadDatabase(client, { ...emptyDatabase(AS_OF), ...rows })

  describe('stats', () => {
    test('an empty database is zeros, never a division', async () => {
      await given({})
      expect(await oracleStats(client, options)).toEqual({
        stats: { totalUsers: 0, totalIdeas: 0, totalVotes: 0, totalComments: 0, launchedIdeas: 0, activeCategories: 0 },
        metrics: { avgVotesPerIdea: 0, avgCommentsPerIdea: 0, launchSuccessRate: 0 },
        topCategories: [],
      })
    })

    test('201 votes on 200 ideas are 1.01: half away from zero, where a binary product gives 1', async () => {
      const ideas = Array.from({ length: 200 }, (_, n) => idea(String(n), '2024-01-01T00:00:00Z', { launched: n < 1 }))
      await given({ ideas, votes: times(201, vote('7', null)) })
      const { metrics } = await oracleStats(client, options)
      expect(metrics).toEqual({ avgVotesPerIdea: 1.01, avgCommentsPerIdea: 0, launchSuccessRate: 0.5 })
    })

    test('down-votes, orphans and whatever is dated at or after dataAsOf do not exist', async () => {
      await given({
        users: [
          { id: '1', created_at: '2024-05-17T12:29:59.999999Z' }, // truncated to .999: before
          { id: '2', created_at: '2024-05-17T12:30:00.000000Z' }, // at dataAsOf: not yet
          { id: '3', created_at: '2024-05-17T12:30:00.000999Z' }, // truncated to dataAsOf: not yet
        ],
        ideas: [
          idea('1', '2024-05-01T00:00:00Z', { launched: true, launched_at: '2024-06-01T00:00:00Z' }),
          idea('2', '2024-05-02T00:00:00Z', { launched: false, launched_at: '2024-05-03T00:00:00Z' }),
          idea('3', '2024-05-18T00:00:00Z', { launched: true }),
        ],
        idea_categories: [
          { idea_id: '1', category: 'Product' },
          { idea_id: '3', category: 'Future' },
          { idea_id: '404', category: 'Orphan' },
        ],
        // Counts: one undated, one weighing 3. Not: -1, 0, of the future, on a future idea, on no idea.
        votes: [
          vote('1', null),
          vote('1', '2024-05-01T00:00:00Z', '1', 3),
          vote('1', '2024-05-01T00:00:00Z', '1', -1),
          vote('1', '2024-05-01T00:00:00Z', '1', 0),
          vote('1', '2024-05-17T12:30:00Z'),
          vote('3', '2024-05-01T00:00:00Z'),
          vote('404', '2024-05-01T00:00:00Z'),
        ],
        comments: [
          { id: '1', idea_id: '2', user_id: null, created_at: '2024-05-17T12:29:59.999Z' },
          { id: '2', idea_id: '2', user_id: null, created_at: '2024-05-17T12:30:00Z' },
          { id: '3', idea_id: '3', user_id: null, created_at: '2024-05-17T12:00:00Z' },
        ],
      })
      expect(await oracleStats(client, options)).toEqual({
        stats: { totalUsers: 1, totalIdeas: 2, totalVotes: 2, totalComments: 1, launchedIdeas: 1, activeCategories: 1 },
        metrics: { avgVotesPerIdea: 1, avgCommentsPerIdea: 0.5, launchSuccessRate: 50 },
        topCategories: [{ category: 'Product', count: 1 }],
      })
      // Idea 1 was launched, at a time that counts as unknown: in `all`, in no window.
      const launched = async (period: Period) => {
        const { data } = await oracleExport(client, { ...options, type: 'overview', period })
        return overview(data)['launchedIdeas']
      }
      expect(await launched('all')).toEqual([1, null, null])
      expect(await launched('90d')).toEqual([0, 0, null])
      const { data } = await oracleExport(client, { ...options, type: 'ideas', period: 'all' })
      expect(column(data, 'launchedAt')).toEqual([null, null])
    })

    test('rows that break a rule are none, or count without what is wrong', async () => {
      await given({
        users: [
          { id: null, created_at: '2024-05-01T00:00:00Z' }, // nobody
          { id: '1', created_at: null }, // old
          { id: '2', created_at: '-infinity' }, // old
          { id: '3', created_at: 'infinity' }, // not yet
        ],
        ideas: [
          idea('1', '2024-05-01T00:00:00Z', { launched: null }), // not launched
          idea('2', '2024-05-01T00:00:00Z', { launched: true, launched_at: '-infinity', title: 'x'.repeat(10_001) }),
          { ...idea('3', ''), created_at: null }, // cannot be shown
          { ...idea('4', ''), created_at: '0044-03-15 12:00:00+00 BC' }, // cannot be shown
          { ...idea('', '2024-05-01T00:00:00Z'), id: null }, // cannot be shown
        ],
        idea_categories: [
          { idea_id: '1', category: null },
          { idea_id: '2', category: 'x'.repeat(201) },
          { idea_id: null, category: 'Nobody' },
        ],
        votes: [
          { ...vote('1', null), value: null }, // none
          { ...vote('1', null), idea_id: null }, // of no idea
          vote('1', '-infinity'), // old
          vote('3', '2024-05-01T00:00:00Z'), // of an idea that cannot be shown
        ],
        comments: [
          { id: '1', idea_id: '1', user_id: null, created_at: null }, // old
          { id: '2', idea_id: null, user_id: null, created_at: '2024-05-01T00:00:00Z' }, // of no idea
        ],
      })
      const { stats } = await oracleStats(client, options)
      expect(stats).toEqual({
        totalUsers: 2,
        totalIdeas: 2,
        totalVotes: 1,
        totalComments: 1,
        launchedIdeas: 1,
        activeCategories: 0,
      })
      expect(await oracleCategoryNames(client, AS_OF)).toEqual(['Uncategorized'])
      const { data } = await oracleExport(client, { ...options, type: 'ideas', period: 'all' })
      expect(data.map(({ id, title, launchedAt }) => [id, String(title).length, launchedAt])).toEqual([
        ['1', 6, null],
        ['2', 10_000, null],
      ])
    })

    test('top categories by ideas, then name by code point; Uncategorized and unused ones stay out', async () => {
      await given({
        ideas: ['1', '2', '3', '4', '5', '6'].map((id) => idea(id, '2024-05-01T00:00:00Z')),
        categories: [{ name: 'Unused' }],
        idea_categories: [
          ...file('b', '1'),
          ...file('B', '1'),
          ...file('\u{1f600}', '2', '3'),
          ...file('\uff5e', '2', '3'),
          ...file(' B\u00a0', '1'),
          ...file('UNCATEGORIZED ', '4'),
          ...file('', '5'),
        ],
      })
      const { stats, topCategories } = await oracleStats(client, { ...options, topCategories: 4 })
      expect(topCategories).toEqual([
        { category: '\uff5e', count: 2 }, // U+FF5E before U+1F600
        { category: '\u{1f600}', count: 2 },
        { category: 'B', count: 1 },
        { category: 'b', count: 1 },
      ])
      expect(stats['activeCategories']).toBe(4)
      expect((await oracleStats(client, options)).topCategories).toEqual(topCategories.slice(0, 3))
      expect(await oracleCategoryNames(client, AS_OF)).toEqual([
        'B',
        'Uncategorized',
        'Unused',
        'b',
        '\uff5e',
        '\u{1f600}',
      ])
    })
  })

  describe('windows', () => {
    test('are half-open: a vote at `from` is in, one a millisecond before is in the previous one', async () => {
      await given({
        ideas: [idea('1', '2020-01-01T00:00:00Z')],
        votes: [
          vote('1', '2024-05-16T12:30:00.000Z'), // = from of 24h: in
          vote('1', '2024-05-16T12:30:00.000001Z'), // in
          vote('1', '2024-05-16T12:29:59.999999Z'), // truncated to .999: before from, so previous
          vote('1', '2024-05-15T12:30:00.000Z'), // = from of previous: previous
          vote('1', '2024-05-15T12:29:59.999Z'), // older
          vote('1', '2024-05-17T12:29:59.999999Z'), // last millisecond: in
          vote('1', '2024-05-17T12:30:00.000Z'), // to: nowhere
          vote('1', null), // totals only
        ],
      })
      const day = await oracleTrending(client, { ...options, period: '24h', category: null, limit: 20 })
      expect(day).toEqual({
        period: '24h',
        category: null,
        from: '2024-05-16T12:30:00.000Z',
        to: AS_OF,
        limit: 20,
        count: 1,
        ideas: [
          {
            rank: 1,
            id: '1',
            title: 'Idea 1',
            category: 'Uncategorized',
            categories: ['Uncategorized'],
            status: null,
            url: null,
            score: 15,
            votes: 3,
            comments: 0,
            previousScore: 10,
            totalVotes: 7,
            totalComments: 0,
            createdAt: '2020-01-01T00:00:00.000Z',
            launchedAt: null,
          },
        ],
        dataAsOf: AS_OF,
      })
      const votes = async (period: Period) => {
        const { data } = await oracleExport(client, { ...options, type: 'overview', period })
        return [overview(data)['votes'], overview(data)['totalVotes']]
      }
      // Six dated votes in 7 d; the undated one is older than every window.
      expect(await votes('7d')).toEqual([
        [6, 0, null],
        [7, 1, 600],
      ])
      expect(await votes('24h')).toEqual([
        [3, 2, 50],
        [7, 4, 75],
      ])
      expect(await votes('all')).toEqual([
        [7, null, null],
        [7, null, null],
      ])
    })
  })

  describe('trending', () => {
    test('ranks by score, votes, newest, id as text, and cuts to the limit', async () => {
      const old = '2024-01-01T00:00:00Z'
      const now = '2024-05-17T00:00:00Z'
      const comments = (idea_id: string, from: number, count: number) =>
        Array.from({ length: count }, (_, n) => ({ id: String(from + n), idea_id, user_id: null, created_at: now }))
      await given({
        ideas: [...['1', '2', '9', '10', '4'].map((id) => idea(id, old)), idea('3', '2024-01-01T00:00:00.001Z')],
        votes: [...times(3, vote('2', now)), ...['9', '10', '3'].map((id) => vote(id, now)), vote('4', old)],
        comments: [...comments('1', 100, 5)], // 15 points without a vote
      })
      const ask = (limit: number, weights = {}) =>
        oracleTrending(client, { ...options, ...weights, period: '24h', category: null, limit })
      const { ideas, count } = await ask(100)
      // 2: 3×5 with 3 votes; 1: 5×3 with none; 3 is a millisecond newer than 10 and 9; "10" < "9"; 4 scores 0
      expect(column(ideas, 'id')).toEqual(['2', '1', '3', '10', '9'])
      expect(column(ideas, 'rank')).toEqual([1, 2, 3, 4, 5])
      expect(column(ideas, 'score')).toEqual([15, 15, 5, 5, 5])
      expect(count).toBe(5)
      expect(column((await ask(2)).ideas, 'id')).toEqual(['2', '1'])
      expect(column((await ask(100, { voteWeight: 0 })).ideas, 'id')).toEqual(['1'])
      expect(column((await ask(100, { commentWeight: 1 })).ideas, 'score')).toEqual([15, 5, 5, 5, 5])
    })

    test('filters by a published name, found in its spelling, else by lower case, else not at all', async () => {
      await given({
        ideas: [idea('1', '2024-01-01T00:00:00Z'), idea('2', '2024-01-01T00:00:00Z')],
        idea_categories: [
          { idea_id: '1', category: 'Product' },
          { idea_id: '1', category: 'Cafe\u0301' },
          { idea_id: '1', category: '\u3000product\u0085' },
        ],
        votes: [vote('1', '2024-05-17T00:00:00Z'), vote('2', '2024-05-17T00:00:00Z')],
      })
      const ask = async (category: string | null) => {
        const answer = await oracleTrending(client, { ...options, period: '24h', category, limit: 20 })
        return [answer.category, answer.ideas.map((row) => [row['id'], row['category'], row['categories']])]
      }
      const all = ['Caf\u00e9', 'Product', 'product']
      expect(await ask(null)).toEqual([
        null,
        [
          ['1', 'Caf\u00e9; Product; product', all],
          ['2', 'Uncategorized', ['Uncategorized']],
        ],
      ])
      expect(await ask('product')).toEqual(['product', [['1', 'product', all]]])
      expect(await ask('\u2003PRODUCT ')).toEqual(['Product', [['1', 'Product', all]]])
      expect(await ask('cafe\u0301')).toEqual(['Caf\u00e9', [['1', 'Caf\u00e9', all]]])
      expect(await ask('uncategorized')).toEqual(['Uncategorized', [['2', 'Uncategorized', ['Uncategorized']]]])
      expect(await ask(' nothing ')).toEqual(['nothing', []])
    })

    test.each([
      ['product', ['Product', 'product'], 'product'],
      ['PRODUCT', ['Product', 'product'], 'Product'],
      ['\u0130', ['i\u0307'], 'i\u0307'],
      ['\u200bProduct', ['Product'], '\u200bProduct'],
    ])('%j among %j is %j', (asked, names, found) => {
      expect(publishedName(asked, names)).toBe(found)
    })
  })

  describe('categories', () => {
    test('per category by hand; an idea in two counts once in the totals', async () => {
      await given({
        ideas: [
          // created 3 days ago and launched yesterday, in both categories
          idea('1', '2024-05-14T00:00:00Z', { launched: true, launched_at: '2024-05-16T00:00:00Z' }),
          // created 5 days ago, in A
          idea('2', '2024-05-12T00:00:00Z'),
          // created 10 days ago (the previous 7 d), launched without a date, in A
          idea('3', '2024-05-07T00:00:00Z', { launched: true }),
          // a year old, launched 2 days ago, in no category
          idea('4', '2023-05-07T00:00:00Z', { launched: true, launched_at: '2024-05-15T00:00:00Z' }),
        ],
        categories: [{ name: 'Zero' }],
        idea_categories: [...file('A', '1', '2', '3'), ...file('Z', '1')],
        votes: [
          ...times(5, vote('1', '2024-05-15T00:00:00Z')),
          ...times(2, vote('3', '2024-05-15T00:00:00Z')), // on an old idea, in the window
          ...times(4, vote('3', '2024-05-08T00:00:00Z')), // previous
          vote('3', null),
        ],
        comments: [{ id: '1', idea_id: '4', user_id: null, created_at: '2024-05-16T00:00:00Z' }],
      })
      const row = (...cells: (number | null)[]) => {
        const [ideas, votes, comments, launchedIdeas, launchSuccessRate, avgVotesPerIdea, avgCommentsPerIdea] = cells
        const [shareOfIdeas, totalIdeas, previousIdeas, previousVotes, previousComments] = cells.slice(7)
        return {
          ideas,
          votes,
          comments,
          launchedIdeas,
          launchSuccessRate,
          avgVotesPerIdea,
          avgCommentsPerIdea,
          shareOfIdeas,
          totalIdeas,
          previousIdeas,
          previousVotes,
          previousComments,
        }
      }
      expect(await oracleCategories(client, { ...options, period: '7d' })).toEqual({
        period: '7d',
        from: '2024-05-10T12:30:00.000Z',
        to: AS_OF,
        count: 4,
        categories: [
          { category: 'A', ...row(2, 7, 0, 1, 50, 3.5, 0, 100, 3, 1, 4, 0) },
          { category: 'Z', ...row(1, 5, 0, 1, 100, 5, 0, 50, 1, 0, 0, 0) },
          { category: 'Uncategorized', ...row(0, 0, 1, 1, 0, 0, 0, 0, 1, 0, 0, 0) },
          { category: 'Zero', ...row(0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0) },
        ],
        totals: row(2, 7, 1, 2, 50, 3.5, 0.5, 100, 4, 1, 4, 0),
        dataAsOf: AS_OF,
      })
      const all = await oracleCategories(client, { ...options, period: 'all' })
      expect(all.from).toBeNull()
      expect(all.categories).toEqual([
        { category: 'A', ...row(3, 12, 0, 2, 66.67, 4, 0, 75, 3, null, null, null) },
        { category: 'Z', ...row(1, 5, 0, 1, 100, 5, 0, 25, 1, null, null, null) },
        { category: 'Uncategorized', ...row(1, 0, 1, 1, 100, 0, 1, 25, 1, null, null, null) },
        { category: 'Zero', ...row(0, 0, 0, 0, 0, 0, 0, 0, 0, null, null, null) },
      ])
      expect(all.totals).toEqual(row(4, 12, 1, 3, 75, 3, 0.25, 100, 4, null, null, null))

      const exported = await oracleExport(client, { ...options, type: 'categories', period: 'all' })
      expect(exported).toEqual({
        type: 'categories',
        period: 'all',
        from: null,
        to: AS_OF,
        data: all.categories,
        rowCount: 4,
        dataAsOf: AS_OF,
      })
      expect(Object.keys(exported.data[0]!).join()).toBe(
        'category,ideas,votes,comments,launchedIdeas,launchSuccessRate,avgVotesPerIdea,avgCommentsPerIdea,shareOfIdeas,totalIdeas,previousIdeas,previousVotes,previousComments',
      )

      const { data } = await oracleExport(client, { ...options, type: 'overview', period: '7d' })
      expect(overview(data)).toEqual({
        newUsers: [0, 0, null],
        activeUsers: [0, 0, null],
        ideas: [2, 1, 100],
        votes: [7, 4, 75],
        comments: [1, 0, null],
        launchedIdeas: [2, 0, null],
        activeCategories: [2, 1, 100],
        avgVotesPerIdea: [3.5, 4, -12.5],
        avgCommentsPerIdea: [0.5, 0, null],
        launchSuccessRate: [50, 100, -50],
        totalUsers: [0, 0, null],
        totalIdeas: [4, 2, 100],
        totalVotes: [12, 5, 140],
        totalComments: [1, 0, null],
        totalLaunchedIdeas: [3, 1, 200],
      })
      expect(data[0]).toEqual({ metric: 'newUsers', value: 0, previousValue: 0, changePercent: null })
    })

    test('names lose the white space of Unicode at both ends, and nothing else that is invisible', async () => {
      const characters = Array.from({ length: 0xd7ff }, (_, n) => String.fromCodePoint(n + 1))
      const whiteSpace = characters.filter((character) => /\p{White_Space}/u.test(character))
      expect(whiteSpace).toHaveLength(25)
      const categories = whiteSpace.map((character) => ({ name: `${character}a b${character}` }))
      await given({ categories: [...categories, { name: '\u200ba b' }, { name: 'a b\ufeff' }, { name: 'a  b' }] })
      expect(await oracleCategoryNames(client, AS_OF)).toEqual(['a  b', 'a b', 'a b\ufeff', '\u200ba b'])
    })

    test('Uncategorized is listed only when an idea has no category, and is no active category', async () => {
      const only = { ideas: [idea('1', '2024-05-17T00:00:00Z')] }
      await given({
        ...only,
        categories: [{ name: 'uncategorized' }],
        idea_categories: [{ idea_id: '1', category: 'A' }],
      })
      expect(await oracleCategoryNames(client, AS_OF)).toEqual(['A'])
      await given({ ...only, idea_categories: [{ idea_id: '1', category: ' UnCategorized\u00a0' }] })
      expect(await oracleCategoryNames(client, AS_OF)).toEqual(['Uncategorized'])
      const { data } = await oracleExport(client, { ...options, type: 'overview', period: '24h' })
      expect(overview(data)['activeCategories']).toEqual([0, 0, null])
    })
  })

  describe('export of people', () => {
    test('a day in hours: 25 buckets, 24 on the hour; only rows inside the window', async () => {
      const users = [
        { id: '1', created_at: '2024-05-16T12:29:00Z' }, // in the first bucket's hour, before the window
        { id: '2', created_at: '2024-05-16T12:30:00Z' },
        { id: '3', created_at: '2024-05-17T12:00:00Z' },
      ]
      await given({
        users,
        ideas: [idea('1', '2024-05-17T11:00:00Z', { author_id: '9' })],
        votes: [
          vote('1', '2024-05-17T11:00:00Z', '9'), // the author, again
          vote('1', '2024-05-17T11:30:00Z', '404'), // known, though no account
          vote('1', '2024-05-17T11:30:00Z', null), // unknown
          vote('1', '2024-05-16T12:10:00Z', '1'), // before the window
        ],
        comments: [{ id: '1', idea_id: '1', user_id: '404', created_at: '2024-05-17T11:59:59.999999Z' }],
      })
      const { data, rowCount } = await oracleExport(client, { ...options, type: 'users', period: '24h' })
      const quiet = { activeUsers: 0, ideaAuthors: 0, voters: 0, commenters: 0 }
      expect(rowCount).toBe(25)
      expect(data.slice(0, 2)).toEqual([
        { bucket: '2024-05-16T12:00:00.000Z', newUsers: 1, totalUsers: 2, ...quiet },
        { bucket: '2024-05-16T13:00:00.000Z', newUsers: 0, totalUsers: 2, ...quiet },
      ])
      expect(data.slice(-2)).toEqual([
        {
          bucket: '2024-05-17T11:00:00.000Z',
          newUsers: 0,
          totalUsers: 2,
          activeUsers: 2,
          ideaAuthors: 1,
          voters: 2,
          commenters: 1,
        },
        { bucket: '2024-05-17T12:00:00.000Z', newUsers: 1, totalUsers: 3, ...quiet },
      ])

      const onTheHour = await oracleExport(client, {
        ...options,
        asOf: '2024-05-17T12:00:00.000Z',
        type: 'users',
        period: '24h',
      })
      expect(onTheHour.rowCount).toBe(24)
      expect(column(onTheHour.data, 'bucket')[0]).toBe('2024-05-16T12:00:00.000Z')
      expect(column(onTheHour.data, 'newUsers')[0]).toBe(2)
      expect(column(onTheHour.data, 'bucket').at(-1)).toBe('2024-05-17T11:00:00.000Z')
    })

    test.each([
      ['7d', 8, 7, '2024-05-10T00:00:00.000Z'],
      ['30d', 31, 30, '2024-04-17T00:00:00.000Z'],
      ['90d', 91, 90, '2024-02-17T00:00:00.000Z'],
    ] as const)('%s in days: %i buckets, %i at midnight', async (period, buckets, atMidnight, first) => {
      await given({})
      const { data } = await oracleExport(client, { ...options, type: 'users', period })
      expect(data).toHaveLength(buckets)
      expect(data[0]!['bucket']).toBe(first)
      const midnight = await oracleExport(client, {
        ...options,
        asOf: '2024-05-17T00:00:00.000Z',
        type: 'users',
        period,
      })
      expect(midnight.data).toHaveLength(atMidnight)
    })

    test('`all` in months, from the earliest dated row that counts; none without', async () => {
      const months = async (asOf = AS_OF) =>
        column((await oracleExport(client, { ...options, asOf, type: 'users', period: 'all' })).data, 'bucket')
      await given({})
      expect(await months()).toEqual([])
      await given({
        ideas: [idea('1', '2024-04-30T23:59:59.999Z')],
        votes: [
          vote('1', null, '8'),
          vote('1', '2024-03-31T23:59:59.999999Z', '9'),
          vote('1', '2023-01-01T00:00:00Z', '9', -1),
          vote('404', '2023-01-01T00:00:00Z', '9'),
        ],
      })
      expect(await months()).toEqual([
        '2024-03-01T00:00:00.000Z',
        '2024-04-01T00:00:00.000Z',
        '2024-05-01T00:00:00.000Z',
      ])
      expect(await months('2024-05-01T00:00:00.000Z')).toHaveLength(2)
      const { data } = await oracleExport(client, { ...options, type: 'overview', period: 'all' })
      expect(overview(data)['activeUsers']).toEqual([2, null, null]) // 9, and 8 with an undated vote
    })

    test('what is dated before 1990 is undated', async () => {
      await given({
        users: [
          { id: '1', created_at: '1989-12-31T23:59:59.999999Z' },
          { id: '2', created_at: '2024-05-01T00:00:00Z' },
        ],
        ideas: [
          idea('1', '0001-01-01T00:00:00Z', { author_id: '9', launched: true, launched_at: '1970-01-01T00:00:00Z' }),
        ],
        votes: [vote('1', '1970-01-01T00:00:00Z', '9')],
        comments: [{ id: '1', idea_id: '1', user_id: '8', created_at: '1970-01-01T00:00:00Z' }],
      })
      const undated = await oracleExport(client, { ...options, type: 'users', period: 'all' })
      expect(undated.data).toEqual([
        {
          bucket: '2024-05-01T00:00:00.000Z',
          newUsers: 1,
          totalUsers: 2,
          activeUsers: 0,
          ideaAuthors: 0,
          voters: 0,
          commenters: 0,
        },
      ])
      const { data: all } = await oracleExport(client, { ...options, type: 'overview', period: 'all' })
      expect(overview(all)['newUsers']).toEqual([2, null, null])
      const [row] = (await oracleExport(client, { ...options, type: 'ideas', period: 'all' })).data
      expect(row).toMatchObject({ createdAt: '0001-01-01T00:00:00.000Z', launchedAt: null })
    })
  })

  describe('export of ideas', () => {
    test('newest first, then id as text, with the window’s counts beside the totals', async () => {
      await given({
        ideas: [
          idea('9', '2024-05-17T10:00:00.000999Z', { url: '/ideas/9', title: 'a\nb', status: 'open' }),
          idea('10', '2024-05-17T10:00:00Z', { launched: true, launched_at: '2024-05-17T11:00:00.000999Z' }),
          idea('-5', '2024-05-17T11:00:00Z', { launched: false, launched_at: '2024-05-17T11:00:00Z' }),
          idea('1', '2024-05-16T12:29:59.999999Z'),
        ],
        idea_categories: ['b', 'B ', 'B'].map((category) => ({ idea_id: '9', category })),
        votes: [vote('9', null), vote('9', '2024-05-17T11:00:00Z'), vote('9', '2023-05-17T11:00:00Z')],
      })
      const { data } = await oracleExport(client, {
        ...options,
        type: 'ideas',
        period: '24h',
        siteUrl: 'https://s.example',
      })
      expect(column(data, 'id')).toEqual(['-5', '10', '9'])
      expect(data[2]).toEqual({
        id: '9',
        title: 'a\nb',
        category: 'B; b',
        status: 'open',
        createdAt: '2024-05-17T10:00:00.000Z',
        launchedAt: null,
        votes: 1,
        comments: 0,
        totalVotes: 3,
        totalComments: 0,
        url: 'https://s.example/ideas/9',
      })
      expect(Object.keys(data[0]!).join()).toBe(
        'id,title,category,status,createdAt,launchedAt,votes,comments,totalVotes,totalComments,url',
      )
      expect(column(data, 'launchedAt')).toEqual([null, '2024-05-17T11:00:00.000Z', null])
      const all = await oracleExport(client, { ...options, type: 'ideas', period: 'all' })
      expect(column(all.data, 'votes')).toEqual([0, 0, 3, 0])
    })

    test.each([
      ['/ideas/7', '/ideas/7', 'https://s.example/ideas/7'],
      ['https://e.example/x', 'https://e.example/x', 'https://e.example/x'],
      ['HTTP://e.Example', 'http://e.example/', 'http://e.example/'],
      ['/a?b="c"', '/a?b=%22c%22', 'https://s.example/a?b=%22c%22'],
      ['//evil.example', null, null],
      ['javascript:alert(1)', null, null],
      ['ideas/7', null, null],
      ['', null, null],
      [null, null, null],
    ])('url %j is %j, with a site URL %j', async (url, plain, joined) => {
      await given({ ideas: [idea('1', '2024-05-17T10:00:00Z', { url })] })
      const ask = async (siteUrl: string | null) =>
        column((await oracleExport(client, { asOf: AS_OF, siteUrl, type: 'ideas', period: 'all' })).data, 'url')
      expect(await ask(null)).toEqual([plain])
      expect(await ask('https://s.example')).toEqual([joined])
    })
  })

  test('over random databases the documents agree with one another', async () => {
    let ideas = 0
    const property = asyncProperty(nativeDatabases(), async (database) => {
      await loadDatabase(client, database)
      const at = { asOf: database.asOf, siteUrl: null }
      const { stats } = await oracleStats(client, at)
      ideas += stats['totalIdeas']!
      expect(stats['totalIdeas']).toBeLessThanOrEqual(database.ideas.length)
      for (const period of PERIODS) {
        const rows = async (type: ExportType) => (await oracleExport(client, { ...at, type, period })).data
        const summary = overview(await rows('overview'))
        const people = await rows('users')
        const listed = await rows('ideas')
        const byCategory = await rows('categories')
        const first = (metric: string) => summary[metric]![0]
        const sum = (list: Row[], key: string) => list.reduce((total, row) => total + Number(row[key]), 0)
        // In `all` the first bucket's total has those without a date, who are new in none.
        const undated = Number(people[0]?.['totalUsers'] ?? 0) - Number(people[0]?.['newUsers'] ?? 0)
        if (period !== 'all') expect(sum(people, 'newUsers')).toBe(first('newUsers'))
        else if (people.length > 0) expect(undated + sum(people, 'newUsers')).toBe(first('newUsers'))
        expect(listed).toHaveLength(Number(first('ideas')))
        if (people.length > 0) expect(people.at(-1)?.['totalUsers']).toBe(stats['totalUsers'])
        expect(sum(byCategory, 'ideas')).toBeGreaterThanOrEqual(Number(first('ideas')))
        if (period === 'all') {
          expect([
            first('ideas'),
            first('votes'),
            first('comments'),
            first('launchedIdeas'),
            first('newUsers'),
          ]).toEqual(
            ['totalIdeas', 'totalVotes', 'totalComments', 'launchedIdeas', 'totalUsers'].map((key) => stats[key]),
          )
          expect(sum(listed, 'votes')).toBe(stats['totalVotes'])
        }
      }
      for (const period of TRENDING_PERIODS) {
        const all = await oracleTrending(client, { ...at, period, category: null, limit: 100 })
        for (const row of all.ideas) expect(row['score']).toBe(5 * Number(row['votes']) + 3 * Number(row['comments']))
        for (const category of await oracleCategoryNames(client, database.asOf)) {
          const filtered = await oracleTrending(client, { ...at, period, category, limit: 100 })
          const expected = all.ideas.filter((row) => (row['categories'] as string[]).includes(category))
          expect(column(filtered.ideas, 'id')).toEqual(column(expected, 'id'))
        }
      }
    })
    await assert(property, { numRuns: 25 })
    expect(ideas).toBeGreaterThan(25)
  }, 180_000)
})
