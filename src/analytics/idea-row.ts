// Owns the row of an idea in the exports of ideas. Knows no I/O.
import type { RowOf } from '../contract/kinds/tables.ts'
import { formatTimestamp } from '../contract/timestamp.ts'
import { countIn, windowOf, type Period } from '../contract/windows.ts'
import type { IdeaFacts } from '../model/facts.ts'
import { publishedCategories } from './categories.ts'
import { publishedUrl } from './options.ts'

/** The row of an idea in a period's export, or null when it was created before the window. */
export function ideaRow(
  idea: IdeaFacts,
  period: Period,
  asOfMs: number,
  siteUrl: string | null,
): RowOf<'ideas'> | null {
  const { fromMs } = windowOf(period, asOfMs)
  if (fromMs !== null && idea.createdAtMs < fromMs) return null
  return {
    id: idea.id,
    title: idea.title,
    category: publishedCategories(idea).join('; '),
    status: idea.status,
    createdAt: formatTimestamp(idea.createdAtMs),
    launchedAt: idea.launchedAtMs === null ? null : formatTimestamp(idea.launchedAtMs),
    votes: countIn(idea.votes, period),
    comments: countIn(idea.comments, period),
    totalVotes: idea.votes.total,
    totalComments: idea.comments.total,
    url: publishedUrl(idea.url, siteUrl),
    launched: idea.launched,
  }
}
