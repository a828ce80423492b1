// Owns the ranking of ideas by score, for every period and category at once. Knows no I/O.
import { type TrendingDocument, type TrendingIdea, MAX_TRENDING } from '../contract/kinds/trending.ts'
import type { IdeaFacts } from '../model/facts.ts'
import { found } from '../model/found.ts'
import { recordOf } from '../model/record-of.ts'
import { formatTimestamp } from '../contract/timestamp.ts'
import { BOUNDED_PERIODS, countBefore, countIn, windowOf, type BoundedPeriod } from '../contract/windows.ts'
import { publishedCategories } from './categories.ts'
import { publishedUrl, type AnalyticsOptions } from './options.ts'
import { TopList } from './top-list.ts'

/** What every list publishes about an idea: a copy without its counts, which are the larger part of the facts. */
type IdeaCopy = Readonly<ReturnType<typeof keep>>

interface Entry {
  readonly idea: IdeaCopy
  readonly score: number
  readonly votes: number
  readonly comments: number
  readonly previousScore: number
}

// Ideas arrive newest first, so the rest of the order (createdAt desc, id) is that of arrival, which a TopList keeps.
/** Windows are nested, so an idea without a score in this one has none in any. */
const LONGEST: BoundedPeriod = '90d'

const newList = (): TopList<Entry> => new TopList(MAX_TRENDING, (a, b) => b.score - a.score || b.votes - a.votes)

/** An idea that comes later loses every tie. */
function enters({ votes }: IdeaFacts, score: number, period: BoundedPeriod, worst: Entry | null): boolean {
  if (worst === null || score > worst.score) return true
  return score === worst.score && countIn(votes, period) > worst.votes
}

// Each member is given by its name: a rest of members (`...idea`) is an object of a shape of its own, with 350 bytes for it.
function keep(idea: IdeaFacts) {
  const { id, title, createdAtMs, launchedAtMs, url, status, votes, comments } = idea
  const [categories, totalVotes, totalComments] = [publishedCategories(idea), votes.total, comments.total]
  return { id, title, createdAtMs, launchedAtMs, url, status, categories, totalVotes, totalComments }
}

export type Trending = ReturnType<typeof trendingLists>

/**
 * Memory: at most 100 ideas per period and category, a small copy of each, held once however many lists it is in.
 * @param shown categories whose documents, like those of all ideas, are made again for the site
 */
export function trendingLists(options: AnalyticsOptions, shown: readonly string[] = []) {
  const { voteWeight, commentWeight, siteUrl } = options
  /** The lists by category, which an idea looks up once for all periods; null = all ideas. A list that was given away is null. */
  const byCategory = new Map<string | null, Record<BoundedPeriod, TopList<Entry> | null>>()
  const shownAgain = new Set<string | null>([null, ...shown])

  const weighted = (votes: number, comments: number): number => voteWeight * votes + commentWeight * comments
  const scoreIn = ({ votes, comments }: IdeaFacts, period: BoundedPeriod): number =>
    weighted(countIn(votes, period), countIn(comments, period))

  function entryOf({ votes, comments }: IdeaFacts, idea: IdeaCopy, score: number, period: BoundedPeriod): Entry {
    const previousScore = weighted(countBefore(votes, period) ?? 0, countBefore(comments, period) ?? 0)
    return { idea, score, votes: countIn(votes, period), comments: countIn(comments, period), previousScore }
  }

  return {
    /** Ideas must come newest first. Nearly all enter no list: for these nothing is made that could become garbage. */
    add(idea: IdeaFacts): void {
      if (scoreIn(idea, LONGEST) === 0) return // nor in any shorter period
      const names = [null, ...publishedCategories(idea)]
      const rankings = names.map((name) => found(byCategory, name, () => recordOf(BOUNDED_PERIODS, newList)))
      let kept: IdeaCopy | null = null
      for (const period of BOUNDED_PERIODS) {
        const score = scoreIn(idea, period)
        if (score === 0) continue
        let entry: Entry | null = null
        for (const lists of rankings) {
          const list = lists[period]
          if (list === null || !enters(idea, score, period, list.worst)) continue
          kept ??= keep(idea)
          entry ??= entryOf(idea, kept, score, period)
          list.add(entry)
        }
      }
    },

    /**
     * Each document may be made once, except those that are shown: its list goes with it. So what 10,000 categories ×
     * 4 lists hold is gone when the manifest of all those documents is made; otherwise both would be in memory together.
     * @param category a published name, or null for all ideas
     */
    document(period: BoundedPeriod, category: string | null, asOfMs: number): TrendingDocument {
      const lists = byCategory.get(category)
      const entries = lists?.[period]?.ranked ?? []
      if (lists !== undefined && !shownAgain.has(category)) lists[period] = null
      const ideas = entries.map((entry, at) => published(entry, at + 1, category, siteUrl))
      const to = formatTimestamp(asOfMs)
      const from = formatTimestamp(windowOf(period, asOfMs).fromMs ?? asOfMs)
      return { period, category, from, to, limit: MAX_TRENDING, count: ideas.length, ideas, dataAsOf: to }
    },
  }
}

function published(entry: Entry, rank: number, category: string | null, siteUrl: string | null): TrendingIdea {
  const { idea } = entry
  return {
    rank,
    id: idea.id,
    title: idea.title,
    category: category ?? idea.categories.join('; '),
    categories: idea.categories,
    status: idea.status,
    url: publishedUrl(idea.url, siteUrl),
    score: entry.score,
    votes: entry.votes,
    comments: entry.comments,
    previousScore: entry.previousScore,
    totalVotes: idea.totalVotes,
    totalComments: idea.totalComments,
    createdAt: formatTimestamp(idea.createdAtMs),
    launchedAt: idea.launchedAtMs === null ? null : formatTimestamp(idea.launchedAtMs),
  }
}
