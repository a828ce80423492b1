// Owns writing a candidate release where no reader looks, durable and verified. Does not publish it.
import { createHash, randomBytes, type Hash } from 'node:crypto'
import { mkdir, open, readFile, rename, rm, type FileHandle } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { layoutOf, REFUSED_PREFIX, STAGE_PREFIX, type Layout } from './layout.ts'
import { MANIFEST_NAME, manifestText, releaseId, type Manifest, type ManifestFile } from './manifest.ts'
import { inPool } from './pool.ts'
import { listReleases } from './list.ts'
import { onDisk, ReleaseError } from './release-error.ts'

/** What is collected in memory before a write to a streamed snapshot. */
const WRITE_BYTES = 256 * 1024

/** Everything of a manifest but what the stage itself knows. */
export type ManifestAbout = Omit<Manifest, 'id' | 'files'>

export class Stage {
  readonly folder: string
  readonly #layout: Layout
  readonly #files: ManifestFile[] = []
  readonly #folders = new Map<string, Promise<unknown>>()
  readonly #streams: SnapshotStream[] = []

  private constructor(layout: Layout, folder: string) {
    this.#layout = layout
    this.folder = folder
  }

  static async create(snapshotsDir: string): Promise<Stage> {
    const layout = layoutOf(snapshotsDir)
    const folder = join(layout.releases, `${STAGE_PREFIX}${process.pid}-${randomBytes(4).toString('hex')}`)
    await onDisk('create', folder, () => mkdir(folder, { recursive: true }))
    return new Stage(layout, folder)
  }

  /** Writes a whole snapshot. `wx`: two combinations on one path is a crash, never a silent overwrite. */
  async put(
    path: string,
    text: string,
    { contentHash, rows }: Pick<ManifestFile, 'contentHash' | 'rows'>,
  ): Promise<void> {
    const bytes = Buffer.from(text, 'utf8')
    const handle = await this.#create(path)
    await onDisk('write', join(this.folder, path), async () => {
      try {
        await handle.writeFile(bytes)
        await handle.sync()
      } finally {
        await handle.close()
      }
    })
    const sha256 = createHash('sha256').update(bytes).digest('hex')
    this.#files.push({ path, bytes: bytes.length, sha256, contentHash, rows })
  }

