// Owns making a folder and its entries durable (fsync). Knows no release.
import { mkdir, open, realpath, stat } from 'node:fs/promises'
import { dirname, isAbsolute, join, resolve } from 'node:path'
import { absent, onDisk, reading } from '../format/release-error.ts'
import { whileOpen } from '../reading/bounded-text.ts'

/** The modes of what is published. Its files are 0644 whatever the folder is. */
export const FILE_MODE = 0o644
const FOLDER_MODE = 0o755

/**
 * The mode of folders in a snapshots folder. Where a group may write to that, as where a cluster gives each project a user of
 * its own in group 0, it may remove and add also below.
 */
export async function folderModeIn(root: string): Promise<number> {
  const found = await reading('look at', root, () => stat(root).catch(absent(null)))
  return FOLDER_MODE | ((found?.mode ?? 0) & 0o020)
}

/** Makes a folder and those above it, durably: else a power cut could lose every release in it. */
export async function ensureFolder(folder: string, mode = FOLDER_MODE): Promise<void> {
  const topmost = await onDisk('create', folder, () => makeFolder(folder, mode))
  if (topmost === null) return
  const above = dirname(resolve(topmost))
  for (let made = resolve(folder); made !== above; made = dirname(made)) await syncFolder(dirname(made))
}

/**
 * The topmost folder that was made; null = none. A plain mkdir first, because Node's recursive one reports ENOENT on
 * a read-only file system, and no error at all where the folder exists.
 */
async function makeFolder(folder: string, mode: number): Promise<string | null> {
  try {
    await mkdir(folder, mode)
    return folder
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    // Where this process's own folder was removed, the recursive one never ends with a relative path (Node.js 20 to 26).
    const here = async (): Promise<string> => (isAbsolute(folder) ? '' : realpath('.'))
    if (code === 'ENOENT') return (await mkdir(join(await here(), folder), { recursive: true, mode })) ?? null
    if (code === 'EEXIST' && (await stat(folder)).isDirectory()) return null
    throw error
  }
}

/** Makes a folder's entries durable. */
export async function syncFolder(folder: string): Promise<void> {
  await onDisk('sync', folder, async () => whileOpen(await open(folder, 'r'), (handle) => handle.sync()))
}
