// Owns what the table of ideas states: its rows are added up as they come.
import { addTo, numberOf, type Members, type Stated } from '../../quantities/numbers.ts'
import { inWindow } from '../../quantities/relations.ts'
import type { ExportRows } from '../../quantities/rules.ts'
import { LAUNCHED_VOTES } from './outcomes.ts'

/** What its columns sum to over all time. In a shorter window older ideas have votes, too. */
const SUMS = [
  [inWindow('votes', 'all'), 'votes'],
  [inWindow('votes', 'all'), 'totalVotes'],
  [inWindow('comments', 'all'), 'comments'],
  [inWindow('comments', 'all'), 'totalComments'],
  [inWindow('launchedIdeas', 'all'), 'launched'],
  [LAUNCHED_VOTES, 'launched'],
] as const

function numbersOf({ votes, totalVotes, comments, totalComments, launched }: Members): Stated[] {
  const counts = [numberOf(votes), numberOf(totalVotes), numberOf(comments), numberOf(totalComments)]
  if (launched === false) return [...counts, 0, 0]
  return [...counts, launched === true ? 1 : 'odd', numberOf(totalVotes)]
}

export function ideasChecks(): ExportRows {
  let ideas = 0
  const sums = SUMS.map((): Stated => 0)
  return {
    add(rows) {
      ideas += rows.length
      for (const row of rows) addTo(sums, numbersOf(row))
    },
    state({ all }, path, { period }) {
      all.count(inWindow('ideas', period), `rows of ${path}`, ideas)
      if (period !== 'all') return
      for (const [i, [name, column]] of SUMS.entries()) all.set(name, `${column} of ${path}`, sums[i] ?? 'odd')
    },
  }
}
