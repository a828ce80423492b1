// Telling platforms by their tables: each built-in mapping against its own platform's schema on a real server, as a role
// sees it that may read nothing: template.ts.
// long test: a database for each platform and likeness
import { readFileSync } from 'node:fs'
import { Client } from 'pg'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { packagePath } from '../../../src/process/package-root.ts'
import { readCatalog, type CatalogTable } from '../../../src/source/database/catalog.ts'
import {
  templateByTables,
  type MappingTemplate,
  isMatch,
  detectPlatform,
  type PlatformMatch,
} from '../../../src/source/mapping/template.ts'
import { parseMappingFile } from '../../../src/source/mapping/file-format.ts'
import { builtInMappings, openMapping } from '../../../src/source/mapping/mapping.ts'
import { describeWithPostgres } from '../../support/postgres.ts'
import { as, inSession } from '../../support/session.ts'

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
  const like = (
    tables: [number, number],
    columns: [number, number],
    telling: [number, number],
    name = 'x',
  ): PlatformMatch => ({
    name,
    tables: { found: tables[0], of: tables[1] },
    columns: { found: columns[0], of: columns[1] },
    telling: { found: telling[0], of: telling[1] },
    missing: [],
    schemas: new Map(),
  })
  test.each([
    ['with everything', like([3, 3], [20, 20], [4, 4]), true],
    ['with every table and three quarters of the columns', like([3, 3], [15, 20], [0, 4]), true],
    ['not with fewer, if none of them tells which platform it is', like([3, 3], [14, 20], [1, 4]), false],
    ['with fewer, if half of those are there that tell it', like([3, 3], [12, 20], [2, 4]), true],
    ['not with too few', like([3, 3], [11, 20], [4, 4]), false],
    ['without a third of the tables', like([4, 6], [15, 20], [2, 4]), true],
    ['not without more of them', like([3, 6], [15, 20], [2, 4]), false],
    ['not without a table, if what is there could be anything', like([5, 6], [19, 20], [1, 4]), false],
    ['not without a table, if nothing tells it', like([5, 6], [19, 20], [0, 0]), false],
    ['not without a table of our own', like([5, 6], [19, 20], [2, 2], 'native'), false],
    ['not when its mapping requires nothing', like([0, 0], [0, 0], [0, 0]), false],
  ])('%s', (_, matchOf, expected) => {
    expect(isMatch(matchOf)).toBe(expected)
  })
})

