// Owns slices of time for tests, made once for all that ask for the same, and what a source counts in them.
import { publishedCategories } from '../../src/analytics/categories.ts'
import { UTC, type TimeZone } from '../../src/contract/time-zone.ts'
import { DaySlices } from '../../src/model/day-slices.ts'
import type { IdeaFacts } from '../../src/model/facts.ts'
import { found } from '../../src/model/found.ts'
import type { CountedEvents } from '../../src/model/time-cells.ts'
import { cellsOf, type Cells } from '../../src/source/read/counted-events.ts'
import { eventTallies } from './event-counts.ts'

const SLICES = new Map<string, DaySlices>()
const CELLS = new Map<DaySlices, Cells>()
/** Each is made once, as are its cells: it has every day since 1990. */
export function slicesAt(asOfMs: number, cutsMs: readonly number[] = [], zone: TimeZone = UTC): DaySlices {
  return found(SLICES, [zone.name, asOfMs, ...cutsMs].join(), () => new DaySlices(asOfMs, cutsMs, zone))
}

export function cellsAt(slices: DaySlices): Cells {
  return found(CELLS, slices, () => cellsOf(slices))
}

/**
 * The votes and comments on ideas, of which each was given by eventsAt(), as a read has counted them.
 * @param cutsMs those of the read
 */
export function countedEvents(
  asOfMs: number,
  ideas: readonly IdeaFacts[] = [],
  cutsMs: readonly number[] = [],
  zone: TimeZone = UTC,
): CountedEvents {
  const { cells, cellsOfCategories } = cellsAt(slicesAt(asOfMs, cutsMs, zone))
  return {
    cells,
    cellsOfCategories,
    of: (category) => {
      const own = ideas.filter((idea) => category === null || publishedCategories(idea).includes(category))
      return eventTallies(category === null ? cells : cellsOfCategories, own)
    },
  }
}
