// Owns reading a release of a folder as it stands, siblings included, for who checks it. Judges sizes only.
import { readdir } from 'node:fs/promises'
import { join, relative } from 'node:path'
import { layoutOf, REFUSED_PREFIX } from './layout.ts'
import { openSnapshot, readManifest } from './open.ts'
import { onDisk, ReleaseError } from './release-error.ts'
import type { ReleaseReader } from './verify.ts'

/** @param folder below `releases/`: an id, or that of a refused candidate */
export function localRelease(snapshotsDir: string, folder: string): ReleaseReader {
  const id = folder.startsWith(REFUSED_PREFIX) ? folder.slice(REFUSED_PREFIX.length) : folder
  return {
    siblings: true,
    manifest: () => readManifest(snapshotsDir, id, folder),
    // Hashed once, by who reads.
    async read(file) {
      const handle = await openSnapshot(snapshotsDir, folder, file)
      try {
        return await handle.readFile()
      } catch (error) {
        throw new ReleaseError('damaged', `cannot read ${file.path}: ${(error as Error).message}`, error)
      } finally {
        await handle.close()
      }
    },
    async paths() {
      const root = join(layoutOf(snapshotsDir).releases, folder)
      const entries = await onDisk('list', root, () => readdir(root, { recursive: true, withFileTypes: true }))
      const files = entries.filter((entry) => !entry.isDirectory())
      return files.map((entry) => relative(root, join(entry.parentPath, entry.name))).sort()
    },
  }
}
