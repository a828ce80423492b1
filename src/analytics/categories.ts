// Owns the sums over ideas, per category and over all. Knows no I/O and no people.
import { UNCATEGORIZED } from '../contract/category-name.ts'
import { compareCodePoints } from '../contract/code-point-order.ts'
import type { CategoriesDocument, CategoryNumbers, CategoryRow } from '../contract/documents.ts'
import type { IdeaFacts } from '../contract/facts.ts'
import { formatTimestamp } from '../contract/timestamp.ts'
import { countBefore, countIn, WindowedTally, windowOf, type Period } from '../contract/windows.ts'
import { percentage, ratio } from './ratio.ts'

const NO_CATEGORY: readonly string[] = [UNCATEGORIZED]

/** The names under which an idea is published: its own, or the reserved one. */
export function publishedCategories(idea: IdeaFacts): readonly string[] {
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

  add(idea: IdeaFacts, asOfMs: number): void {
    this.ideas.addAt(idea.createdAtMs, asOfMs)
    this.votes.add(idea.votes)
    this.comments.add(idea.comments)
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
  readonly all: IdeaSums = new IdeaSums()
  readonly #byName = new Map<string, IdeaSums>()

  /** @param listed published names that are shown even without an idea */
  constructor(listed: readonly string[]) {
    for (const name of listed) this.#byName.set(name, new IdeaSums())
  }

  add(idea: IdeaFacts, asOfMs: number): void {
    this.all.add(idea, asOfMs)
    for (const name of publishedCategories(idea)) {
      let sums = this.#byName.get(name)
      if (sums === undefined) {
        sums = new IdeaSums()
        this.#byName.set(name, sums)
      }
      sums.add(idea, asOfMs)
    }
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

  /** Ideas descending, votes descending, name. */
  rows(period: Period): CategoryRow[] {
    const allIdeas = countIn(this.all.ideas, period)
    return [...this.#byName]
      .map(([category, sums]) => ({ category, ...sums.numbers(period, allIdeas) }))
      .sort((a, b) => b.ideas - a.ideas || b.votes - a.votes || compareCodePoints(a.category, b.category))
  }
}
