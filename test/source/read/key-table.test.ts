import { array, assert, integer, property, tuple } from 'fast-check'
import { expect, test } from 'vitest'
import { KeyTable, UNKNOWN } from '../../../src/source/read/key-table.ts'

const word = integer({ min: -(2 ** 31), max: 2 ** 31 - 1 })
const near = integer({ min: -3, max: 3 })

test.each([2, 4] as const)('keys of %d words have the numbers in which they came first', (words) => {
  const keys = array(tuple(near, word, near, near), { maxLength: 800, size: 'max' })
  assert(
    property(keys, (list) => {
      const table = new KeyTable(words)
      const numbers = new Map<string, number>()
      const found: unknown[] = []
      const expected: unknown[] = []
      for (const [a, b, c, d] of list) {
        const key = words === 2 ? [a, b] : [a, b, c, d]
        const name = key.join()
        const before = numbers.get(name) ?? UNKNOWN
        if (before === UNKNOWN) numbers.set(name, numbers.size)
        found.push(
          [table.find(...(key as [number, number])), table.add(...(key as [number, number])), table.count].join(),
        )
        expected.push([before, numbers.get(name), numbers.size].join())
      }
      const again = Array.from(numbers.keys(), (name) =>
        table.find(...(name.split(',').map(Number) as [number, number])),
      )
      expect([found, again]).toEqual([expected, [...numbers.values()]])
    }),
    { numRuns: 20 },
  )
})

test('a table of many keys in order finds all, and no other', () => {
  const table = new KeyTable(2)
  for (let n = 0; n < 200_000; n++) table.add(0, n)
  for (let n = 0; n < 200_000; n += 997) expect([table.find(0, n), table.find(1, n)]).toEqual([n, UNKNOWN])
})
