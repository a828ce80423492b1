import { array, assert, integer, nat, property } from 'fast-check'
import { expect, test } from 'vitest'
import { TopList } from '../../src/analytics/top-list.ts'

test('has the entries that sorting everything and cutting gives, equals in the order in which they came', () => {
  const values = array(integer({ min: 0, max: 9 }), { maxLength: 200, size: 'max' })
  assert(
    property(values, nat(20), (list, size) => {
      const entries = list.map((value, place) => ({ value, place }))
      const byRank = (a: (typeof entries)[0], b: (typeof entries)[0]): number => b.value - a.value
      const top = new TopList(size, byRank)
      for (const entry of entries) top.add(entry)
      expect(top.ranked).toEqual(entries.toSorted(byRank).slice(0, size))
    }),
  )
})

test('misses nothing when only what ranks before the worst is added', () => {
  assert(
    property(array(integer({ min: 0, max: 9 }), { maxLength: 200, size: 'max' }), nat(20), (values, size) => {
      const top = new TopList<number>(size, (a, b) => b - a)
      for (const value of values) if (top.worst === null || value > top.worst) top.add(value)
      expect(top.ranked).toEqual(values.toSorted((a, b) => b - a).slice(0, size))
    }),
  )
})
