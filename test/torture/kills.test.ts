// A short version of the tortures by kills and power cuts: some calls of each kind that changes files, some moments.
// long test: dozens of builds
// all of it after a change of: src/release/writing/, src/release/format/, src/builder/past/, src/builder/run/, test/torture/
import { linkSync, readdirSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { createExt4Disk, whyNoExt4Disk, type JournalMode } from './ext4-disk.ts'
import {
  callsOfABuild,
  changing,
  JOURNAL,
  killsAt,
  killsAtRandom,
  numbered,
  numberedOn,
  share,
  withoutNote,
} from './kills.ts'
import { killedAt, meetFault } from './met-fault.ts'
import { powerCuts } from './power-loss.ts'
import { describeTorture } from './tortured-builds.ts'

/** In the names of releases, drafts and locks, with the process of some. */
const RANDOM = /\d{8}T\d{9}Z|[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}|(?<=-)[0-9a-f]{8}(?![0-9a-z])|(?<=\.tmp-)\d+/g

describeTorture('kills', ({ isSample, random, some, times, expectToSurvive }, workshop) => {
  it('survives SIGKILL at the first, the last and some others of each kind of change', async () => {
    const changes = numbered(changing(withoutNote(await callsOfABuild(workshop()))))
    await expectToSurvive(killsAt(workshop(), some(share(changes, 0.002, random))), 16)
  })

  it('survives SIGKILL at each change of the journal, also one that it writes anew', async () => {
    const calls = changing(withoutNote(await callsOfABuild(workshop())))
    const added = numberedOn(calls, JOURNAL)
    expect(added.map(({ kind }) => kind)).toEqual(['unlink', 'write', 'fsync'])
    await expectToSurvive(killsAt(workshop(), added), 3)
    // It has another name, too: nothing is added to it.
    const copy = (name: string): string => {
      const folder = workshop().copy(name)
      linkSync(join(folder, '.journal'), `${folder}.linked`)
      return folder
    }
    const anew = numberedOn(changing(withoutNote(await callsOfABuild(workshop(), { copy }))), JOURNAL)
    expect(anew.map(({ kind }) => kind)).toEqual(expect.arrayContaining(['create', 'write', 'fsync', 'rename']))
    const linked = { ...workshop(), copy }
    await expectToSurvive(killsAt(linked, anew), 4)
  })

  it('finds in a copy at a call of the switch what a kill leaves there', async () => {
    const renames = numbered(changing(withoutNote(await callsOfABuild(workshop())))).filter(
      ({ kind }) => kind === 'rename',
    )
    const named = async (snapshots: string): Promise<string> => {
      const names = readdirSync(snapshots, { recursive: true, encoding: 'utf8' })
      return names
        .map((name) => name.replaceAll(RANDOM, ''))
        .sort()
        .join('\n')
    }
    const copies = killedAt(workshop(), renames, {}, named)
    for (const [i, { kind, nth }] of some(renames.map((call, at) => [at, call] as const))) {
      const killed = await meetFault(workshop(), { kind, nth, action: 'kill' }, {}, ({ snapshots }) => named(snapshots))
      expect(await copies[i]?.run()).toBe(killed)
    }
  })

  it('survives SIGKILL at random moments', async () => {
    await expectToSurvive(killsAtRandom(workshop(), 'short', times(20), random), 21, 1)
  })

  it.skipIf(whyNoExt4Disk(tmpdir()) !== null).each<JournalMode>(['ordered', 'writeback'])(
    'survives that the power is lost, data=%s',
    async (mode) => {
      const disk = createExt4Disk(workshop().home, mode)
      onTestFinished(() => disk.remove())
      // One after the exit, and in the middle of a build another one or two.
      await expectToSurvive(powerCuts(workshop(), disk, isSample ? 2 : 3, random), 4, 1)
    },
  )
})
