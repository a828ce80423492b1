// Owns reading a release of a folder as it is, siblings included, for verify and diff. Judges sizes only.
import { createHash } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { join, relative } from 'node:path'
import { releasePaths, REJECTED_PREFIX } from '../format/paths.ts'
import { CODINGS } from '../format/coding.ts'
import { MANIFEST_NAME, manifestSiblingPath } from '../format/manifest.ts'
import { manifestFile, openSnapshot, readManifest } from './open.ts'
import { reading, readingOfRelease } from '../format/release-error.ts'
import type { ReleaseReader } from '../checks/verify.ts'

/** Of a file that is read at once. */
const PIECE_BYTES = 256 * 1024

/** @param folder below `releases/`: an id, or that of a refused candidate */
export function localRelease(snapshotsDir: string, folder: string): ReleaseReader {
  const id = folder.startsWith(REJECTED_PREFIX) ? folder.slice(REJECTED_PREFIX.length) : folder
  return {
    siblings: true,
    manifest: () => readManifest(snapshotsDir, id, folder),
    async *read(file) {
      const handle = await openSnapshot(snapshotsDir, folder, file)
      try {
        for (let rest = file.bytes; rest > 0;) {
          const piece = Buffer.allocUnsafe(Math.min(PIECE_BYTES, rest))
          const { bytesRead, buffer } = await readingOfRelease('read', file.path, () => handle.read(piece))
          if (bytesRead === 0) return
          rest -= bytesRead
          yield buffer.subarray(0, bytesRead)
        }
      } finally {
        await handle.close()
      }
    },
    async manifestFiles() {
      const path = join(releasePaths(snapshotsDir).releases, folder, MANIFEST_NAME)
      const text = await readingOfRelease('read', path, () => readFile(path))
      const whole = { path: MANIFEST_NAME, bytes: text.length, sha256: createHash('sha256').update(text).digest('hex') }
      const found = await manifestFile(snapshotsDir, folder)
      const siblings = CODINGS.flatMap((coding) => {
        const bytes = found?.siblings[coding] ?? null
        // What it must be is in no list: that it decodes to the manifest is what is asked.
        return bytes === null ? [] : [{ coding, file: { path: manifestSiblingPath(coding), bytes, sha256: '' } }]
      })
      return { whole, siblings }
    },
    async paths() {
      const root = join(releasePaths(snapshotsDir).releases, folder)
      const entries = await reading('list', root, () => readdir(root, { recursive: true, withFileTypes: true }))
      const files = entries.filter((entry) => !entry.isDirectory())
      return files.map((entry) => relative(root, join(entry.parentPath, entry.name))).sort()
    },
  }
}
