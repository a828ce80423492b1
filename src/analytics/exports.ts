// Owns the rows of the ideas, users, categories, timeline and outcomes exports. Knows neither JSON nor CSV.
import type { ExportRow } from '../contract/kinds/tables.ts'
import type { IdeaFacts } from '../model/facts.ts'
import { formatTimestamp } from '../contract/timestamp.ts'
import { countIn, monthAfter, windowOf, type Period } from '../contract/windows.ts'
import { publishedCategories, type Categories } from './categories.ts'
import { publishedUrl } from './options.ts'
import type { PublishedPeople } from './people.ts'
import type { Span } from './time-cells.ts'
import { isAllZero } from './timeline.ts'

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

/** One set of ideas after the other: all, in every bucket; then each category in name order, where something is counted. */
export function* timelineRows(span: Span, categories: Categories, earliestMs: number | null): Generator<ExportRow[]> {
  const isByCategory = span.period !== 'all' || span.interval === 'month'
  for (const category of [null, ...(isByCategory ? categories.names() : [])]) {
    const buckets = categories.of(category).timeline.buckets(span, earliestMs)
    yield buckets
      .filter((counts) => category === null || !isAllZero(counts))
      .map(({ bucket, ideas, votes, comments, launchedIdeas }) => ({
        bucket,
        category,
        ideas,
        votes,
        comments,
        launchedIdeas,
      }))
  }
}

/** The months that touch the period, of one set of ideas after the other; ideas without a date in `all` only. */
export function* outcomeRows(period: Period, categories: Categories, asOfMs: number): Generator<ExportRow[]> {
  const { fromMs } = windowOf(period, asOfMs)
  for (const category of [null, ...categories.names()])
    yield categories
      .of(category)
      .outcomes.cohorts(asOfMs)
      .filter(({ month, ideas }) => {
        if (category !== null && ideas === 0) return false
        if (fromMs === null) return true
        return month !== null && monthAfter(Date.parse(month)) > fromMs
      })
      .map((cohort) => ({ category, ...cohort }))
}
