// Owns comparing a trick with its plain form: equal results first, then interleaved rounds; medians with interquartile
// range. Knows no trick.
import { isDeepStrictEqual } from 'node:util'

/** Both are called with 0, 1, 2 …, of which they choose their input. */
export interface Comparison {
  readonly name: string
  /** How often one request, or one row of a build, does it. */
  readonly times: number
  readonly trick: (i: number) => unknown
  readonly plain: (i: number) => unknown
}

const CHECKED_CALLS = 1_000
const ROUNDS = 21
const ROUND_MS = 10

export interface Spread {
  readonly median: number
  readonly low: number
  readonly high: number
}

export function spreadOf(values: readonly number[]): Spread {
  const sorted = [...values].sort((a, b) => a - b)
  const at = (part: number): number => sorted[Math.round((sorted.length - 1) * part)] ?? Number.NaN
  return { median: at(0.5), low: at(0.25), high: at(0.75) }
}

export interface TrickTimes {
  readonly trickNs: Spread
  readonly plainNs: Spread
  readonly ratio: Spread
}

/** @throws when the results differ */
export function compare({ name, trick, plain }: Comparison): TrickTimes {
  for (let i = 0; i < CHECKED_CALLS; i++)
    if (!isDeepStrictEqual(trick(i), plain(i))) throw new Error(`${name}: the results of call ${i} differ`)
  let calls = 1
  while (nsPerCall(plain, calls) * calls < ROUND_MS * 1e6) calls *= 2
  nsPerCall(trick, calls)
  const rounds: { readonly trick: number; readonly plain: number }[] = []
  for (let round = 0; round < ROUNDS; round++) {
    // Every second round backwards.
    const first = round % 2 === 0 ? nsPerCall(trick, calls) : null
    const plainNs = nsPerCall(plain, calls)
    rounds.push({ trick: first ?? nsPerCall(trick, calls), plain: plainNs })
  }
  return {
    trickNs: spreadOf(rounds.map((round) => round.trick)),
    plainNs: spreadOf(rounds.map((round) => round.plain)),
    ratio: spreadOf(rounds.map((round) => round.plain / round.trick)),
  }
}

/** Kept, so that no call is optimised away. */
const kept: { result: unknown } = { result: null }

/** Of processor time: what else runs on the machine takes none of it. */
function nsSince(before: NodeJS.CpuUsage, calls: number): number {
  const { user, system } = process.cpuUsage(before)
  return ((user + system) * 1000) / calls
}

function nsPerCall(work: (i: number) => unknown, calls: number): number {
  const before = process.cpuUsage()
  for (let i = 0; i < calls; i++) kept.result = work(i)
  return nsSince(before, calls)
}
