// Owns writing one snapshot and its compressed siblings, whole or piece by piece. Knows neither manifest nor staging.
import pLimit from 'p-limit'
import { CODING_SUFFIX, encode, MIN_CODED_BYTES, type Coding } from '../format/coding.ts'
import { GrowingFile } from './growing-file.ts'
import { GrowingGzip } from './growing-gzip.ts'
import type { CodedFile, ManifestFile } from '../format/manifest.ts'

/** Larger files have no .br (docs/api.md, "Files"). */
const MAX_BROTLI_BYTES = 1 << 20
/** Measured on snapshots of 200 k ideas: br 4 is smaller than gzip 6 and faster (147 against 80 MB/s). */
const QUALITY: Readonly<Record<Coding, number>> = { gzip: 6, br: 4 }
/** Measured on sheets: level 1 takes a fifth of the processor time of level 6, and makes a third more. */
const PART_GZIP_LEVEL = 1

/** The runtime has 4 threads for them (libuv): one more would only wait, with up to a MiB allocated. */
const compressing = pLimit(4)

/** Of a snapshot that grows, so much is collected in memory before a write. */
const WRITE_BYTES = 256 * 1024

const NO_BYTES: Buffer = Buffer.alloc(0)

/** Creates a file that must not exist yet; the caller closes it. */
type CreateFile = (path: string) => Promise<GrowingFile>

type WrittenBytes = Pick<ManifestFile, 'bytes' | 'sha256' | 'gzip' | 'br'>

/** Where a snapshot is written, and how. */
export interface StreamTarget {
  readonly create: CreateFile
  readonly path: string
  /** Bytes at the end that the siblings leave uncompressed (coding.ts). */
  readonly tail: number
  /** The siblings that it may get. */
  readonly codings: readonly Coding[]
  /** 0..11, of its .br: that of snapshots, unless every visitor takes the file. */
  readonly brQuality?: number | undefined
  /** Whether it is a part of an archive: of one that is too large to be collected there is only the .gz, quickly made. */
  readonly isPart?: boolean
  readonly onDone: (done: Omit<ManifestFile, 'path'>) => void
}

/** One that is collected. */
async function writeCollected(
  { create, path, tail, codings, brQuality = QUALITY.br }: StreamTarget,
  bytes: Buffer,
): Promise<WrittenBytes> {
  const sibling = async (coding: Coding, quality: number): Promise<CodedFile | undefined> => {
    if (!codings.includes(coding) || bytes.length < MIN_CODED_BYTES) return undefined
    const coded = await compressing(() => encode(bytes, tail, coding, quality))
    return writeWhole(create, `${path}${CODING_SUFFIX[coding]}`, coded)
  }
  const writing = [writeWhole(create, path, bytes), sibling('gzip', QUALITY.gzip), sibling('br', brQuality)] as const
  // Whoever removes the folder after a failure must not find a file that comes later.
  await Promise.allSettled(writing)
  const [written, gzip, br] = await Promise.all(writing)
  return { ...written, gzip, br }
}

/** Durable and closed, also when it could not be written. */
async function writeWhole(create: CreateFile, path: string, bytes: Buffer): Promise<CodedFile> {
  const file = await create(path)
  try {
    await file.write(bytes)
    return await file.end()
  } finally {
    // The first failure is the one to report.
    await file.close().catch(() => {})
  }
}

/**
 * A snapshot that is written piece by piece, and its siblings. write() only collects; drain() waits until the disk has
 * taken what is due. Its states:
 * - collecting: up to MAX_BROTLI_BYTES are kept in memory (`#pending`); most snapshots end here and get both siblings.
 * - growing: larger ones are written to files as they come (`#growing`), and get no .br. A flush empties `#pending`; while a
 *   growing .gz still reads the memory of the flush before, that is `#beingCompressed`, and the two change places.
 * - ended: nothing more may be written.
 */
