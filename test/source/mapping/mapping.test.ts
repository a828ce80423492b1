import { assert, property } from 'fast-check'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { builtInMappings, loadMapping, openMapping, type Mapping } from '../../../src/source/mapping/mapping.ts'
import { RELATIONS } from '../../../src/source/mapping/relations.ts'
import { foldedName } from '../../../src/source/sql/names.ts'
import { tokens } from '../../../src/source/sql/tokens.ts'
import { fitting } from '../../../src/source/mapping/mapping-file.ts'
import { anyText } from '../../contract/any-text.ts'
import { temporaryFolder } from '../../support/temporary-folder.ts'

const folder = temporaryFolder(afterAll)

const file = (params: string, users = 'SELECT 1'): string => {
  const path = join(folder, 'my.sql')
  const others = ['ideas', 'idea_categories', 'votes', 'comments'].map((name) => `-- section ${name}\nSELECT 1`)
  writeFileSync(path, [`-- mapping: my`, params, `-- section users`, users, ...others].join('\n'))
  return path
}
const usersOf = (mapping: Mapping): string | undefined => fitting(mapping, []).sections.get('users')
/** What `:p` becomes. */
const value = (declaration: string, given: Record<string, string> = {}): string | undefined =>
  usersOf(loadMapping(file(`-- param ${declaration}`, 'SELECT :p'), given))?.slice('SELECT '.length)
const message = (load: () => unknown): string => {
  try {
    load()
  } catch (error) {
    expect(error).toMatchObject({ name: 'CliError', exitCode: 2 })
    return (error as Error).message
  }
  throw new Error('nothing was refused')
}

describe('a parameter becomes a quoted, cast literal', () => {
  test.each([
    ['int', '7', `'7'::int`],
    ['int', '-2147483648', `'-2147483648'::int`],
    ['int', '007', `'007'::int`],
    ['bigint', '9223372036854775807', `'9223372036854775807'::bigint`],
    ['bigint', '-9223372036854775808', `'-9223372036854775808'::bigint`],
    ['boolean', 'true', `'true'::boolean`],
    ['uuid', '01234567-89AB-cdef-0123-456789abcdef', `'01234567-89ab-cdef-0123-456789abcdef'::uuid`],
    ['identifier', 'Town', ' "Town" '],
    ['identifier', 'select', ' "select" '],
    ['identifier', 'a.b"c; --', ' "a.b""c; --" '],
    ['identifier', 'ö'.repeat(31), ` "${'ö'.repeat(31)}" `],
    ['text', '', `''::text`],
    ['text', `it's; -- /* :p "$$ \\`, ` E'it''s; -- /* :p "$$ \\\\'::text`],
    ['text[]', `a, b ,it's`, `ARRAY['a', 'b', 'it''s']::text[]`],
    ['text[]', '', 'ARRAY[]::text[]'],
    ['text[]', ' ,a,', `ARRAY['a']::text[]`],
  ])('%s %j', (type, given, sql) => {
    expect(value(`p : ${type}`, { p: given })).toBe(sql)
  })

  test('from the command line before the default, which holds when nothing is given', () => {
    expect(value('p : int = 1')).toBe(`'1'::int`)
    expect(value('p : int = 1', { p: '2' })).toBe(`'2'::int`)
  })

  test('from its variable, in capitals whatever its name, between the two; an empty one is unset', () => {
    const users = (given: Record<string, string>, env: Record<string, string>): string | undefined =>
      usersOf(loadMapping(file('-- param orgId : int = 1', 'SELECT :orgId'), given, env))
    expect(users({}, { ANALYTICS_PARAM_ORGID: '2' })).toBe(`SELECT '2'::int`)
    expect(users({ orgId: '3' }, { ANALYTICS_PARAM_ORGID: '2' })).toBe(`SELECT '3'::int`)
    expect(users({}, { ANALYTICS_PARAM_ORGID: '' })).toBe(`SELECT '1'::int`)
  })

  test.each(['ANALYTICS_PARAM_ORGNAIZATION', 'ANALYTICS_PARAM_organization'])(
    'not from %s, which is an error, also where there is a default',
    (name) => {
      const load = (given: string) => loadMapping(file('-- param organization : int = 1'), {}, { [name]: given })
      expect(message(() => load('2'))).toBe(
        `${name}: mapping my has no such parameter; did you mean ANALYTICS_PARAM_ORGANIZATION?; it has: organization`,
      )
      // Empty is unset.
      expect(() => load('')).not.toThrow()
    },
  )

  test('however it is called', () => {
    for (const name of ['constructor', '__proto__', 'toString'])
      expect(usersOf(loadMapping(file(`-- param ${name} : int = 1`, `SELECT :${name}`), {}))).toBe(`SELECT '1'::int`)
  })

  test('and cannot leave it', () => {
    // prettier-ignore
    const attempts = [
      `'; DROP TABLE users; --`, `' OR '1'='1`, `\\'; --`, `''`, `'::int); COMMIT; --`, `$$; --`, `*/ ; /*`, `\n'\n`, `E'\\''`, `:p`, `')) UNION SELECT`, '\uFF07',
    ]
    for (const attempt of attempts) {
      const sql = value('p : text', { p: attempt })!
      expect([attempt, tokens(sql).map(({ kind, text }) => (kind === 'code' ? text : kind))]).toEqual([
        attempt,
        [...(attempt.includes('\\') ? [' E'] : []), 'string', '::text'],
      ])
    }
  })
})

