import { describe, expect, test } from 'vitest'
import { parseMappingFile } from '../../../src/source/mapping/file-format.ts'
import { fitting } from '../../../src/source/mapping/mapping-file.ts'
import { usageError } from '../../../src/process/cli-error.ts'

const LINES = [
  '-- mapping: myapp', // 1
  '-- Any other comment is only a comment.',
  '-- param tenant : int = 1 -- tenants.id',
  '-- requires users(id, created_at)',
  '',
  '-- section users', // 6
  'SELECT id, created_at FROM users WHERE tenant_id = :tenant',
  '-- section ideas', // 8
  'SELECT 1',
  '-- section idea_categories', // 10
  'SELECT 1',
  '-- section votes', // 12
  'SELECT 1',
  '-- section comments', // 14
  'SELECT 1',
]
const withLine = (line: number, text: string): string => LINES.with(line - 1, text).join('\n')
const parse = (text: string) => parseMappingFile('my.sql', text)
/** What a database without any table gets. */
const fitted = (text: string) => fitting(parse(text), [])
const sectionOf = (sql: string): string | undefined => fitted(withLine(7, sql)).sections.get('users')
const section = (name: string, sql = 'SELECT 1') => ({
  kind: 'section',
  name,
  about: `section ${name}`,
  sql,
  needs: [],
})
const paramOf = (declaration: string) => parse(withLine(3, `-- param ${declaration}`)).params[0]

test('a file has a name, parameters, requirements and sections', () => {
  expect(parse(LINES.join('\n'))).toEqual({
    name: 'myapp',
    params: [{ name: 'tenant', type: 'int', default: '1', description: 'tenants.id' }],
    requires: [{ table: 'users', columns: ['id', 'created_at'], since: '', optional: false }],
    selects: [
      section('users', 'SELECT id, created_at FROM users WHERE tenant_id = :tenant'),
      section('ideas'),
      section('idea_categories'),
      section('votes'),
      section('comments'),
    ],
    parts: [],
    page: null,
  })
})

test('byte order mark, CRLF and blanks around directives are taken as they come', () => {
  const windows = `\uFEFF${LINES.join('\r\n')}\r\n`.replace('-- section users', '--section   users  ')
  expect(parse(windows)).toEqual(parse(LINES.join('\n')))
})

test('categories is the only section that may be left out, or be there', () => {
  expect(fitted(`${LINES.join('\n')}\n-- section categories\nSELECT name FROM boards`).sections.get('categories')).toBe(
    'SELECT name FROM boards',
  )
})

test('closed may be there, and is no relation', () => {
  const { closed, sections } = fitted(`${LINES.join('\n')}\n-- section closed\nSELECT is_private AS closed FROM site;`)
  expect(closed).toBe('SELECT is_private AS closed FROM site')
  expect([...sections.keys()]).toEqual(['users', 'ideas', 'idea_categories', 'votes', 'comments'])
})

describe('a section', () => {
  test.each([
    ['may end in one semicolon', 'SELECT 1;', 'SELECT 1'],
    ['or in one before comments', 'SELECT 1; -- done\n/* really; */', 'SELECT 1\n-- done\n/* really; */'],
    ['keeps a semicolon that is none', `SELECT ';'`, `SELECT ';'`],
    ['keeps a second one, which the server will refuse', 'SELECT 1;;', 'SELECT 1;'],
    ['keeps a semicolon in a comment', 'SELECT 1 -- ;', 'SELECT 1 -- ;'],
    ['keeps comments, blank lines and other people’s directives', 'SELECT 1\n\n-- see sections\n-- parameters'],
  ])('%s', (_, sql, kept = sql) => {
    expect(sectionOf(sql)).toBe(kept)
  })
})

