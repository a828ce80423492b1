import { array, assert, constantFrom, integer, oneof, option, property, record, sample } from 'fast-check'
import { expect, test } from 'vitest'
import { peopleBuckets, peopleTime } from '../../../src/contract/people.ts'
import { BOUNDED_PERIODS, EARLIEST_DATE_MS, PERIODS, windowEdges, windowOf } from '../../../src/contract/windows.ts'
import { timeZoneOf } from '../../../src/contract/time-zone.ts'
import { NO_SLICE, SKIPPED } from '../../../src/model/time-cells.ts'
import { ActivePeople, COMMENTED, SUBMITTED, VOTED, type TimeRange } from '../../../src/source/read/active-people.ts'
import type { CopiedRows } from '../../../src/source/read/copy-decoder.ts'
import { slicesAt } from '../../support/counted-events.ts'

const DAY_MS = 86_400_000
const KINDS = { votes: VOTED, comments: COMMENTED, ideas: SUBMITTED } as const
/** A dozen clocks, some of which are midnight: their slices take most of the time. */
const clocks = constantFrom(
  ...sample(integer({ min: EARLIEST_DATE_MS + 1000 * DAY_MS, max: Date.UTC(2060, 0) }), 7),
  ...sample(integer({ min: 9000, max: 30_000 }), 5).map((day) => day * DAY_MS),
)
const zones = constantFrom(...['UTC', 'Europe/Madrid'].map((timeZone) => timeZoneOf({ timeZone })))
const ages = oneof(integer({ min: 1, max: 3 * DAY_MS }), integer({ min: 1, max: 900 * DAY_MS }))
/** What a person did, and how long before dataAsOf; null = without a date. */
const everybody = array(
  array(record({ kind: constantFrom('votes', 'comments', 'ideas'), ageMs: option(ages, { freq: 9 }) }), {
    minLength: 1,
    maxLength: 6,
  }),
  { maxLength: 5 },
)

/** Rows whose last field is the key of a person; null = nobody's. */
const rowsOf = (...people: readonly (number | null)[]): CopiedRows =>
  ({
    count: people.length,
    fields: 1,
    isNull: (row: number) => people[row] === null,
    int32: (row: number, _: number, from = 0) => (from === 0 ? 7 : people[row]),
  }) as unknown as CopiedRows

test.each(['exact', 'rounded'] as const)(
  'everybody counts once in each window and bucket in which they did something: %s',
  (mode) => {
    assert(
      property(clocks, everybody, zones, (dataAsOfMs, people, zone) => {
        const time = peopleTime(mode, dataAsOfMs, zone)
        const slices = slicesAt(dataAsOfMs, [time.asOfMs, ...windowEdges(time.asOfMs)], zone)
        const counter = new ActivePeople(slices, time)
        const sliceOf = (ageMs: number | null): number => (ageMs === null ? NO_SLICE : slices.at(dataAsOfMs - ageMs))
        const rows = people.flatMap((events, person) => events.map((event) => ({ person, ...event })))
        for (const [kind, number] of Object.entries(KINDS)) {
          const done = rows.filter((row) => row.kind === kind)
          const batch = rowsOf(...done.map(({ person }) => person), null, people.length)
          counter.add(
            batch,
            number,
            Int32Array.of(...done.map(({ ageMs }) => sliceOf(ageMs)), slices.length - 1, SKIPPED),
          )
        }

        const counted = people.map((events) =>
          events
            .map(({ kind, ageMs }) => ({ kind, ms: ageMs === null ? null : dataAsOfMs - ageMs }))
            .filter(({ ms }) => ms === null || ms < time.asOfMs),
        )
        const did = (fromMs: number, toMs: number, kind?: string): number =>
          counted.filter((events) =>
            events.some(({ kind: own, ms }) => ms !== null && ms >= fromMs && ms < toMs && (kind ?? own) === own),
          ).length
        const windows = BOUNDED_PERIODS.map((period) => windowOf(period, time.asOfMs).fromMs!)
        const buckets = PERIODS.map((period) => peopleBuckets(period, time, time.asOfMs - 900 * DAY_MS))
        const yearMs = 365 * DAY_MS
        const ofPeriods = windows.map((fromMs) => [
          { fromMs: fromMs - yearMs, toMs: time.asOfMs - yearMs },
          { fromMs: 2 * fromMs - time.asOfMs, toMs: fromMs },
          { fromMs, toMs: time.asOfMs },
        ])
        const found = counter.counts<TimeRange>([...buckets.flat(), ...ofPeriods.flat()])
        expect(counter.all).toBe(counted.filter((events) => events.length > 0).length)
        const active = ofPeriods.map((list) => list.map((range) => found.get(range)?.active))
        expect(active).toEqual(ofPeriods.map((list) => list.map(({ fromMs, toMs }) => did(fromMs, toMs))))
        expect(buckets.map((list) => list.map((bucket) => found.get(bucket)))).toEqual(
          buckets.map((list) =>
            list.map(({ fromMs, toMs }) => ({
              active: did(fromMs, toMs),
              voters: did(fromMs, toMs, 'votes'),
              commenters: did(fromMs, toMs, 'comments'),
              authors: did(fromMs, toMs, 'ideas'),
            })),
          ),
        )
      }),
    )
  },
)

test('people stay who they are while the past becomes longer', () => {
  const asOfMs = Date.UTC(2026, 4, 20, 9, 30)
  const slices = slicesAt(asOfMs)
  const counter = new ActivePeople(slices, peopleTime('exact', asOfMs))
  const years = Array.from({ length: 36 }, (_, i) => 2025 - i)
  for (const year of years)
    for (let person = 0; person < 3000; person++)
      if (person % (2026 - year) === 0) counter.add(rowsOf(person), VOTED, Int32Array.of(slices.at(Date.UTC(year, 5))))
  const buckets = years.map((year) => ({ startMs: 0, fromMs: Date.UTC(year, 5), toMs: Date.UTC(year, 6) })).reverse()
  const counts = [...counter.counts(buckets).values()]
  expect(counts.map(({ voters }) => voters).reverse()).toEqual(years.map((year) => Math.ceil(3000 / (2026 - year))))
})
