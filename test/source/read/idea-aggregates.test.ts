// What readFacts refuses of rows that no test database is large enough to hold.
import { Readable } from 'node:stream'
import type pg from 'pg'
import { expect, test } from 'vitest'
import { DaySlices } from '../../../src/model/day-slices.ts'
import { SkippedRowTally } from '../../../src/source/read/skipped-rows.ts'
import { readFacts } from '../../../src/source/read/idea-aggregates.ts'
import { SourceError } from '../../../src/source/database/source-error.ts'

const MOST = 2 ** 30 - 1

/** Reads one idea with so many votes and comments, as the server would send it. */
async function votesAndComments(votes: number, comments: number): Promise<(number | undefined)[]> {
  const idea = ['t', '1', 'One', '1', 'f', '\\N', '\\N', '\\N', '\\N']
  const fields = [...idea, 'f', votes, 0, votes, 0, '\\N', 'f', comments, 0, '\\N', 'f', 0]
  const client = { query: () => Readable.from([Buffer.from(`${fields.join('\t')}\n`)]) } as unknown as pg.Client
  const totals = { earliestMs: null, earliestLaunchMs: null, eventsOfOtherIdeas: 0 }
  const read: (number | undefined)[] = []
  for await (const ideas of readFacts(client, '', new DaySlices(Date.UTC(2026, 0)), new SkippedRowTally(), totals))
    read.push(ideas[0]?.votes.total, ideas[0]?.comments.total)
  return read
}

test('an idea may have as many votes and comments as MAX_EVENTS', async () => {
  expect(await votesAndComments(MOST, MOST)).toEqual([MOST, MOST])
})

test.each([
  [MOST + 1, 0],
  [0, MOST + 1],
])('with %d votes and %d comments it is rejected', async (votes, comments) => {
  const error: unknown = await votesAndComments(votes, comments).catch((thrown: unknown) => thrown)
  expect(error).toBeInstanceOf(SourceError)
  expect((error as SourceError).message).toBe(
    'more than 1073741823 votes or comments are of one idea (1); sections votes and comments must return a row for each of them once',
  )
})
