// real test: a server sends the rows
import { Client } from 'pg'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { copiedRows } from '../../../src/source/read/copy-out.ts'
import { describeWithPostgres } from '../../support/postgres.ts'

describeWithPostgres('rows that are copied out', (postgres) => {
  let client: Client
  beforeEach(async () => {
    client = new Client(postgres().url('postgres'))
    client.on('error', () => {})
    await client.connect()
  })
  afterEach(() => client.end())

  const numbers = async (sql: string): Promise<number[]> => {
    const found: number[] = []
    for await (const rows of copiedRows(client, { sql, fields: 1 }))
      for (let row = 0; row < rows.count; row++) found.push(rows.int32(row, 0))
    return found
  }
  const one = async (): Promise<unknown> => (await client.query('SELECT 1 AS one')).rows

  test('come all, and the connection goes on with other queries', async () => {
    expect(await numbers('SELECT generate_series(1, 50000)')).toEqual(Array.from({ length: 50_000 }, (_, i) => i + 1))
    expect([await numbers('SELECT 7'), await one()]).toEqual([[7], [{ one: 1 }]])
  })

  test('may be none, and come among notices', async () => {
    await client.query(`
      CREATE FUNCTION pg_temp.noticed(n int) RETURNS int LANGUAGE plpgsql AS
      $$ BEGIN RAISE NOTICE 'row %', n; RETURN n; END $$`)
    expect(await numbers('SELECT 1 WHERE false')).toEqual([])
    expect(await numbers('SELECT pg_temp.noticed(n) FROM generate_series(1, 3) AS n')).toEqual([1, 2, 3])
  })

  test.each([
    ['before the first row', 'SELECT 1 / (n - 1) FROM generate_series(1, 3) AS n', '22012'],
    ['after some rows', 'SELECT 1 / (n - 70000) FROM generate_series(1, 100000) AS n', '22012'],
    ['of a query that is none', 'SELECT nothing', '42703'],
  ])('end with the error of the server %s, and the connection goes on', async (_, sql, code) => {
    await expect(numbers(sql)).rejects.toMatchObject({ code })
    expect(await one()).toEqual([{ one: 1 }])
  })

  test('end with an error when the session ends, also while nobody waits for more', async () => {
    const session = (client as unknown as { processID: number }).processID
    const rows = copiedRows(client, { sql: 'SELECT generate_series(1, 10000000)', fields: 1 })
    await rows.next()
    const admin = new Client(postgres().url('postgres'))
    await admin.connect()
    const ended = new Promise((resolve) => client.once('end', resolve))
    await admin.query('SELECT pg_terminate_backend($1)', [session])
    await admin.end()
    const rest = async (): Promise<void> => {
      while ((await rows.next()).done !== true);
    }
    await expect(rest()).rejects.toThrow(/terminat/)
    await ended
  })

  test('come no faster than they are taken', async () => {
    const rows = copiedRows(client, { sql: "SELECT repeat('x', 100000) FROM generate_series(1, 1000)", fields: 1 })
    let taken = (await rows.next()).value?.count ?? 0
    const socket = (client as unknown as { connection: { stream: { bytesRead: number } } }).connection.stream
    const read = socket.bytesRead
    await new Promise((resolve) => setTimeout(resolve, 300))
    expect(socket.bytesRead - read).toBeLessThan(1_000_000)
    for await (const { count } of rows) taken += count
    expect(taken).toBe(1000)
  })
})
