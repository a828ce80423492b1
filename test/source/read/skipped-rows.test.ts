// From how many rows on a reason is suspect, and which is a fault: src/source/read/skipped-rows.ts.
import { describe, expect, test } from 'vitest'
import { EARLY, FUTURE, UNDATED } from '../../../src/contract/windows.ts'
import { noteOfOther } from '../../../src/source/read/known-ideas.ts'
import {
  IDEA_LEFT_OUT,
  IDEA_TO_COME,
  isSuspect,
  NO_IDEA,
  NO_IDEA_ID,
  NO_VALUE,
  NO_VOTE,
  SkippedRowTally,
  type NoteKind,
} from '../../../src/source/read/skipped-rows.ts'

test.each([
  [2, 20, true],
  [2, 21, false],
  [1, 5, false],
  [2, 5, true],
  [4, 4, false],
  [5, 5, true],
])('%d of %d rows', (rows, of, suspect) => {
  expect(isSuspect({ rows, of })).toBe(suspect)
})

describe('of a relation', () => {
  const suspects = (read: number, reasons: Readonly<Record<string, number>>): string[] => {
    const tally = new SkippedRowTally()
    tally.read.set('votes', read)
    tally.read.set('comments', 1000)
    tally.add('comments', FUTURE, 1)
    for (const [reason, rows] of Object.entries(reasons)) tally.add('votes', reason, rows)
    return tally
      .suspects()
      .map(({ reason, rows, of, isAll }) => `${rows} of ${of}${isAll ? ', no other' : ''}: ${reason}`)
  }

  test('only what a mapping may be the cause of is suspect', () => {
    expect(suspects(100, { [UNDATED]: 100 })).toEqual([])
    expect(suspects(100, { 'the idea is left out': 50 })).toEqual([])
    expect(suspects(100, { [EARLY]: 10, [NO_IDEA]: 9, [FUTURE]: 11 })).toEqual([
      `11 of 100: ${FUTURE}`,
      `10 of 100: ${EARLY}`,
    ])
  })

  test('votes against are no votes to compare with', () => {
    expect(suspects(100, { [NO_VOTE]: 60, [NO_IDEA]: 4 })).toEqual([`4 of 40: ${NO_IDEA}`])
    expect(suspects(100, { [NO_VOTE]: 97, [NO_IDEA]: 3 })).toEqual([])
    expect(suspects(100, { [NO_VOTE]: 99 })).toEqual([])
    expect(suspects(100, { [NO_VOTE]: 100 })).toEqual([`100 of 100, no other: ${NO_VOTE}`])
  })

  test('no row counts where all are lost, for whatever reason', () => {
    expect(suspects(20, { [NO_VALUE]: 18, 'the idea is left out': 2 })).toEqual([`18 of 20, no other: ${NO_VALUE}`])
    expect(suspects(20, { [NO_VALUE]: 18 })).toEqual([`18 of 20: ${NO_VALUE}`])
  })
})

test('a row of another relation is a fault where its idea has no id or is left out, and a category waits for its idea', () => {
  const tally = new SkippedRowTally()
  for (const relation of ['idea_categories', 'votes'] as const)
    for (const why of [NO_IDEA, NO_IDEA_ID, IDEA_LEFT_OUT, IDEA_TO_COME]) noteOfOther(tally, relation, why)
  const noted = (kind: NoteKind): string[] => tally.list([kind]).map(({ relation, reason }) => `${relation}: ${reason}`)
  expect(noted('fault')).toEqual([
    'idea_categories: idea_id is NULL',
    'idea_categories: the idea is left out',
    'votes: idea_id is NULL',
    'votes: the idea is left out',
  ])
  expect(noted('ordinary')).toEqual([
    'idea_categories: the idea is not among the ideas',
    'votes: the idea is dated at or after dataAsOf',
    'votes: the idea is not among the ideas',
  ])
})
