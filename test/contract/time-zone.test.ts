// Where hours, days and months begin: by hand, and against PostgreSQL's AT TIME ZONE. real test: it asks a server.
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { ianaName, TimeZone, UTC, type CalendarUnit } from '../../src/contract/time-zone.ts'
import { describeWithPostgres } from '../support/postgres.ts'

const DAY_MS = 86_400_000
const at = (name: string) => new TimeZone(name)
/** `2026-10-25T02:00:00.000+01:00`: what clocks show, and how far they are ahead of UTC. */
const written = (zone: TimeZone, ms: number): string => {
  const ahead = zone.clockAt(ms) - ms
  const [sign, offset] = [ahead < 0 ? '-' : '+', new Date(Math.abs(ahead)).toISOString().slice(11, 16)]
  return new Date(ms + ahead).toISOString().replace('Z', zone.name === 'UTC' ? 'Z' : sign + offset)
}
/** The first beginnings of the units from one on. */
const units = (name: string, unit: CalendarUnit, from: string, count: number): string[] => {
  const zone = at(name)
  const starts = [zone.startOf(unit, Date.parse(from))]
  while (starts.length < count) starts.push(zone.after(unit, starts.at(-1) ?? Number.NaN))
  return starts.map((ms) => written(zone, ms).replace(':00.000', ''))
}

describe('a unit begins at the first instant from which on clocks show nothing earlier', () => {
  // Days, missing and double midnights and a day that was skipped are compared with PostgreSQL's below.
  test.each<[zone: string, CalendarUnit, from: string, labels: string]>([
    ['UTC', 'day', '2026-03-28T22:00Z', '2026-03-28T00:00Z 2026-03-29T00:00Z'],
    // An hour that is missing, and one that comes twice.
    ['Europe/Madrid', 'hour', '2026-03-29T00:30Z', '2026-03-29T01:00+01:00 2026-03-29T03:00+02:00'],
    ['Europe/Madrid', 'hour', '2026-10-25T00:30Z', '2026-10-25T02:00+02:00 2026-10-25T02:00+01:00'],
    // Three quarters of an hour.
    ['Asia/Kathmandu', 'hour', '2026-01-01T00:00Z', '2026-01-01T05:00+05:45 2026-01-01T06:00+05:45'],
    // Clocks that go back by half an hour.
    ['Australia/Lord_Howe', 'hour', '2026-04-04T14:00Z', '2026-04-05T01:00+11:00 2026-04-05T01:30+10:30'],
    ['Australia/Lord_Howe', 'hour', '2026-04-04T15:00Z', '2026-04-05T01:30+10:30 2026-04-05T02:00+10:30'],
    // Clocks that go back over midnight, from 00:01 to 23:01 of the last day of October.
    ['America/St_Johns', 'month', '2009-10-02T00:00Z', '2009-10-01T00:00-02:30 2009-11-01T00:00-03:30'],
    ['America/St_Johns', 'month', '2009-11-02T00:00Z', '2009-11-01T00:00-03:30 2009-12-01T00:00-03:30'],
    ['Asia/Tokyo', 'year', '2024-12-31T14:59Z', '2024-01-01T00:00+09:00 2025-01-01T00:00+09:00'],
    ['Asia/Tokyo', 'year', '2025-12-31T15:00Z', '2026-01-01T00:00+09:00 2027-01-01T00:00+09:00'],
  ])('of %s, the %s of %s', (zone, unit, from, labels) => {
    expect(units(zone, unit, from, 2)).toEqual(labels.split(' '))
  })

  test('an instant in the minute before clocks go back over midnight is of the day before', () => {
    const zone = at('America/St_Johns')
    const minute = Date.parse('2009-11-01T02:30:30Z')
    expect([written(zone, minute), written(zone, zone.startOf('day', minute))]).toEqual([
      '2009-11-01T00:00:30.000-02:30',
      '2009-10-31T00:00:00.000-02:30',
    ])
  })

  test('in UTC also of years before 100', () => {
    const start = UTC.startOf('year', Date.parse('0099-07-01T00:00:00Z'))
    expect([start, UTC.after('year', start)].map((ms) => written(UTC, ms))).toEqual([
      '0099-01-01T00:00:00.000Z',
      '0100-01-01T00:00:00.000Z',
    ])
  })
})

