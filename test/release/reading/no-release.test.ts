import { chmodSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { releasePaths } from '../../../src/release/format/paths.ts'
import { noReleaseIn } from '../../../src/release/reading/no-release.ts'
import { folderReader } from '../../../src/release/reading/folder-reader.ts'
import { publishRelease } from '../../support/release.ts'
import { temporaryFolder } from '../../support/temporary-folder.ts'

const root = temporaryFolder(afterAll)
let id = ''
beforeAll(async () => {
  id = (await publishRelease(join(root, 'snapshots'))).id
  await publishRelease(join(root, 'tried/demo'))
  for (const name of ['empty', 'snapshots/demo', 'other/a', 'other/b', 'other/c', 'other/d', 'far/from/it'])
    mkdirSync(join(root, name), { recursive: true })
  writeFileSync(join(root, 'file'), '')
})

test.each([
  ['other', 'it has a, b, c and 1 more', null],
  ['empty', 'it is empty', null],
  ['far/from', 'it has it', null],
  ['nowhere', 'no such folder', null],
  ['file', 'no such folder', null],
  ['snapshot', 'no such folder', 'snapshots'],
  ['snapshots2', 'no such folder', null],
  ['tried', 'it has demo', null],
  ['.', 'it has empty, far, file and 3 more', 'snapshots'],
  ['snapshots/demo', 'it is empty', 'snapshots'],
  ['snapshots/nowhere', 'no such folder', 'snapshots'],
  ['snapshots/releases', 'it has ID', 'snapshots'],
  ['snapshots/releases/ID', expect.stringMatching(/^it has /), 'snapshots'],
  ['snapshots/current', expect.stringMatching(/^it has /), 'snapshots'],
])('of %s: %s; %s is meant', async (name, has, meant) => {
  const paths = releasePaths(join(root, name.replace('ID', id)))
  const found = await noReleaseIn(paths)
  expect(found.has.replace(id, 'ID')).toEqual(has)
  const said = found.text.replace(`no release in ${paths.root}: `, '').replace(id, 'ID')
  expect([said, found.meant]).toEqual([has, meant === null ? null : join(root, meant)])
  const next = meant === null ? 'build one first' : `did you mean --snapshots ${join(root, meant)}?`
  await expect(folderReader(paths).current(null)).rejects.toThrow(
    name === 'file'
      ? 'ENOTDIR, a part of the path is not a folder; give --snapshots a folder'
      : `${found.text}; ${next}`,
  )
})

const ROOT = 0
const NOBODY = 65_534
test.runIf(process.getuid?.() === ROOT)(
  'of a folder that this user may not list, it does not say that it is empty',
  async () => {
    const folder = join(root, 'closed')
    mkdirSync(folder)
    chmodSync(root, 0o711)
    chmodSync(folder, 0o711)
    process.seteuid?.(NOBODY)
    try {
      expect((await noReleaseIn(releasePaths(folder))).has).toBe('this user may not list it')
    } finally {
      process.seteuid?.(ROOT)
    }
  },
)
