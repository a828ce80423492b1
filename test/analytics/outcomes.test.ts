// OutcomeSums by hand; against PostgreSQL and over random databases: percentile-days.test.ts and the oracle.
import { describe, expect, test } from 'vitest'
import { OutcomeSums } from '../../src/analytics/outcomes.ts'
import type { IdeaFacts } from '../../src/model/facts.ts'
import { slicesAt } from '../support/counted-events.ts'
import { eventsAt } from '../support/event-counts.ts'

const AS_OF = Date.UTC(2024, 4, 1)
const DAY_MS = 86_400_000
const ms = (iso: string): number => Date.parse(iso)

interface Given {
  readonly created?: string
  /** undefined = not launched; null = without a date. */
  readonly launched?: string | null
  readonly status?: string | null
  readonly votes?: number
  readonly comments?: number
}

const ideaOf = ({
  created = '2024-01-01T00:00:00Z',
  launched,
  status = null,
  votes = 0,
  comments = 0,
}: Given): IdeaFacts => ({
  id: '1',
  title: '',
  createdAtMs: ms(created),
  launched: launched !== undefined,
  launchedAtMs: launched === undefined || launched === null ? null : ms(launched),
  url: null,
  status,
  categories: [],
  votes: eventsAt(
    Array.from({ length: votes }, () => null),
    AS_OF,
  ),
  comments: eventsAt(
    Array.from({ length: comments }, () => AS_OF - 1),
    AS_OF,
  ),
})
/** Ideas that are not launched, created when nothing else is said. */
const open = (ideas: number) => ({ ideas, yearOld: 0, medianAgeDays: 121 })
function sumsOf(asOfMs: number, ...ideas: Given[]): OutcomeSums {
  const slices = slicesAt(asOfMs)
  const sums = new OutcomeSums(slices)
  for (const idea of ideas.map(ideaOf)) sums.add(idea, slices.monthAt(idea.createdAtMs))
  return sums
}
const documentOf = (...ideas: Given[]) => sumsOf(AS_OF, ...ideas).document('Product')
const cohortsOf = (asOfMs: number, ...ideas: Given[]) =>
  sumsOf(asOfMs, ...ideas)
    .cohorts()
    .map(({ month, ideas: all, votedIdeas, discussedIdeas, launchedIdeas, ...launched }) => [
      month?.slice(0, 7) ?? null,
      [all, votedIdeas, discussedIdeas, launchedIdeas],
      [launched.launchedWithin30Days, launched.launchedWithin90Days, launched.launchedWithin365Days],
      [launched.launchedUndated, launched.knownWithin365Days],
    ])

