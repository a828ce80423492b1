// The oracle is not trusted without tests: timelines and outcomes, compared with numbers worked out by hand.
import { describe, expect, test } from 'vitest'
import { AS_OF, column, describeOracle, file, idea, options, times, vote } from './by-hand.ts'
import { oracleCategoryFile, oracleExport, oracleOutcomes, oracleTimeline } from './documents.ts'

const BEFORE_1990 = '1989-12-31T23:59:59.999999Z'
const comment = (id: string, idea_id: string, created_at: string) => ({ id, idea_id, user_id: null, created_at })
/** ideas, votes, comments, launchedIdeas, and their totals at the end. */
const bucket = (at: string, counts: readonly number[], totals: readonly number[]) => ({
  bucket: at,
  ideas: counts[0],
  votes: counts[1],
  comments: counts[2],
  launchedIdeas: counts[3],
  totalIdeas: totals[0],
  totalVotes: totals[1],
  totalComments: totals[2],
  totalLaunchedIdeas: totals[3],
})
const cohort = (
  month: string | null,
  ...[ideas, voted, discussed, launched, in30, in90, in365, undated = 0, known365 = in365]: (number | null)[]
) => ({
  month,
  ideas,
  votedIdeas: voted,
  discussedIdeas: discussed,
  launchedIdeas: launched,
  launchedWithin30Days: in30,
  launchedWithin90Days: in90,
  launchedWithin365Days: in365,
  launchedUndated: undated,
  knownWithin365Days: known365,
})
/** year, ideas, launched; of those that have had a year: ideas, launched, undated, share; and the median of a whole year. */
const year = (
  at: number,
  [ideas = 0, launchedIdeas = 0]: readonly number[],
  [old = 0, launched = 0, launchedUndated = 0, share = 0]: readonly number[],
  medianDays: number | null,
) => ({
  year: `${at}-01-01T00:00:00.000Z`,
  ideas,
  launchedIdeas,
  firstYear: { ideas: old, launched, launchedUndated, share },
  medianDays,
  // Nobody is named in it.
  activeUsers: 0,
})