describe('a parameter', () => {
  test.each([
    ['with everything', 'a : int = 1 -- tenants.id', ['a', 'int', '1', 'tenants.id']],
    ['without a default is required', 'a : bigint', ['a', 'bigint', null, '']],
    ['with an empty default', 'a : text =', ['a', 'text', '', '']],
    ['with blanks and dashes', 'a_1:text[]=x, y-z -- one -- two', ['a_1', 'text[]', 'x, y-z', 'one -- two']],
    ['with = in it', 'a : text = b=c', ['a', 'text', 'b=c', '']],
  ])('%s', (_, declaration, [name, type, byDefault, description]) => {
    expect(paramOf(declaration)).toEqual({ name, type, default: byDefault, description })
  })
})

describe('requires', () => {
  const requiresOf = (text: string) => parse(withLine(4, `-- requires ${text}`)).requires

  test.each([
    ['may have a comment', 'posts(is_approved) -- Fider 0.22', 'posts', ['is_approved'], false],
    ['names as SQL does', 'app."Post"( "createdAt",Ünïcode$1 )', 'app."Post"', ['"createdAt"', 'Ünïcode$1'], false],
    ['may hold what a quoted name may', '"a b"("c, ""d"") (e")', '"a b"', ['"c, ""d"") (e"'], false],
    ['may be of what some versions have', 'spaces(mode) where present -- 0.32', 'spaces', ['mode'], true],
    ['may name parameters', ':t.posts(id, :t)\n-- param t : identifier = x', ':t.posts', ['id', ':t'], false],
  ])('%s', (_, text, table, columns, optional) => {
    expect(requiresOf(text)).toMatchObject([{ table, columns, optional }])
  })
})

test.each([
  [
    'that nobody declares',
    '-- requires :site.posts(id)',
    'my.sql:4: requires uses :site, but of the params of type identifier none is declared',
  ],
  [
    'of another type',
    '-- requires :tenant.posts(id)',
    'my.sql:4: requires uses :tenant, but of the params of type identifier none is declared',
  ],
  [
    'as a column that nobody declares',
    '-- param t : identifier = x\n-- requires :t.posts(:u)',
    'my.sql:5: requires uses :u, but of the params of type identifier declared: t',
  ],
])('but not one %s', (_, line, message) => {
  expect(() => parse(withLine(4, line))).toThrow(usageError(message))
})

