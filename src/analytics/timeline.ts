// Owns what a set of ideas did over time: ideas, votes, comments and launches by bucket. Knows no people and no I/O.
import { utcDay } from '../contract/history.ts'
import type { TimelineBucket, TimelineCounts, TimelineDocument } from '../contract/kinds/timeline.ts'
import type { IdeaFacts } from '../model/facts.ts'
import type { MonthlyRows } from '../model/rows-by-month.ts'
import { formatTimestamp } from '../contract/timestamp.ts'
import { EARLIEST_DATE_MS, monthAfter, ownInterval, windowOf, type Period } from '../contract/windows.ts'
import { CellTally, type Span, type TimeCells } from './time-cells.ts'

const KINDS = ['ideas', 'votes', 'comments', 'launchedIdeas'] as const satisfies readonly (keyof TimelineCounts)[]
type Kind = (typeof KINDS)[number]

export class TimelineSums {
  readonly #cells: TimeCells
  readonly #tallies: Readonly<Record<Kind, CellTally>>

  constructor(cells: TimeCells) {
    this.#cells = cells
    const tally = (): CellTally => new CellTally(cells)
    this.#tallies = { ideas: tally(), votes: tally(), comments: tally(), launchedIdeas: tally() }
  }

  add({ createdAtMs, votes, comments, launched, launchedAtMs }: IdeaFacts): void {
    const tallies = this.#tallies
    tallies.ideas.add(createdAtMs < EARLIEST_DATE_MS ? null : createdAtMs)
    tallies.votes.addAll(votes.total, votes.slices)
    tallies.comments.addAll(comments.total, comments.slices)
    if (launched) tallies.launchedIdeas.add(launchedAtMs)
  }

  get undated(): TimelineCounts {
    return countsBy((kind) => this.#tallies[kind].undated)
  }

  #between(from: number, to: number): TimelineCounts {
    return countsBy((kind) => this.#tallies[kind].between(from, to))
  }

  /** @param earliestMs where `all` begins for the whole site; null = nothing has a date */
  buckets(span: Span, earliestMs: number | null): TimelineBucket[] {
    const buckets = this.#cells.bucketsOf(span, earliestMs)
    const since = this.#between(buckets[0]?.from ?? 0, 0)
    const totals: Record<Kind, number> = { ...countsBy((kind) => this.#tallies[kind].total - since[kind]) }
    return buckets.map(({ bucket, from, to }) => {
      const counts = this.#between(from, to)
      for (const kind of KINDS) totals[kind] += counts[kind]
      return {
        bucket,
        ...counts,
        totalIdeas: totals.ideas,
        totalVotes: totals.votes,
        totalComments: totals.comments,
        totalLaunchedIdeas: totals.launchedIdeas,
      }
    })
  }

  /**
   * The rows by UTC month, for the gate; only of sets that are counted by days.
   * @param beforeMs a cut of the slices: rows dated before it are counted
   */
  monthsBefore(beforeMs: number): Readonly<Record<Kind, MonthlyRows>> {
    const months = { ideas: {}, votes: {}, comments: {}, launchedIdeas: {} } satisfies Record<Kind, object>
    for (let startMs = EARLIEST_DATE_MS; startMs < beforeMs; startMs = monthAfter(startMs)) {
      const end = this.#cells.since(Math.min(monthAfter(startMs), beforeMs))
      const counts = this.#between(this.#cells.since(startMs), end)
      const month = formatTimestamp(startMs).slice(0, 7)
      for (const kind of KINDS) if (counts[kind] > 0) Object.assign(months[kind], { [month]: counts[kind] })
    }
    const { undated } = this
    const of = (kind: Kind): MonthlyRows => ({ undated: undated[kind], months: months[kind] })
    return { ideas: of('ideas'), votes: of('votes'), comments: of('comments'), launchedIdeas: of('launchedIdeas') }
  }

  /** The UTC day of the newest idea, vote or comment; null = none has a date. Only of sets that are counted by days. */
  get newestDay(): string | null {
    const { slices } = this.#cells
    const cells = [this.#tallies.ideas, this.#tallies.votes, this.#tallies.comments].map(({ newest }) => newest)
    const dated = cells.filter((cell) => cell >= 0)
    return dated.length === 0 ? null : utcDay(formatTimestamp(slices.startMs(slices.length - 1 - Math.min(...dated))))
  }

  /** The answer without what ends it. */
  document(span: Span, category: string | null, earliestMs: number | null): Omit<TimelineDocument, 'dataAsOf'> {
    const { fromMs, toMs } = windowOf(span.period, this.#cells.slices.asOfMs)
    const buckets = this.buckets(span, earliestMs)
    return {
      period: span.period,
      interval: span.interval,
      category,
      from: fromMs === null ? null : formatTimestamp(fromMs),
      to: formatTimestamp(toMs),
      count: buckets.length,
      buckets,
      undated: this.undated,
    }
  }
}

export function ownSpan(period: Period): Span {
  return { period, interval: ownInterval(period) }
}

function countsBy(count: (kind: Kind) => number): TimelineCounts {
  return {
    ideas: count('ideas'),
    votes: count('votes'),
    comments: count('comments'),
    launchedIdeas: count('launchedIdeas'),
  }
}

export function isAllZero(counts: TimelineCounts): boolean {
  return KINDS.every((kind) => counts[kind] === 0)
}
