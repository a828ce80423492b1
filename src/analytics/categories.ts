// Owns the sums over ideas, per category and over all. Knows no I/O and no people.
import { UNCATEGORIZED } from '../contract/category-name.ts'
import { compareCodePoints } from '../model/code-point-order.ts'
import type { CategoriesDocument, CategoryNumbers, CategoryRow } from '../contract/kinds/categories.ts'
import type { CategoryFile } from '../contract/kinds/tables.ts'
import type { IdeaFacts } from '../model/facts.ts'
import { recordOf } from '../model/record-of.ts'
import { formatTimestamp } from '../contract/timestamp.ts'
import type { CountedEvents, EventTallies, TimeCells } from '../model/time-cells.ts'
import { countBefore, countIn, PERIODS, WindowedTally, windowOf, type Period } from '../contract/windows.ts'
import { OutcomeSums } from './outcomes.ts'
import { percentage, ratio } from './ratio.ts'
import { ownSpan, TimelineSums } from './timeline.ts'

const NO_CATEGORY: readonly string[] = [UNCATEGORIZED]

/** The names under which an idea is published: its own, or the reserved one. */
export function publishedCategories(idea: Pick<IdeaFacts, 'categories'>): readonly string[] {
  return idea.categories.length === 0 ? NO_CATEGORY : idea.categories
}

/** Everything that is counted over a set of ideas. */
export class IdeaSums {
  readonly ideas: WindowedTally = new WindowedTally()
  readonly votes: WindowedTally = new WindowedTally()
  readonly comments: WindowedTally = new WindowedTally()
  readonly launches: WindowedTally = new WindowedTally()
  /** By the time the idea was created: how many of a window's ideas are launched now. */
  readonly launchedByCreation: WindowedTally = new WindowedTally()
  readonly timeline: TimelineSums
  readonly outcomes: OutcomeSums

  constructor(cells: TimeCells, events: EventTallies) {
    this.timeline = new TimelineSums(cells, events)
    this.outcomes = new OutcomeSums(cells.slices)
  }

  add(idea: IdeaFacts, asOfMs: number, month: number | null): void {
    this.ideas.addAt(idea.createdAtMs, asOfMs)
    this.votes.add(idea.votes)
    this.comments.add(idea.comments)
    this.timeline.add(idea)
    this.outcomes.add(idea, month)
    if (!idea.launched) return
    this.launches.addAt(idea.launchedAtMs, asOfMs)
    this.launchedByCreation.addAt(idea.createdAtMs, asOfMs)
  }

  numbers(period: Period, allIdeas: number): CategoryNumbers {
    const ideas = countIn(this.ideas, period)
    const votes = countIn(this.votes, period)
    const comments = countIn(this.comments, period)
    return {
      ideas,
      votes,
      comments,
      launchedIdeas: countIn(this.launches, period),
      launchSuccessRate: percentage(countIn(this.launchedByCreation, period), ideas),
      avgVotesPerIdea: ratio(votes, ideas),
      avgCommentsPerIdea: ratio(comments, ideas),
      shareOfIdeas: percentage(ideas, allIdeas),
      totalIdeas: this.ideas.total,
      previousIdeas: countBefore(this.ideas, period),
      previousVotes: countBefore(this.votes, period),
      previousComments: countBefore(this.comments, period),
    }
  }
}

export class Categories {
  /** Counted by day: all ideas are published by day since the beginning, and the gate cuts them at any instant. */
  readonly all: IdeaSums
  readonly #events: CountedEvents
  readonly #byName = new Map<string, IdeaSums>()

  /** @param listed published names that are shown even without an idea */
  constructor(listed: readonly string[], events: CountedEvents) {
    this.all = new IdeaSums(events.cells, events.of(null))
    this.#events = events
    for (const name of listed) this.#sums(name)
  }

  add(idea: IdeaFacts, asOfMs: number): void {
    const month = this.#events.cells.slices.monthAt(idea.createdAtMs)
    this.all.add(idea, asOfMs, month)
    for (const name of publishedCategories(idea)) this.#sums(name).add(idea, asOfMs, month)
  }

  /** @param name null = all ideas */
  of(name: string | null): IdeaSums {
    return name === null ? this.all : this.#sums(name)
  }

  #sums(name: string): IdeaSums {
    let sums = this.#byName.get(name)
    if (sums === undefined)
      this.#byName.set(name, (sums = new IdeaSums(this.#events.cellsOfCategories, this.#events.of(name))))
    return sums
  }

  /** In name order; with the reserved name only when some idea has no category. */
  names(): string[] {
    return [...this.#byName.keys()].sort(compareCodePoints)
  }

  /** Real categories with what is counted over their ideas. */
  *named(): Generator<[string, IdeaSums]> {
    for (const [name, sums] of this.#byName) if (name !== UNCATEGORIZED) yield [name, sums]
  }

  document(period: Period, asOfMs: number): CategoriesDocument {
    const { fromMs } = windowOf(period, asOfMs)
    const categories = this.rows(period)
    const to = formatTimestamp(asOfMs)
    return {
      period,
      from: fromMs === null ? null : formatTimestamp(fromMs),
      to,
      count: categories.length,
      categories,
      totals: this.all.numbers(period, countIn(this.all.ideas, period)),
      dataAsOf: to,
    }
  }

  /** @param firstMonthMs where `all` begins for the whole site */
  file(name: string, firstMonthMs: number | null, asOfMs: number): CategoryFile {
    const { timeline, outcomes } = this.#sums(name)
    return {
      timelines: recordOf(PERIODS, (period) => timeline.document(ownSpan(period), name, firstMonthMs)),
      outcomes: outcomes.document(name),
      dataAsOf: formatTimestamp(asOfMs),
    }
  }

  rows(period: Period): CategoryRow[] {
    const allIdeas = countIn(this.all.ideas, period)
    return [...this.#byName]
      .map(([category, sums]) => ({ category, ...sums.numbers(period, allIdeas) }))
      .sort((a, b) => b.ideas - a.ideas || b.votes - a.votes || compareCodePoints(a.category, b.category))
  }
}
