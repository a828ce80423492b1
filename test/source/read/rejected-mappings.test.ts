// What a mapping must not return or do: it is rejected, or cannot write. Files: column-types.ts, counting.ts, consistent-read.ts.
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { assert, asyncProperty } from 'fast-check'
import type { Client } from 'pg'
import { beforeAll, describe, expect, test } from 'vitest'
import { fitting } from '../../../src/source/mapping/mapping-file.ts'
import { loadMapping } from '../../../src/source/mapping/mapping.ts'
import type { Relation } from '../../../src/source/mapping/relations.ts'
import { anyText } from '../../contract/any-text.ts'
import { temporaryFolder } from '../../support/temporary-folder.ts'
import { describeWithPostgres } from '../../support/postgres.ts'
import { THEN, SECTIONS, mappingOf, of, readAll, failure, useIdeas } from './reading.ts'

describeWithPostgres('a mapping that cannot be read', (postgres) => {
  let url: string
  let admin: Client
  useIdeas(postgres, (...made) => ([url, admin] = made))

  describe('a mapping is rejected, naming section and column', () => {
    const section = (relation: Relation): string => `mapping test, section ${relation}: `
    const epoch =
      '; for epoch seconds write to_timestamp(created_at), for milliseconds to_timestamp(created_at / 1000.0)'

    test.each([
      [
        'a wrong type',
        'users',
        of('users', { created_at: '17' }),
        `column created_at is int4, must be timestamptz${epoch}`,
      ],
      ['no such table', 'votes', 'SELECT * FROM nowhere', 'relation "nowhere" does not exist; check --source: '],
      [
        'no such column',
        'votes',
        'SELECT nothing FROM votes',
        'column "nothing" does not exist; the mapping may be made',
      ],
      ['no SELECT', 'users', 'DELETE FROM users', 'syntax error'],
      ['an unclosed comment', 'users', 'SELECT 1 /*', 'unterminated /* comment'],
    ] as const)('%s', async (_, relation, sql, why) => {
      const error = await failure(readAll(url, mappingOf({ [relation]: sql })))
      expect(error.message).toContain(section(relation) + why)
      expect(error).toMatchObject({ name: 'SourceError', retryable: false })
    })

    test.each([
      ['an id that is returned twice', '1', '1'],
      ['also of a type without equality', `'{"a":1}'::json`, `'{"a":1}'::json`],
      ['by the text that is published', '1::numeric', `'1'::numeric`],
    ])('%s', async (_, ...ids) => {
      const ideas = ids.map((id) => of('ideas', { id })).join(' UNION ALL ')
      const error = await failure(readAll(url, mappingOf({ ideas, votes: of('votes', { idea_id: `'1'::text` }) })))
      expect(error.message).toContain(
        'mapping test, section ideas: it returns an id several times; return each once: where a join',
      )
    })

    test('by one row, with the SQL that lists the others', async () => {
      const ideas = `SELECT n % 2 AS id, 'two' AS title, ${THEN} AS created_at, false AS launched, NULL::timestamptz AS launched_at,
                            NULL AS url, NULL AS author_id, NULL AS status FROM generate_series(1, 5) AS n -- five`
      const { message } = await failure(readAll(url, mappingOf({ ideas })))
      const command = /this lists all such ids: (SELECT .*;)$/.exec(message)?.[1] ?? ''
      const { rows } = await admin.query(command.replace('…', `${ideas}\n`))
      expect(rows).toEqual([
        { id: '0', count: '2' },
        { id: '1', count: '3' },
      ])
    })

    test('a value that cannot be computed is met where the rows are read', async () => {
      const votes = `SELECT 1 AS idea_id, 2 AS user_id, 1 / (n - 2) AS value, ${THEN} AS created_at FROM generate_series(1, 3) AS n`
      const error = await failure(readAll(url, mappingOf({ votes })))
      expect(error.message).toMatch(/^mapping test, section votes: division by zero; fix the mapping/)
    })

    test.each(['categories', 'idea_categories'] as const)(
      'more than 20,000 names in %s are titles, not categories',
      async (relation) => {
        const names = `FROM generate_series(1, 20001) AS n`
        const sql = {
          categories: `SELECT 'c' || n AS name ${names}`,
          idea_categories: `SELECT n % 100 AS idea_id, 'c' || n AS category FROM generate_series(1, 40001) AS n`,
        }[relation]
        const hundred = of('ideas', { id: 'generate_series(0, 99)' })
        expect((await failure(readAll(url, mappingOf({ ideas: hundred, [relation]: sql })))).message).toContain(
          'more than 20000 categories',
        )
      },
    )
  })

  describe('a section can neither write nor leave the transaction', () => {
    beforeAll(() =>
      admin.query(`
        CREATE TABLE written (by text);
        CREATE SEQUENCE numbers;
        CREATE FUNCTION write(n int) RETURNS int LANGUAGE sql AS $$ INSERT INTO written VALUES ('a function'); SELECT n $$;`),
    )

    const user = `SELECT 1 AS id, ${THEN} AS created_at`
    const many =
      'cannot insert multiple commands into a prepared statement; fix the mapping: each section is one SELECT'
    const top = 'data-modifying statement must be at the top level; fix the mapping: each section is one plain SELECT'
    const refused = (what: string): RegExp =>
      new RegExp(`cannot execute ${what} in a read-only transaction; a mapping may only read`)
    test.each([
      [`${user}; COMMIT; INSERT INTO written VALUES ('x'); SELECT 1`, /cannot insert multiple commands|syntax error/],
      [`${user}) AS source; COMMIT; INSERT INTO written VALUES ('x'); SELECT * FROM (${user}`, new RegExp(many)],
      // The comment hides the bracket.
      [
        `${user}) AS source; COMMIT; INSERT INTO written VALUES ('x') --`,
        /syntax error|cannot insert multiple commands/,
      ],
      [
        `WITH w AS (INSERT INTO written VALUES ('x') RETURNING 1 AS id) SELECT id, ${THEN} AS created_at FROM w`,
        new RegExp(top),
      ],
      [`SELECT nextval('numbers') AS id, ${THEN} AS created_at`, refused(String.raw`nextval\(\)`)],
      [`SELECT id, created_at FROM users FOR UPDATE`, refused('SELECT FOR UPDATE')],
      [`SELECT write(1) AS id, ${THEN} AS created_at`, refused('INSERT')],
      [
        `SELECT set_config('transaction_read_only', 'off', true) AS id, write(1)::text::timestamptz AS created_at`,
        /read-write mode|read-only transaction/,
      ],
    ])('%s', async (users, why) => {
      const error = await failure(readAll(url, mappingOf({ users })))
      expect(error.message).toMatch(why)
      expect(error.retryable).toBe(false)
      expect((await admin.query('SELECT * FROM written')).rows).toEqual([])
    })

    test('a parameter is a value, whatever it holds', async () => {
      const path = join(temporaryFolder(), 'echo.sql')
      const others = (['ideas', 'idea_categories', 'votes', 'comments'] as const).map(
        (name) => `-- section ${name}\n${SECTIONS[name]}`,
      )
      const params = '-- mapping: echo\n-- param p : text\n-- param l : text[]'
      writeFileSync(path, [params, '-- section users\nSELECT :p AS p, :l AS l', ...others].join('\n'))
      await assert(
        asyncProperty(
          anyText(),
          anyText().map((text) => text.replaceAll(',', '')),
          async (p, item) => {
            const sql = fitting(loadMapping(path, { p, l: `${item},'; --` }), []).sections.get('users')!
            expect((await admin.query(sql)).rows).toEqual([
              { p, l: [item.trim(), `'; --`].filter((one) => one !== '') },
            ])
          },
        ),
        {
          examples: [
            [`'; DROP TABLE users; --`, `\\'`],
            [`$$'$$ \\' :l`, `{"a"}`],
          ],
        },
      )
    })
  })
})
