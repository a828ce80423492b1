// One consistent read against a real PostgreSQL: what a mapping may return, what the server may do meanwhile.
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { array, assert, asyncProperty } from 'fast-check'
import { Client } from 'pg'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import type { IdeaFacts, UserFacts } from '../../../src/contract/facts.ts'
import { connect, parseDatabaseUrl, type Connection } from '../../../src/source/database/connect.ts'
import type { SkippedRows } from '../../../src/source/read/skipped-rows.ts'
import {
  beginConsistentRead,
  type ConsistentRead,
  type ConsistentReadOptions,
} from '../../../src/source/read/consistent-read.ts'
import { loadMapping, type Mapping } from '../../../src/source/mapping/mapping.ts'
import type { Relation } from '../../../src/source/mapping/relations.ts'
import { literal } from '../../../src/source/sql/tokens.ts'
import { SourceError } from '../../../src/source/database/source-error.ts'
import { anyText } from '../../contract/any-text.ts'
import { describeWithPostgres } from '../../support/postgres.ts'

const OPTIONS: ConsistentReadOptions = {
  statementTimeoutMs: 20_000,
  lockTimeoutMs: 5000,
  rowSecurity: 'off',
  asOfMs: null,
}
const AS_OF = Date.UTC(2026, 4, 20, 9, 30)
const THEN = `'2026-05-01 12:00:00+00'::timestamptz`
const THEN_MS = Date.UTC(2026, 4, 1, 12)

/** An idea, a vote and a comment, of no table at all. */
const SECTIONS: Readonly<Record<Relation, string>> = {
  users: `SELECT 1 AS id, ${THEN} AS created_at`,
  ideas: `SELECT 1 AS id, 'Dark mode' AS title, ${THEN} AS created_at, true AS launched, ${THEN} AS launched_at,
                 '/ideas/1' AS url, 7 AS author_id, 'open' AS status`,
  idea_categories: `SELECT 1 AS idea_id, 'Product' AS category`,
  votes: `SELECT 1 AS idea_id, 8 AS user_id, 1 AS value, ${THEN} AS created_at`,
  comments: `SELECT 1 AS id, 1 AS idea_id, 9 AS user_id, ${THEN} AS created_at`,
  categories: `SELECT 'Product' AS name`,
}
const mappingOf = (sections: Partial<Record<Relation, string>>): Mapping => ({
  name: 'test',
  sha256: '',
  requires: [],
  closed: null,
  sections: new Map(Object.entries({ ...SECTIONS, ...sections }) as [Relation, string][]),
})
const NATIVE = loadMapping('native', {})

/** A SELECT with some of the columns replaced: `of('users', { id: 'NULL::int' })`. */
const of = (relation: Relation, columns: Readonly<Record<string, string>>): string => {
  const replaced = Object.entries(columns).map(([name, value]) => `${value} AS ${name}`)
  const kept = {
    users: 'id created_at',
    ideas: 'id title created_at launched launched_at url author_id status',
    idea_categories: 'idea_id category',
    votes: 'idea_id user_id value created_at',
    comments: 'id idea_id user_id created_at',
    categories: 'name',
  }[relation].split(' ')
  return `SELECT ${[...kept.filter((name) => !(name in columns)), ...replaced].join(', ')} FROM (${SECTIONS[relation]}) AS it`
}

interface Read {
  readonly ideas: IdeaFacts[]
  readonly users: UserFacts
  readonly skipped: SkippedRows[]
  readonly source: ConsistentRead
}

async function withConnection<T>(
  url: string,
  use: (connection: Connection) => Promise<T>,
  signal = new AbortController().signal,
): Promise<T> {
  const connection = await connect(parseDatabaseUrl(url), signal)
  try {
    return await use(connection)
  } finally {
    await connection.close()
  }
}

const readAll = (url: string, mapping: Mapping, options: Partial<ConsistentReadOptions> = {}): Promise<Read> =>
  withConnection(url, async ({ client }) => {
    const source = await beginConsistentRead(client, mapping, { ...OPTIONS, ...options })
    const ideas: IdeaFacts[] = []
    for await (const batch of source.facts()) ideas.push(...batch)
    const users = await source.users()
    await source.end()
    return { ideas, users, skipped: source.skippedRows(), source }
  })

/** The one error that reading ends with. */
async function failure(work: Promise<unknown>): Promise<SourceError> {
  const error = await work.then(
    () => new Error('nothing failed'),
    (thrown: unknown) => thrown,
  )
  if (!(error instanceof SourceError)) throw error
  return error
}

