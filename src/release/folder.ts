// Owns a folder of releases as such: making it where it is missing, and making its entries durable. Knows no release.
import { mkdir, open, stat } from 'node:fs/promises'
import { onDisk } from './release-error.ts'

/**
 * Makes a folder, and those above it, if it is not there. A plain mkdir first, because Node's recursive one says ENOENT
 * where the file system is read-only, and of an error nothing where the folder stands.
 */
export async function ensureFolder(folder: string): Promise<void> {
  await onDisk('create', folder, () =>
    mkdir(folder).catch(async (error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT') await mkdir(folder, { recursive: true })
      else if (error.code !== 'EEXIST' || !(await stat(folder)).isDirectory()) throw error
    }),
  )
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
