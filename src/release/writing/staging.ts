// Owns writing a candidate release where no reader looks, durable and verified. Does not publish it.
import { randomBytes } from 'node:crypto'
import { openSync } from 'node:fs'
import { copyFile, link, mkdir, open, rename, rm, unlink } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { siteKindOf } from '../../contract/site-paths.ts'
import { CODINGS, type Coding } from '../format/coding.ts'
import { ensureFolder, FILE_MODE, folderModeIn, syncFolder } from './fsync-folder.ts'
import { REJECTED_PREFIX, STAGING_PREFIX, type ReleasePaths } from '../format/paths.ts'
import {
  filesOf,
  MANIFEST_NAME,
  manifestPieces,
  releaseId,
  type Manifest,
  type ManifestFile,
} from '../format/manifest.ts'
import { found } from '../../model/found.ts'
import { MAX_MANIFEST_BYTES } from '../format/parse-manifest.ts'
import { orLog, type Log } from '../../process/log.ts'
import { count } from '../../process/printable.ts'
import { currentId, listReleases, namesBelow } from '../reading/release-list.ts'
import { whileOpen } from '../reading/bounded-text.ts'
import { absent, onDisk, ReleaseError } from '../format/release-error.ts'
import { GrowingFile, readBack } from './growing-file.ts'
import { attemptEach, hide, removeEntry, removeFolder } from './removal.ts'
import { point } from './current-link.ts'
import { SnapshotStream, type StreamTarget } from './snapshot-writer.ts'
import { runYielding } from '../format/yielding.ts'

/** Everything of a manifest but the id and the files, which the staging folder itself knows. */
export type ManifestAbout = Omit<Manifest, 'id' | 'files'>

/** What is known of a file that is written whole. */
type AboutFile = Pick<ManifestFile, 'rows' | 'contentHash'> & Pick<StreamTarget, 'tail' | 'brQuality'>

export class Staging {
  readonly folder: string
  /** What is beside the release until an archive has it. */
  readonly parts: ManifestFile[] = []
  readonly #paths: ReleasePaths
  readonly #folderMode: number
  readonly #codings: readonly Coding[]
  readonly #files: ManifestFile[] = []
  readonly #folders = new Map<string, Promise<unknown>>()
  /** Those that have not ended. */
  readonly #streams = new Set<SnapshotStream>()
  #promoted: string | null = null

  private constructor(paths: ReleasePaths, folder: string, folderMode: number, codings: readonly Coding[]) {
    this.#paths = paths
    this.#folderMode = folderMode
    this.#codings = codings
    this.folder = folder
  }

  /** @param codings a snapshot may get siblings in these */
  static async create(paths: ReleasePaths, codings: readonly Coding[] = CODINGS): Promise<Staging> {
    const folder = join(paths.releases, `${STAGING_PREFIX}${process.pid}-${randomBytes(4).toString('hex')}`)
    const mode = await folderModeIn(paths.root)
    await ensureFolder(paths.releases, mode)
    await onDisk('create', folder, () => mkdir(folder, mode))
    return new Staging(paths, folder, mode, codings)
  }

  /**
   * Writes a whole snapshot and its siblings. `wx`: two combinations on one path is a crash, never a silent overwrite.
   */
  async put(path: string, content: string | Buffer, { tail, brQuality, ...about }: AboutFile): Promise<void> {
    const stream = this.#begin(path, this.#files, { tail, brQuality })
    stream.write(content)
    await stream.end(about)
  }

  /** Begins a snapshot that is written piece by piece. */
  stream(path: string, tail: number): SnapshotStream {
    return this.#begin(path, this.#files, { tail })
  }

  /** Begins a part, which is no file of the release. Of a large one there is only the .gz: nothing reads the other. */
  part(path: string): SnapshotStream {
    return this.#begin(path, this.parts, { tail: 0, codings: ['gzip'], isPart: true })
  }

  async removeParts(): Promise<void> {
    const paths = Array.from(filesOf({ files: this.parts }), ({ path }) => join(this.folder, path))
    for (const path of paths) await onDisk('remove', path, () => unlink(path).catch(absent(undefined)))
  }

