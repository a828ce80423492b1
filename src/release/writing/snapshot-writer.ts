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

/** A streamed snapshot is collected in memory up to this size before a write. */
const WRITE_BYTES = 256 * 1024

const NO_BYTES: Buffer = Buffer.alloc(0)

/** Creates a file that must not exist yet; the caller closes it. */
export type CreateFile = (path: string) => Promise<GrowingFile>

export type WrittenBytes = Pick<ManifestFile, 'bytes' | 'sha256' | 'gzip' | 'br'>

/** Where a snapshot is written. */
export interface WriterTarget {
  readonly create: CreateFile
  readonly path: string
  /** Bytes at the end that the siblings leave uncompressed (coding.ts). */
  readonly tail: number
  /** The siblings that it may get. */
  readonly codings: readonly Coding[]
}

export async function writeSnapshot(
  { create, path, tail, codings }: WriterTarget,
  bytes: Buffer,
  brQuality: number = QUALITY.br,
): Promise<WrittenBytes> {
  const quality: Readonly<Record<Coding, number>> = { ...QUALITY, br: brQuality }
  const most: Readonly<Record<Coding, number>> = { gzip: Infinity, br: MAX_BROTLI_BYTES }
  const sibling = async (coding: Coding): Promise<CodedFile | undefined> => {
    if (!codings.includes(coding) || bytes.length < MIN_CODED_BYTES || bytes.length > most[coding]) return undefined
    const coded = await compressing(() => encode(bytes, tail, coding, quality[coding]))
    return writeWhole(create, `${path}${CODING_SUFFIX[coding]}`, coded)
  }
  const writing = [writeWhole(create, path, bytes), sibling('gzip'), sibling('br')] as const
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

export interface StreamTarget extends WriterTarget {
  readonly onDone: (done: Omit<ManifestFile, 'path'>) => void
  /** Whether it is a part of an archive: of one that is too large to be collected there is only the .gz, quickly made. */
  readonly isPart?: boolean
}

/**
 * A snapshot that is written piece by piece, and its siblings. write() only collects; drain() waits until the disk has
 * taken what is due. Its states:
 * - collecting: up to MAX_BROTLI_BYTES are kept in memory (`#buffered`); most snapshots end here and get both siblings.
 * - growing: larger ones are written to files as they come (`#growing`), and get no .br.
 * - ended: nothing more may be written.
 * In the first two, new text goes to `#pending`, which a flush empties; while a growing .gz still reads the memory of the
 * flush before, that is `#beingCompressed`, and the two change places.
 */
export class SnapshotStream {
  readonly #to: StreamTarget
  /** Text as bytes: only a full garbage collection frees strings of this size. */
  #pending: Buffer = NO_BYTES
  #beingCompressed: Buffer = NO_BYTES
  #pendingBytes = 0
  #flushed: Promise<void> = Promise.resolve()
  #ended: Promise<void> | null = null
  #buffered: Buffer[] = []
  #bufferedBytes = 0
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
      const larger = Buffer.allocUnsafe(Math.max(WRITE_BYTES, 2 * this.#pendingBytes) + atMost)
      this.#pending.copy(larger, 0, 0, this.#pendingBytes)
      this.#pending = larger
    }
    this.#pendingBytes +=
      typeof content === 'string'
        ? this.#pending.write(content, this.#pendingBytes)
        : content.copy(this.#pending, this.#pendingBytes)
  }

  async drain(): Promise<void> {
    if (this.#pendingBytes >= WRITE_BYTES) await this.#flush()
  }

  end(about: Pick<ManifestFile, 'rows' | 'contentHash'>): Promise<void> {
    return (this.#ended = this.#end(about))
  }

  async #end({ rows, contentHash }: Pick<ManifestFile, 'rows' | 'contentHash'>): Promise<void> {
    await this.#flush()
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
    if (this.#growing === null) return writeSnapshot(this.#to, Buffer.concat(this.#buffered, this.#bufferedBytes))
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
    if (this.#growing !== null) {
      await this.#append(bytes)
      // The compression has done with the other one, and reads from this one.
      if (this.#pendingBytes === 0) this.#pending = this.#beingCompressed
      this.#beingCompressed = full
      return
    }
    this.#buffered.push(bytes)
    this.#bufferedBytes += bytes.length
    if (this.#bufferedBytes > MAX_BROTLI_BYTES) await this.#grow()
  }

  async #grow(): Promise<void> {
    const buffered = this.#buffered
    this.#buffered = []
    const { create, path, codings, isPart = false } = this.#to
    const file = isPart ? new GrowingFile(path, null) : await create(path)
    const coded = codings.includes('gzip') ? await create(`${path}${CODING_SUFFIX.gzip}`) : null
    this.#growing = { file, gzip: coded && new GrowingGzip(coded, isPart ? PART_GZIP_LEVEL : QUALITY.gzip) }
    for (const bytes of buffered) await this.#append(bytes)
  }

  async #append(bytes: Buffer): Promise<void> {
    await this.#growing?.file.write(bytes)
    await this.#growing?.gzip?.write(bytes, this.#to.tail)
  }
}
