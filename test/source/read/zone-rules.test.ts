// The rules of a zone in Node.js beside those of a real server. real test: it asks one.
import { Client } from 'pg'
import { describe, expect, onTestFinished, test } from 'vitest'
import { HOUR_MS, TIME_ZONE_DATABASE, TimeZone, timeZoneOf, UTC } from '../../../src/contract/time-zone.ts'
import { DaySlices } from '../../../src/model/day-slices.ts'
import { beginConsistentRead } from '../../../src/source/read/consistent-read.ts'
import { zoneFault } from '../../../src/source/read/zone-rules.ts'
import { describeWithPostgres } from '../../support/postgres.ts'
import { as } from '../../support/session.ts'
import { mappingOf, OPTIONS } from './reading.ts'

/** Before what was corrected most lately, so that any server and any Node.js agree. */
const [FROM, TO] = [Date.UTC(1990, 0, 1), Date.UTC(2023, 11, 1, 9, 30)]
const ZONES =
  'Europe/Berlin Europe/Dublin America/New_York America/Vancouver America/Sao_Paulo America/St_Johns Asia/Tokyo ' +
  'Asia/Kathmandu Australia/Lord_Howe Africa/Casablanca Pacific/Apia Antarctica/Troll ' +
  // Names of other times, in any case, and one that PostgreSQL takes for an abbreviation without summer time elsewhere.
  'US/Pacific us/pacific Asia/Calcutta Etc/GMT+5 CET'

/** A zone as another Node.js might know it: each rule as `change` makes it. */
function otherZone(name: string, change: (rule: { fromMs: number; offsetMs: number }) => object): TimeZone {
  const rulesWithin: TimeZone['rulesWithin'] = (from, to) =>
    timeZoneOf({ timeZone: name })
      .rulesWithin(from, to)
      .map((rule) => ({ ...rule, ...change(rule) }))
  return Object.assign(new TimeZone(name), { rulesWithin })
}

function unchanging(name: string, hours: number): TimeZone {
  return Object.assign(new TimeZone(name), { rulesWithin: () => [{ fromMs: FROM, offsetMs: hours * HOUR_MS }] })
}