  #begin(path: string, files: ManifestFile[], how: Pick<StreamTarget, 'tail'> & Partial<StreamTarget>): SnapshotStream {
    // What is compressed itself gets no siblings.
    const codings = siteKindOf(path)?.coded === false ? [] : this.#codings
    const onDone = (done: Omit<ManifestFile, 'path'>): void => {
      files.push({ path, ...done })
      this.#streams.delete(stream)
    }
    const stream = new SnapshotStream({ create: this.#create, path: join(this.folder, path), codings, onDone, ...how })
    this.#streams.add(stream)
    return stream
  }

  /** Takes a file of a release, and its siblings, as they are: a release never changes. */
  async link(id: string, file: ManifestFile): Promise<void> {
    await this.#makeFolder(dirname(join(this.folder, file.path)))
    for (const { path, sha256 } of filesOf({ files: [file] })) {
      const to = join(this.folder, path)
      await onDisk('create', to, () => linkOrCopy(join(this.#paths.releases, id, path), to))
      // It may have been damaged since it was written.
      const read = new GrowingFile(to, null)
      for (const piece of readBack(to)) await read.write(piece)
      const now = (await read.end()).sha256
      if (now !== sha256) throw new ReleaseError('write', `${to}: not what was written (sha256 ${now})`)
    }
    this.#files.push(file)
  }

  /** What is written by now, in the order of the paths. */
  files(): readonly ManifestFile[] {
    return this.#files.toSorted((a, b) => (a.path < b.path ? -1 : 1))
  }

  /** Writes the manifest, and makes everything durable. */
  async seal(about: ManifestAbout): Promise<Manifest> {
    const files = this.files()
    const { dataAsOf, ...rest } = about
    const manifest: Manifest = { id: await runYielding(releaseId(dataAsOf, files)), dataAsOf, ...rest, files }
    await this.#writeManifest(manifest)
    // Bottom-up: a folder's entry is durable only when its parent is.
    const folders = [...this.#folders.keys(), this.folder].sort((a, b) => b.length - a.length)
    for (const folder of folders) await syncFolder(folder)
    return manifest
  }

  /**
   * Gives the folder its name below releases/, that of a release or of a month without an archive: from here on it is whole, durable and
   * has passed the gate. A release that has this name already is the same read with the same content: it stays if it is whole.
   */
  async promote(name: string, isWhole: (paths: ReleasePaths, id: string) => Promise<boolean>): Promise<void> {
    const isThere = (await listReleases(this.#paths)).includes(name)
    if (isThere && (await isWhole(this.#paths, name))) return this.discard()
    await (isThere ? this.#replace(name) : this.#giveName(name))
    this.#promoted = name
    await syncFolder(this.#paths.releases)
  }

  async #giveName(id: string): Promise<void> {
    const to = join(this.#paths.releases, id)
    await onDisk('publish', to, () => rename(this.folder, to))
  }

  /** Replaces a damaged release. While its name has no folder, `current` does not lead there, also after a kill. */
  async #replace(id: string): Promise<void> {
    const { releases, current } = this.#paths
    const isCurrent = (await currentId(this.#paths)) === id
    if (isCurrent) await onDisk('replace', current, () => rm(current))
    try {
      const damaged = await hide(releases, id)
      try {
        await this.#giveName(id)
      } catch (error) {
        await rename(damaged, join(releases, id)).catch(() => {})
        throw error
      }
      // If it cannot be removed, the next build says so.
      await removeFolder(damaged).catch(() => {})
    } finally {
      if (isCurrent) await point(this.#paths, id)
    }
  }

  /** Keeps a candidate that the gate rejected, for inspection, in place of an older one. */
  async reject(id: string, log: Log): Promise<string> {
    const removeOlder = (): Promise<void> => removeLeftovers(this.#paths, REJECTED_PREFIX)
    await orLog(log, 'warn', 'an older rejected candidate is not removed', removeOlder)
    const to = join(this.#paths.releases, `${REJECTED_PREFIX}${id}`)
    await onDisk('keep', to, () => rename(this.folder, to))
    return to
  }

  /**
   * Removes the folder, after the writes under way, and again if a task that has not ended begins another. Never fails: the error that stopped the build is the one to report,
   * and the next build removes what is left. A release that was promoted but did not become current loses its name first:
   * a folder with the name of a release must be whole.
   */
  async discard(): Promise<void> {
    await Promise.allSettled(Array.from(this.#streams, (stream) => stream.close()))
    try {
      if (this.#promoted !== null) await this.#takeBack(this.#promoted)
      await rm(this.folder, { recursive: true, force: true, maxRetries: 5 })
    } catch {
      // The first failure is the one to report.
    }
  }

  async #takeBack(id: string): Promise<void> {
    const { root, releases } = this.#paths
    if ((await currentId(this.#paths)) === id) return
    // If this fails, the release may be the current one after a power cut: then it keeps its name.
    await syncFolder(root)
    await rename(join(releases, id), this.folder)
  }

  readonly #create = async (path: string): Promise<GrowingFile> => {
    await this.#makeFolder(dirname(path))
    return onDisk('create', path, async () => new GrowingFile(path, openSync(path, 'wx', FILE_MODE)))
  }

  async #makeFolder(folder: string): Promise<unknown> {
    if (folder === this.folder) return undefined
    return found(this.#folders, folder, async () => {
      await this.#makeFolder(dirname(folder))
      return onDisk('create', folder, () => mkdir(folder, this.#folderMode))
    })
  }

  /** The manifest and its siblings. No list names them: the list is in them. */
  async #writeManifest(manifest: Manifest): Promise<void> {
    const stream = this.stream(MANIFEST_NAME, 0)
    for (const piece of manifestPieces(manifest)) {
      stream.write(piece)
      await stream.drain()
    }
    await stream.end({ rows: 0 })
    const bytes = this.#files.pop()?.bytes ?? 0
    if (bytes > MAX_MANIFEST_BYTES)
      throw new ReleaseError(
        'write',
        `the manifest has ${count(bytes)} bytes, and no reader takes more than ${count(MAX_MANIFEST_BYTES)}: nothing is published. It lists ${count(manifest.files.length)} files; let the mapping return fewer categories, or shorter names`,
      )
  }
}

/** link(2): not of a file of another user, beyond some thousand links, or on some file systems. */
async function linkOrCopy(from: string, to: string): Promise<void> {
  await link(from, to).catch(async (error: NodeJS.ErrnoException) => {
    if (!['EPERM', 'EXDEV', 'EMLINK', 'ENOTSUP'].includes(error.code ?? '')) throw error
    await copyFile(from, to)
    await whileOpen(await open(to, 'r+'), (copy) => copy.sync())
  })
}

/**
 * Removes staging folders that a killed build left, or rejected candidates. Only for the holder of the lock.
 * @throws ReleaseError of the first that could not be removed, after all others were
 */
export async function removeLeftovers(paths: ReleasePaths, prefix: string): Promise<void> {
  const names = await namesBelow(paths, prefix)
  await attemptEach(names, (name) => removeEntry(paths.releases, name))
}
