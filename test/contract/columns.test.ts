// src/contract/columns.ts: every column of every export is explained, and what is said of it follows its schema.
import { describe, expect, test } from 'vitest'
import { columnsOf, EXPORT_COLUMNS } from '../../src/contract/columns.ts'
import { TABLES, EXPORT_TYPES } from '../../src/contract/kinds/tables.ts'

describe.each(EXPORT_TYPES)('the columns of %s', (type) => {
  const columns = columnsOf(type)

  test('are those of the export, in order, each with a sentence of its own', () => {
    expect(columns.map(({ name }) => name)).toEqual(EXPORT_COLUMNS[type])
    for (const { name, description } of columns) expect(description, name).toMatch(/^\w.{6,}\.$/)
    expect(new Set(columns.map(({ description }) => description)).size).toBe(columns.length)
    expect(TABLES[type].rows).toMatch(/^One row for each .*\.$/)
  })

  test('say what an empty cell means exactly where there can be one', () => {
    for (const { name, empty } of columns) {
      const types = [TABLES[type].columns[name]!.json['type']].flat()
      expect([name, empty !== undefined]).toEqual([name, types.includes('null')])
    }
  })

  test('have a unit exactly where they are numbers of one kind', () => {
    for (const { name, type: kind, unit } of columns) {
      const isNumber = kind === 'integer' || kind === 'number'
      const ofMetric = type === 'overview' && ['value', 'previousValue', 'yearAgoValue'].includes(name)
      const dependsOnRow = ofMetric || (type === 'revisions' && ['was', 'is'].includes(name))
      expect([name, unit !== undefined]).toEqual([name, isNumber && !dependsOnRow])
    }
  })
})

test('types are taken from the schemas', () => {
  const types = Object.fromEntries(columnsOf('history').map(({ name, type }) => [name, type]))
  expect(types).toMatchObject({ date: 'date', dataAsOf: 'datetime', mapping: 'string', totalIdeas: 'integer' })
  const [metric, value, , change] = columnsOf('overview')
  expect(metric).toMatchObject({ type: 'string', values: expect.arrayContaining(['newUsers', 'totalLaunchedIdeas']) })
  expect(value).toMatchObject({ type: 'number', minimum: 0 })
  expect(change).not.toHaveProperty('minimum')
})