test('whatever a name is, it is one name where it stands', () => {
  assert(
    property(anyText({ minLength: 1, maxLength: 3 }), (name) => {
      const sql = usersOf(loadMapping(file('-- param p : identifier', 'SELECT U&:p.a"b":p FROM :p.t'), { p: name }))!
      const names = tokens(sql)
        .filter(({ kind }) => kind !== 'code')
        .map(({ kind, text }) => [kind, foldedName(text)])
      expect(names).toEqual([
        ['identifier', name],
        ['identifier', 'b'],
        ['identifier', name],
        ['identifier', name],
      ])
      const code = tokens(sql).flatMap(({ kind, text }) => (kind === 'code' ? [text] : []))
      expect(code).toEqual(['SELECT U& ', ' .a', ' ', '  FROM  ', ' .t'])
    }),
  )
})

describe('a value is rejected', () => {
  const int = 'an integer from -2147483648 to 2147483647'
  const bigint = 'an integer from -9223372036854775808 to 9223372036854775807'
  test.each([
    ['int', '', int],
    ['int', '1.5', int],
    ['int', '1e3', int],
    ['int', ' 1', int],
    ['int', '+1', int],
    ['int', '1; DROP', int],
    ['int', '٣', int],
    ['int', '2147483648', int],
    ['int', '-2147483649', int],
    ['bigint', '9223372036854775808', bigint],
    ['bigint', '99999999999999999999', bigint],
    ['uuid', '', 'a UUID such as 01234567-89ab-cdef-0123-456789abcdef'],
    ['uuid', '{01234567-89ab-cdef-0123-456789abcdef}', 'a UUID such as 01234567-89ab-cdef-0123-456789abcdef'],
    ['identifier', '', 'a name of 1 to 63 bytes'],
    ['identifier', 'a\0b', 'text: it holds a NUL'],
    ['boolean', 'yes', 'true or false'],
    ['boolean', 'TRUE', 'true or false'],
    ['text', 'a\0b', 'text: it holds a NUL'],
    ['text[]', 'a,\0', 'text: it holds a NUL'],
  ])('%s %j', (type, given, allowed) => {
    expect(message(() => value(`p : ${type}`, { p: given }))).toBe(`--param p: "${given}" is not ${allowed}`)
  })

  test('when the server would cut the name, and so read another schema', () => {
    expect(value('p : identifier', { p: 'x'.repeat(63) })).toBe(` "${'x'.repeat(63)}" `)
    for (const long of ['x'.repeat(64), 'ö'.repeat(32)])
      expect(message(() => value('p : identifier', { p: long }))).toContain('is not a name of 1 to 63 bytes')
  })

  test.each([
    [
      'when it is required',
      'p : int -- tenants.id',
      {},
      '--param p=VALUE is required by mapping my (int: tenants.id); analytics-build check lists what it may be',
    ],
    ['when nobody declared it', 'p : int = 1', { q: '1' }, '--param q: mapping my has no such parameter; it has: p'],
    [
      'when one was meant',
      'tenant : int = 1',
      { tennant: '1' },
      '--param tennant: mapping my has no such parameter; did you mean tenant?; it has: tenant',
    ],
    [
      'when it is too long to be shown',
      'p : int',
      { p: 'x'.repeat(99) },
      `--param p: "${'x'.repeat(40)}" is not ${int}`,
    ],
  ])('%s', (_, declaration, given, refusal) => {
    expect(message(() => value(declaration, given))).toBe(refusal)
  })
})

