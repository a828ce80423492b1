import { array, assert, constantFrom, double, nat, oneof, property, record, constant, type Arbitrary } from 'fast-check'
import { describe, expect, test } from 'vitest'
import { documentText } from '../../../src/contract/document-text.ts'
import { PERIODS } from '../../../src/contract/windows.ts'
import { excerptText } from '../../../src/proxy/store/body-cache.ts'
import { anyText } from '../../contract/any-text.ts'
import { firstIdeas, OUTCOMES, timelineOf } from '../../support/excerpts.ts'
import { AS_OF, BUILT, categoryFile } from '../../support/hand-made.ts'

const bytesOf = (document: object): Buffer => Buffer.from(documentText(document, BUILT))
const ended = (member: object): string =>
  JSON.stringify({ ...member, dataAsOf: AS_OF, generatedAt: BUILT, version: '1.0' })

const count: Arbitrary<number> = oneof(nat(), constantFrom(0, 2 ** 53 - 1))
const ratio = oneof(constantFrom(0, 100, 41.2, 0.01, 1e21), double({ noNaN: true, noDefaultInfinity: true, min: 0 }))
const text = oneof(
  anyText({ maxLength: 20 }),
  constantFrom('"generatedAt":"', '"dataAsOf":"x","version":"1.0"}', '\u2028', '{"timelines":{'),
)
const orNull = <T>(value: Arbitrary<T>): Arbitrary<T | null> => oneof(value, constant(null))
const member = record({
  period: constantFrom(...PERIODS),
  category: text,
  from: orNull(constant(AS_OF)),
  count,
  buckets: array(record({ bucket: text, ideas: count, totalIdeas: count }), { maxLength: 5 }),
  undated: record({ ideas: count }),
})
const file = record({
  timelines: record(Object.fromEntries(PERIODS.map((period) => [period, member])) as Record<string, typeof member>),
  outcomes: record({
    category: text,
    statuses: array(record({ status: orNull(text), ideas: count, shareOfIdeas: ratio }), { maxLength: 4 }),
    launched: record({ medianDays: orNull(ratio) }),
    cohorts: array(record({ month: orNull(text), launchedWithin30Days: orNull(count) }), { maxLength: 4 }),
  }),
  dataAsOf: constant(AS_OF),
})

describe('of the file of any category', () => {
  test('an answer is its member, byte for byte, and the keys that end every document', () => {
    assert(
      property(file, (document) => {
        const snapshot = bytesOf(document)
        for (const period of PERIODS)
          expect(excerptText(snapshot, timelineOf(period)).toString()).toBe(ended(document.timelines[period] as object))
        expect(excerptText(snapshot, OUTCOMES).toString()).toBe(ended(document.outcomes))
      }),
    )
  })
})

test('a file of a category without a timeline of the period is damaged, and nothing is invented', () => {
  const { timelines, ...rest } = categoryFile('Product')
  const { '90d': _, ...others } = timelines
  const snapshot = bytesOf({ timelines: others, ...rest })
  expect(() => excerptText(snapshot, timelineOf('90d'))).toThrow(
    expect.objectContaining({ code: 'damaged', message: 'the file of a category has no timeline of 90d' }),
  )
  expect(excerptText(snapshot, timelineOf('30d')).toString()).toBe(ended(others['30d']))
})

test('a hundred ideas are the whole of trending', () => {
  expect([firstIdeas(100), firstIdeas(99)?.key]).toEqual([null, '99'])
})
