import { describe, expect, test } from 'vitest'
import { fillTemplate, timeLiteral } from '../../../src/source/sql/template.ts'
import { RELATIONS, type Relation } from '../../../src/source/mapping/relations.ts'

const sections = new Map<Relation, string>(
  RELATIONS.map((relation) => [relation, `SELECT '${relation}' -- {votes} :as_of`]),
)
const keys = { idea_key: 'int8', user_key: 'uuid' }

describe('a template is filled', () => {
  test('with sections as they are, whatever marks they hold, each on lines of its own', () => {
    const sql = fillTemplate('check/duplicate-votes', { sections, keys })
    expect(sql).toContain(`FROM (\nSELECT 'ideas' -- {votes} :as_of\n) AS source`)
    expect(sql).toContain('id::int8')
  })

  test('completely, or it is an error', () => {
    expect(() => fillTemplate('check/duplicate-votes', { sections })).toThrow(
      'check/duplicate-votes.sql has {idea_key}, which nothing fills',
    )
    expect(() => fillTemplate('check/duplicate-votes', { keys })).toThrow(
      'check/duplicate-votes.sql has {votes}, which nothing fills',
    )
    expect(() => fillTemplate('database/catalog', { sections, keys })).toThrow(
      /catalog\.sql has :\w+, which nothing fills/,
    )
  })
})

test('times are literals with their type', () => {
  expect(timeLiteral(0)).toBe(`'1970-01-01T00:00:00.000Z'::timestamptz`)
  expect(timeLiteral(new Date(0).setUTCFullYear(1, 0, 1))).toBe(`'0001-01-01T00:00:00.000Z'::timestamptz`)
})
