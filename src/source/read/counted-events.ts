// Owns what is counted of votes and comments while their rows pass: for each idea, each category, all ideas, and who was
// active. Knows no query.
import type { DaySlices } from '../../model/day-slices.ts'
import type { EventCounts } from '../../model/facts.ts'
import {
  CellTally,
  NO_SLICE,
  SKIPPED,
  TimeCells,
  type CountedEvents,
  type EventTallies,
} from '../../model/time-cells.ts'
import { EARLIEST_DATE_MS, EARLY, EDGES_MS, FUTURE, UNDATED, windowEdges, yearWindows } from '../../contract/windows.ts'
import { COMMENTED, VOTED, type ActivePeople } from './active-people.ts'
import type { CopiedRows } from './copy-decoder.ts'
import { noteOfOther, type KnownIdeas } from './known-ideas.ts'
import { EVENT } from './raw-rows.ts'
import { NO_VALUE, NO_VOTE, type SkippedRowTally } from './skipped-rows.ts'

/** Counts one of the two relations. Memory: 4 bytes an idea for each edge, and a number for each cell of each category. */
export class EventCounter {
  readonly all: CellTally
  readonly #relation: 'votes' | 'comments'
  readonly #skipped: SkippedRowTally
  readonly #ideas: KnownIdeas
  readonly #slices: DaySlices
  readonly #cellsOfCategories: TimeCells
  /** The tallies by the number of a category; there is a hole where a category has no row. */
  readonly byCategory: (CellTally | undefined)[] = []
  /** The slices of the edges since which rows are counted: those of EDGES_MS, then the cuts; and the earliest of them. */
  readonly #edges: readonly number[]
  readonly #earliest: number
  /** The rows of each idea, then those since each edge. */
  readonly #counts: Uint32Array

  constructor(
    relation: 'votes' | 'comments',
    ideas: KnownIdeas,
    { cells, cellsOfCategories }: Cells,
    cutsMs: readonly number[],
    skipped: SkippedRowTally,
  ) {
    const { slices } = cells
    this.#relation = relation
    this.#skipped = skipped
    this.#ideas = ideas
    this.#slices = slices
    this.all = new CellTally(cells)
    this.#cellsOfCategories = cellsOfCategories
    const edges = [...EDGES_MS.map((edgeMs) => slices.asOfMs - edgeMs), ...cutsMs]
    this.#edges = edges.map((ms) => slices.at(Math.max(ms, EARLIEST_DATE_MS)))
    this.#earliest = Math.min(...this.#edges)
    this.#counts = new Uint32Array(ideas.count * (1 + edges.length))
  }

  /**
   * Takes each step for the whole batch: what a step looks up in memory for one row does not wait for the row before,
   * as it would if each row took all steps (a tenth less time for 5 million votes).
   */
  read(rows: CopiedRows, people: ActivePeople | null): void {
    const ideas = new Int32Array(rows.count)
    const slices = new Int32Array(rows.count)
    for (let row = 0; row < rows.count; row++) ideas[row] = this.#ideas.find(rows, row)
    for (let row = 0; row < rows.count; row++) slices[row] = this.#sliceOf(rows, row, ideas[row] ?? 0)
    for (let row = 0; row < rows.count; row++) this.#count(ideas[row] ?? 0, slices[row] ?? SKIPPED)
    people?.add(rows, this.#relation === 'votes' ? VOTED : COMMENTED, slices)
  }

  /** The slice of a row's time; NO_SLICE where it has no date; SKIPPED where it does not count, and then why is noted. */
  #sliceOf(rows: CopiedRows, row: number, idea: number): number {
    const [skipped, relation] = [this.#skipped, this.#relation]
    const whyNot = this.#ideas.whyNot(idea)
    const ms = rows.millis(row, EVENT.createdAt)
    if (relation === 'votes' && !rows.isNull(row, EVENT.isNull)) {
      if (rows.isTrue(row, EVENT.isNull)) skipped.add(relation, NO_VALUE, 1, 'fault')
      else skipped.add(relation, NO_VOTE)
    } else if (whyNot !== null) noteOfOther(skipped, relation, whyNot)
    else if (ms >= this.#slices.asOfMs) skipped.add(relation, FUTURE)
    else if (ms >= EARLIEST_DATE_MS) return this.#slices.at(ms)
    else {
      if (ms < EARLIEST_DATE_MS) skipped.add(relation, EARLY, 1, 'fault')
      else skipped.add(relation, UNDATED, 1, relation === 'comments' ? 'fault' : 'ordinary')
      return NO_SLICE
    }
    return SKIPPED
  }

  #count(idea: number, slice: number): void {
    if (slice === SKIPPED) return
    const edges = this.#edges
    const at = idea * (1 + edges.length)
    const counts = this.#counts
    counts[at] = (counts[at] ?? 0) + 1
    // Nine of ten rows are older than every edge; a row with NO_SLICE is taken for one of them.
    if (slice >= this.#earliest)
      for (let edge = 0; edge < edges.length; edge++)
        if (slice >= (edges[edge] ?? 0)) counts[at + 1 + edge] = (counts[at + 1 + edge] ?? 0) + 1
    this.all.add(slice)
    const end = this.#ideas.firstCategory(idea + 1)
    for (let place = this.#ideas.firstCategory(idea); place < end; place++)
      this.#tallyOf(this.#ideas.categoryAt(place)).add(slice)
  }

  #tallyOf(category: number): CellTally {
    return (this.byCategory[category] ??= new CellTally(this.#cellsOfCategories))
  }

  ofIdea(idea: number): EventCounts {
    const at = idea * (1 + this.#edges.length)
    const [total = 0, ...since] = this.#counts.subarray(at, at + 1 + this.#edges.length)
    return { total, since: since.slice(0, EDGES_MS.length), sinceCuts: since.slice(EDGES_MS.length) }
  }
}

export type Cells = Pick<CountedEvents, 'cells' | 'cellsOfCategories'>

export function cellsOf(slices: DaySlices): Cells {
  // All but this one edge of a year are those of a month, or of a day of the last 90.
  const edges = [...windowEdges(slices.asOfMs), yearWindows(slices.asOfMs, slices.zone).before.toMs]
  const cellsOfCategories = new TimeCells(slices, 'months', edges)
  return { cells: new TimeCells(slices, 'days'), cellsOfCategories }
}

/**
 * Puts both relations together, by the names of categories. Keeps nothing of single ideas.
 * @param names of the categories by their numbers
 */
export function countedEvents(
  names: readonly string[],
  cells: Cells,
  votes: Pick<EventCounter, 'all' | 'byCategory'>,
  comments: Pick<EventCounter, 'all' | 'byCategory'>,
): CountedEvents {
  const none = (): CellTally => new CellTally(cells.cellsOfCategories)
  const tallies = new Map<string | null, EventTallies>([[null, { votes: votes.all, comments: comments.all }]])
  for (const [number, name] of names.entries())
    tallies.set(name, { votes: votes.byCategory[number] ?? none(), comments: comments.byCategory[number] ?? none() })
  return { ...cells, of: (category) => tallies.get(category) ?? { votes: none(), comments: none() } }
}
