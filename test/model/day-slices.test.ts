import { array, constant, constantFrom, integer, oneof, sample, tuple, type Arbitrary } from 'fast-check'
import { describe, expect, test } from 'vitest'
import { DaySlices, LATEST_CLOCK_MS } from '../../src/model/day-slices.ts'
import { timeZoneOf, UTC, type TimeZone } from '../../src/contract/time-zone.ts'
import { BOUNDED_PERIODS, bucketsOf, EARLIEST_DATE_MS, EDGES_MS } from '../../src/contract/windows.ts'

const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS
/** The clocks that a read accepts. */
const FIRST_CLOCK_MS = EARLIEST_DATE_MS + 366 * DAY_MS
const clocksUntil = (year: number): Arbitrary<number> =>
  oneof(
    integer({ min: FIRST_CLOCK_MS, max: Date.UTC(year, 0) - 1 }),
    // A day, an hour, a month that has just begun or is about to end.
    tuple(
      integer({ min: FIRST_CLOCK_MS / DAY_MS + 1, max: Date.UTC(year, 0) / DAY_MS - 1 }),
      integer({ min: 0, max: 23 }),
      constantFrom(-1, 0, 0, 1),
    ).map(([day, hour, by]) => day * DAY_MS + hour * HOUR_MS + by),
    tuple(integer({ min: 1992, max: year - 1 }), integer({ min: 0, max: 11 }), constantFrom(-1, 0, 0, 1)).map(
      ([ofYear, month, by]) => Date.UTC(ofYear, month) + by,
    ),
  )
const clocksInZones = oneof(
  tuple(clocksUntil(2160), constant(UTC)),
  // Their rules, which are read day by day, repeat themselves after that.
  ...['Europe/Madrid', 'America/St_Johns', 'Pacific/Apia'].map((name) =>
    tuple(clocksUntil(2045), constant(timeZoneOf({ timeZone: name }))),
  ),
)
/** How long before dataAsOf; some are in the future, a few far back. */
const cutAges = array(
  oneof(
    { weight: 6, arbitrary: integer({ min: -HOUR_MS, max: 3 * DAY_MS }) },
    { weight: 6, arbitrary: integer({ min: 0, max: 400 * DAY_MS }) },
    { weight: 1, arbitrary: integer({ min: 0, max: 40 * 366 * DAY_MS }) },
  ),
  { maxLength: 3 },
)

/** Slices of a clock with cuts, and some instants that they may be asked for: about their edges, and anywhere. */
const casesOf = (clocks: Arbitrary<[asOfMs: number, zone: TimeZone]>) =>
  tuple(clocks, cutAges, array(integer({ min: 0 }), { maxLength: 30 })).map(([[asOfMs, zone], ages, anywhere]) => {
    const cutsMs = ages.map((ms) => asOfMs - ms)
    const slices = new DaySlices(asOfMs, cutsMs, zone)
    const starts = Array.from({ length: Math.min(slices.length, 250) }, (_, i) => slices.startMs(slices.length - i))
    const instants = [...starts.flatMap((ms) => [ms - 1, ms, ms + 1]), asOfMs - 1, EARLIEST_DATE_MS]
      .concat(anywhere.map((n) => EARLIEST_DATE_MS + (n % (asOfMs - EARLIEST_DATE_MS))))
      .filter((ms) => ms >= EARLIEST_DATE_MS && ms < asOfMs)
    return { asOfMs, cutsMs, slices, instants, zone }
  })
/** Drawn once: to make the slices of every day since 1990 takes most of the time. With the latest clock. */
const LATEST = constant<[number, TimeZone]>([LATEST_CLOCK_MS - 1, UTC])
const CASES = [...sample(casesOf(LATEST), 1), ...sample(casesOf(clocksInZones), 20)]
/** What a message names. */
const named = ({ asOfMs, cutsMs }: (typeof CASES)[number]): string => `as of ${asOfMs}, cuts ${cutsMs.join()}`

