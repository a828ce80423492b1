// What a saved copy of the log of days, or one saved line, says of the log that is there: each attack has its sentence.
import { describe, expect, test } from 'vitest'
import { LOG_NAME, linesOfDays, loggedDay, logLines, withDay } from '../../../src/release/format/day-log.ts'
import { savedLogFaults } from '../../../src/release/verify/verify-log.ts'

/** Days of May, each with its number of ideas. */
function logOf(days: Readonly<Record<string, number>>, from: readonly string[] = []): readonly string[] {
  const before = from.slice(1).flatMap((line) => loggedDay(line) ?? [])
  const more = Object.entries(days).map(([day, ideas]) => ({
    date: `2026-05-${day}`,
    id: `202605${day}T100000000Z-00000000`,
    sha256: day.repeat(32),
    rows: { ideas, votes: 2, comments: 3 },
  }))
  return linesOfDays(more.reduce(withDay, before))
}

const LINES = logOf({ '01': 10, '02': 11, '03': 12, '04': 13 })
const text = (lines: readonly string[]): string => `${lines.join('\n')}\n`
const faults = (saved: readonly string[], log: readonly string[] = LINES): string[] =>
  savedLogFaults(text(saved), text(log))

describe('a log is what it was', () => {
  test.each([
    ['a copy', LINES],
    ['an earlier copy', LINES.slice(0, 3)],
    ['one line', [LINES[2]!]],
    ['lines of several days', [LINES[1]!, LINES[4]!]],
    ['a copy with CR LF', [LINES.join('\r\n')]],
  ])('for %s', (_, saved) => expect(faults(saved)).toEqual([]))

  test('when it has grown, over a rollback, too', () => {
    const grown = logOf({ '05': 10, '06': 14 }, LINES)
    for (const saved of [LINES, [LINES[4]!]]) expect(faults(saved, grown)).toEqual([])
  })
})

describe('what is wrong is named', () => {
  const other = logOf({ '03': 99, '04': 13 }, LINES.slice(0, 3))
  const WRONG: Readonly<Record<string, [saved: readonly string[], log: readonly string[], sentence: RegExp]>> = {
    'a day was rewritten, the chain not': [
      [LINES[4]!],
      LINES.toSpliced(2, 1, LINES[2]!.replace(',11,', ',12,')),
      /^log\.csv: its line of 2026-05-02 does not follow/,
    ],
    'a day was taken out, the chain not': [
      [LINES[4]!],
      LINES.toSpliced(2, 1),
      /^log\.csv: its line of 2026-05-03 does not follow/,
    ],
    'a day was rewritten, with the chain': [
      LINES,
      other,
      /^2026-05-03 was rewritten: the log has 2026-05-03.*,99,.* saved was 2026-05-03.*,12,/,
    ],
    'the same, seen by a later line': [
      [LINES[4]!],
      other,
      /^2026-05-04 was rewritten: .*; so is a day before it, or the saved line was changed/,
    ],
    'a day is gone, with the chain': [
      LINES,
      logOf({ '04': 13 }, LINES.slice(0, 3)),
      /^2026-05-03 stands in a fork: after 2026-05-02 the log goes on with 2026-05-04/,
    ],
    'a backup was restored': [
      [LINES[4]!],
      LINES.slice(0, 4),
      /^2026-05-04 is gone: the log has 3 days up to 2026-05-03$/,
    ],
    'a backup was restored, and builds went on': [
      LINES,
      logOf({ '06': 13 }, LINES.slice(0, 4)),
      /^2026-05-04 stands in a fork: after 2026-05-03 the log goes on with 2026-05-06/,
    ],
    'closed, and begun again': [
      [LINES[3]!],
      logOf({ '09': 1 }),
      /^2026-05-03 is gone: the log has 1 days up to 2026-05-09/,
    ],
    'closed, and begun again, by a copy': [
      LINES,
      logOf({ '09': 1 }),
      /^2026-05-01 stands in a fork: after its header the log goes on with 2026-05-09/,
    ],
    'the saved line was changed': [
      [LINES[3]!.replace(',12,', ',13,')],
      LINES,
      /^2026-05-03 was rewritten: .* or the saved line was changed/,
    ],
    'the saved line was cut off': [
      [LINES[3]!.slice(0, -1)],
      LINES,
      /^--log: "2026-05-03,.*" is no line of log\.csv: .* cut off/,
    ],
    'it is another file': [['<html>'], LINES, /^--log: "<html>" is no line of log\.csv: it is of another file/],
    'it is empty': [[], LINES, /^--log: "" is no line of log\.csv/],
  }
  test.each(Object.entries(WRONG))('%s', (_, [saved, log, sentence]) => {
    const found = faults(saved, log)
    expect([found.length, found[0]]).toEqual([1, expect.stringMatching(sentence)])
  })

  test('of each bit of a saved line that is flipped', () => {
    const line = Buffer.from(LINES[3]!)
    for (let bit = 0; bit < 8 * line.length; bit++) {
      const flipped = Buffer.from(line)
      flipped[bit >> 3]! ^= 1 << (bit & 7)
      expect(savedLogFaults(flipped.toString('latin1'), text(LINES))).toHaveLength(1)
    }
  })
})

test('the chain is sha256 of the line before, a line feed, and the cells: as docs/api.md says', () => {
  expect(LOG_NAME).toBe('log.csv')
  expect(logLines('')).toEqual(['date,releaseId,manifestSha256,totalIdeas,totalVotes,totalComments,chain'])
  expect(LINES[1]).toBe(
    `2026-05-01,20260501T100000000Z-00000000,${'01'.repeat(32)},10,2,3,02c04b6fec5d3a04cc6a3af8e9a4b1339cc48239e042262eddc942056e494e1e`,
  )
})
