// What of the outcomes says the same twice (src/analytics/outcomes.ts, kinds.ts): years of their months, and the table of a
// period of the cohorts. No rule of the gate judges these: only this program could get them wrong.
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { Categories } from '../../src/analytics/categories.ts'
import { TABLES, type DocumentData } from '../../src/analytics/kinds.ts'
import type { Cohort } from '../../src/contract/kinds/outcomes.ts'
import { UTC } from '../../src/contract/time-zone.ts'
import { ownInterval, PERIODS, windowOf } from '../../src/contract/windows.ts'
import { DaySlices } from '../../src/model/day-slices.ts'
import type { IdeaFacts } from '../../src/model/facts.ts'
import { countedEvents, eventsAt } from '../support/event-counts.ts'

const AS_OF = Date.UTC(2026, 4, 20, 9, 30)
const FOUR_YEARS_MS = 4 * 366 * 86_400_000

const timeMs = fc.integer({ min: AS_OF - FOUR_YEARS_MS, max: AS_OF - 1 })
const ideasOf = fc.array(
  fc
    .record({ createdAtMs: fc.oneof(timeMs, fc.constant(Number.NaN)), launched: fc.boolean(), at: fc.option(timeMs) })
    .map(({ createdAtMs, launched, at }): IdeaFacts => ({
      id: '1',
      title: '',
      createdAtMs,
      launched,
      launchedAtMs: launched ? at : null,
      url: null,
      status: null,
      categories: [],
      votes: eventsAt([], AS_OF),
      comments: eventsAt([], AS_OF),
    })),
  { maxLength: 12 },
)

const SLICES = new DaySlices(AS_OF)

function counted(ideas: readonly IdeaFacts[]): Categories {
  const categories = new Categories([], countedEvents(SLICES, ideas))
  for (const idea of ideas) categories.add(idea)
  return categories
}

const sumOf = (months: readonly Cohort[], of: (month: Cohort) => number | null): number =>
  months.reduce((sum, month) => sum + (of(month) ?? 0), 0)

test('a year has what its months have; of their first year, what old months have, and no more than all', () => {
  fc.assert(
    fc.property(ideasOf, (ideas) => {
      const { cohorts, years, firstYear } = counted(ideas).all.outcomes.document(null)
      const monthsOf = (year: string) => cohorts.filter(({ month }) => month?.startsWith(year.slice(0, 4)))
      const dated = cohorts.filter(({ month }) => month !== null)
      expect(years.map(({ year }) => year.slice(0, 4))).toEqual([
        ...new Set(dated.map(({ month }) => month?.slice(0, 4))),
      ])
      for (const { year, ideas: all, launchedIdeas, firstYear: first } of years) {
        const months = monthsOf(year)
        const old = months.filter(({ knownWithin365Days }) => knownWithin365Days !== null)
        expect(all).toBe(sumOf(months, (one) => one.ideas))
        expect(launchedIdeas).toBe(sumOf(months, (one) => one.launchedIdeas))
        const least = [
          sumOf(old, (one) => one.ideas),
          sumOf(old, (one) => one.knownWithin365Days),
          sumOf(old, (one) => one.launchedUndated ?? 0),
        ]
        const most = [all, launchedIdeas, sumOf(months, (one) => one.launchedUndated ?? 0)]
        for (const [i, value] of [first.ideas, first.launched, first.launchedUndated].entries()) {
          expect(value).toBeGreaterThanOrEqual(least[i]!)
          expect(value).toBeLessThanOrEqual((old.length === months.length ? least : most)[i]!)
        }
      }
      for (const field of ['ideas', 'launched', 'launchedUndated'] as const)
        expect(firstYear[field]).toBe(years.reduce((sum, one) => sum + one.firstYear[field], 0))
    }),
    { numRuns: 30 },
  )
})

test('the table of a period has the cohorts whose month it touches; those without a date are in that of `all`', () => {
  const making = TABLES.outcomes
  if (!('rows' in making)) throw new Error('not made while ideas are read')
  fc.assert(
    fc.property(ideasOf, (ideas) => {
      const categories = counted(ideas)
      const cohorts = categories.all.outcomes.cohorts()
      for (const period of PERIODS) {
        const data = { categories, asOfMs: AS_OF, zone: UTC } as DocumentData
        const [ofAll = []] = making.rows({ period, interval: ownInterval(period) }, data)
        const { fromMs } = windowOf(period, AS_OF)
        const first = fromMs === null ? null : new Date(fromMs).toISOString()
        const touched = cohorts.filter(
          ({ month }) => first === null || (month !== null && month.slice(0, 7) >= first.slice(0, 7)),
        )
        expect(ofAll.map(({ category, ...cohort }) => [category, cohort])).toEqual(touched.map((one) => [null, one]))
      }
    }),
    { numRuns: 30 },
  )
})
