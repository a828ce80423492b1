// Owns the small files beside releases/ in which the builder keeps what it knows from one command to the next: reading one,
// replacing it durably. Does not know what they say.
import { constants, open, rename, unlink, type FileHandle } from 'node:fs/promises'
import type { ReleasePaths } from '../format/paths.ts'
import { absent, onDisk, reading } from '../format/release-error.ts'
import { jsonOf } from '../format/json-check.ts'
import { readOwn, whileOpen } from '../reading/bounded-text.ts'
import { syncFolder } from './fsync-folder.ts'

type StateName = 'lastBuild' | 'lastTold' | 'published' | 'journal' | 'log'

/**
 * Reads and writes one of them, which says a T. A link or a pipe that somebody planted at its name has no text.
 * @param parse what a value of JSON says; undefined = the text is no JSON
 */
export function stateFile<T>(at: StateName, mode: number, parse: (value: unknown) => T) {
  return {
    /**
     * What it says; null = there is none.
     * @throws ReleaseError (unreadable), also of a folder
     */
    async read({ [at]: path }: ReleasePaths): Promise<T | null> {
      const text = await reading('read', path, () => readOwn(path).catch(absent(null)))
      return text === null ? null : parse(jsonOf(text))
    },

    /** Only for the holder of the lock, unless the last writer may win. @throws ReleaseError */
    async replace(paths: ReleasePaths, value: T): Promise<void> {
      await replaceState(paths, at, `${JSON.stringify(value)}\n`, mode)
    },

    /** Writes what may be lost: where there is no room for a new file, over the text that is there. */
    async note(paths: ReleasePaths, value: T): Promise<void> {
      const text = `${JSON.stringify(value)}\n`
      await replaceState(paths, at, text, mode).catch(async (error: Error) => {
        await overwrite(paths[at], text).catch(() => Promise.reject(error))
      })
    },
  }
}

/** Replaces one of them durably. @throws ReleaseError with the file as it was, or the new one */
export async function replaceState(paths: ReleasePaths, at: StateName, text: string, mode?: number): Promise<void> {
  await onDisk('write', paths[at], () => replaceFile(paths[at], text, mode))
  await syncFolder(paths.root)
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
    await unlink(next).catch(absent(undefined))
    await whileOpen(await open(next, 'wx', 0o600), async (file) => {
      await file.chmod(mode)
      await file.writeFile(text)
      await file.sync()
    })
    await rename(next, path)
  } catch (error) {
    await unlink(next).catch(() => {})
    throw error
  }
}

/** What a killed process left of what stands beside releases/. Only for the holder of the lock. */
export async function removeDrafts({ journal, log }: ReleasePaths): Promise<void> {
  for (const path of [journal, log]) await onDisk('remove', path, () => unlink(`${path}.next`).catch(absent(undefined)))
}

/** Needs no room on a full disk: the block of a small file takes a longer text, too. */
function overwrite(path: string, text: string): Promise<void> {
  return inOwn(path, constants.O_WRONLY, async (file) => {
    await file.writeFile(text)
    await file.truncate(Buffer.byteLength(text))
  })
}

/** Adds a text to a file that is there, durably. */
export function addToOwn(path: string, text: string): Promise<void> {
  return inOwn(path, constants.O_WRONLY | constants.O_APPEND, (file) => file.writeFile(text))
}

/** Writes only to a file without another name, which could be a file elsewhere. */
async function inOwn(path: string, how: number, write: (file: FileHandle) => Promise<void>): Promise<void> {
  const flags = how | constants.O_NOFOLLOW | constants.O_NONBLOCK
  await whileOpen(await open(path, flags), async (file) => {
    const found = await file.stat()
    if (!found.isFile() || found.nlink !== 1) throw new Error(`${path} is not a file of its own`)
    await write(file)
    await file.sync()
  })
}