describeOracle('the oracle', ({ client, given }) => {
  describe('timeline', () => {
    test('a day in hours: half-open windows and buckets, undated rows in totals only, a category alone', async () => {
      await given({
        ideas: [
          // in the hour of the first bucket, but a microsecond before the window
          idea('1', '2024-05-16T12:29:59.999999Z', { launched: true, launched_at: '2024-05-16T13:00:00Z' }),
          // where the window begins; launched nobody knows when
          idea('2', '2024-05-16T12:30:00Z', { launched: true }),
          // before its creation, which has no date
          idea('3', BEFORE_1990, { launched: true, launched_at: '2024-05-17T12:00:00Z' }),
        ],
        idea_categories: [...file('A', '1', '2'), ...file('B', '2')],
        votes: [
          vote('1', null),
          vote('2', BEFORE_1990),
          vote('1', '2024-05-16T12:30:00Z'),
          vote('1', '2024-05-16T12:59:59.999999Z'),
          vote('1', '2024-05-16T13:00:00Z'),
          vote('2', '2024-05-17T12:29:59.999999Z'),
          vote('2', '2024-05-17T12:30:00Z'), // not yet
          vote('2', '2024-05-17T11:00:00Z', null, -1), // none
          vote('404', '2024-05-17T11:00:00Z'), // of a hidden idea
        ],
        comments: [comment('1', '3', '2024-05-17T12:00:00Z')],
      })
      const all = await oracleTimeline(client(), { ...options, period: '24h' })
      expect(Object.keys(all).join()).toBe('period,interval,category,from,to,count,buckets,undated,dataAsOf')
      expect(all).toMatchObject({
        period: '24h',
        interval: 'hour',
        category: null,
        from: '2024-05-16T12:30:00.000Z',
        to: AS_OF,
        count: 25,
        undated: { ideas: 1, votes: 2, comments: 0, launchedIdeas: 1 },
        dataAsOf: AS_OF,
      })
      expect(all.buckets).toHaveLength(25)
      expect(all.buckets.slice(0, 3)).toEqual([
        bucket('2024-05-16T12:00:00.000Z', [1, 2, 0, 0], [3, 4, 0, 1]),
        bucket('2024-05-16T13:00:00.000Z', [0, 1, 0, 1], [3, 5, 0, 2]),
        bucket('2024-05-16T14:00:00.000Z', [0, 0, 0, 0], [3, 5, 0, 2]),
      ])
      expect(all.buckets.at(-1)).toEqual(bucket('2024-05-17T12:00:00.000Z', [0, 1, 1, 1], [3, 6, 1, 3]))

      const b = await oracleTimeline(client(), { ...options, period: '24h', category: 'B' })
      expect(b.undated).toEqual({ ideas: 0, votes: 1, comments: 0, launchedIdeas: 1 })
      expect([b.buckets[0], b.buckets.at(-1)]).toEqual([
        bucket('2024-05-16T12:00:00.000Z', [1, 0, 0, 0], [1, 1, 0, 1]),
        bucket('2024-05-17T12:00:00.000Z', [0, 1, 0, 0], [1, 2, 0, 1]),
      ])
      const none = await oracleTimeline(client(), { ...options, period: '24h', category: 'none' })
      expect([none.count, none.undated, none.buckets.at(-1)]).toEqual([
        25,
        { ideas: 0, votes: 0, comments: 0, launchedIdeas: 0 },
        bucket('2024-05-17T12:00:00.000Z', [0, 0, 0, 0], [0, 0, 0, 0]),
      ])

      const exported = await oracleExport(client(), { ...options, type: 'timeline', period: '24h' })
      expect([exported.rowCount, exported.from]).toEqual([25 + 3 + 2 + 1, '2024-05-16T12:30:00.000Z'])
      const row = (at: string, category: string | null, ...counts: number[]) => [
        `2024-05-${at}:00:00.000Z`,
        category,
        ...counts,
      ]
      expect(exported.data.filter((one) => one['category'] !== null).map((one) => Object.values(one))).toEqual([
        row('16T12', 'A', 1, 2, 0, 0),
        row('16T13', 'A', 0, 1, 0, 1),
        row('17T12', 'A', 0, 1, 0, 0),
        row('16T12', 'B', 1, 0, 0, 0),
        row('17T12', 'B', 0, 1, 0, 0),
        row('17T12', 'Uncategorized', 0, 0, 1, 1),
      ])
      expect(exported.data[0]).toEqual({
        bucket: '2024-05-16T12:00:00.000Z',
        category: null,
        ideas: 1,
        votes: 2,
        comments: 0,
        launchedIdeas: 0,
      })
    })

    test.each([
      ['7d', 8, '2024-05-10T00:00:00.000Z'],
      ['30d', 31, '2024-04-17T00:00:00.000Z'],
      ['90d', 91, '2024-02-17T00:00:00.000Z'],
    ] as const)('%s: %i days', async (period, days, first) => {
      await given({})
      const { interval, count, buckets } = await oracleTimeline(client(), { ...options, period })
      expect([interval, count, buckets.length, buckets[0]?.['bucket']]).toEqual(['day', days, days, first])
    })

    test('`all` begins with the month of the earliest date of the whole site, a launch or an account too', async () => {
      const begins = async (category: string | null = null) => {
        const months = await oracleTimeline(client(), { ...options, period: 'all', category })
        const days = await oracleTimeline(client(), { ...options, period: 'all', interval: 'day' })
        expect([months.interval, days.interval, months.from]).toEqual(['month', 'day', null])
        return [months.count, months.buckets[0]?.['bucket'], days.count, days.buckets[0]?.['bucket']]
      }
      await given({ ideas: [idea('1', BEFORE_1990)], votes: [vote('1', null)] })
      expect(await begins()).toEqual([0, undefined, 0, undefined])
      await given({ users: [{ id: '1', created_at: '2024-04-30T23:59:59.999999Z' }], categories: [{ name: 'A' }] })
      expect(await begins('A')).toEqual([2, '2024-04-01T00:00:00.000Z', 47, '2024-04-01T00:00:00.000Z'])
      const launch = { launched: true, launched_at: '2024-02-29T23:59:59.999999Z' }
      await given({ ideas: [idea('1', '2024-05-01T00:00:00Z', launch)], idea_categories: file('A', '1') })
      expect(await begins('none')).toEqual([
        4,
        '2024-02-01T00:00:00.000Z',
        29 + 31 + 30 + 17,
        '2024-02-01T00:00:00.000Z',
      ])
      const { buckets } = await oracleTimeline(client(), { ...options, period: 'all' })
      expect([column(buckets, 'ideas'), column(buckets, 'totalLaunchedIdeas')]).toEqual([
        [0, 0, 0, 1],
        [1, 1, 1, 1],
      ])
      const rows = (await oracleExport(client(), { ...options, type: 'timeline', period: 'all', interval: 'day' })).data
      expect(new Set(column(rows, 'category'))).toEqual(new Set([null]))
      const [leapDay, first] = [rows[28], rows[0]]
      expect([leapDay?.['bucket'], leapDay?.['launchedIdeas'], first?.['launchedIdeas']]).toEqual([
        '2024-02-29T00:00:00.000Z',
        1,
        0,
      ])
    })
  })

  describe('outcomes', () => {
    test('without ideas: no statuses, no cohorts, and no median', async () => {
      await given({ categories: [{ name: 'A' }], users: [{ id: '1', created_at: '2024-01-01T00:00:00Z' }] })
      const nothing = {
        statuses: [],
        launched: { ideas: 0, votes: 0, shareOfVotes: 0, dated: 0, medianDays: null, p90Days: null },
        cohorts: [],
        firstYear: { ideas: 0, launched: 0, launchedUndated: 0, share: 0 },
        years: [],
        dataAsOf: AS_OF,
      }
      expect(await oracleOutcomes(client(), options)).toEqual({ category: null, ...nothing })
      expect(await oracleOutcomes(client(), { ...options, category: 'A' })).toEqual({ category: 'A', ...nothing })
    })

    test('statuses by ideas, then name; no status last; shares of the ideas and of the votes', async () => {
      const statuses = [null, null, null, '\u{1f600}', '\uff5e', 'b', 'b', '', 'x'.repeat(10_001)]
      await given({
        ideas: statuses.map((status, n) =>
          idea(String(n), '2024-05-01T00:00:00Z', { status, launched: n === 5, launched_at: null }),
        ),
        idea_categories: file('A', '5'),
        votes: [...times(2, vote('5', null)), vote('3', '2024-05-01T00:00:00Z'), vote('3', null, null, 0)],
        comments: [comment('1', '0', '2024-05-01T00:00:00Z')],
      })
      const { statuses: rows, launched } = await oracleOutcomes(client(), options)
      expect(rows.map((row) => Object.values(row))).toEqual([
        ['b', 2, 2, 0, 22.22],
        ['', 1, 0, 0, 11.11],
        ['\uff5e', 1, 0, 0, 11.11],
        ['\u{1f600}', 1, 1, 0, 11.11],
        [null, 4, 0, 1, 44.44],
      ])
      expect(Object.keys(rows[0]!).join()).toBe('status,ideas,votes,comments,shareOfIdeas')
      expect(launched).toEqual({ ideas: 1, votes: 2, shareOfVotes: 66.67, dated: 0, medianDays: null, p90Days: null })
      const ofA = await oracleOutcomes(client(), { ...options, category: 'A' })
      expect(ofA.statuses).toEqual([{ status: 'b', ideas: 1, votes: 2, comments: 0, shareOfIdeas: 100 }])
      expect(ofA.launched['shareOfVotes']).toBe(100)
    })

    test('days from creation to launch: before it none, interpolated, half away from zero, only with both dates', async () => {
      const launch = (id: string, created: string, launched_at: string | null, launched = true) =>
        idea(id, created, { launched, launched_at })
      await given({
        ideas: [
          launch('1', '2024-05-01T00:00:00Z', '2024-04-01T00:00:00Z'), // 0
          launch('2', '2024-05-01T00:00:00Z', '2024-05-01T03:00:00Z'), // 0.125
          launch('3', '2024-05-01T00:00:00Z', '2024-05-11T00:00:00Z'), // 10
          launch('4', BEFORE_1990, '2024-05-11T00:00:00Z'),
          launch('5', '2024-05-01T00:00:00Z', null),
          launch('6', '2024-05-01T00:00:00Z', '2024-05-17T12:30:00Z'), // not yet dated
          launch('7', '2024-05-01T00:00:00Z', '2024-05-16T00:00:00Z', false),
        ],
      })
      // 0.125, and 0.125 + 0.8 * (10 - 0.125) = 8.025
      expect((await oracleOutcomes(client(), options)).launched).toEqual({
        ideas: 6,
        votes: 0,
        shareOfVotes: 0,
        dated: 3,
        medianDays: 0.13,
        p90Days: 8.03,
      })
    })

    const asOf = '2024-05-01T00:00:00.000Z'
    const months = {
      ideas: [
        // 365 days are over since January 2023; launched after 30 x 24 h exactly, and a millisecond later
        idea('1', '2023-01-31T23:59:59.999999Z', { launched: true, launched_at: '2023-03-02T23:59:59.999Z' }),
        idea('2', '2023-01-01T00:00:00Z', { launched: true, launched_at: '2023-01-31T00:00:00.001Z' }),
        // March 2024 is 30 days old where May begins
        idea('3', '2024-03-31T23:59:59.999999Z', { launched: true, launched_at: '2024-04-01T00:00:00Z' }),
        idea('4', '2024-04-01T00:00:00Z'),
        idea('5', BEFORE_1990, { launched: true, launched_at: '2023-04-01T00:00:00Z' }),
      ],
      idea_categories: file('A', '3'),
      votes: [vote('1', null), vote('1', null), vote('5', '2023-02-01T00:00:00Z')],
      comments: [comment('1', '2', '2023-02-01T00:00:00Z')],
    }
    const MARCH = cohort('2024-03-01T00:00:00.000Z', 1, 0, 0, 1, 1, null, null)
    const APRIL = cohort('2024-04-01T00:00:00.000Z', 1, 0, 0, 0, null, null, null)

    test('cohorts are months of creation, empty ones too; what is not known is null', async () => {
      await given(months)
      const { cohorts } = await oracleOutcomes(client(), { asOf, siteUrl: null })
      expect(cohorts).toHaveLength(17)
      expect(cohorts[0]).toEqual(cohort('2023-01-01T00:00:00.000Z', 2, 1, 1, 2, 1, 2, 2))
      expect(cohorts[3]).toEqual(cohort('2023-04-01T00:00:00.000Z', 0, 0, 0, 0, 0, 0, 0))
      expect(cohorts[4]).toEqual(cohort('2023-05-01T00:00:00.000Z', 0, 0, 0, 0, 0, 0, null))
      expect(cohorts.slice(12)).toEqual([
        cohort('2024-01-01T00:00:00.000Z', 0, 0, 0, 0, 0, 0, null),
        cohort('2024-02-01T00:00:00.000Z', 0, 0, 0, 0, 0, null, null),
        MARCH,
        APRIL,
        cohort(null, 1, 1, 0, 1, null, null, null),
      ])
      const earlier = await oracleOutcomes(client(), { asOf: '2024-04-30T23:59:59.999Z', siteUrl: null })
      expect(earlier.cohorts[14]).toEqual({ ...MARCH, launchedWithin30Days: null })
    })

    test('one launch without a date, and nobody knows how many were fast', async () => {
      await given({ ...months, ideas: [...months.ideas, idea('6', '2023-01-15T00:00:00Z', { launched: true })] })
      const { cohorts } = await oracleOutcomes(client(), { asOf, siteUrl: null })
      expect(cohorts[0]).toEqual(cohort('2023-01-01T00:00:00.000Z', 3, 1, 1, 3, null, null, null, 1, 2))
    })

    test('years and the first year: only ideas that have had one, to the millisecond; undated launches apart', async () => {
      const launch = (launched_at: string | null) => ({ launched: true, launched_at })
      await given({
        ideas: [
          idea('1', '2022-12-31T23:59:59.999999Z', launch('2023-12-31T23:59:59.999Z')), // after 365 days exactly
          idea('2', '2022-06-01T00:00:00Z', launch('2023-06-01T00:00:00.001Z')), // a millisecond later
          idea('3', '2022-06-01T00:00:00Z', launch('2022-06-03T00:00:00Z')), // 2 days
          idea('4', '2022-06-01T00:00:00Z', launch(null)),
          idea('5', '2022-06-01T00:00:00Z'),
          idea('6', '2023-05-02T00:00:00Z', launch('2023-05-03T00:00:00Z')), // has had its year where May 2024 begins
          idea('7', '2023-05-02T00:00:00.001Z', launch(null)), // has not
          idea('8', '2024-04-30T00:00:00Z', launch('2024-04-30T00:00:01Z')),
          idea('9', BEFORE_1990, launch('2024-01-01T00:00:00Z')),
          idea('10', '2020-02-29T00:00:00Z'),
        ],
        idea_categories: file('A', '6', '8'),
      })
      const { firstYear, years } = await oracleOutcomes(client(), { asOf, siteUrl: null })
      expect(firstYear).toEqual({ ideas: 7, launched: 3, launchedUndated: 1, share: 42.86 })
      expect(years).toEqual([
        year(2020, [1, 0], [1, 0, 0, 0], null),
        year(2021, [0, 0], [0, 0, 0, 0], null),
        year(2022, [5, 4], [5, 2, 1, 40], 183.5),
        year(2023, [2, 2], [1, 1, 0, 100], null),
        year(2024, [1, 1], [0, 0, 0, 0], null),
      ])
      const ofA = await oracleOutcomes(client(), { asOf, siteUrl: null, category: 'A' })
      expect([ofA.firstYear['ideas'], ofA.years.map((row) => row['ideas'])]).toEqual([1, [1, 1]])
    })

    test('export: the months that touch the period, of a category those with ideas; undated ones in `all`', async () => {
      await given(months)
      const rows = async (period: '24h' | '30d' | '90d' | 'all') => {
        const { data } = await oracleExport(client(), { asOf, siteUrl: null, type: 'outcomes', period })
        return data.map(({ category, ...one }) => [category, one])
      }
      // 30 days before May is where April begins: March does not touch them.
      const last = [
        [null, APRIL],
        ['Uncategorized', APRIL],
      ]
      expect(await rows('24h')).toEqual(last)
      expect(await rows('30d')).toEqual(last)
      expect(
        column(
          (await rows('90d')).filter(([category]) => category === null).map(([, one]) => one as never),
          'month',
        ),
      ).toEqual(['2024-02-01T00:00:00.000Z', '2024-03-01T00:00:00.000Z', '2024-04-01T00:00:00.000Z'])
      const all = await rows('all')
      expect(all).toHaveLength(17 + 1 + 3)
      expect(all.slice(16)).toEqual([
        [null, cohort(null, 1, 1, 0, 1, null, null, null)],
        ['A', MARCH],
        ['Uncategorized', cohort('2023-01-01T00:00:00.000Z', 2, 1, 1, 2, 1, 2, 2)],
        ['Uncategorized', APRIL],
        ['Uncategorized', cohort(null, 1, 1, 0, 1, null, null, null)],
      ])
    })

    test('the file of a category has its answers without the keys that end them', async () => {
      await given(months)
      const { timelines, outcomes, dataAsOf } = await oracleCategoryFile(client(), {
        asOf,
        siteUrl: null,
        category: 'A',
      })
      expect(Object.keys(timelines)).toEqual(['24h', '7d', '30d', '90d', 'all'])
      expect(Object.keys(timelines['all'] ?? {}).at(-1)).toBe('undated')
      expect([timelines['all']?.count, timelines['all']?.category]).toEqual([16, 'A'])
      expect([Object.keys(outcomes).join(), outcomes.cohorts, dataAsOf]).toEqual([
        'category,statuses,launched,cohorts,firstYear,years',
        [MARCH, { ...APRIL, ideas: 0 }],
        asOf,
      ])
    })
  })
})
