// Owns reading one file of a release to its end, whether it was what the manifest says, and what was found so far. Bounds how much
// it reads and how long it waits. Knows no content.
import type { FileBytes } from '../format/manifest.ts'
import { createHash, type Hash } from 'node:crypto'
import { ReleaseError } from '../format/release-error.ts'
import type { FoundRelease } from '../reading/release-reader.ts'

/** For a small file, and what each byte more adds: a server that drips is given up, also where it never pauses. */
const WAIT_MS = 60_000
const MIN_BYTES_PER_MS = 32

export class FileReading<File extends FileBytes = FileBytes> {
  readonly file: File
  bytes = 0
  /** Why it could not be read to its end. */
  failure: ReleaseError | null = null
  readonly #source: AsyncIterator<Buffer>
  /** What `pieces` has left of a piece. */
  #begun: Buffer = Buffer.alloc(0)
  readonly #sha256: Hash = createHash('sha256')
  #waitedMs = 0
  #over = false

  constructor(file: File, pieces: AsyncIterable<Buffer>) {
    this.file = file
    this.#source = pieces[Symbol.asyncIterator]()
  }

  /** The next piece; null at the end, and where no more can be read. */
  readonly next = async (): Promise<Buffer | null> => {
    if (this.#over) return null
    const startMs = performance.now()
    try {
      const { done, value } = await this.#source.next()
      this.#waitedMs += performance.now() - startMs
      if (done !== true) {
        this.bytes += value.length
        this.#sha256.update(value)
        this.#over = this.bytes > this.file.bytes
        this.#checkPace()
        return value
      }
    } catch (error) {
      this.failure = asReleaseError(error, this.file.path)
    }
    this.#over = true
    return null
  }

  /** The next bytes in pieces, fewer at the end; all that are left by default. */
  async *pieces(bytes = Infinity): AsyncGenerator<Buffer> {
    for (let left = bytes; left > 0;) {
      const found = this.#begun.length > 0 ? this.#begun : await this.next()
      if (found === null) return
      const piece = found.length > left ? found.subarray(0, left) : found
      this.#begun = found.subarray(piece.length)
      left -= piece.length
      yield piece
    }
  }

  async take(bytes: number): Promise<Buffer> {
    const found: Buffer[] = []
    for await (const piece of this.pieces(bytes)) found.push(piece)
    return Buffer.concat(found)
  }

  #checkPace(): void {
    const { path, bytes } = this.file
    if (this.#waitedMs <= WAIT_MS + bytes / MIN_BYTES_PER_MS) return
    const seconds = Math.round(this.#waitedMs / 1000)
    throw new ReleaseError(
      'unreadable',
      `${path}: ${this.bytes} of ${bytes} bytes came in ${seconds} s; try again later`,
    )
  }

  /**
   * Reads what nobody has taken; then says what is wrong with the whole: nothing = it is what the manifest says.
   * @throws ReleaseError (unreadable): nothing is known to be wrong
   */
  async faults(): Promise<string[]> {
    while ((await this.next()) !== null);
    if (this.failure?.code === 'unreadable') throw this.failure
    if (this.failure !== null) return [this.failure.message]
    const { path, bytes, sha256 } = this.file
    const faults: string[] = []
    if (this.bytes !== bytes) faults.push(`${path}: ${this.bytes} bytes, the manifest says ${bytes}`)
    const digest = this.#sha256.digest('hex')
    // No list has that of a sibling of the manifest.
    if (sha256 !== '' && digest !== sha256) faults.push(`${path}: sha256 ${digest}, the manifest says ${sha256}`)
    return faults
  }

  /** Gives the file back, read to its end or not. */
  async close(): Promise<void> {
    this.#over = true
    await this.#source.return?.()
  }
}

/** An error with a code is of the system or of the connection; any other one is a fault of the program. */
function asReleaseError(error: unknown, path: string): ReleaseError {
  if (error instanceof ReleaseError) return error
  if ((error as NodeJS.ErrnoException).code === undefined) throw error
  return new ReleaseError('unreadable', `${path} was cut off: ${(error as Error).message}`, error)
}

export class FoundFaults {
  /** Sentences, one for each file that could not be read: nothing is known of it. */
  readonly unread: string[] = []
  /** What nothing that was read can show. */
  readonly notProved: string[] = []
  /** Read so far. */
  bytes = 0
  /** What is wrong with a file or its siblings, by the path of the file. */
  readonly #faults = new Map<string, readonly string[]>()

  note(path: string, ...faults: readonly string[]): void {
    this.#faults.set(path, [...this.faultsOf(path), ...faults])
  }

  faultsOf(path: string): readonly string[] {
    return this.#faults.get(path) ?? []
  }

  /**
   * Reads a file to its end.
   * @param of the file that it belongs to
   * @returns what `work` made of it; undefined = it is not what the manifest says, or could not be read, which is noted
   */
  async whole<T, File extends FileBytes>(
    { reader, name }: FoundRelease,
    file: File,
    work: (reading: FileReading<File>) => Promise<T>,
    of: string = file.path,
  ): Promise<T | undefined> {
    // Opened by the first read.
    const pieces = async function* (): AsyncGenerator<Buffer> {
      yield* (await reader.stream(name, file)) as AsyncIterable<Buffer>
    }
    const reading = new FileReading(file, pieces())
    try {
      const made = await work(reading)
      const faults = await reading.faults()
      this.note(of, ...faults)
      return faults.length === 0 ? made : undefined
    } catch (error) {
      if (!(error instanceof ReleaseError) || error.code !== 'unreadable') throw error
      this.unread.push(error.message)
      return undefined
    } finally {
      this.bytes += reading.bytes
      await reading.close()
    }
  }
}
