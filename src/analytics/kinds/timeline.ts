// Owns the making of what happened when, as documents and as tables.
import type { Combination } from '../../contract/kinds/register.ts'
import type { TimelineDocument } from '../../contract/kinds/timeline.ts'
import { formatTimestamp } from '../../contract/timestamp.ts'
import { isAllZero } from '../timeline.ts'
import type { DocumentMaking, TableMaking } from './making.ts'

export const timeline: DocumentMaking<Extract<Combination, { endpoint: 'timeline' }>> = {
  when: 'last',
  make: (span, { categories, firstMonthMs, asOfMs }): TimelineDocument => ({
    ...categories.all.timeline.document(span, null, firstMonthMs),
    dataAsOf: formatTimestamp(asOfMs),
  }),
}

/** One set of ideas after the other: all, in every bucket; then each category in name order, where something is counted. */
export const timelineTable: TableMaking<'timeline'> = {
  when: 'over time',
  *rows(span, { categories, firstMonthMs }) {
    const isByCategory = span.period !== 'all' || span.interval === 'month'
    for (const category of [null, ...(isByCategory ? categories.names() : [])]) {
      const buckets = categories.of(category).timeline.buckets(span, firstMonthMs)
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
  },
}
