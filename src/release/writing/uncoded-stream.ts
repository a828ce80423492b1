// Owns a file of a release that is written piece by piece and gets no siblings, because it is compressed itself. Knows no
// format and no manifest.
import type { CodedFile } from '../format/manifest.ts'
import { GrowingFile } from './growing-file.ts'
import type { CreateFile } from './snapshot-writer.ts'

export class UncodedStream {
  readonly #create: CreateFile
  readonly #path: string
  readonly #onDone: (done: CodedFile, about: AboutUncoded) => void
  #file: GrowingFile | null = null

  constructor(create: CreateFile, path: string, onDone: (done: CodedFile, about: AboutUncoded) => void) {
    this.#create = create
    this.#path = path
    this.#onDone = onDone
  }

  /** The memory is free again when this returns. */
  async write(bytes: Buffer): Promise<void> {
    this.#file ??= new GrowingFile(this.#path, await this.#create(this.#path))
    await this.#file.write(bytes)
  }

  async end(about: AboutUncoded): Promise<void> {
    await this.write(Buffer.alloc(0))
    const done = await this.#file?.end()
    if (done !== undefined) this.#onDone(done, about)
  }

  /** Closes the file, finished or not. */
  async close(): Promise<void> {
    await this.#file?.close()
  }
}

export interface AboutUncoded {
  readonly rows: number | null
  /** Of what it contains: what compresses it may give other bytes elsewhere. */
  readonly contentHash: string
}
