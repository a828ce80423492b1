// Owns killing builds at random moments, each on what the last one left. Counts nothing itself.
import { setTimeout as sleep } from 'node:timers/promises'
import type { Attempt } from './tally.ts'
import { expectWhole } from './whole-releases.ts'
import { ageReleases, expectToRecover, type Workshop } from './workshop.ts'

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