export class SnapshotStream {
  readonly #to: StreamTarget
  /** Text as bytes: only a full garbage collection frees strings of this size. */
  #pending: Buffer = NO_BYTES
  #beingCompressed: Buffer = NO_BYTES
  #pendingBytes = 0
  #flushed: Promise<void> = Promise.resolve()
  #ended: Promise<void> | null = null
  #growing: { readonly file: GrowingFile; readonly gzip: GrowingGzip | null } | null = null

  constructor(to: StreamTarget) {
    this.#to = to
  }

  /** A copy, also while a flush is under way, which reads other memory. */
  write(content: string | Buffer): void {
    if (this.#ended !== null) throw new Error(`${this.#to.path}: written to after its end`)
    // No UTF-16 unit takes more than three bytes.
    const atMost = typeof content === 'string' ? 3 * content.length : content.length
    if (this.#pending.length - this.#pendingBytes < atMost) {
      const larger = Buffer.allocUnsafe(2 * this.#pendingBytes + atMost)
      this.#pending.copy(larger, 0, 0, this.#pendingBytes)
      this.#pending = larger
    }
    this.#pendingBytes +=
      typeof content === 'string'
        ? this.#pending.write(content, this.#pendingBytes)
        : content.copy(this.#pending, this.#pendingBytes)
  }

  async drain(): Promise<void> {
    if (this.#pendingBytes > (this.#growing === null ? MAX_BROTLI_BYTES : WRITE_BYTES)) await this.#flush()
  }

  end(about: Pick<ManifestFile, 'rows' | 'contentHash'>): Promise<void> {
    return (this.#ended = this.#end(about))
  }

  async #end({ rows, contentHash }: Pick<ManifestFile, 'rows' | 'contentHash'>): Promise<void> {
    await this.#flushed
    if (this.#growing !== null || this.#pendingBytes > MAX_BROTLI_BYTES) await this.#flush()
    const { bytes, sha256, gzip, br } = await this.#finish()
    this.#to.onDone({ bytes, sha256, contentHash, rows, gzip, br })
  }

  /** Closes the files, finished or not, when nothing creates another one any more. */
  async close(): Promise<void> {
    await Promise.allSettled([this.#flushed, this.#ended])
    await this.#growing?.file.close()
    await this.#growing?.gzip?.close()
  }

  async #finish(): Promise<WrittenBytes> {
    if (this.#growing === null) return writeCollected(this.#to, this.#pending.subarray(0, this.#pendingBytes))
    const { file, gzip } = this.#growing
    const [written, coded] = await Promise.all([file.end(), gzip?.end()])
    return { ...written, gzip: coded }
  }

  /** One at a time, in the order in which they were begun; after one that failed, all fail. */
  #flush(): Promise<void> {
    this.#flushed = this.#flushed.then(() => this.#flushPending())
    return this.#flushed
  }

  async #flushPending(): Promise<void> {
    const full = this.#pending
    const bytes = full.subarray(0, this.#pendingBytes)
    // Not the other one yet: the compression may still read from it.
    this.#pending = NO_BYTES
    this.#pendingBytes = 0
    const isFirst = this.#growing === null
    const { file, gzip } = (this.#growing ??= await this.#grow())
    await file.write(bytes)
    await gzip?.write(bytes, this.#to.tail)
    // All that was collected is more than is flushed from now on.
    if (isFirst) return
    // The compression has done with the other one, and reads from this one.
    if (this.#pendingBytes === 0) this.#pending = this.#beingCompressed
    this.#beingCompressed = full
  }

  async #grow() {
    const { create, path, codings, isPart = false } = this.#to
    const file = isPart ? new GrowingFile(path, null) : await create(path)
    const coded = codings.includes('gzip') ? await create(`${path}${CODING_SUFFIX.gzip}`) : null
    return { file, gzip: coded && new GrowingGzip(coded, isPart ? PART_GZIP_LEVEL : QUALITY.gzip) }
  }
}
