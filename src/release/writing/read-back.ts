// Owns reading a part of a file that was written a moment ago. Knows no release and no format.
import { closeSync, openSync, readSync } from 'node:fs'
import { diskError } from '../format/release-error.ts'

/** How much is read at once: what is made of it lives as long. */
const READ_BYTES = 64 * 1024

/**
 * The bytes from `from` up to `to`, in pieces that each have memory of their own. Synchronous inside: what was just
 * written is in the page cache, and a trip to a thread costs more than the reading.
 * @throws ReleaseError also when the file is shorter
 */
export function* readBack(path: string, from: number, to: number): Generator<Buffer, undefined> {
  try {
    const file = openSync(path, 'r')
    try {
      for (let at = from; at < to;) {
        const piece = Buffer.allocUnsafe(Math.min(READ_BYTES, to - at))
        const read = readSync(file, piece, 0, piece.length, at)
        if (read === 0) throw new Error(`it ends after ${at} bytes, not ${to}`)
        at += read
        yield piece.subarray(0, read)
      }
    } finally {
      closeSync(file)
    }
  } catch (error) {
    throw diskError('read back', path, error)
  }
}
