// What a session says to its server of how long to wait, and that the server does. test/end-to-end/stopped-builder.test.ts stops
// the program itself.
import { beforeAll, describe, expect, it } from 'vitest'
import type pg from 'pg'
import { setTimeout as sleep } from 'node:timers/promises'
import { makeRole } from '../../../src/builder/setup/role.ts'
import { queryOne } from '../../../src/source/database/attempt.ts'
import { connect } from '../../../src/source/database/connect.ts'
import { waitsForReader } from '../../../src/source/database/guest.ts'
import { parseDatabaseUrl } from '../../../src/source/database/parse-target.ts'
import { explain } from '../../../src/source/database/source-error.ts'
import { beginRead } from '../../../src/source/database/transaction.ts'
import { columnTypesOf } from '../../../src/source/read/column-types.ts'
import { copiedRows } from '../../../src/source/read/copy-out.ts'
import { describeWithPostgres } from '../../support/postgres.ts'

const OPTIONS = { statementTimeoutMs: 60_000, lockTimeoutMs: 5000, rowSecurity: 'off' } as const
const WAITS = `SELECT current_setting('idle_in_transaction_session_timeout') AS idle, current_setting('tcp_user_timeout') AS unread`

describeWithPostgres('a session', (postgres) => {
  let url = ''
  beforeAll(async () => {
    url = await postgres().createDatabase('guests')
  })
  const onSocket = (): string => `postgresql://postgres@/guests?host=${postgres().socketDir}&port=${postgres().port}`

  async function session<T>(leftMs: () => number, work: (client: pg.Client) => Promise<T>, to = url): Promise<T> {
    const connection = await connect(parseDatabaseUrl(to), new AbortController().signal, leftMs)
    try {
      return await work(connection.client)
    } finally {
      await connection.close()
    }
  }
  const pidOf = async (client: pg.Client): Promise<number> =>
    (await client.query<{ pid: number }>('SELECT pg_backend_pid() AS pid')).rows[0]!.pid
  const isThere = async (pid: number): Promise<boolean> =>
    (await other(`SELECT FROM pg_stat_activity WHERE pid = ${pid}`)).rowCount === 1

  it('says before each query what is left, whichever way it is sent, and nothing after its transaction', async () => {
    let left = 100_000
    const seen = await session(
      () => left,
      async (client) => {
        const before = await client.query(WAITS)
        await beginRead(client, OPTIONS)
        left = 50_000
        const simple = await client.query(WAITS)
        left = 40_001
        const extended = await queryOne(client, WAITS)
        left = 30_000
        const bound = await client.query(`${WAITS} WHERE $1`, [true])
        left = -5
        const late = await client.query(WAITS)
        await client.query('ROLLBACK')
        const after = await client.query(WAITS)
        return [before.rows, simple.rows, extended, bound.rows, late.rows, after.rows].map(([row]) => row)
      },
    )
    expect(seen).toEqual([
      { idle: '0', unread: '0' },
      { idle: '51s', unread: '51000' },
      { idle: '42s', unread: '0' },
      { idle: '31s', unread: '0' },
      { idle: '1s', unread: '1000' },
      { idle: '0', unread: '0' },
    ])
  })

  it('says it with BEGIN, and again when the rows of a COPY have come', async () => {
    let left = 90_000
    await session(
      () => left,
      async (client) => {
        const pid = await pidOf(client)
        await client.query('BEGIN; SELECT 1')
        const asked = async () => (await other(`SELECT query FROM pg_stat_activity WHERE pid = ${pid}`)).rows[0]
        expect(await asked()).toEqual({
          query: "BEGIN; SELECT 1; SET LOCAL idle_in_transaction_session_timeout = '91s'",
        })
        for await (const rows of copiedRows(client, { sql: 'SELECT 1::int4', fields: 1 })) {
          expect(rows.count).toBe(1)
          left = 20_000
        }
        expect(await asked()).toEqual({
          query: expect.stringMatching(
            /^SELECT .*'idle_in_transaction_session_timeout', '21s', true.*'tcp_user_timeout', '0'/,
          ),
        })
      },
    )
  })
  const other = (text: string) =>
    session(
      () => 60_000,
      (client) => client.query(text),
    )

  it('goes on after an error and a savepoint', async () => {
    await session(
      () => 60_000,
      async (client) => {
        await client.query('BEGIN')
        await client.query('SAVEPOINT one')
        await expect(client.query('SELECT 1/0')).rejects.toThrow('division by zero')
        await client.query('ROLLBACK TO SAVEPOINT one')
        expect((await client.query('SELECT 7 AS n')).rows).toEqual([{ n: 7 }])
        await expect(columnTypesOf(client, 'SELECT 1; ROLLBACK')).rejects.toThrow('syntax error')
        await client.query('ROLLBACK')
      },
    )
  })

  it('is ended in the script that makes a role, too', async () => {
    await session(
      () => 0,
      async (client) => {
        const script = 'BEGIN;\nSELECT 1;\nCOMMIT;\n'
        // In its transaction, before the last word.
        const query = client.query.bind(client) as (text: string) => Promise<unknown>
        client.query = ((text: string) => {
          if (text.endsWith('COMMIT')) Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 1200)
          return query(text)
        }) as typeof client.query
        const making = makeRole(client, 'mark', script, 'abandoned', { requires: [], searchPath: null })
        await expect(making).rejects.toThrow()
      },
    )
    expect(await postgres().psql(`SELECT count(*) FROM pg_roles WHERE rolname = 'abandoned'`)).toBe('0')
  })

  // Side by side: each waits for its server.
  describe.concurrent('that does nothing more', () => {
    it('in a transaction is ended when its time is over, and what follows says why', async () => {
      await session(
        () => 0,
        async (client) => {
          await beginRead(client, OPTIONS)
          const pid = await pidOf(client)
          await expect.poll(() => isThere(pid), { timeout: 6000 }).toBe(false)
          const failed = await client.query('SELECT 1').catch((error: unknown) => explain(error))
          expect(failed).toMatchObject({ retryable: true })
        },
      )
      expect(explain(Object.assign(new Error('terminating connection'), { code: '25P03' }))).toMatchObject({
        message: expect.stringContaining('was its machine or its container suspended?'),
        retryable: true,
      })
    })

    const MANY = { sql: `SELECT repeat('x', 10000) FROM generate_series(1, 20000)`, fields: 1 }
    /** @param untilMs when it is looked for the last time */
    const unread = (leftMs: number, to: string, untilMs: number): Promise<readonly [boolean, boolean, number]> =>
      session(
        () => leftMs,
        async (client) => {
          await beginRead(client, OPTIONS)
          const pid = await pidOf(client)
          for await (const rows of copiedRows(client, MANY)) if (rows.count > 0) break
          const startMs = performance.now()
          while ((await isThere(pid)) && performance.now() - startMs < untilMs) await sleep(50)
          return [waitsForReader(client), await isThere(pid), performance.now() - startMs] as const
        },
        to,
      )

    it('and whose rows nobody takes is ended over TCP when its time is over, not before', async () => {
      const [waits, isLeft, ms] = await unread(1000, url, 6000)
      expect([waits, isLeft]).toEqual([false, false])
      expect(ms).toBeGreaterThan(950)
    })

    it('and whose rows nobody takes is not over a Unix socket, which is known', async () => {
      expect((await unread(0, onSocket(), 4000)).slice(0, 2)).toEqual([true, true])
    })
  })
})
