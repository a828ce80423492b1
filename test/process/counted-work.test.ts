// How far counted work has come, in one moving line (counted-work.ts, progress.ts).
import { expect, test } from 'vitest'
import { countedOn, workText } from '../../src/process/counted-work.ts'
import type { Line } from '../../src/process/progress.ts'
import { showSize } from '../../src/process/value-syntax.ts'

const WORK = { what: 'reading ideas', expected: 50_000 }

test.each<[string, Parameters<typeof workText>, string]>([
  ['at first, its name', [WORK, null, { atMs: 1999, done: 0 }, 0], 'reading ideas'],
  ['how long it waits', [WORK, null, { atMs: 12_500, done: 0 }, 0], 'reading ideas: waiting for the first, 12s'],
  [
    'no speed of less than a second',
    [WORK, { atMs: 500, done: 100 }, { atMs: 1400, done: 900 }, 0],
    'reading ideas: 900 of about 50,000',
  ],
  [
    'speed and time left, from the first report on',
    [WORK, { atMs: 10_000, done: 2000 }, { atMs: 12_000, done: 10_000 }, 0],
    'reading ideas: 10,000 of about 50,000, 4,000 a second, 10s left',
  ],
  [
    'no time left where nobody knows how many there are',
    [{ ...WORK, expected: null }, { atMs: 0, done: 0 }, { atMs: 2000, done: 3000 }, 0],
    'reading ideas: 3,000, 1,500 a second',
  ],
  [
    'nor where there are more than was expected',
    [WORK, { atMs: 0, done: 0 }, { atMs: 2000, done: 50_001 }, 0],
    'reading ideas: 50,001, 25,001 a second',
  ],
  [
    'no speed where nothing more came',
    [WORK, { atMs: 0, done: 7 }, { atMs: 9000, done: 7 }, 0],
    'reading ideas: 7 of about 50,000',
  ],
  [
    'sizes',
    [{ what: 'verifying', expected: 8 << 20, show: showSize }, { atMs: 0, done: 0 }, { atMs: 2000, done: 4 << 20 }, 0],
    'verifying: 4 MiB of about 8 MiB, 2 MiB a second, 2s left',
  ],
])('it says %s', (_, args, text) => {
  expect(workText(...args)).toBe(text)
})

test('what is shown is made when it is drawn, and goes on while nothing is reported', () => {
  let nowMs = 0
  let line: Line = ''
  const report = countedOn({ show: (next) => void (line = next), clear() {} }, WORK, () => nowMs)
  const shown = (): string => (typeof line === 'function' ? line() : line)
  nowMs = 5000
  expect(shown()).toBe('reading ideas: waiting for the first, 5s')
  report(1000)
  nowMs = 7000
  report(3000)
  expect(shown()).toBe('reading ideas: 3,000 of about 50,000, 1,000 a second, 47s left')
})
