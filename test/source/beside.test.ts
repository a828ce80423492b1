// People counted in a second session while the ideas come in: the same numbers, of the same instant, or not used at all.
import { assert, asyncProperty } from 'fast-check'
import { Client } from 'pg'
import { to as copyTo } from 'pg-copy-streams'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { PeopleFacts } from '../../src/contract/facts.ts'
import { connect, parseDatabaseUrl, type Connection } from '../../src/source/connect.ts'
import type { IgnoredRows } from '../../src/source/ignored.ts'
import { beginInstant, type InstantOptions } from '../../src/source/instant.ts'
import { loadMapping, type Mapping } from '../../src/source/mapping.ts'
import { SourceError } from '../../src/source/source-error.ts'
import { createNativeTables, loadDatabase, nativeDatabases } from '../oracle/random-database.ts'
import { describeWithPostgres } from '../support/postgres.ts'

const OPTIONS: InstantOptions = { statementTimeoutMs: 20_000, lockTimeoutMs: 5000, rowSecurity: 'off', asOfMs: null }
const NATIVE = loadMapping('native', {})
const asks = (url: string): Promise<Connection> => connect(parseDatabaseUrl(url), new AbortController().signal)

interface Read {
  readonly people: PeopleFacts
  readonly ignored: readonly IgnoredRows[]
  /** How often people were counted in the first session. */
  readonly countedThere: number
}

