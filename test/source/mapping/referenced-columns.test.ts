// Which tables and columns a SELECT reads; a real server tells whether grants on them are enough to run it.
// long test: a database for each case
// depends on: src/source/mapping/built-in/*/schema.sql, test/platforms/*/schema.sql
import { readFileSync } from 'node:fs'
import { beforeAll, describe, expect, test } from 'vitest'
import { packagePath } from '../../../src/process/package-root.ts'
import { readCatalog, type CatalogTable } from '../../../src/source/database/catalog.ts'
import { fitting, withFilledNeeds, type FittedMapping } from '../../../src/source/mapping/mapping-file.ts'
import { parseMappingFile } from '../../../src/source/mapping/file-format.ts'
import { namesOf, type MappingRequires } from '../../../src/source/mapping/requires-line.ts'
import { builtInMappings, loadMapping, openMapping } from '../../../src/source/mapping/mapping.ts'
import { paramValues } from '../../../src/source/mapping/parameters.ts'
import {
  parseSelects,
  proposeRequires as propose,
  SelectReader,
} from '../../../src/source/mapping/referenced-columns.ts'
import { roleScript } from '../../../src/source/mapping/role-script.ts'
import { foldedName, tableName } from '../../../src/source/sql/names.ts'
import { describeWithPostgres } from '../../support/postgres.ts'
import { as, inSession } from '../../support/session.ts'

/** A schema that is a tenant, of a built-in platform. */
const TENANT = 'ideas_town_org'
const PARAM = { name: 'tenant', type: 'identifier', default: TENANT, description: '' } as const
const VALUES = paramValues({ name: 'mine', params: [PARAM] }, {}, {})
const proposeRequires = async (selects: readonly string[], catalog: readonly CatalogTable[]) =>
  propose(await parseSelects(selects, VALUES), catalog)

test.each([500, 5000, 50_000])(
  '%d joins are read, or left to the server where the stack has no room',
  async (joins) => {
    const [select = null] = await parseSelects([`SELECT 1 FROM users${' JOIN users ON true'.repeat(joins)}`])
    expect([...new SelectReader([select]).tables]).toEqual(select === null ? [] : ['users'])
  },
)

test.each([
  ['comments that are not closed', '/*'.repeat(100_000), []],
  ['comments in comments', `${'/*'.repeat(100_000)}${'*/'.repeat(100_000)} FROM users`, ['users']],
  ['comments', `${'/**/'.repeat(100_000)} FROM users`, ['users']],
  ['line comments', `${'--\n'.repeat(100_000)} FROM users`, ['users']],
  ['brackets', `${'('.repeat(100_000)}1${')'.repeat(100_000)} FROM users`, []],
])('100,000 %s keep nobody waiting', { timeout: 10_000 }, async (_, text, expected) => {
  const [select = null] = await parseSelects([`SELECT 1 ${text}`])
  expect([...new SelectReader([select]).tables]).toEqual(expected)
})

describe('the tables that a SELECT reads', () => {
  test.each([
    ['SELECT id FROM users', ['users']],
    ['select id from Users', ['users']],
    ['SELECT id FROM "Users"', ['Users']],
    ['SELECT id FROM "My Polis"."say ""hi"""', ['say "hi"']],
    ['SELECT id FROM ONLY users', ['users']],
    ['SELECT 1 FROM users NATURAL JOIN posts CROSS JOIN votes', ['users', 'posts', 'votes']],
    ['SELECT (SELECT max(id) FROM votes), (SELECT 1 FROM posts, tags) FROM users', ['votes', 'posts', 'tags', 'users']],
    ['SELECT 1 FROM unnest(ARRAY[1, 2]) n, b', ['b']],
    ['SELECT a, b FROM c WHERE d IN (e, f) GROUP BY g, h ORDER BY i, j', ['c']],
    [`SELECT ' FROM a', "FROM b" /* FROM c */ FROM d -- FROM e`, ['d']],
    ['SELECT $$ FROM a $$ FROM b', ['b']],
    ['SELECT 1 FROM FROM a', []],
    ['SELECT x FROM (SELECT any_value(x) FROM a)', ['a']],
    [`SELECT * FROM b, JSON_TABLE(b.x, '$[*]' COLUMNS (y int))`, ['b']],
    ['', []],
    ['SELECT id FROM größe', ['größe']],
  ])('%s', async (sql, tables) => {
    const [select = null] = await parseSelects([sql])
    expect([...new SelectReader([select]).tables].sort()).toEqual(tables.toSorted())
  })
})

