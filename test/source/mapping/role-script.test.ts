// The script of the read-only role, run by psql against a real server as an operator does; what the role can do then is
// what the server lets it do.
// long test: roles on a server of their own for each power
import { readFileSync } from 'node:fs'
import { assert, property } from 'fast-check'
import { escapeIdentifier, escapeLiteral, type Client } from 'pg'
import { beforeEach, describe, expect, test } from 'vitest'
import { packagePath } from '../../../src/process/package-root.ts'
import type { MappingRequires } from '../../../src/source/mapping/requires-line.ts'
import { roleScript } from '../../../src/source/mapping/role-script.ts'
import { tokens } from '../../../src/source/sql/tokens.ts'
import { anyText } from '../../contract/any-text.ts'
import { describeWithPostgres } from '../../support/postgres.ts'
import { as as urlOf, inSession } from '../../support/session.ts'

const line = (table: string, ...columns: string[]): MappingRequires => ({ table, columns, since: '', optional: false })
const wherePresent = (table: string, ...columns: string[]): MappingRequires => ({
  ...line(table, ...columns),
  optional: true,
})
/** What the server would run, names and literals left out. */
const codeOf = (script: string): string[] =>
  tokens(script).flatMap(({ kind, text }) => (kind === 'code' ? [text.replaceAll(/\s+/g, ' ')] : []))

test('the script is one transaction of which only comments speak of a password', () => {
  const script = roleScript('fider', [line('users', 'id'), wherePresent('users', 'age')], 'stats')
  expect(codeOf(script).join(' ').trim()).toMatch(/^BEGIN;.*COMMIT;$/)
  const said = tokens(script).filter(({ text }) => /password/i.test(text))
  expect(said.map(({ kind }) => kind)).toEqual(['comment'])
  expect(said[0]?.text).toMatch(/\\password stats\n$/)
})

test('whatever the role is called, the script does nothing else', () => {
  const requires = [line('users', 'id'), wherePresent('users', 'age')]
  const plain = codeOf(roleScript('fider', requires, 'stats'))
  assert(
    property(anyText({ minLength: 1 }), (role) => {
      expect(codeOf(roleScript('fider', requires, role))).toEqual(plain)
    }),
    { examples: [['two\nlines'], ['$$']] },
  )
})

test('SECURITY.md and the script say the same number of connections', () => {
  const [, said] = /with (\w+) connections at most/.exec(readFileSync(packagePath('SECURITY.md'), 'utf8')) ?? []
  const [, granted] = /CONNECTION LIMIT (\d+);/.exec(roleScript('fider', [line('users', 'id')], 'stats')) ?? []
  expect(['zero', 'one', 'two', 'three', 'four', 'five', 'six'].indexOf(said ?? '')).toBe(Number(granted))
})

