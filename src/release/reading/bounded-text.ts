// Owns reading a small file whole: of anything that is none, and of one that is too large, nothing is read. Knows no content.
import { constants, open, type FileHandle } from 'node:fs/promises'
import { ReleaseError } from '../format/release-error.ts'

/** Opening or reading anything but a file could wait for ever: a named pipe waits for its writer. */
export const WITHOUT_WAITING: number = constants.O_RDONLY | constants.O_NONBLOCK

/**
 * @param what as in `a manifest`
 * @throws ReleaseError (damaged), or the error of the system
 */
export async function readBounded(path: string, maxBytes: number, what: string): Promise<string> {
  const handle = await open(path, WITHOUT_WAITING)
  try {
    const size = await sizeOf(handle, path)
    if (size <= maxBytes) return await handle.readFile('utf8')
    throw new ReleaseError('damaged', `${path} has ${size} bytes; ${what} has at most ${maxBytes}`)
  } finally {
    await handle.close()
  }
}

/** @throws ReleaseError (damaged) when it is no file */
export async function sizeOf(handle: FileHandle, path: string): Promise<number> {
  const found = await handle.stat()
  if (found.isFile()) return found.size
  throw new ReleaseError('damaged', `${path} is not a file`)
}
