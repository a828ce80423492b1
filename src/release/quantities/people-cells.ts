// Owns whether numbers of people are as their release publishes people. Pure.
import { publishedCount, publishedTotalUsers, type PeopleMode, type PublishedCount } from '../../contract/people.ts'
import { isCount } from '../format/shape.ts'
import { andMore } from './quantity.ts'

/** Whether a mode publishes such a value. */
export function isPublished(value: unknown, mode: PeopleMode): value is PublishedCount {
  return value === null ? mode !== 'exact' : isCount(value) && publishedCount(value, mode) === value
}

/** Whether it has such a `stats.totalUsers`. */
export function isPublishedTotal(value: unknown, mode: PeopleMode): value is number {
  return isCount(value) && publishedTotalUsers(value, mode) === value
}

/** What is wrong in an export, in at most one sentence. @param wrong its cells, and what they are */
export function unpublishable(path: string, wrong: readonly string[], mode: PeopleMode): string[] {
  const [first, ...more] = wrong
  if (first === undefined) return []
  return [andMore(`${path}: ${first}, which is not how --people ${mode} publishes`, more.length, 'cell')]
}
