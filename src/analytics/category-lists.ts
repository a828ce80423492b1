// Owns what the pages of categories list: their launches, and their ideas with most votes. Knows no I/O.
import type { LaunchedIdea, ListedIdea } from '../contract/kinds/trending.ts'
import type { IdeaFacts } from '../model/facts.ts'
import { publishedCategories } from './categories.ts'
import { Launched, listed } from './launched.ts'
import { TopList } from './top-list.ts'

const MOST_VOTED = 10

/** Memory: 60 small copies for each category that has a page. */
export class CategoryLists {
  readonly #siteUrl: string | null
  readonly #launched: ReadonlyMap<string, Launched>
  readonly #voted: ReadonlyMap<string, TopList<ListedIdea>>

  /** @param names of the categories that have a page */
  constructor(names: readonly string[], siteUrl: string | null) {
    this.#siteUrl = siteUrl
    this.#launched = new Map(names.map((name) => [name, new Launched(siteUrl)]))
    this.#voted = new Map(names.map((name) => [name, new TopList<ListedIdea>(MOST_VOTED, (a, b) => b.votes - a.votes)]))
  }

  /** Ideas must come newest first. For nearly all nothing is made. */
  add(idea: IdeaFacts): void {
    for (const name of publishedCategories(idea)) {
      this.#launched.get(name)?.add(idea)
      const voted = this.#voted.get(name)
      // One that comes later loses every tie.
      if (voted !== undefined && idea.votes.total > (voted.worst?.votes ?? 0)) voted.add(listed(idea, this.#siteUrl))
    }
  }

  /** In the order of `names`; the lists are empty afterwards. */
  *take(): Generator<{ name: string; launched: LaunchedIdea[]; mostVoted: ListedIdea[] }> {
    for (const [name, launched] of this.#launched)
      yield { name, launched: launched.take(), mostVoted: this.#voted.get(name)?.takeRanked() ?? [] }
  }
}
