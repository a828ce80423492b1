// Owns where ideas stood in the window before: their ranks among all ideas by the score that they had there. Knows no I/O and
// no list.
import type { EventCounts, IdeaFacts } from '../model/facts.ts'
import { BOUNDED_PERIODS, type BoundedPeriod } from '../contract/windows.ts'

export class PreviousRanks {
  readonly #score: (votes: number, comments: number) => number
  /** For each bounded period, how many ideas had a score: memory grows with different scores, not with ideas. */
  readonly #ideas = BOUNDED_PERIODS.map(() => new Map<number, number>())

  constructor(score: (votes: number, comments: number) => number) {
    this.#score = score
  }

  add({ votes, comments }: Pick<IdeaFacts, 'votes' | 'comments'>): void {
    // The edges are nested: most ideas had nothing in any of these windows.
    if ((votes.since.at(-1) ?? 0) + (comments.since.at(-1) ?? 0) === 0) return
    for (let i = 0; i < this.#ideas.length; i++) {
      const score = this.#score(before(votes, i), before(comments, i))
      if (score > 0) this.#ideas[i]?.set(score, (this.#ideas[i]?.get(score) ?? 0) + 1)
    }
  }

  /**
   * One more than the ideas with a higher score: those with the same score share a rank. Null = it had no score.
   * @param scores of which ranks are wanted
   */
  ranksOf(period: BoundedPeriod, scores: Iterable<number>): ReadonlyMap<number, number | null> {
    const ranks = new Map<number, number | null>([[0, null]])
    const wanted = new Set(scores)
    let rank = 1
    const ideas = this.#ideas[BOUNDED_PERIODS.indexOf(period)] ?? new Map<number, number>()
    for (const [score, count] of [...ideas].sort(([a], [b]) => b - a)) {
      if (wanted.has(score)) ranks.set(score, rank)
      rank += count
    }
    return ranks
  }
}

/** In the window before that of `BOUNDED_PERIODS[i]`. */
function before({ since }: Pick<EventCounts, 'since'>, i: number): number {
  return (since[2 * i + 1] ?? 0) - (since[2 * i] ?? 0)
}