test.each([
  ['and there is another', '-- param q : int = 1', 'declared: q'],
  ['and there is none', '', 'none is declared'],
])('a section that uses an undeclared parameter is rejected, %s', (_, params, declared) => {
  const path = file(params, 'SELECT :tenant')
  expect(message(() => loadMapping(path, {}))).toBe(
    `${path}: section users uses :tenant, but ${declared}; add a "-- param tenant : TYPE" line`,
  )
})

describe('choosing', () => {
  test('native is built in, and has every section', () => {
    expect(builtInMappings()).toContain('native')
    const native = loadMapping('native', {})
    expect(native.name).toBe('native')
    expect([...fitting(native, []).sections.keys()]).toEqual(RELATIONS)
  })

  test.each(builtInMappings())('%s loads with its defaults, or says what it requires', (name) => {
    try {
      expect(loadMapping(name, {}).name).toBe(name)
    } catch (error) {
      expect((error as Error).message).toMatch(/^--param \w+=VALUE is required by mapping /)
    }
  })

  test('an unknown name lists the ones there are', () => {
    const meant = {
      nativ: '; did you mean native?',
      Decidm: '; did you mean decidim?',
      '': '',
      '..': '',
      constructor: '',
    }
    for (const [name, suggestion] of Object.entries(meant))
      expect(message(() => loadMapping(name, {}))).toBe(
        `--source: no built-in mapping "${name}", and a file must end in .sql${suggestion}; there are: ${builtInMappings().join(', ')}`,
      )
  })

  test('a file that cannot be read is named', () => {
    expect(message(() => loadMapping('./nowhere.sql', {}))).toMatch(
      /^--source: cannot read \.\/nowhere\.sql: ENOENT.*; give a file that this user may read; built-in ones: astuto, /,
    )
    expect(message(() => loadMapping(folder, {}))).toMatch(/^--source: cannot read .*: EISDIR/)
    const latin = join(folder, 'latin.sql')
    writeFileSync(latin, Buffer.from('-- mapping: mine\n-- B\u00fcrger\n', 'latin1'))
    expect(message(() => loadMapping(latin, {}))).toContain(
      'latin.sql: line 2 is not UTF-8 (byte 22 of the file); save it',
    )
  })
})

test('the hash says whether the queries are the same: it covers text and parameters', () => {
  const hash = (params: string, given: Record<string, string>): string =>
    loadMapping(file(params, 'SELECT :p'), given).sha256
  const one = hash('-- param p : int = 1', {})
  expect(one).toMatch(/^[0-9a-f]{64}$/)
  expect(hash('-- param p : int = 2 -- the same value, described', { p: '1' })).toBe(one)
  expect(hash('-- param p : int = 2', {})).not.toBe(one)
  expect(hash('-- param p : bigint = 1', {})).not.toBe(one)
})

