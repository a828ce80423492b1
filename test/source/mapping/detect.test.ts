// Telling platforms by their tables: each built-in mapping against its own platform's schema on a real server, as a role
// sees it that may read nothing.
import { readFileSync } from 'node:fs'
import { Client } from 'pg'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { packagePath } from '../../../src/process/package-root.ts'
import { readCatalog } from '../../../src/source/database/catalog.ts'
import { templateByTables } from '../../../src/source/mapping/template.ts'
import { builtInMappings, openMapping } from '../../../src/source/mapping/mapping.ts'
import { isMatch, detectPlatform, type PlatformMatch } from '../../../src/source/mapping/detect.ts'
import { describeWithPostgres } from '../../support/postgres.ts'

const BUILT_IN = builtInMappings()
const FILES = BUILT_IN.map((name) => openMapping(name).file)
const schemaOf = (platform: string): string =>
  readFileSync(
    platform === 'native'
      ? packagePath('src', 'source', 'mapping', 'built-in', 'native', 'schema.sql')
      : packagePath('test', 'platforms', platform, 'schema.sql'),
    'utf8',
  )

describe('a database looks like a platform', () => {
  const like = (tables: [number, number], columns: [number, number]): PlatformMatch => ({
    name: 'x',
    tables: { found: tables[0], of: tables[1] },
    columns: { found: columns[0], of: columns[1] },
    missing: [],
    schemas: new Map(),
  })
  test.each([
    ['with everything', like([3, 3], [20, 20]), true],
    ['with three quarters of the columns', like([3, 3], [15, 20]), true],
    ['not with fewer', like([3, 3], [14, 20]), false],
    ['not without a table, however many columns there are', like([2, 3], [19, 20]), false],
    ['not when its mapping requires nothing', like([0, 0], [0, 0]), false],
  ])('%s', (_, matchOf, expected) => {
    expect(isMatch(matchOf)).toBe(expected)
  })
})

