import { describe, expect, test } from 'vitest'
import { parseMappingFile } from '../../../src/source/mapping/file-format.ts'
import { SourceError } from '../../../src/source/database/source-error.ts'

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
const sectionOf = (sql: string): string | undefined => parse(withLine(7, sql)).sections.get('users')
const paramOf = (declaration: string) => parse(withLine(3, `-- param ${declaration}`)).params[0]

test('a file has a name, parameters, requirements and sections', () => {
  expect(parse(LINES.join('\n'))).toEqual({
    name: 'myapp',
    params: [{ name: 'tenant', type: 'int', default: '1', description: 'tenants.id' }],
    choices: new Map(),
    requires: [{ table: 'users', columns: ['id', 'created_at'], since: '', optional: false }],
    sections: new Map([
      ['users', 'SELECT id, created_at FROM users WHERE tenant_id = :tenant'],
      ['ideas', 'SELECT 1'],
      ['idea_categories', 'SELECT 1'],
      ['votes', 'SELECT 1'],
      ['comments', 'SELECT 1'],
    ]),
    closed: null,
  })
})

test('byte order mark, CRLF and blanks around directives are taken as they come', () => {
  const windows = `\uFEFF${LINES.join('\r\n')}\r\n`.replace('-- section users', '--section   users  ')
  expect(parse(windows)).toEqual(parse(LINES.join('\n')))
})

test('categories is the only section that may be left out, or be there', () => {
  expect(parse(`${LINES.join('\n')}\n-- section categories\nSELECT name FROM boards`).sections.get('categories')).toBe(
    'SELECT name FROM boards',
  )
})

test('closed may be there, and is no relation', () => {
  const { closed, sections } = parse(`${LINES.join('\n')}\n-- section closed\nSELECT is_private AS closed FROM site;`)
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
    [
      'keeps comments, blank lines and other people’s directives',
      'SELECT 1\n\n-- see sections\n-- parameters',
      'SELECT 1\n\n-- see sections\n-- parameters',
    ],
  ])('%s', (_, sql, kept) => {
    expect(sectionOf(sql)).toBe(kept)
  })
})

describe('a parameter', () => {
  test.each([
    [
      'with everything',
      'a : int = 1 -- tenants.id',
      { name: 'a', type: 'int', default: '1', description: 'tenants.id' },
    ],
    ['without a default is required', 'a : bigint', { name: 'a', type: 'bigint', default: null, description: '' }],
    ['with an empty default', 'a : text =', { name: 'a', type: 'text', default: '', description: '' }],
    [
      'with blanks and dashes in it',
      'a_1:text[]=x, y-z -- one -- two',
      { name: 'a_1', type: 'text[]', default: 'x, y-z', description: 'one -- two' },
    ],
    ['with = in it', 'a : text = b=c', { name: 'a', type: 'text', default: 'b=c', description: '' }],
  ])('%s', (_, declaration, param) => {
    expect(paramOf(declaration)).toEqual(param)
  })
})

describe('requires', () => {
  const requiresOf = (text: string) => parse(withLine(4, `-- requires ${text}`)).requires

  test.each([
    ['says since when', 'posts(is_approved) -- Fider 0.22', ['posts', ['is_approved'], 'Fider 0.22']],
    ['names as SQL does', 'app."Post"( "createdAt",Ünïcode$1 )', ['app."Post"', ['"createdAt"', 'Ünïcode$1'], '']],
    ['may hold what a quoted name may', '"a b"("c, ""d"") (e")', ['"a b"', ['"c, ""d"") (e"'], '']],
  ])('%s', (_, text, [table, columns, since]) => {
    expect(requiresOf(text)).toEqual([{ table, columns, since, optional: false }])
  })
})

test('requires may be of what only some versions have', () => {
  const [line] = parse(withLine(4, '-- requires spaces(mode) where present -- 0.32')).requires
  expect(line).toEqual({ table: 'spaces', columns: ['mode'], since: '0.32', optional: true })
})

