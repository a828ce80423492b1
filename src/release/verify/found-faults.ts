// Owns what a verification has found so far: faults of each file, what could not be read, how much was read.
import type { ManifestFile } from '../format/manifest.ts'
import { ReleaseError } from '../format/release-error.ts'

export class FoundFaults {
  /** Sentences, one for each file that could not be read: nothing is known of it. */
  readonly unread: string[] = []
  /** Read so far. */
  bytes = 0
  readonly #faults = new Map<ManifestFile, readonly string[]>()

  note(file: ManifestFile, faults: readonly string[]): void {
    this.#faults.set(file, [...this.faultsOf(file), ...faults])
  }

  faultsOf(file: ManifestFile): readonly string[] {
    return this.#faults.get(file) ?? []
  }

  /** null = the file could not be read, which is noted. */
  async unlessUnread<T>(work: () => Promise<T>): Promise<T | null> {
    try {
      return await work()
    } catch (error) {
      if (!(error instanceof ReleaseError) || error.code !== 'unreadable') throw error
      this.unread.push(error.message)
      return null
    }
  }
}
