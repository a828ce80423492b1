// The numbers of documents, one by one, and what the gate says when some are others.
import { expect } from 'vitest'
import { add, type Counts, type MutableRelease } from '../verify/mutable-release.ts'

export interface ComparedNumber {
  readonly path: string
  readonly fields: Counts
  readonly key: string
  readonly name: string
  /** Where it is in documents of its kind, without places in lists. */
  readonly at: string
}

function firstYearIn(place: string): string[] {
  return ['ideas', 'launched', 'launchedUndated'].map((key) => `${place} ${key}`)
}

/** No rule sees these (docs/operations.md, "The gate"). */
export const NEVER_SEEN: readonly string[] = [
  'outcomes years activeUsers',
  ...['outcomes', 'category outcomes'].flatMap((outcomes) =>
    [
      'launched dated',
      ...['firstYear', 'years firstYear'].flatMap(firstYearIn),
      'years ideas',
      'years launchedIdeas',
      'statuses notLaunched ideas',
      'statuses notLaunched yearOld',
    ].map((key) => `${outcomes} ${key}`),
  ),
]
/** The categories may sum to more than the whole site: an idea may be in two. */
export const SEEN_IF_LESS: readonly string[] = ['category outcomes launched votes']

/** A value of a row that is about a metric has a name of its own. The rows themselves are counted when they are read. */
export function numbersIn(path: string, fields: Counts, kind: string, at: string = kind): ComparedNumber[] {
  const { metric } = fields
  return Object.entries(fields).flatMap(([key, value]) => {
    const place = Array.isArray(fields) ? at : `${at} ${key}`
    if (typeof value === 'object' && value !== null) return numbersIn(path, value as Counts, kind, place)
    if (typeof value !== 'number' || key === 'rowCount') return []
    const ofMetric = typeof metric === 'string' && /value$/i.test(key) ? ` of ${metric}` : ''
    return [{ path, fields, key, name: `${kind}: ${key}${ofMetric}`, at: place }]
  })
}

/** Of time series, outcomes and categories: all but shares, days of launches and ages. */
export function comparedOf(release: MutableRelease): readonly ComparedNumber[] {
  return release.paths
    .flatMap((path) => {
      const [, kind = ''] = /^analytics\/(?:export\/)?(timeline|outcomes|category)\b/.exec(path) ?? []
      return kind === '' ? [] : numbersIn(path, release.at(path), kind)
    })
    .filter(({ key }) => !/^(?:median.*Days|p90Days|share.*)$/.test(key))
}

/** Of so many changes one is judged beside all documents alone. Odd: each number is tried with more and with less. */
const WHOLE_EACH = 51

/**
 * What two documents contradict each other in, all of them do. So a change is shown to the gate first with the few documents that
 * have lately seen one: reading all takes twenty times as long. What is not seen so is judged by all.
 */
export class Changes {
  readonly #release: MutableRelease
  /** What is read beside the documents that are changed; what saw the last change first. */
  readonly #beside: (readonly string[])[]
  readonly #silent = new Set<string>()
  #judged = 0

  constructor(release: MutableRelease) {
    this.#release = release
    const categories = release.paths.filter((path) => path.startsWith('analytics/category/'))
    this.#beside = [[], categories, ...release.paths.map((path) => [path])]
  }

  /** What is said of numbers that are others. @param changeOf of the number in that place */
  said(numbers: readonly ComparedNumber[], changeOf: (i: number) => number): readonly string[] {
    const values = numbers.map(({ fields, key }) => fields[key])
    for (const [i, { fields, key }] of numbers.entries()) add(fields, key, changeOf(i))
    this.#judged += 1
    const parts = this.#beside.map((beside) => [...new Set([...numbers.map(({ path }) => path), ...beside])])
    let sentences: readonly string[] = []
    const at =
      this.#judged % WHOLE_EACH === 0 ? -1 : parts.findIndex((part) => (sentences = this.#gate(part)).length > 0)
    if (at < 0) sentences = this.#release.gate()
    for (const [i, { fields, key }] of numbers.entries()) fields[key] = values[i]
    const part = parts[at]
    if (part === undefined) return sentences
    this.#beside.unshift(...this.#beside.splice(at, 1))
    if (!this.#silent.has(part.join())) expect(this.#gate(part)).toEqual([])
    this.#silent.add(part.join())
    return sentences
  }

  #gate(part: readonly string[]): readonly string[] {
    return this.#release.gate({}, () => part)
  }
}
