// real test: makes a dozen demo platforms (platform.ts), for any clock and seed
// long test: does for any clock what platform.test.ts does for one
import { assert, integer, property } from 'fast-check'
import { describe, expect, it } from 'vitest'
import { demoPlatform } from '../../src/demo/platform.ts'
import { countBy } from './count-by.ts'

const DAY_MS = 86_400_000
const NOW_MS = Date.parse('2026-05-20T09:30:00.000Z')
const platform = demoPlatform(NOW_MS)

type DemoPlatform = ReturnType<typeof demoPlatform>

/** The ideas with `5 × votes + 3 × comments > 0` in the last `days`, counted row by row. */
function scoringIdeas(of: DemoPlatform, nowMs: number, days: number): Set<number> {
  const inWindow = (time: Date | null) => time !== null && +time >= nowMs - days * DAY_MS && +time < nowMs
  const votes = of.votes.filter(({ value, created_at }) => value > 0 && inWindow(created_at))
  const comments = of.comments.filter(({ created_at }) => inWindow(created_at))
  return new Set([...votes, ...comments].map(({ idea_id }) => idea_id))
}

function scoringPerCategory(of: DemoPlatform, nowMs: number, days: number): Map<unknown, number> {
  const scoring = scoringIdeas(of, nowMs, days)
  const counts = countBy(
    of.idea_categories.filter(({ idea_id }) => scoring.has(idea_id)),
    ({ category }) => category,
  )
  return new Map(of.categories.map(({ name }) => [name, counts.get(name) ?? 0]))
}

function expectLively(of: DemoPlatform, nowMs: number): void {
  expect(of.users.length).toBeGreaterThanOrEqual(2_000)
  expect(of.ideas.length).toBeGreaterThanOrEqual(1_500)
  expect(of.votes.length).toBeGreaterThanOrEqual(60_000)
  expect(of.comments.length).toBeGreaterThanOrEqual(10_000)
  expect(of.categories.length).toBeGreaterThanOrEqual(12)
  expect(scoringIdeas(of, nowMs, 1).size).toBeGreaterThanOrEqual(20)
  for (const days of [7, 30, 90]) expect(scoringIdeas(of, nowMs, days).size).toBeGreaterThanOrEqual(100)
  expect(Math.min(...scoringPerCategory(of, nowMs, 30).values())).toBeGreaterThanOrEqual(5)
}

describe('the demo platform for any clock', () => {
  it('is the same for the same clock and seed', () => {
    const text = JSON.stringify(platform)
    expect([1, 2].map((seed) => JSON.stringify(demoPlatform(NOW_MS, seed)) === text)).toEqual([true, false])
  })

  it('keeps its titles when the clock moves', () => {
    const moved = demoPlatform(NOW_MS + 1)
    expect(moved.ideas.map(({ title }) => title)).toEqual(platform.ideas.map(({ title }) => title))
  })

  const CLOCKS = [
    '2028-02-29T23:59Z', // a leap day
    '2027-01-01T00:00Z', // New Year
    '2026-07-19T05:00Z', // a Sunday in the summer holiday
    '2025-08-20T20:00Z', // the end of that
    '2026-12-27T04:00Z', // Christmas
    '2026-03-29T01:30Z', // the hour that summer time skips in Europe
  ]

  it('has enough of everything in every window at any time', () => {
    const clock = integer({ min: Date.parse('2020-01-01T00:00:00Z'), max: Date.parse('2040-01-01T00:00:00Z') })
    assert(
      property(clock, integer({ min: 1, max: 99 }), (nowMs, seed) => {
        expectLively(demoPlatform(nowMs, seed), nowMs)
      }),
      { numRuns: 12, examples: CLOCKS.map((time) => [Date.parse(time), 1]) },
    )
  })
})