describeWithPostgres('recognising', (postgres) => {
  /** Changes the database and is rolled back. */
  let admin: Client
  beforeAll(() => postgres().psql('CREATE ROLE nobody_special LOGIN'))
  const likenesses = async (client: Client): Promise<PlatformMatch[]> =>
    detectPlatform(FILES, await readCatalog(client, null))
  /** As a role sees it that may read nothing. */
  const catalogOf = (database: string): Promise<CatalogTable[]> =>
    inSession(as('nobody_special', postgres().url(database)), (reader) => readCatalog(reader, null))
  const made = async (database: string, sql: string): Promise<CatalogTable[]> => {
    await postgres().createDatabase(database)
    await postgres().psql(sql, database)
    return catalogOf(database)
  }

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
      admin = new Client(postgres().url(platform))
      await admin.connect()
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
      const catalog = await catalogOf(platform)
      const [best, ...others] = detectPlatform(FILES, catalog)
      expect(best).toEqual({
        name: platform,
        tables: { found: new Set(required.map(({ table }) => table)).size, of: expect.any(Number) as number },
        columns: { found: columns.length, of: columns.length },
        telling: expect.any(Object) as unknown,
        missing: [],
        schemas: expect.any(Map) as unknown,
      })
      expect(best?.tables.found).toBe(best?.tables.of)
      expect(others.filter(isMatch)).toEqual([])
      expect(templateByTables(catalog)).toMatchObject({ name: platform, text: openMapping(platform).text })
    })

    /** What init says after a change, and all platforms that it may be. */
    const seenAfter = (change: string): Promise<{ template: MappingTemplate; matches: PlatformMatch[] }> =>
      after(change, async () => {
        const catalog = await readCatalog(admin, null)
        return { template: templateByTables(catalog), matches: detectPlatform(FILES, catalog).filter(isMatch) }
      })

    test('is recognised, and what is not there is named, without any one of its columns', async () => {
      for (const { table, column } of columns) {
        const drop = everywhere(table)
          .map((one) => `ALTER TABLE ${one} DROP COLUMN ${column} CASCADE`)
          .join(';')
        const { template, matches } = await seenAfter(drop)
        const name = `${everywhere(table)[0]}.${column}`
        expect(matches.map((one) => [one.name, one.missing])).toEqual([[platform, [name]]])
        expect(matches[0]?.columns).toEqual({ found: columns.length - 1, of: columns.length })
        expect(template).toMatchObject({ name: platform, edit: false, missing: [name] })
        expect(template.why[0]).toContain(`the database looks like ${platform}, an older or newer version: `)
        expect(template.why).toContain(`not there: ${name}`)
        expect(() => parseMappingFile('copy', template.text)).not.toThrow()
        expect(template.text).toContain(`that names it:\n--   ${name}\n`)
      }
    })

    test('is recognised, and the table is named, without any one of its tables', async () => {
      for (const table of new Set(required.map((line) => line.table))) {
        const { template, matches } = await seenAfter(`DROP TABLE ${everywhere(table).join(', ')} CASCADE`)
        if (platform === 'native') {
          expect(matches).toEqual([])
          expect(template.name).toBe('my-platform')
          continue
        }
        const name = everywhere(table)[0] ?? ''
        expect(matches.map((one) => [one.name, one.missing])).toEqual([[platform, [name]]])
        expect(template).toMatchObject({ name: platform, edit: false })
        expect(template.why.join('\n')).toContain(`\nnot there: ${name}`)
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
      // The schemas of sites are found by what is in them, wherever the search_path leads.
      const hasSchemas = required.some(({ table }) => table.startsWith(':'))
      expect(await after(moved, async () => templateByTables(await readCatalog(admin, null)).name)).toBe(
        hasSchemas ? platform : 'my-platform',
      )
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
      [
        'a service for many customers, with posts, tags of posts and votes for posts',
        `CREATE TABLE tenants (id int, name text, subdomain text, status int, created_at timestamptz);
         CREATE TABLE users (id int, tenant_id int, status int, email text, created_at timestamptz);
         CREATE TABLE posts (id int, tenant_id int, slug text, title text, status int, user_id int, created_at timestamptz);
         CREATE TABLE post_tags (tenant_id int, post_id int, tag_id int); CREATE TABLE tags (id int, tenant_id int, name text);
         CREATE TABLE votes_of_posts (tenant_id int, post_id int, user_id int, created_at timestamptz);
         CREATE TABLE comments (id int, tenant_id int, post_id int, user_id int, created_at timestamptz, deleted_at timestamptz)`,
      ],
      ['tables without columns', ['users', 'posts', 'boards', 'votes'].map((t) => `CREATE TABLE ${t} ()`).join(';')],
      ['the same names, capitals lost', schemaOf('logchimp').replaceAll('"', '')],
      [
        'the same names, quoted in capitals',
        schemaOf('native').replaceAll(/(CREATE TABLE|REFERENCES) (\w+)/g, '$1 "$2S"'),
      ],
    ])('%s', async (name, sql) => {
      const catalog = await made(name.replaceAll(',', ''), sql)
      expect(detectPlatform(FILES, catalog).filter(isMatch)).toEqual([])
      const template = templateByTables(catalog)
      expect(template).toMatchObject({ name: 'my-platform', params: [] })
      expect(template.why.join('\n')).toMatch(
        /^the template: the database looks like no platform that is built in(?:$|; the nearest, \w+: [1-9])/,
      )
    })
  })

  test('of several schemas the one with most rows is proposed', async () => {
    const seed = readFileSync(packagePath('test', 'platforms', 'govocal', 'seed.sql'), 'utf8')
    const lacking = `${schemaOf('govocal')}\n${seed}\nDROP TABLE ideas_village_org.phases; ANALYZE`
    const template = templateByTables(await made('sites', lacking))
    expect(template.params).toEqual(['--param tenant=ideas_town_org'])
  })

  test('Discourse with Topic Voting before July 2024 lacks nothing', async () => {
    const renamed = (what: string): string => `ALTER TABLE topic_voting_${what} RENAME TO discourse_voting_${what};`
    const older = `${schemaOf('discourse')};${renamed('votes')}${renamed('category_settings')}`
    expect(templateByTables(await made('older', older))).toMatchObject({ name: 'discourse', missing: [] })
  })

  test('the nearer of two comes first', async () => {
    const both = `${schemaOf('native')}\nCREATE TABLE tenants (id int, status int, is_private bool)`
    const catalog = await made('both', both)
    expect(templateByTables(catalog).why).toEqual([
      'the database looks like native: 6 of 6 tables and 21 of 21 columns that its mapping reads',
    ])
  })
})
