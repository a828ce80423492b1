// Owns the making of the platform totals. Knows no I/O.
import { compareCodePoints } from '../model/code-point-order.ts'
import type { StatsDocument } from '../contract/kinds/stats.ts'
import type { Categories } from './categories.ts'
import { percentage, ratio } from './ratio.ts'

/** As in the first description of the API. */
export const TOP_CATEGORIES = 3

export function statsDocument(categories: Categories, totalUsers: number): StatsDocument {
  const { ideas, votes, comments, launches } = categories.all
  const used = [...categories.named()]
    .map(([category, sums]) => ({ category, count: sums.ideas.total }))
    .filter(({ count }) => count > 0)
  used.sort((a, b) => b.count - a.count || compareCodePoints(a.category, b.category))
  return {
    stats: {
      totalUsers,
      totalIdeas: ideas.total,
      totalVotes: votes.total,
      totalComments: comments.total,
      launchedIdeas: launches.total,
      activeCategories: used.length,
    },
    metrics: {
      avgVotesPerIdea: ratio(votes.total, ideas.total),
      avgCommentsPerIdea: ratio(comments.total, ideas.total),
      launchSuccessRate: percentage(launches.total, ideas.total),
    },
    topCategories: used.slice(0, TOP_CATEGORIES),
  }
}
