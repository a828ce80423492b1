// A check changes nothing, whatever a mapping holds, whatever others do meanwhile; check.ts, attempt.ts.
// long test: a database for each case
import { execFileSync } from 'node:child_process'
import { join } from 'node:path'
import type { Client } from 'pg'
import { beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { checkSource } from '../../../src/source/check/check.ts'
import { connect } from '../../../src/source/database/connect.ts'
import { parseDatabaseUrl } from '../../../src/source/database/parse-target.ts'
import { describeWithPostgres, postgresAvailable } from '../../support/postgres.ts'
import { describeWithComponent, isExecutable, type RealComponent } from '../../support/real-component.ts'
import { failure } from '../read/reading.ts'
import { NATIVE, PAST, native, tableless, OPTIONS, check, errorsOf, rowsOf, usePlatform } from './checking.ts'

/** Of the server's own version: an older one rejects it. */
function dumpAvailable(): RealComponent {
  const server = postgresAvailable()
  const program = server.ok ? join(server.bin, 'pg_dump') : ''
  return isExecutable(program) ? { ok: true, bin: program } : { ok: false, how: 'no pg_dump next to the server' }
}

describeWithPostgres('a check that is left alone', (postgres) => {
  let url: string
  let admin: Client
  const { as, sql } = usePlatform(postgres, (platform) => ({ url, admin } = platform))

  describeWithComponent('of a mapping that must not be trusted', dumpAvailable(), (program) => {
    let before: string
    /** Everything that a dump of the database holds; pg_dump guards its text with a word of chance. */
    const dump = (): string =>
      execFileSync(program, ['-d', url], { encoding: 'utf8' }).replaceAll(/^\\(un)?restrict .*$/gm, '')
    beforeAll(async () => {
      await admin.query(`
        CREATE SEQUENCE tickets;
        CREATE FUNCTION meddle() RETURNS int LANGUAGE plpgsql AS $$ BEGIN DELETE FROM votes; RETURN 1; END $$`)
      before = dump()
    })

    const slow = 'a query ran longer than two thirds of --deadline; raise it, or see which index the mapping would need'
    const oneSelect = 'fix the mapping: each section is one'
    test.each<[string, string, string]>([
      ['a second statement', `SELECT 1 AS id, now() AS created_at; DROP TABLE votes`, oneSelect],
      ['an end of the transaction', `SELECT 1 AS id, now() AS at) AS s; COMMIT; DELETE FROM votes; --`, oneSelect],
      ['a deletion', `DELETE FROM votes RETURNING 1 AS id, now() AS created_at`, oneSelect],
      ['a new table', `SELECT 1 AS id, now() AS created_at INTO TABLE loot`, oneSelect],
      ['a COPY to a program', `COPY votes TO PROGRAM 'cat'`, oneSelect],
      ['a DO', `DO $$ BEGIN DELETE FROM votes; END $$`, oneSelect],
      ['a function that writes', `SELECT meddle() AS id, ${PAST} AS created_at`, 'a mapping may only read'],
      ['a sequence that moves', `SELECT nextval('tickets') AS id, ${PAST} AS created_at`, 'a mapping may only read'],
      ['a lock of rows', `SELECT id, created_at FROM users FOR UPDATE`, 'a mapping may only read'],
      [
        'an end of reading only',
        `SELECT 1 AS id, set_config('transaction_read_only', 'off', true)::timestamptz AS created_at`,
        'cannot set transaction read-write mode inside a read-only transaction',
      ],
      ['a sleep', `SELECT 1 AS id, ${PAST} AS created_at FROM pg_sleep(60)`, slow],
      ['no end', `SELECT n AS id, ${PAST} AS created_at FROM generate_series(1, 9000000000000) n`, slow],
      ['an open comment', `SELECT 1 AS id, now() AS created_at /* and`, oneSelect],
      ['an open string', `SELECT 1 AS id, now() AS created_at WHERE '`, oneSelect],
      ['an open parenthesis', `SELECT 1 AS id, (now() AS created_at`, oneSelect],
    ])('%s is rejected, and nothing is written', async (_, users, problem) => {
      const startMs = performance.now()
      const report = await check(url, native({ users }), { statementTimeoutMs: 300 })
      expect(performance.now() - startMs).toBeLessThan(5000)
      const errors = errorsOf(report)
      expect(errors).toEqual([expect.stringMatching(/^section users(?:, in "[^)]*")?: /)])
      expect(errors[0]).toContain(problem)
      expect(errors[0]).not.toContain('\n')
      expect(report.totals).toBeNull()
      expect(rowsOf(report)).toMatchObject({ users: null, ideas: 5, votes: 10, comments: 4 })
      expect(dump()).toBe(before)
    })

    test.each([
      ['dollar quotes', `SELECT length($$it's; -- DROP$$ || $a$ /* $a$) AS id, ${PAST} AS created_at`],
      ['a line comment at the end', `SELECT 1 AS id, ${PAST} AS created_at -- that is all; DROP`],
      ['a block comment at the end', `SELECT 1 AS id, ${PAST} AS created_at /* ; /* nested */ */`],
      ['a semicolon and a comment at the end', `SELECT 1 AS id, ${PAST} AS created_at; -- that is all`],
      ['strings that look like more', `SELECT length('; DROP TABLE votes; --') AS id, ${PAST} AS created_at`],
      ['backslashes', `SELECT length(E'\\'; -- ') AS id, ${PAST} AS created_at`],
      ['WITH', `WITH one AS (SELECT 1 AS id) SELECT id, ${PAST} AS created_at FROM one`],
      ['VALUES', `SELECT * FROM (VALUES (1, ${PAST})) AS v (id, created_at)`],
    ])('%s is taken', async (_, users) => {
      const report = await check(url, native({ users }))
      expect(errorsOf(report)).toEqual([])
      expect(report.totals).toMatchObject({ users: 1, ideas: 4 })
      expect(dump()).toBe(before)
    })

    test('a large object that a section makes is not kept', async () => {
      onTestFinished(async () => void (await sql('SELECT lo_unlink(oid) FROM pg_largeobject_metadata')))
      await check(url, native({ users: `SELECT lo_from_bytea(0, 'loot')::int8 AS id, ${PAST} AS created_at` }))
      expect(dump()).toBe(before)
    })

    test('one that ends its own session ends the check', async () => {
      const users = `SELECT pg_terminate_backend(pg_backend_pid())::int AS id, ${PAST} AS created_at`
      const { name, message } = await failure(check(url, native({ users })))
      expect([name, message]).toEqual(['SourceError', expect.stringMatching(/^mapping mine: /)])
    })
  })

  describe('meanwhile', () => {
    const SLEEPS = `SELECT 1 AS id, ${PAST} AS created_at FROM pg_sleep(1.5) UNION ALL SELECT id, created_at FROM users WHERE false`
    const asleep = async (): Promise<number> => {
      const { rows } = await admin.query<{ pid: number }>(
        `SELECT pid FROM pg_stat_activity WHERE application_name = 'analytics-build' AND wait_event = 'PgSleep'`,
      )
      return rows[0]?.pid ?? 0
    }
    const untilAsleep = async (): Promise<number> => {
      await expect.poll(asleep, { timeout: 10_000, interval: 20 }).toBeGreaterThan(0)
      return asleep()
    }

    test('others write at once, and the check sees one snapshot', async () => {
      const work = check(url, native({ users: SLEEPS }))
      const pid = await untilAsleep()
      await admin.query(`SET lock_timeout = '500ms'`)
      onTestFinished(async () => void (await admin.query(`RESET lock_timeout; DELETE FROM votes WHERE user_id = 77`)))
      await admin.query(`INSERT INTO votes VALUES (1, 77, 1, ${PAST})`)
      await admin.query(`UPDATE ideas SET title = title; UPDATE users SET created_at = created_at`)
      const { rows } = await admin.query<{ mode: string }>(
        `SELECT DISTINCT mode FROM pg_locks WHERE pid = $1 AND locktype = 'relation'`,
        [pid],
      )
      expect(await asleep()).toBe(pid)
      expect(rows).toEqual([{ mode: 'AccessShareLock' }])
      const report = await work
      expect(rowsOf(report)['votes']).toBe(10)
      expect(report.totals).toMatchObject({ votes: 6 })
    })

    test('its transaction gets no number: nothing is written', async () => {
      const next = async (): Promise<string> => sql('SELECT txid_snapshot_xmax(txid_current_snapshot())', 'postgres')
      // Whatever an earlier test left running would take numbers, too.
      const before = await next()
      for (const source of [NATIVE, native({ users: 'DELETE FROM votes', ideas: 'SELECT' }), tableless()])
        await check(as('reader'), source)
      expect(await next()).toBe(before)
    })

    test('a table is being changed: that is a finding, and the rest goes on', async () => {
      await admin.query('BEGIN; ALTER TABLE votes ADD COLUMN weight int')
      onTestFinished(async () => void (await admin.query('ROLLBACK')))
      const report = await check(url, native(), { lockTimeoutMs: 200 })
      expect(errorsOf(report)).toEqual([
        expect.stringMatching(/^section votes: .*longer than a build waits: another session changes a table/),
      ])
      expect(rowsOf(report)).toMatchObject({ users: 4, ideas: 5, votes: null, comments: 4 })
    })

    test('the session is terminated: the check ends with that, and may be retried', async () => {
      const work = failure(check(url, native({ users: SLEEPS })))
      await admin.query('SELECT pg_terminate_backend($1)', [await untilAsleep()])
      const { name, retryable, message } = await work
      expect([name, retryable, message]).toEqual(['SourceError', true, expect.stringMatching(/^mapping mine: /)])
    })

    test('the session is given back unchanged', async () => {
      const connection = await connect(parseDatabaseUrl(url), new AbortController().signal, () => 60_000)
      onTestFinished(() => connection.close())
      const settings = async (): Promise<unknown> =>
        (
          await connection.client.query(
            `SELECT current_setting('timezone') AS zone, current_setting('statement_timeout') AS statement,
                    current_setting('row_security') AS rows, current_setting('transaction_read_only') AS reads`,
          )
        ).rows
      const before = await settings()
      await checkSource(connection.client, { source: native(), values: [], ...OPTIONS })
      expect(await settings()).toEqual(before)
    })
  })
})
