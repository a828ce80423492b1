// Owns what a set of ideas did over time: ideas, votes, comments and launches by bucket. Knows no people and no I/O.
import type { TimelineBucket, TimelineCounts, TimelineDocument } from '../contract/documents.ts'
import type { IdeaFacts } from '../contract/facts.ts'
import { formatTimestamp } from '../contract/timestamp.ts'
import { bucketsOf, ownInterval, windowOf, type Interval, type Period } from '../contract/windows.ts'
import { CellTally, type Places, type TimeCells } from './time-cells.ts'

/** A period cut into buckets. */
export interface Span {
  readonly period: Period
  readonly interval: Interval
}

const KINDS = ['ideas', 'votes', 'comments', 'launchedIdeas'] as const satisfies readonly (keyof TimelineCounts)[]
type Kind = (typeof KINDS)[number]

export class TimelineSums {
  readonly #cells: TimeCells
  readonly #tallies: Readonly<Record<Kind, CellTally>> = {
    ideas: new CellTally(),
    votes: new CellTally(),
    comments: new CellTally(),
    launchedIdeas: new CellTally(),
  }

  constructor(cells: TimeCells) {
    this.#cells = cells
  }

  add(idea: IdeaFacts, places: Places): void {
    const { ideas, votes, comments, launchedIdeas } = this.#tallies
    ideas.add(places.created)
    votes.addAll(idea.votes.total, places.votes)
    comments.addAll(idea.comments.total, places.comments)
    if (idea.launched) launchedIdeas.add(places.launched)
  }

  get undated(): TimelineCounts {
    return countsBy((kind) => this.#tallies[kind].undated)
  }

  /** What is dated in `[fromMs, toMs)`: instants at which cells begin. */
  between(fromMs: number, toMs: number): TimelineCounts {
    const [from, to] = [this.#cells.since(fromMs), this.#cells.since(toMs)]
    return countsBy((kind) => this.#tallies[kind].between(from, to))
  }

  /** @param earliestMs where `all` begins for the whole site; null = nothing has a date */
  buckets({ period, interval }: Span, earliestMs: number | null): TimelineBucket[] {
    const { asOfMs } = this.#cells.slices
    const buckets = bucketsOf(period, asOfMs, earliestMs, interval)
    const since = this.between(buckets[0]?.fromMs ?? asOfMs, asOfMs)
    const totals: Record<Kind, number> = { ...countsBy((kind) => this.#tallies[kind].total - since[kind]) }
    return buckets.map(({ startMs, fromMs, toMs }) => {
      const counts = this.between(fromMs, toMs)
      for (const kind of KINDS) totals[kind] += counts[kind]
      return {
        bucket: formatTimestamp(startMs),
        ...counts,
        totalIdeas: totals.ideas,
        totalVotes: totals.votes,
        totalComments: totals.comments,
        totalLaunchedIdeas: totals.launchedIdeas,
      }
    })
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

/** A period in its own buckets. */
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
