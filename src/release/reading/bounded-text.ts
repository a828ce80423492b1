// Owns what is done while a file is open, and that it is closed then: a small one is read whole, of anything that is none, and of one
// that is too large, nothing is read. Knows no content.
import { constants, open, type FileHandle } from 'node:fs/promises'
import { onCode, ReleaseError } from '../format/release-error.ts'

/** Opening or reading anything but a file could wait for ever: a named pipe waits for its writer. */
export const WITHOUT_WAITING: number = constants.O_RDONLY | constants.O_NONBLOCK

/** For names that only this program writes: what else is there, such as a link, somebody planted. */
export const OWN_FILE: number = WITHOUT_WAITING | constants.O_NOFOLLOW

/** Reads a small file that this program wrote; a planted link, pipe or device has no text. @throws Error EISDIR for a folder */
export function readOwn(path: string): Promise<string> {
  return ofOwn(path, '', (handle) => handle.readFile('utf8'))
}

/** Reads from a file that this program wrote. @param planted the result where somebody planted a link, a pipe or a device at its name */
export async function ofOwn<T>(path: string, planted: T, read: (handle: FileHandle) => Promise<T>): Promise<T> {
  // ELOOP: a link; ENXIO: a socket.
  const handle = await open(path, OWN_FILE).catch(onCode(null, 'ELOOP', 'ENXIO'))
  if (handle === null) return planted
  return whileOpen(handle, async () => {
    const there = await handle.stat()
    // A folder counts: reading it fails, and says so.
    return there.isFile() || there.isDirectory() ? read(handle) : planted
  })
}

/**
 * @param what as in `a manifest`
 * @throws ReleaseError (damaged), or the error of the system
 */
export async function readBounded(path: string, maxBytes: number, what: string): Promise<string> {
  return whileOpen(await open(path, WITHOUT_WAITING), async (handle) => {
    const size = await sizeOf(handle, path)
    if (size <= maxBytes) return handle.readFile('utf8')
    throw new ReleaseError('damaged', `${path} has ${size} bytes; ${what} has at most ${maxBytes}`)
  })
}

/** Closes a file when the work on it ends, or fails. */
export async function whileOpen<T>(file: FileHandle, work: (file: FileHandle) => Promise<T>): Promise<T> {
  try {
    return await work(file)
  } finally {
    await file.close()
  }
}

/** @throws ReleaseError (damaged) when it is no file */
export async function sizeOf(handle: FileHandle, path: string): Promise<number> {
  const found = await handle.stat()
  if (found.isFile()) return found.size
  throw new ReleaseError('damaged', `${path} is not a file`)
}