describe('a label', () => {
  test.each<[zone: string, CalendarUnit, start: string, label: string]>([
    ['Europe/Berlin', 'hour', '2026-10-25T00:00:00.000Z', '2026-10-25T00:00:00.000Z'],
    ['Europe/Berlin', 'day', '2026-10-24T22:00:00.000Z', '2026-10-25'],
    ['Europe/Berlin', 'month', '2026-04-30T22:00:00.000Z', '2026-05-01'],
    ['America/New_York', 'year', '2026-01-01T05:00:00.000Z', '2026-01-01'],
    ['Asia/Tokyo', 'month', '2026-04-30T15:00:00.000Z', '2026-05-01'],
    // Its midnight is missing; and clocks that go back over midnight.
    ['America/Havana', 'day', '2026-03-08T05:00:00.000Z', '2026-03-08'],
    ['America/St_Johns', 'month', '2009-11-01T03:30:00.000Z', '2009-11-01'],
    ['UTC', 'day', '2026-05-01T00:00:00.000Z', '2026-05-01'],
  ])('in %s, of the %s that begins at %s, is %s, and leads back to it', (name, unit, start, label) => {
    const zone = at(name)
    expect(zone.startOf(unit, Date.parse(start))).toBe(Date.parse(start))
    expect(zone.label(unit, Date.parse(start))).toBe(label)
    expect(new Date(zone.startOfLabel(label)).toISOString()).toBe(start)
  })

  test.each(['soon', '', '2026-13-01'])('is not %j', (text) => {
    expect([UTC, at('Asia/Tokyo')].map((zone) => zone.startOfLabel(text))).toEqual([Number.NaN, Number.NaN])
  })
})

test.each([
  ['Europe/Madrid', 'Europe/Madrid'],
  ['europe/MADRID', 'Europe/Madrid'],
  ['Asia/Kolkata', 'Asia/Kolkata'],
  ['Etc/UTC', 'UTC'],
  ['utc', 'UTC'],
  ['Europe/Sevilla', null],
  ['+01:00', null],
  ['UTC+1', null],
  ['<+0545>-05:45', null],
  ['', null],
])('the name %j is %j on the list', (given, name) => {
  expect(ianaName(given)).toBe(name)
})

/** Of every kind: both halves, small offsets, a negative summer, two hours of it, rules that changed often, days skipped. */
const ZONES =
  'Europe/Madrid Europe/London Europe/Dublin Atlantic/Azores Antarctica/Troll Africa/Cairo Africa/Casablanca ' +
  'America/New_York America/Sao_Paulo America/St_Johns America/Havana America/Caracas Asia/Kathmandu Asia/Kolkata ' +
  'Asia/Pyongyang Asia/Tehran Asia/Amman Australia/Lord_Howe Pacific/Apia Pacific/Chatham Pacific/Kiritimati Pacific/Marquesas'

describeWithPostgres('PostgreSQL', (postgres) => {
  let client: pg.Client
  beforeAll(async () => {
    client = new pg.Client({ connectionString: await postgres().createDatabase('zones') })
    await client.connect()
  })
  afterAll(() => client?.end())

  /** What PostgreSQL's clocks show in a zone, as ISO 8601 without an offset. */
  const clocks = async (name: string, instants: readonly number[]): Promise<string[]> => {
    const sql = `SELECT to_char(to_timestamp(ms / 1000.0) AT TIME ZONE $1, 'YYYY-MM-DD"T"HH24:MI:SS.MS') AS shown
                   FROM unnest($2::float8[]) WITH ORDINALITY AS at (ms, n) ORDER BY n`
    const { rows } = await client.query<{ shown: string }>(sql, [name, instants])
    return rows.map(({ shown }) => shown)
  }

  test.each(ZONES.split(' '))('shows in %s the same clock, and another day before each day begins', async (name) => {
    const zone = at(name)
    const starts: number[] = []
    for (let ms = Date.UTC(1990, 0, 2); ms < Date.UTC(2025, 0, 1); ms = zone.after('day', ms)) starts.push(ms)
    const days = starts.slice(1)
    // All days about a change of the clocks, and each fifth: a change that only one side knows shows on all days after it.
    const isOdd = starts.map((ms, i) => i > 0 && ms - starts[i - 1]! !== DAY_MS)
    const asked = days.filter((_, i) => i % 5 === 0 || isOdd.slice(i, i + 4).includes(true))
    const instants = asked.flatMap((ms, i) => [ms - 1, ms, ms + ((i * 7_919_317) % DAY_MS)])
    const shown = await clocks(name, instants)
    const wrong = instants.filter((ms, i) => written(zone, ms).slice(0, shown[i]?.length) !== shown[i])
    expect(wrong.map((ms) => written(zone, ms))).toEqual([])
    const dayAt = (i: number): string => shown[i]?.slice(0, 10) ?? ''
    const begun = asked.filter((ms, i) => dayAt(3 * i) < dayAt(3 * i + 1) && zone.startOf('day', ms) === ms)
    expect(begun).toEqual(asked)
    // Neither a day is left out nor one made up, but the one that Samoa skipped.
    const named = new Set(days.map((ms) => zone.dayOf(ms)))
    expect(named.size).toBe(days.length)
    expect((Date.UTC(2025, 0, 1) - (days[0] ?? 0)) / DAY_MS - days.length).toBeLessThan(name === 'Pacific/Apia' ? 2 : 1)
  })
})
