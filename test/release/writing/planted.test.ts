// Tests that what src/release/writing/ and the metrics file write at known names goes through no planted link, and its modes.
import { linkSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { releasePaths } from '../../../src/release/format/paths.ts'
import { replaceFile } from '../../../src/release/writing/state.ts'
import { folderReader } from '../../../src/release/reading/folder-reader.ts'
import { readPin, rollback } from '../../../src/release/writing/promote.ts'
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
])('a rollback writes its pin and what it keeps through no planted link: %s', async (_, plant) => {
  const folder = temporaryFolder()
  await publishSamples(folder, AS_OF_MS, AS_OF_MS + 3_600_000)
  const paths = releasePaths(folder)
  const theirs = join(temporaryFolder(), 'theirs')
  writeFileSync(theirs, 'theirs')
  rmSync(paths.pin, { force: true })
  for (const path of [paths.pin, paths.revisions]) plant(theirs, path)
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

test('a log of days that is another file is neither published nor replaced', async () => {
  const folder = temporaryFolder()
  const [id] = await publishSamples(folder, AS_OF_MS, AS_OF_MS + 3_600_000)
  const paths = releasePaths(folder)
  const theirs = join(temporaryFolder(), 'theirs')
  writeFileSync(theirs, 'theirs')
  linkSync(theirs, paths.log)
  const [read, written] = [folderReader(paths).log(), rollback(paths, null, AS_OF_MS)]
  // Readers find a damaged log; what would add a line to it cannot write.
  await Promise.all([
    expect(read).rejects.toMatchObject({ code: 'damaged' }),
    expect(written).rejects.toMatchObject({ code: 'write' }),
  ])
  for (const done of [read, written])
    await expect(done).rejects.toThrow(
      /log\.csv is no log of days: it does not begin with date,.*; put a copy of it there/,
    )
  expect([readFileSync(paths.log, 'utf8'), await readPin(paths)]).toEqual(['theirs', null])
  rmSync(paths.log)
  symlinkSync(theirs, paths.log)
  await expect(folderReader(paths).log()).rejects.toThrow(/there is no/)
  await rollback(paths, id ?? '', AS_OF_MS)
  expect(readFileSync(theirs, 'utf8')).toBe('theirs')
  expect(readFileSync(paths.log, 'utf8')).toMatch(/^date,.*\n2026-05-20,/)
})
