// Owns reading an archive of a release in constant memory: what each entry decodes to, and whether what is around them is as it
// should be. Knows no release.
import { createHash } from 'node:crypto'
import { pipeline } from 'node:stream/promises'
import { crc32, createInflateRaw } from 'node:zlib'
import { directoryEntry, endOfDirectory, localHeader, readLocalHeader, STORED, type ZipEntry } from '../format/zip.ts'

export interface ZipContent {
  readonly name: string
  readonly sha256: string
}

/** No header of a release is larger. */
const MAX_HEAD_BYTES = 1 << 10

/**
 * @param next the next piece of the file; null = its end
 * @returns the entries in their order, or a sentence that says why it is no archive of a release
 */
export async function zipContents(next: () => Promise<Buffer | null>): Promise<readonly ZipContent[] | string> {
  const bytes = new Pieces(next)
  const found: ZipContent[] = []
  const directory: Buffer[] = []
  let offset = 0
  for (;;) {
    const entry = readLocalHeader(await bytes.peek(MAX_HEAD_BYTES))
    if (entry === null) break
    const written = localHeader(entry)
    if (!(await bytes.peek(written.length)).equals(written)) return `the header of ${entry.name} is not as it should be`
    bytes.skip(written.length)
    const sha256 = await contentOf(entry, bytes)
    if (sha256 === null) return `${entry.name} in it does not decode`
    found.push({ name: entry.name, sha256 })
    directory.push(directoryEntry(entry, offset))
    offset += written.length + entry.codedBytes
  }
  const listed = Buffer.concat(directory)
  const end = Buffer.concat([listed, endOfDirectory(found.length, { offset, bytes: listed.length })])
  const rest = await bytes.peek(end.length + 1)
  return rest.equals(end) ? found : 'its directory does not list what is in it'
}

/** The sha256 of an entry; null = it does not decode to what its header says. */
async function contentOf({ method, crc, bytes, codedBytes }: ZipEntry, from: Pieces): Promise<string | null> {
  const hash = createHash('sha256')
  let [decoded, sum] = [0, 0]
  const take = async (source: AsyncIterable<Buffer>): Promise<void> => {
    for await (const piece of source) {
      decoded += piece.length
      if (decoded > bytes) throw new RangeError('longer than its header says')
      hash.update(piece)
      sum = crc32(piece, sum)
    }
  }
  try {
    if (method === STORED) await take(from.take(codedBytes))
    else await pipeline(from.take(codedBytes), createInflateRaw({ chunkSize: 1 << 18 }), take)
  } catch {
    // An error of the reading itself is no error of these steps: its pieces end early, and whoever reads says why.
    return null
  }
  return decoded === bytes && sum === crc ? hash.digest('hex') : null
}

/** What was read and not yet taken. */
class Pieces {
  readonly #next: () => Promise<Buffer | null>
  #held: Buffer = Buffer.alloc(0)

  constructor(next: () => Promise<Buffer | null>) {
    this.#next = next
  }

  /** Fewer at the end. */
  async peek(count: number): Promise<Buffer> {
    const pieces = [this.#held]
    let held = this.#held.length
    while (held < count) {
      const piece = await this.#next()
      if (piece === null) break
      pieces.push(piece)
      held += piece.length
    }
    if (pieces.length > 1) this.#held = Buffer.concat(pieces)
    return this.#held.subarray(0, count)
  }

  skip(count: number): void {
    this.#held = this.#held.subarray(count)
  }

  async *take(count: number): AsyncGenerator<Buffer> {
    for (let left = count; left > 0;) {
      const piece = await this.peek(1)
      if (piece.length === 0) return
      const taken = this.#held.subarray(0, left)
      this.skip(taken.length)
      left -= taken.length
      yield taken
    }
  }
}
