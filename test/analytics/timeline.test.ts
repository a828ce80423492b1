import { array, assert, boolean, constantFrom, integer, oneof, option, property, record } from 'fast-check'
import { describe, expect, test } from 'vitest'
import { isAllZero, ownSpan, TimelineSums } from '../../src/analytics/timeline.ts'
import type { IdeaFacts } from '../../src/model/facts.ts'
import { TimeCells, type Span } from '../../src/model/time-cells.ts'
import { bucketsOf, EARLIEST_DATE_MS, EDGES_MS, PERIODS, windowOf } from '../../src/contract/windows.ts'
import { slicesAt } from '../support/counted-events.ts'
import { eventsAt, eventTallies } from '../support/event-counts.ts'

const DAY_MS = 86_400_000
const AS_OF = Date.UTC(2024, 4, 17, 12, 30)
const BY_DAY: Span = { period: 'all', interval: 'day' }
const SPANS: readonly Span[] = [...PERIODS.map(ownSpan), BY_DAY]

/** What is dated, by kind: an idea with null is from before 1990. */
interface Dates {
  readonly created: number | null
  readonly votes: readonly (number | null)[]
  readonly comments: readonly (number | null)[]
  readonly launched: boolean
  readonly launchedAt: number | null
}

const times = oneof(
  integer({ min: 1, max: 800 * DAY_MS }).map((age) => AS_OF - age),
  constantFrom(
    ...EDGES_MS.flatMap((edge) => [AS_OF - edge, AS_OF - edge - 1]),
    Date.UTC(2024, 4),
    Date.UTC(2024, 1, 29) - 1,
  ),
)
const ideaLists = array(
  record({
    created: option(times),
    votes: array(option(times), { maxLength: 6 }),
    comments: array(option(times), { maxLength: 3 }),
    launched: boolean(),
    launchedAt: option(times),
  }),
  { maxLength: 5 },
)

const factsOf = ({ created, votes, comments, launched, launchedAt }: Dates): IdeaFacts => ({
  id: '1',
  title: '',
  createdAtMs: created ?? EARLIEST_DATE_MS - 1,
  launched,
  launchedAtMs: launched ? launchedAt : null,
  url: null,
  status: null,
  categories: [],
  votes: eventsAt(votes, AS_OF),
  comments: eventsAt(comments, AS_OF),
})

function summed(dates: readonly Dates[], detail: 'days' | 'months', slices = slicesAt(AS_OF)): TimelineSums {
  const cells = new TimeCells(slices, detail)
  const ideas = dates.map(factsOf)
  const sums = new TimelineSums(cells, eventTallies(cells, ideas))
  for (const idea of ideas) sums.add(idea)
  return sums
}

/** The dates of what a timeline counts, by its key. */
function datesOf(ideas: readonly Dates[]): Readonly<Record<string, readonly (number | null)[]>> {
  return {
    ideas: ideas.map(({ created }) => created),
    votes: ideas.flatMap(({ votes }) => votes),
    comments: ideas.flatMap(({ comments }) => comments),
    launchedIdeas: ideas.filter(({ launched }) => launched).map(({ launchedAt }) => launchedAt),
  }
}

const TOTALS = {
  ideas: 'totalIdeas',
  votes: 'totalVotes',
  comments: 'totalComments',
  launchedIdeas: 'totalLaunchedIdeas',
}

function bucketsByHand(ideas: readonly Dates[], { period, interval }: Span, earliestMs: number | null): object[] {
  const dates = Object.entries(datesOf(ideas))
  return bucketsOf(period, AS_OF, earliestMs, interval).map(({ startMs, fromMs, toMs }) => ({
    bucket: new Date(startMs).toISOString().slice(0, interval === 'hour' ? 24 : 10),
    ...Object.fromEntries(
      dates.map(([key, list]) => [key, list.filter((ms) => ms !== null && ms >= fromMs && ms < toMs).length]),
    ),
    ...Object.fromEntries(
      dates.map(([key, list]) => [
        TOTALS[key as keyof typeof TOTALS],
        list.filter((ms) => ms === null || ms < toMs).length,
      ]),
    ),
  }))
}

