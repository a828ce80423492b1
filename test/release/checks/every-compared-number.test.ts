// src/release/checks/: the gate sees each number that is another by one, but those that are named.
// long test: tries each of 26,000 changes, of which compared-fields.test.ts draws some
import { afterAll, expect, it } from 'vitest'
import { MutableRelease } from '../verify/mutable-release.ts'
import { comparedOf, isSeen, NEVER_SEEN, SEEN_IF_LESS } from './compared-numbers.ts'
import { richIdeas } from './rich-ideas.ts'

it(
  'every number of time series, outcomes and categories is compared with another one',
  { timeout: 3_600_000 },
  async () => {
    const release = (await MutableRelease.of(richIdeas(), afterAll)).copy()
    const numbers = comparedOf(release)
    expect(numbers.length).toBeGreaterThan(13_000)
    const unseen = numbers.flatMap((one) =>
      [1, -1].flatMap((change) => (isSeen(release, one, change) ? [] : [`${one.at} ${change}`])),
    )
    expect([...new Set(unseen)].sort()).toEqual(
      [...NEVER_SEEN.flatMap((at) => [`${at} -1`, `${at} 1`]), ...SEEN_IF_LESS.map((at) => `${at} 1`)].sort(),
    )
  },
)
