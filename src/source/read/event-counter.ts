// Owns counting the votes or comments of one idea in every window, from their time slices. Knows no SQL.
import type { DaySlices } from '../../model/day-slices.ts'
import type { EventCounts } from '../../model/facts.ts'
import { EARLIEST_DATE_MS, EDGES_MS } from '../../contract/windows.ts'
import type { CopyRow } from './copy-decoder.ts'

export class EventCounter {
  readonly #slices: DaySlices
  /** The first slice of each window and previous window: those since it are counted. */
  readonly #edges: readonly number[]
  #earliest = Number.POSITIVE_INFINITY

  constructor(slices: DaySlices) {
    this.#slices = slices
    this.#edges = EDGES_MS.map((edgeMs) => slices.at(Math.max(slices.asOfMs - edgeMs, EARLIEST_DATE_MS)))
  }

  /** Of all that were read. */
  get earliestMs(): number | null {
    return this.#earliest === Number.POSITIVE_INFINITY ? null : this.#slices.startMs(this.#earliest)
  }

  read(row: CopyRow, total: number, field: number): EventCounts {
    const slices = row.numbers16(field)
    const edges = this.#edges
    const since: number[] = EDGES_MS.map(() => 0)
    const oldest = edges.at(-1) ?? 0
    for (const slice of slices) {
      if (slice < this.#earliest) this.#earliest = slice
      // Nine of ten are older than every window.
      if (slice < oldest) continue
      for (let edge = edges.length - 1; edge >= 0 && slice >= (edges[edge] ?? 0); edge--)
        since[edge] = (since[edge] ?? 0) + 1
    }
    return { total, since, slices }
  }
}
