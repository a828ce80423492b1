// Tests src/release/writing/state.ts, with the note of the last build, and that nothing is written through a planted link.
import {
  cpSync,
  linkSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { endingOfError, noteLastBuild, readLastBuild } from '../../../src/builder/report/last-build.ts'
import { createLog } from '../../../src/process/log.ts'
import { releasePaths } from '../../../src/release/format/paths.ts'
import { replaceFile, stateFile } from '../../../src/release/writing/state.ts'
import { folderReader } from '../../../src/release/reading/folder-reader.ts'
import { readPin, rollback } from '../../../src/release/past/rollback.ts'
import { takenBackAfter } from '../../../src/release/past/taken-back.ts'
import { AS_OF_MS, publishSamples } from '../sample-release.ts'
import { temporaryFolder } from '../../support/temporary-folder.ts'

/** Three releases, of which each test that changes them has a copy. */
const published = { folder: temporaryFolder(afterAll), ids: [''] }
beforeAll(async () => {
  published.ids = await publishSamples(published.folder, AS_OF_MS, AS_OF_MS + 1, AS_OF_MS + 2)
})
function samples(): string {
  const folder = temporaryFolder()
  cpSync(published.folder, folder, { recursive: true, verbatimSymlinks: true })
  return folder
}

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

const PIN = stateFile('pin', 0o600, (value) => value as number | undefined)

test('a file of state is what was written last, or is not there', async () => {
  const paths = releasePaths(temporaryFolder())
  expect(await PIN.read(paths)).toBe(null)
  await PIN.replace(paths, 1)
  expect([await PIN.read(paths), statSync(paths.pin).mode & 0o777]).toEqual([1, 0o600])
  await PIN.replace(paths, null)
  expect([await PIN.read(paths), readdirSync(paths.root)]).toEqual([null, []])
  writeFileSync(paths.pin, 'no JSON')
  expect(await PIN.read(paths)).toBe(undefined)
  rmSync(paths.pin)
  symlinkSync(join(temporaryFolder(), 'theirs'), paths.pin)
  expect(await PIN.read(paths), 'of what somebody planted').toBe(undefined)
  rmSync(paths.pin)
  mkdirSync(paths.pin)
  await expect(PIN.read(paths)).rejects.toMatchObject({ code: 'unreadable' })
})

test('a file of state is what it was where the next step fails', async () => {
  const paths = releasePaths(temporaryFolder())
  const failing = (value: number | null): Promise<void> => PIN.replace(paths, value, () => Promise.reject(new Error()))
  await expect(failing(1)).rejects.toThrow()
  expect(readdirSync(paths.root)).toEqual([])
  await PIN.replace(paths, 2)
  for (const value of [3, null]) await expect(failing(value)).rejects.toThrow()
  expect(await PIN.read(paths)).toBe(2)
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

test.each([
  ['a symbolic link', symlinkSync],
  ['a hard link', linkSync],
])('a rollback writes its pin and what it keeps through no planted link: %s', async (_, plant) => {
  const paths = releasePaths(samples())
  const theirs = join(temporaryFolder(), 'theirs')
  writeFileSync(theirs, 'theirs')
  rmSync(paths.pin, { force: true })
  for (const path of [paths.pin, paths.revisions]) plant(theirs, path)
  await rollback(paths, null, AS_OF_MS)
  expect(readFileSync(theirs, 'utf8')).toBe('theirs')
  expect(readFileSync(paths.pin, 'utf8')).toContain('"since"')
})

test('what is kept of releases that were taken back is of the latest, however far a rollback goes', async () => {
  const paths = releasePaths(samples())
  const [, before = '', last = ''] = published.ids
  for (let i = 0; i < 2; i++) await rollback(paths, null, AS_OF_MS)
  expect(await takenBackAfter(paths, before)).toMatchObject({ to: new Date(AS_OF_MS + 2).toISOString() })
  for (const id of [last, last.replace('2026', '2027')]) expect(await takenBackAfter(paths, id)).toBe(undefined)
})

test.each([0, 0o077])('a file has the mode that is given, with umask %i', async (umask) => {
  const path = join(temporaryFolder(), 'file')
  const before = process.umask(umask)
  onTestFinished(() => void process.umask(before))
  await replaceFile(path, 'text')
  expect(statSync(path).mode & 0o777).toBe(0o644)
})

test('a log of days that is another file is neither published nor replaced', async () => {
  const paths = releasePaths(samples())
  const [id] = published.ids
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
