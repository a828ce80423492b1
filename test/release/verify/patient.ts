// A whole release that a test damages, and the ways to damage it.
import { createHash } from 'node:crypto'
import { readFile, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { contentHash } from '../../../src/contract/document-text.ts'
import { manifestText, releaseId, type Manifest, type ManifestFile } from '../../../src/release/format/manifest.ts'
import { runToEnd } from '../../support/run-to-end.ts'
import { promoteSample, verifyAt } from '../sample-release.ts'
import { temporaryFolder } from '../../support/temporary-folder.ts'

export const sha256 = (bytes: Buffer): string => createHash('sha256').update(bytes).digest('hex')

export const flipLastBit = (bytes: Buffer): Buffer => {
  const flipped = Buffer.from(bytes)
  flipped[flipped.length - 1] = (flipped.at(-1) ?? 0) ^ 1
  return flipped
}

export class Patient {
  readonly snapshots: string
  manifest: Manifest

  constructor(snapshots: string, manifest: Manifest) {
    this.snapshots = snapshots
    this.manifest = manifest
  }

  get folder(): string {
    return join(this.snapshots, 'releases', this.manifest.id)
  }

  /** Changes a file only: the manifest no longer agrees. */
  async damage(path: string, change: (bytes: Buffer) => Buffer): Promise<void> {
    await writeFile(join(this.folder, path), change(await readFile(join(this.folder, path))))
  }

  /** Changes a file, and the manifest with it, as a wrong program would have written them. */
  async misbuild(path: string, change: (text: string) => string): Promise<void> {
    const bytes = Buffer.from(change(await readFile(join(this.folder, path), 'utf8')))
    await writeFile(join(this.folder, path), bytes)
    await this.list(path, { bytes: bytes.length, sha256: sha256(bytes), contentHash: hashOf(path, bytes) })
  }

  /** Changes what the manifest says of a file; null takes the file away, too. */
  async list(path: string, change: Partial<ManifestFile> | null): Promise<void> {
    if (change === null) await rm(join(this.folder, path))
    const files = this.manifest.files.flatMap((file) =>
      file.path !== path ? [file] : change === null ? [] : [{ ...file, ...change }],
    )
    await this.#write({ ...this.manifest, files })
  }

  async add(file: ManifestFile): Promise<void> {
    await this.#write({ ...this.manifest, files: [...this.manifest.files, file] })
  }

  /** Changes what the manifest says of itself. */
  async say(change: Partial<Manifest>): Promise<void> {
    const { files, ...rest } = { ...this.manifest, ...change }
    await this.#write({ ...rest, files })
  }

  // The id follows from the list; the folder keeps its name, so the reader below is told the new one.
  async #write(manifest: Manifest): Promise<void> {
    const folder = this.folder
    const id = runToEnd(releaseId(manifest.dataAsOf, manifest.files))
    this.manifest = { ...manifest, id }
    if (this.folder !== folder) await rename(folder, this.folder)
    await writeFile(join(this.folder, 'manifest.json'), manifestText(this.manifest))
    for (const suffix of ['.gz', '.br']) await rm(join(this.folder, `manifest.json${suffix}`), { force: true })
  }

  async faults(): Promise<readonly string[]> {
    return (await verifyAt(this.snapshots, this.manifest.id)).faults
  }
}

function hashOf(path: string, bytes: Buffer): string {
  if (path.endsWith('.csv')) return sha256(bytes)
  const { version: _, ...document } = JSON.parse(bytes.toString('utf8')) as Record<string, unknown>
  return contentHash(document)
}

export async function patient(): Promise<Patient> {
  const snapshots = temporaryFolder()
  return new Patient(snapshots, await promoteSample(snapshots))
}
