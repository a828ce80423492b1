// What no rule of the gate judges, because only the program itself could break it: numbers that contain one another are nested.
// Those of people are counted again, one by one, in test/source/read/active-people.test.ts.
import { afterAll, beforeAll, expect, it } from 'vitest'
import { BOUNDED_PERIODS, PERIODS, yearAgo, type Period } from '../../../src/contract/windows.ts'
import { AS_OF_MS } from '../sample-release.ts'
import { temporaryFolder } from '../../support/temporary-folder.ts'
import { MutableRelease, type Counts, type Outcomes, type Row, type Timeline } from '../verify/mutable-release.ts'
import { richIdeas } from './rich-ideas.ts'

const COUNTS = ['ideas', 'votes', 'comments', 'launchedIdeas'] as const
const DAY_MS = 86_400_000

const folder = temporaryFolder(afterAll)
let release: MutableRelease
beforeAll(async () => {
  release = (await MutableRelease.of(folder, richIdeas())).copy()
})

function expectToGrow(numbers: readonly unknown[], name: string): void {
  const known = numbers.filter((one) => one !== null) as number[]
  expect(known, name).toEqual(known.toSorted((a, b) => a - b))
}

it('a window counts no less than the shorter ones, of all ideas and of each category', () => {
  for (const field of COUNTS) {
    for (const name of ['Design', 'Product'])
      expectToGrow(
        PERIODS.map((period) => release.categories(period).find(({ category }) => category === name)?.[field]),
        `${field} of ${name}`,
      )
    expectToGrow(
      PERIODS.map((period) => metric(period, field)['value']),
      field,
    )
  }
})

it('a window of a year ago has what its whole days have, and no more than the days that it touches', () => {
  const { buckets } = release.timeline('all-by-day')
  let counted = 0
  for (const period of BOUNDED_PERIODS)
    for (const field of COUNTS) {
      const { fromMs = 0, toMs = 0 } = yearAgo(period, AS_OF_MS) ?? {}
      const sum = (isIn: (startMs: number) => boolean): number =>
        buckets.reduce((all, row) => (isIn(Date.parse(row.bucket)) ? all + Number(row[field]) : all), 0)
      const value = Number(metric(period, field)['yearAgoValue'])
      expectToGrow(
        [
          sum((startMs) => startMs >= fromMs && startMs + DAY_MS <= toMs),
          value,
          sum((startMs) => startMs + DAY_MS > fromMs && startMs < toMs),
        ],
        `${field} in ${period}`,
      )
      counted += value
    }
  expect(counted).toBeGreaterThan(0)
})

it('`all` begins with the same month everywhere', () => {
  const months = ({ buckets }: Timeline): string[] => [...new Set(buckets.map(({ bucket }) => bucket.slice(0, 7)))]
  const [all, ...others] = [
    release.timeline('all'),
    release.timeline('all-by-day'),
    ...['Design', 'Product'].map((name) => release.category(name).timelines.all),
  ].map(months)
  expect(all).toContain('2025-01')
  for (const other of others) expect(other).toEqual(all)
})

it('outcomes are parts of what they are of, and published when, and only when, they can be known', () => {
  const all = [release.outcomes(), release.category('Design').outcomes, release.category('Product').outcomes]
  for (const outcomes of all) expectToBeKnown(outcomes)
})

it('years of outcomes have what their months have, and of the first year what the months that are old enough have', () => {
  const all = [release.outcomes(), release.category('Design').outcomes, release.category('Product').outcomes]
  for (const outcomes of all) expectYearsOfMonths(outcomes)
})

const FIRST_YEAR = { ideas: 'ideas', launched: 'knownWithin365Days', launchedUndated: 'launchedUndated' } as const

function expectYearsOfMonths({ cohorts, launched, firstYear, years }: Outcomes): void {
  const dated = cohorts.filter(({ month }) => month !== null)
  const sum = (rows: readonly Row[], key: string): number => rows.reduce((all, row) => all + Number(row[key]), 0)
  const withoutMonth = sum(cohorts, 'launchedIdeas') - sum(dated, 'launchedIdeas')
  expect(launched['dated']).toBe(Number(launched['ideas']) - withoutMonth - sum(dated, 'launchedUndated'))
  const yearOf = ({ month }: Row): string => `${String(month).slice(0, 'YYYY'.length)}-01-01`
  expect(years.map(({ year }) => year)).toEqual([...new Set(dated.map(yearOf))])
  const firsts = years.map((year) => year['firstYear'] as unknown as Row)
  for (const [key, ofMonths] of Object.entries(FIRST_YEAR)) {
    expect(sum(firsts, key), `${key} of the first year`).toBe(firstYear[key])
    for (const [i, row] of years.entries()) {
      const months = dated.filter((one) => yearOf(one) === row['year'])
      const old = months.filter((one) => one['knownWithin365Days'] !== null)
      const whole = { ideas: 'ideas', launched: 'launchedIdeas', launchedUndated: 'launchedUndated' }[key] ?? key
      const most = old.length === months.length ? sum(old, ofMonths) : sum(months, whole)
      expectToGrow([sum(old, ofMonths), firsts[i]?.[key], most], `${key} of the first year of ${row['year']}`)
      for (const field of ['ideas', 'launchedIdeas']) expect(row[field]).toBe(sum(months, field))
    }
  }
}

function expectToBeKnown({ cohorts, launched }: Outcomes): void {
  expect(launched['dated']).toBeLessThanOrEqual(Number(launched['ideas']))
  for (const cohort of cohorts) {
    const { month, ideas, votedIdeas, discussedIdeas, launchedIdeas, launchedUndated } = cohort
    const launches = [30, 90, 365].map((days) => [days, cohort[`launchedWithin${days}Days`]] as const)
    const name = `the cohort of ${month}`
    const knowns = [30, 90, 365].map((days) => cohort[`knownWithin${days}Days`])
    for (const counts of [launches.map(([, count]) => count), knowns])
      expectToGrow([...counts, launchedIdeas, ideas], name)
    for (const part of [votedIdeas, discussedIdeas, launchedUndated]) expectToGrow([part, ideas], name)
    if (month === null) continue
    const next = new Date(String(month))
    const endMs = next.setUTCMonth(next.getUTCMonth() + 1)
    const isOld = (days: number): boolean => AS_OF_MS >= endMs + days * DAY_MS
    for (const days of [30, 90, 365]) expect(cohort[`knownWithin${days}Days`] === null, name).toBe(!isOld(days))
    for (const [days, count] of launches) expect(count === null, name).toBe(!isOld(days) || launchedUndated !== 0)
  }
}

function metric(period: Period, name: string): Counts {
  const row = release.rows('overview', period).find((one) => one['metric'] === name)
  if (row === undefined) throw new Error(`no ${name}`)
  return row
}
