// What a status may be in a database that nobody knows: src/source/check/likely-values.ts, src/source/mapping/status-columns.ts. It
// starts a real PostgreSQL.
import { Client } from 'pg'
import { beforeAll, expect, onTestFinished, test } from 'vitest'
import { likelyValues } from '../../../src/source/check/likely-values.ts'
import { readCatalog } from '../../../src/source/database/catalog.ts'
import { parseMappingFile } from '../../../src/source/mapping/file-format.ts'
import { columnKey, templateByTables } from '../../../src/source/mapping/template.ts'
import { RELATIONS } from '../../../src/source/mapping/relations.ts'
import { describeWithPostgres } from '../../support/postgres.ts'

const SCHEMA = `
  CREATE TYPE stage AS ENUM ('later', 'now', 'done');
  CREATE TABLE steps (id int PRIMARY KEY, name text);
  INSERT INTO steps VALUES (1, 'Open'), (2, 'Planned'), (3, 'Launched');
  CREATE TABLE boards (id int PRIMARY KEY, access smallint, value text);
  INSERT INTO boards VALUES (7, 1, 'a setting'), (8, 2, 'a setting');
  CREATE TABLE ideas (id int, title text, body text, stage stage, status_id int REFERENCES steps, type text, visibility text,
                      moderation_state text, author_id int, created_at timestamptz, official_status int DEFAULT 2,
                      board_id int DEFAULT 7 REFERENCES boards);
  INSERT INTO ideas SELECT i, 'Idea ' || i, 'A text', 'now', 1, 'kind ' || i, CASE WHEN i % 2 = 0 THEN 'public' END,
                           repeat('x', 41), 1, now() FROM generate_series(1, 40) i;
  CREATE TABLE votes (idea_id int, user_id int, state text, created_at timestamptz, value int);
  INSERT INTO votes VALUES (1, 1, E'up\n-- section ideas', now(), 1), (1, 2, '*/ it''s', now(), -1);
  CREATE TABLE users (id int, email text, status text, password_digest text, created_at timestamptz);
  INSERT INTO users VALUES (1, 'ada@example.org', 'active', 'x', now());
  CREATE TABLE comments (id int, idea_id int, user_id int, body text, state int, created_at timestamptz);
  CREATE TABLE audit (id int, at timestamptz);
  CREATE ROLE few LOGIN;
  GRANT SELECT ON ideas, votes TO few;
  GRANT SELECT (id, created_at) ON users TO few;
  ANALYZE;`

describeWithPostgres('the values of a status', (postgres) => {
  let url = ''
  beforeAll(async () => {
    url = await postgres().createDatabase('statuses')
    await postgres().psql(SCHEMA, 'statuses')
  })

  /** `table.column` → values. */
  async function read(as = 'postgres'): Promise<{ values: Record<string, readonly string[]>; text: string }> {
    const client = new Client({ connectionString: url.replace('postgres@', `${as}@`) })
    await client.connect()
    try {
      await client.query('BEGIN READ ONLY')
      const catalog = await readCatalog(client, null)
      const found = await likelyValues(client, catalog)
      const values = catalog.flatMap((table) =>
        table.columns.flatMap(({ name }) => {
          const known = found.get(columnKey(table, name))
          return known === undefined ? [] : [[`${table.name}.${name}`, known] as const]
        }),
      )
      expect(values.length).toBe(found.size)
      return { values: Object.fromEntries(values), text: templateByTables(catalog, found).text }
    } finally {
      await client.end()
    }
  }

  const ALL = {
    'boards.access': ['1', '2'],
    'ideas.official_status': ['2'],
    'ideas.stage': ['later', 'now', 'done'],
    'ideas.status_id': ['Launched', 'Open', 'Planned'],
    'ideas.visibility': ['public'],
    'users.status': ['active'],
    'votes.state': ["*/ it's", 'up\n-- section ideas'],
    'votes.value': ['-1', '1'],
  }

  test('are labels of an enum in their order, names of another table, or those that are there; few and short', async () => {
    expect((await read()).values).toEqual(ALL)
  })

  test('are listed below their table, where no value can end the comment', async () => {
    const { text } = await read()
    expect(text).toContain(
      `\n--       stage: 'later', 'now', 'done'\n--       status_id: 'Launched', 'Open', 'Planned'\n`,
    )
    expect(text).toContain(`\n--       visibility: 'public'\n`)
    expect(parseMappingFile('template.sql', text).sections.size).toBe(RELATIONS.length)
    expect(text.match(/^-- section ideas$/gm)).toHaveLength(1)
    // Boards are no candidate, but ideas refer to them.
    expect(text.indexOf('boards(id')).toBeLessThan(text.indexOf('audit(id'))
    for (const personal of ['ada@example.org', 'A text', 'kind 1', 'a setting']) expect(text).not.toContain(personal)
  })

  test('are read as far as the role may, and the rest goes on', async () => {
    expect((await read('few')).values).toEqual({
      'ideas.stage': ALL['ideas.stage'],
      'ideas.visibility': ALL['ideas.visibility'],
      'ideas.official_status': ALL['ideas.official_status'],
      'votes.state': ALL['votes.state'],
      'votes.value': ALL['votes.value'],
    })
  })

  test('are the common ones of the statistics where the table does not answer in time', async () => {
    const other = new Client({ connectionString: url })
    await other.connect()
    onTestFinished(() => other.end())
    await other.query('BEGIN; LOCK TABLE votes IN ACCESS EXCLUSIVE MODE')
    const { values } = await read()
    // Of votes every value is there once, so none is common.
    expect(values).toEqual({ ...ALL, 'votes.state': undefined, 'votes.value': undefined })
    await other.query('ROLLBACK; BEGIN; LOCK TABLE ideas IN ACCESS EXCLUSIVE MODE')
    expect((await read()).values).toEqual(ALL)
  })
})