describeWithPostgres('people counted beside the ideas', (postgres) => {
  let url = ''
  let admin: Client
  beforeAll(async () => {
    url = await postgres().createDatabase()
    admin = new Client({ connectionString: url })
    await admin.connect()
    await createNativeTables(admin)
  })
  afterAll(() => admin?.end())

  async function read(
    open: (() => Promise<Connection>) | null,
    {
      address = url,
      mapping = NATIVE,
      ...options
    }: Partial<InstantOptions> & { address?: string; mapping?: Mapping } = {},
  ): Promise<Read> {
    const connection = await asks(address)
    try {
      let countedThere = 0
      const query = connection.client.query.bind(connection.client) as (...given: unknown[]) => unknown
      Object.assign(connection.client, {
        query: (...given: unknown[]) => {
          const { text } = given[0] as { text?: string }
          if (text?.includes('bit_or') === true) countedThere += 1
          return query(...given)
        },
      })
      const instant = await beginInstant(connection.client, mapping, { ...OPTIONS, ...options }, open)
      for await (const _ of instant.facts());
      const people = await instant.people()
      await instant.end()
      return { people, ignored: instant.ignored(), countedThere }
    } finally {
      await connection.close()
    }
  }

  /** One idea of one person, and a vote each for it, in May 2026; the account is as old as the idea. */
  async function fill({ voteAt = '2026-05-02', users = 1 } = {}): Promise<void> {
    await admin.query('TRUNCATE users, ideas, categories, idea_categories, votes, comments')
    await admin.query(`
      INSERT INTO users SELECT i, '2026-05-01' FROM generate_series(1, ${users}) i;
      INSERT INTO ideas (id, title, created_at, author_id) VALUES (1, 'One', '2026-05-01', 1);
      INSERT INTO votes VALUES (1, 2, 1, '${voteAt}'), (1, 3, 1, NULL)`)
  }

  test('is the same as counting them afterwards, on every database', { timeout: 120_000 }, async () => {
    let beside = 0
    await assert(
      asyncProperty(nativeDatabases(), async (database) => {
        await loadDatabase(admin, database)
        const asOfMs = Date.parse(database.asOf)
        const one = await read(null, { asOfMs })
        const two = await read(() => asks(url), { asOfMs })
        expect(two.people).toEqual(one.people)
        expect(two.ignored).toEqual(one.ignored)
        expect(one.countedThere).toBe(1)
        if (two.countedThere === 0) beside += 1
      }),
      { numRuns: 40 },
    )
    expect(beside).toBeGreaterThan(0)
  })

  test('they are counted again when an event is older than every account', async () => {
    await fill({ voteAt: '2026-03-31' })
    const { people, countedThere } = await read(() => asks(url))
    expect(countedThere).toBe(1)
    expect(people.buckets.at(-1)?.[0]).toMatchObject({ startMs: Date.UTC(2026, 2, 1), active: 1, voters: 1 })
    await fill({ voteAt: '2026-05-01' })
    expect((await read(() => asks(url))).countedThere).toBe(0)
  })

  test('the second session sees nothing that came after the instant', async () => {
    await fill()
    const { people, countedThere } = await read(async () => {
      await admin.query(`INSERT INTO users VALUES (7, '2026-05-03'); INSERT INTO votes VALUES (1, 7, 1, '2026-05-03')`)
      return asks(url)
    })
    expect(countedThere).toBe(0)
    expect(people.accounts.total).toBe(1)
    expect(people.active.all).toBe(3)
    expect((await read(null)).people.active.all).toBe(4)
  })

  test.each<[string, () => Promise<Connection>]>([
    ['is refused', () => Promise.reject(new Error('too many connections'))],
    ['is of another database', async () => asks(await postgres().createDatabase())],
    [
      'is lost at once',
      async () => {
        const connection = await asks(url)
        await connection.close()
        return connection
      },
    ],
  ])('when it %s, people are counted in the first', async (_, open) => {
    await fill()
    const { people, countedThere } = await read(open)
    expect(countedThere).toBe(1)
    expect(people.active.all).toBe(3)
  })

  test('a role that may open one session only is enough', async () => {
    await fill()
    await admin.query(
      'CREATE ROLE single LOGIN CONNECTION LIMIT 1; GRANT SELECT ON ALL TABLES IN SCHEMA public TO single',
    )
    const address = url.replace('postgres@', 'single@')
    expect(await read(() => asks(address), { address })).toMatchObject({
      countedThere: 1,
      people: { active: { all: 3 } },
    })
  })

  test('a role that may not share its snapshot is enough', async () => {
    await fill()
    await admin.query(`
      CREATE ROLE secretive LOGIN; GRANT SELECT ON ALL TABLES IN SCHEMA public TO secretive;
      REVOKE EXECUTE ON FUNCTION pg_export_snapshot() FROM public`)
    const address = url.replace('postgres@', 'secretive@')
    try {
      expect((await read(() => asks(address), { address })).countedThere).toBe(1)
    } finally {
      await admin.query('GRANT EXECUTE ON FUNCTION pg_export_snapshot() TO public')
    }
  })

  test('a second session that ends in the middle is worth another try of the whole', async () => {
    await fill()
    const ending = read(async () => {
      const connection = await asks(url)
      const { rows } = await connection.client.query<{ pid: number }>('SELECT pg_backend_pid() AS pid')
      const query = connection.client.query.bind(connection.client) as (given: unknown) => unknown
      Object.assign(connection.client, {
        query: (given: string | { text: string }) => {
          if (typeof given !== 'string') void admin.query('SELECT pg_terminate_backend($1)', [rows[0]?.pid])
          return query(typeof given === 'string' ? given : copyTo(SLOW_COPY))
        },
      })
      return connection
    })
    const error: unknown = await ending.catch((thrown: unknown) => thrown)
    expect(error).toBeInstanceOf(SourceError)
    expect((error as SourceError).message).toMatch(/^mapping native, reading users and counting people: /)
    expect((error as SourceError).retryable).toBe(true)
  })

  test.each<[string, string, number]>([
    ['is the time of the question, in the first session', 'now()', 1],
    ['the same', 'CURRENT_DATE + 1', 1],
    ['asked for by a view', '(SELECT at FROM clock)', 1],
    ['asked for within a function', `clock_of('today')`, 1],
    ['asked for within a function of a strange name', '"When ""?"(1)', 1],
    ['is none', `'2026-07-01'::timestamptz`, 0],
    ['computed by a function that cannot ask for it', 'first_of_month(2026, 7)', 0],
    ['only sounds like it', 'to_timestamp(1782864000)', 0],
  ])('what a section compares with %s: %s', async (_, time, inTheFirst) => {
    await fill()
    await admin.query(CLOCKS)
    const votes = `SELECT * FROM votes WHERE created_at < ${time} OR created_at IS NULL`
    const mapping = { ...NATIVE, sections: new Map([...NATIVE.sections, ['votes', votes] as const]) }
    const { people, countedThere } = await read(() => asks(url), { mapping })
    expect(countedThere).toBe(inTheFirst)
    expect(people.active.all).toBe(3)
  })
})

const CLOCKS = `
CREATE OR REPLACE VIEW clock AS SELECT now() AS at;
CREATE OR REPLACE FUNCTION clock_of(what text) RETURNS timestamptz STABLE LANGUAGE plpgsql AS 'BEGIN RETURN now(); END';
CREATE OR REPLACE FUNCTION "When ""?"(days int) RETURNS timestamptz LANGUAGE plpgsql AS 'BEGIN RETURN now(); END';
CREATE OR REPLACE FUNCTION first_of_month(year int, month int) RETURNS timestamptz IMMUTABLE LANGUAGE plpgsql
  AS $$ BEGIN RETURN make_timestamptz(year, month, 1, 0, 0, 0, 'UTC'); END $$;
`
const SLOW_COPY = 'COPY (SELECT pg_sleep(20)) TO STDOUT'
