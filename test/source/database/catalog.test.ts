// What the server's catalogue says to a role: decided by a real server.
import { escapeIdentifier, Client } from 'pg'
import { afterEach, beforeAll, beforeEach, describe, expect, onTestFinished, test } from 'vitest'
import { readCatalog, tableText, type CatalogTable } from '../../../src/source/database/catalog.ts'
import { catalogTable } from '../../support/catalog-table.ts'
import { describeWithPostgres } from '../../support/postgres.ts'

describe('a table is written as the session needs it', () => {
  test.each([
    ['public', 'users', true, 'users'],
    ['polis', 'votes', false, 'polis.votes'],
    ['public', 'userVotes', true, '"userVotes"'],
    ['My Polis', 'a"b', false, '"My Polis"."a""b"'],
  ])('%s.%s, visible: %s', (schema, name, visible, text) => {
    expect(tableText(catalogTable({ schema, name, visible }))).toBe(text)
  })
})

describeWithPostgres('the catalogue', (postgres) => {
  let admin: Client
  let reader: Client
  let database: string
  let databases = 0
  const connectAs = async (user: string): Promise<Client> => {
    const client = new Client({ host: '127.0.0.1', port: postgres().port, user, database })
    await client.connect()
    return client
  }

  beforeAll(() => postgres().psql('CREATE ROLE reader LOGIN; CREATE ROLE trusted LOGIN BYPASSRLS;'))
  beforeEach(async () => {
    database = `catalog_${++databases}`
    await postgres().createDatabase(database)
    admin = await connectAs('postgres')
    reader = await connectAs('reader')
  })
  afterEach(async () => {
    await admin.end()
    await reader.end()
  })

  const one = async (client: Client, name: string): Promise<CatalogTable | undefined> => {
    const found = await readCatalog(client, [name])
    expect(found.length).toBeLessThanOrEqual(1)
    return found[0]
  }
  const readable = (table: CatalogTable | undefined): string[] | undefined =>
    table?.columns.filter((column) => column.readable).map(({ name }) => name)

  test('of an empty database is empty; the server’s own tables are never in it', async () => {
    expect(await readCatalog(reader, null)).toEqual([])
    expect(await readCatalog(admin, ['pg_class', 'columns', 'tables'])).toEqual([])
  })

  test('is not asked where nothing is looked up: a role that may not ask it needs no requires lines', async () => {
    await admin.query('REVOKE EXECUTE ON FUNCTION pg_table_is_visible(oid) FROM PUBLIC')
    await expect(readCatalog(reader, ['votes'])).rejects.toThrow('permission denied for function pg_table_is_visible')
    expect(await readCatalog(reader, [])).toEqual([])
  })

  test('has the columns in the table’s order with their types, without those that were dropped', async () => {
    await admin.query(`
      CREATE TYPE mood AS ENUM ('fine');
      CREATE TABLE "userVotes" (id bigint, gone int, "createdAt" timestamptz(3), name varchar(30), tags text[], m mood);
      ALTER TABLE "userVotes" DROP COLUMN gone;
      CREATE TABLE nothing ()`)
    expect((await one(reader, 'nothing'))?.columns).toEqual([])
    expect((await one(reader, 'userVotes'))?.columns).toEqual([
      { name: 'id', type: 'bigint', readable: false },
      { name: 'createdAt', type: 'timestamp(3) with time zone', readable: false },
      { name: 'name', type: 'character varying(30)', readable: false },
      { name: 'tags', type: 'text[]', readable: false },
      { name: 'm', type: 'mood', readable: false },
    ])
  })

  test('has everything that can be read with FROM, and nothing else', async () => {
    await admin.query(`
      CREATE TABLE plain (id int PRIMARY KEY);
      CREATE TABLE parted (id int) PARTITION BY RANGE (id);
      CREATE TABLE parted_1 PARTITION OF parted FOR VALUES FROM (1) TO (9);
      CREATE VIEW seen AS SELECT id FROM plain;
      CREATE MATERIALIZED VIEW kept AS SELECT id FROM plain;
      CREATE SEQUENCE counter;
      CREATE TYPE pair AS (a int, b int);
      CREATE FOREIGN DATA WRAPPER nowhere; CREATE SERVER far FOREIGN DATA WRAPPER nowhere;
      CREATE FOREIGN TABLE remote (id int) SERVER far;`)
    const found = await readCatalog(reader, null)
    expect(found.map(({ name }) => name)).toEqual(['kept', 'parted', 'parted_1', 'plain', 'remote', 'seen'])
    expect(found.filter(({ isPartition }) => isPartition).map(({ name }) => name)).toEqual(['parted_1'])
  })

  test('is by schema and name, and by the names that are asked for', async () => {
    await admin.query(`
      CREATE SCHEMA polis; CREATE SCHEMA "Archive";
      CREATE TABLE votes (a int); CREATE TABLE polis.votes (b int); CREATE TABLE "Archive".votes (c int);
      CREATE TABLE users (id int); CREATE TABLE "Users" (id int);`)
    const of = async (names: string[] | null): Promise<string[]> =>
      (await readCatalog(admin, names)).map(({ schema, name }) => `${schema}.${name}`)
    expect(await of(['votes'])).toEqual(['Archive.votes', 'polis.votes', 'public.votes'])
    expect(await of(['votes', 'users', 'absent'])).toEqual([
      'Archive.votes',
      'polis.votes',
      'public.users',
      'public.votes',
    ])
    expect(await of(['Users'])).toEqual(['public.Users'])
    expect(await of([])).toEqual([])
    expect(await of(null)).toHaveLength(5)
  })

  // prettier-ignore
  test.each([
    `it's`, `'; DROP TABLE x; --`, `a\\`, `say "hi"`, 'two\nlines', 'ünï 文 😀', 'x'.repeat(63),
    ':names', ' ', '%_', '{users}', '{x}',
  ])('finds a table called %j', async (name) => {
    await admin.query(`CREATE TABLE ${escapeIdentifier(name)} (${escapeIdentifier(name)} int)`)
    expect(await one(reader, name)).toMatchObject({ name, columns: [{ name }] })
  })

  describe('says of the role', () => {
    test('which columns it may read: those that are granted, those of a granted table, those granted to everybody', async () => {
      await admin.query(`
        CREATE TABLE users (id int, "createdAt" int, email text); CREATE TABLE tags (id int, name text);
        CREATE TABLE open (id int); CREATE TABLE secrets (id int); CREATE VIEW seen AS SELECT id, email FROM users;
        GRANT SELECT (id, "createdAt") ON users TO reader; GRANT SELECT ON tags TO reader;
        GRANT SELECT ON open TO PUBLIC; GRANT INSERT, UPDATE, DELETE ON secrets TO reader;
        GRANT SELECT (email) ON seen TO reader;`)
      expect(
        Object.fromEntries((await readCatalog(reader, null)).map((table) => [table.name, readable(table)])),
      ).toEqual({ users: ['id', 'createdAt'], tags: ['id', 'name'], open: ['id'], secrets: [], seen: ['email'] })
      expect(readable(await one(admin, 'secrets'))).toEqual(['id'])
    })

    test('whether the search_path leads to a table, as far as it may use the schemas', async () => {
      await admin.query('CREATE SCHEMA polis; CREATE TABLE polis.votes (id int); CREATE TABLE users (id int)')
      expect(await one(reader, 'users')).toMatchObject({ schema: 'public', visible: true, usable: true })
      expect(await one(reader, 'votes')).toMatchObject({ schema: 'polis', visible: false, usable: false })
      await reader.query('SET search_path = polis, public')
      expect(await one(reader, 'votes')).toMatchObject({ visible: false, usable: false })
      await admin.query('GRANT USAGE ON SCHEMA polis TO reader')
      expect(await one(reader, 'votes')).toMatchObject({ visible: true, usable: true })
      await reader.query('SET search_path = public')
      expect(await one(reader, 'votes')).toMatchObject({ visible: false, usable: true })
    })

    test('which of two tables of a name it would read', async () => {
      await admin.query(`
        CREATE SCHEMA polis; GRANT USAGE ON SCHEMA polis TO reader;
        CREATE TABLE polis.votes (id int); CREATE TABLE votes (id int)`)
      const visible = async (): Promise<string[]> =>
        (await readCatalog(reader, ['votes'])).filter((table) => table.visible).map(({ schema }) => schema)
      expect(await visible()).toEqual(['public'])
      await reader.query('SET search_path = polis, public')
      expect(await visible()).toEqual(['polis'])
      await reader.query(`SET search_path = ''`)
      expect(await visible()).toEqual([])
    })

    test('whether row security hides rows: from neither owner nor BYPASSRLS, unless it is forced on the owner', async () => {
      await admin.query(`
        CREATE TABLE ideas (id int); ALTER TABLE ideas ENABLE ROW LEVEL SECURITY; GRANT SELECT ON ideas TO PUBLIC;
        CREATE TABLE votes (id int); CREATE POLICY unused ON votes USING (false); GRANT SELECT ON votes TO PUBLIC;
        CREATE TABLE mine (id int); ALTER TABLE mine ENABLE ROW LEVEL SECURITY; ALTER TABLE mine OWNER TO reader;
        CREATE TABLE forced (id int); ALTER TABLE forced ENABLE ROW LEVEL SECURITY; ALTER TABLE forced OWNER TO reader;
        ALTER TABLE forced FORCE ROW LEVEL SECURITY;`)
      const trusted = await connectAs('trusted')
      try {
        const secured = async (client: Client): Promise<string[]> =>
          (await readCatalog(client, null)).filter((table) => table.rowSecurity).map(({ name }) => name)
        for (const setting of ['on', 'off']) {
          for (const client of [reader, trusted, admin]) await client.query(`SET row_security = ${setting}`)
          expect(await secured(reader)).toEqual(['forced', 'ideas'])
          expect(await secured(trusted)).toEqual([])
          expect(await secured(admin)).toEqual([])
        }
      } finally {
        await trusted.end()
      }
    })
  })

  test('knows how many rows were counted', async () => {
    await admin.query('CREATE TABLE votes AS SELECT n AS id FROM generate_series(1, 1000) n')
    expect(await one(reader, 'votes')).toMatchObject({ rows: 0 })
    await admin.query('ANALYZE votes')
    expect(await one(reader, 'votes')).toMatchObject({ rows: 1000 })
  })

  test('is read without waiting while another session changes a table, and says what is committed', async () => {
    await admin.query('CREATE TABLE votes (id int); CREATE TABLE users (id int)')
    const other = await connectAs('postgres')
    onTestFinished(() => other.end())
    await other.query('BEGIN; LOCK TABLE votes IN ACCESS EXCLUSIVE MODE; ALTER TABLE votes ADD COLUMN value int')
    await reader.query('SET lock_timeout = 300')
    expect((await one(reader, 'votes'))?.columns.map(({ name }) => name)).toEqual(['id'])
    expect(await readCatalog(reader, null)).toHaveLength(2)
    await other.query('COMMIT')
    expect((await one(reader, 'votes'))?.columns.map(({ name }) => name)).toEqual(['id', 'value'])
  })
})
