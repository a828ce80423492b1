// Owns the short versions of the tortures, which are long tests: by which chance, how much of each, and what must come of it. A sample is
// enough where test/reach has found no change of what decides.
import { expect } from 'vitest'
import { randomStream } from '../../src/demo/random.ts'
import { tallyOf, type Attempt, type Part, type Share, type Tally } from './tally.ts'

const seed = Number(process.env['TORTURE_SEED'] ?? Math.floor(Math.random() * 2 ** 31))
/** A minute or less on a quiet machine, and several on one that has other work. */
export const TIMEOUT_MS = 480_000
/** One of so many attempts is in a sample. */
const SAMPLED = 4

export interface ShortTorture extends Omit<Share, 'part'> {
  readonly isSample: boolean
  /** Of a number in all: in a sample a part, at least one. */
  readonly times: (all: number) => number
  /** Of attempts that are alike side by side: in a sample one of some, from a first one that chance names. */
  readonly some: <T>(all: readonly T[]) => readonly T[]
  /** All attempts must; `atLeast` is of all, which a sample need not reach. */
  readonly expectToSurvive: (attempts: Iterable<Attempt> | Tally, atLeast: number, atOnce?: number) => Promise<Tally>
  /** A share of a torture's full number. */
  readonly survive: (part: Part<Share> | undefined, share: number, atLeast: number) => Promise<Tally>
}

/** @param name of the test file */
export function shortTorture(name: string): ShortTorture {
  const isSample = (process.env['TORTURE_SAMPLE'] ?? '').split(',').some((one) => one.endsWith(`/${name}.test.ts`))
  const random = randomStream(seed, name)
  const { signal } = new AbortController()
  const times = (all: number): number => (isSample ? Math.ceil(all / SAMPLED) : all)
  const expectToSurvive: ShortTorture['expectToSurvive'] = async (attempts, atLeast, atOnce) => {
    const tally = 'tried' in attempts ? attempts : await tallyOf(attempts, signal, atOnce)
    expect(tally.losses, `TORTURE_SEED=${seed}\n${(tally.table ?? []).join('\n')}`).toEqual([])
    expect(tally.tried).toBeGreaterThanOrEqual(times(atLeast))
    return tally
  }
  return {
    isSample,
    random,
    signal,
    times,
    some(all) {
      const first = Math.floor(random() * Math.min(SAMPLED, all.length))
      return isSample ? all.filter((_, i) => i % SAMPLED === first) : all
    },
    expectToSurvive,
    async survive(part, share, atLeast) {
      if (part === undefined) throw new Error(`${name}: there is no such torture`)
      return expectToSurvive(await part.run({ random, signal, part: isSample ? share / SAMPLED : share }), atLeast)
    },
  }
}
