// Missing privileges, a server that cannot be connected to, and sessions that end: what the error says, and whether to try again.
import type { Client } from 'pg'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Connection } from '../../../src/source/database/connect.ts'
import { SourceError } from '../../../src/source/database/source-error.ts'
import { beginConsistentRead } from '../../../src/source/read/consistent-read.ts'
import { temporaryFolder } from '../../support/temporary-folder.ts'
import { describeWithPostgres } from '../../support/postgres.ts'
import { OPTIONS, THEN, mappingOf, NATIVE, withConnection, readAll, failure, useIdeas } from './reading.ts'

describeWithPostgres('a read that is kept from the data', (postgres) => {
  let url: string
  let admin: Client
  const folder = temporaryFolder(afterAll)
  useIdeas(postgres, (...made) => ([url, admin] = made))
  const as = (role: string, password = ''): string =>
    url.replace('postgres@', `${role}${password === '' ? '' : `:${password}`}@`)

  describe('privileges', () => {
    beforeAll(async () => {
      await admin.query(`
        ALTER TABLE users ADD COLUMN email text;
        CREATE ROLE reader LOGIN; CREATE ROLE half LOGIN; CREATE ROLE owner_of_all LOGIN BYPASSRLS; CREATE ROLE nobody LOGIN;
        GRANT SELECT (id, created_at) ON users TO reader, half, owner_of_all;
        GRANT SELECT (id, title, created_at, launched, launched_at, url, author_id, status) ON ideas TO reader, half, owner_of_all;
        GRANT SELECT (idea_id, category) ON idea_categories TO reader, half, owner_of_all;
        GRANT SELECT (idea_id, user_id, value, created_at) ON votes TO reader, owner_of_all;
        GRANT SELECT (id, idea_id, user_id, created_at) ON comments TO reader, half, owner_of_all;
        GRANT SELECT (name) ON categories TO reader, half, owner_of_all;`)
    })

    test('on columns suffice', async () => {
      const { ideas, users } = await readAll(as('reader'), NATIVE)
      expect([ideas.length, users.accounts.total]).toEqual([2, 2])
    })

    test('that are missing are named', async () => {
      const error = await failure(readAll(as('half'), NATIVE))
      expect(error.message).toBe(
        'mapping native: role half may not read votes(idea_id, user_id, value, created_at); GRANT SELECT (idea_id, user_id, value, created_at) ON votes TO "half"',
      )
      expect(error.retryable).toBe(false)
    })

    test('that are missing are named by the server where the mapping does not say what it reads', async () => {
      const error = await failure(readAll(as('half'), { ...NATIVE, requires: [] }))
      expect(error.message).toBe(
        'mapping native, section votes: permission denied for table votes; run what analytics-build grants prints for the role of --database-url (SQLSTATE 42501)',
      )
      expect(error.retryable).toBe(false)
    })

    describe('on rows', () => {
      beforeAll(() =>
        admin.query(`ALTER TABLE ideas ENABLE ROW LEVEL SECURITY; CREATE POLICY one ON ideas USING (id = 1)`),
      )
      afterAll(() => admin.query(`DROP POLICY one ON ideas; ALTER TABLE ideas DISABLE ROW LEVEL SECURITY`))

      test('are an error that names the table and both ways out', async () => {
        const error = await failure(readAll(as('reader'), NATIVE))
        expect(error.message).toBe(
          'mapping native: row-level security hides rows of ideas from role reader; give the role BYPASSRLS, or pass --row-security apply to read through its policies',
        )
        expect(error.retryable).toBe(false)
      })

      test('are one, too, where only the server knows', async () => {
        const error = await failure(readAll(as('reader'), { ...NATIVE, requires: [] }))
        expect(error.message).toMatch(
          /table "ideas"; give the role BYPASSRLS, or pass --row-security apply to read through its policies/,
        )
        expect(error.retryable).toBe(false)
      })

      test('are applied when that is asked for', async () => {
        const { ideas, skipped } = await readAll(as('reader'), NATIVE, { rowSecurity: 'apply' })
        expect(ideas.map(({ id, votes }) => [id, votes.total])).toEqual([['1', 1]])
        expect(skipped).toEqual([{ relation: 'votes', reason: 'the idea is not among the ideas', rows: 2 }])
      })

      test('do not concern a role that bypasses them', async () => {
        expect((await readAll(as('owner_of_all'), NATIVE)).ideas).toHaveLength(2)
      })
    })
  })

  describe('a server that cannot be connected to', () => {
    const opened = (to: string): Promise<SourceError> => failure(withConnection(to, async () => {}))
    beforeAll(() => admin.query(`CREATE ROLE locked LOGIN PASSWORD 'right' IN ROLE password_required`))

    test.each<[what: string, to: () => string, why: RegExp, retryable?: boolean]>([
      ['a wrong password', () => as('locked', 'S3CRET'), /failed for user "locked"; check the user and the password/],
      ['no password', () => as('locked'), /the server asks for a password; put it into --database-url/],
      ['an unknown role', () => as('stranger', 'S3CRET'), /role "stranger" does not exist; check the user/],
      ['an unknown database', () => postgres().url('none'), /database "none" does not exist; check the database name/],
      ['no TLS', () => `${url}?sslmode=require`, /does not support SSL connections; add \?sslmode=disable/],
      ['nobody', () => 'postgresql://me:S3CRET@127.0.0.1:1/x', /ECONNREFUSED .*:1; nothing listens there/, true],
      ['no such socket', () => `postgresql://me:S3CRET@/x?host=${folder}`, /ENOENT .*; no such socket/],
    ])('%s', async (_, to, why, retryable = false) => {
      const error = await opened(to())
      expect(error.message).toMatch(/^cannot connect to [^ ]*: /)
      expect(error.message).toMatch(why)
      expect(error.message).not.toContain('S3CRET')
      expect(error).toMatchObject({ name: 'SourceError', retryable })
    })

    test('is connected to with the right password, and over its socket', async () => {
      const database = async ({ client }: Connection) =>
        (await client.query<{ name: string }>('SELECT current_database() AS name')).rows[0]!.name
      expect(await withConnection(as('locked', 'right'), database)).toBe('ideas')
      expect(
        await withConnection(
          `postgresql://postgres@/ideas?host=${postgres().socketDir}&port=${postgres().port}`,
          database,
        ),
      ).toBe('ideas')
    })
  })

  describe('meanwhile', () => {
    /** Ideas enough that the server waits for us in the middle of a COPY. */
    const MANY = `SELECT n AS id, repeat('x', 2000) AS title, ${THEN} AS created_at, false AS launched, NULL::timestamptz AS launched_at,
                         NULL AS url, NULL AS author_id, NULL AS status FROM generate_series(1, 20000) AS n`
    const pidOf = async ({ client }: Connection): Promise<number> =>
      (await client.query<{ pid: number }>('SELECT pg_backend_pid() AS pid')).rows[0]!.pid

    test('a query that takes too long ends the read, for good', async () => {
      const users = `SELECT 1 AS id, ${THEN} AS created_at FROM pg_sleep(20)`
      const started = Date.now()
      const error = await failure(readAll(url, mappingOf({ users }), { statementTimeoutMs: 200 }))
      expect(error.message).toMatch(
        /^mapping test, section users: canceling statement due to statement timeout; .*two thirds of --deadline/,
      )
      expect(error.retryable).toBe(false)
      expect(Date.now() - started).toBeLessThan(5000)
    })

    test('a table that is being changed is worth a retry', async () => {
      await admin.query('BEGIN; ALTER TABLE votes ADD COLUMN weight int')
      try {
        const error = await failure(readAll(url, NATIVE, { lockTimeoutMs: 200 }))
        expect(error.message).toMatch(
          /^mapping native, section votes: canceling statement due to lock timeout; .*longer than a build waits/,
        )
        expect(error.retryable).toBe(true)
      } finally {
        await admin.query('ROLLBACK')
      }
      expect((await readAll(url, NATIVE)).ideas).toHaveLength(2)
    })

    test('a session that is ended in the middle of the ideas is worth a retry', async () => {
      const error = await failure(
        withConnection(url, async (connection) => {
          const pid = await pidOf(connection)
          const source = await beginConsistentRead(connection.client, mappingOf({ ideas: MANY }), OPTIONS)
          let batches = 0
          for await (const batch of source.facts()) {
            expect(batch.length).toBeGreaterThan(0)
            if (batches++ === 0) await admin.query('SELECT pg_terminate_backend($1)', [pid])
          }
        }),
      )
      expect(error.message).toMatch(/^mapping test, section ideas: .*(?:terminating connection|Connection terminated)/)
      expect(error.retryable).toBe(true)
    })

    test('so is one that is ended between two queries', async () => {
      const error = await failure(
        withConnection(url, async (connection) => {
          const pid = await pidOf(connection)
          const source = await beginConsistentRead(connection.client, mappingOf({}), OPTIONS)
          const ended = new Promise((resolve) => connection.client.once('end', resolve))
          await admin.query('SELECT pg_terminate_backend($1)', [pid])
          await ended
          await source.counted()
        }),
      )
      expect(error.message).toMatch(/^mapping test, section ideas: /)
      expect(error.retryable).toBe(true)
    })

    test('a consumer that stops in the middle does not keep the connection', async () => {
      const started = Date.now()
      await withConnection(url, async ({ client }) => {
        const source = await beginConsistentRead(client, mappingOf({ ideas: MANY }), OPTIONS)
        for await (const batch of source.facts()) if (batch.length > 0) break
      })
      expect(Date.now() - started).toBeLessThan(5000)
    })

    test('a builder that is gone does not leave its query running', async ({ skip }) => {
      const { rows } = await admin.query<{ looks: boolean }>(
        `SELECT current_setting('server_version_num')::int >= 140000 AS looks`,
      )
      skip(rows[0]?.looks !== true, 'before PostgreSQL 14 a server does not look whether its client is there')
      const users = `SELECT 1 AS id, ${THEN} AS created_at FROM pg_sleep(60)`
      const controller = new AbortController()
      let pid = 0
      const work = withConnection(
        url,
        async (connection) => {
          pid = await pidOf(connection)
          const source = await beginConsistentRead(connection.client, mappingOf({ users }), OPTIONS)
          await source.counted()
        },
        controller.signal,
      )
      const sessions = async (query = '%'): Promise<number> =>
        (await admin.query('SELECT FROM pg_stat_activity WHERE pid = $1 AND query LIKE $2', [pid, query])).rowCount ?? 0
      await expect.poll(() => sessions('%pg_sleep%'), { timeout: 15_000 }).toBe(1)
      controller.abort(new Error('the deadline'))
      await expect(work).rejects.toThrow(SourceError)
      // It was there, and would be for a minute.
      await expect.poll(sessions, { timeout: 15_000, interval: 20 }).toBe(0)
    })

    describe('a server that stops answering is left within 3 seconds of the signal', () => {
      /** Runs while `pid` is stopped, as a machine that hangs. */
      const whileStopped = async <T>(pid: number, work: () => Promise<T>): Promise<T> => {
        process.kill(pid, 'SIGSTOP')
        try {
          return await work()
        } finally {
          process.kill(pid, 'SIGCONT')
        }
      }
      const aborting = (): { controller: AbortController; soon: () => void; sinceAbort: () => number } => {
        const controller = new AbortController()
        let abortedMs = Number.NaN
        const soon = (): void =>
          void setTimeout(() => {
            abortedMs = performance.now()
            controller.abort(new Error('the deadline'))
          }, 200)
        return { controller, soon, sinceAbort: () => performance.now() - abortedMs }
      }

      test('in the middle of a question', async () => {
        const { controller, soon, sinceAbort } = aborting()
        const work = withConnection(
          url,
          async (connection) => {
            const source = await beginConsistentRead(connection.client, mappingOf({}), OPTIONS)
            const pid = await pidOf(connection)
            soon()
            return whileStopped(pid, () => source.counted())
          },
          controller.signal,
        )
        await expect(work).rejects.toThrow(SourceError)
        expect(sinceAbort()).toBeLessThan(3000)
      })

      test('in the middle of the ideas', async () => {
        const { controller, soon, sinceAbort } = aborting()
        const work = withConnection(
          url,
          async (connection) => {
            const pid = await pidOf(connection)
            const source = await beginConsistentRead(connection.client, mappingOf({ ideas: MANY }), OPTIONS)
            const facts = source.facts()
            await facts.next()
            soon()
            await whileStopped(pid, async () => {
              for await (const batch of facts) expect(batch.length).toBeGreaterThan(0)
            })
          },
          controller.signal,
        )
        await expect(work).rejects.toThrow(SourceError)
        expect(sinceAbort()).toBeLessThan(3000)
      })

      test('while connecting', async () => {
        const { controller, soon, sinceAbort } = aborting()
        soon()
        await whileStopped(postgres().pid, async () => {
          await expect(withConnection(url, async () => {}, controller.signal)).rejects.toThrow('the deadline')
        })
        expect(sinceAbort()).toBeLessThan(3000)
      })

      test('and no connection is begun when the signal came before', async () => {
        await expect(withConnection(url, async () => {}, AbortSignal.abort(new Error('the deadline')))).rejects.toThrow(
          'the deadline',
        )
      })
    })
  })
})