describeWithPostgres('the role that the script makes', (postgres) => {
  let database: string
  let role: string
  let cases = 0

  /** In a database of its own, under a name of its own. */
  beforeEach(async () => {
    database = `roles_${++cases}`
    role = `stats_${cases}`
    await postgres().createDatabase(database)
  })
  const admin = (sql: string): Promise<string> => postgres().psql(sql, database)
  const as = <T>(user: string, use: (client: Client) => Promise<T>): Promise<T> =>
    inSession(urlOf(user, postgres().url(database)), use)
  /** Twice: a script that may be run again must be. */
  const runTwice = async (requires: readonly MappingRequires[], name = role): Promise<void> => {
    const script = roleScript('fider', requires, name)
    await admin(script)
    await admin(script)
  }
  /** Every column of the database's own tables that a SELECT really gets, and every table of which it gets all. */
  const readableBy = (user: string): Promise<string[]> =>
    as(user, async (client) => {
      const { rows } = await client.query<{ table: string; column: string; shown: string }>(`
        SELECT format('%I.%I', n.nspname, c.relname) AS table, quote_ident(a.attname) AS column,
               c.relname || '.' || a.attname AS shown
          FROM pg_attribute a JOIN pg_class c ON c.oid = a.attrelid JOIN pg_namespace n ON n.oid = c.relnamespace
         WHERE a.attnum > 0 AND NOT a.attisdropped AND c.relkind IN ('r', 'p', 'v', 'm') AND n.nspname !~ '^(pg_|information_schema)'`)
      const got: string[] = []
      for (const { table, column, shown } of rows)
        await client.query(`SELECT ${column} FROM ${table}`).then(
          () => got.push(shown),
          (error: { code?: string }) => expect(error.code).toBe('42501'),
        )
      return got.sort()
    })

  test('is none that owns something, in this database or in another: the platform may connect as it', async () => {
    await admin(`CREATE TABLE users (id int); CREATE ROLE ${role}; CREATE SCHEMA own AUTHORIZATION ${role}`)
    const script = roleScript('fider', [line('users', 'id')], role)
    for (const where of [database, 'postgres'])
      await expect(postgres().psql(script, where)).rejects.toThrow(/owns tables or the like: choose another name/)
  })

  test('reads exactly the granted columns', async () => {
    await admin(`
      CREATE TABLE users (id int, created_at timestamptz, email text);
      CREATE TABLE secrets (id int);
      CREATE TABLE "Post" ("postId" int, title text, "contentMarkdown" text);
      CREATE SCHEMA polis; CREATE TABLE polis.votes (idea_id int, voter text);
      CREATE SCHEMA "My Polis"; CREATE TABLE "My Polis"."odd.""name" ("it's" int, b int);`)
    await runTwice([
      line('users', 'id'),
      line('Users', 'CREATED_AT'),
      line('"Post"', '"postId"', 'title'),
      line('polis.votes', 'idea_id'),
      line('"My Polis"."odd.""name"', `"it's"`),
    ])
    expect(await readableBy(role)).toEqual([
      'Post.postId',
      'Post.title',
      `odd."name.it's`,
      'users.created_at',
      'users.id',
      'votes.idea_id',
    ])
  })

  test('reads views, materialized views and partitioned tables, and nothing below them', async () => {
    await admin(`
      CREATE TABLE accounts (id int, email text);
      CREATE VIEW users AS SELECT id, email FROM accounts;
      CREATE MATERIALIZED VIEW totals AS SELECT id, email FROM accounts;
      CREATE TABLE votes (idea_id int, voter int) PARTITION BY RANGE (idea_id);
      CREATE TABLE votes_1 PARTITION OF votes FOR VALUES FROM (1) TO (9);
      INSERT INTO votes VALUES (1, 1);`)
    await runTwice([line('users', 'id'), line('totals', 'id'), line('votes', 'idea_id')])
    expect(await readableBy(role)).toEqual(['totals.id', 'users.id', 'votes.idea_id'])
    expect(await as(role, async (client) => (await client.query('SELECT idea_id FROM votes')).rows)).toEqual([
      { idea_id: 1 },
    ])
  })

  test('neither writes nor creates, even when it leaves its read-only mode', async () => {
    await admin('CREATE TABLE users (id int, email text); CREATE SEQUENCE counter; CREATE SCHEMA polis')
    await runTwice([line('users', 'id')])
    await as(role, async (client) => {
      const codeOfError = (sql: string): Promise<unknown> =>
        client.query(sql).then(
          () => `${sql}: done`,
          (error: { code?: unknown }) => error.code,
        )
      expect(await codeOfError('CREATE TEMP TABLE t (id int)')).toBe('25006')
      await client.query('SET default_transaction_read_only = off')
      for (const sql of [
        'INSERT INTO users VALUES (1)',
        'UPDATE users SET id = 2',
        'DELETE FROM users',
        'TRUNCATE users',
        'ALTER TABLE users ADD COLUMN x int',
        'DROP TABLE users',
        'SELECT id FROM users FOR UPDATE',
        `SELECT nextval('counter')`,
        'CREATE TABLE t (id int)',
        'CREATE TABLE polis.t (id int)',
        'CREATE SCHEMA s',
        'CREATE ROLE r',
        'CREATE DATABASE d',
        `ALTER ROLE ${role} SUPERUSER`,
        `COPY (SELECT 1) TO PROGRAM 'true'`,
        `SELECT pg_read_file('PG_VERSION')`,
        'SELECT rolpassword FROM pg_authid',
      ])
        expect([sql, await codeOfError(sql)]).toEqual([sql, '42501'])
    })
  })

  const attributes = async (name: string): Promise<unknown> =>
    JSON.parse(
      await admin(`
        SELECT json_build_array(r.rolcanlogin, r.rolconnlimit, r.rolconfig, a.rolpassword,
                                r.rolsuper OR r.rolcreaterole OR r.rolcreatedb OR r.rolreplication OR r.rolbypassrls)
          FROM pg_roles r JOIN pg_authid a USING (oid) WHERE r.rolname = ${escapeLiteral(name)}`),
    )
  const PLAIN = [true, 4, ['default_transaction_read_only=on'], null, false]

  test('logs in, without a password as yet, a few times at once, for reading', async () => {
    await admin('CREATE TABLE users (id int)')
    await runTwice([line('users', 'id')])
    expect(await attributes(role)).toEqual(PLAIN)
  })

  test('may be there already: it keeps its password and settings, and what it could read', async () => {
    await admin(`
      CREATE TABLE users (id int, name text, email text); CREATE ROLE ${role} LOGIN PASSWORD 'kept';
      ALTER ROLE ${role} SET search_path = public, polis; GRANT SELECT (name) ON users TO ${role};`)
    const before = (await attributes(role)) as unknown[]
    await runTwice([line('users', 'id')])
    const after = (await attributes(role)) as unknown[]
    expect(after[3]).toBe(before[3])
    expect(after[2]).toEqual(['search_path=public, polis', 'default_transaction_read_only=on'])
    expect(await readableBy(role)).toEqual(['users.id', 'users.name'])
  })

  test('is not made at all when a required column is not there', async () => {
    await admin('CREATE TABLE users (id int)')
    await expect(admin(roleScript('fider', [line('users', 'id', 'age')], role))).rejects.toThrow(/column "age"/)
    expect(await admin(`SELECT count(*) FROM pg_roles WHERE rolname = '${role}'`)).toBe('0')
  })

  describe('where present:', () => {
    const requires = [line('posts', 'id'), wherePresent('posts', '"accessMode"', 'level'), wherePresent('tags', 'id')]

    test.each([
      ['a line is granted whose columns are there', '"accessMode" int, level int', ['accessMode', 'id', 'level']],
      ['a line is left of which a column is missing', '"accessMode" int', ['id']],
      ['a column that was dropped is missing', '"accessMode" int, level int, gone int', ['accessMode', 'id', 'level']],
    ])('%s', async (_, columns, readable) => {
      await admin(`CREATE TABLE posts (id int, ${columns}); ALTER TABLE posts DROP COLUMN IF EXISTS gone`)
      await runTwice([...requires, wherePresent('posts', 'gone')])
      expect(await readableBy(role)).toEqual(readable.map((name) => `posts.${name}`))
    })

    test('what an update of the platform brings is granted by running the script again', async () => {
      await admin('CREATE TABLE posts (id int)')
      await runTwice(requires)
      await admin('ALTER TABLE posts ADD COLUMN "accessMode" int, ADD COLUMN level int; CREATE TABLE tags (id int)')
      expect(await readableBy(role)).toEqual(['posts.id'])
      await runTwice(requires)
      expect(await readableBy(role)).toEqual(['posts.accessMode', 'posts.id', 'posts.level', 'tags.id'])
    })
  })

  const USERS = 'CREATE TABLE users (id int)'
  test.each<[what: string, made: string, requires: readonly MappingRequires[], readable: readonly string[]]>([
    [
      'where not everybody may connect',
      `${USERS}; REVOKE ALL ON DATABASE NAME FROM PUBLIC`,
      [line('users', 'id')],
      ['users.id'],
    ],
    ['of a mapping that requires nothing', USERS, [], []],
    [
      'of a schema that is not there, where present',
      USERS,
      [line('users', 'id'), wherePresent('talks.x', 'id')],
      ['users.id'],
    ],
    [
      'of a table in another schema, with a name that must be quoted',
      `CREATE SCHEMA polis; CREATE TABLE polis."it's ""odd""" ("a'b" int, c int)`,
      [wherePresent(`polis."it's ""odd"""`, `"a'b"`)],
      [`it's "odd".a'b`],
    ],
    ['of a table called a$do$b', 'CREATE TABLE a$do$b (id int)', [wherePresent('a$do$b', 'id')], ['a$do$b.id']],
    ['of "a$do$b"', 'CREATE TABLE "a$do$b" (id int)', [wherePresent('"a$do$b"', 'id')], ['a$do$b.id']],
    ['of a column beyond ASCII', 'CREATE TABLE x (Äpfel int)', [wherePresent('x', 'Äpfel')], ['x.Äpfel']],
  ])('reads what is required: %s', async (_, made, requires, readable) => {
    await admin(made.replace('DATABASE NAME', `DATABASE ${database}`))
    await runTwice(requires)
    expect(await readableBy(role)).toEqual(readable)
  })

  describe('where the search_path of the database leads elsewhere:', () => {
    beforeEach(() =>
      admin(`CREATE SCHEMA polis; CREATE TABLE polis.users (id int, email text);
             ALTER DATABASE ${database} SET search_path = polis, public`),
    )

    test('the role may use the schema that the tables are in', async () => {
      await runTwice([line('users', 'id')])
      expect(await readableBy(role)).toEqual(['users.id'])
      expect(await as(role, async (client) => (await client.query('SELECT id FROM users')).rows)).toEqual([])
    })

    test('there need not be a schema public', async () => {
      await admin('DROP SCHEMA public')
      await runTwice([line('users', 'id')])
      expect(await readableBy(role)).toEqual(['users.id'])
    })
  })

  describe('however it is called:', () => {
    const works = async (name: string, called = name): Promise<void> => {
      await admin('CREATE TABLE users (id int, email text)')
      await runTwice([line('users', 'id'), wherePresent('users', 'age')], name)
      expect(await readableBy(called)).toEqual(['users.id'])
      expect(await attributes(called)).toEqual(PLAIN)
      expect(await readableBy('postgres')).toEqual(['users.email', 'users.id'])
    }

    test.each(['Camel Case', `o'hara`, `say "hi"`, `:'x' :"x" :x`, 'ünï 文 😀'])('%j', (name) => works(name))

    test.each(['two\rlines', 'x\nDROP TABLE users; --', 'x\n\\q', 'a$$; DROP TABLE users; --'])('%j', (name) =>
      works(name),
    )

    test.each([
      ['x'.repeat(70), 'x'.repeat(63)],
      ['文'.repeat(22), '文'.repeat(21)],
    ])('%s, which the server cuts', (name, called) => works(name, called))

    test.each(['public', 'pg_stats'])('but %s, which PostgreSQL keeps for itself, changes nothing', async (name) => {
      await admin('CREATE TABLE users (id int)')
      await expect(admin(roleScript('fider', [line('users', 'id')], name))).rejects.toThrow(/reserved/)
      expect(await readableBy(role).catch((error: { code?: string }) => error.code)).toBe('28000')
      await admin(`CREATE ROLE ${escapeIdentifier(role)} LOGIN`)
      expect(await readableBy(role)).toEqual([])
    })
  })
})
