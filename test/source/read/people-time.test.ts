// At any time of a day, people who are to be published rounded or not at all are counted as of its first instant.
import { describe, expect, test } from 'vitest'
import type { BucketUsers, UserFacts } from '../../../src/model/facts.ts'
import { PERIODS } from '../../../src/contract/windows.ts'
import { describeWithPostgres } from '../../support/postgres.ts'
import { mappingOf, SECTIONS, useReadAll } from './reading.ts'

const DAY = '2026-05-20'
const MIDNIGHT_MS = Date.parse(`${DAY}T00:00:00.000Z`)

/** A thousand accounts and as many votes, comments and ideas, of 200 days up to a day after; some have no date. */
const ofTheTime = (every: string): string =>
  `CASE WHEN i % 17 > 0 THEN timestamptz '${DAY} 23:00:00+00' + interval '1 day' - i * interval '${every}' END`
const ROWS = mappingOf({
  users: `SELECT i AS id, ${ofTheTime('5 hours')} AS created_at FROM generate_series(1, 1000) i`,
  ideas: `SELECT i AS id, 'one' AS title, timestamptz '2025-10-01' + i * interval '5 hours' AS created_at, false AS launched,
                 NULL::timestamptz AS launched_at, NULL AS url, i % 50 AS author_id, NULL AS status FROM generate_series(1, 1000) i`,
  votes: `SELECT i AS idea_id, i % 70 AS user_id, 1 AS value, ${ofTheTime('5 hours')} AS created_at FROM generate_series(1, 1000) i`,
  comments: `SELECT i AS id, i AS idea_id, i % 30 AS user_id, ${ofTheTime('4 hours')} AS created_at FROM generate_series(1, 1000) i`,
})

const ofPeriod = (facts: UserFacts, period: (typeof PERIODS)[number]): readonly BucketUsers[] =>
  facts.buckets[PERIODS.indexOf(period)] ?? []

describeWithPostgres('numbers of people of a day', (postgres) => {
  const readAll = useReadAll()
  describe.each(['rounded', 'off'] as const)('for --people %s', (people) => {
    test('are those of its midnight, whatever the time is', async () => {
      const url = postgres().url()
      const midnight = (await readAll(url, ROWS, { asOfMs: MIDNIGHT_MS })).users
      expect(midnight.accounts.since.every((count) => count > 0)).toBe(true)
      expect(midnight.laterAccounts).toBe(0)
      for (const time of ['00:00:00.000', '00:00:00.001', '09:30:00.000', '23:59:59.999']) {
        const { users } = await readAll(url, ROWS, { asOfMs: Date.parse(`${DAY}T${time}Z`), people })
        expect(users.accounts).toEqual(midnight.accounts)
        // Without numbers of people nobody's key is asked for: nobody was active.
        const nobody = { active: 0, authors: 0, voters: 0, commenters: 0 }
        const known = (rows: readonly BucketUsers[]): readonly BucketUsers[] =>
          people === 'off' ? rows.map((row) => ({ ...row, ...nobody })) : rows
        expect(users.active).toEqual(
          people === 'off' ? { inWindow: [0, 0, 0, 0], before: [0, 0, 0, 0], all: 0 } : midnight.active,
        )
        for (const period of ['7d', '30d', '90d', 'all'] as const)
          expect(ofPeriod(users, period)).toEqual(known(ofPeriod(midnight, period)))
        expect(ofPeriod(users, '24h')).toEqual(known(ofPeriod(midnight, '7d').slice(-1)))
      }
    })

    test('leave out accounts since then, which are neither undated nor of the future', async () => {
      const url = postgres().url()
      const at = (asOfMs: number, how: 'exact' | typeof people) => readAll(url, ROWS, { asOfMs, people: how })
      const noonMs = MIDNIGHT_MS + 12 * 3_600_000
      const [exact, counted] = [await at(noonMs, 'exact'), await at(noonMs, people)]
      expect(counted.users.laterAccounts).toBeGreaterThan(0)
      expect(counted.users.accounts.total + counted.users.laterAccounts).toBe(exact.users.accounts.total)
      expect(counted.skipped).toEqual(exact.skipped)
    })
  })

  test('an account that is the only one, of today, makes no month', async () => {
    const url = postgres().url()
    const none = Object.fromEntries(
      (['ideas', 'idea_categories', 'votes', 'comments', 'categories'] as const).map((relation) => [
        relation,
        `SELECT * FROM (${SECTIONS[relation]}) AS it WHERE false`,
      ]),
    )
    const mapping = mappingOf({ ...none, users: `SELECT 1 AS id, timestamptz '${DAY} 08:00:00+00' AS created_at` })
    const { users } = await readAll(url, mapping, { asOfMs: MIDNIGHT_MS + 12 * 3_600_000, people: 'rounded' })
    expect(users).toMatchObject({ accounts: { total: 0 }, laterAccounts: 1 })
    expect(ofPeriod(users, 'all')).toEqual([])
  })
})
