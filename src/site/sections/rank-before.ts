// Owns where an idea stood in the window before: among all ideas of the site, so only the page that the build makes knows it. Pure.
import type { TrendingDocument, TrendingIdea } from '../../contract/documents.ts'
import type { BoundedPeriod } from '../../contract/windows.ts'
import { html, type Markup } from '../html.ts'
import type { SiteInput } from '../input.ts'

interface Ranked extends TrendingIdea {
  /** null = it had no rank. */
  readonly previousRank?: number | null
}

/** The same input, each trending idea with its earlier rank. */
export function withPreviousRanks(input: SiteInput): SiteInput {
  const { trending, previousRanks } = input.documents
  const ranked = (period: BoundedPeriod): TrendingDocument => ({
    ...trending[period],
    ideas: trending[period].ideas.map((idea): Ranked => ({
      ...idea,
      previousRank: previousRanks[period].get(idea.id) ?? null,
    })),
  })
  const all = { '24h': ranked('24h'), '7d': ranked('7d'), '30d': ranked('30d'), '90d': ranked('90d') }
  return { ...input, documents: { ...input.documents, trending: all } }
}

/** What is needed of a language. */
interface Said {
  readonly w: { readonly trending: { readonly rankBefore: string } }
  say(message: string, values: { readonly n: number }): string
}

export function rankBefore(t: Said, { previousRank = null }: Ranked): Markup | null {
  return previousRank === null
    ? null
    : html` <span class="points">${t.say(t.w.trending.rankBefore, { n: previousRank })}</span>`
}
