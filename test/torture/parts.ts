// Owns the table of the tortures: which guarantee, how the fault is injected, how often in full. Prints nothing.
import { BUCKET_PARTS } from './bucket-parts.ts'
import { callsOfAClosing, closingsFailedAt, closingsKilledAt } from './closing.ts'
import { DATABASE_PARTS } from './database-parts.ts'
import { createExt4Disk, type JournalMode } from './ext4-disk.ts'
import { HTTP_PARTS } from './http-parts.ts'
import type { Call, NumberedCall } from './faults.ts'
import { failuresAt, partialWrites } from './fail-each-call.ts'
import { callsOfABuild, changing, killsAt, killsAtRandom, numbered, share, withoutNote } from './kills.ts'
import { powerCuts } from './power-loss.ts'
import { MIGRATION_PARTS } from './migration-parts.ts'
import { sumOf, tallyOf, times, type Attempt, type Context, type Part, type Tally } from './tally.ts'
import type { Workshop } from './workshop.ts'

const RANDOM_KILLS = 500
const POWER_CUTS = 120

type CallsOf = (workshop: Workshop) => Promise<readonly Call[]>

/** Attempts at a share of the calls of a build. */
const atCalls = (
  calls: CallsOf,
  attempts: (workshop: Workshop, calls: readonly NumberedCall[]) => Iterable<Attempt>,
): Part['run'] => {
  return async ({ workshop, part, random, signal }) =>
    tallyOf(attempts(workshop, share(numbered(await calls(workshop)), part, random)), signal)
}
const changesOf = (calls: CallsOf) => {
  return async (workshop: Workshop) => changing(await calls(workshop))
}

export const PARTS: Readonly<Record<string, Part>> = {
  'kill-calls': {
    guarantee: 'killed at each file-changing call',
    injected: 'copies as SIGKILL would leave them, by LD_PRELOAD at the call',
    run: atCalls(changesOf(callsOfABuild), killsAt),
  },
  closing: {
    guarantee: 'killed or failing at each file operation while the site closes',
    injected: 'copies as SIGKILL would leave them, and EIO, by LD_PRELOAD at the call',
    run: async (context) =>
      sumOf([
        await atCalls(changesOf(callsOfAClosing), closingsKilledAt)(context),
        await atCalls(callsOfAClosing, closingsFailedAt)(context),
      ]),
  },
  'kill-random': {
    guarantee: 'killed at random moments',
    injected: 'SIGKILL',
    async run(context) {
      const { workshop, random, signal } = context
      const each = Math.ceil(times(RANDOM_KILLS, context) / 2)
      const chains = ['chain-1', 'chain-2'].map((name) =>
        tallyOf(killsAtRandom(workshop, name, each, random), signal, 1),
      )
      return sumOf(await Promise.all(chains))
    },
  },
  power: {
    guarantee: 'power lost at random moments and after exit 0',
    injected: 'EXT4_IOC_SHUTDOWN on a loop device, data=ordered and data=writeback',
    async run(context) {
      const each = Math.ceil(times(POWER_CUTS, context) / 2)
      const modes: readonly JournalMode[] = ['ordered', 'writeback']
      return sumOf(await Promise.all(modes.map((mode) => cutsOn(mode, each, context))))
    },
  },
  fail: {
    guarantee: 'each file operation fails',
    injected: 'EIO, ENOSPC, EDQUOT, EMFILE, EROFS by LD_PRELOAD',
    run: atCalls(
      async (workshop) => withoutNote(await callsOfABuild(workshop)),
      (workshop, calls) => failuresAt(workshop, calls, true),
    ),
  },
  partial: {
    guarantee: 'each write takes only a part',
    injected: 'a real write of half the bytes, by LD_PRELOAD',
    run: atCalls(callsOfABuild, partialWrites),
  },
  ...HTTP_PARTS,
  ...DATABASE_PARTS,
  ...MIGRATION_PARTS,
  ...BUCKET_PARTS,
}

async function cutsOn(mode: JournalMode, count: number, { workshop, random, signal }: Context): Promise<Tally> {
  const disk = createExt4Disk(workshop.home, mode)
  try {
    return await tallyOf(powerCuts(workshop, disk, count, random), signal, 1)
  } finally {
    disk.remove()
  }
}
