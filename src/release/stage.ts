// Owns writing a candidate release where no reader looks, durable and verified. Does not publish it.
import { createHash, randomBytes } from 'node:crypto'
import { mkdir, open, rename, rm, type FileHandle } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { CODINGS, type Coding } from './coding.ts'
import { ensureFolder, syncFolder } from './folder.ts'
import { layoutOf, REFUSED_PREFIX, STAGE_PREFIX, type Layout } from './layout.ts'
import {
  filesOf,
  MANIFEST_NAME,
  manifestPieces,
  releaseId,
  type FileBytes,
  type Manifest,
  type ManifestFile,
} from './manifest.ts'
import { inPool } from './pool.ts'
import { currentId, listReleases } from './list.ts'
import { onDisk, ReleaseError } from './release-error.ts'
import { SnapshotStream, writePieces, writeSnapshot } from './snapshot-writer.ts'

/** Everything of a manifest but what the stage itself knows. */
export type ManifestAbout = Omit<Manifest, 'id' | 'files'>

/** Of a file that is read back at once. */
const READ_BYTES = 256 * 1024

export class Stage {
  readonly folder: string
  readonly #layout: Layout
  readonly #codings: readonly Coding[]
  readonly #files: ManifestFile[] = []
  readonly #folders = new Map<string, Promise<unknown>>()
  readonly #streams: SnapshotStream[] = []
  #admitted: string | null = null

  private constructor(layout: Layout, folder: string, codings: readonly Coding[]) {
    this.#layout = layout
    this.#codings = codings
    this.folder = folder
  }

  /** @param codings of the siblings that a snapshot may get */
  static async create(snapshotsDir: string, codings: readonly Coding[] = CODINGS): Promise<Stage> {
    const layout = layoutOf(snapshotsDir)
    const folder = join(layout.releases, `${STAGE_PREFIX}${process.pid}-${randomBytes(4).toString('hex')}`)
    await ensureFolder(layout.releases)
    await onDisk('create', folder, () => mkdir(folder))
    return new Stage(layout, folder, codings)
  }

  /**
   * Writes a whole snapshot and its siblings. `wx`: two combinations on one path is a crash, never a silent overwrite.
   * @param tail bytes at the end that the siblings leave uncompressed (coding.ts)
   */
  async put(
    path: string,
    text: string,
    { contentHash, rows, tail }: Pick<ManifestFile, 'contentHash' | 'rows'> & { readonly tail: number },
  ): Promise<void> {
    const full = join(this.folder, path)
    const { bytes, sha256, gzip, br } = await writeSnapshot(
      this.#create,
      full,
      Buffer.from(text, 'utf8'),
      tail,
      this.#codings,
    )
    this.#files.push({ path, bytes, sha256, contentHash, rows, gzip, br })
  }

  /** Begins a snapshot that is written piece by piece. */
  stream(path: string, tail: number): SnapshotStream {
    const full = join(this.folder, path)
    const stream = new SnapshotStream(this.#create, full, tail, this.#codings, (done) =>
      this.#files.push({ path, ...done }),
    )
    this.#streams.push(stream)
    return stream
  }

