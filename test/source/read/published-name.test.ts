// Every category name that a source can give a release is one that the API can be asked for.
import { assert, integer, property, tuple, constantFrom } from 'fast-check'
import { expect, test } from 'vitest'
import { categoryFinder } from '../../../src/contract/category-name.ts'
import { ENDPOINTS } from '../../../src/contract/kinds/register.ts'
import { snapshotPath } from '../../../src/contract/snapshot-paths.ts'
import { parseQuery } from '../../../src/contract/parse-query.ts'
import { MAX_TARGET_BYTES } from '../../../src/contract/problems.ts'
import { publishedName } from '../../../src/source/read/category-names.ts'
import { anyText } from '../../contract/any-text.ts'

test('a published name is accepted, fits a target and leads to its snapshot', () => {
  let published = 0
  // Around the bound, also of what composes, and of what takes the most bytes.
  const long = tuple(
    integer({ min: 195, max: 205 }),
    constantFrom('x', '\u{10ffff}', 'e\u0301', '\u3000', '\u1100\u1161\u11a8'),
  ).map(([times, unit]) => unit.repeat(times))
  const raws = tuple(anyText({ maxLength: 220, size: 'max' }), anyText({ maxLength: 3 }), long)
  assert(
    property(raws, (texts) => {
      for (const raw of [...texts, texts.join('')]) {
        const { name } = publishedName(raw)
        if (name === null) continue
        published += 1
        const query = `period=24h&limit=100&category=${encodeURIComponent(name)}`
        expect(`${ENDPOINTS.trending.path}?${query}`.length).toBeLessThanOrEqual(MAX_TARGET_BYTES)
        const parsed = parseQuery(ENDPOINTS.trending, query)
        if (!parsed.ok || parsed.query.endpoint !== 'trending') throw new Error(`refused: ${query}`)
        expect(parsed.query.category).toBe(name)
        const found = categoryFinder([name.toUpperCase(), name].sort())(parsed.query.category ?? '')
        expect(snapshotPath({ ...parsed.query, category: found })).toBe(
          snapshotPath({ endpoint: 'trending', period: '24h', category: name }),
        )
      }
    }),
    { numRuns: 500 },
  )
  expect(published).toBeGreaterThan(500)
})

test.each([
  [null, 'is NULL'],
  ['', 'no category'],
  [' \u3000', 'no category'],
  ['UNcategorized ', 'no category'],
  ['x'.repeat(201), 'too long'],
  ['\u{1f600}'.repeat(201), 'too long'],
  // Of this the database sends a part only, which would be another name.
  [' '.repeat(9_990) + 'x'.repeat(11), 'too long'],
])('%j is no name', (raw, why) => {
  expect(publishedName(raw)).toEqual({ name: null, why })
})

test.each([
  ['x'.repeat(200), 'x'.repeat(200)],
  ['\u{1f600}'.repeat(200), '\u{1f600}'.repeat(200)],
  [`  ${'e\u0301'.repeat(200)}\n`, '\u00e9'.repeat(200)],
])('%j is one', (raw, name) => {
  expect(publishedName(raw)).toEqual({ name, why: null })
})
