// A short version of the tortures of the way to the database: a few of each kind, and that they would notice a mix.
// long test: builds beside a writer that never rests
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { randomStream } from '../../src/demo/random.ts'
import { currentId } from '../../src/release/reading/release-list.ts'
import { postgresAvailable } from '../support/postgres.ts'
import { describeWithComponent } from '../support/real-component.ts'
import { expectEqualSums, readerOf } from './balanced-platform.ts'
import { buildsBesideWriter } from './database-cuts.ts'
import { DATABASE_PARTS } from './database-parts.ts'
import { withQuietScene, withScene } from './database-scene.ts'
import { tallyOf } from './tally.ts'
import { releasePaths } from '../../src/release/format/paths.ts'

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

  it('so is what is published after a cut, an end by the server, a slow network', { timeout: TIMEOUT_MS }, async () => {
    const tally = await DATABASE_PARTS['database-cut']?.run({ random, part: 0.1, slice: [1, 1], signal })
    expect(tally?.losses, `TORTURE_SEED=${seed}`).toEqual([])
    expect(tally?.tried).toBe(14)
    expect(tally?.words.get('tried again (reset)')).toBeGreaterThan(0)
    expect(tally?.words.get('ended by the deadline')).toBe(1)
  })

  it('one file of another release would be noticed', { timeout: TIMEOUT_MS }, () =>
    // The first release is made before anybody writes: a quick writer would have given all people dates of today by then, and
    // both releases would count the same.
    withQuietScene(async (scene, startWriting) => {
      const ids: string[] = []
      const snapshots = join(scene.home, 'beside-writer', 'snapshots')
      for (const attempt of buildsBesideWriter(scene, 2)) {
        await attempt.run()
        ids.push((await currentId(releasePaths(snapshots))) ?? '')
        if (ids.length > 1) continue
        const writer = await startWriting()
        await expect.poll(() => writer.perSecond()).toBeGreaterThan(0)
      }
      const [one, other] = ids.map((id) => readerOf(snapshots, id))
      if (one === undefined || other === undefined) throw new Error('two releases were built')
      // Both hold as many people, of whom other ones are of this day.
      const mixed = (path: string): unknown => (path === 'analytics/export/ideas/24h' ? other(path) : one(path))
      expect(() => expectEqualSums(one)).not.toThrow()
      expect(() => expectEqualSums(mixed)).toThrow(/mixed: 24h/)
    }),
  )
})
