import { Client } from 'pg'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { startEmbeddedPostgres } from '../../src/demo/embedded-postgres.ts'
import { demoPlatform } from '../../src/demo/platform.ts'
import { CATEGORIES } from '../../src/demo/town.ts'
import { copiedRows } from '../../src/source/read/copy-out.ts'

const NOW_MS = Date.parse('2026-05-20T09:30:00.000Z')
const platform = demoPlatform(NOW_MS)

describe('the embedded PostgreSQL', () => {
  let postgres: Awaited<ReturnType<typeof startEmbeddedPostgres>>
  let client: Client

  const connect = async (): Promise<Client> => {
    const connected = new Client({ connectionString: postgres.url })
    connected.on('error', () => {}) // a connection that a test breaks on purpose must not end the test run
    await connected.connect()
    return connected
  }

  /** The texts of a query of one column. */
  const copied = async (sql: string): Promise<(string | null)[]> => {
    const found: (string | null)[] = []
    for await (const rows of copiedRows(client, { sql, fields: 1 }))
      for (let row = 0; row < rows.count; row++) found.push(rows.text(row, 0))
    return found
  }

  const handles = () => process.getActiveResourcesInfo().filter((handle) => handle.startsWith('TCP'))
  /** Of the tests before these. */
  let others: string[]

  beforeAll(async () => {
    others = handles()
    postgres = await startEmbeddedPostgres()
    await postgres.seed(platform)
    client = await connect()
  })

  afterAll(async () => {
    await postgres.close()
  })

  it('gives back over the wire, by COPY, as many rows as were generated', async () => {
    const tables = Object.keys(platform)
    const counts = tables.map((table) => `SELECT count(*)::text FROM ${table}`).join(' UNION ALL ')
    expect(await copied(counts)).toEqual(Object.values(platform).map(({ length }) => String(length)))
  })

  it('gives back every column as it was generated, edge titles included', async () => {
    const { rows: ideas } = await client.query(
      `SELECT id::int, title, created_at, launched, launched_at, status, url, author_id::int FROM ideas ORDER BY id`,
    )
    expect(ideas).toEqual(platform.ideas)
    const { rows: votes } = await client.query(
      `SELECT idea_id::int, user_id::int, value, created_at FROM votes WHERE idea_id <= $1`,
      [100],
    )
    expect(votes).toEqual(platform.votes.filter(({ idea_id }) => idea_id <= 100))
  })

  it('reads in one read-only transaction with settings local to it', async () => {
    await client.query('BEGIN TRANSACTION ISOLATION LEVEL REPEATABLE READ READ ONLY')
    await client.query(
      "SET LOCAL statement_timeout = '10min'; SET LOCAL row_security = off; SET LOCAL TimeZone = 'UTC'",
    )
    await expect(client.query('DELETE FROM votes')).rejects.toMatchObject({ code: '25006' })
    await client.query('ROLLBACK')
    expect((await client.query('SHOW statement_timeout')).rows).toEqual([{ statement_timeout: '0' }])
  })

  it('goes on after an error in the middle of a COPY', async () => {
    await expect(copied('SELECT 1 / (id - 50) FROM ideas ORDER BY id')).rejects.toMatchObject({ code: '22012' })
    expect((await client.query('SELECT $1::int AS one', [1])).rows).toEqual([{ one: 1 }])
  })

  it('lets a second connection wait for the transaction of the first', async () => {
    await client.query('BEGIN')
    let isConnected = false
    const second = connect().then((connected) => {
      isConnected = true
      return connected
    })
    expect((await client.query('SELECT pg_sleep(0.1), 1 AS one')).rows).toMatchObject([{ one: 1 }])
    expect(isConnected).toBe(false)
    await client.query('COMMIT')
    await (await second).end()
  })

  it('rolls back what a lost client left open, and takes the next one', async () => {
    await client.query('BEGIN')
    await client.query('DELETE FROM categories')
    const unanswered = copied('SELECT user_id::text FROM votes')
    ;(client as unknown as { connection: { stream: { destroy(): void } } }).connection.stream.destroy()
    await expect(unanswered).rejects.toThrow('Connection terminated')
    client = await connect()
    expect((await client.query('SELECT count(*)::int AS n FROM categories')).rows).toEqual([{ n: CATEGORIES.length }])
  })

  it('closes in the middle of a transaction, twice, and leaves no handle behind', async () => {
    await client.query('BEGIN')
    await Promise.all([postgres.close(), postgres.close()])
    await vi.waitFor(() => expect(handles()).toEqual(others))
    await expect(connect()).rejects.toMatchObject({ code: 'ECONNREFUSED' })
  })
})
