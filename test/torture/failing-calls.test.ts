// A short version of the torture by file operations that fail, or do a part: of a build, and all of a rollback.
// long test: dozens of builds
// all of it after a change of: src/release/writing/, src/release/format/, src/builder/past/, src/builder/run/, test/torture/
import { constants } from 'node:os'
import { expect, it } from 'vitest'
import { releasePaths } from '../../src/release/format/paths.ts'
import { readPin } from '../../src/release/past/past.ts'
import { run, type Ran } from '../builder/build-program.ts'
import { failuresAt, partialWrites } from './fail-each-call.ts'
import { callsIn, type Call, type Fault } from './faults.ts'
import { callsOfABuild, JOURNAL, numbered, numberedOn, share, withoutNote } from './kills.ts'
import { describeTorture } from './tortured-builds.ts'
import { expectWhole } from './whole-releases.ts'

describeTorture('failing-calls', ({ isSample, random, some, expectToSurvive }, workshop) => {
  it('says which file operation failed and why, and leaves nothing', async () => {
    const calls = share(numbered(withoutNote(await callsOfABuild(workshop()))), 0.001, random)
    const { words } = await expectToSurvive(failuresAt(workshop(), some(calls), false), 30)
    // Of a sample chance says how many are which.
    if (isSample) return
    expect(words.get('refused, and nothing left')).toBeGreaterThan(15)
    expect(words.get('published, with a warning of what is left')).toBeGreaterThan(5)
  })

  it('publishes, or says why not and leaves nothing, whatever fails at the journal', async () => {
    const calls = numberedOn(withoutNote(await callsOfABuild(workshop())), JOURNAL)
    expect(calls.length).toBeGreaterThan(5)
    const { words } = await expectToSurvive(failuresAt(workshop(), some(calls), false), 5)
    if (!isSample) expect(words.get('published: not needed')).toBeGreaterThan(1)
  })

  it('writes on after a write that took only a part', async () => {
    const calls = share(numbered(withoutNote(await callsOfABuild(workshop()))), 0.01, random)
    await expectToSurvive(some(partialWrites(workshop(), calls)), 3)
  })

  it('rolls back and pins, or does neither, whichever file operation fails', async () => {
    const { copy, faults, found, id } = workshop()
    const rollback = async (name: string, fault?: Fault): Promise<[ran: Ran, snapshots: string, calls: Call[]]> => {
      const snapshots = copy(name)
      const log = `${snapshots}.log`
      const env = faults.environment(snapshots, log, fault)
      return [await run(['rollback', '--snapshots', snapshots], env), snapshots, callsIn(log)]
    }
    const [sound, rolledBack, made] = await rollback('rollback')
    expect(sound.code).toBe(0)
    const older = await expectWhole(rolledBack, found)
    expect(older < id).toBe(true)
    expect(made.length).toBeGreaterThan(20)
    for (const { kind, nth } of some(numbered(made))) {
      const fault = { kind, nth, action: constants.errno.EIO }
      const [ran, snapshots, hit] = await rollback(`rollback-${kind}-${nth}`, fault)
      expect(hit).toHaveLength(1)
      const done = ran.code === 0
      const now = { current: await expectWhole(snapshots, found), held: await readPin(releasePaths(snapshots)) }
      const expected = { current: done ? older : id, held: done ? { id: older } : null }
      expect({ ...hit[0], ...ran, ...now }).toMatchObject(expected)
    }
  })
})
