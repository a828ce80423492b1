// Owns the list of the newest launches that have a date. Knows no I/O.
import type { LaunchedIdea, ListedIdea } from '../contract/kinds/trending.ts'
import type { IdeaFacts } from '../model/facts.ts'
import { formatTimestamp } from '../contract/timestamp.ts'
import { publishedCategories } from './categories.ts'
import { publishedUrl } from './options.ts'
import { TopList } from './top-list.ts'

/** As many as a feed needs. */
const MAX_LAUNCHED = 50

export class Launched {
  readonly #siteUrl: string | null
  readonly #newest = new TopList<LaunchedIdea>(
    MAX_LAUNCHED,
    (a, b) => Date.parse(b.launchedAt) - Date.parse(a.launchedAt),
  )

  constructor(siteUrl: string | null) {
    this.#siteUrl = siteUrl
  }

  /** Ideas must come newest first. For nearly all nothing is made. */
  add(idea: IdeaFacts): void {
    const { launchedAtMs } = idea
    const { worst } = this.#newest
    // One that comes later loses every tie.
    if (launchedAtMs === null || (worst !== null && launchedAtMs <= Date.parse(worst.launchedAt))) return
    this.#newest.add({ ...listed(idea, this.#siteUrl), launchedAt: formatTimestamp(launchedAtMs) })
  }

  /** Newest first; the list is empty afterwards. */
  take(): LaunchedIdea[] {
    return this.#newest.takeRanked()
  }
}

/** As lists show it. */
export function listed(idea: IdeaFacts, siteUrl: string | null): ListedIdea {
  const categories = publishedCategories(idea)
  return {
    id: idea.id,
    title: idea.title,
    category: categories.join('; '),
    categories,
    status: idea.status,
    url: publishedUrl(idea.url, siteUrl),
    votes: idea.votes.total,
    comments: idea.comments.total,
    createdAt: formatTimestamp(idea.createdAtMs),
  }
}