const UUID = '01234567-89ab-cdef-0123-456789abcdef'

describeWithPostgres('the lines of requires that are proposed', (postgres) => {
  const catalogOf = (database: string): Promise<CatalogTable[]> =>
    inSession(postgres().url(database), (client) => readCatalog(client, null))
  /** With the grants for these lines and nothing else, the server runs the SELECTs. */
  const enough = async (database: string, requires: readonly MappingRequires[], selects: Iterable<string>) => {
    const role = 'proposed'
    await postgres().psql(`DROP OWNED BY ${role}; ${roleScript('x', requires, role)}`, database)
    await inSession(as(role, postgres().url(database)), async (client) => {
      for (const sql of selects) await client.query(`SELECT FROM (${sql}\n) AS it LIMIT 0`)
    })
  }
  beforeAll(() => postgres().psql('CREATE ROLE proposed LOGIN'))

  describe('for a SELECT', () => {
    const database = 'words'
    let catalog: readonly CatalogTable[]
    beforeAll(async () => {
      await postgres().createDatabase(database)
      await postgres().psql(
        `CREATE TABLE users (id int, name text, email text, created_at timestamptz, "createdAt" timestamptz);
         CREATE TABLE posts (id int, user_id int, title text, status text, created_at timestamptz);
         CREATE TABLE "userVotes" ("postId" int, "userId" int, value int);
         CREATE TABLE "User" (id int); CREATE TABLE tags (id int, post_id int, name text);
         CREATE SCHEMA polis; CREATE TABLE polis.ballots (id int, post_id int); CREATE TABLE polis.posts (id int, body text);
         CREATE VIEW seen AS SELECT id, title FROM posts;
         CREATE TABLE days (day date, n int) PARTITION BY RANGE (day);`,
        database,
      )
      catalog = await catalogOf(database)
    })
    const proposed = async (sql: string): Promise<string[]> =>
      (await proposeRequires([sql], catalog)).map(({ table, columns }) => `${table}(${columns.join(', ')})`)
    const promise = async (sql: string, lines: readonly string[]): Promise<void> => {
      expect((await proposed(sql)).sort()).toEqual(lines.toSorted())
      await enough(database, await proposeRequires([sql], catalog), [sql.replaceAll(/(?<!:):\w+/g, 'NULL')])
    }

    // prettier-ignore
    test.each([
      ['columns, in the table’s order', 'SELECT created_at, id FROM users', ['users(id, created_at)']],
      ['capitals folded', 'SELECT ID, Created_At FROM USERS', ['users(id, created_at)']],
      ['a quoted column', 'SELECT "createdAt" FROM users', ['users("createdAt")']],
      ['a quoted table', 'SELECT v."postId" FROM "userVotes" v', ['"userVotes"("postId")']],
      ['two tables but for capitals', 'SELECT u.name FROM users u WHERE EXISTS (SELECT 1 FROM "User" x WHERE x.id = 1)',
        ['users(name)', '"User"(id)']],
      ['an alias', 'SELECT u.id, p.title FROM users u JOIN posts p ON p.user_id = u.id',
        ['users(id)', 'posts(user_id, title)']],
      ['an alias with AS', 'SELECT u.id FROM users AS u', ['users(id)']],
      ['an alias in quotes', 'SELECT "order".id FROM users "order"', ['users(id)']],
      ['an alias that is another table', 'SELECT users.title FROM posts users', ['posts(title)']],
      ['a table’s own name', 'SELECT users.id FROM users', ['users(id)']],
      ['one table under two aliases', 'SELECT a.id, b.name FROM users a, users b', ['users(id, name)']],
      ['commas', 'SELECT u.id, t.name FROM users u, tags t WHERE t.post_id = 1',
        ['users(id)', 'tags(post_id, name)']],
      ['USING', 'SELECT p.title FROM posts p JOIN users u USING (id)', ['posts(id, title)', 'users(id)']],
      ['a schema', 'SELECT b.post_id FROM polis.ballots b', ['polis.ballots(post_id)']],
      ['a schema before the column', 'SELECT polis.ballots.id FROM polis.ballots', ['polis.ballots(id)']],
      ['a table of the same name elsewhere', 'SELECT body FROM polis.posts', ['polis.posts(body)']],
      ['without a schema, what the search_path leads to', 'SELECT title FROM posts', ['posts(title)']],
      ['a sub-select', 'SELECT (SELECT max(v.value) FROM "userVotes" v WHERE v."postId" = p.id) AS n FROM posts p',
        ['"userVotes"("postId", value)', 'posts(id)']],
      ['EXISTS without columns', 'SELECT p.id FROM posts p WHERE NOT EXISTS (SELECT FROM tags t WHERE t.post_id = p.id)',
        ['posts(id)', 'tags(post_id)']],
      ['LATERAL', 'SELECT u.id, x.n FROM users u CROSS JOIN LATERAL (SELECT count(*) AS n FROM posts p WHERE p.user_id = u.id) x',
        ['users(id)', 'posts(user_id)']],
      ['UNION', 'SELECT id FROM users UNION ALL SELECT post_id FROM tags', ['users(id)', 'tags(post_id)']],
      ['NATURAL JOIN', 'SELECT t.name FROM tags t NATURAL JOIN posts p', ['tags(id, name)', 'posts(id)']],
      ['an alias of a join', 'SELECT j.title FROM (users u JOIN posts p ON p.user_id = u.id) AS j',
        ['users(id)', 'posts(user_id, title)']],
      ['new names for columns', 'SELECT a, u.b FROM users u (a, b)', ['users(id, name)']],
      ['ORDER BY an output column', 'SELECT u.id AS email FROM users u ORDER BY email', ['users(id)']],
      ['ORDER BY an input column', 'SELECT u.id FROM users u ORDER BY email', ['users(id, email)']],
      ['a name of the SELECT around it', 'SELECT id FROM users WHERE EXISTS (SELECT FROM tags WHERE post_id = email::int)',
        ['users(id, email)', 'tags(post_id)']],
      ['WITH RECURSIVE', 'WITH RECURSIVE up AS (SELECT id FROM tags UNION SELECT t.post_id FROM tags t JOIN up ON up.id = t.id) SELECT id FROM up',
        ['tags(id, post_id)']],
      ['a parameter', 'SELECT id FROM users WHERE name = ANY (:names::text[])', ['users(id, name)']],
      ['a CTE', 'WITH writers AS (SELECT user_id FROM posts) SELECT w.user_id FROM writers w', ['posts(user_id)']],
      ['a CTE called like its table', 'WITH posts AS (SELECT title FROM posts) SELECT title FROM posts', ['posts(title)']],
      ['*', 'SELECT * FROM tags', ['tags(id, post_id, name)']],
      ['* of one of two', 'SELECT t.*, p.title FROM tags t JOIN posts p ON true', ['tags(id, post_id, name)', 'posts(title)']],
      ['* of both', 'SELECT * FROM tags t JOIN seen s ON s.id = t.post_id', ['tags(id, post_id, name)', 'seen(id, title)']],
      ['count(*)', 'SELECT p.status, count(*) AS n FROM posts p GROUP BY p.status', ['posts(status)']],
      ['a product', 'SELECT v.value * 2 AS value FROM "userVotes" v', ['"userVotes"(value)']],
      ['a name that is only given', 'SELECT u.id AS email FROM users u', ['users(id)']],
      ['a cast', 'SELECT CAST(u.id AS text), u.created_at::date FROM users u', ['users(id, created_at)']],
      ['comments', 'SELECT id -- email\n FROM users /* name, created_at */', ['users(id)']],
      ['strings', `SELECT id, 'email' || $$name$$ AS x FROM users`, ['users(id)']],
      ['a view', 'SELECT s.title FROM seen s', ['seen(title)']],
      ['a partitioned table', 'SELECT n FROM days', ['days(n)']],
      ['FILTER and windows', 'SELECT count(*) FILTER (WHERE p.status = \'x\') OVER (PARTITION BY p.user_id) AS n FROM posts p',
        ['posts(user_id, status)']],
      ['IS DISTINCT FROM', 'SELECT p.id FROM posts p WHERE p.title IS DISTINCT FROM p.status', ['posts(id, title, status)']],
      ['extract', 'SELECT extract(epoch FROM p.created_at) AS s, p.id FROM posts p', ['posts(id, created_at)']],
      ['no table at all', 'SELECT 1 AS id', []],
      ['DISTINCT *', 'SELECT DISTINCT * FROM tags', ['tags(id, post_id, name)']],
      ['a comma behind a join', 'SELECT u.id, t.name FROM users u JOIN posts p ON p.user_id = u.id, tags t',
        ['users(id)', 'posts(user_id)', 'tags(name)']],
      ['a join in brackets', 'SELECT u.id, p.title FROM (users u JOIN posts p ON p.user_id = u.id)',
        ['users(id)', 'posts(user_id, title)']],
      ['a whole row', 'SELECT to_json(t) AS it FROM tags t', ['tags(id, post_id, name)']],
    ] as [string, string, string[]][])('%s', (_, sql, lines) => promise(sql, lines))

    test.each([
      ['a table that is only counted', 'SELECT count(*) AS n FROM tags'],
      ['a table that only needs to have rows', 'SELECT u.id FROM users u WHERE EXISTS (SELECT 1 FROM tags)'],
    ])('%s', async (_, sql) => {
      await enough(database, await proposeRequires([sql], catalog), [sql.replaceAll(/(?<!:):\w+/g, 'NULL')])
    })

    test('a table that is not there is not proposed', async () => {
      expect(await proposed('SELECT id, x FROM absent JOIN polis.absent ON true')).toEqual([])
      expect(await proposed('SELECT id FROM ballots')).toEqual([])
      expect(await proposed('SELECT id FROM "Users"')).toEqual([])
    })

    test('a name that two tables share is taken for both', async () => {
      expect(
        await proposed('SELECT title FROM posts JOIN users ON user_id = users.id WHERE created_at IS NULL'),
      ).toEqual(['posts(user_id, title, created_at)', 'users(id, created_at)'])
    })

    test('are one line a table over all sections, and can be put into the mapping', async () => {
      const sections = new Map([
        ['users', 'SELECT id, "createdAt" FROM users'],
        ['votes', 'SELECT v."postId" FROM "userVotes" v JOIN users u ON u.id = v."userId" WHERE u.email IS NULL'],
        ['comments', 'SELECT 1 FROM polis.ballots b WHERE b.id = 1'],
      ])
      const lines = await proposeRequires([...sections.values()], catalog)
      expect(lines.map(({ table }) => table)).toEqual(['users', '"userVotes"', 'polis.ballots'])
      expect(new Set(lines[0]?.columns)).toEqual(new Set(['id', 'email', '"createdAt"']))
      const text = [
        ...lines.map(({ table, columns }) => `-- requires ${table}(${columns.join(', ')})`),
        readFileSync(packagePath('src', 'source', 'mapping', 'template.sql'), 'utf8').replace('NAME', 'mine'),
      ].join('\n')
      expect(parseMappingFile('mine.sql', text).requires).toEqual(lines)
    })
  })

  describe.each(builtInMappings())('for the built-in mapping %s', (platform) => {
    const { file: ofEveryVersion } = openMapping(platform)
    const types = { int: '1', bigint: '1', uuid: UUID, boolean: 'true', text: 'x', 'text[]': 'x', identifier: TENANT }
    const given = Object.fromEntries(ofEveryVersion.params.map(({ name, type }) => [name, types[type]]))
    /** As the schema's version reads it. */
    let fitted: FittedMapping
    let proposal: MappingRequires[]
    let catalog: CatalogTable[]
    const columnsOf = (requires: readonly MappingRequires[]): string[] =>
      requires.flatMap(({ table, columns }) => columns.map((name) => `${tableName(table).name}.${foldedName(name)}`))
    beforeAll(async () => {
      await postgres().createDatabase(platform)
      const path = platform === 'native' ? ['src', 'source', 'mapping', 'built-in'] : ['test', 'platforms']
      await postgres().psql(readFileSync(packagePath(...path, platform, 'schema.sql'), 'utf8'), platform)
      catalog = await catalogOf(platform)
      const values = paramValues(ofEveryVersion, given, {})
      const selects = withFilledNeeds(ofEveryVersion.selects, namesOf(values))
      fitted = fitting({ ...ofEveryVersion, selects }, catalog)
      proposal = await proposeRequires([...fitted.sections.values()], catalog)
    })

    test('are enough for the server to run its sections', async () => {
      await enough(platform, proposal, fitting(loadMapping(platform, given), catalog).sections.values())
    })

    test('hold what its own lines name, which is no more than its sections and choices read', async () => {
      const there = new Set(catalog.flatMap(({ name, columns }) => columns.map((column) => `${name}.${column.name}`)))
      const own = columnsOf(ofEveryVersion.requires).filter((column) => there.has(column))
      const all = await proposeRequires([...fitted.sections.values(), ...fitted.choices.values()], catalog)
      expect(columnsOf(all).sort()).toEqual(own.sort())
      const schema = ofEveryVersion.params.find(({ type }) => type === 'identifier')?.name
      const filled = (sql: string): string =>
        sql.replaceAll(/(?<!:):(\w+)/g, (_, name: string) => (name === schema ? TENANT : 'NULL'))
      await enough(platform, all, [...fitted.choices.values()].map(filled))
    })
  })
})
