// Owns replacing a small file durably: a reader, also after a power cut, finds the old one or the new one. Knows no content.
import { open, rename, rm } from 'node:fs/promises'

/**
 * The caller makes the folder durable.
 * @param next the name that the file has until it is whole, in the same folder; free, or left by a process that was killed
 * @param mode of the file, whatever the umask is
 */
export async function replaceFile(path: string, next: string, text: string, mode = 0o644): Promise<void> {
  try {
    // A new file: what is there may have another mode, or be a link that somebody planted.
    await rm(next, { force: true })
    const file = await open(next, 'wx', 0o600)
    try {
      await file.chmod(mode)
      await file.writeFile(text)
      await file.sync()
    } finally {
      await file.close()
    }
    await rename(next, path)
  } catch (error) {
    await rm(next, { force: true }).catch(() => {})
    throw error
  }
}
