// Owns that an open file is closed when the work on it ends, or fails.
import type { FileHandle } from 'node:fs/promises'

export async function whileOpen<T>(file: FileHandle, work: (file: FileHandle) => Promise<T>): Promise<T> {
  try {
    return await work(file)
  } finally {
    await file.close()
  }
}
