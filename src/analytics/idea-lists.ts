// Owns the lists of ideas that the site has beside those that trend: the newest ideas, the newest launches that have
// a date, and the ideas of a category with most votes. Knows no I/O.
import type { LaunchedIdea, ListedIdea } from '../contract/kinds/ideas.ts'
import { formatTimestamp } from '../contract/timestamp.ts'
import { windowOf } from '../contract/windows.ts'
import type { IdeaFacts } from '../model/facts.ts'
import { publishedCategories } from './categories.ts'
import { publishedIdea } from './kinds.ts'
import { TopList } from './top-list.ts'

/** As many as a feed needs. */
const MAX_LAUNCHED = 50
const MOST_VOTED = 10
const MAX_NEW = 200

export type IdeaLists = ReturnType<typeof ideaLists>

/**
 * Memory: 60 small copies for each category that has a page, and 250 of all ideas.
 * @param pages names of the categories that have one
 */
export function ideaLists(pages: readonly string[], siteUrl: string | null, asOfMs: number) {
  const newSinceMs = windowOf('7d', asOfMs).fromMs ?? asOfMs
  const newest: ListedIdea[] = []
  const byLaunch = (a: LaunchedIdea, b: LaunchedIdea): number => Date.parse(b.launchedAt) - Date.parse(a.launchedAt)
  /** The newest launches by category; null = those of all ideas. */
  const launchedOf = new Map([null, ...pages].map((name) => [name, new TopList(MAX_LAUNCHED, byLaunch)]))
  const byVotes = (a: ListedIdea, b: ListedIdea): number => b.votes - a.votes
  const votedOf = new Map<string | null, TopList<ListedIdea>>(
    pages.map((name) => [name, new TopList(MOST_VOTED, byVotes)]),
  )
  const listed = (idea: IdeaFacts): ListedIdea => {
    return { ...publishedIdea(idea, 'all', siteUrl), categories: publishedCategories(idea) }
  }
  return {
    pages,
    newest: newest as readonly ListedIdea[],

    /** Ideas must come newest first: one that comes later loses every tie. For nearly all ideas nothing is made. */
    add(idea: IdeaFacts): void {
      const { createdAtMs, launchedAtMs } = idea
      if (createdAtMs >= newSinceMs && newest.length < MAX_NEW) newest.push(listed(idea))
      const names = publishedCategories(idea)
      if (launchedAtMs !== null)
        for (const name of [null, ...names]) {
          const launched = launchedOf.get(name)
          const { worst = null } = launched ?? {}
          if (launched !== undefined && (worst === null || launchedAtMs > Date.parse(worst.launchedAt)))
            launched.add({ ...listed(idea), launchedAt: formatTimestamp(launchedAtMs) })
        }
      for (const name of names) {
        const voted = votedOf.get(name)
        if (voted !== undefined && idea.votes.total > (voted.worst?.votes ?? 0)) voted.add(listed(idea))
      }
    },

    /** The newest launches, newest first, and the ideas with most votes. @param name null = all ideas: their launches only */
    of: (name: string | null) => ({
      launched: launchedOf.get(name)?.ranked ?? [],
      mostVoted: votedOf.get(name)?.ranked ?? [],
    }),
  }
}
