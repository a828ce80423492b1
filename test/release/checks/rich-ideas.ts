// Ideas of which every rule over time has something to compare: old and new cohorts, launches with and without a date,
// statuses, an undated idea, one without a category and, if wanted, one with two.
import type { IdeaFacts } from '../../../src/model/facts.ts'
import { eventsAt } from '../../support/event-counts.ts'
import { AS_OF_MS } from '../sample-release.ts'

const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS

/** @param ago how many hours before dataAsOf; null = without a date */
const events = (...ago: readonly (number | null)[]): IdeaFacts['votes'] =>
  eventsAt(
    ago.map((hours) => (hours === null ? null : AS_OF_MS - hours * HOUR_MS)),
    AS_OF_MS,
  )

/** Newest first. */
export function richIdeas({ shared = true } = {}): IdeaFacts[] {
  const open = { launched: false, launchedAtMs: null, url: null, status: 'open' as string | null }
  const launched = (date: string | null): Pick<IdeaFacts, 'launched' | 'launchedAtMs' | 'status' | 'url'> => ({
    ...open,
    launched: true,
    launchedAtMs: date === null ? null : Date.parse(date),
    status: 'done',
  })
  const rows: readonly Omit<IdeaFacts, 'id' | 'title'>[] = [
    {
      ...open,
      createdAtMs: AS_OF_MS - HOUR_MS,
      categories: ['Design'],
      votes: events(0.5, 0.5),
      comments: events(0.2),
    },
    {
      ...open,
      createdAtMs: AS_OF_MS - 75 * HOUR_MS,
      categories: shared ? ['Design', 'Product'] : ['Product'],
      votes: events(1, 30, 70, null),
      comments: events(2, 50),
    },
    {
      ...launched('2026-04-10T00:00:00.000Z'),
      createdAtMs: AS_OF_MS - 45 * DAY_MS,
      categories: ['Design'],
      votes: events(24 * 20, 24 * 21, 24 * 44),
      comments: events(24 * 22),
    },
    {
      ...launched('2025-10-01T00:00:00.000Z'),
      status: null,
      createdAtMs: Date.parse('2025-03-15T00:00:00.000Z'),
      categories: ['Product'],
      votes: events(24 * 300),
      comments: events(),
    },
    {
      ...launched('2025-04-30T00:00:00.000Z'),
      createdAtMs: Date.parse('2025-03-01T00:00:00.000Z'),
      categories: ['Design'],
      votes: events(24 * 301, 24 * 302),
      comments: events(24 * 303, null),
    },
    {
      ...launched(null),
      createdAtMs: Date.parse('2025-02-05T00:00:00.000Z'),
      categories: [],
      votes: events(24 * 350),
      comments: events(24 * 340),
    },
    {
      ...launched('2025-01-30T00:00:00.000Z'),
      createdAtMs: Date.parse('2025-01-10T00:00:00.000Z'),
      categories: ['Product'],
      votes: events(24 * 400, 24 * 60, null),
      comments: events(24 * 100),
    },
    {
      ...launched('2025-06-01T00:00:00.000Z'),
      createdAtMs: 0,
      categories: ['Product'],
      votes: events(24 * 200),
      comments: events(),
    },
  ]
  return rows.map((row, i) => ({ id: String(i), title: `idea ${i}`, ...row }))
}
