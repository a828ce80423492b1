// Owns making a folder and its entries durable (fsync). Knows no release.
import { mkdir, open, stat } from 'node:fs/promises'
import { dirname, resolve } from 'node:path'
import { onDisk } from '../format/release-error.ts'

/** Makes a folder and those above it, durably: else a power cut could lose every release in it. */
export async function ensureFolder(folder: string): Promise<void> {
  const topmost = await onDisk('create', folder, () => makeFolder(folder))
  if (topmost === null) return
  const above = dirname(resolve(topmost))
  for (let made = resolve(folder); made !== above; made = dirname(made)) await syncFolder(dirname(made))
}

/**
 * The topmost folder that was made; null = none. A plain mkdir first, because Node's recursive one reports ENOENT on
 * a read-only file system, and no error at all where the folder exists.
 */
async function makeFolder(folder: string): Promise<string | null> {
  try {
    await mkdir(folder)
    return folder
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code === 'ENOENT') return (await mkdir(folder, { recursive: true })) ?? null
    if (code === 'EEXIST' && (await stat(folder)).isDirectory()) return null
    throw error
  }
}

/** Makes a folder's entries durable. */
export async function syncFolder(folder: string): Promise<void> {
  await onDisk('sync', folder, async () => {
    const handle = await open(folder, 'r')
    try {
      await handle.sync()
    } finally {
      await handle.close()
    }
  })
}
