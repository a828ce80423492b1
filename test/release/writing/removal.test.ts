// Removing what is old or left over: a folder that cannot be removed keeps none of the others. removal.ts, prune.ts, staging.ts.
import { mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { releasePaths, STAGING_PREFIX } from '../../../src/release/format/paths.ts'
import { prune } from '../../../src/release/writing/prune.ts'
import { removeLeftovers } from '../../../src/release/writing/staging.ts'
import { asRoot } from '../../support/as-root.ts'
import { AS_OF_MS, publishSamples } from '../sample-release.ts'
import { temporaryFolder } from '../../support/temporary-folder.ts'

const HOUR_MS = 3_600_000
let snapshots: string
let ids: string[]
const names = (): string[] => readdirSync(join(snapshots, 'releases')).sort()

/** A mount point can be neither renamed nor removed, also not by root. */
const stuck: string[] = []
function makeStuck(name: string): void {
  const path = join(snapshots, 'releases', name)
  mkdirSync(path, { recursive: true })
  asRoot('mount', '-t', 'tmpfs', 'tmpfs', path)
  stuck.push(path)
}

beforeEach(async () => {
  snapshots = temporaryFolder()
  ids = await publishSamples(snapshots, AS_OF_MS, AS_OF_MS + 1, AS_OF_MS + 2, AS_OF_MS + 3, AS_OF_MS + 4)
})
afterEach(() => {
  for (const path of stuck.splice(0)) asRoot('umount', path)
})

it('prune removes every other old release, and then says which could not be removed', async () => {
  makeStuck(ids[0] ?? '')
  const pruning = prune(releasePaths(snapshots), { keep: 1, keepMonths: 24 }, Date.now() + HOUR_MS)
  await expect(pruning).rejects.toMatchObject({
    code: 'write',
    message: expect.stringContaining(`${ids[0]}: EBUSY`) as string,
  })
  expect(names()).toEqual([ids[0], ids[3], ids[4]])
})

it('prune removes a release again that was restored after its removal was interrupted', async () => {
  await mkdir(join(snapshots, 'releases', `${STAGING_PREFIX}pruned-${ids[0]}`, 'half'), { recursive: true })
  expect((await prune(releasePaths(snapshots), { keep: 1, keepMonths: 24 }, Date.now() + HOUR_MS)).removed).toContain(
    ids[0],
  )
})

it('every other leftover of killed builds is removed, and then it says which could not be', async () => {
  makeStuck(`${STAGING_PREFIX}1`)
  for (const name of ['2', '3']) await mkdir(join(snapshots, 'releases', `${STAGING_PREFIX}${name}`))
  const removing = removeLeftovers(releasePaths(snapshots), STAGING_PREFIX)
  await expect(removing).rejects.toMatchObject({
    code: 'write',
    message: expect.stringContaining(`${STAGING_PREFIX}1: EBUSY`) as string,
  })
  expect(names()).toEqual([`${STAGING_PREFIX}1`, ...ids])
})

it('a leftover loses its name before its first file: nobody can publish a part of it', async () => {
  const folder = join(snapshots, 'releases', `${STAGING_PREFIX}9`)
  mkdirSync(folder)
  const files = 2000
  for (let i = 0; i < files; i += 1) writeFileSync(join(folder, `${i}`), '')
  const seen = new Set<number>()
  const look = () => {
    try {
      seen.add(readdirSync(folder).length)
    } catch (error) {
      // Removed by another thread at any moment: asking first whether it exists would not help.
      if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error
    }
  }
  const looking = setInterval(look, 0)
  const removing = removeLeftovers(releasePaths(snapshots), STAGING_PREFIX)
  look()
  await removing.finally(() => clearInterval(looking))
  expect([...seen]).toEqual([files])
  expect(names()).toEqual(ids)
})
