// Owns killing a build at each of its file-changing calls in turn, and at random moments, and what must be true after each.
// Counts nothing itself.
import { rmSync } from 'node:fs'
import { dirname } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { CHANGING_KINDS, callsIn, type Call, type FaultKind, type NumberedCall } from './faults.ts'
import { killedAt, type OddBuild } from './met-fault.ts'
import type { Attempt } from './tally.ts'
import { expectWhole } from './whole-releases.ts'
import { ageReleases, expectToRecover, type Workshop } from './workshop.ts'

/** Every operation of a build that nothing goes wrong with. */
export async function callsOfABuild(
  workshop: Workshop,
  { copy = workshop.copy, env = {} }: OddBuild = {},
  expectDone: (snapshots: string) => Promise<unknown> = () => Promise.resolve(),
): Promise<Call[]> {
  const snapshots = copy('listed')
  const log = `${snapshots}.log`
  const ran = await workshop.build(snapshots, { ...env, ...workshop.faults.environment(snapshots, log) })
  if (ran.code !== 0) throw new Error(`a build without any fault ended with ${ran.code}:\n${ran.stderr}`)
  await expectDone(snapshots)
  const calls = callsIn(log)
  rmSync(snapshots, { recursive: true })
  rmSync(log)
  return calls
}

/**
 * What follows on the end of a build is its note for status, on which nothing depends, nor on its folder afterwards: the rest have
 * the last of each kind. How often the lock is touched depends on how long a build takes.
 */
export function withoutNote(calls: readonly Call[]): Call[] {
  const noted = calls.findLastIndex(({ kind, path }) => kind === 'rename' && NOTE.test(path))
  const isOfNote = (path: string, i: number): boolean => NOTE.test(path) || (i > noted && path === folder)
  const folder = dirname(calls[noted]?.path ?? '')
  return calls.filter(({ kind, path }, i) => !isOfNote(path, i) && !(kind === 'utimens' && path.endsWith('/.lock')))
}

/** Each call by its kind and its number within it: threads may change the order, but not how many of a kind there are. */
export function numbered(calls: readonly Call[]): NumberedCall[] {
  const counts = new Map<FaultKind, number>()
  for (const { kind } of calls) counts.set(kind, (counts.get(kind) ?? 0) + 1)
  return [...counts].flatMap(([kind, of]) => Array.from({ length: of }, (_, i) => ({ kind, nth: i + 1, of })))
}

/** Those of paths that match. */
export function numberedOn(calls: readonly Call[], path: RegExp): NumberedCall[] {
  const numbers = new Map<FaultKind, number>()
  const all = calls.map((call): NumberedCall & Call => {
    const nth = (numbers.get(call.kind) ?? 0) + 1
    numbers.set(call.kind, nth)
    return { ...call, nth, of: 0 }
  })
  return all.filter((call) => path.test(call.path)).map(({ kind, nth }) => ({ kind, nth, of: numbers.get(kind) ?? 0 }))
}

/** The first and the last two of a kind, all of a kind that is rare, and of the others a share. */
export function share(calls: readonly NumberedCall[], part: number, random: () => number): NumberedCall[] {
  return calls.filter(({ nth, of }) => of <= 4 || nth === 1 || nth >= of - 1 || random() < part)
}

/** What status reads of the last build, and its draft. */
export const NOTE = /\/\.last-build(?:\.next)?$/

export const JOURNAL = /\/\.journal(?:\.next)?$/

const CHANGING: ReadonlySet<string> = new Set(CHANGING_KINDS)

export function changing(calls: readonly Call[]): Call[] {
  return calls.filter(({ kind }) => CHANGING.has(kind))
}

export function killsAt(workshop: Workshop, calls: readonly NumberedCall[]): Attempt[] {
  return killedAt(workshop, calls, {}, async (snapshots) => {
    const now = await expectWhole(snapshots, workshop.found)
    await expectToRecover(workshop, snapshots)
    return now === workshop.id ? 'before the switch' : 'after it'
  })
}

/** To be run one after the other; the last attempt is the build that cleans up after them. */
export function* killsAtRandom(
  workshop: Workshop,
  name: string,
  times: number,
  random: () => number,
): Generator<Attempt> {
  const snapshots = workshop.copy(name)
  // Of the last build that was not killed: the machine may have other work at times.
  let lengthMs = workshop.buildMs
  for (let i = 0; i < times; i++) {
    const delayMs = random() * lengthMs
    yield {
      what: `SIGKILL ${i + 1} of ${name}, after ${delayMs.toFixed(1)} ms`,
      async run() {
        const before = await expectWhole(snapshots, workshop.found)
        const { child, done } = workshop.begin(snapshots)
        const killing = sleep(delayMs).then(() => child.kill('SIGKILL'))
        const { code, ms } = await done
        await killing
        if (code === 0) lengthMs = ms
        else if (code !== 137) throw new Error(`ended with ${code}`)
        const now = await expectWhole(snapshots, workshop.found)
        await ageReleases(snapshots)
        return code === 0 ? 'ended before' : now === before ? 'before the switch' : 'after it'
      },
    }
  }
  yield {
    what: `the build after ${times} kills`,
    run: async () => {
      await expectToRecover(workshop, snapshots)
      return 'recovered'
    },
  }
}