describeWithPostgres('the rules of a time zone', (postgres) => {
  /** In a transaction as a build's, of a role that may read nothing. @returns what is said, and the zone of the session then */
  const compared = async (zone: TimeZone, fromMs: number | null = FROM, toMs = TO) => {
    const client = new Client({ connectionString: postgres().url() })
    await client.connect()
    try {
      await client.query(`BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY; SET LOCAL timezone = 'UTC'`)
      const said = await zoneFault(client, new DaySlices(toMs, [], zone), fromMs)
      const { rows } = await client.query<{ TimeZone: string }>('SHOW timezone')
      return { said, sessionZone: rows[0]?.TimeZone }
    } finally {
      await client.end()
    }
  }

  test.each(ZONES.split(' '))('are the same in %s, since 1990', async (name) => {
    expect(await compared(new TimeZone(name))).toEqual({ said: null, sessionZone: 'UTC' })
  })

  test('are compared over one instant where there is no row, and up to the last year that there is', async () => {
    expect(await compared(new TimeZone('Europe/Madrid'), null)).toMatchObject({ said: null })
    expect(await compared(new TimeZone('Asia/Tokyo'), FROM, Date.UTC(2159, 11, 31))).toMatchObject({ said: null })
  })

  describe('differ', () => {
    const ofNode = `by those of Node.js (${TIME_ZONE_DATABASE}), by which days are counted`
    // In Berlin summer began on 26 March 2023 at 01:00Z.
    const SUMMER = Date.UTC(2023, 2, 26, 1)
    const movedBy = (ms: number) =>
      otherZone('Europe/Berlin', ({ fromMs }) => (fromMs === SUMMER ? { fromMs: fromMs + ms } : {}))
    test.each<[what: string, zone: TimeZone, at: string, ours: string, theirs: string]>([
      // 00:00 and 12:00 UTC show neither: only the change itself does.
      ['by an hour that comes sooner', movedBy(-HOUR_MS), '2023-03-26T00:00:00.000Z', '2', '1'],
      ['by minutes that come later', movedBy(HOUR_MS / 2), '2023-03-26T01:29:59.000Z', '1', '2'],
      [
        'where one has no summer at all',
        otherZone('Europe/Berlin', () => ({ offsetMs: HOUR_MS })),
        '1990-03-25T01:00:00.000Z',
        '1',
        '2',
      ],
      // Only the server has a change: it is seen at the next noon or midnight of UTC.
      ['where one knows no change', unchanging('Europe/Berlin', 1), '1990-03-25T12:00:00.000Z', '1', '2'],
      [
        'where one knows no change in the east',
        unchanging('Australia/Sydney', 11),
        '1990-03-04T00:00:00.000Z',
        '11',
        '10',
      ],
      [
        'by a quarter of an hour',
        otherZone('Asia/Kathmandu', ({ offsetMs }) => ({ offsetMs: offsetMs - HOUR_MS / 4 })),
        '1990-01-01T00:00:00.000Z',
        '5.5',
        '5.75',
      ],
      [
        'west of UTC',
        otherZone('America/St_Johns', ({ offsetMs }) => ({ offsetMs: offsetMs + HOUR_MS })),
        '1990-01-01T00:00:00.000Z',
        '-2.5',
        '-3.5',
      ],
    ])('%s', async (_, zone, at, ours, theirs) => {
      const { said, sessionZone } = await compared(zone)
      expect(said).toContain(
        `the time zone ${zone.name} is ${ours} h from UTC at ${at} ${ofNode}, but ${theirs} h by the database's: one of the two is out of date; update Node.js, or tzdata`,
      )
      expect(sessionZone).toBe('UTC')
    })

    test('but what is before the first row or after the last is not looked at', async () => {
      const later = new Date(SUMMER).setUTCDate(27)
      expect(await compared(movedBy(-HOUR_MS), later)).toMatchObject({ said: null })
      expect(await compared(movedBy(-HOUR_MS), FROM, SUMMER - 2 * HOUR_MS)).toMatchObject({ said: null })
      expect(await compared(movedBy(-HOUR_MS), FROM, SUMMER)).not.toMatchObject({ said: null })
    })
  })

  test('are not known where the server does not know the name, and the read goes on', async () => {
    const unknown = Object.assign(new TimeZone('Europe/Berlin'), { name: `America/Coyhaique'; COMMIT; --` })
    const { said, sessionZone } = await compared(unknown)
    expect(said).toContain(`invalid value for parameter "TimeZone": "America/Coyhaique'; COMMIT; --"`)
    expect(said).toContain('update its tzdata, or give --time-zone a name that both know')
    expect(sessionZone).toBe('UTC')
  })

  const begun = async (timeZone: string, role = 'postgres') => {
    const client = new Client({ connectionString: as(role, postgres().url()) })
    client.on('error', () => {})
    await client.connect()
    onTestFinished(() => client.end())
    return { client, read: await beginConsistentRead(client, mappingOf({}), { ...OPTIONS, timeZone }) }
  }

  test('are compared by a role without any right, after the counting and before the ideas are read again', async () => {
    await postgres().psql('CREATE ROLE nobody_else LOGIN')
    const { read } = await begun('Asia/Tokyo', 'nobody_else')
    expect(await read.zoneFault()).toBeNull()
    const titles: string[] = []
    for await (const ideas of read.facts()) titles.push(...ideas.map(({ title }) => title))
    expect(titles).toEqual(['Dark mode'])
    await read.end()
  })

  test('of UTC are none: the server is not asked', async () => {
    const { client, read } = await begun('UTC')
    await read.counted()
    await client.end()
    expect([read.zone, await read.zoneFault()]).toEqual([UTC, null])
  })

  test('fail no read; where the connection is lost its end does, and the build tries again', async () => {
    const { client, read } = await begun('Asia/Tokyo')
    await read.counted()
    const { rows } = await client.query<{ pid: number }>('SELECT pg_backend_pid() AS pid')
    await postgres().psql(`SELECT pg_terminate_backend(${rows[0]?.pid})`)
    expect(await read.zoneFault()).toContain('could not be compared')
    await expect(read.end()).rejects.toMatchObject({ retryable: true })
  })
})

test('the offsets of a span begin with the one that held already', () => {
  const [summer, winter] = [Date.UTC(2023, 2, 26, 1), Date.UTC(2023, 9, 29, 1)]
  const zone = timeZoneOf({ timeZone: 'Europe/Berlin' })
  expect(zone.rulesWithin(summer + 1, winter + 1)).toEqual([
    { fromMs: summer + 1, offsetMs: 2 * HOUR_MS },
    { fromMs: winter, offsetMs: HOUR_MS },
  ])
  expect(zone.rulesWithin(summer, winter)).toEqual([{ fromMs: summer, offsetMs: 2 * HOUR_MS }])
  expect(UTC.rulesWithin(0, winter)).toEqual([{ fromMs: 0, offsetMs: 0 }])
})
