// What a build says of a name that is not there (meant.ts, names-meant.ts): the server's message, and what was probably meant.
import type { Client, QueryConfig } from 'pg'
import { beforeAll, expect, test } from 'vitest'
import { beginConsistentRead } from '../../../src/source/read/consistent-read.ts'
import { describeWithPostgres } from '../../support/postgres.ts'
import { failure, mappingOf, OPTIONS, readAll, THEN, useIdeas, withConnection } from './reading.ts'

describeWithPostgres('a name of a section that is not there', (postgres) => {
  let url: string
  let admin: Client
  useIdeas(postgres, (...made) => ([url, admin] = made))
  beforeAll(() => admin.query('CREATE TABLE "Member" (id int); CREATE SCHEMA app; CREATE TABLE app.answers (id int)'))

  const users = (from: string): string => `SELECT id, ${THEN} AS created_at\nFROM ${from}`
  const said = async (sql: string): Promise<string> => (await failure(readAll(url, mappingOf({ users: sql })))).message

  test.each([
    ['a table', 'usres', 'relation "usres" does not exist; there is no table usres; did you mean users?'],
    [
      'in another schema',
      'answer',
      'relation "answer" does not exist; there is no table answer; did you mean app.answers?',
    ],
    ['without its quotes', 'Member', 'relation "member" does not exist; Member must be written "Member"'],
    [
      'several, of which the server names one',
      'usres JOIN idaes USING (id)',
      'relation "usres" does not exist; there is no table usres; did you mean users?; there is no table idaes; did you mean ideas?',
    ],
  ])('%s', async (_, from, why) => {
    expect(await said(users(from))).toBe(`mapping test, section users, line 2: ${why} (SQLSTATE 42P01)`)
  })

  test('a column: the server says which', async () => {
    expect(await said(`SELECT id, craeted_at AS created_at FROM users`)).toMatch(
      /^mapping test, section users: column "craeted_at" does not exist; Perhaps you meant to reference the column "users.created_at"; the mapping may/,
    )
  })

  test('in section closed, too', async () => {
    const mapping = { ...mappingOf({}), closed: 'SELECT bool_or(id > 0) AS closed FROM usres' }
    expect((await failure(readAll(url, mapping))).message).toBe(
      'mapping test, section closed: relation "usres" does not exist; there is no table usres; did you mean users? (SQLSTATE 42P01)',
    )
  })

  test('of which nothing is known keeps the advice of its error', async () => {
    expect(await said(users('nowhere'))).toMatch(/relation "nowhere" does not exist; check --source: /)
  })

  test('is told by the server’s message alone where the catalogue cannot be read', async () => {
    const error = await withConnection(url, ({ client }) => {
      const query = client.query.bind(client) as (...args: unknown[]) => unknown
      const cut = (asked: string | QueryConfig, ...more: unknown[]): unknown =>
        asked === 'ROLLBACK' ? Promise.reject(new Error('the connection was cut')) : query(asked, ...more)
      const broken = new Proxy(client, {
        get: (target, key) => (key === 'query' ? cut : (Reflect.get(target, key, target) as unknown)),
      })
      return failure(beginConsistentRead(broken, mappingOf({ users: users('usres') }), OPTIONS))
    })
    expect(error.message).toMatch(/line 2: relation "usres" does not exist; check --source: .* \(SQLSTATE 42P01\)$/)
  })
})
