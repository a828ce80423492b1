// A short version of each torture of a build (npm run torture): a few of each kind of fault.
// long test: dozens of builds for each kind of fault
import { constants, tmpdir } from 'node:os'
import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest'
import { randomStream } from '../../src/demo/random.ts'
import { readPin } from '../../src/release/writing/promote.ts'
import { run, type Ran } from '../builder/build-program.ts'
import { describeWithPostgres } from '../support/postgres.ts'
import { describeWithComponent } from '../support/real-component.ts'
import { callsOfAClosing, closingsFailedAt, closingsKilledAt } from './closing.ts'
import { failuresAt, partialWrites } from './fail-each-call.ts'
import { callsIn, compilerAvailable, type Call, type Fault } from './faults.ts'
import { callsOfABuild, changing, killsAt, killsAtRandom, numbered, share, withoutNote, type NthCall } from './kills.ts'
import { createExt4Disk, whyNoExt4Disk, type JournalMode } from './ext4-disk.ts'
import { powerCuts } from './power-loss.ts'
import { tallyOf, type Attempt, type Tally } from './tally.ts'
import { expectWhole } from './whole-releases.ts'
import { openWorkshop, type Workshop } from './workshop.ts'
import { releasePaths } from '../../src/release/format/paths.ts'

const seed = Number(process.env['TORTURE_SEED'] ?? Math.floor(Math.random() * 2 ** 31))
const random = randomStream(seed, 'short')
const signal = new AbortController().signal
/** Some dozens of builds, two at a time: a minute or less on a quiet machine, and several on one that has other work. */
const TIMEOUT_MS = 480_000
/** Of the calls between the first and the last of a kind, which are thousands: npm run torture takes them all. */
const SOME = 0.002

async function expectToSurvive(attempts: Iterable<Attempt>, atLeast: number, atOnce?: number): Promise<Tally> {
  const tally = await tallyOf(attempts, signal, atOnce)
  expect(tally.losses, `TORTURE_SEED=${seed}`).toEqual([])
  expect(tally.tried).toBeGreaterThanOrEqual(atLeast)
  return tally
}

describeWithComponent('a build that is tortured', compilerAvailable(), () => {
  describeWithPostgres('on a small platform', (postgres) => {
    let workshop: Workshop
    let calls: NthCall[]
    let changes: NthCall[]
    beforeAll(async () => {
      workshop = await openWorkshop(postgres())
      const listed = withoutNote(await callsOfABuild(workshop))
      calls = numbered(listed)
      changes = numbered(changing(listed))
    })
    afterAll(() => workshop.close())

    it('survives SIGKILL at the first, the last and some others of each kind of change', { timeout: TIMEOUT_MS }, () =>
      expectToSurvive(killsAt(workshop, share(changes, SOME, random)), 16),
    )

    it('never ends a closing with a title that the next command leaves', { timeout: TIMEOUT_MS }, async () => {
      const ofClosing = withoutNote(await callsOfAClosing(workshop))
      const few = share(numbered(changing(ofClosing)), SOME, random)
      const { words } = await expectToSurvive(closingsKilledAt(workshop, few), 16)
      expect(words.get('after the switch')).toBeGreaterThan(3)
      await expectToSurvive(closingsFailedAt(workshop, share(numbered(ofClosing), SOME / 2, random)), 16)
    })

    it('survives SIGKILL at random moments', { timeout: TIMEOUT_MS }, () =>
      expectToSurvive(killsAtRandom(workshop, 'short', 20, random), 21, 1),
    )

    it.skipIf(whyNoExt4Disk(tmpdir()) !== null).each<JournalMode>(['ordered', 'writeback'])(
      'survives that the power is lost, data=%s',
      { timeout: TIMEOUT_MS },
      async (mode) => {
        const disk = createExt4Disk(workshop.home, mode)
        onTestFinished(() => disk.remove())
        await expectToSurvive(powerCuts(workshop, disk, 3, random), 4, 1)
      },
    )

    it('says which file operation failed and why, and leaves nothing', { timeout: TIMEOUT_MS }, async () => {
      const { words } = await expectToSurvive(failuresAt(workshop, share(calls, SOME / 2, random), false), 30)
      expect(words.get('refused, and nothing left')).toBeGreaterThan(15)
      expect(words.get('published, with a warning of what is left')).toBeGreaterThan(5)
    })

    it('writes on after a write that took only a part', { timeout: TIMEOUT_MS }, () =>
      expectToSurvive(partialWrites(workshop, share(calls, 0.01, random)), 3),
    )

    it('rolls back and pins, or does neither, whichever file operation fails', { timeout: TIMEOUT_MS }, async () => {
      const rollback = async (name: string, fault?: Fault): Promise<[ran: Ran, snapshots: string, calls: Call[]]> => {
        const snapshots = workshop.copy(name)
        const log = `${snapshots}.log`
        const env = workshop.faults.environment(snapshots, log, fault)
        return [await run(['rollback', '--snapshots', snapshots], env), snapshots, callsIn(log)]
      }
      const [sound, rolledBack, made] = await rollback('rollback')
      expect(sound.code).toBe(0)
      const older = await expectWhole(rolledBack, workshop.found)
      expect(older < workshop.id).toBe(true)
      expect(made.length).toBeGreaterThan(20)
      for (const { kind, nth } of numbered(made)) {
        const [ran, snapshots, hit] = await rollback(`rollback-${kind}-${nth}`, {
          kind,
          nth,
          action: constants.errno.EIO,
        })
        expect(hit).toHaveLength(1)
        const done = ran.code === 0
        expect({
          ...hit[0],
          ...ran,
          current: await expectWhole(snapshots, workshop.found),
          held: await readPin(releasePaths(snapshots)),
        }).toMatchObject({
          current: done ? older : workshop.id,
          held: done ? { id: older } : null,
        })
      }
    })
  })
})
