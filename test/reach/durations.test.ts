// The slowest first, and parts that end together: durations.ts.
import { expect, it } from 'vitest'
import { dividedIn, measured, secondsOf, slowestFirst } from './durations.ts'

const DURATIONS = { a: 100, b: 60, c: 50, d: 10, e: 5 }

it('has the slowest first, and before them what nobody has measured', () => {
  const seconds = (file: string): number => secondsOf(DURATIONS, file)
  expect(slowestFirst(['e', 'x', 'b', 'y', 'a'], seconds)).toEqual(['x', 'y', 'a', 'b', 'e'])
})

it('divides so that parts take equally long, each file once, in whatever order they are given', () => {
  const parts = dividedIn(2, ['e', 'd', 'c', 'b', 'a'], DURATIONS)
  expect(parts).toEqual([
    ['a', 'd', 'e'],
    ['b', 'c'],
  ])
  expect(dividedIn(2, ['a', 'c', 'e', 'b', 'd'], DURATIONS)).toEqual(parts)
  expect(dividedIn(1, ['e', 'a'], DURATIONS)).toEqual([['a', 'e']])
  expect(dividedIn(3, ['a'], DURATIONS)).toEqual([['a'], [], []])
})

it('gives files that nobody has measured to different parts', () => {
  expect(dividedIn(2, ['a', 'x', 'y', 'b'], DURATIONS)).toEqual([
    ['a', 'y'],
    ['x', 'b'],
  ])
})

it('takes a report of some files, wherever it was made, and forgets those that are gone', () => {
  const report = { testResults: [{ name: '/srv/clone/test/x/b.test.ts', startTime: 1_000, endTime: 3_449 }] }
  const before = { 'test/x/b.test.ts': 9, 'test/x/gone.test.ts': 7, 'test/a.test.ts': 1 }
  expect(Object.entries(measured(report, before, (file) => !file.includes('gone')))).toEqual([
    ['test/a.test.ts', 1],
    ['test/x/b.test.ts', 2.4],
  ])
})
