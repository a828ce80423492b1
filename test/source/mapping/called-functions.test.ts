// Which functions a SELECT calls, and what it reads where an output is called as no other: referenced-columns.ts
import { expect, test } from 'vitest'
import { parseSelects, proposeRequires, SelectReader } from '../../../src/source/mapping/referenced-columns.ts'
import { catalogTable, textColumns } from '../../support/catalog-table.ts'

test.each([
  ['anywhere', 'SELECT a(b()) FROM c() JOIN d ON e() WHERE EXISTS (SELECT f()) ORDER BY g() LIMIT h()', 'abcefgh'],
  ['in WITH and in each part of UNION', 'WITH t AS (SELECT a()) SELECT b() UNION SELECT c() FROM t ORDER BY 1', 'abc'],
  ['in ORDER BY, where an output is called *', 'SELECT id FROM (SELECT id, 1 AS "*" FROM users ORDER BY a()) t', 'a'],
  ['in a FILTER and a window', 'SELECT a(*) FILTER (WHERE b()) OVER (PARTITION BY c() ORDER BY d()) FROM t', 'abcd'],
  ['twice, also with a schema', 'SELECT s.a(), a(), "b"()', 'ab'],
  ['nowhere', 'SELECT a AS b FROM c ORDER BY b', ''],
])('a function that is called %s', async (_, sql, names) => {
  const [select = null] = await parseSelects([sql])
  expect([...new SelectReader([select]).functions].sort().join('')).toBe(names)
})

test('a column by which a SELECT orders is read, also where an output is called *', async () => {
  const selects = await parseSelects(['SELECT id, 1 AS "*" FROM users ORDER BY lower(email)'])
  const [line] = proposeRequires(selects, [catalogTable({ name: 'users', columns: textColumns(['id', 'email']) })])
  expect(line?.columns).toEqual(['id', 'email'])
})
