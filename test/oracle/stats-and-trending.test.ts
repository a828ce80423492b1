// The oracle is not trusted without tests: stats, windows and trending ideas, compared with numbers worked out by hand.
import { describe, expect, test } from 'vitest'
import { AS_OF, column, describeOracle, file, idea, options, overview, times, vote } from './by-hand.ts'
import { oracleCategoryNames, oracleExport, oracleStats, oracleTrending, type Period } from './documents.ts'

describeOracle('the oracle', ({ client, given }) => {
  describe('stats', () => {
    test('an empty database is zeros, never a division', async () => {
      await given({})
      expect(await oracleStats(client(), options)).toEqual({
        stats: { totalUsers: 0, totalIdeas: 0, totalVotes: 0, totalComments: 0, launchedIdeas: 0, activeCategories: 0 },
        metrics: { avgVotesPerIdea: 0, avgCommentsPerIdea: 0, launchSuccessRate: 0 },
        topCategories: [],
      })
    })

    test('201 votes on 200 ideas are 1.01: half away from zero, where a binary product gives 1', async () => {
      const ideas = Array.from({ length: 200 }, (_, n) => idea(String(n), '2024-01-01T00:00:00Z', { launched: n < 1 }))
      await given({ ideas, votes: times(201, vote('7', null)) })
      const { metrics } = await oracleStats(client(), options)
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
      expect(await oracleStats(client(), options)).toEqual({
        stats: { totalUsers: 1, totalIdeas: 2, totalVotes: 2, totalComments: 1, launchedIdeas: 1, activeCategories: 1 },
        metrics: { avgVotesPerIdea: 1, avgCommentsPerIdea: 0.5, launchSuccessRate: 50 },
        topCategories: [{ category: 'Product', count: 1 }],
      })
      // Idea 1 was launched, at a time that counts as unknown: in `all`, in no window.
      const launched = async (period: Period) => {
        const { data } = await oracleExport(client(), { ...options, type: 'overview', period })
        return overview(data)['launchedIdeas']
      }
      expect(await launched('all')).toEqual([1, null, null])
      expect(await launched('90d')).toEqual([0, 0, null])
      const { data } = await oracleExport(client(), { ...options, type: 'ideas', period: 'all' })
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
      const { stats } = await oracleStats(client(), options)
      expect(stats).toEqual({
        totalUsers: 2,
        totalIdeas: 2,
        totalVotes: 1,
        totalComments: 1,
        launchedIdeas: 1,
        activeCategories: 0,
      })
      expect(await oracleCategoryNames(client(), AS_OF)).toEqual(['Uncategorized'])
      const { data } = await oracleExport(client(), { ...options, type: 'ideas', period: 'all' })
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
      const { stats, topCategories } = await oracleStats(client(), { ...options, topCategories: 4 })
      expect(topCategories).toEqual([
        { category: '\uff5e', count: 2 }, // U+FF5E before U+1F600
        { category: '\u{1f600}', count: 2 },
        { category: 'B', count: 1 },
        { category: 'b', count: 1 },
      ])
      expect(stats['activeCategories']).toBe(4)
      expect((await oracleStats(client(), options)).topCategories).toEqual(topCategories.slice(0, 3))
      expect(await oracleCategoryNames(client(), AS_OF)).toEqual([
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
      const day = await oracleTrending(client(), { ...options, period: '24h', category: null, limit: 20 })
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
        const { data } = await oracleExport(client(), { ...options, type: 'overview', period })
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
        oracleTrending(client(), { ...options, ...weights, period: '24h', category: null, limit })
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
        const answer = await oracleTrending(client(), { ...options, period: '24h', category, limit: 20 })
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
  })
})
