// The numbers of documents, one by one, and whether the gate sees that one is another.
import { add, type Counts, type MutableRelease } from '../verify/mutable-release.ts'

export interface NumberOf {
  readonly fields: Counts
  readonly key: string
  readonly name: string
  /** Where it is in documents of its kind, without places in lists. */
  readonly at: string
}

/** No rule sees these (docs/operations.md, "The gate"). */
export const NEVER_SEEN: readonly string[] = ['outcomes years activeUsers']
/** The categories may sum to more than the whole site: an idea may be in two. */
export const SEEN_IF_LESS: readonly string[] = ['category outcomes launched votes']

/** A value of a row that is about a metric has a name of its own. The rows themselves are counted when they are read. */
export function numbersIn(fields: Counts, kind: string, at: string = kind): NumberOf[] {
  const { metric } = fields
  return Object.entries(fields).flatMap(([key, value]) => {
    const place = Array.isArray(fields) ? at : `${at} ${key}`
    if (typeof value === 'object' && value !== null) return numbersIn(value as Counts, kind, place)
    if (typeof value !== 'number' || key === 'rowCount') return []
    const ofMetric = typeof metric === 'string' && /value$/i.test(key) ? ` of ${metric}` : ''
    return [{ fields, key, name: `${kind}: ${key}${ofMetric}`, at: place }]
  })
}

export interface ComparedNumber extends NumberOf {
  readonly path: string
}

/** All but shares and the days of launches. */
export function comparedOf(release: MutableRelease): readonly ComparedNumber[] {
  return release.paths
    .flatMap((path) => {
      const [, kind = ''] = /^analytics\/(?:export\/)?(timeline|outcomes|category)\b/.exec(path) ?? []
      return kind === '' ? [] : numbersIn(release.at(path), kind).map((one) => ({ ...one, path }))
    })
    .filter(({ key }) => !/^(?:medianDays|p90Days|share.*)$/.test(key))
}

/** @param read the documents that are read */
export function isSeen(
  release: MutableRelease,
  { fields, key }: NumberOf,
  change: number,
  read: readonly string[] = release.paths,
): boolean {
  const value = fields[key]
  add(fields, key, change)
  const sentences = release.gate({}, () => read)
  fields[key] = value
  return sentences.length > 0
}
