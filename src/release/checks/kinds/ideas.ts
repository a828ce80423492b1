// Owns what the table of ideas states: its rows are added up as they come.
import { numberOf } from '../../quantities/numbers.ts'
import { inWindow } from '../../quantities/relations.ts'
import type { Rows } from '../../quantities/rules.ts'
import { LAUNCHED_VOTES } from './outcomes.ts'

/** In a shorter window older ideas have votes, too. */
export function ideasRows(): Rows {
  let [ideas, votes, comments, totalVotes, totalComments, launched, launchedVotes] = [0, 0, 0, 0, 0, 0, 0]
  return {
    add(rows) {
      ideas += rows.length
      for (const row of rows) {
        votes += numberOf(row['votes'])
        comments += numberOf(row['comments'])
        totalVotes += numberOf(row['totalVotes'])
        totalComments += numberOf(row['totalComments'])
        launched += Number(row['launched'])
        if (row['launched'] === true) launchedVotes += numberOf(row['totalVotes'])
      }
    },
    state({ all }, path, { period }) {
      all.count(inWindow('ideas', period), `rows of ${path}`, ideas)
      if (period !== 'all') return null
      for (const [column, sum] of Object.entries({ votes, totalVotes }))
        all.count(inWindow('votes', 'all'), `${column} of ${path}`, sum)
      for (const [column, sum] of Object.entries({ comments, totalComments }))
        all.count(inWindow('comments', 'all'), `${column} of ${path}`, sum)
      if (!(launched >= 0)) return null
      all.count(inWindow('launchedIdeas', 'all'), `launched of ${path}`, launched)
      all.count(LAUNCHED_VOTES, `launched of ${path}`, launchedVotes)
      return null
    },
  }
}
