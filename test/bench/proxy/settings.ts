// Owns how much work a run of the benchmark is: all of it, or about a tenth (--quick).

export interface Settings {
  readonly quick: boolean
  /** Alternating: each measures every server once. */
  readonly rounds: number
  readonly roundSeconds: number
  readonly warmUpSeconds: number
  readonly manyFiles: number
  readonly bigBytes: number
  readonly slowSeconds: number
  readonly limiterClients: number
  readonly limiterRounds: number
  readonly starts: number
  readonly switches: number
}

export function settingsOf(quick: boolean): Settings {
  return quick
    ? {
        quick,
        rounds: 2,
        roundSeconds: 1,
        warmUpSeconds: 1,
        manyFiles: 1000,
        bigBytes: 30_000_000,
        slowSeconds: 2,
        limiterClients: 30_000,
        limiterRounds: 1,
        starts: 2,
        switches: 2,
      }
    : {
        quick,
        rounds: 5,
        roundSeconds: 4,
        warmUpSeconds: 4,
        manyFiles: 10_000,
        bigBytes: 100_000_000,
        slowSeconds: 30,
        limiterClients: 1_000_000,
        limiterRounds: 3,
        starts: 7,
        switches: 10,
      }
}
