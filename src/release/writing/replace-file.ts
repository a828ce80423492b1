// Owns replacing a small file durably: a reader, also after a power cut, finds the old one or the new one. Knows no content.
import { rename, rm, writeFile } from 'node:fs/promises'

/**
 * The caller makes the folder durable.
 * @param next the name that the file has until it is whole, in the same folder; free, or left by a process that was killed
 * @param mode of the file, less the umask
 */
export async function replaceFile(path: string, next: string, text: string, mode = 0o666): Promise<void> {
  try {
    await writeFile(next, text, { mode, flush: true })
    await rename(next, path)
  } catch (error) {
    await rm(next, { force: true }).catch(() => {})
    throw error
  }
}
