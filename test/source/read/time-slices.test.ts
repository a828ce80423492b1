import { array, assert, integer, oneof, property } from 'fast-check'
import { describe, expect, test } from 'vitest'
import { bucketsOf, EDGES_MS, PERIODS, type Bucket } from '../../../src/contract/windows.ts'
import { peopleTime } from '../../../src/contract/people.ts'
import { TimeSlices, fineBuckets } from '../../../src/source/read/time-slices.ts'

const DAY_MS = 86_400_000
const clocks = oneof(
  integer({ min: Date.UTC(1980, 0), max: Date.UTC(2060, 0) }),
  integer({ min: 4000, max: 30_000 }).map((day) => day * DAY_MS),
)
const ages = integer({ min: 1, max: 500 * DAY_MS })

/** As PostgreSQL's width_bucket(time, edges): 0 before the first edge. */
const cellOf = (slices: TimeSlices, timeMs: number): number =>
  slices.edgesMs.filter((edgeMs) => edgeMs <= timeMs).length
const everyBucket = (asOfMs: number, ageMs: number): Bucket[][] =>
  PERIODS.map((period) => bucketsOf(period, asOfMs, asOfMs - ageMs))

describe('slices', () => {
  test('ascend, and begin wherever a window or a bucket does', () => {
    assert(
      property(clocks, ages, (asOfMs, ageMs) => {
        const buckets = everyBucket(asOfMs, ageMs)
        const { edgesMs } = new TimeSlices(asOfMs, buckets)
        expect(edgesMs).toEqual([...new Set(edgesMs)].sort((a, b) => a - b))
        const begins = [...buckets.flat().map((bucket) => bucket.fromMs), ...EDGES_MS.map((edgeMs) => asOfMs - edgeMs)]
        expect(begins.filter((timeMs) => !edgesMs.includes(timeMs))).toEqual([])
        expect(edgesMs.filter((edgeMs) => edgeMs >= asOfMs)).toEqual([])
      }),
    )
  })

  test('make up every bucket: a time is in a bucket when its slice is', () => {
    assert(
      property(
        clocks,
        ages,
        array(integer({ min: 1, max: 500 * DAY_MS }), { maxLength: 20 }),
        (asOfMs, ageMs, before) => {
          const buckets = everyBucket(asOfMs, ageMs)
          const slices = new TimeSlices(asOfMs, buckets)
          const times = [
            ...before.map((ms) => asOfMs - ms),
            ...slices.edgesMs,
            ...slices.edgesMs.map((ms) => ms - 1),
            asOfMs - 1,
          ]
          for (const list of buckets) {
            const bucketOfSlice = slices.bucketOfSlice(list, slices.edgesMs.length + 2)
            expect(times.map((timeMs) => bucketOfSlice[cellOf(slices, timeMs)])).toEqual(
              times.map((timeMs) => list.findIndex(({ fromMs, toMs }) => timeMs >= fromMs && timeMs < toMs)),
            )
            expect([bucketOfSlice.length, bucketOfSlice.at(-1)]).toEqual([slices.edgesMs.length + 2, -1])
          }
        },
      ),
      { numRuns: 20 },
    )
  })

  test('are found by the edge they begin at; behind the last comes dataAsOf', () => {
    assert(
      property(clocks, (asOfMs) => {
        const slices = new TimeSlices(asOfMs, fineBuckets(peopleTime('exact', asOfMs)))
        for (const edgeMs of slices.edgesMs) expect(slices.at(edgeMs)).toBe(cellOf(slices, edgeMs))
        expect(slices.at(asOfMs)).toBe(slices.edgesMs.length + 1)
      }),
    )
  })
})

test('the fine buckets are those of hours and days, without months', () => {
  assert(
    property(clocks, (asOfMs) => {
      expect(fineBuckets(peopleTime('exact', asOfMs))).toEqual(
        PERIODS.slice(0, 4).map((period) => bucketsOf(period, asOfMs, null)),
      )
    }),
  )
})
