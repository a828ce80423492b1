// Owns how much work a run of the benchmark is: all of it, or about a tenth (--quick).

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
  /**
   * Of the cost of a request, a second each, which is compared to a few per cent: many and short, for a shared machine's speed
   * changes within seconds, and what is compared must be near in time.
   */
  readonly requestRounds: number
  readonly warmUpSeconds: number
  readonly bigBytes: number
  readonly slowSeconds: number
}

const WHOLE: Settings = {
  quick: false,
  scale: 1,
  categories: 200,
  rounds: 5,
  longRounds: 3,
  larger: 4,
  requestRounds: 36,
  warmUpSeconds: 4,
  bigBytes: 100_000_000,
  slowSeconds: 30,
}
const TENTH: Partial<Settings> = {
  quick: true,
  scale: 0.1,
  rounds: 2,
  longRounds: 1,
  requestRounds: 2,
  warmUpSeconds: 1,
  bigBytes: 30_000_000,
  slowSeconds: 2,
}

export function settingsOf(quick: boolean): Settings {
  return quick ? { ...WHOLE, ...TENTH } : WHOLE
}
