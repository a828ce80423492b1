// Owns reading one file of a release to its end, whether it was what the manifest says, and what was found so far. Bounds how much
// it reads and how long it waits. Knows no content.
import type { ManifestFile, FileBytes } from '../format/manifest.ts'
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
  readonly #pieces: AsyncIterator<Buffer>
  readonly #sha256: Hash = createHash('sha256')
  #waitedMs = 0
  #over = false

  constructor(file: File, pieces: AsyncIterable<Buffer>) {
    this.file = file
    this.#pieces = pieces[Symbol.asyncIterator]()
  }

  static of<File extends FileBytes>({ reader, name }: FoundRelease, file: File): FileReading<File> {
    // Opened by the first read.
    const pieces = async function* (): AsyncGenerator<Buffer> {
      yield* (await reader.stream(name, file)) as AsyncIterable<Buffer>
    }
    return new FileReading(file, pieces())
  }

  /** The next piece; null at the end, and where no more can be read. */
  readonly next = async (): Promise<Buffer | null> => {
    if (this.#over) return null
    const startMs = performance.now()
    try {
      const { done, value } = await this.#pieces.next()
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

  /** The pieces that are left. */
  async *[Symbol.asyncIterator](): AsyncGenerator<Buffer> {
    for (let piece = await this.next(); piece !== null; piece = await this.next()) yield piece
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
    await this.#pieces.return?.()
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
  readonly #faults = new Map<ManifestFile, readonly string[]>()

  note(file: ManifestFile, faults: readonly string[]): void {
    this.#faults.set(file, [...this.faultsOf(file), ...faults])
  }

  faultsOf(file: ManifestFile): readonly string[] {
    return this.#faults.get(file) ?? []
  }

  /** null = the file could not be read, which is noted. */
  async unlessUnread<T>(work: () => Promise<T>): Promise<T | null> {
    try {
      return await work()
    } catch (error) {
      if (!(error instanceof ReleaseError) || error.code !== 'unreadable') throw error
      this.unread.push(error.message)
      return null
    }
  }
}
