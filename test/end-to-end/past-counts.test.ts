// The rows by month that a build counts for the gate are those of plain SQL, at both cuts, whatever dates the rows have.
import { Client } from 'pg'
import { beforeAll, expect, it } from 'vitest'
import type { MonthlyRows, RowsByMonth } from '../../src/model/rows-by-month.ts'
import { categorySums } from '../../src/analytics/categories.ts'
import { ideaSample } from '../../src/analytics/idea-sample.ts'
import { countedPastOf } from '../../src/builder/documents/write-documents.ts'
import { beginConsistentRead } from '../../src/source/read/consistent-read.ts'
import { loadMapping } from '../../src/source/mapping/mapping.ts'
import { createSmallPlatform } from '../builder/small-platform.ts'
import { describeWithPostgres } from '../support/postgres.ts'

const AS_OF = '2024-04-01T00:45:00.000Z'
const HOUR_MS = 3_600_000
const READ = { statementTimeoutMs: 10_000, lockTimeoutMs: 1_000, rowSecurity: 'off' as const }

/** Ideas that count, and what belongs to them. */
const ROWS: Readonly<Record<string, string>> = {
  users: 'SELECT created_at AS at FROM users',
  ideas: 'SELECT created_at AS at FROM ideas WHERE created_at < :as_of',
  votes:
    'SELECT v.created_at AS at FROM votes v JOIN ideas i ON i.id = idea_id AND i.created_at < :as_of WHERE value > 0',
  comments: 'SELECT c.created_at AS at FROM comments c JOIN ideas i ON i.id = idea_id AND i.created_at < :as_of',
  launchedIdeas: `SELECT CASE WHEN launched_at < :as_of THEN launched_at END AS at FROM ideas
                  WHERE launched AND created_at < :as_of`,
}

/** Undated, before 1990, at the edges of months and cuts, in the future. */
const ODD = `
  INSERT INTO users VALUES (9001, '1970-01-01'), (9002, '0001-01-01'), (9003, '2999-01-01'), (9004, 'infinity'), (9005, '-infinity');
  INSERT INTO ideas (id, title, created_at, launched, launched_at) VALUES
    (901, 'old', '1970-01-01', true, '1980-01-01'), (902, 'future', '2024-04-02', true, NULL),
    (903, 'launched in the future', '2024-01-01', true, '2024-05-01'), (904, 'launched before', '2024-03-01', true, '2023-01-01');
  INSERT INTO votes SELECT 1, i, 1, at FROM generate_series(1, 3) i, unnest(ARRAY['1989-12-31 23:59:59.999+00',
    '1990-01-01 00:00+00', '2024-03-31 23:44:59.999+00', '2024-03-31 23:45+00', '2024-02-29 23:59:59.999+00', '2024-03-01 00:00+00',
    '2024-02-10 06:59:59.999+00', '2024-02-10 07:00+00', '2024-04-01 00:00+00', '2024-04-01 00:45+00', '2030-01-01 00:00+00',
    'infinity', '-infinity', NULL]::timestamptz[]) at;
  INSERT INTO votes VALUES (902, 1, 1, '2024-01-01'), (1, 1, 0, '2024-01-01'), (999999, 1, 1, '2024-01-01');
  INSERT INTO comments VALUES (99001, 1, NULL, '1970-01-01'), (99002, 902, 1, '2024-01-01'), (99003, 999999, 1, '2024-01-01');
`

