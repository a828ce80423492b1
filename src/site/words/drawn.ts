// Owns which words the page gives to the client, and the short name of what is counted. Knows no document.
import type { Catalogue } from './en.ts'

/** The parts that the client draws again. */
export const DRAWN = ['activity', 'trending', 'categories', 'outcomes', 'totals', 'table', 'client'] as const

/** In tables and explanations, where there is little room. */
export function shortName(
  { totals, outcomes }: Pick<Catalogue, 'totals' | 'outcomes'>,
  counted: 'ideas' | 'votes' | 'comments' | 'launchedIdeas',
): string {
  return counted === 'launchedIdeas' ? outcomes.launched : totals[counted]
}
