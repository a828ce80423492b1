// A short version of the torture of a build that closes the site.
// long test: dozens of builds
// all of it after a change of: src/release/writing/, src/release/format/, src/builder/past/, src/builder/run/, test/torture/
import { expect, it } from 'vitest'
import { callsOfAClosing, closingsFailedAt, closingsKilledAt } from './closing.ts'
import { changing, numbered, share, withoutNote } from './kills.ts'
import { describeTorture } from './tortured-builds.ts'

describeTorture('closing', ({ isSample, random, some, expectToSurvive }, workshop) => {
  it('never ends with a title that the next command leaves, killed or failing', async () => {
    const calls = withoutNote(await callsOfAClosing(workshop()))
    const kills = some(share(numbered(changing(calls)), 0.002, random))
    const { words } = await expectToSurvive(closingsKilledAt(workshop(), kills), 16)
    if (!isSample) expect(words.get('after the switch')).toBeGreaterThan(3)
    await expectToSurvive(closingsFailedAt(workshop(), some(share(numbered(calls), 0.001, random))), 16)
  })
})
