// Owns finding the numbers of people of the day of a release. Decides nothing; writes nothing.
import { join } from 'node:path'
import type { ReleasePaths } from '../format/paths.ts'
import { parsePeopleOfDay, type PeopleOfDay } from '../format/people-of-day.ts'
import { readingOfRelease, ReleaseError } from '../format/release-error.ts'
import { readBounded } from './bounded-text.ts'

/** 2,500 months and 128 days, 200 bytes each, are half of it. */
const MAX_BYTES = 1 << 20

export function peopleOfDayPath({ state }: ReleasePaths, id: string): string {
  return join(state, `${id}.people.json`)
}

/**
 * What was kept with a release; a string = why nothing is.
 * @throws ReleaseError (unreadable): something may be kept
 */
export async function readPeopleOfDay(paths: ReleasePaths, id: string): Promise<PeopleOfDay | string> {
  const path = peopleOfDayPath(paths, id)
  try {
    const text = await readingOfRelease('read', path, () => readBounded(path, MAX_BYTES, 'a day of people'))
    const found = parsePeopleOfDay(text, id)
    return typeof found === 'string' ? `${path}: ${found}` : found
  } catch (error) {
    if (error instanceof ReleaseError && error.code === 'damaged') return error.message
    throw error
  }
}