describe('a section where present', () => {
  const OPTIONAL = '-- requires topics(id, name) where present'
  const ofVersions = (text: string) => parse(text).selects.filter(({ needs }) => needs.length > 0)
  const votes = (sql: string, head = OPTIONAL): string => `${withLine(4, head)}\n-- section votes where present\n${sql}`

  test('is used in place of the other one, and needs the lines of which it names table and column', () => {
    const head = `${OPTIONAL}\n-- requires topics(parent) where present\n-- requires tags(id) where present\n-- requires users(id)`
    const text = votes('SELECT NAME FROM users, "topics"', head)
    expect(fitted(text).sections.get('votes')).toBe('SELECT 1')
    expect(ofVersions(text)).toEqual([
      {
        kind: 'section',
        name: 'votes',
        about: 'section votes where present',
        sql: 'SELECT NAME FROM users, "topics"',
        needs: [{ table: 'topics', columns: ['id', 'name'], since: '', optional: true }],
      },
    ])
  })

  test('may be the only one of categories', () => {
    const text = `${withLine(4, OPTIONAL)}\n-- section categories where present\nSELECT name FROM topics`
    expect(fitted(text).sections.has('categories')).toBe(false)
  })

  test('has shared SQL in front, too', () => {
    const text = votes('SELECT name FROM topics, open\n-- section with\nopen AS (SELECT 1)')
    expect(ofVersions(text)[0]?.sql).toContain('open AS (SELECT 1)')
  })

  test('needs nothing of what shared SQL reads: that may be there or not', () => {
    const head = `${OPTIONAL}\n-- requires tags(id) where present`
    const text = votes('SELECT name FROM topics, open\n-- section with\nopen AS (SELECT id FROM tags)', head)
    expect(ofVersions(text)[0]?.needs.map(({ table }) => table)).toEqual(['topics'])
  })

  test('may be choices of a parameter', () => {
    const param = '-- param a : int = 1\n-- choices a\nSELECT 1 AS value, 2 AS label'
    const there = '-- choices a where present\nSELECT id AS value, name AS label FROM topics'
    const text = `${withLine(4, OPTIONAL)}\n${param}\n${there}`
    expect(fitted(text).choices.get('a')).toBe('SELECT 1 AS value, 2 AS label')
    expect(ofVersions(text).map(({ kind, name }) => [kind, name])).toEqual([['choices', 'a']])
    const alone = `${withLine(4, OPTIONAL)}\n-- param a : int = 1\n${there}`
    expect(() => parse(alone)).toThrow(
      /choices a is missing; expected one without "where present" for the other versions/,
    )
    const idle = `${withLine(4, OPTIONAL)}\n${param}\n-- choices a where present\nSELECT 1 AS value`
    expect(() => parse(idle)).toThrow(/choices a where present names no table, with a column, of a requires line/)
    expect(() => parse(`${withLine(4, OPTIONAL)}\n-- choices b where present\nSELECT name FROM topics`)).toThrow(
      /choices b: no such param/,
    )
  })

  const nothing = (line: number): string =>
    `my.sql:${line}: section votes where present names no table, with a column, of a requires line "where present"`
  test.each([
    ['without a table that may be absent', '-- section votes where present\nSELECT 1', nothing(16)],
    ['of a table without its columns', '-- section votes where present\nSELECT 1 FROM topics', nothing(16)],
    [
      'twice',
      '-- section votes where present\nSELECT name FROM topics\n-- section votes where present\nSELECT 1',
      'my.sql:18: section votes where present is there twice',
    ],
    [
      'of no relation',
      '-- section closed where present\nSELECT name FROM topics',
      'my.sql:16: section closed cannot be "where present"; allowed: users, ideas, idea_categories, votes, comments, categories',
    ],
    [
      'with other words',
      '-- section votes if present\nSELECT 1',
      'my.sql:16: no section "votes if present"; allowed: users, ideas, idea_categories, votes, comments, categories, closed, page, with',
    ],
  ])('%s is rejected', (_, text, message) => {
    expect(() => parse(`${withLine(4, OPTIONAL)}\n${text}`)).toThrow(usageError(message))
  })

  test('does not replace one that must be there', () => {
    const text = withLine(12, '-- section votes where present').replace(
      'SELECT 1\n-- section comments',
      'SELECT name FROM topics\n-- section comments',
    )
    expect(() => parse(text)).toThrow('my.sql:1: section votes is missing; expected a line: -- section votes')
  })
})

describe('section with', () => {
  const OPEN = 'open AS (SELECT 1)'

  test('is in front of the sections that name one of its parts, and of no other', () => {
    const { sections, closed } = fitted(
      `${withLine(13, 'SELECT 1 FROM open')}\n-- section with\n${OPEN}\n-- section closed\nSELECT 2 FROM open`,
    )
    const front = (select: string): string =>
      `WITH /* section with */\n${OPEN}\nSELECT * FROM ( /* the section itself */\n${select}\n) AS section`
    expect(sections.get('votes')).toBe(front('SELECT 1 FROM open'))
    expect(closed).toBe(front('SELECT 2 FROM open'))
    expect(sections.get('comments')).toBe('SELECT 1')
    expect([...sections.keys()]).not.toContain('with')
  })

  test('is in front of choices, too', () => {
    const text = `${LINES.join('\n')}\n-- section with\n${OPEN}\n-- choices tenant\nSELECT 3 FROM open`
    expect(fitted(text).choices.get('tenant')).toContain(OPEN)
  })

  const line = 'my.sql:16: section with:'
  const list = `${line} expected NAME AS (SELECT …), each NAME at the beginning of a line, without the words WITH and RECURSIVE`
  test.each([
    ['with the word WITH', 'WITH open AS (SELECT 1)', list],
    ['with the word RECURSIVE', 'RECURSIVE open AS (SELECT 1)', list],
    ['that is a SELECT', 'SELECT 1', list],
    ['of strings', `'open' AS (SELECT 1)`, list],
    ['without SQL', '-- nothing', 'my.sql:16: section with is empty; expected one SELECT'],
  ])('%s is rejected', (_, sql, message) => {
    expect(() => parse(`${withLine(13, 'SELECT 1 FROM open')}\n-- section with\n${sql}`)).toThrow(usageError(message))
  })
})

