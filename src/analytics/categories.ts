// Owns the sums over ideas, per category and over all. Knows no I/O and no people.
import { UNCATEGORIZED } from '../contract/category-name.ts'
import { compareCodePoints } from '../model/code-point-order.ts'
import type { CategoriesDocument, CategoryNumbers, CategoryRow } from '../contract/kinds/categories.ts'
import type { CategoryFile } from '../contract/kinds/register.ts'
import type { IdeaFacts } from '../model/facts.ts'
import { found } from '../model/found.ts'
import { recordOf } from '../model/record-of.ts'
import { formatTimestamp } from '../contract/timestamp.ts'
import { CellTally, type CountedEvents, type EventTallies, type TimeCells } from '../model/time-cells.ts'
import { PERIODS, writtenWindow, type Period } from '../contract/windows.ts'
import { OutcomeSums } from './outcomes.ts'
import { percentage, quotient } from './ratio.ts'
import { ownSpan, TimelineSums } from './timeline.ts'

const NO_CATEGORY: readonly string[] = [UNCATEGORIZED]

/** The names under which an idea is published: its own, or the reserved one. */
export function publishedCategories(idea: Pick<IdeaFacts, 'categories'>): readonly string[] {
  return idea.categories.length === 0 ? NO_CATEGORY : idea.categories
}

/** Everything that is counted over a set of ideas. */
export class IdeaSums {
  /** Launched ideas by the time they were created: how many of a window's ideas are launched now. */
  readonly launchedByCreation: CellTally
  readonly timeline: TimelineSums
  readonly outcomes: OutcomeSums

  constructor(cells: TimeCells, events: EventTallies) {
    this.launchedByCreation = new CellTally(cells)
    this.timeline = new TimelineSums(cells, events)
    this.outcomes = new OutcomeSums(cells.slices)
  }

  add(idea: IdeaFacts, month: number | null): void {
    this.timeline.add(idea)
    this.outcomes.add(idea, month)
    if (idea.launched) this.launchedByCreation.addAt(idea.createdAtMs)
  }

  get tallies(): TimelineSums['tallies'] {
    return this.timeline.tallies
  }

  numbers(period: Period, allIdeas: number): CategoryNumbers {
    const { tallies } = this
    const [ideas, previousIdeas] = tallies.ideas.inWindow(period)
    const [votes, previousVotes] = tallies.votes.inWindow(period)
    const [comments, previousComments] = tallies.comments.inWindow(period)
    return {
      ideas,
      votes,
      comments,
      launchedIdeas: tallies.launchedIdeas.inWindow(period)[0],
      launchSuccessRate: percentage(this.launchedByCreation.inWindow(period)[0], ideas),
      avgVotesPerIdea: quotient(votes, ideas),
      avgCommentsPerIdea: quotient(comments, ideas),
      shareOfIdeas: percentage(ideas, allIdeas),
      totalIdeas: tallies.ideas.total,
      previousIdeas,
      previousVotes,
      previousComments,
    }
  }
}

export class Categories {
  /** The sums over all ideas, by day: these are published by day since the beginning, and the gate cuts them at any instant. */
  readonly all: IdeaSums
  readonly #events: CountedEvents
  readonly #byName = new Map<string, IdeaSums>()

  /** @param listed published names that are shown even without an idea */
  constructor(listed: readonly string[], events: CountedEvents) {
    this.all = new IdeaSums(events.cells, events.of(null))
    this.#events = events
    for (const name of listed) this.of(name)
  }

  add(idea: IdeaFacts): void {
    const month = this.#events.cells.slices.monthAt(idea.createdAtMs)
    this.all.add(idea, month)
    for (const name of publishedCategories(idea)) this.of(name).add(idea, month)
  }

  /** @param name null = all ideas */
  of(name: string | null): IdeaSums {
    if (name === null) return this.all
    return found(this.#byName, name, () => new IdeaSums(this.#events.cellsOfCategories, this.#events.of(name)))
  }

  /** All names in name order; the reserved name is one only when some idea has no category. */
  names(): string[] {
    return [...this.#byName.keys()].sort(compareCodePoints)
  }

  /** Real categories with what is counted over their ideas. */
  named(): [string, IdeaSums][] {
    return [...this.#byName].filter(([name]) => name !== UNCATEGORIZED)
  }

  /** @param name null = all ideas */
  numbers(name: string | null, period: Period): CategoryNumbers {
    return this.of(name).numbers(period, this.all.tallies.ideas.inWindow(period)[0])
  }

  document(period: Period, asOfMs: number): CategoriesDocument {
    const window = writtenWindow(period, asOfMs)
    const categories = this.rows(period)
    return {
      period,
      ...window,
      count: categories.length,
      categories,
      totals: this.numbers(null, period),
      dataAsOf: window.to,
    }
  }

  /** @param firstMonthMs where `all` begins for the whole site */
  file(name: string, firstMonthMs: number | null, asOfMs: number): CategoryFile {
    const { timeline, outcomes } = this.of(name)
    return {
      timelines: recordOf(PERIODS, (period) => timeline.document(ownSpan(period), name, firstMonthMs)),
      outcomes: outcomes.document(name),
      dataAsOf: formatTimestamp(asOfMs),
    }
  }

  rows(period: Period): CategoryRow[] {
    return [...this.#byName.keys()]
      .map((category) => ({ category, ...this.numbers(category, period) }))
      .sort((a, b) => b.ideas - a.ideas || b.votes - a.votes || compareCodePoints(a.category, b.category))
  }
}
