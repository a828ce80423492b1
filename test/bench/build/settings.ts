// Owns how much work a run of the build's benchmark is: all of it, or about a tenth (--quick).
import type { Period } from '../../../src/contract/windows.ts'

export interface Settings {
  readonly quick: boolean
  /** 1 = 200,000 users and ideas, 5 million votes, 1 million comments. */
  readonly scale: number
  readonly categories: number
  /** Alternating: each measures everything of a part once. */
  readonly rounds: number
  /** Of the parts whose rounds take minutes. */
  readonly longRounds: number
  /** Against `scale`. */
  readonly larger: number
  /** What is drawn at random is drawn from this. */
  readonly seed: number
  /** Null = every document is held against the oracle; `all` of a large platform would take it minutes. */
  readonly oracle: { readonly periods: readonly Period[]; readonly lists: number } | null
}

export function settingsOf(quick: boolean): Settings {
  const common = { quick, categories: 200, larger: 4, seed: 20_261_121 }
  return quick
    ? {
        ...common,
        scale: 0.1,
        rounds: 2,
        longRounds: 1,
        oracle: null,
      }
    : {
        ...common,
        scale: 1,
        rounds: 5,
        longRounds: 3,
        oracle: { periods: ['7d', '30d'], lists: 50 },
      }
}
