// Owns what a set of ideas did over time: ideas, votes, comments and launches by bucket. Knows no people and no I/O.
import type { RowOf } from '../contract/kinds/tables.ts'
import {
  TIMELINE_COUNTS,
  type TimelineBucket,
  type TimelineCounts,
  type TimelineDocument,
} from '../contract/kinds/timeline.ts'
import type { IdeaFacts } from '../model/facts.ts'
import { recordOf } from '../model/record-of.ts'
import type { MonthlyRows } from '../model/rows-by-month.ts'
import { CellTally, type EventTallies, type Span, type TimeCells } from '../model/time-cells.ts'
import { ownInterval, writtenWindow, yearAgo, yearWindows, type Period } from '../contract/windows.ts'

type Series = (typeof TIMELINE_COUNTS)[number]

export class TimelineSums {
  readonly #cells: TimeCells
  readonly tallies: Readonly<Record<Series, CellTally>>

  /** @param events those on all of these ideas, counted before */
  constructor(cells: TimeCells, events: EventTallies) {
    this.#cells = cells
    this.tallies = { ideas: new CellTally(cells), ...events, launchedIdeas: new CellTally(cells) }
  }

  add({ createdAtMs, launched, launchedAtMs }: IdeaFacts): void {
    this.tallies.ideas.addAt(createdAtMs)
    if (launched) this.tallies.launchedIdeas.addAt(launchedAtMs)
  }

  get undated(): TimelineCounts {
    return countsBy((series) => this.tallies[series].undated)
  }

  #between(from: number, to: number): TimelineCounts {
    return countsBy((series) => this.tallies[series].between(from, to))
  }

  /** What was counted in the window of a period, and in the one before; null for `all`, which has none. */
  inWindow(period: Period): readonly [now: TimelineCounts, before: TimelineCounts | null] {
    const counted = (window: 0 | 1): TimelineCounts =>
      countsBy((series) => this.tallies[series].inWindow(period)[window] ?? 0)
    return [counted(0), period === 'all' ? null : counted(1)]
  }

  /** What was counted in the window of a year ago; null = the first idea is later, or the period has none. */
  yearAgo(period: Period): TimelineCounts | null {
    const window = yearAgo(period, this.#cells.slices.asOfMs)
    if (window === null) return null
    const from = this.#cells.since(window.fromMs)
    return this.tallies.ideas.oldest < from ? null : this.#between(from, this.#cells.since(window.toMs))
  }

  /** What was counted this year, and in the same days of last year (windows.ts); null = the first idea is later. */
  lastYear() {
    const { asOfMs, zone } = this.#cells.slices
    const { now, before } = yearWindows(asOfMs, zone)
    if (this.tallies.ideas.oldest < this.#cells.since(before.fromMs)) return null
    const counted = ({ fromMs, toMs }: typeof now) => ({
      from: zone.dayOf(fromMs),
      to: zone.dayOf(toMs - 1),
      ...this.#between(this.#cells.since(fromMs), this.#cells.since(toMs)),
    })
    return { now: counted(now), before: counted(before) }
  }

  /**
   * What was counted in each bucket.
   * @param earliestMs where `all` begins for the whole site; null = nothing has a date
   */
  rows(span: Span, earliestMs: number | null): RowOf<'timeline'>[] {
    const buckets = this.#cells.bucketsOf(span, earliestMs)
    return buckets.map(({ bucket, from, to }) => ({ bucket, ...this.#between(from, to) }))
  }

  /** The same with the totals at the end of each bucket. */
  buckets(span: Span, earliestMs: number | null): TimelineBucket[] {
    const since = this.#between(this.#cells.bucketsOf(span, earliestMs)[0]?.from ?? 0, 0)
    const totals: Record<Series, number> = { ...countsBy((series) => this.tallies[series].total - since[series]) }
    return this.rows(span, earliestMs).map((row) => {
      for (const series of TIMELINE_COUNTS) totals[series] += row[series]
      return {
        ...row,
        totalIdeas: totals.ideas,
        totalVotes: totals.votes,
        totalComments: totals.comments,
        totalLaunchedIdeas: totals.launchedIdeas,
      }
    })
  }

  /** The rows by month (CellTally.monthsBefore); only of sets that are counted by days. */
  monthsBefore(beforeMs: number): Readonly<Record<Series, MonthlyRows>> {
    return recordOf(TIMELINE_COUNTS, (series) => this.tallies[series].monthsBefore(beforeMs))
  }

  /** The day of the newest idea, vote or comment; null = none has a date. Only of sets that are counted by days. */
  get newestDay(): string | null {
    const { slices } = this.#cells
    const cells = [this.tallies.ideas, this.tallies.votes, this.tallies.comments].map(({ newest }) => newest)
    const dated = cells.filter((cell) => cell >= 0)
    return dated.length === 0 ? null : slices.zone.dayOf(slices.startMs(slices.length - 1 - Math.min(...dated)))
  }

  /** The answer, without the keys that end it. */
  document(span: Span, category: string | null, earliestMs: number | null): Omit<TimelineDocument, 'dataAsOf'> {
    const { asOfMs, zone } = this.#cells.slices
    const buckets = this.buckets(span, earliestMs)
    return {
      period: span.period,
      interval: span.interval,
      ...zone.named,
      category,
      ...writtenWindow(span.period, asOfMs),
      count: buckets.length,
      buckets,
      undated: this.undated,
    }
  }
}

export function ownSpan(period: Period): Span {
  return { period, interval: ownInterval(period) }
}

function countsBy(count: (series: Series) => number): TimelineCounts {
  return {
    ideas: count('ideas'),
    votes: count('votes'),
    comments: count('comments'),
    launchedIdeas: count('launchedIdeas'),
  }
}

export function isAllZero(counts: TimelineCounts): boolean {
  return TIMELINE_COUNTS.every((series) => counts[series] === 0)
}