describe('choices', () => {
  const withChoices = (text: string) => parse(`${LINES.join('\n')}\n${text}`)

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
    expect(() => withChoices(text)).toThrow(new SourceError('configuration', message))
  })
})

describe('a mistake is named with file and line and with what was expected', () => {
  const param =
    'expected: -- param NAME : TYPE [= DEFAULT] [-- description], TYPE one of int, bigint, text, boolean, text[]'
  test.each([
    ['no name', withLine(1, '--'), 'my.sql:1: no name; the file must have a line: -- mapping: NAME'],
    ['an empty file', '', 'my.sql:1: no name; the file must have a line: -- mapping: NAME'],
    [
      'a name with a blank',
      withLine(1, '-- mapping: my app'),
      'my.sql:1: the name "my app" must be 1 to 64 of A-Z a-z 0-9 _ -',
    ],
    [
      'a name with a slash',
      withLine(1, '-- mapping: ../x'),
      'my.sql:1: the name "../x" must be 1 to 64 of A-Z a-z 0-9 _ -',
    ],
    [
      'a second name',
      withLine(2, '-- mapping: other'),
      'my.sql:2: a second "-- mapping:" line; a file holds one mapping',
    ],
    ['a parameter without type', withLine(3, '-- param tenant = 1'), `my.sql:3: ${param}`],
    ['a parameter without name', withLine(3, '-- param : int'), `my.sql:3: ${param}`],
    ['a parameter’s name that is none', withLine(3, '-- param 1a : int'), `my.sql:3: ${param}`],
    [
      'an unknown type',
      withLine(3, '-- param tenant : uuid'),
      'my.sql:3: param tenant: no type "uuid"; allowed: int, bigint, text, boolean, text[]',
    ],
    ['a parameter twice', withLine(2, '-- param tenant : text'), 'my.sql:3: param tenant is declared twice'],
    [
      'requires without columns',
      withLine(4, '-- requires users'),
      'my.sql:4: expected: -- requires TABLE(column, column, …) [where present] [-- since when]',
    ],
    [
      'requires with what is no name',
      withLine(4, '-- requires users(id); DROP TABLE users; --(x)'),
      'my.sql:4: expected: -- requires TABLE(column, column, …) [where present] [-- since when]',
    ],
    [
      'requires with an empty column',
      withLine(4, '-- requires users(id,,x)'),
      'my.sql:4: expected: -- requires TABLE(column, column, …) [where present] [-- since when]',
    ],
    [
      'an unknown section',
      withLine(8, '-- section posts'),
      'my.sql:8: no section "posts"; allowed: users, ideas, idea_categories, votes, comments, categories, closed',
    ],
    [
      'a section in another case',
      withLine(8, '-- section Ideas'),
      'my.sql:8: no section "Ideas"; allowed: users, ideas, idea_categories, votes, comments, categories, closed',
    ],
    ['a section twice', withLine(8, '-- section users'), 'my.sql:8: section users is there twice'],
    [
      'SQL before the first section',
      withLine(5, 'SELECT 1'),
      'my.sql:5: SQL before the first section; expected: -- section users (or another relation)',
    ],
    [
      'a section that is missing',
      withLine(12, '--'),
      'my.sql:1: section votes is missing; expected a line: -- section votes',
    ],
    ['a section without SQL', withLine(13, '  '), 'my.sql:12: section votes is empty; expected one SELECT'],
    [
      'a section of comments',
      withLine(13, '/* SELECT 1 */ -- ;'),
      'my.sql:12: section votes is empty; expected one SELECT',
    ],
    ['a section of a semicolon', withLine(13, ';'), 'my.sql:12: section votes is empty; expected one SELECT'],
  ])('%s', (_, text, message) => {
    expect(() => parse(text)).toThrow(new SourceError('configuration', message))
    expect(() => parse(text)).toThrow(expect.objectContaining({ kind: 'configuration', retryable: false }))
  })
})
