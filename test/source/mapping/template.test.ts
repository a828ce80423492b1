import { array, assert, boolean, constantFrom, oneof, property, record } from 'fast-check'
import { escapeIdentifier } from 'pg'
import { describe, expect, test } from 'vitest'
import type { CatalogTable } from '../../../src/source/database/catalog.ts'
import { templateByName, templateByTables } from '../../../src/source/mapping/template.ts'
import { parseMappingFile } from '../../../src/source/mapping/file-format.ts'
import { builtInMappings, openMapping } from '../../../src/source/mapping/mapping.ts'
import { tokens } from '../../../src/source/sql/tokens.ts'
import { RELATIONS } from '../../../src/source/mapping/relations.ts'
import { anyText } from '../../contract/any-text.ts'
import { catalogTable } from '../../support/catalog-table.ts'

const table = (name: string, columns: readonly (readonly [name: string, type: string])[] = []): CatalogTable =>
  catalogTable({ name, rows: 0, columns: columns.map(([column, type]) => ({ name: column, type, readable: true })) })
const textOf = (...catalog: CatalogTable[]): string => templateByTables(catalog).text
const parsed = (text: string) => parseMappingFile('template.sql', text)
/** The lines of the comment that lists the tables. */
const listed = (...catalog: CatalogTable[]): string[] => {
  const lines = textOf(...catalog).split('\n')
  const start = lines.indexOf('-- The tables of this database, the largest first:') + 1
  expect(start).toBeGreaterThan(0)
  return lines.slice(start, lines.indexOf('--', start))
}

describe('a copy of a built-in mapping', () => {
  test.each(builtInMappings())('%s is the file itself, with the parameters that must be given', (name) => {
    const { text, file } = openMapping(name)
    const template = templateByName(name, true)
    expect(template).toMatchObject({ name, text, why: ['a copy of the built-in mapping, to be changed'] })
    // Lines are known of files that are the operator's own.
    expect(parsed(template.text)).toEqual(file)
    expect(
      file.params
        .filter(({ name: param }) => template.params.includes(`--param ${param}=VALUE`))
        .map((one) => one.default),
    ).toEqual(template.params.map(() => null))
  })
})

describe('the template', () => {
  test.each(['my-platform', 'NAME', 'x'.repeat(64), '__proto__', 'template'])('is called %s', (name) => {
    const template = templateByName(name, true)
    expect(template).toMatchObject({ name, params: [], why: [`the template: no built-in mapping is called ${name}`] })
    expect(parsed(template.text)).toMatchObject({ name, params: [], requires: [] })
  })

  test('has every section, and nothing yet that a database must have', () => {
    const { selects } = parsed(templateByName('mine', true).text)
    expect(selects.map(({ name }) => name)).toEqual(RELATIONS)
  })

  test('without a database lists no tables, and has no mark left', () => {
    const { text } = templateByName('mine', true)
    expect(text).not.toMatch(/TABLES|NAME$|The tables of this database/m)
    expect(text).toContain('and no other.\n-- Name what')
  })

  test('with a database says so, and that it looks like nothing known', () => {
    const template = templateByTables([table('users', [['id', 'int']])])
    expect(template).toMatchObject({ name: 'my-platform', params: [] })
    expect(template.why).toHaveLength(1)
    expect(template.why[0]).toMatch(
      /^the template: the database looks like no platform that is built in; the nearest, /,
    )
  })

  test('becomes the mapping it says once its examples are taken: a parameter and a line of requires', () => {
    const text = templateByName('mine', true)
      .text.replace('-- -- param', '-- param')
      .replace('-- -- requires', '-- requires')
    expect(parsed(text)).toMatchObject({
      params: [{ name: 'tenant', type: 'int', default: null, description: 'the site: tenants.id' }],
      requires: [{ table: 'users', columns: ['id', 'created_at'] }],
    })
  })
})

