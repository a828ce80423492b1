// The names that parameters put into requires lines, and the schemas that one may name: requires-line.ts.
import { describe, expect, test } from 'vitest'
import type { CatalogTable } from '../../../src/source/database/catalog.ts'
import type { MappingRequires } from '../../../src/source/mapping/requires-line.ts'
import { fillRequires, nearSchemas, schemaParams, withSchemaParams } from '../../../src/source/mapping/requires-line.ts'
import type { ParamValue } from '../../../src/source/mapping/parameters.ts'
import { catalogTable, textColumns } from '../../support/catalog-table.ts'

const line = (table: string, ...columns: string[]): MappingRequires => ({ table, columns, since: '', optional: false })
const table = (schema: string, name: string, rows: number, ...columns: string[]): CatalogTable =>
  catalogTable({ schema, name, visible: false, rows, columns: textColumns(columns) })

describe('a requires line gets names in place of its parameters', () => {
  const names: Record<string, string> = { t: 'Town "A".b', c: 'select', plain: 'town' }
  test.each([
    ['before the dot', line(':t.ideas', 'id'), line('"Town ""A"".b".ideas', 'id')],
    ['unquoted where that is the same', line(':plain."Ideas"', 'id'), line('town."Ideas"', 'id')],
    ['as a table', line(':plain', 'id'), line('town', 'id')],
    ['after the dot', line('app.:plain', 'id'), line('app.town', 'id')],
    ['as a column', line('ideas', 'id', ':c', '":c"'), line('ideas', 'id', '"select"', '":c"')],
    ['not within quotes', line('":t".ideas', 'id'), line('":t".ideas', 'id')],
  ])('%s', (_, given, filled) => {
    expect(fillRequires([given], (name) => names[name] ?? null)).toEqual([filled])
  })

  test('and is left out while one has no name', () => {
    const lines = [line(':x.ideas', 'id'), line('ideas', ':x'), line('users', 'id')]
    expect(fillRequires(lines, () => null)).toEqual([line('users', 'id')])
    expect(schemaParams(lines)).toEqual(['x'])
  })
})

describe('what a schema may be called', () => {
  const requires = [line(':t.ideas', 'id', '"Title"'), line(':t.votes', 'id'), line('tenants', 'host')]
  const names = (...catalog: CatalogTable[]): string[] =>
    nearSchemas(requires, 't', catalog).flatMap(({ name, whole }) => (whole ? [name] : []))

  test('is told by its tables: all of them, in one schema', () => {
    expect(
      names(
        table('a', 'ideas', 1, 'id'),
        table('b', 'ideas', 1, 'id'),
        table('b', 'votes', 1, 'id'),
        table('c', 'votes', 1, 'id'),
      ),
    ).toEqual(['b'])
  })

  test('the one with most of the columns is first, then the one with most rows', () => {
    const schema = (name: string, rows: number, ...columns: string[]) => [
      table(name, 'ideas', rows, 'id', ...columns),
      table(name, 'votes', -1, 'id'),
    ]
    expect(
      names(
        ...schema('old', 900),
        ...schema('small', 5, 'Title'),
        ...schema('big', 50, 'Title'),
        ...schema('none', -1, 'Title'),
      ),
    ).toEqual(['big', 'small', 'none', 'old'])
  })
})

test('lines that were found in a database get the parameter back', () => {
  const value: ParamValue = {
    param: { name: 't', type: 'identifier', default: null, description: '' },
    text: 'Town',
    from: 'flag',
    sql: ' "Town" ',
  }
  const text: ParamValue = { ...value, param: { ...value.param, name: 'other', type: 'text' }, text: 'app' }
  expect(
    withSchemaParams([line('"Town"."Ideas"', 'id'), line('town.ideas', 'id'), line('app.x', 'id')], [text, value]),
  ).toEqual([line(':t."Ideas"', 'id'), line('town.ideas', 'id'), line('app.x', 'id')])
})
