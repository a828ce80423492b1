// src/release/checks/: the gate sees each number that is another by one, but those that are named.
// long test: tries thousands of changes, of which compared-fields.test.ts draws some
import { afterAll, expect, it } from 'vitest'
import { NESTED } from '../../../src/release/quantities/relations.ts'
import { temporaryFolder } from '../../support/temporary-folder.ts'
import { MutableRelease } from '../verify/mutable-release.ts'
import { Changes, comparedOf, NEVER_SEEN, SEEN_IF_LESS, type ComparedNumber } from './compared-numbers.ts'
import { richIdeas } from './rich-ideas.ts'

/** Of days without anything, of which there are many, the tenth part. */
function isTried({ path, fields }: ComparedNumber): boolean {
  const isIdle = NESTED.every((field) => fields[field] === 0)
  return !path.includes('all-by-day') || !isIdle || /-[012]1$/.test(String(fields['bucket']))
}

const folder = temporaryFolder(afterAll)

it(
  'every number of time series, outcomes and categories is compared with another one',
  { timeout: 3_600_000 },
  async () => {
    const release = (await MutableRelease.of(folder, richIdeas())).copy()
    const numbers = comparedOf(release)
    expect(numbers.length).toBeGreaterThan(13_000)
    const changes = new Changes(release)
    const unseen = numbers
      .filter(isTried)
      .flatMap((one) => [1, -1].flatMap((by) => (changes.said([one], () => by).length > 0 ? [] : [`${one.at} ${by}`])))
    expect([...new Set(unseen)].sort()).toEqual(
      [...NEVER_SEEN.flatMap((at) => [`${at} -1`, `${at} 1`]), ...SEEN_IF_LESS.map((at) => `${at} 1`)].sort(),
    )
  },
)