describeWithPostgres('recognising', (postgres) => {
  /** Changes the database and is rolled back. */
  let admin: Client
  beforeAll(() => postgres().psql('CREATE ROLE nobody_special LOGIN'))
  const connectTo = async (database: string, user: string): Promise<Client> => {
    const client = new Client({ host: '127.0.0.1', port: postgres().port, user, database })
    await client.connect()
    return client
  }
  const likenesses = async (client: Client): Promise<PlatformMatch[]> =>
    detectPlatform(FILES, await readCatalog(client, null))

  describe.each(BUILT_IN)('%s', (platform) => {
    const required = openMapping(platform).file.requires.filter(({ optional }) => !optional)
    const columns = required.flatMap((line) => line.columns.map((column) => ({ table: line.table, column })))
    /** The table of each tenant, where each has a schema; the first is the one that is taken for the tenant's. */
    let schemas: string[]
    const everywhere = (table: string): string[] =>
      table.startsWith(':') ? schemas.map((schema) => table.replace(/^:\w+/, schema)) : [table]

    beforeAll(async () => {
      await postgres().createDatabase(platform)
      await postgres().psql(schemaOf(platform), platform)
      admin = await connectTo(platform, 'postgres')
      const { rows } = await admin.query<{ schemas: string[] }>(
        `SELECT array_agg(DISTINCT schemaname::text ORDER BY schemaname::text) AS schemas FROM pg_tables
          WHERE schemaname NOT LIKE 'pg\\_%' AND schemaname <> 'information_schema'`,
      )
      schemas = rows[0]?.schemas ?? []
    })
    afterAll(() => admin.end())

    /** What a change makes of the database, as seen in the transaction that is then rolled back. */
    const after = async <T>(change: string, look: () => Promise<T>): Promise<T> => {
      await admin.query('BEGIN')
      try {
        await admin.query(change)
        return await look()
      } finally {
        await admin.query('ROLLBACK')
      }
    }

    test('is told from all others, with nothing missing, by a role that may read nothing', async () => {
      const reader = await connectTo(platform, 'nobody_special')
      try {
        const [best, ...others] = await likenesses(reader)
        expect(best).toEqual({
          name: platform,
          tables: { found: new Set(required.map(({ table }) => table)).size, of: expect.any(Number) as number },
          columns: { found: columns.length, of: columns.length },
          missing: [],
          schemas: expect.any(Map) as unknown,
        })
        expect(best?.tables.found).toBe(best?.tables.of)
        expect(others.filter(isMatch)).toEqual([])
        expect(templateByTables(await readCatalog(reader, null))).toMatchObject({
          name: platform,
          text: openMapping(platform).text,
        })
      } finally {
        await reader.end()
      }
    })

    test('is recognised, and what is not there is named, without any one of its columns', async () => {
      for (const { table, column } of columns) {
        const drop = everywhere(table)
          .map((one) => `ALTER TABLE ${one} DROP COLUMN ${column} CASCADE`)
          .join(';')
        const [template, best] = await after(drop, async () => [
          templateByTables(await readCatalog(admin, null)),
          (await likenesses(admin))[0],
        ])
        const missing = `${everywhere(table)[0]}.${column}`
        expect(best).toMatchObject({ name: platform, missing: [missing] })
        expect(best?.columns).toEqual({ found: columns.length - 1, of: columns.length })
        expect(template.name).toBe(platform)
        expect(template.why).toContain(`not there: ${missing}; an older version?`)
      }
    })

    test('is not recognised without a whole table, and only the table is named', async () => {
      for (const table of new Set(required.map((line) => line.table))) {
        const [template, all] = await after(`DROP TABLE ${everywhere(table).join(', ')} CASCADE`, async () => [
          templateByTables(await readCatalog(admin, null)),
          await likenesses(admin),
        ])
        const here = all.find(({ name }) => name === platform)
        expect(here?.missing).toEqual([everywhere(table)[0]])
        expect(here && isMatch(here)).toBe(false)
        expect(template.name).toBe('my-platform')
      }
    })

    test('is detected by views in place of its tables, among other tables, and only through the search_path', async () => {
      const tables = [...new Set(required.map((line) => line.table).filter((table) => !table.startsWith(':')))]
      const views = tables
        .map((table) => `CREATE VIEW ${table} AS SELECT * FROM real.${table.replace(/.*\./, '')};`)
        .join('\n')
      const moved = `ALTER SCHEMA public RENAME TO real; CREATE SCHEMA public; SET LOCAL search_path = public`
      const names = await after(`${moved}; CREATE TABLE "Stranger" (id int); ${views}`, async () =>
        (await likenesses(admin)).filter(isMatch).map(({ name }) => name),
      )
      expect(names).toEqual([platform])
      expect(await after(moved, async () => templateByTables(await readCatalog(admin, null)).name)).toBe('my-platform')
    })
  })

  describe('what is no known platform gets the template:', () => {
    test.each([
      ['an empty database', 'SELECT 1'],
      [
        'a shop',
        `CREATE TABLE users (id int, email text, created_at timestamptz); CREATE TABLE orders (id int, user_id int);
         CREATE TABLE comments (id int, user_id int, created_at timestamptz); CREATE TABLE categories (id int, name text)`,
      ],
      ['tables without columns', ['users', 'posts', 'boards', 'votes'].map((t) => `CREATE TABLE ${t} ()`).join(';')],
      ['the same names, capitals lost', schemaOf('logchimp').replaceAll('"', '')],
      [
        'the same names, quoted in capitals',
        schemaOf('native').replaceAll(/(CREATE TABLE|REFERENCES) (\w+)/g, '$1 "$2S"'),
      ],
    ])('%s', async (name, sql) => {
      await postgres().createDatabase(name)
      await postgres().psql(sql, name)
      const reader = await connectTo(name, 'nobody_special')
      try {
        const catalog = await readCatalog(reader, null)
        expect(detectPlatform(FILES, catalog).filter(isMatch)).toEqual([])
        const template = templateByTables(catalog)
        expect(template).toMatchObject({ name: 'my-platform', params: [] })
        expect(template.why.join('\n')).toMatch(
          /^the template: the database looks like no platform .*; the nearest, \w+: /,
        )
      } finally {
        await reader.end()
      }
    })
  })

  test('of several schemas the one with most rows is proposed, and the others are listed', async () => {
    const seed = readFileSync(packagePath('test', 'platforms', 'govocal', 'seed.sql'), 'utf8')
    await postgres().createDatabase('sites')
    await postgres().psql(`${schemaOf('govocal')}\n${seed}\nDROP TABLE ideas_village_org.phases; ANALYZE`, 'sites')
    const client = await connectTo('sites', 'nobody_special')
    try {
      const template = templateByTables(await readCatalog(client, null))
      expect(template.params).toEqual(['--param tenant=ideas_town_org'])
      expect(template.why.at(-1)).toMatch(
        /^schemas with these tables, the likely one first: --param tenant=ideas_town_org \(about [1-9]\d rows\), --param tenant=public \(about 0 rows\)$/,
      )
    } finally {
      await client.end()
    }
  })

  test('the nearer of two comes first, and the other is named', async () => {
    await postgres().createDatabase('both')
    await postgres().psql(`${schemaOf('native')}\nCREATE TABLE tenants (id int, status int, is_private bool)`, 'both')
    const client = await connectTo('both', 'nobody_special')
    try {
      const [best, next] = await likenesses(client)
      expect(best?.name).toBe('native')
      expect(templateByTables(await readCatalog(client, null)).why).toEqual([
        'the database looks like native: 6 of 6 tables and 21 of 21 columns that its mapping reads',
        expect.stringMatching(new RegExp(`^the next nearest is ${next?.name}: \\d+ of \\d+ tables and \\d+ of \\d+ `)),
      ])
    } finally {
      await client.end()
    }
  })
})
