// A short version of the torture of a disk's power: one cut just after a build's exit, and that a build that does not wait
// for the disk would be noticed.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { describeWithPostgres } from '../support/postgres.ts'
import { describeWithComponent } from '../support/real-component.ts'
import { createExt4Disk, whyNoExt4Disk, type JournalMode } from './ext4-disk.ts'
import { compilerAvailable } from './faults.ts'
import { powerCuts } from './power-loss.ts'
import { tallyOf, type Tally } from './tally.ts'
import { openWorkshop, type Workshop } from './workshop.ts'

const TIMEOUT_MS = 240_000

describe('the power of a disk', () => {
  const home = mkdtempSync(join(tmpdir(), 'torture-power-'))
  afterAll(() => rmSync(home, { recursive: true, force: true }))
  const why = whyNoExt4Disk(home)
  describeWithComponent('that can be cut', why === null ? compilerAvailable() : { ok: false, how: why }, () => {
    describeWithPostgres('after a build', (postgres) => {
      let workshop: Workshop
      beforeAll(async () => {
        workshop = await openWorkshop(postgres())
      })
      afterAll(() => workshop.close())
      const cutOnce = (mode: JournalMode, env?: Parameters<typeof powerCuts>[4]): Promise<Tally> => {
        const disk = createExt4Disk(home, mode)
        onTestFinished(() => disk.remove())
        return tallyOf(
          powerCuts(workshop, disk, 1, () => 0, env),
          new AbortController().signal,
          1,
        )
      }

      it('is lost: current is whole, and the next build recovers', { timeout: TIMEOUT_MS }, async () => {
        expect(await cutOnce('ordered')).toMatchObject({ tried: 2, losses: [] })
      })

      it('would be noticed if a build did not wait for the disk', { timeout: TIMEOUT_MS }, async () => {
        const lies = (snapshots: string): Record<string, string> =>
          workshop.faults.environment(snapshots, join(home, 'lies.log'), { kind: 'fsync', nth: 0, action: 'lie' })
        expect((await cutOnce('writeback', lies)).losses).not.toEqual([])
      })
    })
  })
})
