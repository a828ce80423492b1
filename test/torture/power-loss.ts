// Owns cutting the power of a disk while a build writes on it, and what must be on it afterwards. Counts nothing.
import { execFileSync } from 'node:child_process'
import { cpSync, existsSync, utimesSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { releasePaths } from '../../src/release/format/paths.ts'
import type { Ext4Disk } from './ext4-disk.ts'
import type { Attempt } from './tally.ts'
import { expectWhole } from './whole-releases.ts'
import { ageReleases, expectToRecover, type Workshop } from './workshop.ts'

/** More than the 30 s after which a lock that nobody touches is dead: a machine without power is away for longer. */
const AWAY_S = 60

/** To be run one after the other, each on what the last one left; the last is the build that cleans up. */
export function* powerCuts(
  workshop: Workshop,
  disk: Ext4Disk,
  times: number,
  random: () => number,
  env: (snapshots: string) => Readonly<Record<string, string>> = () => ({}),
): Generator<Attempt> {
  const snapshots = join(disk.folder, 'snapshots')
  cpSync(join(workshop.home, 'published'), snapshots, { recursive: true, verbatimSymlinks: true })
  // What is there already was written long ago.
  execFileSync('sync', ['-f', disk.folder])
  let lengthMs = workshop.buildMs
  for (let i = 0; i < times; i++) {
    // Every third cut, the first one, comes just after the build has said that it is done, when the kernel has nothing written yet.
    const afterExit = i % 3 === 0
    const delayMs = random() * (afterExit ? 5 : lengthMs)
    yield {
      what: `power cut ${i + 1}, ${delayMs.toFixed(1)} ms after the ${afterExit ? 'exit' : 'start'}`,
      async run() {
        const before = await expectWhole(snapshots)
        // Nothing of the attempt before is on its way any more.
        await ageReleases(snapshots)
        const { child, done } = workshop.begin(snapshots, env(snapshots))
        if (afterExit) await done
        await sleep(delayMs)
        disk.cut()
        child.kill('SIGKILL')
        const { code, stdout, stderr, ms } = await done
        disk.restore()
        const now = await expectWhole(snapshots)
        const { lock } = releasePaths(snapshots)
        if (existsSync(lock)) utimesSync(lock, Date.now() / 1000 - AWAY_S, Date.now() / 1000 - AWAY_S)
        if (code !== 0) {
          if (afterExit) throw new Error(`the build ended with ${code}: ${stderr.slice(0, 300)}`)
          return now === before ? 'before the switch' : 'after it'
        }
        lengthMs = ms
        const published = /^published (\S+)/.exec(stdout)?.[1]
        if (now !== published) throw new Error(`exit 0 for ${published}, and current is ${now}`)
        return 'after exit 0'
      },
    }
  }
  yield {
    what: `the build after ${times} power cuts`,
    run: async () => {
      await expectToRecover(workshop, snapshots)
      return 'recovered'
    },
  }
}
