// Ideas of which every rule over time has something to compare: old and new cohorts, launches with and without a date,
// statuses, an undated idea, one without a category and, if wanted, one with two.
import type { IdeaFacts } from '../../../src/model/facts.ts'
import { eventsAt } from '../../support/event-counts.ts'
import { AS_OF_MS } from '../sample-release.ts'

const HOUR_MS = 3_600_000
const hoursAgo = (hours: number): number => AS_OF_MS - hours * HOUR_MS

/** Newest first. */
export function richIdeas({ shared = true } = {}): IdeaFacts[] {
  const ideas: IdeaFacts[] = []
  /** @param votes, comments how many hours before dataAsOf; null = without a date */
  const add = (
    createdAtMs: number,
    categories: readonly string[],
    votes: readonly (number | null)[],
    comments: readonly (number | null)[],
    more: Partial<IdeaFacts> = {},
  ): void => {
    const [id, title] = [String(ideas.length), `idea ${ideas.length}`]
    const events = (ago: typeof votes) =>
      eventsAt(
        ago.map((hours) => (hours === null ? null : hoursAgo(hours))),
        AS_OF_MS,
      )
    const open = { launched: false, launchedAtMs: null, url: null, status: 'open' }
    ideas.push({
      id,
      title,
      ...open,
      createdAtMs,
      categories,
      votes: events(votes),
      comments: events(comments),
      ...more,
    })
  }
  const launched = (date: string | null) => ({
    launched: true,
    launchedAtMs: date === null ? null : Date.parse(date),
    status: 'done',
  })
  add(hoursAgo(1), ['Design'], [0.5, 0.5], [0.2])
  add(hoursAgo(75), shared ? ['Design', 'Product'] : ['Product'], [1, 30, 70, null], [2, 50])
  add(hoursAgo(24 * 45), ['Design'], [24 * 20, 24 * 21, 24 * 44], [24 * 22], launched('2026-04-10'))
  add(Date.parse('2025-03-15'), ['Product'], [24 * 300], [], { ...launched('2025-10-01'), status: null })
  add(Date.parse('2025-03-01'), ['Design'], [24 * 301, 24 * 302], [24 * 303, null], launched('2025-04-30'))
  add(Date.parse('2025-02-05'), [], [24 * 350], [24 * 340], launched(null))
  add(Date.parse('2025-01-10'), ['Product'], [24 * 400, 24 * 60, null], [24 * 100], launched('2025-01-30'))
  add(0, ['Product'], [24 * 200], [], launched('2025-06-01'))
  return ideas
}
