// A short version of the tortures of the way to the database: a few of each kind.
// long test: builds beside a writer that never rests
import { expect, it } from 'vitest'
import { randomStream } from '../../src/demo/random.ts'
import { postgresAvailable } from '../support/postgres.ts'
import { describeWithComponent } from '../support/real-component.ts'
import { buildsBesideWriter } from './database-cuts.ts'
import { DATABASE_PARTS } from './database-parts.ts'
import { withScene } from './database-scene.ts'
import { tallyOf } from './tally.ts'

const seed = Number(process.env['TORTURE_SEED'] ?? Math.floor(Math.random() * 2 ** 31))
const random = randomStream(seed, 'database')
const signal = new AbortController().signal
const TIMEOUT_MS = 240_000

describeWithComponent('while a writer never rests', postgresAvailable(), () => {
  it('every release is of one instant', { timeout: TIMEOUT_MS }, () =>
    withScene(async (scene, writer) => {
      const { tried, losses } = await tallyOf(buildsBesideWriter(scene, 5), signal, 1)
      expect(losses).toEqual([])
      expect(tried).toBe(5)
      expect(await writer.perSecond()).toBeGreaterThan(0)
    }),
  )

  it('so is what is published after a cut', { timeout: TIMEOUT_MS }, async () => {
    const tally = await DATABASE_PARTS['database-cut']?.run({ random, part: 0.1, signal })
    expect(tally?.losses, `TORTURE_SEED=${seed}`).toEqual([])
    expect(tally?.tried).toBe(5)
    expect(tally?.words.get('tried again (reset)')).toBeGreaterThan(0)
  })
})
