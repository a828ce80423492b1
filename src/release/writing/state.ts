// Owns the small files beside releases/ in which the builder keeps what it knows from one command to the next: reading one,
// replacing it durably, forgetting it. Knows what none of them says.
import { constants, open, rename, rm } from 'node:fs/promises'
import type { ReleasePaths } from '../format/paths.ts'
import { absent, onDisk, reading } from '../format/release-error.ts'
import { jsonOf } from '../format/shape.ts'
import { readOwn } from '../reading/bounded-text.ts'
import { whileOpen } from '../reading/while-open.ts'
import { syncFolder } from './fsync-folder.ts'

type StateName = 'pin' | 'lineage' | 'lastBuild' | 'lastTold' | 'revisions' | 'published'

/**
 * One of them, whose content is a T. What somebody planted at its name, such as a link or a pipe, has no text.
 * @param parse what a value of JSON says; undefined = the text is no JSON
 */
export function stateFile<T>(at: StateName, mode: number, parse: (value: unknown) => T) {
  const textIn = ({ [at]: path }: ReleasePaths) => reading('read', path, () => readOwn(path).catch(absent(null)))

  async function put({ root, [at]: path }: ReleasePaths, text: string | null): Promise<void> {
    if (text === null) await onDisk('remove', path, () => rm(path, { force: true }))
    else await onDisk('write', path, () => replaceFile(path, text, mode))
    await syncFolder(root)
  }

  return {
    /**
     * What it says; null = there is none.
     * @throws ReleaseError (unreadable), also of a folder
     */
    async read(paths: ReleasePaths): Promise<T | null> {
      const text = await textIn(paths)
      return text === null ? null : parse(jsonOf(text))
    },

    /**
     * Replaces it; null = there is to be none. Only for the holder of the lock, unless the last writer may win.
     * @param then is done next; if it fails, the file is again what it was
     * @throws ReleaseError, or the error of `then`, with the file as it was
     */
    async replace(paths: ReleasePaths, value: T | null, then: () => Promise<void> = async () => {}): Promise<void> {
      const before = await textIn(paths)
      try {
        await put(paths, value === null ? null : `${JSON.stringify(value)}\n`)
        await then()
      } catch (error) {
        await put(paths, before).catch(() => {})
        throw error
      }
    },

    /** Notes what may be lost: where there is no room for a new file, in place of the text that is there. */
    async note(paths: ReleasePaths, value: T): Promise<void> {
      const text = `${JSON.stringify(value)}\n`
      await put(paths, text).catch(async (error: Error) => {
        await overwrite(paths[at], text).catch(() => Promise.reject(error))
      })
    },
  }
}

/**
 * Replaces a small file: a reader, also after a power cut, finds the old one or the new one. The caller makes the folder
 * durable.
 * @param mode of the file, whatever the umask is
 * @param next the name that the file has until it is whole, in the same folder; free, or left by a process that was killed
 */
export async function replaceFile(path: string, text: string, mode = 0o644, next = `${path}.next`): Promise<void> {
  try {
    // A new file: what is there may have another mode, or be a link that somebody planted.
    await rm(next, { force: true })
    await whileOpen(await open(next, 'wx', 0o600), async (file) => {
      await file.chmod(mode)
      await file.writeFile(text)
      await file.sync()
    })
    await rename(next, path)
  } catch (error) {
    await rm(next, { force: true }).catch(() => {})
    throw error
  }
}

/** On a full disk the block that a small file has takes a longer text, too. Nothing that has another name is written to. */
async function overwrite(path: string, text: string): Promise<void> {
  const flags = constants.O_WRONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK
  await whileOpen(await open(path, flags), async (file) => {
    const found = await file.stat()
    if (!found.isFile() || found.nlink !== 1) throw new Error(`${path} is not a file of its own`)
    await file.writeFile(text)
    await file.truncate(Buffer.byteLength(text))
    await file.sync()
  })
}
