// Owns the table of the tortures: which guarantee, how the fault is injected, how often in full. Prints nothing.
import { BUCKET_PARTS } from './bucket-parts.ts'
import { callsOfAClosing, closingsFailedAt, closingsKilledAt } from './closing.ts'
import { DATABASE_PARTS } from './database-parts.ts'
import { createExt4Disk, type JournalMode } from './ext4-disk.ts'
import { HTTP_PARTS } from './http-parts.ts'
import { failuresAt, partialWrites } from './fail-each-call.ts'
import { callsOfABuild, changing, killsAt, killsAtRandom, numbered, share } from './kills.ts'
import { powerCuts } from './power-loss.ts'
import { MIGRATION_PARTS } from './migration-parts.ts'
import { sumOf, tallyOf, times, type Context, type Part, type Tally } from './tally.ts'

const RANDOM_KILLS = 500
const POWER_CUTS = 120

export const PARTS: Readonly<Record<string, Part>> = {
  'kill-calls': {
    guarantee: 'killed at each file-changing call',
    injected: 'SIGKILL by LD_PRELOAD at the call',
    async run(context) {
      const { workshop } = context
      const calls = numbered(changing(await callsOfABuild(workshop)))
      return tallyOf(killsAt(workshop, share(calls, context.part, context.random)), context.signal)
    },
  },
  closing: {
    guarantee: 'killed or failing at each file operation while the site closes',
    injected: 'SIGKILL and EIO by LD_PRELOAD at the call',
    async run(context) {
      const { workshop, signal } = context
      const calls = await callsOfAClosing(workshop)
      const killed = await tallyOf(
        closingsKilledAt(workshop, share(numbered(changing(calls)), context.part, context.random)),
        signal,
      )
      const failed = await tallyOf(
        closingsFailedAt(workshop, share(numbered(calls), context.part, context.random)),
        signal,
      )
      return sumOf([killed, failed])
    },
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
    async run(context) {
      const { workshop } = context
      const calls = numbered(await callsOfABuild(workshop))
      return tallyOf(failuresAt(workshop, share(calls, context.part, context.random), true), context.signal)
    },
  },
  partial: {
    guarantee: 'each write takes only a part',
    injected: 'a real write of half the bytes, by LD_PRELOAD',
    async run(context) {
      const { workshop } = context
      const calls = numbered(await callsOfABuild(workshop))
      return tallyOf(partialWrites(workshop, share(calls, context.part, context.random)), context.signal)
    },
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
