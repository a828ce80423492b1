// Owns reading one file of a release to its end: its pieces to whoever takes them, and at the end whether they were the
// manifest's. Knows no content.
import { createHash, type Hash } from 'node:crypto'
import type { FileBytes } from '../format/manifest.ts'
import { ReleaseError } from '../format/release-error.ts'

export class FileReading {
  readonly file: FileBytes
  bytes = 0
  /** The last two bytes. */
  ending: Buffer = Buffer.alloc(0)
  /** Why it could not be read to its end. */
  failure: ReleaseError | null = null
  readonly #pieces: AsyncIterator<Buffer>
  readonly #sha256: Hash = createHash('sha256')
  #over = false

  constructor(file: FileBytes, pieces: AsyncIterable<Buffer>) {
    this.file = file
    this.#pieces = pieces[Symbol.asyncIterator]()
  }

  /** The next piece; null at the end, and where no more can be read. */
  readonly next = async (): Promise<Buffer | null> => {
    if (this.#over) return null
    try {
      const { done, value } = await this.#pieces.next()
      if (done !== true) {
        this.bytes += value.length
        this.#sha256.update(value)
        this.ending = value.length < 2 ? Buffer.concat([this.ending, value]).subarray(-2) : value.subarray(-2)
        return value
      }
    } catch (error) {
      if (!(error instanceof ReleaseError)) throw error
      this.failure = error
    }
    this.#over = true
    return null
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
    if (digest !== sha256) faults.push(`${path}: sha256 ${digest}, the manifest says ${sha256}`)
    return faults
  }

  async isWhole(): Promise<boolean> {
    return (await this.faults()).length === 0
  }

  /** Gives the file back, read to its end or not. */
  async close(): Promise<void> {
    this.#over = true
    await this.#pieces.return?.()
  }
}