const NATIVE = readFileSync(openMapping('native').path, 'utf8')
const loaded = (text: string, given: Record<string, string> = {}): Mapping => {
  const path = join(folder, 'native.sql')
  writeFileSync(path, text)
  return loadMapping(path, given)
}

test('the hash is the same with other blanks and remarks, and another one where a string or a name has them', () => {
  const { sha256 } = loadMapping('native', {})
  const spread = NATIVE.replaceAll(' FROM ', '\n\t FROM -- a remark\n /* and /* another */ one */ ')
  expect(spread).not.toBe(NATIVE)
  expect(loaded(spread).sha256).toBe(sha256)
  const withString = (string: string): string =>
    loaded(NATIVE.replace(/FROM ideas\b/, `FROM ideas WHERE title <> ${string}`)).sha256
  const others = ["'a b'", "'a  b'", "'a'\n'b'", "'a' /* c */\n'b'", '$$a b$$', '"a b"', '"a  b"', "'a--b'", "E'a b'"]
  expect(new Set([sha256, ...others.map(withString)]).size).toBe(others.length + 1)
})

test('what is asked names each section and parameter that is another one', () => {
  const params = '-- param p : int = 1\n-- param q : text = x'
  const asked = (where: string, given: Record<string, string> = {}): Mapping['asked'] =>
    loadMapping(file(params, `SELECT :p, :q ${where}`), given).asked
  const one = asked('')
  expect(one).toMatchObject({ builtIn: false, params: { p: expect.any(String) as string } })
  expect(asked(' -- a remark')).toEqual(one)
  const other = asked('', { q: 'y' })
  expect(other.sections).toEqual(one.sections)
  expect(other.params['p']).toBe(one.params['p'])
  expect(other.params['q']).not.toBe(one.params['q'])
  const differ = Object.entries(asked('WHERE true').sections).filter(([name, hash]) => hash !== one.sections[name])
  expect(differ.map(([name]) => name)).toHaveLength(1)
  expect(loadMapping('native', {}).asked).toMatchObject({ builtIn: true })
  expect({ ...loaded(NATIVE).asked, builtIn: true }).toEqual(loadMapping('native', {}).asked)
})

test('of a section the one "where present" is asked, too, and section closed', () => {
  const present = NATIVE.replace(
    '-- section votes',
    '-- requires users(region) where present\n-- section votes',
  ).concat('\n-- section users where present\nSELECT id::text, created_at FROM users WHERE region IS NULL\n')
  const [plain, one, other] = [NATIVE, present, present.replace('IS NULL', 'IS NOT NULL')].map((text) => loaded(text))
  expect(new Set([plain, one, other].map((mapping) => mapping?.asked.sections['users'])).size).toBe(3)
  expect(new Set([plain, one, other].map((mapping) => mapping?.sha256)).size).toBe(3)
  expect(one?.asked.sections['votes']).toBe(plain?.asked.sections['votes'])
  const closing = `${NATIVE}\n-- section closed\nSELECT false AS closed\n`
  const { sections } = loaded(closing).asked
  expect(sections['closed']).toBeDefined()
  expect(loaded(closing.replace('false', 'true')).asked.sections['closed']).not.toBe(sections['closed'])
})

test('section page changes nothing that a build reads: neither the hash nor what is granted or required', () => {
  const plain = readFileSync(file('-- param p : int = 1', 'SELECT :p'), 'utf8')
  const own = join(folder, 'page.sql')
  writeFileSync(own, `${plain}\n-- section page\nSELECT title FROM labels\n`)
  const bare = join(folder, 'bare.sql')
  writeFileSync(bare, plain)
  expect({ ...loadMapping(own, {}), sourceName: bare }).toEqual(loadMapping(bare, {}))
  expect(openMapping(own).file.selects).toEqual(openMapping(bare).file.selects)
  expect(openMapping(own).file.page).toBe('SELECT title FROM labels')
})
