// Owns where an idea stood in the window before: among all ideas of the site, so only the page that the build makes knows it. Pure.
import type { TrendingDocument, TrendingIdea } from '../../contract/kinds/trending.ts'
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
  readonly w: { readonly trending: { readonly rankBefore: string; readonly points: string } }
  say(message: string, values: Readonly<Record<string, number>>): string
}

/** Where it goes: by rank where the earlier one is known, else by points. */
export function directionOf({
  rank,
  score,
  previousScore,
  previousRank = null,
}: Ranked): 'rising' | 'falling' | 'steady' {
  const rise = previousRank === null ? score - previousScore : previousRank - rank
  if (rise === 0) return 'steady'
  return rise > 0 ? 'rising' : 'falling'
}

/** What it is compared with. */
export function before(t: Said, { score, previousScore, previousRank = null }: Ranked): Markup {
  const { rankBefore, points } = t.w.trending
  const text =
    previousRank === null
      ? t.say(points, { now: score, before: previousScore })
      : t.say(rankBefore, { n: previousRank })
  return html` <span class="points">${text}</span>`
}
