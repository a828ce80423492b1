// The files below a folder that this process holds open. What other test files of the same worker hold does not count.
import { readdirSync, readlinkSync, realpathSync } from 'node:fs'

/** Only Linux shows them. */
export const SHOWS_OPEN_FILES = process.platform === 'linux'

export function openFilesBelow(folder: string): string[] {
  const start = `${realpathSync(folder)}/`
  return readdirSync('/proc/self/fd').flatMap((fd) => {
    try {
      const path = readlinkSync(`/proc/self/fd/${fd}`)
      return path.startsWith(start) ? [path] : []
    } catch {
      return []
    }
  })
}
