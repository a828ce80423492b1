// Owns finding the numbers of people of the day of a release. Decides nothing; writes nothing.
import { join } from 'node:path'
import type { ReleasePaths } from '../format/paths.ts'
import { parsePeopleOfDay, type PeopleOfDay } from '../format/people-of-day.ts'
import { readKept } from './kept-file.ts'

export function peopleOfDayPath({ state }: ReleasePaths, id: string): string {
  return join(state, `${id}.people.json`)
}

/**
 * What was kept with a release; a string = why nothing is.
 * @throws ReleaseError (unreadable): something may be kept
 */
export function readPeopleOfDay(paths: ReleasePaths, id: string): Promise<PeopleOfDay | string> {
  return readKept(peopleOfDayPath(paths, id), 'a day of people', (text) => parsePeopleOfDay(text, id))
}