describe('a timeline', () => {
  test('has in every bucket what is dated in it and in the window, and totals at its end', () => {
    assert(
      property(ideaLists, (ideas) => {
        const earliestMs = Date.UTC(2022, 1)
        const [days, months] = [summed(ideas, 'days'), summed(ideas, 'months')]
        for (const span of SPANS) {
          const expected = bucketsByHand(ideas, span, earliestMs)
          expect(days.buckets(span, earliestMs)).toEqual(expected)
          if (span !== BY_DAY) expect(months.buckets(span, earliestMs)).toEqual(expected)
        }
        const undated = Object.entries(datesOf(ideas)).map(([key, list]) => [
          key,
          list.filter((ms) => ms === null).length,
        ])
        expect(days.undated).toEqual(Object.fromEntries(undated))
      }),
      { numRuns: 12 },
    )
  })

  test('has by month, before a cut of its slices, what is dated earlier, and the day of the newest row', () => {
    const cutMs = Date.UTC(2024, 1, 10, 7, 30)
    assert(
      property(ideaLists, (ideas) => {
        const sums = summed(ideas, 'days', slicesAt(AS_OF, [cutMs]))
        for (const beforeMs of [cutMs, AS_OF, AS_OF + 1, EARLIEST_DATE_MS]) {
          const expected = Object.entries(datesOf(ideas)).map(([key, list]) => {
            const months: Record<string, number> = {}
            for (const ms of list.filter((one) => one !== null && one < beforeMs) as number[]) {
              const month = new Date(ms).toISOString().slice(0, 7)
              months[month] = (months[month] ?? 0) + 1
            }
            return [key, { undated: list.filter((ms) => ms === null).length, months }]
          })
          expect(sums.monthsBefore(beforeMs)).toEqual(Object.fromEntries(expected))
        }
        const { launchedIdeas: _, ...rows } = datesOf(ideas)
        const dated = Object.values(rows).flatMap((list) => list.filter((ms) => ms !== null))
        const newest = dated.length === 0 ? null : new Date(Math.max(...dated)).toISOString().slice(0, 10)
        expect(sums.newestDay).toBe(newest)
      }),
      { numRuns: 12 },
    )
  })

  test('without a date on the whole site has no buckets of `all`, and all others', () => {
    const sums = summed([{ created: null, votes: [null], comments: [], launched: true, launchedAt: null }], 'months')
    expect(sums.buckets(ownSpan('all'), null)).toEqual([])
    expect(sums.undated).toEqual({ ideas: 1, votes: 1, comments: 0, launchedIdeas: 1 })
    const day = sums.buckets(ownSpan('24h'), null)
    expect([day.length, day[0]?.totalVotes, day.at(-1)?.totalLaunchedIdeas]).toEqual([25, 1, 1])
  })

  test('is a document in the order of its keys, without those that end it', () => {
    const document = summed([], 'months').document(ownSpan('7d'), 'Product', null)
    expect(JSON.stringify({ ...document, buckets: [] })).toBe(
      JSON.stringify({
        period: '7d',
        interval: 'day',
        category: 'Product',
        from: new Date(windowOf('7d', AS_OF).fromMs ?? 0).toISOString(),
        to: new Date(AS_OF).toISOString(),
        count: 8,
        buckets: [],
        undated: { ideas: 0, votes: 0, comments: 0, launchedIdeas: 0 },
      }),
    )
  })

  test.each(['ideas', 'votes', 'comments', 'launchedIdeas'] as const)('counts are not all zero with %s', (key) => {
    const nothing = { ideas: 0, votes: 0, comments: 0, launchedIdeas: 0 }
    expect([isAllZero(nothing), isAllZero({ ...nothing, [key]: 1 })]).toEqual([true, false])
  })
})