  /** Opens a snapshot that is written piece by piece. */
  async stream(path: string): Promise<SnapshotStream> {
    const handle = await this.#create(path)
    const stream = new SnapshotStream(join(this.folder, path), handle, (done) => this.#files.push({ path, ...done }))
    this.#streams.push(stream)
    return stream
  }

  /** Writes the manifest, makes everything durable, and reads everything back. */
  async seal(about: ManifestAbout): Promise<Manifest> {
    const files = this.#files.sort((a, b) => (a.path < b.path ? -1 : 1))
    const { dataAsOf, ...rest } = about
    const manifest: Manifest = { id: releaseId(dataAsOf, files), dataAsOf, ...rest, files }
    const path = join(this.folder, MANIFEST_NAME)
    const text = Buffer.from(manifestText(manifest), 'utf8')
    await onDisk('write', path, async () => {
      const handle = await open(path, 'wx')
      try {
        await handle.writeFile(text)
        await handle.sync()
      } finally {
        await handle.close()
      }
    })
    // Bottom-up: a folder's entry is durable only when its parent is.
    const folders = [...this.#folders.keys(), this.folder].sort((a, b) => b.length - a.length)
    for (const folder of folders) await syncFolder(folder)
    const sha256 = createHash('sha256').update(text).digest('hex')
    await this.#verify([...files, { path: MANIFEST_NAME, bytes: text.length, sha256 }])
    return manifest
  }

  /** Moves the stage to its name among the releases: from here on it is whole, durable and has passed the gate. */
  async admit(id: string): Promise<void> {
    const to = join(this.#layout.releases, id)
    // The same instant with the same content: what stands there is what would be moved there.
    if ((await listReleases(this.#layout.root)).includes(id)) return this.discard()
    await onDisk('publish', to, () => rename(this.folder, to))
    await syncFolder(this.#layout.releases)
  }

  /** Keeps a candidate that the gate refused, for inspection; one at most. */
  async refuse(id: string): Promise<string> {
    await removeLeftovers(this.#layout.root, REFUSED_PREFIX)
    const to = join(this.#layout.releases, `${REFUSED_PREFIX}${id}`)
    await onDisk('keep', to, () => rename(this.folder, to))
    return to
  }

  /** Never fails, so that why the stage is given up is what is reported; the next build removes what is left. */
  async discard(): Promise<void> {
    await Promise.allSettled(this.#streams.map((stream) => stream.close()))
    await rm(this.folder, { recursive: true, force: true }).catch(() => {})
  }

  async #create(path: string): Promise<FileHandle> {
    const full = join(this.folder, path)
    await this.#makeFolder(dirname(full))
    return onDisk('create', full, () => open(full, 'wx'))
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

  async #verify(files: readonly Pick<ManifestFile, 'path' | 'bytes' | 'sha256'>[]): Promise<void> {
    await inPool(files, async (file) => {
      const path = join(this.folder, file.path)
      const is = await onDisk('read back', path, () => hashFile(path))
      if (is.sha256 !== file.sha256 || is.bytes !== file.bytes)
        throw new ReleaseError(
          'write',
          `read back ${path}: not what was written (${is.bytes} bytes, sha256 ${is.sha256})`,
        )
    })
  }
}

type Done = Omit<ManifestFile, 'path'>

/** A snapshot that grows. write() only collects; drain() waits until the disk has taken what is due. */
export class SnapshotStream {
  readonly #path: string
  readonly #handle: FileHandle
  readonly #onDone: (done: Done) => void
  readonly #sha256: Hash = createHash('sha256')
  #text = ''
  #bytes = 0
  #closed = false

  constructor(path: string, handle: FileHandle, onDone: (done: Done) => void) {
    this.#path = path
    this.#handle = handle
    this.#onDone = onDone
  }

  write(text: string): void {
    this.#text += text
  }

  async drain(): Promise<void> {
    if (this.#text.length >= WRITE_BYTES) await this.#flush()
  }

  /** @param about a `contentHash` of null = that of the bytes */
  async end(about: { readonly rows: number; readonly contentHash: string | null }): Promise<void> {
    await this.#flush()
    await onDisk('write', this.#path, async () => {
      try {
        await this.#handle.sync()
      } finally {
        await this.close()
      }
    })
    const sha256 = this.#sha256.digest('hex')
    const contentHash = about.contentHash ?? sha256
    this.#onDone({ bytes: this.#bytes, sha256, contentHash, rows: about.rows })
  }

  /** Gives the file back, finished or not. */
  async close(): Promise<void> {
    if (this.#closed) return
    this.#closed = true
    await this.#handle.close()
  }

  async #flush(): Promise<void> {
    const bytes = Buffer.from(this.#text, 'utf8')
    this.#text = ''
    this.#bytes += bytes.length
    this.#sha256.update(bytes)
    await onDisk('write', this.#path, () => this.#handle.writeFile(bytes))
  }
}

/** sha256 and size of a file, without holding it in memory. */
export async function hashFile(path: string): Promise<{ readonly sha256: string; readonly bytes: number }> {
  const handle = await open(path, 'r')
  try {
    const hash = createHash('sha256')
    let bytes = 0
    // Small files, the most, in one read; large ones as a stream.
    const { size } = await handle.stat()
    if (size <= 1 << 20) {
      const all = await readFile(handle)
      return { sha256: hash.update(all).digest('hex'), bytes: all.length }
    }
    for await (const chunk of handle.createReadStream({ autoClose: false }) as AsyncIterable<Buffer>) {
      hash.update(chunk)
      bytes += chunk.length
    }
    return { sha256: hash.digest('hex'), bytes }
  } finally {
    await handle.close()
  }
}

/** Makes a folder's entries durable. */
export async function syncFolder(folder: string): Promise<void> {
  await onDisk('sync', folder, async () => {
    const handle = await open(folder, 'r')
    try {
      await handle.sync()
    } finally {
      await handle.close()
    }
  })
}

/** Removes stages that a killed build left, or refused candidates. Only for the holder of the lock. */
export async function removeLeftovers(snapshotsDir: string, prefix: string): Promise<number> {
  const { releases } = layoutOf(snapshotsDir)
  const names = (await listReleases(snapshotsDir, prefix)).map((name) => join(releases, name))
  for (const folder of names) await onDisk('remove', folder, () => rm(folder, { recursive: true, force: true }))
  return names.length
}
