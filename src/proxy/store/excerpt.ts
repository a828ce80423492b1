// Owns what an answer takes of a snapshot that holds more, or of one that stands in for it. Reads no file; knows no HTTP.
import { documentText } from '../../contract/document-text.ts'
import {
  cutTrending,
  emptyTimeline,
  outcomesIn,
  timelineIn,
  type CategoryFile,
  type TimelineDocument,
  type TrendingDocument,
} from '../../contract/documents.ts'
import { MAX_TRENDING } from '../../contract/endpoints.ts'
import type { Period } from '../../contract/windows.ts'
import { ReleaseError } from '../../release/format/release-error.ts'

export interface Excerpt {
  /** Differs from that of every other excerpt of the same snapshot. */
  readonly key: string
  /** The document of the answer, without its last keys. @throws ReleaseError when the snapshot does not have it */
  readonly from: (snapshot: unknown) => object
}

/** null = of trending all that there is. */
export function firstIdeas(limit: number): Excerpt | null {
  if (limit === MAX_TRENDING) return null
  return { key: String(limit), from: (snapshot) => cutTrending(snapshot as TrendingDocument, limit) }
}

/** Of the file of a category. */
export function timelineOf(period: Period): Excerpt {
  return {
    key: `timeline-${period}`,
    from(snapshot) {
      const timeline = timelineIn(snapshot as CategoryFile, period)
      if (timeline === null) throw new ReleaseError('damaged', `the file of a category has no timeline of ${period}`)
      return timeline
    },
  }
}

/** Of the file of a category. */
export const OUTCOMES: Excerpt = { key: 'outcomes', from: (snapshot) => outcomesIn(snapshot as CategoryFile) }

/** Of the timeline of all ideas: for a category that no idea has. */
export function zerosFor(category: string): Excerpt {
  return {
    key: `nothing ${category}`,
    from: (snapshot) => emptyTimeline(snapshot as TimelineDocument, category),
  }
}

export function excerptText(snapshot: Buffer, excerpt: Excerpt): Buffer {
  const { generatedAt, version: _, ...document } = JSON.parse(snapshot.toString('utf8')) as Ends
  return Buffer.from(documentText(excerpt.from(document), generatedAt), 'utf8')
}

interface Ends {
  readonly generatedAt: string
  readonly version: string
}
