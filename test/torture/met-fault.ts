// Owns one build with one fault, on a copy of the published folder that is removed afterwards. Judges nothing.
import { rmSync } from 'node:fs'
import type { Ran } from '../builder/build-program.ts'
import { callsIn, type Call, type Fault } from './faults.ts'
import type { Workshop } from './workshop.ts'

export interface MetFault {
  readonly snapshots: string
  readonly ran: Ran
  /** The call that the fault met. */
  readonly hit: Call
}

export interface FaultyBuild {
  readonly fault: Fault
  /** Of a folder for the build; by default what is published. */
  readonly copy?: (name: string) => string
  readonly env?: Readonly<Record<string, string>>
}

/**
 * A large snapshot is written while it is compressed: pieces that wait for the disk at the same time are written at once.
 * So one build has a few writes less than another, and the last one has a smaller number.
 */
const FEWER_WRITES = 8

/** @param judge says with a word what became of the build, or throws */
export async function meetFault(
  workshop: Workshop,
  build: FaultyBuild,
  judge: (met: MetFault) => Promise<string>,
): Promise<string> {
  const { fault, copy = workshop.copy, env = {} } = build
  const { kind, nth, action } = fault
  for (let number = nth; ; number--) {
    const snapshots = copy(`${action}-${kind}-${number}`)
    const log = `${snapshots}.log`
    try {
      const injected = workshop.faults.environment(snapshots, log, { ...fault, nth: number })
      const ran = await workshop.build(snapshots, { ...env, ...injected })
      const [hit] = callsIn(log)
      if (hit !== undefined) return await judge({ snapshots, ran, hit })
      if (kind !== 'write' || number <= Math.max(1, nth - FEWER_WRITES))
        throw new Error(`no such call was made; the build ended with ${ran.code}`)
    } finally {
      rmSync(snapshots, { recursive: true, force: true })
      rmSync(log, { force: true })
    }
  }
}
