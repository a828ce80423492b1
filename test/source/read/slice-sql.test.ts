// The expression of consistent-read.ts that numbers time slices in SQL, and DaySlices.at: the same number for every instant.
// real test: PostgreSQL evaluates the expression
import { array, assert, asyncProperty, constantFrom, integer, oneof, tuple } from 'fast-check'
import { Client } from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { DaySlices, LATEST_CLOCK_MS } from '../../../src/model/day-slices.ts'
import { EARLIEST_DATE_MS } from '../../../src/contract/windows.ts'
import { ideaAggregatesSql } from '../../../src/source/read/idea-aggregates-sql.ts'
import { readFacts } from '../../../src/source/read/idea-aggregates.ts'
import { SkippedRowTally } from '../../../src/source/read/skipped-rows.ts'
import { isoMicros } from '../../oracle/random-database.ts'
import { describeWithPostgres } from '../../support/postgres.ts'

const DAY_MS = 86_400_000
const FIRST_CLOCK_MS = EARLIEST_DATE_MS + 366 * DAY_MS
const clocks = oneof(
  integer({ min: FIRST_CLOCK_MS, max: LATEST_CLOCK_MS - 1 }),
  integer({ min: FIRST_CLOCK_MS / DAY_MS + 1, max: LATEST_CLOCK_MS / DAY_MS - 1 }).map((day) => day * DAY_MS),
  constantFrom('2024-02-29T12:00:00Z', '2024-03-31T01:30:00.123Z', '2024-10-27T00:59:59.999Z').map((at) =>
    Date.parse(at),
  ),
)
const ages = array(integer({ min: 0, max: 400 * DAY_MS }), { maxLength: 3 })
const micros = constantFrom(-1000, -1, 0, 0, 1, 999)
/** About an edge, about a midnight, and anywhere. */
const picks = array(tuple(constantFrom('edge', 'midnight', 'any'), integer({ min: 0 }), micros), {
  minLength: 1,
  maxLength: 60,
  size: 'max',
})
// POSIX names: no database of time zones is needed.
const zones = constantFrom('UTC', '<+0545>-05:45', 'CET-1CEST,M3.5.0,M10.5.0/3', '<-1130>+11:30')

/** Each instant is the only vote and the only comment of an idea. */
const SECTIONS = new Map([
  [
    'ideas',
    `SELECT n AS id, '' AS title, timestamptz '1990-01-01 00:00:00+00' AS created_at, false AS launched, NULL::timestamptz AS launched_at,
                    NULL::text AS url, NULL::int AS author_id, NULL::text AS status FROM instant`,
  ],
  ['idea_categories', 'SELECT NULL::bigint AS idea_id, NULL::text AS category WHERE false'],
  ['votes', 'SELECT n AS idea_id, 1 AS user_id, 1 AS value, at AS created_at FROM instant'],
  ['comments', 'SELECT 1 AS id, n AS idea_id, 1 AS user_id, at AS created_at FROM instant'],
])

describeWithPostgres('the number of a slice', (postgres) => {
  let client: Client
  beforeAll(async () => {
    client = new Client({ connectionString: await postgres().createDatabase() })
    await client.connect()
    await client.query('CREATE TABLE instant (n bigint, at timestamptz)')
  })
  afterAll(() => client?.end())

  /** What the database says of each instant, by its place in the list. */
  async function slicesOf(instants: readonly string[], slices: DaySlices, zone: string): Promise<unknown[]> {
    await client.query('TRUNCATE instant')
    await client.query(`INSERT INTO instant SELECT n, at FROM unnest($1::timestamptz[]) WITH ORDINALITY AS t (at, n)`, [
      instants,
    ])
    await client.query(`SET timezone TO '${zone}'`)
    const sql = ideaAggregatesSql({ sections: SECTIONS, keys: { idea_key: 'bigint' } }, slices)
    const totals = { earliestMs: null, earliestLaunchMs: null, eventsOfOtherIdeas: 0 }
    const found: unknown[] = []
    for await (const ideas of readFacts(client, sql, slices, new SkippedRowTally(), totals))
      for (const { id, votes, comments } of ideas) found[Number(id) - 1] = [votes.slices, comments.slices]
    return found
  }

  test('is the same in SQL, to the microsecond, in every time zone', { timeout: 120_000 }, async () => {
    await assert(
      asyncProperty(clocks, ages, picks, zones, async (asOfMs, cutAges, chosen, zone) => {
        const slices = new DaySlices(
          asOfMs,
          cutAges.map((ms) => asOfMs - ms),
        )
        const edgeOf = (n: number): number => slices.fineEdgesMs[n % slices.fineEdgesMs.length] ?? 0
        const instants = chosen
          .map(([kind, n, by]) => {
            const any = EARLIEST_DATE_MS + (n % (asOfMs - EARLIEST_DATE_MS))
            const ms = kind === 'edge' ? edgeOf(n) : kind === 'midnight' ? any - (any % DAY_MS) : any
            return { ms: ms + Math.floor(by / 1000), text: isoMicros(ms, by) }
          })
          .filter(({ ms }) => ms >= EARLIEST_DATE_MS && ms < asOfMs)
        const texts = instants.map(({ text }) => text)
        expect(await slicesOf(texts, slices, zone)).toEqual(
          instants.map(({ ms }) => [[slices.at(ms)], [slices.at(ms)]]),
        )
      }),
      { numRuns: 40 },
    )
  })

  test('is sent for no date before 1990, and for none at or after dataAsOf', async () => {
    const slices = new DaySlices(Date.UTC(2024, 4, 17))
    const texts = [
      '1989-12-31T23:59:59.999999Z',
      '1990-01-01T00:00:00Z',
      '2024-05-16T23:59:59.999999Z',
      '2024-05-17T00:00:00Z',
    ]
    const last = slices.length - 1
    expect(await slicesOf(texts, slices, 'UTC')).toEqual([
      [[], []],
      [[0], [0]],
      [[last], [last]],
      [[], []],
    ])
  })
})
