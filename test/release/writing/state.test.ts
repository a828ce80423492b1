// Tests src/release/writing/state.ts, with the note of the last build, and that nothing is written through a planted link.
import { linkSync, lstatSync, mkdirSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { endingOfError, noteLastBuild, readLastBuild } from '../../../src/builder/report/last-build.ts'
import { createLog } from '../../../src/process/log.ts'
import { releasePaths } from '../../../src/release/format/paths.ts'
import { replaceFile, stateFile } from '../../../src/release/writing/state.ts'
import { temporaryFolder } from '../../support/temporary-folder.ts'

test('a link that somebody planted is replaced, not followed, and the mode is the one that is given', async () => {
  const folder = temporaryFolder()
  const path = join(folder, 'role.sql')
  const theirs = join(folder, 'theirs')
  writeFileSync(theirs, 'theirs')
  for (const link of [path, `${path}.next`]) symlinkSync(theirs, link)
  await replaceFile(path, 'ours', 0o600)
  expect([readFileSync(path, 'utf8'), readFileSync(theirs, 'utf8')]).toEqual(['ours', 'theirs'])
  expect([lstatSync(path).isSymbolicLink(), statSync(path).mode & 0o777]).toEqual([false, 0o600])
})

const PUBLISHED = stateFile('published', 0o600, (value) => value as number | undefined)

test('a file of state is what was written last, or is not there', async () => {
  const paths = releasePaths(temporaryFolder())
  expect(await PUBLISHED.read(paths)).toBe(null)
  await PUBLISHED.replace(paths, 1)
  expect([await PUBLISHED.read(paths), statSync(paths.published).mode & 0o777]).toEqual([1, 0o600])
  writeFileSync(paths.published, 'no JSON')
  expect(await PUBLISHED.read(paths)).toBe(undefined)
  rmSync(paths.published)
  symlinkSync(join(temporaryFolder(), 'theirs'), paths.published)
  expect(await PUBLISHED.read(paths), 'of what somebody planted').toBe(undefined)
  rmSync(paths.published)
  mkdirSync(paths.published)
  await expect(PUBLISHED.read(paths)).rejects.toMatchObject({ code: 'unreadable' })
})

const lines: string[] = []
const LOG = createLog('test', { isTTY: false, write: (line: string) => void lines.push(line) })
const note = (folder: string): Promise<unknown> =>
  noteLastBuild(releasePaths(folder), endingOfError(new Error('it is full'), null), 1_000, LOG)

test('where there is no room for a new file, how a build ended is noted in the one that is there', async () => {
  const folder = temporaryFolder()
  const paths = releasePaths(folder)
  writeFileSync(paths.lastBuild, 'longer than the note of a build'.repeat(20))
  // As on a full disk, no new file can be made.
  mkdirSync(`${paths.lastBuild}.next`)
  lines.length = 0
  await note(folder)
  await note(folder)
  expect(await readLastBuild(paths)).toMatchObject({ message: 'it is full', failures: 2 })
  expect(lines).toEqual([])
})

test('how a build ended is written to no file that has another name, and the log says that it is not known', async () => {
  const folder = temporaryFolder()
  const paths = releasePaths(folder)
  const theirs = join(folder, 'theirs')
  writeFileSync(theirs, 'theirs')
  mkdirSync(`${paths.lastBuild}.next`)
  for (const plant of [linkSync, symlinkSync]) {
    lines.length = 0
    plant(theirs, paths.lastBuild)
    await note(folder)
    expect(lines.join('')).toMatch(/"level":"warn".*status will not know how this build ended: cannot write /)
    expect(readFileSync(theirs, 'utf8')).toBe('theirs')
    rmSync(paths.lastBuild)
  }
  lines.length = 0
  await note(join(folder, 'absent'))
  expect(lines, 'of a folder that is not there').toEqual([])
})

test('the first build whose --publish is another than before, or none, warns', async () => {
  const paths = releasePaths(temporaryFolder())
  lines.length = 0
  const ended = (publish: string | null) =>
    noteLastBuild(paths, { ...endingOfError(new Error(), null), publish }, 1_000, LOG)
  for (const publish of ['s3://statistics', null, null]) await ended(publish)
  const said = expect.stringMatching(
    /was s3:\/\/statistics before, and is not given now: s3:\/\/statistics stays as it is, which is said once; when/,
  )
  expect(lines.splice(0)).toEqual([said])
  expect((await readLastBuild(paths))?.publish).toBe('s3://statistics')
  for (const publish of ['s3://statistics', 's3://other', 's3://other']) await ended(publish)
  expect(lines.splice(0)).toEqual([
    expect.stringMatching(
      /is s3:\/\/other now: s3:\/\/statistics stays as it is, which is said once; when its site is to close/,
    ),
  ])
  rmSync(paths.lastBuild)
  await ended(null)
  expect(lines).toEqual([])
})

test.each([0, 0o077])('a file has the mode that is given, with umask %i', async (umask) => {
  const path = join(temporaryFolder(), 'file')
  const before = process.umask(umask)
  onTestFinished(() => void process.umask(before))
  await replaceFile(path, 'text')
  expect(statSync(path).mode & 0o777).toBe(0o644)
})
