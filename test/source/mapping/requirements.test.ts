// What a mapping requires against what the server has and lets the role read. Where a fix is SQL, running it fixes the
// matter: the server decides.
// long test: a database for each thing that is missing
import { escapeIdentifier, type Client } from 'pg'
import { beforeEach, describe, expect, test } from 'vitest'
import { findTable, readCatalog } from '../../../src/source/database/catalog.ts'
import type { Finding } from '../../../src/source/mapping/finding.ts'
import type { MappingRequires } from '../../../src/source/mapping/requires-line.ts'
import { openMapping } from '../../../src/source/mapping/mapping.ts'
import { findMissing, inOneLine, requiredTables } from '../../../src/source/mapping/requirements.ts'
import { describeWithPostgres } from '../../support/postgres.ts'
import { as, inSession } from '../../support/session.ts'

/** `users(id, "createdAt")`, and what follows in the mapping's line. */
const FIX =
  'is --source fider right here, with its parameters? analytics-build init, without a name, says what the database looks like. For another version of the platform change a copy (analytics-build init fider)'

const requires = (...lines: string[]): MappingRequires[] =>
  lines.map((line) => {
    const [, table = '', columns = '', optional] = /^(.+?)\((.*?)\)( where present)?(?: -- (.*))?$/.exec(line) ?? []
    return { table, columns: columns.split(', '), since: '', optional: optional !== undefined }
  })

test('the catalogue is asked for the names, without schemas, each once', () => {
  expect(requiredTables(requires('users(id)', 'Users(name)', 'polis.votes(id)', '"Post"(id)', 'users(x)'))).toEqual([
    'users',
    'votes',
    'Post',
  ])
})

describe('findings in one line', () => {
  const finding = (problem: string, fix: string): Finding => ({ level: 'error', about: 'requires', problem, fix })
  test.each([
    ['one', [finding('no a', 'add a')], 'no a; add a'],
    ['two of the same fix', [finding('no a', 'add'), finding('no b', 'add')], 'no a, no b; add'],
    ['two of two fixes', [finding('no a', 'add a'), finding('no b', 'add b')], 'no a; add a; no b; add b'],
    [
      'more',
      [finding('no a', 'add a;'), finding('no b', 'add b'), finding('no c', 'add a;'), finding('no d', 'add d')],
      'no a, no c; add a; and 2 more: analytics-build check lists them all',
    ],
    ['SQL', [finding('no a', 'GRANT a;'), finding('no b', 'GRANT b;')], 'no a; GRANT a; no b; GRANT b'],
  ])('%s', (_, findings, line) => {
    expect(inOneLine(findings)).toBe(line)
  })

  test('are the first few, also when no table of a large platform is there', () => {
    const findings = findMissing('decidim', openMapping('decidim').file.requires, {
      catalog: [],
      role: 'stats',
      rowSecurity: 'off',
    })
    expect(findings.length).toBe(11)
    const line = inOneLine(findings)
    expect(line).toContain('is --source decidim right here, with its parameters?')
    expect(line.match(/does not exist/g)?.length).toBeLessThanOrEqual(5)
  })
})

