// Tests that what src/release/writing/ and the metrics file write at known names goes through no planted link, and its modes.
import { linkSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { releasePaths } from '../../../src/release/format/paths.ts'
import { replaceFile } from '../../../src/release/writing/state.ts'
import { rollback } from '../../../src/release/writing/promote.ts'
import { AS_OF_MS, publishSamples, temporaryFolder } from '../sample-release.ts'
import { join } from 'node:path'

let before: number
beforeEach(() => {
  before = process.umask()
})
afterEach(() => {
  process.umask(before)
})

test.each([
  ['a symbolic link', symlinkSync],
  ['a hard link', linkSync],
])('a rollback writes its pin through no planted link: %s', async (_, plant) => {
  const folder = temporaryFolder()
  await publishSamples(folder, AS_OF_MS, AS_OF_MS + 3_600_000)
  const paths = releasePaths(folder)
  const theirs = join(temporaryFolder(), 'theirs')
  writeFileSync(theirs, 'theirs')
  rmSync(paths.pin, { force: true })
  plant(theirs, paths.pin)
  await rollback(paths, null, AS_OF_MS)
  expect(readFileSync(theirs, 'utf8')).toBe('theirs')
  expect(readFileSync(paths.pin, 'utf8')).toContain('"since"')
})

test.each([0, 0o077])('a file has the mode that is given, with umask %i', async (umask) => {
  const path = join(temporaryFolder(), 'file')
  process.umask(umask)
  await replaceFile(path, 'text')
  expect(statSync(path).mode & 0o777).toBe(0o644)
})