describe('day slices', () => {
  test('begin on 1990-01-01, and ascend to dataAsOf without a gap', () => {
    for (const one of CASES) {
      const { asOfMs, slices, zone } = one
      const starts = Array.from({ length: slices.length + 1 }, (_, slice) => slices.startMs(slice))
      expect([starts[0], starts.at(-1)], named(one)).toEqual([EARLIEST_DATE_MS, asOfMs])
      const slicesThat = (isSo: (fromMs: number, toMs: number) => boolean) =>
        starts.slice(0, -1).filter((ms, i) => isSo(ms, starts[i + 1]!))
      expect(slicesThat((fromMs, toMs) => toMs <= fromMs)).toEqual([])
      // The day of each is asked for once: of the last of its milliseconds.
      let endMs = EARLIEST_DATE_MS
      const overMidnight = slicesThat((fromMs, toMs) => {
        if (fromMs >= endMs) endMs = zone.after('day', fromMs)
        return toMs > endMs
      })
      expect(overMidnight, named(one)).toEqual([])
    }
  })

  test('are found by any instant in them; dataAsOf and what comes after it is behind the last one', () => {
    for (const one of CASES) {
      const { asOfMs, slices, instants } = one
      const isFound = (ms: number) => {
        const slice = slices.at(ms)
        const [fromMs, toMs] = [slices.startMs(slice), slices.startMs(slice + 1)]
        return fromMs <= ms && ms < toMs && slices.at(fromMs) === slice && slices.at(toMs - 1) === slice
      }
      expect(
        instants.filter((ms) => !isFound(ms)),
        named(one),
      ).toEqual([])
      expect([slices.at(asOfMs), slices.at(asOfMs + 1)]).toEqual([slices.length, slices.length])
    }
  })

  test('begin wherever a window, the one before it, a bucket, a day or a cut does', () => {
    for (const one of CASES.slice(0, 9)) {
      const { asOfMs, cutsMs, slices, zone } = one
      const windows = EDGES_MS.map((edgeMs) => asOfMs - edgeMs)
      const all = ['month', 'day'] as const
      const buckets = [
        ...BOUNDED_PERIODS.flatMap((period) => bucketsOf(period, asOfMs, null, undefined, zone)),
        ...all.flatMap((interval) => bucketsOf('all', asOfMs, EARLIEST_DATE_MS, interval, zone)),
      ].flatMap(({ fromMs, toMs }) => [fromMs, toMs])
      const cuts = cutsMs.filter((ms) => ms >= EARLIEST_DATE_MS && ms < asOfMs)
      const begins = [...windows, ...buckets, ...cuts].filter((ms) => ms >= EARLIEST_DATE_MS && ms <= asOfMs)
      expect(
        begins.filter((ms) => slices.startMs(slices.at(ms)) !== ms),
        named(one),
      ).toEqual([])
    }
  })

  test('fit into 16 bits until the last clock', () => {
    for (const one of CASES) expect(one.slices.length, named(one)).toBeLessThan(2 ** 16)
    const earlyCut = [EARLIEST_DATE_MS + 1, EARLIEST_DATE_MS + DAY_MS / 2]
    expect(new DaySlices(LATEST_CLOCK_MS - 1, earlyCut).length).toBeLessThan(2 ** 16)
  })

  test('of one clock, by hand', () => {
    const asOfMs = Date.UTC(2024, 4, 17, 12, 30)
    const cut = Date.UTC(2024, 4, 10, 1)
    const slices = new DaySlices(asOfMs, [cut])
    const at = (iso: string) => slices.at(Date.parse(iso))
    expect(at('1990-01-01T00:00:00Z')).toBe(0)
    expect(at('1990-01-02T00:00:00Z')).toBe(1)
    // Five days of the windows of a year ago are in two pieces; then 180 days before, 2023-11-19T12:30.
    expect([at('2023-11-18T23:59:59.999Z'), at('2023-11-19T00:00:00Z')]).toEqual([12_379, 12_380])
    expect([at('2023-11-19T12:29:59.999Z'), at('2023-11-19T12:30:00Z')]).toEqual([12_380, 12_381])
    // The window of 7 days begins on the day of the cut: three pieces.
    expect(at('2024-05-11T00:00:00Z') - at('2024-05-10T00:00:00Z')).toBe(3)
    // From 12:30 on the day before: a slice for each full hour, and one for each half.
    expect(slices.length - at('2024-05-16T12:30:00Z')).toBe(25)
  })
})
