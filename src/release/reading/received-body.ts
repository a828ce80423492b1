// Owns what becomes of a body that a server sends: its coding, and how much of it is taken. Nothing that it says throws elsewhere
// than at its reader, or fills the memory.
import { pipeline, type Readable } from 'node:stream'
import { promisify } from 'node:util'
import { brotliDecompress, createBrotliDecompress, createGunzip, createInflate, gunzip, inflate } from 'node:zlib'
import { ReleaseError } from '../format/release-error.ts'

interface Coding {
  readonly stream: () => NodeJS.ReadWriteStream & Readable
  readonly whole: (bytes: Buffer, options: { readonly maxOutputLength: number }) => Promise<Buffer>
}

const GZIP: Coding = { stream: createGunzip, whole: promisify<Buffer, object, Buffer>(gunzip) }

/** A map, not an object: `constructor` is no coding. */
const CODINGS: ReadonlyMap<string, Coding> = new Map([
  ['gzip', GZIP],
  ['x-gzip', GZIP],
  ['br', { stream: createBrotliDecompress, whole: promisify<Buffer, object, Buffer>(brotliDecompress) }],
  ['deflate', { stream: createInflate, whole: promisify<Buffer, object, Buffer>(inflate) }],
])

/** Null = none. @throws ReleaseError that names a coding which is not known; the body is dropped then */
function codingOf(url: string, body: Readable, given: string): Coding | null {
  const name = given.trim().toLowerCase()
  if (name === '' || name === 'identity') return null
  const known = CODINGS.get(name)
  if (known !== undefined) return known
  drop(body)
  throw new ReleaseError(
    'unreadable',
    `${url} came with Content-Encoding "${name.slice(0, 40)}" though identity was asked for; ` +
      'allowed: none, gzip, br, deflate: switch that compression off at the server',
  )
}

/** @param coding the value of Content-Encoding. @throws ReleaseError that names a coding which is not known */
export function decodedBody(url: string, body: Readable, coding: string): Readable {
  const known = codingOf(url, body, coding)
  if (known === null) return body
  const decoder = known.stream()
  // What fails on either side is the decoder's error, which its reader gets.
  pipeline(body, decoder, () => {})
  return decoder
}

/** Of what has no redundancy a coding makes more: at most this part, and the head of its format. */
const codedBytes = (bytes: number): number => bytes + (bytes >> 8) + 1024

/** All of a body, at most `maxBytes` decoded bytes. @throws ReleaseError */
export async function readBody(url: string, body: Readable, coding: string, maxBytes: number): Promise<Buffer> {
  const known = codingOf(url, body, coding)
  const chunks: Buffer[] = []
  let left = known === null ? maxBytes : codedBytes(maxBytes)
  try {
    for await (const chunk of body as AsyncIterable<Buffer>) {
      left -= chunk.length
      if (left < 0) throw tooLarge(url, maxBytes)
      chunks.push(chunk)
    }
    const bytes = Buffer.concat(chunks)
    return known === null ? bytes : await known.whole(bytes, { maxOutputLength: maxBytes })
  } catch (error) {
    if (error instanceof ReleaseError) throw error
    if ((error as NodeJS.ErrnoException).code === 'ERR_BUFFER_TOO_LARGE') throw tooLarge(url, maxBytes)
    throw new ReleaseError('unreadable', `${url} was cut off: ${(error as Error).message}`, error)
  }
}

function tooLarge(url: string, maxBytes: number): ReleaseError {
  return new ReleaseError('damaged', `${url} is over ${maxBytes} bytes`)
}

export function drop(body: Readable): void {
  body.on('error', () => {}).destroy()
}
