// unit test: a file of a release that was read, and cannot be closed.
import promises, { mkdir, rm, writeFile, type FileHandle } from 'node:fs/promises'
import { syncBuiltinESMExports } from 'node:module'
import { join } from 'node:path'
import { expect, it, vi } from 'vitest'
import { releasePaths } from '../../../src/release/format/paths.ts'
import { folderReader } from '../../../src/release/reading/folder-reader.ts'
import { temporaryFolder } from '../../support/temporary-folder.ts'

const ID = '20261201T024910952Z-e17cbf5b'
const FILE = { path: 'a.json', bytes: 2, sha256: '44136fa355b3678a1146ad16f7e8649e94fb4fc21fe77e8310c060f61caaff8a' }

async function readWith(file: typeof FILE): Promise<Buffer> {
  const snapshots = temporaryFolder()
  const paths = releasePaths(snapshots)
  await mkdir(join(paths.releases, ID), { recursive: true })
  await writeFile(join(paths.releases, ID, FILE.path), '{}')
  const { open } = promises
  const opening = vi.spyOn(promises, 'open').mockImplementation(async (...of): Promise<FileHandle> => {
    const handle = await open(...of)
    const close = handle.close.bind(handle)
    const failing = (): Promise<never> =>
      close().then(() => Promise.reject(Object.assign(new Error('EIO: i/o error, close'), { code: 'EIO' })))
    return Object.assign(handle, { close: failing })
  })
  syncBuiltinESMExports()
  try {
    return await folderReader(paths).read(ID, { ...file, rows: null, contentHash: '' } as never)
  } finally {
    opening.mockRestore()
    syncBuiltinESMExports()
    await rm(snapshots, { recursive: true })
  }
}

it('could not be read because of the disk, which is named', async () => {
  await expect(readWith(FILE)).rejects.toMatchObject({
    code: 'unreadable',
    message: expect.stringMatching(/^cannot read .*\/a\.json: EIO, the disk reports an error; check it$/) as string,
  })
})

it('is of another length, where it is that, too', async () => {
  await expect(readWith({ ...FILE, bytes: 3 })).rejects.toMatchObject({
    code: 'damaged',
    message: expect.stringMatching(/a\.json has 2 bytes, the manifest says 3$/) as string,
  })
})
