// Owns reading a published release: its manifest, its snapshots, checked against it. Writes nothing; all the proxy sees.
import { createHash } from 'node:crypto'
import { constants, open, stat, type FileHandle } from 'node:fs/promises'
import { join } from 'node:path'
import { CODING_SUFFIX, type Coding } from '../format/coding.ts'
import { releasePaths } from '../format/paths.ts'
import { MANIFEST_NAME, RELEASE_ID, type FileBytes, type Manifest } from '../format/manifest.ts'
import { parseManifest } from '../format/parse-manifest.ts'
import { absent, reading, readingOfRelease, ReleaseError } from '../format/release-error.ts'
import { runYielding } from '../format/yielding.ts'

export { currentId, listReleases } from './release-list.ts'
export { CodedTemplate, CODING_SUFFIX, CODINGS, encode, MIN_CODED_BYTES, type Coding } from '../format/coding.ts'
export {
  DEMO_MAPPING,
  MANIFEST_NAME,
  manifestText,
  siblingOf,
  type FileBytes,
  type Manifest,
  type ManifestFile,
} from '../format/manifest.ts'
export { ReleaseError } from '../format/release-error.ts'

/** 20,000 categories, the most that a build publishes, make 46 MB of text. */
export const MAX_MANIFEST_BYTES: number = 64 << 20

/**
 * The manifest that a text is, read in turns: a large one does not stop what else the process does.
 * @param from where the text was found, for the message
 * @throws ReleaseError (damaged) naming the manifest and what is wrong
 */
export async function manifestOf(text: string, from: string): Promise<Manifest> {
  const manifest = await runYielding(parseManifest(text))
  if (typeof manifest === 'string') throw new ReleaseError('damaged', `${from}: ${manifest}`)
  return manifest
}

/**
 * @param folder where it stands, if not under its id: a refused candidate
 * @throws ReleaseError naming the manifest and what is wrong: `damaged` = it is missing or none; `unreadable` = a build must
 * not go on as if there were nothing to compare with
 */
export async function readManifest(snapshotsDir: string, id: string, folder: string = id): Promise<Manifest> {
  const path = join(releasePaths(snapshotsDir).releases, folder, MANIFEST_NAME)
  const text = await readingOfRelease('read', path, () => readManifestText(path))
  const manifest = await manifestOf(text, path)
  if (manifest.id !== id) throw new ReleaseError('damaged', `${path}: it is the manifest of ${manifest.id}`)
  return manifest
}

/** Of anything but a file, opening or reading could wait for ever: a named pipe for its writer. */
const AT_ONCE = constants.O_RDONLY | constants.O_NONBLOCK

/** @throws ReleaseError (damaged) when it is no file */
async function sizeOf(handle: FileHandle, path: string): Promise<number> {
  const found = await handle.stat()
  if (found.isFile()) return found.size
  throw new ReleaseError('damaged', `${path} is not a file`)
}

async function readManifestText(path: string): Promise<string> {
  const handle = await open(path, AT_ONCE)
  try {
    const size = await sizeOf(handle, path)
    if (size <= MAX_MANIFEST_BYTES) return await handle.readFile('utf8')
    throw new ReleaseError('damaged', `${path} has ${size} bytes; a manifest has at most ${MAX_MANIFEST_BYTES}`)
  } finally {
    await handle.close()
  }
}

/** What the file of a manifest is, without reading it: its sizes, and what changes when it is replaced. Null = none. */
export async function manifestFile(snapshotsDir: string, id: string): Promise<ManifestOnDisk | null> {
  const path = join(releasePaths(snapshotsDir).releases, id, MANIFEST_NAME)
  const look = (suffix = '') => reading('read', path, () => stat(`${path}${suffix}`).catch(absent(null)))
  const [found, gzip, br] = await Promise.all([look(), look(CODING_SUFFIX.gzip), look(CODING_SUFFIX.br)])
  if (found === null) return null
  const all = [found, gzip, br].map((one) => (one === null ? '' : `${one.ino} ${one.mtimeMs} ${one.size}`))
  return { bytes: found.size, siblings: { gzip: gzip?.size ?? null, br: br?.size ?? null }, tag: all.join() }
}

export interface ManifestOnDisk {
  readonly bytes: number
  /** Bytes of its compressed siblings; null = there is none. */
  readonly siblings: Readonly<Record<Coding, number | null>>
  /** Another one as soon as a file is another one. */
  readonly tag: string
}

/** Opens a snapshot and checks its size. The handle stays valid when the release is pruned meanwhile. */
export async function openSnapshot(
  snapshotsDir: string,
  id: string,
  file: Pick<FileBytes, 'path' | 'bytes'>,
): Promise<FileHandle> {
  const path = join(releasePaths(snapshotsDir).releases, id, file.path)
  const handle = await readingOfRelease('open', path, () => open(path, AT_ONCE))
  try {
    const size = await reading('look at', path, () => sizeOf(handle, path))
    if (size === file.bytes) return handle
    throw new ReleaseError('damaged', `${path} has ${size} bytes, the manifest says ${file.bytes}`)
  } catch (error) {
    await handle.close()
    throw error
  }
}

/** Reads a whole snapshot; refuses other bytes than the manifest's. */
export async function readSnapshot(snapshotsDir: string, id: string, file: FileBytes): Promise<Buffer> {
  const handle = await openSnapshot(snapshotsDir, id, file)
  try {
    const bytes = await readingOfRelease('read', file.path, () => handle.readFile())
    checkBytes(bytes, file)
    return bytes
  } finally {
    await handle.close()
  }
}

/** @throws ReleaseError (damaged) */
export function checkBytes(bytes: Buffer, file: FileBytes): void {
  const sha256 = createHash('sha256').update(bytes).digest('hex')
  if (sha256 !== file.sha256)
    throw new ReleaseError('damaged', `${file.path} has sha256 ${sha256}, the manifest says ${file.sha256}`)
}

export function isReleaseId(text: string): boolean {
  return RELEASE_ID.test(text)
}
