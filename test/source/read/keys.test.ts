// Rows find their idea and their person whatever the type of the keys is: as many keys as there are, and none taken for another.
import { beforeAll, describe, expect, it } from 'vitest'
import { describeWithPostgres } from '../../support/postgres.ts'
import { AS_OF, mappingOf, of, SECTIONS, THEN, useReadAll } from './reading.ts'

const TYPES = `
  CREATE DOMAIN key_domain AS text CHECK (VALUE <> 'x');
  CREATE TYPE key_enum AS ENUM ('a', 'A', 'á');
  CREATE TYPE key_pair AS (a int, b text);
  CREATE COLLATION no_case (provider = icu, locale = 'und-u-ks-level2', deterministic = false)`

/** Each list has keys that are all different, and are near each other. */
const KEYS: readonly [what: string, type: string, keys: readonly string[]][] = [
  ['int8 that are one in 32 bits', 'int8', ['1', '4294967296', '4294967297', '-1', '8589934592', '-4294967295']],
  ['the least and the greatest int8', 'int8', ['-9223372036854775808', '9223372036854775807', '0']],
  ['int2 and int4', 'int4', ['-2147483648', '2147483647', '0', '32767', '-32768']],
  [
    'uuids that differ in one word',
    'uuid',
    [
      '00000000-0000-0000-0000-000000000000',
      '00000001-0000-0000-0000-000000000000',
      '00000000-0001-0000-0000-000000000000',
      '00000000-0000-0000-0000-000000000001',
      '00000000-0000-0000-0001-000000000000',
      'ffffffff-ffff-ffff-ffff-ffffffffffff',
    ],
  ],
  ['texts that differ by case', 'text', ['a', 'A', 'ä', 'Ä', 'straße', 'STRASSE']],
  ['texts that differ by normal form', 'text', ['caf\u00e9', 'cafe\u0301', '\uFB01', 'fi']],
  ['texts that differ by space', 'text', ['', ' ', 'a', 'a ', '\t', '\u00a0']],
  ['texts of a collation that takes them for one', 'text COLLATE no_case', ['a', 'A']],
  ['texts of 10,000 characters', 'text', ['x', 'y'].map((end) => `${'😀'.repeat(9999)}${end}`)],
  ['numeric', 'numeric', ['1', '1.0', '12345678901234567890123', '-0.5']],
  ['a domain', 'key_domain', ['a', 'b']],
  ['an enum', 'key_enum', ['a', 'A', 'á']],
  ['json', 'json', ['1', '"1"', '[1]']],
]

describeWithPostgres('keys', (postgres) => {
  const readAll = useReadAll()
  let url: string
  beforeAll(async () => {
    url = await postgres().createDatabase('keys')
    await postgres().psql(TYPES, 'keys')
  })

  describe('as many as there are:', () => {
    it.each(KEYS)('%s', async (_, type, keys) => {
      const list = keys.map((key, i) => `(E'${key.replaceAll('\t', '\\t')}'::${type}, ${i + 1})`).join()
      const rows = `(VALUES ${list}) AS it (key, n)`
      // The n-th idea has n votes of n people, and n comments of its first person.
      const { ideas, users, skipped } = await readAll(
        url,
        mappingOf({
          ideas: `SELECT key AS id, n::text AS title, ${THEN} AS created_at, false AS launched, NULL::timestamptz AS launched_at,
                         NULL AS url, key AS author_id, NULL AS status FROM ${rows}`,
          idea_categories: `SELECT key AS idea_id, 'c' || n AS category FROM ${rows}`,
          votes: `SELECT it.key AS idea_id, person.key AS user_id, 1 AS value, ${THEN} AS created_at
                    FROM ${rows}, ${rows.replace('it (', 'person (')} WHERE person.n <= it.n`,
          comments: `SELECT 10 * n + i AS id, key AS idea_id, key AS user_id, ${THEN} AS created_at FROM ${rows}, generate_series(1, n) i`,
        }),
        { asOfMs: AS_OF },
      )
      expect(skipped).toEqual([])
      const found = ideas.toSorted((a, b) => Number(a.title) - Number(b.title))
      expect(found.map(({ id, categories, votes, comments }) => [id, categories, votes.total, comments.total])).toEqual(
        keys.map((key, i) => [key, [`c${i + 1}`], i + 1, i + 1]),
      )
      expect(users.active.all).toBe(keys.length)
      expect(users.buckets.at(-1)).toMatchObject([{ voters: keys.length, authors: keys.length }])
    })
  })

  it('people are told apart where ideas are known by other types than votes', async () => {
    const { users } = await readAll(
      url,
      mappingOf({
        ideas: of('ideas', { author_id: '7::int' }),
        votes: SECTIONS.votes.replace('8 AS user_id', "'7' AS user_id"),
        comments: of('comments', { user_id: '8::bigint' }),
      }),
      { asOfMs: AS_OF },
    )
    expect(users.active.all).toBe(2)
  })
})
