// Owns reading releases of a snapshots folder, each file checked against its manifest. Writes nothing; knows no HTTP.
import type { Stats } from 'node:fs'
import { open, readdir, readFile, stat, type FileHandle } from 'node:fs/promises'
import { join, relative } from 'node:path'
import { Readable } from 'node:stream'
import pLimit from 'p-limit'
import { shellWord } from '../../process/called-as.ts'
import { CODING_SUFFIX } from '../format/coding.ts'
import { LOG_HEADER } from '../format/day-log.ts'
import {
  fileBytesOf,
  folderName,
  MANIFEST_NAME,
  type CodedFile,
  type FileBytes,
  type Manifest,
} from '../format/manifest.ts'
import { MAX_MANIFEST_BYTES, manifestOf } from '../format/parse-manifest.ts'
import { REJECTED_PREFIX, type ReleasePaths } from '../format/paths.ts'
import { absent, onReleaseError, reading, readingOfRelease, ReleaseError } from '../format/release-error.ts'
import { readBounded, readOwn, sizeOf, whileOpen, WITHOUT_WAITING } from './bounded-text.ts'
import { noReleaseIn } from './no-release.ts'
import { currentId } from './release-list.ts'
import { checkBytes, type FileLength, type ReleaseReader, type StoredManifest } from './release-reader.ts'

/** Manifests that are read at once: one of 10,000 categories is 23 MB of text, and twice that as objects. */
const MANIFESTS_AT_ONCE = 2

/**
 * A stream reads so much at once, and nothing ahead of what its reader takes. Half of it makes one fast reader a third slower
 * (npm run bench -- --only proxy:export: 0.39 of nginx's speed, with this 0.62).
 */
const CHUNK_BYTES = 256 << 10

export function folderReader(paths: ReleasePaths): ReleaseReader {
  const { releases } = paths
  const limited = pLimit(MANIFESTS_AT_ONCE)
  return {
    siblings: true,
    async current(known) {
      const id = await currentId(paths)
      if (id === null) throw await noReleaseError(paths)
      const file = await statManifest(join(releases, id, MANIFEST_NAME)).catch(() => null)
      // A damaged release may have been replaced under its name; one that is known is served on where it cannot be read.
      if (id === known?.manifest.id && (file === null || file.tag === known.tag)) return known
      // Reading a manifest that is not there fails, and says why.
      return { manifest: await readManifest(paths, id), ...(file ?? { bytes: 0, tag: undefined }) }
    },
    async manifest(name, known) {
      const file = await statManifest(join(releases, name, MANIFEST_NAME))
      if (file === null) throw new ReleaseError('absent', `no release ${name} in ${paths.root}`)
      if (known !== null && known.tag === file.tag) return known
      return limited(async () => ({ manifest: await readManifest(paths, name), ...file }))
    },
    async read(name, file) {
      const path = join(releases, name, file.path)
      const handle = await openFile(path, file)
      const bytes = await readingOfRelease('read', path, () => whileOpen(handle, () => handle.readFile()))
      checkBytes(bytes, file)
      return bytes
    },
    async stream(name, file) {
      // The open file lives as long as the stream: a release that is pruned meanwhile is read to its end.
      return fileStream(join(releases, name, file.path), file, 0, file.bytes)
    },
    async part(name, file, { first, last }) {
      return fileStream(join(releases, name, file.path), file, first, last - first + 1)
    },
    log: () => readLog(paths),
    async manifestFile(name) {
      const found = await statManifest(join(releases, name, MANIFEST_NAME))
      return { ...(await manifestFile(paths, name)), rows: null, gzip: found?.gzip, br: found?.br }
    },
    async paths(name) {
      const root = join(releases, name)
      const entries = await reading('list', root, () => readdir(root, { recursive: true, withFileTypes: true }))
      const files = entries.filter((entry) => !entry.isDirectory())
      return files.map((entry) => relative(root, join(entry.parentPath, entry.name))).sort()
    },
    close: () => Promise.resolve(),
  }
}

/**
 * @param name an id, or the folder of a rejected candidate
 * @throws ReleaseError naming the manifest and what is wrong: `damaged` = it is missing or none; `unreadable` = nothing is
 * known of the release
 */