describe('choices', () => {
  const withChoices = (text: string) => fitted(`${LINES.join('\n')}\n${text}`)

  test('are a SELECT per parameter', () => {
    const { choices, sections } = withChoices('-- choices tenant\nSELECT id AS value,\n  name AS label FROM tenants;')
    expect(choices).toEqual(new Map([['tenant', 'SELECT id AS value,\n  name AS label FROM tenants']]))
    expect(sections.get('comments')).toBe('SELECT 1')
  })

  test.each([
    ['of no parameter', '-- choices tenants\nSELECT 1', 'my.sql:16: choices tenants: no such param; declared: tenant'],
    ['twice', '-- choices tenant\nSELECT 1\n-- choices tenant\nSELECT 1', 'my.sql:18: choices tenant is there twice'],
    ['without SQL', '-- choices tenant', 'my.sql:16: choices tenant is empty; expected one SELECT'],
  ])('%s are rejected', (_, text, message) => {
    expect(() => withChoices(text)).toThrow(usageError(message))
  })
})

describe('a mistake is named with file and line and with what was expected', () => {
  const types = 'int, bigint, uuid, text, boolean, text[], identifier'
  const param = `expected: -- param NAME : TYPE [= DEFAULT] [-- description], TYPE one of ${types}`
  const requires = 'expected: -- requires TABLE(column, column, …) [where present] [-- since when]'
  const sections = 'allowed: users, ideas, idea_categories, votes, comments, categories, closed, page, with'
  test.each([
    [1, 1, '--', 'no name; the file must have a line: -- mapping: NAME'],
    [1, 1, '-- mapping: my app', 'the name "my app" must be 1 to 64 of A-Z a-z 0-9 _ -'],
    [1, 1, '-- mapping: ../x', 'the name "../x" must be 1 to 64 of A-Z a-z 0-9 _ -'],
    [2, 2, '-- mapping: other', 'a second "-- mapping:" line; a file holds one mapping'],
    [3, 3, '-- param tenant = 1', param],
    [3, 3, '-- param : int', param],
    [3, 3, '-- param 1a : int', param],
    [3, 3, '-- param tenant : name', `param tenant: no type "name"; allowed: ${types}`],
    [3, 2, '-- param tenant : text', 'param tenant is declared twice'],
    [4, 4, '-- requires users', requires],
    [4, 4, '-- requires users(id); DROP TABLE users; --(x)', requires],
    [4, 4, '-- requires users(id,,x)', requires],
    [8, 8, '-- section posts', `no section "posts"; ${sections}`],
    [8, 8, '-- section Ideas', `no section "Ideas"; ${sections}`],
    [8, 8, '-- section users', 'section users is there twice'],
    [5, 5, 'SELECT 1', 'SQL before the first section; expected: -- section users (or another relation)'],
    [1, 12, '--', 'section votes is missing; expected a line: -- section votes'],
    [12, 13, '  ', 'section votes is empty; expected one SELECT'],
    [12, 13, '/* SELECT 1 */ -- ;', 'section votes is empty; expected one SELECT'],
    [12, 13, ';', 'section votes is empty; expected one SELECT'],
  ])('in line %i, with a line %i: %s', (at, line, text, message) => {
    const read = () => parse(withLine(line, text))
    expect(read).toThrow(usageError(`my.sql:${at}: ${message}`))
    expect(read).toThrow(expect.objectContaining({ exitCode: 2 }))
  })

  test('an empty file has no name', () => {
    expect(() => parse('')).toThrow('my.sql:1: no name; the file must have a line: -- mapping: NAME')
  })
})