describeWithPostgres('what a mapping requires', (postgres) => {
  let database: string
  let role: string
  let cases = 0
  beforeEach(async () => {
    database = `requires_${++cases}`
    role = `stats ${cases}"`
    await postgres().createDatabase(database)
    await postgres().psql(`CREATE ROLE ${escapeIdentifier(role)} LOGIN`)
  })
  const admin = (sql: string): Promise<string> => postgres().psql(sql, database)
  const asRole = <T>(use: (client: Client) => Promise<T>): Promise<T> =>
    inSession(as(role, postgres().url(database)), use)
  const findings = (lines: readonly string[], rowSecurity: 'off' | 'apply' = 'off'): Promise<Finding[]> =>
    asRole(async (client) => {
      const required = requires(...lines)
      const catalog = await readCatalog(client, requiredTables(required))
      return findMissing('fider', required, { catalog, role, rowSecurity })
    })
  const problems = async (lines: readonly string[]): Promise<string[]> =>
    (await findings(lines)).map(({ problem }) => problem.replaceAll(role, 'ROLE'))

  /** Runs the fixes, round by round, until nothing is missing; then the role reads every column. */
  const applyFixes = async (lines: readonly string[]): Promise<string[]> => {
    const ran: string[] = []
    for (let round = 1; round <= 4; round++) {
      const found = await findings(lines)
      if (found.length === 0) break
      for (const { fix } of found) {
        expect(fix).toMatch(/^(GRANT|ALTER ROLE) .*;$/)
        await admin(fix)
        ran.push(fix.replaceAll(escapeIdentifier(role), 'ROLE'))
      }
    }
    expect(await findings(lines)).toEqual([])
    await asRole(async (client) => {
      for (const { table, columns } of requires(...lines))
        await client.query(`SELECT ${columns.join(', ')} FROM ${table}`)
    })
    return ran
  }

  test('and is there: nothing to say, of tables, views, partitioned tables, names in quotes and other schemas', async () => {
    await admin(`
      CREATE SCHEMA polis; GRANT USAGE ON SCHEMA polis TO PUBLIC;
      CREATE TABLE users (id int, email text); GRANT SELECT (id) ON users TO PUBLIC;
      CREATE VIEW ideas AS SELECT id, email FROM users; GRANT SELECT (id) ON ideas TO PUBLIC;
      CREATE TABLE votes (idea_id int) PARTITION BY RANGE (idea_id); GRANT SELECT ON votes TO PUBLIC;
      CREATE TABLE "userVotes" ("createdAt" int, "order" int); GRANT SELECT ON "userVotes" TO PUBLIC;
      CREATE TABLE polis."odd.""name" ("it's" int); GRANT SELECT ON polis."odd.""name" TO PUBLIC;`)
    const lines = [
      'users(id)',
      'USERS(ID)',
      'ideas(id)',
      'votes(idea_id)',
      'public.votes(idea_id)',
      '"userVotes"("createdAt", "order")',
      `polis."odd.""name"("it's")`,
    ]
    expect(await applyFixes(lines)).toEqual([])
  })

  test.each([
    ['table', ['boards(id)'], 'table boards does not exist'],
    ['table of a schema', ['polis.users(id)'], 'table polis.users does not exist'],
    ['table whose name is folded', ['"Users"(id)'], 'table "Users" does not exist'],
  ])('a %s that is not there', async (_, lines, problem) => {
    await admin('CREATE TABLE users (id int)')
    expect(await findings(lines)).toEqual([
      {
        level: 'error',
        about: 'requires',
        problem,
        fix: FIX,
      },
    ])
  })

  test('a table that several lines require is missed once', async () => {
    expect(await problems(['tags(id) -- v2', 'tags(color) -- v3', 'tags(icon) where present -- v4'])).toEqual([
      'table tags does not exist',
    ])
  })

  test('columns that are not there are missed together as their line has them, with their names as in SQL', async () => {
    await admin('CREATE TABLE posts (id int); GRANT SELECT ON posts TO PUBLIC')
    const known = ['response_date', 'tenant_id', 'merged_into', 'number']
    await admin(known.map((name) => `ALTER TABLE posts ADD ${name} int`).join(';'))
    const lines = [
      `posts(id, "createdAt", ${known.join(', ')})`,
      'posts(is_approved, slug) -- v9',
      'posts(icon) where present -- v10',
    ]
    expect(await findings(lines)).toEqual([
      { level: 'error', about: 'requires', problem: 'column posts."createdAt" does not exist', fix: FIX },
      {
        level: 'error',
        about: 'requires',
        problem: 'columns posts.is_approved, posts.slug do not exist',
        fix: FIX,
      },
    ])
  })

  describe('where present', () => {
    const lines = ['posts(id)', 'posts(level) where present', 'talks(id) where present']
    test('is not missed', async () => {
      await admin('CREATE TABLE posts (id int); GRANT SELECT ON posts TO PUBLIC')
      expect(await findings(lines)).toEqual([])
    })
    test('but must be readable', async () => {
      await admin(
        'CREATE TABLE posts (id int, level int); GRANT SELECT (id) ON posts TO PUBLIC; CREATE TABLE talks (id int)',
      )
      expect(await applyFixes(lines)).toEqual([
        'GRANT SELECT (level) ON posts TO ROLE;',
        'GRANT SELECT (id) ON talks TO ROLE;',
      ])
    })
  })

  describe('a fix that is SQL fixes it:', () => {
    test('columns that the role may not read', async () => {
      await admin(`
        CREATE TABLE users (id int, "createdAt" int, email text, "order" int); GRANT SELECT (id) ON users TO PUBLIC;
        CREATE TABLE "Post""s" (id int);`)
      const lines = ['users(id, "createdAt")', 'users("order")', '"Post""s"(id)']
      expect(await problems(lines)).toEqual([
        'role ROLE may not read users("createdAt", "order")',
        'role ROLE may not read "Post""s"(id)',
      ])
      expect(await applyFixes(lines)).toEqual([
        'GRANT SELECT ("createdAt", "order") ON users TO ROLE;',
        'GRANT SELECT (id) ON "Post""s" TO ROLE;',
      ])
    })

    test.each(['polis', 'My Polis', `it's "odd"`])(
      'a schema %s where the search_path does not lead',
      async (schema) => {
        await admin(`CREATE SCHEMA ${escapeIdentifier(schema)}; CREATE TABLE ${escapeIdentifier(schema)}.votes (id int);
                   GRANT SELECT ON ${escapeIdentifier(schema)}.votes TO PUBLIC`)
        const lines = ['votes(id)']
        expect(await problems(lines)).toEqual([`role ROLE may not use schema ${schema}, where table votes is`])
        await admin(`GRANT USAGE ON SCHEMA ${escapeIdentifier(schema)} TO PUBLIC`)
        expect(await problems(lines)).toEqual([
          `table votes is in schema ${schema}, which is not in the search_path of role ROLE`,
        ])
        await admin(`REVOKE USAGE ON SCHEMA ${escapeIdentifier(schema)} FROM PUBLIC`)
        expect((await applyFixes(lines)).map((sql) => sql.split(' ', 2).join(' '))).toEqual([
          'GRANT USAGE',
          'ALTER ROLE',
        ])
      },
    )

    test.each([
      ['which whoever grants does not see', 'SELECT 1'],
      ['which is another one to whoever grants', 'CREATE TABLE votes (id int)'],
    ])('columns of a table in the role’s search_path, %s', async (_, other) => {
      await admin(`${other}; CREATE SCHEMA polis; CREATE TABLE polis.votes (id int); GRANT USAGE ON SCHEMA polis TO PUBLIC;
                   ALTER ROLE ${escapeIdentifier(role)} SET search_path = polis, public`)
      await applyFixes(['votes(id)'])
    })

    test('a schema called order', async () => {
      await admin('CREATE SCHEMA "order"; CREATE TABLE "order".votes (id int); GRANT SELECT ON "order".votes TO PUBLIC')
      await applyFixes(['votes(id)'])
    })

    test('a schema in the search_path that the role may not use', async () => {
      await admin(`CREATE SCHEMA polis; CREATE TABLE polis.votes (id int); GRANT SELECT ON polis.votes TO PUBLIC;
                   ALTER DATABASE ${database} SET search_path = polis, public`)
      expect(await applyFixes(['votes(id)'])).toEqual(['GRANT USAGE ON SCHEMA polis TO ROLE;'])
    })

    test.each([
      ['and its columns it may read', 'GRANT SELECT ON polis.votes TO PUBLIC'],
      ['nor its columns read', 'SELECT 1'],
    ])('a schema before the name that the role may not use, %s', async (_, grants) => {
      await admin(`CREATE SCHEMA polis; CREATE TABLE polis.votes (id int); ${grants}`)
      await applyFixes(['polis.votes(id)'])
    })

    test('two schemas where the search_path does not lead', async () => {
      await admin(`
        CREATE SCHEMA polis; CREATE TABLE polis.votes (id int); GRANT USAGE ON SCHEMA polis TO PUBLIC;
        CREATE SCHEMA people; CREATE TABLE people.users (id int); GRANT USAGE ON SCHEMA people TO PUBLIC;
        GRANT SELECT ON polis.votes, people.users TO PUBLIC;`)
      await applyFixes(['users(id)', 'votes(id)'])
    })
  })

  test('of two tables of a name the one is meant that the role would read', async () => {
    await admin(`
      CREATE TABLE votes (id int); CREATE SCHEMA polis; CREATE TABLE polis.votes (id int, value int);
      GRANT USAGE ON SCHEMA polis TO PUBLIC; GRANT SELECT ON votes, polis.votes TO PUBLIC;`)
    const schema = await asRole(async (client) => {
      const catalog = await readCatalog(client, ['votes'])
      return ['votes', 'public.votes', 'polis.votes', 'VOTES', 'other.votes', '"VOTES"'].map(
        (text) => findTable(text, catalog)?.schema,
      )
    })
    expect(schema).toEqual(['public', 'public', 'polis', 'public', undefined, undefined])
    expect(await problems(['votes(value)'])).toEqual(['column votes.value does not exist'])
    await admin(`ALTER ROLE ${escapeIdentifier(role)} SET search_path = polis, public`)
    expect(await problems(['votes(value)'])).toEqual([])
  })
})
