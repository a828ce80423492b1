// Owns votes and comments of ideas as a source counts them, from their dates or from how many windows contain them.
import { publishedCategories } from '../../src/analytics/categories.ts'
import { CATEGORIES_WITH_PAGES, type EventCounts, type IdeaFacts } from '../../src/model/facts.ts'
import { CellTally, type TimeCells, type EventTallies } from '../../src/model/time-cells.ts'
import { EARLIEST_DATE_MS, EDGES_MS, type WindowedCounts } from '../../src/contract/windows.ts'

const HOUR_MS = 3_600_000
/** What counts were made of: facts have no dates of events. */
const DATES = new WeakMap<EventCounts, readonly (number | null)[]>()

/** @param dates epoch ms before dataAsOf; null = without a date */
export function windowedCounts(dates: readonly (number | null)[], asOfMs: number): WindowedCounts {
  const since = EDGES_MS.map((edgeMs) => dates.filter((ms) => ms !== null && ms >= asOfMs - edgeMs).length)
  return { total: dates.length, since }
}

/**
 * @param dates epoch ms before dataAsOf; null = without a date
 * @param cutsMs those of the read
 */
export function eventsAt(
  dates: readonly (number | null)[],
  asOfMs: number,
  cutsMs: readonly number[] = [asOfMs - HOUR_MS],
): EventCounts {
  const dated = dates.map((ms) => (ms === null || ms < EARLIEST_DATE_MS ? null : ms))
  const sinceCuts = cutsMs.map((cutMs) => dated.filter((ms) => ms !== null && ms >= cutMs).length)
  const counts = { ...windowedCounts(dated, asOfMs), sinceCuts }
  DATES.set(counts, dated)
  return counts
}

/** @param since how many are dated since each edge of EDGES_MS; the last one counts for the edges after it */
export function eventsSince(total: number, since: readonly number[], asOfMs: number): EventCounts {
  const counts = EDGES_MS.map((_, i) => since[i] ?? since.at(-1) ?? 0)
  const dates = EDGES_MS.flatMap((edgeMs, i) =>
    Array.from({ length: (counts[i] ?? 0) - (counts[i - 1] ?? 0) }, () => asOfMs - edgeMs),
  )
  return eventsAt([...dates, ...Array.from({ length: total - dates.length }, () => null)], asOfMs)
}

export function datesOf(counts: EventCounts): readonly (number | null)[] {
  const dates = DATES.get(counts)
  if (dates === undefined) throw new Error('these counts are not of eventsAt()')
  return dates
}

/** The categories of these ideas, at most as many as have pages. */
export function largestOf(ideas: readonly IdeaFacts[]): readonly string[] {
  return [...new Set(ideas.flatMap(publishedCategories))].slice(0, CATEGORIES_WITH_PAGES)
}

export function eventTallies(cells: TimeCells, ideas: readonly Pick<IdeaFacts, 'votes' | 'comments'>[]): EventTallies {
  const tallies = { votes: new CellTally(cells), comments: new CellTally(cells) }
  for (const idea of ideas)
    for (const kind of ['votes', 'comments'] as const) for (const ms of datesOf(idea[kind])) tallies[kind].addAt(ms)
  return tallies
}
