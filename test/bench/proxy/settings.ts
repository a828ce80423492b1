// Owns how much work a run of the benchmark is: all of it, or about a tenth (--quick).

export interface Settings {
  readonly quick: boolean
  /** Alternating: each measures every server once. */
  readonly rounds: number
  readonly roundSeconds: number
  /**
   * Of the cost of a request, which is compared to a few per cent: many and short, for a shared machine's speed changes
   * within seconds, and what is compared must be near in time.
   */
  readonly requestRounds: number
  readonly requestSeconds: number
  readonly warmUpSeconds: number
  readonly manyFiles: number
  readonly bigBytes: number
  readonly slowSeconds: number
  readonly starts: number
  readonly switches: number
}

export function settingsOf(quick: boolean): Settings {
  return quick
    ? {
        quick,
        rounds: 2,
        roundSeconds: 1,
        requestRounds: 2,
        requestSeconds: 1,
        warmUpSeconds: 1,
        manyFiles: 1000,
        bigBytes: 30_000_000,
        slowSeconds: 2,
        starts: 2,
        switches: 2,
      }
    : {
        quick,
        rounds: 5,
        roundSeconds: 4,
        requestRounds: 36,
        requestSeconds: 1,
        warmUpSeconds: 4,
        manyFiles: 10_000,
        bigBytes: 100_000_000,
        slowSeconds: 30,
        starts: 7,
        switches: 10,
      }
}
