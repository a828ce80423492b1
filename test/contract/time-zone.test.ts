// Where hours, days and months begin: by hand, and against PostgreSQL's AT TIME ZONE. real test: it asks a server.
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { ianaName, TimeZone, UTC, type CalendarUnit } from '../../src/contract/time-zone.ts'
import { describeWithPostgres } from '../support/postgres.ts'

const DAY_MS = 86_400_000
const at = (name: string) => new TimeZone(name)
/** The beginnings of the units that touch a span, as the zone writes them. */
const units = (name: string, unit: CalendarUnit, from: string, to: string): string[] => {
  const [zone, toMs, labels] = [at(name), Date.parse(to), [] as string[]]
  for (let ms = zone.startOf(unit, Date.parse(from)); ms < toMs; ms = zone.after(unit, ms))
    labels.push(zone.timestamp(ms).replace(':00.000', ''))
  return labels
}

describe('a unit begins at the first instant from which on clocks show nothing earlier', () => {
  test.each<[string, string, CalendarUnit, string, string, string[]]>([
    ['UTC', 'UTC', 'day', '2026-03-28T22:00Z', '2026-03-30T00:00Z', ['2026-03-28T00:00Z', '2026-03-29T00:00Z']],
    [
      'days of 23 and of 25 hours',
      'Europe/Madrid',
      'day',
      '2026-03-28T23:00Z',
      '2026-03-30T22:00Z',
      ['2026-03-29T00:00+01:00', '2026-03-30T00:00+02:00'],
    ],
    [
      'an hour that is missing',
      'Europe/Madrid',
      'hour',
      '2026-03-29T00:30Z',
      '2026-03-29T02:00Z',
      ['2026-03-29T01:00+01:00', '2026-03-29T03:00+02:00'],
    ],
    [
      'an hour that comes twice',
      'Europe/Madrid',
      'hour',
      '2026-10-25T00:30Z',
      '2026-10-25T02:00Z',
      ['2026-10-25T02:00+02:00', '2026-10-25T02:00+01:00'],
    ],
    [
      'three quarters of an hour',
      'Asia/Kathmandu',
      'hour',
      '2026-01-01T00:00Z',
      '2026-01-01T01:30Z',
      ['2026-01-01T05:00+05:45', '2026-01-01T06:00+05:45', '2026-01-01T07:00+05:45'],
    ],
    [
      'clocks that go back by half an hour',
      'Australia/Lord_Howe',
      'hour',
      '2026-04-04T14:00Z',
      '2026-04-04T16:00Z',
      ['2026-04-05T01:00+11:00', '2026-04-05T01:30+10:30', '2026-04-05T02:00+10:30'],
    ],
    [
      'a midnight that is missing',
      'America/Sao_Paulo',
      'day',
      '2017-10-14T12:00Z',
      '2017-10-16T03:00Z',
      ['2017-10-14T00:00-03:00', '2017-10-15T01:00-02:00', '2017-10-16T00:00-02:00'],
    ],
    [
      'a midnight that comes twice',
      'America/Havana',
      'day',
      '2025-11-01T12:00Z',
      '2025-11-03T05:01Z',
      ['2025-11-01T00:00-04:00', '2025-11-02T00:00-04:00', '2025-11-03T00:00-05:00'],
    ],
    [
      'clocks that go back over midnight, from 00:01 to 23:01 of the last day of October',
      'America/St_Johns',
      'month',
      '2009-10-02T00:00Z',
      '2009-12-02T00:00Z',
      ['2009-10-01T00:00-02:30', '2009-11-01T00:00-03:30', '2009-12-01T00:00-03:30'],
    ],
    [
      'a day that is skipped',
      'Pacific/Apia',
      'day',
      '2011-12-29T12:00Z',
      '2012-01-01T00:00Z',
      ['2011-12-29T00:00-10:00', '2011-12-31T00:00+14:00', '2012-01-01T00:00+14:00'],
    ],
    [
      'years',
      'Asia/Tokyo',
      'year',
      '2024-12-31T14:59Z',
      '2026-01-01T00:00Z',
      ['2024-01-01T00:00+09:00', '2025-01-01T00:00+09:00', '2026-01-01T00:00+09:00'],
    ],
  ])('%s', (_, name, unit, from, to, labels) => {
    expect(units(name, unit, from, to)).toEqual(labels)
  })

  test('an instant in the minute before clocks go back over midnight is of the day before', () => {
    const zone = at('America/St_Johns')
    const minute = Date.parse('2009-11-01T02:30:30Z')
    expect([zone.timestamp(minute), zone.timestamp(zone.startOf('day', minute))]).toEqual([
      '2009-11-01T00:00:30.000-02:30',
      '2009-10-31T00:00:00.000-02:30',
    ])
  })

  test('in UTC also of years before 100', () => {
    const start = UTC.startOf('year', Date.parse('0099-07-01T00:00:00Z'))
    expect([start, UTC.after('year', start)].map((ms) => UTC.timestamp(ms))).toEqual([
      '0099-01-01T00:00:00.000Z',
      '0100-01-01T00:00:00.000Z',
    ])
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
    const instants = days.flatMap((ms, i) => [ms - 1, ms, ms + ((i * 7_919_317) % DAY_MS)])
    const shown = await clocks(name, instants)
    const wrong = instants.filter((ms, i) => zone.timestamp(ms).slice(0, shown[i]?.length) !== shown[i])
    expect(wrong.map((ms) => zone.timestamp(ms))).toEqual([])
    const dayAt = (i: number): string => shown[i]?.slice(0, 10) ?? ''
    const begun = days.filter((ms, i) => dayAt(3 * i) < dayAt(3 * i + 1) && zone.startOf('day', ms) === ms)
    expect(begun).toHaveLength(days.length)
    // Neither a day is left out nor one made up, but the one that Samoa skipped.
    const named = new Set(days.map((ms) => zone.dayOf(ms)))
    expect(named.size).toBe(days.length)
    expect((Date.UTC(2025, 0, 1) - (days[0] ?? 0)) / DAY_MS - days.length).toBeLessThan(name === 'Pacific/Apia' ? 2 : 1)
  })
})
