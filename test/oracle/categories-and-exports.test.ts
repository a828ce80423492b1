// The oracle is not trusted without tests: categories and exports, compared with numbers worked out by hand.
import { describe, expect, test } from 'vitest'
import { AS_OF, column, describeOracle, file, idea, options, overview, times, vote } from './by-hand.ts'
import { oracleCategories, oracleCategoryNames, oracleExport } from './documents.ts'

describeOracle('the oracle', ({ client, given }) => {
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
      expect(await oracleCategories(client(), { ...options, period: '7d' })).toEqual({
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
      const all = await oracleCategories(client(), { ...options, period: 'all' })
      expect(all.from).toBeNull()
      expect(all.categories).toEqual([
        { category: 'A', ...row(3, 12, 0, 2, 66.67, 4, 0, 75, 3, null, null, null) },
        { category: 'Z', ...row(1, 5, 0, 1, 100, 5, 0, 25, 1, null, null, null) },
        { category: 'Uncategorized', ...row(1, 0, 1, 1, 100, 0, 1, 25, 1, null, null, null) },
        { category: 'Zero', ...row(0, 0, 0, 0, 0, 0, 0, 0, 0, null, null, null) },
      ])
      expect(all.totals).toEqual(row(4, 12, 1, 3, 75, 3, 0.25, 100, 4, null, null, null))

      const exported = await oracleExport(client(), { ...options, type: 'categories', period: 'all' })
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

      const { data } = await oracleExport(client(), { ...options, type: 'overview', period: '7d' })
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
        launchSuccessRate: [50, 100, null],
        totalUsers: [0, 0, null],
        totalIdeas: [4, 2, 100],
        totalVotes: [12, 5, 140],
        totalComments: [1, 0, null],
        totalLaunchedIdeas: [3, 1, 200],
      })
      expect(data[0]).toEqual({ metric: 'newUsers', value: 0, previousValue: 0, changePercent: null, yearAgoValue: 0 })
    })

    test('names lose the white space of Unicode at both ends, and nothing else that is invisible', async () => {
      const characters = Array.from({ length: 0xd7ff }, (_, n) => String.fromCodePoint(n + 1))
      const whiteSpace = characters.filter((character) => /\p{White_Space}/u.test(character))
      expect(whiteSpace).toHaveLength(25)
      const categories = whiteSpace.map((character) => ({ name: `${character}a b${character}` }))
      await given({ categories: [...categories, { name: '\u200ba b' }, { name: 'a b\ufeff' }, { name: 'a  b' }] })
      expect(await oracleCategoryNames(client(), AS_OF)).toEqual(['a  b', 'a b', 'a b\ufeff', '\u200ba b'])
    })

    test('Uncategorized is listed only when an idea has no category, and is no active category', async () => {
      const only = { ideas: [idea('1', '2024-05-17T00:00:00Z')] }
      await given({
        ...only,
        categories: [{ name: 'uncategorized' }],
        idea_categories: [{ idea_id: '1', category: 'A' }],
      })
      expect(await oracleCategoryNames(client(), AS_OF)).toEqual(['A'])
      await given({ ...only, idea_categories: [{ idea_id: '1', category: ' UnCategorized\u00a0' }] })
      expect(await oracleCategoryNames(client(), AS_OF)).toEqual(['Uncategorized'])
      const { data } = await oracleExport(client(), { ...options, type: 'overview', period: '24h' })
      expect(overview(data)['activeCategories']).toEqual([0, 0, null])
    })
  })

  describe('export of users', () => {
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
      const { data, rowCount } = await oracleExport(client(), { ...options, type: 'users', period: '24h' })
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

      const onTheHour = await oracleExport(client(), {
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
      const { data } = await oracleExport(client(), { ...options, type: 'users', period })
      expect(data).toHaveLength(buckets)
      expect(data[0]!['bucket']).toBe(first)
      const midnight = await oracleExport(client(), {
        ...options,
        asOf: '2024-05-17T00:00:00.000Z',
        type: 'users',
        period,
      })
      expect(midnight.data).toHaveLength(atMidnight)
    })

    test('`all` in months, from the earliest dated row that counts; none without', async () => {
      const months = async (asOf = AS_OF) =>
        column((await oracleExport(client(), { ...options, asOf, type: 'users', period: 'all' })).data, 'bucket')
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
      const { data } = await oracleExport(client(), { ...options, type: 'overview', period: 'all' })
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
      const undated = await oracleExport(client(), { ...options, type: 'users', period: 'all' })
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
      const { data: all } = await oracleExport(client(), { ...options, type: 'overview', period: 'all' })
      expect(overview(all)['newUsers']).toEqual([2, null, null])
      const [row] = (await oracleExport(client(), { ...options, type: 'ideas', period: 'all' })).data
      expect(row).toMatchObject({ createdAt: '0001-01-01T00:00:00.000Z', launchedAt: null })
    })
  })

  describe('export of ideas', () => {
    test('newest first, then id as text, with the counts of the window and the totals', async () => {
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
      const { data } = await oracleExport(client(), {
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
        launched: false,
      })
      expect(Object.keys(data[0]!).join()).toBe(
        'id,title,category,status,createdAt,launchedAt,votes,comments,totalVotes,totalComments,url,launched',
      )
      expect(column(data, 'launchedAt')).toEqual([null, '2024-05-17T11:00:00.000Z', null])
      const all = await oracleExport(client(), { ...options, type: 'ideas', period: 'all' })
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
        column((await oracleExport(client(), { asOf: AS_OF, siteUrl, type: 'ideas', period: 'all' })).data, 'url')
      expect(await ask(null)).toEqual([plain])
      expect(await ask('https://s.example')).toEqual([joined])
    })
  })
})
