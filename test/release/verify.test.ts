import { createHash } from 'node:crypto'
import { readFile, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { categoryKey } from '../../src/contract/category-name.ts'
import { contentHash } from '../../src/contract/documents.ts'
import { manifestText, releaseId, type Manifest, type ManifestFile } from '../../src/release/manifest.ts'
import { ReleaseError } from '../../src/release/release-error.ts'
import { verifyRelease } from '../../src/release/verify.ts'
import { admitSample, temporaryFolder, verifyAt } from './sample-release.ts'

const sha256 = (bytes: Buffer): string => createHash('sha256').update(bytes).digest('hex')

/** A whole release that a test damages. */
class Patient {
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

  /** Changes what the manifest says of a file; null takes it off the list. */
  async list(path: string, change: Partial<ManifestFile> | null): Promise<void> {
    const files = this.manifest.files.flatMap((file) =>
      file.path !== path ? [file] : change === null ? [] : [{ ...file, ...change }],
    )
    await this.#write({ ...this.manifest, files })
  }

  async add(file: ManifestFile): Promise<void> {
    await this.#write({ ...this.manifest, files: [...this.manifest.files, file] })
  }

  // The id follows from the list; the folder keeps its name, so the reader below is told the new one.
  async #write(manifest: Manifest): Promise<void> {
    const folder = this.folder
    const id = releaseId(manifest.dataAsOf, manifest.files)
    this.manifest = { ...manifest, id }
    if (this.folder !== folder) await rename(folder, this.folder)
    await writeFile(join(this.folder, 'manifest.json'), manifestText(this.manifest))
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

async function patient(): Promise<Patient> {
  const snapshots = temporaryFolder()
  return new Patient(snapshots, await admitSample(snapshots))
}

const JSON_PATH = 'analytics/export/ideas/7d.json'
const CSV_PATH = 'analytics/export/ideas/7d.csv'
const flipLastBit = (bytes: Buffer): Buffer => {
  const flipped = Buffer.from(bytes)
  flipped[flipped.length - 1] = (flipped.at(-1) ?? 0) ^ 1
  return flipped
}

describe('verifying a release', () => {
  it('finds nothing in a whole one, and says what it read', async () => {
    const { snapshots, manifest } = await patient()
    expect(await verifyAt(snapshots, manifest.id)).toEqual({
      id: manifest.id,
      files: manifest.files.length,
      bytes: manifest.files.reduce((sum, file) => sum + file.bytes, 0),
      faults: [],
    })
  })

  it('finds one flipped bit in any file', async () => {
    const sick = await patient()
    for (const { path } of sick.manifest.files) {
      await sick.damage(path, flipLastBit)
      expect(await sick.faults(), path).toEqual([
        expect.stringMatching(new RegExp(`^${path} has sha256 [0-9a-f]{64}, the manifest says [0-9a-f]{64}$`)),
      ])
      await sick.damage(path, flipLastBit)
    }
    expect(await sick.faults()).toEqual([])
  })

  const FAULTS: readonly [what: string, cause: (sick: Patient) => Promise<void>, faults: readonly RegExp[]][] = [
    ['a missing file', (sick) => rm(join(sick.folder, JSON_PATH)), [/^cannot open .*ideas\/7d\.json: ENOENT/]],
    [
      'a truncated file',
      (sick) => sick.damage(JSON_PATH, (bytes) => bytes.subarray(0, -1)),
      [/ideas\/7d\.json has \d+ bytes, the manifest says \d+$/],
    ],
    [
      'other rows than the manifest says, in JSON',
      (sick) => sick.list('analytics/trending/7d/all.json', { rows: 3 }),
      [/^analytics\/trending\/7d\/all\.json: 2 rows, the manifest says 3$/],
    ],
    [
      'other rows than the manifest says, in CSV',
      (sick) => sick.list(CSV_PATH, { rows: 1 }),
      [/^analytics\/export\/ideas\/7d\.csv: 2 rows, the manifest says 1$/],
    ],
    [
      'a CSV with fewer rows than its JSON',
      async (sick) => {
        await sick.misbuild(CSV_PATH, (text) => text.replace('one\r\n', ''))
        await sick.list(CSV_PATH, { rows: 1 })
      },
      [/^analytics\/export\/ideas\/7d\.json: 2 rows, its CSV has 1$/],
    ],
    [
      'a CSV that was cut inside quotes',
      (sick) => sick.misbuild(CSV_PATH, (text) => text.slice(0, text.indexOf('two') + 3)),
      [/7d\.csv: it does not end in CRLF$/, /7d\.csv: 1 rows, the manifest says 2$/, /2 rows, its CSV has 1$/],
    ],
    [
      'a content hash that is not that of the JSON',
      (sick) => sick.list(JSON_PATH, { contentHash: 'd'.repeat(64) }),
      [/^analytics\/export\/ideas\/7d\.json: its content hash is not the manifest’s$/],
    ],
    [
      'a content hash that is not that of the CSV',
      (sick) => sick.list(CSV_PATH, { contentHash: 'd'.repeat(64) }),
      [/^analytics\/export\/ideas\/7d\.csv: its content hash is not the manifest’s$/],
    ],
    [
      'a combination without a file',
      (sick) => sick.list(JSON_PATH, null),
      [/^analytics\/export\/ideas\/7d\.json: not in the manifest$/],
    ],
    [
      'a category without a file',
      (sick) => sick.list(`analytics/trending/90d/category/${categoryKey('Product')}.json`, null),
      [/^analytics\/trending\/90d\/category\/product-[0-9a-f]{12}\.json: not in the manifest$/],
    ],
    [
      'a file that answers nothing',
      async (sick) => {
        await writeFile(join(sick.folder, 'extra.json'), '{}')
        await sick.add({
          path: 'extra.json',
          bytes: 2,
          sha256: sha256(Buffer.from('{}')),
          contentHash: 'd'.repeat(64),
          rows: null,
        })
      },
      [/^extra\.json: answers no combination$/, /^extra\.json: its content hash/, /^extra\.json: its generatedAt/],
    ],
    [
      'a document of another instant',
      (sick) =>
        sick.misbuild(JSON_PATH, (text) => text.replaceAll('2026-05-20T09:30:00.000Z', '2026-05-20T09:30:00.001Z')),
      [/7d\.json: its dataAsOf is 2026-05-20T09:30:00\.001Z$/, /7d\.json: its to is 2026-05-20T09:30:00\.001Z$/],
    ],
    [
      'a document generated by another build',
      (sick) => sick.misbuild(JSON_PATH, (text) => text.replace('09:30:01.000Z', '09:30:02.000Z')),
      [/7d\.json: its generatedAt is 2026-05-20T09:30:02\.000Z$/],
    ],
  ]
  it.each(FAULTS)('finds %s', async (_, cause, expected) => {
    const sick = await patient()
    await cause(sick)
    const faults = await sick.faults()
    expect(faults).toHaveLength(expected.length)
    for (const [i, pattern] of expected.entries()) expect(faults[i]).toMatch(pattern)
  })

  it.each(['{"data":[', 'null', '7', '"text"'])('finds %s in place of a document', async (text) => {
    const sick = await patient()
    const bytes = Buffer.from(text)
    await writeFile(join(sick.folder, 'public/stats.json'), bytes)
    await sick.list('public/stats.json', { bytes: bytes.length, sha256: sha256(bytes) })
    expect(await sick.faults()).toEqual([expect.stringMatching(/^public\/stats\.json: it is not (JSON: |an object)/)])
  })

  it('finds every fault, not only the first', async () => {
    const sick = await patient()
    await rm(join(sick.folder, 'public/stats.json'))
    await sick.damage(CSV_PATH, flipLastBit)
    await sick.list(JSON_PATH, null)
    expect(await sick.faults()).toHaveLength(3)
  })

  it('holds the bytes of any reader against the manifest', async () => {
    const { manifest } = await patient()
    const { faults } = await verifyRelease({
      siblings: false,
      manifest: async () => manifest,
      read: async (file) => Buffer.alloc(file.bytes + 1),
    })
    expect(faults.filter((fault) => /: \d+ bytes, the manifest says \d+$/.test(fault))).toHaveLength(
      manifest.files.length,
    )
    expect(faults.filter((fault) => /: sha256 /.test(fault))).toHaveLength(manifest.files.length)
  })

  it('does not take a failure of the reader for a fault of the release', async () => {
    const { manifest } = await patient()
    const failing = {
      siblings: false,
      manifest: async () => manifest,
      read: () => Promise.reject(new TypeError('a bug')),
    }
    await expect(verifyRelease(failing)).rejects.toThrow(TypeError)
    const absent = () => Promise.reject(new ReleaseError('damaged', 'no manifest'))
    await expect(verifyRelease({ siblings: false, manifest: absent, read: failing.read })).rejects.toThrow(
      'no manifest',
    )
  })
})
