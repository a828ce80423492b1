// src/release/checks/: the gate sees each number that is another by one, but those that are named.
// long test: tries thousands of changes, of which compared-fields.test.ts draws some
import { afterAll, expect, it } from 'vitest'
import { NESTED } from '../../../src/release/quantities/relations.ts'
import { temporaryFolder } from '../../support/temporary-folder.ts'
import { MutableRelease } from '../verify/mutable-release.ts'
import { comparedOf, isSeen, NEVER_SEEN, SEEN_IF_LESS, type ComparedNumber } from './compared-numbers.ts'
import { richIdeas } from './rich-ideas.ts'

/** Of so many changes one is judged beside all documents alone. Odd: each number is tried with more and with less. */
const WHOLE_EACH = 51

/**
 * What two documents contradict each other in, all of them do. So a change is shown to the gate first with the few documents that
 * have lately seen one: reading all takes twenty times as long. Who is not seen so is judged by all.
 */
class Parts {
  readonly #release: MutableRelease
  /** What is read beside the document that is changed; the one that saw the last change first. */
  readonly #beside: (readonly string[])[]
  readonly #silent = new Set<string>()
  #judged = 0

  constructor(release: MutableRelease) {
    this.#release = release
    const categories = release.paths.filter((path) => path.startsWith('analytics/category/'))
    this.#beside = [[], categories, ...release.paths.map((path) => [path])]
  }

  see(one: ComparedNumber, change: number): boolean {
    this.#judged += 1
    if (this.#judged % WHOLE_EACH === 0) return isSeen(this.#release, one, change)
    const at = this.#beside.findIndex((beside) => this.#seesBeside(one, change, beside))
    if (at > 0) this.#beside.unshift(...this.#beside.splice(at, 1))
    return at >= 0 || isSeen(this.#release, one, change)
  }

  #seesBeside(one: ComparedNumber, change: number, beside: readonly string[]): boolean {
    const part = [...new Set([one.path, ...beside])]
    if (!isSeen(this.#release, one, change, part)) return false
    if (this.#silent.has(part.join())) return true
    expect(this.#release.gate({}, () => part)).toEqual([])
    this.#silent.add(part.join())
    return true
  }
}

/** Of days without anything, of which there are many, the tenth part. */
function isTried({ path, fields }: ComparedNumber): boolean {
  const isIdle = NESTED.every((field) => fields[field] === 0)
  return !path.includes('all-by-day') || !isIdle || /-[012]1T/.test(String(fields['bucket']))
}

const folder = temporaryFolder(afterAll)

it(
  'every number of time series, outcomes and categories is compared with another one',
  { timeout: 3_600_000 },
  async () => {
    const release = (await MutableRelease.of(folder, richIdeas())).copy()
    const numbers = comparedOf(release)
    expect(numbers.length).toBeGreaterThan(13_000)
    const parts = new Parts(release)
    const unseen = numbers
      .filter(isTried)
      .flatMap((one) => [1, -1].flatMap((change) => (parts.see(one, change) ? [] : [`${one.at} ${change}`])))
    expect([...new Set(unseen)].sort()).toEqual(
      [...NEVER_SEEN.flatMap((at) => [`${at} -1`, `${at} 1`]), ...SEEN_IF_LESS.map((at) => `${at} 1`)].sort(),
    )
  },
)