  /** Writes the manifest, makes everything durable, and reads everything back. */
  async seal(about: ManifestAbout): Promise<Manifest> {
    const files = this.#files.sort((a, b) => (a.path < b.path ? -1 : 1))
    const { dataAsOf, ...rest } = about
    const manifest: Manifest = { id: releaseId(dataAsOf, files), dataAsOf, ...rest, files }
    const written = await this.#writeManifest(manifest)
    // Bottom-up: a folder's entry is durable only when its parent is.
    const folders = [...this.#folders.keys(), this.folder].sort((a, b) => b.length - a.length)
    for (const folder of folders) await syncFolder(folder)
    await this.#verify(filesOf(manifest))
    await this.#verify([written])
    return manifest
  }

  /** Moves the stage to its name among the releases: from here on it is whole, durable and has passed the gate. */
  async admit(id: string): Promise<void> {
    const to = join(this.#layout.releases, id)
    // The same instant with the same content: what stands there is what would be moved there.
    if ((await listReleases(this.#layout.root)).includes(id)) return this.discard()
    await onDisk('publish', to, () => rename(this.folder, to))
    this.#admitted = id
    await syncFolder(this.#layout.releases)
  }

  /** Keeps a candidate that the gate refused, for inspection; one at most. */
  async refuse(id: string): Promise<string> {
    await removeLeftovers(this.#layout.root, REFUSED_PREFIX)
    const to = join(this.#layout.releases, `${REFUSED_PREFIX}${id}`)
    await onDisk('keep', to, () => rename(this.folder, to))
    return to
  }

  /**
   * Never fails, so that why the stage is given up is what is reported; the next build removes what is left. A release
   * that was admitted but did not become current leaves its name first: what stands under one is whole.
   */
  async discard(): Promise<void> {
    await Promise.allSettled(this.#streams.map((stream) => stream.close()))
    try {
      if (this.#admitted !== null) await this.#takeBack(this.#admitted)
      await rm(this.folder, { recursive: true, force: true })
    } catch {
      // Reported is the first failure.
    }
  }

  async #takeBack(id: string): Promise<void> {
    const { root, releases } = this.#layout
    if ((await currentId(root)) === id) return
    // A disk that cannot say so may yet wake up with this release as the current one: then it stays.
    await syncFolder(root)
    await rename(join(releases, id), this.folder)
  }

  readonly #create = async (path: string): Promise<FileHandle> => {
    await this.#makeFolder(dirname(path))
    return onDisk('create', path, () => open(path, 'wx'))
  }

  async #makeFolder(folder: string): Promise<unknown> {
    if (folder === this.folder) return undefined
    let made = this.#folders.get(folder)
    if (made === undefined) {
      made = this.#makeFolder(dirname(folder)).then(() => onDisk('create', folder, () => mkdir(folder)))
      this.#folders.set(folder, made)
    }
    return made
  }

  async #writeManifest(manifest: Manifest): Promise<FileBytes> {
    const path = join(this.folder, MANIFEST_NAME)
    const handle = await onDisk('write', path, () => open(path, 'wx'))
    return { path: MANIFEST_NAME, ...(await writePieces(path, handle, manifestPieces(manifest))) }
  }

  async #verify(files: Iterable<FileBytes>): Promise<void> {
    await inPool(files, async (file) => {
      const path = join(this.folder, file.path)
      const is = await onDisk('read back', path, () => hashFile(path, file.bytes))
      if (is.sha256 !== file.sha256 || is.bytes !== file.bytes)
        throw new ReleaseError(
          'write',
          `read back ${path}: not what was written (${is.bytes} bytes, sha256 ${is.sha256})`,
        )
    })
  }
}

/** sha256 and size of a file of about `size` bytes, a piece at a time. */
async function hashFile(path: string, size: number): Promise<{ readonly sha256: string; readonly bytes: number }> {
  const handle = await open(path, 'r')
  try {
    const hash = createHash('sha256')
    // One byte more than it should have: a file of the right size, as nearly all are, is one read and known to end.
    const piece = Buffer.allocUnsafe(Math.min(size + 1, READ_BYTES))
    let bytes = 0
    for (;;) {
      const { bytesRead } = await handle.read(piece, 0, piece.length, bytes)
      hash.update(piece.subarray(0, bytesRead))
      bytes += bytesRead
      // Short of the end only at the end of the file: these are regular files (POSIX, read).
      if (bytesRead < piece.length) return { sha256: hash.digest('hex'), bytes }
    }
  } finally {
    await handle.close()
  }
}

/** Removes stages that a killed build left, or refused candidates. Only for the holder of the lock. */
export async function removeLeftovers(snapshotsDir: string, prefix: string): Promise<number> {
  const { releases } = layoutOf(snapshotsDir)
  const names = (await listReleases(snapshotsDir, prefix)).map((name) => join(releases, name))
  for (const folder of names) await onDisk('remove', folder, () => rm(folder, { recursive: true, force: true }))
  return names.length
}
