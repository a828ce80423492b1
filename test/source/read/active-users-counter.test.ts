import { array, assert, constantFrom, integer, oneof, option, property, record } from 'fast-check'
import { expect, test } from 'vitest'
import { bucketsOf, BOUNDED_PERIODS, PERIODS, windowOf } from '../../../src/contract/windows.ts'
import { TimeSlices } from '../../../src/source/read/time-slices.ts'
import { ActiveUsersCounter, UserBits } from '../../../src/source/read/active-users-counter.ts'

const DAY_MS = 86_400_000
const KINDS = ['votes', 'comments', 'ideas'] as const
const clocks = oneof(
  integer({ min: Date.UTC(1980, 0), max: Date.UTC(2060, 0) }),
  integer({ min: 4000, max: 30_000 }).map((day) => day * DAY_MS),
)
const ages = oneof(integer({ min: 1, max: 3 * DAY_MS }), integer({ min: 1, max: 400 * DAY_MS }))
/** A user: what they did, and how long before dataAsOf; null = without a date. */
const users = array(
  array(record({ kind: constantFrom(...KINDS), ageMs: option(ages, { freq: 9 }) }), { minLength: 1, maxLength: 6 }),
  {
    maxLength: 5,
  },
)

test('counts every user once in each window and bucket in which they did something', () => {
  assert(
    property(clocks, users, (asOfMs, everybody) => {
      const buckets = PERIODS.map((period) => bucketsOf(period, asOfMs, asOfMs - 400 * DAY_MS))
      const slices = new TimeSlices(asOfMs, buckets)
      const layout = new UserBits(slices.edgesMs.length)
      const counter = new ActiveUsersCounter(layout, slices, buckets, asOfMs)

      // As users.sql writes them.
      for (const events of everybody) {
        const bits = new Set(
          events.map(({ kind, ageMs }) => {
            const before = slices.edgesMs.filter((edge) => ageMs !== null && edge <= asOfMs - ageMs).length
            return 3 * (ageMs === null ? layout.undated : before) + KINDS.indexOf(kind)
          }),
        )
        const text = Array.from({ length: 48 * layout.words }, (_, at) => (bits.has(at) ? '1' : '0')).join('')
        counter.add({ number: (word) => Number.parseInt(text.slice(48 * word, 48 * (word + 1)), 2) })
      }

      const did = (fromMs: number, toMs: number, kind?: string): number =>
        everybody.filter((events) =>
          events.some(
            (event) =>
              event.ageMs !== null &&
              asOfMs - event.ageMs >= fromMs &&
              asOfMs - event.ageMs < toMs &&
              (kind ?? event.kind) === event.kind,
          ),
        ).length
      const windows = BOUNDED_PERIODS.map((period) => windowOf(period, asOfMs).fromMs!)
      expect(counter.active()).toEqual({
        inWindow: windows.map((fromMs) => did(fromMs, asOfMs)),
        before: windows.map((fromMs) => did(2 * fromMs - asOfMs, fromMs)),
        all: everybody.length,
      })
      for (const [i, period] of PERIODS.entries())
        expect(buckets[i]!.map((_, at) => counter.counts(period, at))).toEqual(
          buckets[i]!.map(({ fromMs, toMs }) => ({
            active: did(fromMs, toMs),
            voters: did(fromMs, toMs, 'votes'),
            commenters: did(fromMs, toMs, 'comments'),
            authors: did(fromMs, toMs, 'ideas'),
          })),
        )
    }),
  )
})
