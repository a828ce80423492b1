// Owns votes and comments of one idea as a source counts them, from their dates or from how many windows contain them.
import { DaySlices } from '../../src/model/day-slices.ts'
import type { EventCounts } from '../../src/model/facts.ts'
import { EARLIEST_DATE_MS, EDGES_MS, WindowedTally } from '../../src/contract/windows.ts'

/** @param dates epoch ms before dataAsOf; null = without a date */
export function eventsAt(
  dates: readonly (number | null)[],
  asOfMs: number,
  slices: DaySlices = new DaySlices(asOfMs),
): EventCounts {
  const tally = new WindowedTally()
  const dated = dates.map((ms) => (ms === null || ms < EARLIEST_DATE_MS ? null : ms))
  for (const ms of dated) tally.addAt(ms, asOfMs)
  return {
    total: tally.total,
    since: tally.since,
    slices: dated.filter((ms) => ms !== null).map((ms) => slices.at(ms)),
  }
}

/** @param since how many are dated since each edge of EDGES_MS; the last one counts for the edges after it */
export function eventsSince(total: number, since: readonly number[], asOfMs: number): EventCounts {
  const counts = EDGES_MS.map((_, i) => since[i] ?? since.at(-1) ?? 0)
  const dates = EDGES_MS.flatMap((edgeMs, i) =>
    Array.from({ length: (counts[i] ?? 0) - (counts[i - 1] ?? 0) }, () => asOfMs - edgeMs),
  )
  return eventsAt([...dates, ...Array.from({ length: total - dates.length }, () => null)], asOfMs)
}
