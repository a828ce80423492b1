// What the answers take of larger files: the parts that the kinds of documents declare, as the proxy asks for them.
import { expect } from 'vitest'
import { KINDS, type Query } from '../../src/contract/kinds/register.ts'
import { ownInterval, type Period } from '../../src/contract/windows.ts'
import type { Excerpt } from '../../src/proxy/store/body-cache.ts'

/** null = the answer is the whole file. */
export function excerptOf(query: Query): Excerpt | null {
  const { key = '', from } = KINDS[query.endpoint].part?.(query) ?? {}
  return from === undefined ? null : { key, from }
}

const needed = (query: Query): Excerpt => excerptOf(query) ?? expect.fail(`the whole file answers ${query.endpoint}`)

export const firstIdeas = (limit: number): Excerpt | null =>
  excerptOf({ endpoint: 'trending', period: '7d', category: null, limit })
export const timelineOf = (period: Period): Excerpt =>
  needed({ endpoint: 'timeline', period, category: 'any', interval: ownInterval(period) })
export const OUTCOMES: Excerpt = needed({ endpoint: 'outcomes', category: 'any' })
