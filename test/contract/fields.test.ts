// src/contract/schemas.ts: every field of every document has a sentence.
import { describe, expect, test } from 'vitest'
import { documentFields, SCHEMAS } from '../../src/contract/schemas.ts'

describe.each(Object.keys(SCHEMAS))('the fields of %s', (document) => {
  const fields = documentFields(document)

  test('all have a path, a type and a sentence', () => {
    expect(fields.length).toBeGreaterThan(1)
    for (const { path, type, description } of fields) {
      expect(description, path).toMatch(/\.$/)
      expect(type, path).toMatch(/^(?:list of )?[a-z"]/)
      expect(type, path).not.toMatch(/undefined|object Object/)
    }
    expect(new Set(fields.map(({ path }) => path)).size).toBe(fields.length)
  })

  test('are those of the schema', () => {
    const top = fields.map(({ path }) => path).filter((path) => !/[.[]/.test(path))
    expect(top).toEqual(Object.keys(SCHEMAS[document]?.['properties'] as object))
  })
})

test('types are those of JSON, with what null says', () => {
  const field = (document: string, wanted: string): unknown =>
    documentFields(document).find(({ path }) => path === wanted)
  expect(field('Trending', 'ideas[].categories')).toMatchObject({ type: 'list of strings' })
  expect(field('Trending', 'ideas[].launchedAt')).toMatchObject({ type: 'time or null' })
  expect(field('Timeline', 'interval')).toMatchObject({ type: 'one of hour, day, month' })
  expect(field('ExportHistory', 'data[].totalUsers')).toMatchObject({
    type: 'integer or null',
    description: expect.stringContaining('null: Not published'),
  })
})
