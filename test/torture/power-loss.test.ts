// A short version of the torture of a disk's power: a few cuts, and that a build that does not wait for the disk would be noticed.
import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { randomStream } from '../../src/demo/random.ts'
import { rootCommand } from '../support/as-root.ts'
import { describeWithPostgres } from '../support/postgres.ts'
import { describeWithComponent } from '../support/real-component.ts'
import { createExt4Disk, whyNoExt4Disk, type Ext4Disk, type JournalMode } from './ext4-disk.ts'
import { compilerAvailable } from './faults.ts'
import { powerCuts } from './power-loss.ts'
import { tallyOf } from './tally.ts'
import { openWorkshop, type Workshop } from './workshop.ts'

const seed = Number(process.env['TORTURE_SEED'] ?? Math.floor(Math.random() * 2 ** 31))
const random = randomStream(seed, 'power')
const signal = new AbortController().signal
const TIMEOUT_MS = 240_000
/** Every third one comes just after the build's exit. */
const CUTS = 3

describe('the power of a disk', () => {
  const home = mkdtempSync(join(tmpdir(), 'torture-power-'))
  afterAll(() => rmSync(home, { recursive: true, force: true }))
  const why = whyNoExt4Disk(home)
  describeWithComponent('that can be cut', why === null ? compilerAvailable() : { ok: false, how: why }, () => {
    describeWithPostgres('while a build writes', (postgres) => {
      let workshop: Workshop
      beforeAll(async () => {
        workshop = await openWorkshop(postgres())
      })
      afterAll(() => workshop.close())
      const diskOf = (mode: JournalMode): Ext4Disk => {
        const disk = createExt4Disk(home, mode)
        onTestFinished(() => disk.remove())
        return disk
      }

      it.each<JournalMode>(['ordered', 'writeback'])(
        'data=%s: current is whole',
        { timeout: TIMEOUT_MS },
        async (mode) => {
          const { tried, losses } = await tallyOf(powerCuts(workshop, diskOf(mode), CUTS, random), signal, 1)
          expect(losses, `TORTURE_SEED=${seed}`).toEqual([])
          expect(tried).toBe(CUTS + 1)
        },
      )

      it('comes back as it was synced, also while a container has it mounted', async () => {
        const disk = diskOf('writeback')
        const file = join(disk.folder, 'synced')
        writeFileSync(file, 'x')
        execFileSync('sync', ['-f', disk.folder])
        const container = spawn(...rootCommand('unshare', '-m', 'sh', '-c', 'echo begun; read line'))
        await once(container.stdout, 'data')
        disk.cut()
        disk.restore()
        expect(readFileSync(file, 'utf8')).toBe('x')
        container.stdin.end()
        await once(container, 'exit')
      })

      it('would be noticed if a build did not wait for the disk', { timeout: TIMEOUT_MS }, async () => {
        const lies = (snapshots: string): Record<string, string> =>
          workshop.faults.environment(snapshots, join(home, 'lies.log'), { kind: 'fsync', nth: 0, action: 'lie' })
        const { losses } = await tallyOf(powerCuts(workshop, diskOf('writeback'), CUTS, random, lies), signal, 1)
        expect(losses).not.toEqual([])
      })
    })
  })
})
