import { describe, expect, test } from 'vitest'
import { namedIn, partsOf, withShared } from '../../../src/source/mapping/shared-sql.ts'

const cut = (sql: string) => {
  const parts = partsOf(sql)
  return typeof parts === 'string' ? null : parts
}

describe('the parts of shared SQL', () => {
  test.each([
    ['one', 'a AS (SELECT 1)', ['a']],
    ['several', 'a AS (SELECT 1),\nb AS (SELECT 2)', ['a', 'b']],
    ['in brackets within', 'a AS (SELECT (1), (SELECT 2 FROM (SELECT 3) x), f(4)),\nb AS (SELECT 5)', ['a', 'b']],
    ['folded', 'Open AS (SELECT 1),\nÄB AS (SELECT 2)', ['open', 'Äb']],
    ['quoted', '"A, b AS (" AS (SELECT 1),\n"c""d"AS(SELECT 2)', ['A, b AS (', 'c"d']],
    ['with columns', 'a(x, "y") AS (SELECT 1, 2)', ['a']],
    ['materialized, or not', 'a AS MATERIALIZED (SELECT 1),\nb as not materialized (SELECT 2)', ['a', 'b']],
    [
      'next to comments and strings',
      `/* b AS ( */ -- ) AS (\na AS (SELECT ')' || $$)$$), -- c, d AS (\n-- of c,\nc AS (SELECT 1) -- end`,
      ['a', 'c'],
    ],
    ['none, without AS', 'a (SELECT 1)', null],
    ['none, with a schema', 'a.b AS (SELECT 1)', null],
    ['none, with a parameter as a name', ':a AS (SELECT 1)', null],
  ])('%s', (_, sql, names) => {
    expect(cut(sql)?.map(({ name }) => name) ?? null).toEqual(names)
  })
})

test.each([
  ['a word', 'SELECT 1 FROM open', ['open']],
  ['in capitals', 'SELECT 1 FROM OPEN', ['open']],
  ['in quotes', 'SELECT 1 FROM "open"', ['open']],
  ['not in other capitals', 'SELECT 1 FROM "Open"', []],
  ['not a part of a word', 'SELECT opened, open_ FROM reopen', []],
  ['not in strings and comments', `SELECT 'open' -- open\n /* open */`, []],
  ['both', 'SELECT 1 FROM open JOIN shut ON true', ['open', 'shut']],
])('a SELECT names a part: %s', (_, sql, names) => {
  expect(namedIn(sql, ['open', 'shut'])).toEqual(names)
})

describe('in front of a SELECT', () => {
  const parts =
    cut('a AS (SELECT 1), -- first\nb AS (\n  SELECT 2 FROM a),\nc AS (SELECT 3 FROM "b"),\nd AS (SELECT 4)') ?? []
  const front = (select: string): string =>
    (/^WITH [^\n]*\n(.*)\nSELECT \* FROM \( \/\* the section itself/s.exec(withShared(parts, select))?.[1] ?? '')
      .replaceAll(/\s+/g, ' ')
      .trim()

  test.each([
    ['none', 'SELECT 5', ''],
    ['what it names', 'SELECT 5 FROM d', 'd AS (SELECT 4)'],
    [
      'what that names, too',
      'SELECT 5 FROM c',
      'a AS (SELECT 1) -- first , b AS ( SELECT 2 FROM a) , c AS (SELECT 3 FROM "b")',
    ],
    ['not what comes later', 'SELECT 5 FROM a', 'a AS (SELECT 1) -- first'],
    ['several', 'SELECT 5 FROM a, d', 'a AS (SELECT 1) -- first , d AS (SELECT 4)'],
  ])('%s', (_, select, list) => {
    expect(front(select)).toBe(list)
  })
})

test('parts that each name all above them are looked at once each', () => {
  const names = Array.from({ length: 60 }, (_, i) => `a${i}`)
  const parts = cut(
    names
      .map(
        (name, i) =>
          `${name} AS (SELECT 1 FROM x${names
            .slice(0, i)
            .map((one) => `, ${one}`)
            .join('')})`,
      )
      .join(',\n'),
  )
  expect(withShared(parts ?? [], 'SELECT 1 FROM a59')).toContain('a0 AS (SELECT 1 FROM x)')
})