describeWithPostgres('the rows by month', (postgres) => {
  let url: string
  beforeAll(async () => {
    url = await createSmallPlatform(postgres(), 'past', AS_OF)
    await postgres().psql(ODD, 'past')
  })

  async function bySql(client: Client, relation: string, beforeMs: number): Promise<MonthlyRows> {
    const rows = (ROWS[relation] ?? '').replaceAll(':as_of', `timestamptz '${AS_OF}'`)
    const before = `timestamptz '${new Date(beforeMs).toISOString()}'`
    if (relation === 'activeUsers') return { undated: 0, months: await activeBySql(client, before) }
    const { rows: found } = await client.query<{ month: string | null; rows: number }>(
      `SELECT CASE WHEN at >= '1990-01-01 00:00+00' THEN to_char(at AT TIME ZONE 'UTC', 'YYYY-MM') END AS month,
              count(*)::int AS rows
         FROM (${rows}) r WHERE at IS NULL OR at < least(${before}, timestamptz '${AS_OF}') GROUP BY 1`,
    )
    const dated = found.filter(({ month }) => month !== null).map((one) => [one.month, one.rows])
    return {
      undated: found.find(({ month }) => month === null)?.rows ?? 0,
      months: Object.fromEntries(dated) as MonthlyRows['months'],
    }
  }

  /** People who did something that counts, in the months of what they did. */
  async function activeBySql(client: Client, before: string): Promise<MonthlyRows['months']> {
    const of = (relation: string, person: string): string =>
      (ROWS[relation] ?? '')
        .replace('AS at', `AS at, ${person} AS person`)
        .replaceAll(':as_of', `timestamptz '${AS_OF}'`)
    const all = [of('ideas', 'author_id'), of('votes', 'v.user_id'), of('comments', 'c.user_id')]
    const { rows } = await client.query<{ month: string; people: number }>(
      `SELECT to_char(at AT TIME ZONE 'UTC', 'YYYY-MM') AS month, count(DISTINCT person)::int AS people
         FROM (${all.join(' UNION ALL ')}) r
        WHERE at >= '1990-01-01 00:00+00' AND at < least(date_trunc('day', ${before} AT TIME ZONE 'UTC') AT TIME ZONE 'UTC', timestamptz '${AS_OF}') GROUP BY 1 HAVING count(person) > 0`,
    )
    return Object.fromEntries(rows.map(({ month, people }) => [month, people]))
  }

  const EARLIER = [
    '2024-03-31T22:45:00.000Z',
    '2024-02-10T07:00:00.000Z',
    '2024-03-01T00:00:00.000Z',
    // Long ago; and of a clock that was ahead.
    '2023-11-05T03:04:05.678Z',
    '2024-04-03T00:00:00.000Z',
  ]
  it.each(EARLIER)('are those of plain SQL: earlier cut %s', async (cut) => {
    const earlierCutMs = Date.parse(cut)
    const client = new Client(url)
    await client.connect()
    try {
      const source = await beginConsistentRead(client, loadMapping('native', {}), {
        ...READ,
        asOfMs: Date.parse(AS_OF),
        earlierCutMs,
      })
      const ownMs = Date.parse(AS_OF) - HOUR_MS
      expect(source.cutsMs).toEqual([ownMs, earlierCutMs])
      const { events, peopleMonths } = await source.counted()
      const categories = categorySums([], events)
      for await (const batch of source.facts()) for (const idea of batch) categories.add(idea)
      const samples = source.cutsMs.map((cutMs, i) => ideaSample(cutMs, i))
      const { own, earlier } = countedPastOf(samples, categories, peopleMonths, source.zone)
      await source.end()
      if (earlier === null) throw new Error('no earlier cut')
      const counted: [RowsByMonth, number][] = [
        [own, ownMs],
        // What is dated at or after dataAsOf does not count yet.
        [earlier, earlierCutMs],
      ]
      expect(Object.keys(own.relations['activeUsers']?.months ?? {}).length).toBeGreaterThan(4)
      for (const [{ relations }, beforeMs] of counted)
        for (const [relation, rows] of Object.entries(relations))
          expect({ relation, rows }).toEqual({ relation, rows: await bySql(client, relation, beforeMs) })
      expect(counted[0]?.[0].relations.votes?.undated).toBeGreaterThan(9)
    } finally {
      await client.end()
    }
  })
})
