// Owns reading a file of what is kept beside releases. Decides nothing; writes nothing.
import { readingOfRelease, ReleaseError } from '../format/release-error.ts'
import { readBounded } from './bounded-text.ts'

/** Half of it are five relations with 2,500 months each, twice. */
export const MAX_KEPT_BYTES: number = 1 << 20

/**
 * What a file says; a string = why it says nothing, also where there is none: an earlier version made the release, or it was
 * copied without it.
 * @param what as in `a kept past`
 * @throws ReleaseError (unreadable): something may be kept
 */
export async function readKept<T extends object>(
  path: string,
  what: string,
  parse: (text: string) => T | string,
): Promise<T | string> {
  try {
    const found = parse(await readingOfRelease('read', path, () => readBounded(path, MAX_KEPT_BYTES, what)))
    return typeof found === 'string' ? `${path}: ${found}` : found
  } catch (error) {
    if (error instanceof ReleaseError && error.code === 'damaged') return error.message
    throw error
  }
}
