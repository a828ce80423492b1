// Owns a build that meets a fault, or is killed, on a copy of the published folder that is removed afterwards. Judges nothing.
import { existsSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import type { Ran } from '../builder/build-program.ts'
import { callsIn, type Call, type Fault, type NumberedCall } from './faults.ts'
import type { Attempt } from './tally.ts'
import type { Workshop } from './workshop.ts'

export interface MetFault {
  readonly snapshots: string
  readonly ran: Ran
  /** The call that the fault met. */
  readonly hit: Call
}

export interface OddBuild {
  /** Of a folder for the build; by default what is published. */
  readonly copy?: (name: string) => string
  readonly env?: Readonly<Record<string, string>>
}

/**
 * A large snapshot is written while it is compressed: pieces that wait for the disk at the same time are written at once; and a build
 * that takes longer looks at its lock more often. So one build has a few calls less than another, and the last one has a smaller number.
 */
const FEWER_CALLS = 8
const MAY_BE_FEWER = /^(?:write|open|read|stat|close)$/

/** @param judge says with a word what became of the build, or throws */
export async function meetFault(
  workshop: Workshop,
  fault: Fault,
  { copy = workshop.copy, env = {} }: OddBuild,
  judge: (met: MetFault) => Promise<string>,
): Promise<string> {
  const { kind, nth, action } = fault
  for (let number = nth; ; number--) {
    const snapshots = copy(`${action}-${kind}-${number}`)
    const log = `${snapshots}.log`
    try {
      const injected = { ...env, ...workshop.faults.environment(snapshots, log, { ...fault, nth: number }) }
      const ran = await (action === 'kill'
        ? workshop.begin(snapshots, injected).done
        : workshop.build(snapshots, injected))
      const [hit] = callsIn(log)
      if (hit !== undefined) return await judge({ snapshots, ran, hit })
      if (!MAY_BE_FEWER.test(kind) || number <= Math.max(1, nth - FEWER_CALLS))
        throw new Error(`no such call was made; the build ended with ${ran.code}`)
    } finally {
      rmSync(snapshots, { recursive: true, force: true })
      rmSync(log, { force: true })
    }
  }
}

/** So many copies are there at once. */
const COPIES = 16

/**
 * SIGKILL at each call. What is on the disk then is what a build that goes on leaves in a copy at that call, so one build has the
 * folders of many kills; it has ended, as the killed one, before anybody looks at them.
 */
export function killedAt(
  workshop: Workshop,
  calls: readonly NumberedCall[],
  { copy = workshop.copy, env = {} }: OddBuild,
  judge: (snapshots: string, i: number) => Promise<string>,
): Attempt[] {
  const killAll = async (some: readonly NumberedCall[]): Promise<string> => {
    const snapshots = copy('copied')
    const log = `${snapshots}.log`
    const copies = workshop.emptyFolder('copies')
    const { done } = workshop.begin(snapshots, { ...env, ...workshop.faults.copying(snapshots, log, some, copies) })
    const ran = await done
    if (ran.code !== 0) throw new Error(`a build without any fault ended with ${ran.code}:\n${ran.stderr}`)
    rmSync(snapshots, { recursive: true })
    rmSync(log)
    return copies
  }
  const copied = new Map<number, Promise<string>>()
  return calls.map(({ kind, nth, of }, i) => ({
    what: `SIGKILL at ${kind} ${nth} of ${of}`,
    async run() {
      const batch = Math.floor(i / COPIES)
      const copies = copied.get(batch) ?? killAll(calls.slice(batch * COPIES, (batch + 1) * COPIES))
      copied.set(batch, copies)
      const snapshots = join(await copies, `${kind}:${nth}`)
      if (!existsSync(snapshots))
        return meetFault(workshop, { kind, nth, action: 'kill' }, { copy, env }, async (met) => {
          if (met.ran.code !== 137) throw new Error(`not killed: ended with ${met.ran.code}`)
          return judge(met.snapshots, i)
        })
      try {
        return await judge(snapshots, i)
      } finally {
        rmSync(snapshots, { recursive: true })
      }
    },
  }))
}
