// The copy of a body that all answers of one millisecond share, against a new copy for each; under load ten share one.
import { documentText, STAMP_TAIL_BYTES, stampOffset } from '../../../../src/contract/document-text.ts'
import { StampedBody } from '../../../../src/proxy/answer/timestamp-splice.ts'
import { CodedTemplate, encode } from '../../../../src/release/format/coding.ts'
import type { Comparison } from '../compare.ts'

const ANSWERS_PER_MS = 10
const ideas = Array.from({ length: 20 }, (_, i) => ({ rank: i, title: `Idea ${i * 7919}`, votes: (i * 31) % 97 }))
const text = Buffer.from(documentText({ ideas }, new Date(0).toISOString()))
const gzip = await encode(text, STAMP_TAIL_BYTES, 'gzip', 4)
const template = new CodedTemplate(gzip, 'gzip', STAMP_TAIL_BYTES)
const [shared, sharedGzip] = [new StampedBody(text, null), new StampedBody(gzip, 'gzip')]
const msOf = (i: number): number => Math.floor(i / ANSWERS_PER_MS)
const stampAt = (i: number): Buffer => Buffer.from(new Date(msOf(i)).toISOString(), 'latin1')

export const COMPARISONS: readonly Comparison[] = [
  {
    name: 'one stamped copy a millisecond, identity',
    times: 1,
    trick: (i) => shared.at(msOf(i)),
    plain: (i) => {
      const copy = Buffer.from(text)
      stampAt(i).copy(copy, stampOffset(text.length))
      return copy.toString('latin1')
    },
  },
  {
    name: 'one stamped copy a millisecond, gzip',
    times: 1,
    trick: (i) => sharedGzip.at(msOf(i)),
    plain: (i) => template.with(stampAt(i)).toString('latin1'),
  },
]