export async function readManifest({ releases }: ReleasePaths, name: string): Promise<Manifest> {
  const path = join(releases, name, MANIFEST_NAME)
  const text = await readingOfRelease('read', path, () => readBounded(path, MAX_MANIFEST_BYTES, 'a manifest'))
  const manifest = await manifestOf(text, path)
  const id = name.startsWith(REJECTED_PREFIX) ? name.slice(REJECTED_PREFIX.length) : name
  if (folderName(manifest) !== id)
    throw new ReleaseError('damaged', `${path}: it is the manifest of ${folderName(manifest)}`)
  return manifest
}

/**
 * The manifest of the current release; null = there is none, or it is damaged.
 * @throws ReleaseError (unreadable): the release may be whole
 */
export async function readCurrent(paths: ReleasePaths): Promise<Manifest | null> {
  const id = await currentId(paths)
  return id === null ? null : readManifest(paths, id).catch(onReleaseError(() => null, 'damaged'))
}

async function noReleaseError(paths: ReleasePaths): Promise<ReleaseError> {
  const { text, meant } = await noReleaseIn(paths)
  const next = meant === null ? 'build one first' : `did you mean --snapshots ${shellWord(meant)}?`
  return new ReleaseError('absent', `${text}; ${next}`)
}

/** The sizes of a manifest and its siblings, and a tag that changes when one of them is replaced. Null = none. */
async function statManifest(path: string): Promise<Omit<StoredManifest, 'manifest'> | null> {
  const look = (suffix = '') => reading('read', path, () => stat(`${path}${suffix}`).catch(absent(null)))
  const [found, gzip, br] = await Promise.all([look(), look(CODING_SUFFIX.gzip), look(CODING_SUFFIX.br)])
  if (found === null) return null
  const all = [found, gzip, br].map((one) => (one === null ? '' : `${one.ino} ${one.mtimeMs} ${one.size}`))
  const sibling = (one: Stats | null): CodedFile | null => one && { bytes: one.size, sha256: '' }
  return { bytes: found.size, gzip: sibling(gzip), br: sibling(br), tag: all.join() }
}

/** The log of days. @throws ReleaseError (absent), or of this code for another file: it is neither shown nor replaced */
export async function readLog({ log }: ReleasePaths, code: 'damaged' | 'write' = 'damaged'): Promise<string> {
  const text = await reading('read', log, () => readOwn(log).catch(absent('')))
  if (text === '') throw new ReleaseError('absent', `there is no ${log}`)
  if (text.startsWith(LOG_HEADER)) return text
  throw new ReleaseError(
    code,
    `${log} is no log of days: it does not begin with ${LOG_HEADER}; put a copy of it there, or move it away to begin a new one`,
  )
}

/** Describes the manifest of a release as one of its files. */
export async function manifestFile({ releases }: ReleasePaths, name: string): Promise<FileBytes> {
  const path = join(releases, name, MANIFEST_NAME)
  return fileBytesOf(MANIFEST_NAME, await readingOfRelease('read', path, () => readFile(path)))
}

/** @throws ReleaseError (damaged) when it is no file, or one of another size */
async function openFile(path: string, file: FileLength): Promise<FileHandle> {
  const handle = await readingOfRelease('open', path, () => open(path, WITHOUT_WAITING))
  try {
    const size = await reading('look at', path, () => sizeOf(handle, path))
    if (size === file.bytes) return handle
    throw new ReleaseError('damaged', `${path} has ${size} bytes, the manifest says ${file.bytes}`)
  } catch (error) {
    await handle.close().catch(() => {})
    throw error
  }
}

/**
 * A part of a file.
 * @param from where it begins
 * @param bytes its length
 */
async function fileStream(path: string, file: FileLength, from: number, bytes: number): Promise<Readable> {
  const handle = await openFile(path, file)
  let left = bytes
  return new Readable({
    highWaterMark: 0,
    read() {
      if (left === 0) return void this.push(null)
      const piece = Buffer.allocUnsafeSlow(Math.min(CHUNK_BYTES, left))
      const at = from + bytes - left
      readingOfRelease('read', path, () => handle.read(piece, 0, piece.length, at)).then(
        ({ bytesRead }) => {
          left -= bytesRead
          // A file that was cut short since it was opened ends early: its reader counts the bytes.
          return this.push(bytesRead === 0 ? null : piece.subarray(0, bytesRead))
        },
        (error: Error) => this.destroy(error),
      )
    },
    destroy(error, done) {
      // A file that was only read: an error of closing it changes nothing.
      void handle
        .close()
        .catch(() => undefined)
        .finally(() => done(error))
    },
  })
}
