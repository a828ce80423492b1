// Owns the lists of ideas that the site has beside those that trend: the newest launches that have a date, and the
// ideas of a category with most votes. Knows no I/O.
import type { LaunchedIdea, ListedIdea } from '../contract/kinds/trending.ts'
import { formatTimestamp } from '../contract/timestamp.ts'
import type { IdeaFacts } from '../model/facts.ts'
import { publishedCategories } from './categories.ts'
import { publishedIdea } from './kinds.ts'
import { TopList } from './top-list.ts'

/** As many as a feed needs. */
const MAX_LAUNCHED = 50
const MOST_VOTED = 10

/** Memory: 60 small copies for each category that has a page. */
export class IdeaLists {
  readonly #siteUrl: string | null
  /** The newest launches by category; null = those of all ideas. */
  readonly #launched: ReadonlyMap<string | null, TopList<LaunchedIdea>>
  readonly #voted: ReadonlyMap<string, TopList<ListedIdea>>

  /** @param names of the categories that have a page */
  constructor(names: readonly string[], siteUrl: string | null) {
    const byLaunch = (a: LaunchedIdea, b: LaunchedIdea): number => Date.parse(b.launchedAt) - Date.parse(a.launchedAt)
    this.#siteUrl = siteUrl
    this.#launched = new Map([null, ...names].map((name) => [name, new TopList(MAX_LAUNCHED, byLaunch)]))
    this.#voted = new Map(names.map((name) => [name, new TopList<ListedIdea>(MOST_VOTED, (a, b) => b.votes - a.votes)]))
  }

  /** Ideas must come newest first: one that comes later loses every tie. For nearly all ideas nothing is made. */
  add(idea: IdeaFacts): void {
    const { launchedAtMs } = idea
    const names = publishedCategories(idea)
    if (launchedAtMs !== null)
      for (const name of [null, ...names]) {
        const launched = this.#launched.get(name)
        const { worst = null } = launched ?? {}
        if (launched !== undefined && (worst === null || launchedAtMs > Date.parse(worst.launchedAt)))
          launched.add({ ...this.#listed(idea), launchedAt: formatTimestamp(launchedAtMs) })
      }
    for (const name of names) {
      const voted = this.#voted.get(name)
      if (voted !== undefined && idea.votes.total > (voted.worst?.votes ?? 0)) voted.add(this.#listed(idea))
    }
  }

  /** The newest launches of all ideas, newest first; the list is empty afterwards. */
  takeLaunched(): LaunchedIdea[] {
    return this.#launched.get(null)?.takeRanked() ?? []
  }

  /** The lists of categories, in the order of `names`; they are empty afterwards. */
  *takeOfCategories(): Generator<{ name: string; launched: LaunchedIdea[]; mostVoted: ListedIdea[] }> {
    for (const [name, voted] of this.#voted)
      yield { name, launched: this.#launched.get(name)?.takeRanked() ?? [], mostVoted: voted.takeRanked() }
  }

  #listed(idea: IdeaFacts): ListedIdea {
    return { ...publishedIdea(idea, 'all', this.#siteUrl), categories: publishedCategories(idea) }
  }
}
