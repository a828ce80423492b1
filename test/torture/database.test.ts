// A short version of the tortures of the way to the database: a few of each kind.
// long test: builds beside a writer that never rests
// all of it after a change of: src/source/, src/builder/run/, test/torture/
import { expect, it } from 'vitest'
import { postgresAvailable } from '../support/postgres.ts'
import { describeWithComponent } from '../support/real-component.ts'
import { buildsBesideWriter } from './database-cuts.ts'
import { DATABASE_PARTS } from './database-parts.ts'
import { withScene } from './database-scene.ts'
import { shortTorture, TIMEOUT_MS } from './short-torture.ts'

const { isSample, times, survive, expectToSurvive } = shortTorture('database')

describeWithComponent('while a writer never rests', postgresAvailable(), () => {
  it('every release is of one instant', { timeout: TIMEOUT_MS }, () =>
    withScene(async (scene, writer) => {
      await expectToSurvive(buildsBesideWriter(scene, times(5)), 5, 1)
      // How many depends on the machine.
      expect(await writer.perSecond()).toBeGreaterThan(0)
    }),
  )

  it('so is what is published after a cut', { timeout: TIMEOUT_MS }, async () => {
    const { words } = await survive(DATABASE_PARTS['database-cut'], 0.1, 5)
    if (!isSample) expect(words.get('tried again (reset)')).toBeGreaterThan(0)
  })
})