describe('the list of tables', () => {
  test('says them as they are written in SQL', () => {
    expect(
      listed(
        table('userVotes', [
          ['postId', 'uuid'],
          ['createdAt', 'timestamp(3) without time zone'],
          ['at', 'timestamp with time zone'],
          ['seen', 'timestamp with time zone[]'],
          ['name', 'character varying(30)'],
          ['names', 'character varying[]'],
        ]),
        { ...table('events', [['id', 'bigint']]), schema: 'My Archive', visible: false },
      ),
    ).toEqual([
      '--   "userVotes"("postId" uuid, "createdAt" timestamp(3) without time zone, at timestamp with time zone,',
      '--       seen timestamp with time zone[], name character varying(30), names character varying[])',
      '--   "My Archive".events(id bigint)',
    ])
  })

  test('has the largest first, without partitions, which are a part of another', () => {
    const part = (name: string, rows: number): CatalogTable => ({ ...table(name), rows, isPartition: true })
    expect(
      listed({ ...table('ideas'), rows: 50 }, part('votes_2024', 30), part('votes_2024_may', 40), {
        ...table('votes'),
        rows: 70,
      }),
    ).toEqual(['--   votes()', '--   ideas()'])
  })

  test('has 80 tables, and the number of the others', () => {
    const tables = Array.from({ length: 83 }, (_, i) => table(`t${i}`, [['id', 'int']]))
    expect(listed(...tables.slice(0, 80))).toHaveLength(80)
    const lines = listed(...tables)
    expect(lines.slice(79)).toEqual(['--   t79(id int)', '-- and 3 more tables'])
  })

  test('of an empty database is empty', () => {
    expect(listed()).toEqual([])
  })
})

describe('whatever the tables are called', () => {
  const plain = templateByName('my-platform', true).text
  const codeOf = (text: string): string[] =>
    tokens(text)
      .flatMap((token) => (token.kind === 'code' ? [token.text.trim()] : []))
      .filter((code) => code !== '')
  const its = { file: parsed(plain), code: codeOf(plain) }

  /** Nothing but comments is added, neither for the build nor for psql. */
  const staysTheTemplate = (...catalog: CatalogTable[]): void => {
    const text = textOf(...catalog)
    // The tables stand above the sections.
    expect({ file: parsed(text), code: codeOf(text) }).toEqual(its)
  }

  test.each([
    ['users\nDROP TABLE users;'],
    ['users\r\n-- section users'],
    ['a\u2028-- section users\u2029'],
    ['-- TABLES\n'],
    ['*/ /*'],
    [':param'],
  ])('%j: the template is still the template', (name) => {
    staysTheTemplate(table(name, [[name, name]]), table('next', [[name, 'int']]))
    staysTheTemplate({ ...table('votes', [['id', escapeIdentifier(name)]]), schema: name, visible: false })
  })

  test.each(['section', 'choices', 'requires', 'param'])('%s: the template is still the template', (name) => {
    staysTheTemplate(table(name, [['id', 'int']]))
  })

  test('a line that begins with the column choices: the template is still the template', () => {
    staysTheTemplate(
      table('polls', [
        ['x'.repeat(60), 'timestamp with time zone'],
        ['y'.repeat(20), 'int'],
        ['choices', 'jsonb'],
      ]),
    )
  })

  test('the template is still the template', () => {
    const name = oneof(anyText({ minLength: 1, maxLength: 60 }), constantFrom('section', 'choices', 'votes', 'users'))
    const tables = record({
      name,
      schema: name,
      visible: boolean(),
      columns: array(record({ name, type: name }), { maxLength: 9 }),
    })
    assert(
      property(array(tables, { maxLength: 5 }), (catalog) => {
        staysTheTemplate(
          ...catalog.map(({ schema, visible, columns, ...one }) => ({
            ...table(
              one.name,
              columns.map((column) => [column.name, column.type] as const),
            ),
            schema,
            visible,
          })),
        )
      }),
    )
  })
})
