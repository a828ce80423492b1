// Owns the ranking of ideas by score, for every period and category at once. Knows no I/O.
import { instant, type TrendingDocument, type TrendingIdea } from '../contract/documents.ts'
import { MAX_TRENDING } from '../contract/endpoints.ts'
import type { IdeaFacts } from '../contract/facts.ts'
import { BOUNDED_PERIODS, countBefore, countIn, windowOf, type BoundedPeriod } from '../contract/windows.ts'
import { publishedCategories } from './categories.ts'
import { publishedUrl, type AnalyticsOptions } from './options.ts'
import { TopList } from './top-list.ts'

interface Entry {
  readonly idea: IdeaFacts
  readonly score: number
  readonly votes: number
  /** Place in the stream: createdAt descending, then id. */
  readonly place: number
}

// Ideas arrive newest first, so the rest of the order (createdAt desc, id) is the order of arrival.
function byRank(a: Entry, b: Entry): number {
  return b.score - a.score || b.votes - a.votes || a.place - b.place
}

/** Memory: at most 100 ideas per period and category, each idea held once however many lists it is in. */
export class Trending {
  readonly #options: AnalyticsOptions
  readonly #everything = BOUNDED_PERIODS.map(() => new TopList<Entry>(MAX_TRENDING, byRank))
  readonly #byCategory = new Map<string, TopList<Entry>[]>()
  #place = 0

  constructor(options: AnalyticsOptions) {
    this.#options = options
  }

  /** Ideas must come newest first. */
  add(idea: IdeaFacts): void {
    const place = this.#place++
    for (const [i, period] of BOUNDED_PERIODS.entries()) {
      const votes = countIn(idea.votes, period)
      const score = this.#score(votes, countIn(idea.comments, period))
      if (score === 0) continue
      const entry = { idea, score, votes, place }
      this.#everything[i]?.add(entry)
      for (const category of publishedCategories(idea)) this.#listsOf(category)[i]?.add(entry)
    }
  }

  /** @param category a published name, or null for all ideas */
  document(period: BoundedPeriod, category: string | null, asOfMs: number): TrendingDocument {
    const i = BOUNDED_PERIODS.indexOf(period)
    const list = category === null ? this.#everything[i] : this.#byCategory.get(category)?.[i]
    const ideas = (list?.ranked() ?? []).map((entry, at) => this.#publish(entry, at + 1, period, category))
    const to = instant(asOfMs)
    const from = instant(windowOf(period, asOfMs).fromMs ?? asOfMs)
    return { period, category, from, to, limit: MAX_TRENDING, count: ideas.length, ideas, dataAsOf: to }
  }

  #score(votes: number, comments: number): number {
    return this.#options.voteWeight * votes + this.#options.commentWeight * comments
  }

  #listsOf(category: string): TopList<Entry>[] {
    let lists = this.#byCategory.get(category)
    if (lists === undefined) {
      lists = BOUNDED_PERIODS.map(() => new TopList<Entry>(MAX_TRENDING, byRank))
      this.#byCategory.set(category, lists)
    }
    return lists
  }

  #publish({ idea, score, votes }: Entry, rank: number, period: BoundedPeriod, category: string | null): TrendingIdea {
    const categories = publishedCategories(idea)
    return {
      rank,
      id: idea.id,
      title: idea.title,
      category: category ?? categories.join('; '),
      categories,
      status: idea.status,
      url: publishedUrl(idea.url, this.#options.siteUrl),
      score,
      votes,
      comments: countIn(idea.comments, period),
      previousScore: this.#score(countBefore(idea.votes, period) ?? 0, countBefore(idea.comments, period) ?? 0),
      totalVotes: idea.votes.total,
      totalComments: idea.comments.total,
      createdAt: instant(idea.createdAtMs),
      launchedAt: idea.launchedAtMs === null ? null : instant(idea.launchedAtMs),
    }
  }
}