describe('outcomes', () => {
  test('of no ideas are an ordinary document, in the order of its keys', () => {
    expect(JSON.stringify(documentOf())).toBe(
      '{"category":"Product","statuses":[],"launched":{"ideas":0,"votes":0,"shareOfVotes":0,"dated":0,"medianDays":null,"p90Days":null},"cohorts":[],"firstYear":{"ideas":0,"launched":0,"launchedUndated":0,"share":0},"years":[]}',
    )
  })

  test('list statuses by ideas, then by code point, and last, however many, the ideas without one', () => {
    const { statuses } = documentOf(
      {},
      {},
      {},
      { status: '\u{1f600}', votes: 3 },
      { status: '\uff5e' },
      { status: '' },
      { status: 'b' },
      { status: 'b', comments: 2 },
    )
    expect(statuses).toEqual([
      { status: 'b', ideas: 2, votes: 0, comments: 2, shareOfIdeas: 25, notLaunched: open(2) },
      { status: '', ideas: 1, votes: 0, comments: 0, shareOfIdeas: 12.5, notLaunched: open(1) },
      { status: '\uff5e', ideas: 1, votes: 0, comments: 0, shareOfIdeas: 12.5, notLaunched: open(1) },
      { status: '\u{1f600}', ideas: 1, votes: 3, comments: 0, shareOfIdeas: 12.5, notLaunched: open(1) },
      { status: null, ideas: 3, votes: 0, comments: 0, shareOfIdeas: 37.5, notLaunched: open(3) },
    ])
  })

  test('say of each status how old the ideas are that are not launched', () => {
    const { statuses } = documentOf(
      { created: '2023-05-02T00:00:00Z' }, // 365 days old, to the instant
      { created: '2023-05-02T00:00:00.001Z' },
      { created: '2024-04-30T23:59:59.999Z' },
      { created: '1989-12-31T23:59:59.999Z' },
      { created: '2020-01-01T00:00:00Z', launched: null },
      { status: 'done', created: '2020-01-01T00:00:00Z', launched: '2020-01-02T00:00:00Z' },
      { status: 'new', created: '2024-04-29T23:59:59.999Z' },
      { status: 'new', created: '2024-03-01T00:00:00Z' },
    )
    expect(statuses.map(({ status, ideas, notLaunched }) => [status, ideas, notLaunched])).toEqual([
      // One of two is a day and a millisecond old, which is at most two days.
      ['new', 2, { ideas: 2, yearOld: 0, medianAgeDays: 2 }],
      ['done', 1, { ideas: 0, yearOld: 0, medianAgeDays: null }],
      [null, 5, { ideas: 4, yearOld: 1, medianAgeDays: 365 }],
    ])
  })

  test('measure what is launched: its share of the votes, and days from creation, never below 0', () => {
    const { launched } = documentOf(
      { votes: 2, launched: '2023-12-01T00:00:00Z' }, // before its creation
      { votes: 1, launched: '2024-01-01T03:00:00Z' }, // 0.125 days
      { launched: '2024-01-11T00:00:00Z' }, // 10
      { launched: null },
      { created: '1989-12-31T23:59:59.999Z', launched: '2024-01-11T00:00:00Z' },
      { votes: 6 },
    )
    expect(launched).toEqual({ ideas: 5, votes: 3, shareOfVotes: 33.33, dated: 3, medianDays: 0.13, p90Days: 8.03 })
  })

  test('have a cohort for each month from the first idea to dataAsOf, and one for ideas without a date', () => {
    const given = [
      { created: '1989-12-31T23:59:59.999Z', votes: 1, launched: '2024-01-01T00:00:00Z' },
      { created: '2024-01-31T23:59:59.999Z', votes: 1, comments: 1, launched: '2024-02-01T00:00:00Z' },
      { created: '2024-03-01T00:00:00Z' },
    ]
    expect(cohortsOf(AS_OF, ...given)).toEqual([
      ['2024-01', [1, 1, 1, 1], [1, 1, null], [0, null]],
      ['2024-02', [0, 0, 0, 0], [0, null, null], [0, null]],
      ['2024-03', [1, 0, 0, 0], [0, null, null], [0, null]],
      ['2024-04', [0, 0, 0, 0], [null, null, null], [0, null]],
      [null, [1, 1, 0, 1], [null, null, null], [0, null]],
    ])
    // A millisecond earlier March is not 30 days over, and January not 90; a later one begins May.
    expect(cohortsOf(AS_OF - 1, ...given).map(([, , known]) => known)).toEqual([
      [1, null, null],
      [0, null, null],
      [null, null, null],
      [null, null, null],
      [null, null, null],
    ])
    expect(cohortsOf(AS_OF + 1, ...given)).toHaveLength(6)
    expect(cohortsOf(AS_OF, { created: '1900-01-01T00:00:00Z' })).toEqual([
      [null, [1, 0, 0, 0], [null, null, null], [0, null]],
    ])
  })

  test.each([30, 90, 365])('count launches at most %i days after creation', (days) => {
    const created = ms('2022-01-15T10:00:00Z')
    const launchedAfter = (age: number) => ({
      created: new Date(created).toISOString(),
      launched: new Date(created + age).toISOString(),
    })
    const [[, , known] = []] = cohortsOf(AS_OF, launchedAfter(days * DAY_MS), launchedAfter(days * DAY_MS + 1))
    expect(known).toEqual([30, 90, 365].map((limit) => (limit < days ? 0 : limit === days ? 1 : 2)))
  })

  test('say how many are known to be fast, and how many launches have no date', () => {
    const [cohort, other] = cohortsOf(
      AS_OF,
      { created: '2022-01-01T00:00:00Z', launched: '2022-01-02T00:00:00Z' },
      { created: '2022-01-31T00:00:00Z', launched: null },
      { created: '2022-02-01T00:00:00Z', launched: '2022-02-02T00:00:00Z' },
    )
    expect([cohort, other]).toEqual([
      ['2022-01', [2, 0, 0, 2], [null, null, null], [1, 1]],
      ['2022-02', [1, 0, 0, 1], [1, 1, 1], [0, 1]],
    ])
  })

  test('of a first year are only of ideas that have had one, to the millisecond', () => {
    const given = { created: '2023-05-02T00:00:00Z', launched: '2023-05-03T00:00:00Z' }
    expect(documentOf(given).firstYear).toEqual({ ideas: 1, launched: 1, launchedUndated: 0, share: 100 })
    const younger = { ...given, created: '2023-05-02T00:00:00.001Z' }
    const undated = { created: '2022-01-01T00:00:00Z', launched: null }
    const { firstYear, years } = documentOf(younger, undated, { created: '2022-01-01T00:00:00Z' })
    expect(firstYear).toEqual({ ideas: 2, launched: 0, launchedUndated: 1, share: 0 })
    expect(years.map(({ year, ideas, launchedIdeas }) => [year.slice(0, 4), ideas, launchedIdeas])).toEqual([
      ['2022', 2, 1],
      ['2023', 1, 1],
      ['2024', 0, 0],
    ])
  })

  test('by year have a median when the last idea of the year has had its first', () => {
    const given = [3, 9, 365, 366].map((days) => ({
      created: '2023-01-01T00:00:00Z',
      launched: new Date(Date.UTC(2023, 0, 1 + days)).toISOString(),
    }))
    const overMs = Date.UTC(2024, 0, 1 + 365)
    const medianAt = (asOfMs: number) => sumsOf(asOfMs, ...given).document(null).years[0]?.medianDays
    expect([medianAt(overMs - 1), medianAt(overMs)]).toEqual([null, 9])
  })
})
