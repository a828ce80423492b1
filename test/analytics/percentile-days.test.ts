// percentileDays of outcomes.ts against PostgreSQL's percentile_cont.
// real test: PostgreSQL computes the percentiles
import { array, assert, asyncProperty, constantFrom, integer, oneof } from 'fast-check'
import { Client } from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { percentileDays } from '../../src/analytics/outcomes.ts'
import { describeWithPostgres } from '../support/postgres.ts'

const DAY_MS = 86_400_000
/** A hundredth of a day, and half of one, at which the second decimal is rounded. */
const HUNDREDTH_MS = DAY_MS / 100
const ages = oneof(
  integer({ min: 0, max: 70 * 366 * DAY_MS }),
  integer({ min: 0, max: 3 * DAY_MS }),
  integer({ min: 0, max: 5000 }).map((n) => (n * HUNDREDTH_MS) / 2),
  constantFrom(0, 1, DAY_MS, 30 * DAY_MS),
)

describeWithPostgres('percentiles of days', (postgres) => {
  let client: Client
  beforeAll(async () => {
    client = new Client({ connectionString: await postgres().createDatabase() })
    await client.connect()
  })
  afterAll(() => client?.end())

  /** By intervals, which are whole microseconds: where a value lies between two milliseconds, it is a tenth of one. */
  async function fromDatabase(list: readonly number[]): Promise<unknown> {
    const percentile = (fraction: string) =>
      `round(round((extract(epoch FROM percentile_cont(${fraction}) WITHIN GROUP (ORDER BY age)) * 1000)::numeric, 1) / ${DAY_MS}, 2)::float8`
    const { rows } = await client.query<Record<string, unknown>>(
      `SELECT ${percentile('0.5')} AS median, ${percentile('0.9')} AS p90
         FROM (SELECT make_interval(secs => ms / 1000.0) AS age FROM unnest($1::float8[]) AS ms) AS launch`,
      [list],
    )
    return rows[0]
  }
  const ofProduct = (list: readonly number[]) => {
    const ascending = Float64Array.from(list).sort()
    return { median: percentileDays(ascending, 5), p90: percentileDays(ascending, 9) }
  }

  test('are those of percentile_cont, rounded half away from zero', { timeout: 120_000 }, async () => {
    await assert(
      asyncProperty(array(ages, { maxLength: 25, size: 'max' }), async (list) => {
        expect(ofProduct(list)).toEqual(await fromDatabase(list))
      }),
      { numRuns: 300, examples: [[[]], [[HUNDREDTH_MS / 2]]] },
    )
  })
})
