// Owns comparing two counts of one instant, as of a candidate that has read every row until another one.
import { revisionsSince, type Revision } from '../../../src/builder/past/revision.ts'
import type { RowsByMonth } from '../../../src/model/rows-by-month.ts'

export function revisionsOf(kept: RowsByMonth, now: RowsByMonth, seenMs: number): Revision[] {
  const own = { ...now, beforeMs: seenMs }
  const found = revisionsSince(kept, { own, earlier: now, newestDay: null })
  if (found === null) throw new RangeError('these are counts of two instants')
  return found
}
