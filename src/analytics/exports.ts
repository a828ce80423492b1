// Owns the rows of the ideas, users and categories exports. Knows neither JSON nor CSV.
import type { ExportRow } from '../contract/documents.ts'
import type { IdeaFacts } from '../contract/facts.ts'
import { formatTimestamp } from '../contract/timestamp.ts'
import { countIn, windowOf, type Period } from '../contract/windows.ts'
import { publishedCategories, type Categories } from './categories.ts'
import { publishedUrl } from './options.ts'
import type { PublishedPeople } from './people.ts'

/** The row of an idea in a period's export, or null when it was created before the window. */
export function ideaRow(idea: IdeaFacts, period: Period, asOfMs: number, siteUrl: string | null): ExportRow | null {
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
  }
}

export function userRows(period: Period, people: PublishedPeople): ExportRow[] {
  return people.buckets[period].map(({ startMs, ...counts }) => ({ bucket: formatTimestamp(startMs), ...counts }))
}

export function categoryRows(period: Period, categories: Categories): ExportRow[] {
  return categories.rows(period).map((row) => ({ ...row }))
}
