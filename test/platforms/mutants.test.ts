import { expect, test } from 'vitest'
import { mutantsOf } from './mutants.ts'

const removed = (sql: string): string[] => mutantsOf(sql).map((mutant) => mutant.removed)
const squeeze = (text: string): string => text.replaceAll(/\s+/g, ' ').trim()

test.each([
  ['nothing to remove', 'SELECT 1 FROM t', []],
  ['one condition', 'SELECT 1 FROM t WHERE a = 1', ['a = 1']],
  [
    'each part of an AND',
    'SELECT 1 FROM t WHERE a AND NOT b AND c IN (1, 2) GROUP BY d',
    ['a', 'NOT b', 'c IN (1, 2)'],
  ],
  ['each part of an OR', 'SELECT 1 FROM t WHERE a OR b', ['a', 'b']],
  ['joins', 'SELECT 1 FROM t JOIN u ON a AND b LEFT JOIN v ON c WHERE d ORDER BY 1', ['a', 'b', 'c', 'd']],
  ['a bracket, and its parts', 'SELECT 1 FROM t WHERE a AND (b OR c)', ['a', '(b OR c)', 'b', 'c']],
  ['an AND within an OR', 'SELECT 1 FROM t WHERE a OR b AND c', ['a', 'b AND c', 'b', 'c']],
  [
    'sub-selects',
    'SELECT 1 FROM t WHERE NOT EXISTS (SELECT FROM u WHERE a AND b)',
    ['NOT EXISTS (SELECT FROM u WHERE a AND b)', 'a', 'b'],
  ],
  ['both sides of a UNION', '(SELECT 1 FROM t WHERE a UNION ALL SELECT 2 FROM t WHERE b) ', ['a', 'b']],
  ['CASE', 'SELECT CASE WHEN a AND b THEN c WHEN d THEN e END FROM t', ['a', 'b', 'd']],
  ['the column launched', 'SELECT id, a = 1 AND b AS launched, c AS d FROM t', ['a = 1', 'b']],
  [
    'the column closed',
    'SELECT NOT EXISTS (SELECT FROM t WHERE a) AND b AS closed',
    ['NOT EXISTS (SELECT FROM t WHERE a)', 'a', 'b'],
  ],
  ['not what a string or a comment says', `SELECT 1 FROM t WHERE a = ' AND b' -- AND c\n AND d`, [`a = ' AND b'`, 'd']],
  ['not what is true anyway', 'SELECT 1 FROM t LEFT JOIN LATERAL (SELECT 1) x ON true', []],
  ['the second one of the same text', 'SELECT 1 FROM t JOIN u ON a WHERE a', ['a', 'a #2']],
])('%s', (_, sql, conditions) => {
  expect(removed(sql)).toEqual(conditions)
})

test('a part of an AND becomes true, a part of an OR false', () => {
  expect(mutantsOf('SELECT 1 FROM t WHERE a AND (b OR c) LIMIT 1').map(({ sql }) => squeeze(sql))).toEqual([
    'SELECT 1 FROM t WHERE true AND (b OR c) LIMIT 1',
    'SELECT 1 FROM t WHERE a AND true LIMIT 1',
    'SELECT 1 FROM t WHERE a AND ( false OR c) LIMIT 1',
    'SELECT 1 FROM t WHERE a AND (b OR false ) LIMIT 1',
  ])
})

test('BETWEEN, whose AND is another one, is rejected', () => {
  expect(() => mutantsOf('SELECT 1 FROM t WHERE a BETWEEN 1 AND 2')).toThrow('BETWEEN')
})
