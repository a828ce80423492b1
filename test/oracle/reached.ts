// Owns what a comparison has seen: documents and rows by kind, and which of the cases that databases are generated for.
import type { Combination } from '../../src/contract/kinds/register.ts'

type Fields = Readonly<Record<string, unknown>>

const isAbove = (limit: number, value: unknown): boolean => typeof value === 'number' && value > limit
const COUNTS = ['ideas', 'votes', 'comments', 'launchedIdeas']
const AGES = ['launchedWithin30Days', 'launchedWithin90Days', 'launchedWithin365Days']

/** By the list or the member of a document in which each is. */
const CASES: readonly [what: string, where: string, isIt: (row: Fields) => boolean][] = [
  ['a trending idea', 'ideas', (row) => row['rank'] === 1],
  ...COUNTS.map((key): (typeof CASES)[number] => [`a bucket with ${key}`, 'buckets', (row) => isAbove(0, row[key])]),
  ...COUNTS.map((key): (typeof CASES)[number] => [`undated: ${key}`, 'undated', (row) => isAbove(0, row[key])]),
  ['an empty bucket', 'buckets', (row) => COUNTS.every((key) => row[key] === 0)],
  ['a row of a category', 'data', (row) => 'bucket' in row && typeof row['category'] === 'string'],
  ['a status', 'statuses', ({ status }) => typeof status === 'string'],
  ['no status', 'statuses', ({ status }) => status === null],
  ['a median', 'launched', ({ medianDays }) => isAbove(0, medianDays)],
  ['a median of 0', 'launched', ({ medianDays }) => medianDays === 0],
  ['no median', 'launched', ({ ideas, medianDays }) => isAbove(0, ideas) && medianDays === null],
  ['a p90 that is not the median', 'launched', ({ medianDays, p90Days }) => p90Days !== medianDays],
  ['a cohort without ideas', 'cohorts', ({ ideas, month }) => ideas === 0 && month !== null],
  ['a cohort without a month', 'cohorts', ({ month }) => month === null],
  ...AGES.flatMap((key): (typeof CASES)[number][] => [
    [`${key} above 0`, 'cohorts', (row) => isAbove(0, row[key])],
    [`${key} below launchedIdeas`, 'cohorts', (row) => isAbove(Number(row[key] ?? Infinity), row['launchedIdeas'])],
    [`${key} not known`, 'cohorts', (row) => row['month'] !== null && row[key] === null],
  ]),
  ['launched without a date, long ago', 'cohorts', (row) => isAbove(1, row['ideas']) && row[AGES[0] ?? ''] === null],
  ['an undated row in an export', 'data', (row) => 'month' in row && row['month'] === null],
  ['a row of outcomes of a category', 'data', (row) => 'month' in row && typeof row['category'] === 'string'],
]

export class Reached {
  readonly #kinds = new Map<string, { documents: number; rows: number }>()
  readonly #cases = new Set<string>()

  add(combination: Combination, document: object): void {
    const kind = kindOf(combination)
    const sums = this.#kinds.get(kind) ?? { documents: 0, rows: 0 }
    this.#kinds.set(kind, sums)
    sums.documents += 1
    for (const { where, row, isListed } of objectsIn(document)) {
      if (isListed) sums.rows += 1
      for (const [what, place, isIt] of CASES) if (place === where && isIt(row)) this.#cases.add(what)
    }
  }

  /** Cases that never came up. */
  missing(): string[] {
    return CASES.map(([what]) => what).filter((what) => !this.#cases.has(what))
  }

  /** Kinds of documents that never had a row. */
  empty(): string[] {
    return [...this.#kinds].filter(([, { rows }]) => rows === 0).map(([kind]) => kind)
  }

  table(): object {
    return Object.fromEntries([...this.#kinds].sort(([a], [b]) => (a < b ? -1 : 1)))
  }
}

function kindOf(combination: Combination): string {
  const { endpoint } = combination
  if (endpoint === 'export') {
    const { type, period, interval, format } = combination
    return `export ${type} ${period === 'all' ? `all${interval === undefined ? '' : ' by day'}` : 'bounded'} ${format}`
  }
  if (endpoint === 'timeline') return `timeline ${combination.period} by ${combination.interval}`
  if (endpoint === 'trending') return `trending${combination.category === null ? '' : ' of a category'}`
  return endpoint === 'category' ? 'category file: 5 timelines and outcomes' : endpoint
}

function* objectsIn(
  value: unknown,
  where = '',
  isListed = false,
): Generator<{ where: string; row: Fields; isListed: boolean }> {
  if (typeof value !== 'object' || value === null) return
  if (Array.isArray(value)) {
    for (const one of value) yield* objectsIn(one, where, true)
    return
  }
  yield { where, row: value as Fields, isListed }
  for (const [key, inner] of Object.entries(value)) yield* objectsIn(inner, key)
}
