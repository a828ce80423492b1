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

  numbers(period: Period, allIdeas: number): CategoryNumbers {
    const [now, before] = this.timeline.inWindow(period)
    return {
      ...now,
      launchSuccessRate: percentage(this.launchedByCreation.inWindow(period)[0], now.ideas),
      avgVotesPerIdea: quotient(now.votes, now.ideas),
      avgCommentsPerIdea: quotient(now.comments, now.ideas),
      shareOfIdeas: percentage(now.ideas, allIdeas),
      totalIdeas: this.timeline.tallies.ideas.total,
      previousIdeas: before && before.ideas,
      previousVotes: before && before.votes,
      previousComments: before && before.comments,
    }
  }
}

export type Categories = ReturnType<typeof categorySums>

/** @param listed published names that are shown even without an idea */
export function categorySums(listed: readonly string[], events: CountedEvents) {
  /** The sums over all ideas, by day: these are published by day since the beginning, and the gate cuts them at any instant. */
  const all = new IdeaSums(events.cells, events.of(null))
  const byName = new Map<string, IdeaSums>()

  /** @param name null = all ideas */
  function of(name: string | null): IdeaSums {
    if (name === null) return all
    return found(byName, name, () => new IdeaSums(events.cellsOfCategories, events.of(name)))
  }

  /** @param name null = all ideas */
  function numbers(name: string | null, period: Period): CategoryNumbers {
    return of(name).numbers(period, all.timeline.tallies.ideas.inWindow(period)[0])
  }

  function rows(period: Period): CategoryRow[] {
    return [...byName.keys()]
      .map((category) => ({ category, ...numbers(category, period) }))
      .sort((a, b) => b.ideas - a.ideas || b.votes - a.votes || compareCodePoints(a.category, b.category))
  }

  listed.forEach(of)
  return {
    all,
    of,
    numbers,
    rows,

    add(idea: IdeaFacts): void {
      const month = events.cells.slices.monthAt(idea.createdAtMs)
      all.add(idea, month)
      for (const name of publishedCategories(idea)) of(name).add(idea, month)
    },

    /** All names in name order; the reserved name is one only when some idea has no category. */
    names: (): string[] => [...byName.keys()].sort(compareCodePoints),

    /** Real categories with what is counted over their ideas. */
    named: (): [string, IdeaSums][] => [...byName].filter(([name]) => name !== UNCATEGORIZED),

    document(period: Period, asOfMs: number): CategoriesDocument {
      const [window, categories] = [writtenWindow(period, asOfMs), rows(period)]
      const totals = numbers(null, period)
      return { period, ...window, count: categories.length, categories, totals, dataAsOf: window.to }
    },

    /** @param firstMonthMs where `all` begins for the whole site */
    file(name: string, firstMonthMs: number | null, asOfMs: number): CategoryFile {
      const { timeline, outcomes } = of(name)
      return {
        timelines: recordOf(PERIODS, (period) => timeline.document(ownSpan(period), name, firstMonthMs)),
        outcomes: outcomes.document(name),
        dataAsOf: formatTimestamp(asOfMs),
      }
    },
  }
}
