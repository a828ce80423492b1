import { assert, asyncProperty, property } from 'fast-check'
import { escapeIdentifier, Client } from 'pg'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { foldedName, tableName, sqlName } from '../../../src/source/sql/names.ts'
import { anyText } from '../../contract/any-text.ts'
import { describeWithPostgres } from '../../support/postgres.ts'

/** PostgreSQL cuts a longer name off (NAMEDATALEN is 64); an emoji of several people may have 18 bytes. */
const MAX_NAME_BYTES = 63
const anyName = anyText({ minLength: 1, maxLength: 15 }).filter((name) => Buffer.byteLength(name) <= MAX_NAME_BYTES)

describe('a name with or without a schema', () => {
  test.each([
    ['posts', null, 'posts'],
    ['Posts', null, 'posts'],
    ['"Posts"', null, 'Posts'],
    ['polis.votes', 'polis', 'votes'],
    ['Polis."userVotes"', 'polis', 'userVotes'],
    ['"My Polis".votes', 'My Polis', 'votes'],
    ['"a.b"', null, 'a.b'],
    ['"a.b"."c.d"', 'a.b', 'c.d'],
    ['"say ""hi"""', null, 'say "hi"'],
    ['a$1._b', 'a$1', '_b'],
  ])('%s', (text, schema, name) => {
    expect(tableName(text)).toEqual({ schema, name })
  })

  test('is found again in what is written, whatever it is', () => {
    assert(
      property(anyName, anyName, (schema, name) => {
        expect(tableName(`${sqlName(schema)}.${sqlName(name)}`)).toEqual({ schema, name })
        expect(tableName(sqlName(name))).toEqual({ schema: null, name })
        expect(tableName(escapeIdentifier(name))).toEqual({ schema: null, name })
      }),
    )
  })
})

test.each([
  ['created_at', 'created_at'],
  ['_x1', '_x1'],
  ['createdAt', '"createdAt"'],
  ['1st', '"1st"'],
  ['a-b', '"a-b"'],
  ['a$b', '"a$b"'],
  ['say "hi"', '"say ""hi"""'],
  ['two\nlines', '"two\nlines"'],
  ['größe', '"größe"'],
  ['', '""'],
])('%j is written %s', (name, text) => {
  expect(sqlName(name)).toBe(text)
})

describeWithPostgres('the server agrees', (postgres) => {
  let client: Client
  beforeAll(async () => {
    client = new Client({ connectionString: postgres().url() })
    await client.connect()
  })
  afterAll(() => client.end())

  /** What the server calls it. */
  const called = async (text: string): Promise<string | undefined> =>
    (await client.query(`SELECT 1 AS ${text}`)).fields[0]?.name

  test.each(['posts', 'POSTS', 'createdAt', '"createdAt"', '"say ""hi"""', 'a$B', '_X', 'größe', '文'])(
    'what %s means',
    async (text) => {
      expect(foldedName(text)).toBe(await called(text))
    },
  )

  test.each(['GRÖSSE', 'Äpfel', 'Straẞe', 'İD', 'ΣΑΣ', 'KELVIN\u212A'])('what %s means', async (text) => {
    expect(foldedName(text)).toBe(await called(text))
  })

  test('that a written or quoted name means the name, whatever it is', async () => {
    await assert(
      asyncProperty(anyName, async (name) => {
        expect(await called(sqlName(name))).toBe(name)
        expect(await called(escapeIdentifier(name))).toBe(name)
      }),
      { numRuns: 200, examples: [['"'], ['a"'], ['\\'], ['U&"a"'], ["'"], ['--'], ['/*'], ['$$']] },
    )
  })

  test('that a table and a column that are called like a keyword can be read as they are written', async () => {
    const { rows } = await client.query<{ word: string }>('SELECT word FROM pg_get_keywords()')
    expect(rows.length).toBeGreaterThan(400)
    const wrong: string[] = []
    for (const { word } of rows) {
      // The table is gone again before the next: a table called text is a type, too.
      await client.query(
        `BEGIN; CREATE TEMP TABLE ${escapeIdentifier(word)} AS SELECT 'ours' AS ${escapeIdentifier(word)}`,
      )
      const read = await client.query<{ it: string }>(`SELECT ${sqlName(word)} AS it FROM ${sqlName(word)}`).then(
        (found) => found.rows[0]?.it,
        (error: Error) => error.message,
      )
      await client.query('ROLLBACK')
      if (read !== 'ours') wrong.push(word)
    }
    expect(wrong).toEqual([])
  })
})
