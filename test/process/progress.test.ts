// The moving line of long work says how much is done, of how much, and how much longer the rest takes.
import { expect, test } from 'vitest'
import { countedOn } from '../../src/process/progress.ts'
import { showSize } from '../../src/process/value-syntax.ts'

type Work = { readonly what: string; readonly expected: number | null } & NonNullable<Parameters<typeof countedOn>[3]>

/** The lines for what is done after so many seconds. */
function lines(work: Work, reports: readonly (readonly [seconds: number, done: number])[]): string[] {
  const shown: string[] = []
  const clock = { ms: 0 }
  const { what, expected, ...how } = work
  const told = countedOn({ show: (line) => void shown.push(line), clear() {} }, what, expected, {
    ...how,
    nowMs: () => clock.ms,
  })
  for (const [seconds, done] of reports) {
    clock.ms = seconds * 1000
    told(done)
  }
  return shown
}

test('the rest takes as long as what was done since the first report: waiting for that is no work', () => {
  const work = { what: 'reading votes', expected: 3_000_000, of: 'of about' }
  expect(
    lines(work, [
      [30, 10_000],
      [31, 20_000],
      [50, 1_010_000],
      [90, 2_999_999],
    ]),
  ).toEqual([
    'reading votes: 10,000 of about 3,000,000',
    'reading votes: 20,000 of about 3,000,000',
    'reading votes: 1,010,000 of about 3,000,000, 39s left',
    'reading votes: 2,999,999 of about 3,000,000, 0s left',
  ])
})

test('more than was expected, or what nobody expected, has no end that is known', () => {
  expect(
    lines({ what: 'reading votes', expected: 10 }, [
      [0, 5],
      [9, 11],
    ]),
  ).toEqual(['reading votes: 5 of 10', 'reading votes: 11'])
  expect(
    lines({ what: 'reading flags', expected: null }, [
      [0, 5],
      [9, 1100],
    ]),
  ).toEqual(['reading flags: 5', 'reading flags: 1,100'])
})

test('work that stands still has none either', () => {
  expect(
    lines({ what: 'verifying', expected: 4 << 20, show: showSize }, [
      [0, 1 << 20],
      [60, 1 << 20],
    ]),
  ).toEqual(['verifying: 1 MiB of 4 MiB', 'verifying: 1 MiB of 4 MiB'])
})