describeWithPostgres('one consistent read of a source', (postgres) => {
  let url: string
  let admin: Client
  const folder = mkdtempSync(join(tmpdir(), 'consistent-read-'))

  beforeAll(async () => {
    url = await postgres().createDatabase('ideas')
    admin = new Client({ connectionString: url })
    // The server is stopped with the test; what breaks then is nobody's error.
    admin.on('error', () => {})
    await admin.connect()
    await admin.query(readFileSync('src/source/mapping/built-in/native/schema.sql', 'utf8'))
    await admin.query(`
      INSERT INTO users VALUES (1, ${THEN}), (2, ${THEN});
      INSERT INTO ideas (id, title, created_at) VALUES (1, 'One', ${THEN}), (2, 'Two', ${THEN});
      INSERT INTO votes VALUES (1, 1, 1, ${THEN}), (2, 1, 1, ${THEN}), (2, 2, 1, ${THEN});`)
  })
  afterAll(async () => {
    await admin?.end()
    rmSync(folder, { recursive: true })
  })
  const as = (role: string, password = ''): string =>
    url.replace('postgres@', `${role}${password === '' ? '' : `:${password}`}@`)

  test('gives ideas with their counts, users, and what the mapping lists', async () => {
    const { ideas, users, source, skipped } = await readAll(url, mappingOf({}), { asOfMs: AS_OF })
    const thenMs = Date.UTC(2026, 4, 1, 12)
    const once = { total: 1, since: [0, 0, 0, 0, 1, 1, 1, 1] }
    expect(ideas).toEqual([
      {
        id: '1',
        title: 'Dark mode',
        createdAtMs: thenMs,
        launched: true,
        launchedAtMs: thenMs,
        url: '/ideas/1',
        status: 'open',
        categories: ['Product'],
        votes: once,
        comments: once,
      },
    ])
    expect(users.accounts).toMatchObject(once)
    expect(users.active).toEqual({ inWindow: [0, 0, 3, 3], before: [0, 0, 0, 0], all: 3 })
    expect(users.buckets.map((rows) => rows.length)).toEqual([25, 8, 31, 91, 1])
    expect(users.buckets[4]).toEqual([
      { startMs: Date.UTC(2026, 4, 1), newUsers: 1, totalUsers: 1, active: 3, authors: 1, voters: 1, commenters: 1 },
    ])
    expect(source).toMatchObject({ asOfMs: AS_OF, replayLagMs: null, warnings: [], listedCategories: ['Product'] })
    expect(skipped).toEqual([])
  })

  describe('a mapping is refused, naming section and column', () => {
    const section = (relation: Relation): string => `mapping test, section ${relation}: `
    const epoch =
      '; for epoch seconds write to_timestamp(created_at), for milliseconds to_timestamp(created_at / 1000.0)'

    test.each([
      [
        'a wrong type',
        'users',
        of('users', { created_at: '1700000000' }),
        `column created_at is int4, must be timestamptz${epoch}`,
      ],
      [
        'a type without text',
        'ideas',
        of('ideas', { author_id: `'{1}'::int[]` }),
        'column author_id is _int4, must be any type that casts to text; write author_id::text',
      ],
      [
        'a missing column',
        'votes',
        `SELECT 1 AS idea_id, 2 AS user_id, ${THEN} AS created_at`,
        'column value (int) is missing; votes needs idea_id, user_id, value, created_at',
      ],
      [
        'a column too many',
        'users',
        of('users', { email: `'a@b.c'` }),
        `column email is not one of users's; allowed: id, created_at`,
      ],
      [
        'a column in another case',
        'users',
        `SELECT 1 AS "Id", ${THEN} AS created_at`,
        'column id (any type that casts to text) is missing',
      ],
      [
        'a column twice',
        'users',
        `SELECT 1 AS id, 2 AS id, ${THEN} AS created_at`,
        'column id is returned 2 times; return it once',
      ],
      [
        'a table that is not there',
        'votes',
        'SELECT * FROM nowhere',
        'relation "nowhere" does not exist; check --source: ',
      ],
      [
        'a column that is not there',
        'votes',
        'SELECT nothing FROM votes',
        'column "nothing" does not exist; the mapping may be made for another version of the platform',
      ],
      ['no SELECT', 'users', 'DELETE FROM users', 'syntax error'],
      ['an unclosed comment', 'users', 'SELECT 1 /*', 'unterminated /* comment'],
    ] as const)('%s', async (_, relation, sql, why) => {
      const error = await failure(readAll(url, mappingOf({ [relation]: sql })))
      expect(error.message).toContain(section(relation) + why)
      expect(error).toMatchObject({ kind: 'source', retryable: false })
    })

    test.each([
      ['an id that is returned twice', `${SECTIONS.ideas} UNION ALL ${SECTIONS.ideas}`, `returns id 1 2 times`],
      [
        'also of a type without equality',
        of('ideas', { id: `'{"a":1}'::json` }) + ' UNION ALL ' + of('ideas', { id: `'{"a":1}'::json` }),
        `returns id {"a":1} 2 times`,
      ],
      [
        'by the text that is published',
        of('ideas', { id: `1::numeric` }) + ' UNION ALL ' + of('ideas', { id: `'1'::numeric` }),
        `returns id 1 2 times`,
      ],
    ])('%s', async (_, ideas, why) => {
      const error = await failure(readAll(url, mappingOf({ ideas, votes: of('votes', { idea_id: `'1'::text` }) })))
      expect(error.message).toContain(`mapping test, section ideas: it ${why}; return every idea once. In psql`)
    })

    test('by one row, with the SQL that lists the others', async () => {
      const ideas = `-- all of them; 'open or not'
        SELECT n % 2 AS id, 'it''s  "two"' AS title, ${THEN} AS created_at, false AS launched, /* no date */
               NULL::timestamptz AS launched_at, NULL AS url, NULL AS author_id, NULL AS status
          FROM generate_series(1, 5) AS n -- five`
      const { message } = await failure(readAll(url, mappingOf({ ideas })))
      const command = /In psql this lists all such ids: (SELECT .*;)$/.exec(message)?.[1] ?? ''
      expect(command).not.toContain('--')
      const { rows } = await admin.query(command)
      expect(rows).toEqual([
        { id: '0', count: '2' },
        { id: '1', count: '3' },
      ])
    })

    test('a value that cannot be computed is met where the rows are read', async () => {
      const votes = `SELECT 1 AS idea_id, 2 AS user_id, 1 / (n - 2) AS value, ${THEN} AS created_at FROM generate_series(1, 3) AS n`
      const error = await failure(readAll(url, mappingOf({ votes })))
      expect(error.message).toMatch(
        /^mapping test, reading ideas, votes and comments: division by zero; mend the mapping/,
      )
    })

    test.each(['categories', 'idea_categories'] as const)(
      'more than 20,000 names in %s are titles, not categories',
      async (relation) => {
        const names = `FROM generate_series(1, 20001) AS n`
        const sql = {
          categories: `SELECT 'c' || n AS name ${names}`,
          idea_categories: `SELECT 1 AS idea_id, 'c' || n % 40001 AS category FROM generate_series(1, 40001) AS n`,
        }[relation]
        expect((await failure(readAll(url, mappingOf({ [relation]: sql })))).message).toContain(
          'more than 20000 categories',
        )
      },
    )
  })

  describe('a row that breaks a rule ends nothing', () => {
    const time = (text: string): string => `'${text}'::timestamptz`
    const noted = ({ skipped }: Read): string[] =>
      skipped.map(({ relation, reason, rows }) => `${rows} ${relation}: ${reason}`)
    /** What the sections give, and a second row of one of them with some columns replaced. */
    const withRow = (relation: Relation, columns: Readonly<Record<string, string>>): Promise<Read> => {
      const own = { users: { id: '2' }, ideas: { id: '2' } }[relation as string] ?? {}
      const given = of(relation, { ...own, ...columns })
      const names = of(relation, {}).replace(/ FROM .*/s, '')
      const both = `${names} FROM (${SECTIONS[relation]}) AS good UNION ALL ${names} FROM (${given}) AS bad`
      return readAll(url, mappingOf({ [relation]: both }), { asOfMs: AS_OF })
    }
    const UNDATED = 'undated: in totals and the period all only'
    const LEFT_OUT = 'ideas: created_at is NULL, or before the year 1'
    const LONG = `repeat('\u{1f600}', 10001)`

    test.each<[string, Relation, Readonly<Record<string, string>>, readonly string[], Partial<Record<string, number>>]>(
      [
        ['users.id NULL', 'users', { id: 'NULL::int' }, ['1 users: id is NULL'], {}],
        ['users.created_at NULL', 'users', { created_at: 'NULL::timestamptz' }, [`1 users: ${UNDATED}`], { users: 2 }],
        [
          'users.created_at of BC',
          'users',
          { created_at: time('0044-03-15 BC') },
          [`1 users: ${UNDATED}`],
          { users: 2 },
        ],
        [
          'users.created_at -infinity',
          'users',
          { created_at: time('-infinity') },
          [`1 users: ${UNDATED}`],
          { users: 2 },
        ],
        [
          'users.created_at infinity',
          'users',
          { created_at: time('infinity') },
          ['1 users: dated at or after dataAsOf'],
          {},
        ],
        ['ideas.id NULL', 'ideas', { id: 'NULL::int' }, ['1 ideas: id is NULL'], {}],
        ['ideas.created_at NULL', 'ideas', { created_at: 'NULL::timestamptz' }, [`1 ${LEFT_OUT}`], {}],
        ['ideas.created_at of BC', 'ideas', { created_at: time('0001-12-31 23:59:59+00 BC') }, [`1 ${LEFT_OUT}`], {}],
        ['ideas.created_at -infinity', 'ideas', { created_at: time('-infinity') }, [`1 ${LEFT_OUT}`], {}],
        [
          'ideas.created_at infinity',
          'ideas',
          { created_at: time('infinity') },
          ['1 ideas: dated at or after dataAsOf'],
          {},
        ],
        [
          'ideas.created_at of 12026',
          'ideas',
          { created_at: time('12026-01-01') },
          ['1 ideas: dated at or after dataAsOf'],
          {},
        ],
        [
          'ideas.launched NULL',
          'ideas',
          { launched: 'NULL::boolean' },
          ['1 ideas: launched is NULL: not launched'],
          { ideas: 2 },
        ],
        [
          'ideas.launched_at -infinity',
          'ideas',
          { launched_at: time('-infinity') },
          ['1 ideas: launched before 1990-01-01: undated'],
          { ideas: 2, launched: 2 },
        ],
        [
          'ideas.launched_at infinity',
          'ideas',
          { launched_at: time('infinity') },
          ['1 ideas: launched at or after dataAsOf: undated'],
          { ideas: 2, launched: 2 },
        ],
        [
          'ideas.title without end',
          'ideas',
          { title: LONG },
          ['1 ideas: title cut to 10,000 characters'],
          { ideas: 2, launched: 2 },
        ],
        [
          'ideas.url without end',
          'ideas',
          { url: `'/' || ${LONG}` },
          ['1 ideas: url over 10,000 characters: none'],
          { ideas: 2, launched: 2 },
        ],
        [
          'ideas.status without end',
          'ideas',
          { status: LONG },
          ['1 ideas: status over 10,000 characters: none'],
          { ideas: 2, launched: 2 },
        ],
        [
          'idea_categories.idea_id NULL',
          'idea_categories',
          { idea_id: 'NULL::int' },
          ['1 idea_categories: idea_id is NULL'],
          {},
        ],
        [
          'idea_categories.category NULL',
          'idea_categories',
          { category: 'NULL::text' },
          ['1 idea_categories: category is NULL'],
          {},
        ],
        [
          'idea_categories.category too long',
          'idea_categories',
          { category: `repeat('x', 201)` },
          ['1 idea_categories: over 200 characters'],
          {},
        ],
        [
          'idea_categories.category without end',
          'idea_categories',
          { category: `repeat(' ', 9990) || repeat('x', 20000)` },
          ['1 idea_categories: over 200 characters'],
          {},
        ],
        ['votes.idea_id NULL', 'votes', { idea_id: 'NULL::int' }, ['1 votes: idea_id is NULL'], {}],
        ['votes.value NULL', 'votes', { value: 'NULL::int' }, ['1 votes: value is NULL'], {}],
        [
          'votes.value NULL, of another idea',
          'votes',
          { value: 'NULL::int', idea_id: '404' },
          ['1 votes: value is NULL'],
          {},
        ],
        [
          'votes.created_at of BC',
          'votes',
          { created_at: time('0044-03-15 BC') },
          [`1 votes: ${UNDATED}`],
          { votes: 2 },
        ],
        [
          'votes.created_at -infinity',
          'votes',
          { created_at: time('-infinity') },
          [`1 votes: ${UNDATED}`],
          { votes: 2 },
        ],
        [
          'votes.created_at infinity',
          'votes',
          { created_at: time('infinity') },
          ['1 votes: dated at or after dataAsOf'],
          {},
        ],
        [
          'votes.created_at of 20000',
          'votes',
          { created_at: time('20000-01-01') },
          ['1 votes: dated at or after dataAsOf'],
          {},
        ],
        ['comments.idea_id NULL', 'comments', { idea_id: 'NULL::int' }, ['1 comments: idea_id is NULL'], {}],
        [
          'comments.created_at NULL',
          'comments',
          { created_at: 'NULL::timestamptz' },
          [`1 comments: ${UNDATED}`],
          { comments: 2 },
        ],
        [
          'comments.created_at -infinity',
          'comments',
          { created_at: time('-infinity') },
          [`1 comments: ${UNDATED}`],
          { comments: 2 },
        ],
        [
          'comments.created_at infinity',
          'comments',
          { created_at: time('infinity') },
          ['1 comments: dated at or after dataAsOf'],
          {},
        ],
        ['categories.name NULL', 'categories', { name: 'NULL::text' }, ['1 categories: name is NULL'], {}],
        ['categories.name blank', 'categories', { name: `'  '` }, [], {}],
        [
          'categories.name too long',
          'categories',
          { name: `repeat('x', 201)` },
          ['1 categories: over 200 characters'],
          {},
        ],
      ],
    )('%s', async (_, relation, columns, notes, more) => {
      const read = await withRow(relation, columns)
      expect(noted(read)).toEqual(notes)
      const { ideas, users, source } = read
      const sum = (what: 'votes' | 'comments'): number => ideas.reduce((total, idea) => total + idea[what].total, 0)
      expect({
        users: users.accounts.total,
        ideas: ideas.length,
        launched: ideas.filter(({ launched }) => launched).length,
        votes: sum('votes'),
        comments: sum('comments'),
      }).toEqual({ users: 1, ideas: 1, launched: 1, votes: 1, comments: 1, ...more })
      // What is undated is in no window, and the good row is what it was.
      const lately = { total: 1, since: [0, 0, 0, 0, 1, 1, 1, 1] }
      expect(users.accounts.since).toEqual(lately.since)
      const good = ideas.find(({ id }) => id === '1')
      expect(good).toMatchObject({ title: 'Dark mode', url: '/ideas/1', status: 'open', categories: ['Product'] })
      expect([good?.votes.since, good?.comments.since]).toEqual([lately.since, lately.since])
      // The bad row's author, voter or commenter is one of the good row's.
      expect(users.active).toEqual({ inWindow: [0, 0, 3, 3], before: [0, 0, 0, 0], all: 3 })
      expect(source.listedCategories).toEqual(['Product'])
      expect(source.faults().length).toBe(
        /^$|dated at or after|launched at|votes: undated/.test(notes[0] ?? '') ? 0 : 1,
      )
    })

    test('several at once, also of one idea, and what hangs on an idea that is left out', async () => {
      const read = await readAll(
        url,
        mappingOf({
          ideas: `${SECTIONS.ideas} UNION ALL SELECT 2, 'Never', NULL, true, NULL, NULL, 70, NULL
                  UNION ALL SELECT NULL, 'Nameless', ${THEN}, true, NULL, NULL, 71, NULL
                  UNION ALL SELECT NULL, 'Nameless, too', ${THEN}, true, NULL, NULL, 71, NULL`,
          votes: `${SECTIONS.votes} UNION ALL VALUES (1, 1, NULL, NULL), (NULL, 80, 1, ${THEN}), (2, 81, 1, ${THEN}),
                  (1, NULL, 1, '-infinity'), (NULL, NULL, NULL, NULL), (1, 1, -1, 'infinity')`,
          comments: `${SECTIONS.comments} UNION ALL VALUES (2, 1, NULL, NULL), (3, NULL, 82, ${THEN}), (4, 2, 83, ${THEN})`,
          idea_categories: `${SECTIONS.idea_categories} UNION ALL VALUES (1, NULL), (1, NULL), (1, repeat('y', 201)), (2, 'P'), (NULL, NULL)`,
        }),
        { asOfMs: AS_OF },
      )
      expect(read.ideas).toMatchObject([
        { id: '1', categories: ['Product'], votes: { total: 2 }, comments: { total: 2 } },
      ])
      expect(read.users.active.all).toBe(3)
      expect(noted(read)).toEqual([
        '1 comments: idea_id is NULL',
        '1 comments: the idea is left out',
        `1 comments: ${UNDATED}`,
        '1 idea_categories: category is NULL',
        '1 idea_categories: idea_id is NULL',
        '1 idea_categories: over 200 characters',
        '1 idea_categories: the idea is left out',
        `1 ${LEFT_OUT}`,
        '2 ideas: id is NULL',
        '1 votes: idea_id is NULL',
        '1 votes: the idea is left out',
        `1 votes: ${UNDATED}`,
        '2 votes: value is NULL',
        '1 votes: value is not above zero',
      ])
    })

    test('an id without end is no id: to cut it might make it another one’s', async () => {
      const ideas = ["'1'", LONG].map((id) => of('ideas', { id })).join(' UNION ALL ')
      const read = await readAll(url, mappingOf({ ideas, votes: of('votes', { idea_id: LONG }) }))
      expect(read.ideas.map(({ id }) => id)).toEqual(['1'])
      expect(noted(read)).toEqual(['1 ideas: id over 10,000 characters', '1 votes: the idea is left out'])
    })

    test('a title is cut between two characters, and not by one too many', async () => {
      const titleOf = async (title: string): Promise<string | undefined> =>
        (await readAll(url, mappingOf({ ideas: of('ideas', { title }) }))).ideas[0]?.title
      expect(await titleOf(`'x' || ${LONG}`)).toBe(`x${'\u{1f600}'.repeat(9999)}`)
      expect(await titleOf(`repeat('\u{1f600}', 10000)`)).toBe('\u{1f600}'.repeat(10_000))
    })

    test('a category of 200 code points is one, however it was composed or padded', async () => {
      const read = await withRow('idea_categories', { category: `'  ' || repeat(U&'e\\0301', 199) || '\u{1f600} '` })
      expect(read.ideas[0]?.categories).toEqual(['Product', `${'\u00e9'.repeat(199)}\u{1f600}`])
      expect(noted(read)).toEqual([])
    })
  })

  describe('a section can neither write nor leave the transaction', () => {
    beforeAll(() =>
      admin.query(`
        CREATE TABLE written (by text);
        CREATE SEQUENCE numbers;
        CREATE FUNCTION write(n int) RETURNS int LANGUAGE sql AS $$ INSERT INTO written VALUES ('a function'); SELECT n $$;`),
    )

    const user = `SELECT 1 AS id, ${THEN} AS created_at`
    test.each([
      [
        'a second statement',
        `${user}; COMMIT; INSERT INTO written VALUES ('x'); SELECT 1`,
        /cannot insert multiple commands|syntax error/,
      ],
      [
        'one behind a closed bracket',
        `${user}) AS source; COMMIT; INSERT INTO written VALUES ('x'); SELECT * FROM (${user}`,
        /cannot insert multiple commands into a prepared statement; mend the mapping: each section is one SELECT/,
      ],
      [
        'one behind a comment that hides the bracket',
        `${user}) AS source; COMMIT; INSERT INTO written VALUES ('x') --`,
        /syntax error|cannot insert multiple commands/,
      ],
      [
        'a write in WITH',
        `WITH w AS (INSERT INTO written VALUES ('x') RETURNING 1 AS id) SELECT id, ${THEN} AS created_at FROM w`,
        /data-modifying statement must be at the top level; mend the mapping: each section is one plain SELECT/,
      ],
      [
        'a sequence',
        `SELECT nextval('numbers') AS id, ${THEN} AS created_at`,
        /cannot execute nextval\(\) in a read-only transaction; a mapping may only read/,
      ],
      [
        'a row lock',
        `SELECT id, created_at FROM users FOR UPDATE`,
        /cannot execute SELECT FOR UPDATE in a read-only transaction; a mapping may only read/,
      ],
      [
        'a function that writes',
        `SELECT write(1) AS id, ${THEN} AS created_at`,
        /cannot execute INSERT in a read-only transaction; a mapping may only read/,
      ],
      [
        'leaving READ ONLY',
        `SELECT set_config('transaction_read_only', 'off', true) AS id, write(1)::text::timestamptz AS created_at`,
        /read-write mode|read-only transaction/,
      ],
    ])('%s', async (_, users, why) => {
      const error = await failure(readAll(url, mappingOf({ users })))
      expect(error.message).toMatch(why)
      expect(error.retryable).toBe(false)
      expect((await admin.query('SELECT * FROM written')).rows).toEqual([])
    })

    test('a parameter is a value, whatever it holds', async () => {
      const path = join(folder, 'echo.sql')
      const others = (['ideas', 'idea_categories', 'votes', 'comments'] as const).map(
        (name) => `-- section ${name}\n${SECTIONS[name]}`,
      )
      writeFileSync(
        path,
        [
          '-- mapping: echo',
          '-- param p : text',
          '-- param l : text[]',
          '-- section users',
          'SELECT :p AS p, :l AS l',
          ...others,
        ].join('\n'),
      )
      await assert(
        asyncProperty(
          anyText(),
          anyText().map((text) => text.replaceAll(',', '')),
          async (p, item) => {
            const sql = loadMapping(path, { p, l: `${item},'; --` }).sections.get('users')!
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

  describe('a mapping may', () => {
    const first = async (sections: Partial<Record<Relation, string>>): Promise<Read & { idea: IdeaFacts }> => {
      const read = await readAll(url, mappingOf(sections), { asOfMs: AS_OF })
      return { ...read, idea: read.ideas[0]! }
    }

    test('end a section in a comment, and in a semicolon', async () => {
      const path = join(folder, 'ends.sql')
      const ends = ['; -- the end', ' -- the end;', ';\n/* the end */', ' --', ';']
      const sections = (['users', 'ideas', 'idea_categories', 'votes', 'comments'] as const).map(
        (name, i) => `-- section ${name}\n${SECTIONS[name]}${ends[i]}`,
      )
      writeFileSync(path, ['-- mapping: ends', ...sections].join('\r\n'))
      expect((await readAll(url, loadMapping(path, {}), { asOfMs: AS_OF })).ideas).toHaveLength(1)
    })

    test('give timestamps without zone, which are UTC whatever the server’s zone, with a warning each', async () => {
      const { idea, source, users } = await first({
        ideas: of('ideas', { created_at: `'2026-05-20 09:29:59.999'::timestamp` }),
        users: of('users', { created_at: `'2026-05-20 09:29:59.999'::timestamp` }),
      })
      expect(idea.createdAtMs).toBe(AS_OF - 1)
      expect(users.accounts).toEqual({ total: 1, since: EIGHT_TIMES_1 })
      expect(source.warnings.toSorted()).toEqual([
        expect.stringContaining(
          'mapping test, section ideas: column created_at is timestamp without time zone and is taken as UTC',
        ),
        expect.stringContaining(
          'mapping test, section users: column created_at is timestamp without time zone and is taken as UTC',
        ),
      ])
    })

    test('leave titles, urls, statuses, users and the times of votes out', async () => {
      const { idea, users, skipped } = await first({
        ideas: of('ideas', {
          title: 'NULL',
          url: 'NULL',
          status: 'NULL',
          author_id: 'NULL',
          launched_at: 'NULL::timestamptz',
        }),
        votes: of('votes', { user_id: 'NULL', created_at: 'NULL::timestamptz' }),
        comments: of('comments', { id: 'NULL', user_id: 'NULL' }),
      })
      expect(idea).toMatchObject({
        title: '',
        url: null,
        status: null,
        launched: true,
        launchedAtMs: null,
        votes: { total: 1, since: EIGHT_TIMES_0 },
      })
      expect(users.active).toMatchObject({ all: 0 })
      expect(skipped).toEqual([
        { relation: 'ideas', reason: 'launched without a date', rows: 1 },
        { relation: 'votes', reason: 'undated: in totals and the period all only', rows: 1 },
      ])
    })

    test('date a launch that is none as it likes', async () => {
      expect(
        (await first({ ideas: of('ideas', { launched: 'false', launched_at: `'infinity'::timestamptz` }) })).idea,
      ).toMatchObject({
        launched: false,
        launchedAtMs: null,
      })
    })

    const UUID = `'123e4567-e89b-12d3-a456-426614174000'`
    test.each([
      ['negative numbers', '-5::int', '-5::bigint', '-5'],
      ['numbers beyond 2^53', '9007199254740993::bigint', '9007199254740993::bigint', '9007199254740993'],
      ['uuids', `${UUID}::uuid`, `${UUID}::uuid`, '123e4567-e89b-12d3-a456-426614174000'],
      ['text of a union', `'proposal-1'`, `'proposal-1'::varchar`, 'proposal-1'],
      ['a number here and text there', '7', `'7'`, '7'],
      ['text with anything in it', `E'\\\\N\\t\\n'`, `E'\\\\N\\t\\n'`, '\\N\t\n'],
    ])('have %s as ids', async (_, id, key, text) => {
      const { idea, users, skipped } = await first({
        ideas: of('ideas', { id, author_id: key }),
        idea_categories: of('idea_categories', { idea_id: key }),
        votes: of('votes', { idea_id: key, user_id: key }),
        comments: of('comments', { idea_id: key, user_id: key }),
      })
      expect(idea).toMatchObject({ id: text, categories: ['Product'], votes: { total: 1 }, comments: { total: 1 } })
      expect(users.active.all).toBe(1)
      expect(skipped).toEqual([])
    })

    test('give categories in any spelling: they are published trimmed, composed, once, without the reserved name', async () => {
      const names = [' Caf\u00e9\u2003', 'Cafe\u0301', 'cafe', '\u3000', '', 'UNCATEGORIZED', '😀', '\uFF1D']
      const rows = `unnest(ARRAY[${names.map(literal).join()}])`
      const { idea, source, skipped } = await first({
        idea_categories: `SELECT 1 AS idea_id, ${rows} AS category`,
        categories: `SELECT ${rows} AS name`,
      })
      expect(idea.categories).toEqual(['Caf\u00e9', 'cafe', '\uFF1D', '😀'])
      expect(source.listedCategories).toEqual(idea.categories)
      expect(skipped).toEqual([
        { relation: 'idea_categories', reason: 'blank, or the reserved name Uncategorized', rows: 3 },
      ])
    })
  })

  test('a title arrives as it was written, and so do url, status and category', async () => {
    const titles = array(anyText({ maxLength: 20 }), { minLength: 1, maxLength: 30, size: 'max' })
    const examples: [string[]][] = [
      [
        [
          '',
          '\\N',
          '\\\\N',
          '\\.',
          '\t',
          '\n',
          '\r\n',
          '\\t',
          '\\',
          'a\\',
          '\v\f\b',
          '"',
          "'",
          '😀',
          '\u2028',
          'x'.repeat(190),
        ],
      ],
    ]
    await assert(
      asyncProperty(titles, async (list) => {
        const rows = list.map((title, i) => `(${i}, ${literal(title)})`).join()
        const { ideas } = await readAll(
          url,
          mappingOf({
            ideas: `SELECT n AS id, t AS title, ${THEN} AS created_at, false AS launched, NULL::timestamptz AS launched_at, t AS url,
                           NULL AS author_id, t AS status FROM (VALUES ${rows}) AS v (n, t)`,
            idea_categories: `SELECT n AS idea_id, '<' || t || '>' AS category FROM (VALUES ${rows}) AS v (n, t)`,
          }),
        )
        const found = ideas.sort((a, b) => Number(a.id) - Number(b.id))
        expect(found.map(({ title }) => title)).toEqual(list)
        expect(found.map(({ url: path, status }) => [path, status])).toEqual(list.map((title) => [title, title]))
        expect(found.map(({ categories }) => categories)).toEqual(list.map((title) => [`<${title}>`.normalize('NFC')]))
      }),
      { numRuns: 30, examples },
    )
  })

  describe('dataAsOf', () => {
    test('is that of the first SELECT: what was written before is in, dated before; what comes after is out', async () => {
      await admin.query('CREATE TABLE late (id int, created_at timestamptz)')
      // dataAsOf is a whole millisecond: what is written in the same one is dated after it.
      const late = () =>
        admin.query('INSERT INTO late SELECT count(*) + 1, clock_timestamp() FROM late; SELECT pg_sleep(0.005)')
      await withConnection(url, async ({ client }) => {
        const query = client.query.bind(client) as (...args: unknown[]) => Promise<unknown>
        const insertLate = (...args: unknown[]): never => query(...args).then(late) as never
        const spy = vi.spyOn(client, 'query').mockImplementationOnce(insertLate)
        const source = await beginConsistentRead(
          client,
          mappingOf({ users: 'SELECT id, created_at FROM late' }),
          OPTIONS,
        )
        spy.mockRestore()
        await late()
        for await (const _ of source.facts()) await late()
        const { accounts } = await source.users()
        expect(accounts.total).toBe(1)
        expect(source.skippedRows().filter(({ relation }) => relation === 'users')).toEqual([])
        const { rows } = await admin.query<{ first: number; second: number }>(
          `SELECT extract(epoch FROM at[1])::float8 * 1000 AS first, extract(epoch FROM at[2])::float8 * 1000 AS second
             FROM (SELECT array_agg(created_at ORDER BY id) AS at FROM late) AS rows`,
        )
        expect(source.asOfMs).toBeGreaterThanOrEqual(Math.floor(rows[0]!.first))
        expect(source.asOfMs).toBeLessThan(rows[0]!.second)
        expect(Number.isInteger(source.asOfMs)).toBe(true)
      })
    })

    test('leaves the session as it was, for whom a pooler gives it next', async () => {
      await withConnection(url, async ({ client }) => {
        const settings = async (): Promise<unknown> =>
          (
            await client.query(`SELECT current_setting('timezone'), current_setting('statement_timeout') AS statement,
            current_setting('lock_timeout') AS lock, current_setting('row_security') AS rows,
            current_setting('transaction_isolation') AS level`)
          ).rows
        const before = await settings()
        const source = await beginConsistentRead(client, mappingOf({}), OPTIONS)
        expect(await settings()).toEqual([
          { current_setting: 'UTC', statement: '20s', lock: '5s', rows: 'off', level: 'repeatable read' },
        ])
        await source.end()
        expect(await settings()).toEqual(before)
      })
    })

    test.each([
      '1989-12-31 23:59:59.999999+00',
      '1970-01-01 00:00:00+00',
      '0001-01-01 00:00:00+00',
      // The same, written at a clock east of Greenwich.
      '0001-01-01 00:00:00+05:45',
      '4713-01-01 00:00:00+00 BC',
      '-infinity',
    ])('takes %s for no date: in totals and all, in no window and no month', async (literalText) => {
      const ancient = `'${literalText}'::timestamptz`
      // An idea's own date is published, so it must be one that can be written.
      const created = /BC|infinity|05:45/.test(literalText) ? `'0001-01-01 00:00:00+00'::timestamptz` : ancient
      const asked = await admin.query<{ ms: number }>(
        `SELECT extract(epoch FROM date_trunc('milliseconds', ${created}))::float8 * 1000 AS ms`,
      )
      const createdMs = asked.rows[0]?.ms
      const { ideas, users, skipped } = await readAll(
        url,
        mappingOf({
          users: `${SECTIONS.users} UNION ALL SELECT 2, ${ancient}`,
          ideas: `${SECTIONS.ideas} UNION ALL SELECT 2, 'Old', ${created}, true, ${ancient}, NULL, 70, NULL`,
          votes: `${SECTIONS.votes} UNION ALL VALUES (1, 80, 1, ${ancient}), (1, 81, -1, ${ancient})`,
          comments: `${SECTIONS.comments} UNION ALL SELECT 2, 1, 90, ${ancient}`,
        }),
        { asOfMs: AS_OF },
      )
      expect(
        ideas.map(({ id, createdAtMs, launched, launchedAtMs }) => [id, createdAtMs, launched, launchedAtMs]),
      ).toEqual([
        ['1', THEN_MS, true, THEN_MS],
        ['2', createdMs, true, null],
      ])
      for (const { votes, comments } of ideas.filter(({ id }) => id === '1')) {
        expect(votes).toEqual({ total: 2, since: [0, 0, 0, 0, 1, 1, 1, 1] })
        expect(comments).toEqual({ total: 2, since: [0, 0, 0, 0, 1, 1, 1, 1] })
      }
      expect(users.accounts).toEqual({ total: 2, since: [0, 0, 0, 0, 1, 1, 1, 1] })
      expect(users.active).toEqual({ inWindow: [0, 0, 3, 3], before: [0, 0, 0, 0], all: 6 })
      const months = users.buckets.at(-1) ?? []
      expect(months).toEqual([
        { startMs: Date.UTC(2026, 4), newUsers: 1, totalUsers: 2, active: 3, authors: 1, voters: 1, commenters: 1 },
      ])
      expect(skipped.map(({ relation, reason, rows }) => `${relation}: ${reason}: ${rows}`)).toEqual([
        'comments: undated: in totals and the period all only: 1',
        'ideas: launched before 1990-01-01: undated: 1',
        'ideas: undated: in totals and the period all only: 1',
        'users: undated: in totals and the period all only: 1',
        'votes: undated: in totals and the period all only: 1',
        'votes: value is not above zero: 1',
      ])
    })

    test('has no month where nothing is dated', async () => {
      const ancient = `'0001-01-01 00:00:00+00'::timestamptz`
      const { users } = await readAll(
        url,
        mappingOf({
          users: of('users', { created_at: ancient }),
          ideas: of('ideas', { created_at: ancient, launched_at: ancient }),
          votes: of('votes', { created_at: 'NULL::timestamptz' }),
          comments: of('comments', { created_at: ancient }),
        }),
        { asOfMs: AS_OF },
      )
      expect(users.buckets.at(-1)).toEqual([])
      expect(users.accounts).toEqual({ total: 1, since: EIGHT_TIMES_0 })
      expect(users.active).toMatchObject({ all: 3, inWindow: [0, 0, 0, 0] })
    })

    test('reads active users with a bounded number of columns, whatever the dates are', async () => {
      const columns = async (sections: Partial<Record<Relation, string>>): Promise<number> =>
        withConnection(url, async ({ client }) => {
          const query = vi.spyOn(client, 'query')
          const source = await beginConsistentRead(client, mappingOf(sections), { ...OPTIONS, asOfMs: AS_OF })
          for await (const _ of source.facts());
          await source.users()
          const texts = query.mock.calls.map(([given]) => (given as unknown as { text?: string }).text ?? '')
          return texts.join().split('bit_or(').length - 1
        })
      const few = await columns({})
      expect(few).toBeLessThan(12)
      for (const date of ['-infinity', '0001-01-01 00:00:00+00', '1989-12-31 00:00:00+00', '9999-12-31 00:00:00+00'])
        expect(await columns({ votes: of('votes', { created_at: `'${date}'::timestamptz` }) })).toBe(few)
      expect(
        await columns({ votes: of('votes', { created_at: `'1990-01-01 00:00:00+00'::timestamptz` }) }),
      ).toBeLessThan(40)
    })

    test.each([Date.UTC(1970, 0), Date.UTC(1990, 11, 31), Date.UTC(2200, 0), Date.UTC(9999, 0)])(
      'is refused at a clock of %s',
      async (asOfMs) => {
        expect((await failure(readAll(url, mappingOf({}), { asOfMs }))).message).toMatch(
          /the database's clock says .*; allowed: from 1991 to before 2200; set the server's clock$/,
        )
      },
    )

    test('counts what it leaves out, and why', async () => {
      const future = `'2026-05-20 09:30:00+00'::timestamptz`
      const { ideas, skipped, users } = await readAll(
        url,
        mappingOf({
          users: `${SECTIONS.users} UNION ALL SELECT 2, ${future}`,
          ideas: `${SECTIONS.ideas} UNION ALL ${of('ideas', { created_at: future, id: '2' }).replace(/SELECT (.*) FROM/, 'SELECT 2, title, ' + future + ', launched, launched_at, url, author_id, status FROM')}
                  UNION ALL SELECT 3, 'Launched tomorrow', ${THEN}, true, ${future}, NULL, NULL, NULL`,
          idea_categories: `${SECTIONS.idea_categories} UNION ALL SELECT 404, 'a' UNION ALL SELECT 404, 'b'`,
          votes: `${SECTIONS.votes} UNION ALL VALUES (1, 1, -1, ${THEN}), (1, 1, 0, NULL), (1, 1, 5, ${future}), (404, 1, 1, ${THEN}), (2, 1, 1, ${THEN})`,
          comments: `${SECTIONS.comments} UNION ALL VALUES (2, 1, 1, ${future}), (3, 404, 1, ${THEN}), (4, 2, 1, ${THEN})`,
        }),
        { asOfMs: AS_OF },
      )
      expect(
        ideas.map(({ id, votes, comments, launchedAtMs }) => [id, votes.total, comments.total, launchedAtMs === null]),
      ).toEqual([
        ['1', 1, 1, false],
        ['3', 0, 0, true],
      ])
      expect(users.active.all).toBe(3)
      expect(skipped.map(({ relation, reason, rows }) => `${relation}: ${reason}: ${rows}`)).toEqual([
        'comments: dated at or after dataAsOf: 1',
        'comments: the idea is dated at or after dataAsOf: 1',
        'comments: the idea is not among the ideas: 1',
        'idea_categories: the idea is not among the ideas: 2',
        'ideas: dated at or after dataAsOf: 1',
        'ideas: launched at or after dataAsOf: undated: 1',
        'users: dated at or after dataAsOf: 1',
        'votes: dated at or after dataAsOf: 1',
        'votes: the idea is dated at or after dataAsOf: 1',
        'votes: the idea is not among the ideas: 1',
        'votes: value is not above zero: 2',
      ])
    })
  })

  describe('privileges', () => {
    beforeAll(async () => {
      await admin.query(`
        ALTER TABLE users ADD COLUMN email text;
        CREATE ROLE reader LOGIN; CREATE ROLE half LOGIN; CREATE ROLE owner_of_all LOGIN BYPASSRLS; CREATE ROLE nobody LOGIN;
        GRANT SELECT (id, created_at) ON users TO reader, half, owner_of_all;
        GRANT SELECT (id, title, created_at, launched, launched_at, url, author_id, status) ON ideas TO reader, half, owner_of_all;
        GRANT SELECT (idea_id, category) ON idea_categories TO reader, half, owner_of_all;
        GRANT SELECT (idea_id, user_id, value, created_at) ON votes TO reader, owner_of_all;
        GRANT SELECT (id, idea_id, user_id, created_at) ON comments TO reader, half, owner_of_all;
        GRANT SELECT (name) ON categories TO reader, half, owner_of_all;`)
    })

    test('on columns suffice', async () => {
      const { ideas, users } = await readAll(as('reader'), NATIVE)
      expect([ideas.length, users.accounts.total]).toEqual([2, 2])
    })

    test('that are missing are named', async () => {
      const error = await failure(readAll(as('half'), NATIVE))
      expect(error.message).toBe(
        'mapping native: role half may not read votes(idea_id, user_id, value, created_at); GRANT SELECT (idea_id, user_id, value, created_at) ON votes TO "half"',
      )
      expect(error.retryable).toBe(false)
    })

    test('that are missing are named by the server where the mapping does not say what it reads', async () => {
      const error = await failure(readAll(as('half'), { ...NATIVE, requires: [] }))
      expect(error.message).toBe(
        'mapping native, section votes: permission denied for table votes; grant SELECT on it to the role of --database-url (SQLSTATE 42501)',
      )
      expect(error.retryable).toBe(false)
    })

    describe('on rows', () => {
      beforeAll(() =>
        admin.query(`ALTER TABLE ideas ENABLE ROW LEVEL SECURITY; CREATE POLICY one ON ideas USING (id = 1)`),
      )
      afterAll(() => admin.query(`DROP POLICY one ON ideas; ALTER TABLE ideas DISABLE ROW LEVEL SECURITY`))

      test('are an error that names the table and both ways out', async () => {
        const error = await failure(readAll(as('reader'), NATIVE))
        expect(error.message).toBe(
          'mapping native: row-level security hides rows of ideas from role reader; give the role BYPASSRLS, or pass --row-security apply to read through its policies',
        )
        expect(error.retryable).toBe(false)
      })

      test('are one, too, where only the server knows', async () => {
        const error = await failure(readAll(as('reader'), { ...NATIVE, requires: [] }))
        expect(error.message).toMatch(
          /table "ideas"; give the role BYPASSRLS, or pass --row-security apply to read through its policies/,
        )
        expect(error.retryable).toBe(false)
      })

      test('also where the policy would let every row through', async () => {
        await admin.query(`CREATE POLICY everything ON ideas USING (true)`)
        try {
          expect((await failure(readAll(as('reader'), NATIVE))).message).toContain('--row-security apply')
        } finally {
          await admin.query(`DROP POLICY everything ON ideas`)
        }
      })

      test('are applied when that is asked for', async () => {
        const { ideas, skipped } = await readAll(as('reader'), NATIVE, { rowSecurity: 'apply' })
        expect(ideas.map(({ id, votes }) => [id, votes.total])).toEqual([['1', 1]])
        expect(skipped).toEqual([{ relation: 'votes', reason: 'the idea is not among the ideas', rows: 2 }])
      })

      test('do not concern a role that bypasses them', async () => {
        expect((await readAll(as('owner_of_all'), NATIVE)).ideas).toHaveLength(2)
      })
    })
  })

  describe('a server that cannot be entered', () => {
    const opened = (to: string): Promise<SourceError> => failure(withConnection(to, async () => {}))
    beforeAll(() => admin.query(`CREATE ROLE locked LOGIN PASSWORD 'right' IN ROLE password_required`))

    test.each([
      [
        'a wrong password',
        (): string => as('locked', 'S3CRET'),
        false,
        /password authentication failed for user "locked"; check the user and the password/,
      ],
      ['no password', (): string => as('locked'), false, /the server asks for a password; put it into --database-url/],
      [
        'an unknown role',
        (): string => as('stranger', 'S3CRET'),
        false,
        /role "stranger" does not exist; check the user/,
      ],
      [
        'an unknown database',
        (): string => postgres().url('elsewhere'),
        false,
        /database "elsewhere" does not exist; check the database name/,
      ],
      ['no TLS', (): string => `${url}?sslmode=require`, false, /does not support SSL connections; see sslmode/],
      [
        'nothing that listens',
        (): string => 'postgresql://me:S3CRET@127.0.0.1:1/x',
        true,
        /ECONNREFUSED 127\.0\.0\.1:1; nothing listens there/,
      ],
      ['no such socket', (): string => `postgresql://me:S3CRET@/x?host=${folder}`, false, /ENOENT .*; no such socket/],
    ] as const)('%s', async (_, to, retryable, why) => {
      const error = await opened(to())
      expect(error.message).toMatch(/^cannot connect to [^ ]*: /)
      expect(error.message).toMatch(why)
      expect(error.message).not.toContain('S3CRET')
      expect(error).toMatchObject({ kind: 'source', retryable })
    })

    test('is entered with the right password, and over its socket', async () => {
      const database = async ({ client }: Connection) =>
        (await client.query<{ name: string }>('SELECT current_database() AS name')).rows[0]!.name
      expect(await withConnection(as('locked', 'right'), database)).toBe('ideas')
      expect(
        await withConnection(
          `postgresql://postgres@/ideas?host=${postgres().socketDir}&port=${postgres().port}`,
          database,
        ),
      ).toBe('ideas')
    })
  })

  describe('meanwhile', () => {
    /** Ideas enough that the server waits for us in the middle of a COPY. */
    const MANY = `SELECT n AS id, repeat('x', 2000) AS title, ${THEN} AS created_at, false AS launched, NULL::timestamptz AS launched_at,
                         NULL AS url, NULL AS author_id, NULL AS status FROM generate_series(1, 20000) AS n`
    const pidOf = async ({ client }: Connection): Promise<number> =>
      (await client.query<{ pid: number }>('SELECT pg_backend_pid() AS pid')).rows[0]!.pid

    test('a query that takes too long ends the read, for good', async () => {
      const users = `SELECT 1 AS id, ${THEN} AS created_at FROM pg_sleep(20)`
      const started = Date.now()
      const error = await failure(readAll(url, mappingOf({ users }), { statementTimeoutMs: 200 }))
      expect(error.message).toMatch(
        /^mapping test, counting accounts and active users: canceling statement due to statement timeout; .*--statement-timeout/,
      )
      expect(error.retryable).toBe(false)
      expect(Date.now() - started).toBeLessThan(5000)
    })

    test('a table that somebody changes is worth another try', async () => {
      await admin.query('BEGIN; ALTER TABLE votes ADD COLUMN weight int')
      try {
        const error = await failure(readAll(url, NATIVE, { lockTimeoutMs: 200 }))
        expect(error.message).toMatch(
          /^mapping native, section votes: canceling statement due to lock timeout; .*--lock-timeout/,
        )
        expect(error.retryable).toBe(true)
      } finally {
        await admin.query('ROLLBACK')
      }
      expect((await readAll(url, NATIVE)).ideas).toHaveLength(2)
    })

    test('a session that is ended in the middle of the ideas is worth another try', async () => {
      const error = await failure(
        withConnection(url, async (connection) => {
          const pid = await pidOf(connection)
          const source = await beginConsistentRead(connection.client, mappingOf({ ideas: MANY }), OPTIONS)
          let batches = 0
          for await (const batch of source.facts()) {
            expect(batch.length).toBeGreaterThan(0)
            if (batches++ === 0) await admin.query('SELECT pg_terminate_backend($1)', [pid])
          }
        }),
      )
      expect(error.message).toMatch(
        /^mapping test, reading ideas, votes and comments: .*(?:terminating connection|Connection terminated)/,
      )
      expect(error.retryable).toBe(true)
    })

    test('so is one that is ended between two questions', async () => {
      const error = await failure(
        withConnection(url, async (connection) => {
          const pid = await pidOf(connection)
          const source = await beginConsistentRead(connection.client, mappingOf({}), OPTIONS)
          for await (const _ of source.facts());
          const ended = new Promise((resolve) => connection.client.once('end', resolve))
          await admin.query('SELECT pg_terminate_backend($1)', [pid])
          await ended
          await source.users()
        }),
      )
      expect(error.message).toMatch(/^mapping test, counting accounts and active users: /)
      expect(error.retryable).toBe(true)
    })

    test('a consumer that stops in the middle does not keep the connection', async () => {
      const started = Date.now()
      await withConnection(url, async ({ client }) => {
        const source = await beginConsistentRead(client, mappingOf({ ideas: MANY }), OPTIONS)
        for await (const batch of source.facts()) if (batch.length > 0) break
      })
      expect(Date.now() - started).toBeLessThan(5000)
    })

    test('a builder that is gone does not leave its query running', async () => {
      const users = `SELECT 1 AS id, ${THEN} AS created_at FROM pg_sleep(60)`
      const controller = new AbortController()
      let pid = 0
      const work = withConnection(
        url,
        async (connection) => {
          pid = await pidOf(connection)
          const source = await beginConsistentRead(connection.client, mappingOf({ users }), OPTIONS)
          setTimeout(() => controller.abort(new Error('the deadline')), 200)
          await source.users()
        },
        controller.signal,
      )
      await expect(work).rejects.toThrow(SourceError)
      const sessions = async (): Promise<number> =>
        (await admin.query('SELECT FROM pg_stat_activity WHERE pid = $1', [pid])).rowCount ?? 0
      expect(await sessions()).toBe(1)
      await expect.poll(sessions, { timeout: 15_000, interval: 200 }).toBe(0)
    })

    describe('a server that stops answering is left within 3 seconds of the signal', () => {
      /** Runs while `pid` is stopped, as a machine that hangs. */
      const whileStopped = async <T>(pid: number, work: () => Promise<T>): Promise<T> => {
        process.kill(pid, 'SIGSTOP')
        try {
          return await work()
        } finally {
          process.kill(pid, 'SIGCONT')
        }
      }
      const abortSoon = (): { controller: AbortController; sinceAbort: () => number } => {
        const controller = new AbortController()
        let abortedMs = Number.NaN
        setTimeout(() => {
          abortedMs = performance.now()
          controller.abort(new Error('the deadline'))
        }, 200)
        return { controller, sinceAbort: () => performance.now() - abortedMs }
      }

      test('in the middle of a question', async () => {
        const { controller, sinceAbort } = abortSoon()
        const work = withConnection(
          url,
          async (connection) => {
            const source = await beginConsistentRead(connection.client, mappingOf({}), OPTIONS)
            return whileStopped(await pidOf(connection), () => source.users())
          },
          controller.signal,
        )
        await expect(work).rejects.toThrow(SourceError)
        expect(sinceAbort()).toBeLessThan(3000)
      })

      test('in the middle of the ideas', async () => {
        const { controller, sinceAbort } = abortSoon()
        const work = withConnection(
          url,
          async (connection) => {
            const pid = await pidOf(connection)
            const source = await beginConsistentRead(connection.client, mappingOf({ ideas: MANY }), OPTIONS)
            const facts = source.facts()
            await facts.next()
            await whileStopped(pid, async () => {
              for await (const batch of facts) expect(batch.length).toBeGreaterThan(0)
            })
          },
          controller.signal,
        )
        await expect(work).rejects.toThrow(SourceError)
        expect(sinceAbort()).toBeLessThan(3000)
      })

      test('while connecting', async () => {
        const { controller, sinceAbort } = abortSoon()
        await whileStopped(postgres().pid, async () => {
          await expect(withConnection(url, async () => {}, controller.signal)).rejects.toThrow('the deadline')
        })
        expect(sinceAbort()).toBeLessThan(3000)
      })

      test('and no connection is begun when the signal came before', async () => {
        await expect(withConnection(url, async () => {}, AbortSignal.abort(new Error('the deadline')))).rejects.toThrow(
          'the deadline',
        )
      })
    })
  })
})

const EIGHT_TIMES_1 = Array.from({ length: 8 }, () => 1)
const EIGHT_TIMES_0 = Array.from({ length: 8 }, () => 0)
