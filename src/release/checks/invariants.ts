// Owns the rules that the figures of a release must satisfy among themselves. Pure: figures in, sentences out, one for
// each cause. Reads no file.
import { EXPORT_TYPES } from '../../contract/endpoints.ts'
import { snapshotPath, snapshotPaths } from '../../contract/snapshot-paths.ts'
import { PERIODS, UNDATED, type Period } from '../../contract/windows.ts'
import {
  DATED_USERS,
  LISTED,
  NESTED,
  ofAllIdeas,
  overCategories,
  quantity,
  rowsOf,
  SUMMED,
  WINDOWED,
  type ReportedTotals,
  type Stated,
} from './reported-totals.ts'
import type { Manifest } from '../format/manifest.ts'

export type Listed = Pick<Manifest, 'categories' | 'files'>

/** What of a manifest says how much there is. */
type Counted = Pick<Manifest, 'categories' | 'rows' | 'closed'> & Partial<Pick<Manifest, 'files'>>

/** What is missing of the combinations that the categories make, and what is there beside them. */
export function missingAndSurplus({ categories, files }: Listed): string[] {
  const expected = new Set(snapshotPaths(categories.map(({ key }) => key)))
  const surplus = files.flatMap(({ path }) => (expected.delete(path) ? [] : [path]))
  return [...grouped([...expected], 'not in the manifest'), ...grouped(surplus, 'answers no combination')]
}

/** What lists ideas or categories; the other files count buckets and metrics, which an empty release has, too. */
const LISTS = /^analytics\/(?:trending|categories|export\/(?:ideas|categories))\//

/** A release of a site that is closed shows nothing, not even how much there was. */
export function closedFaults({ closed, rows, categories, files = [] }: Counted): string[] {
  if (closed !== true) return []
  const counted = Object.entries({ ...rows, categories: Math.max(rows.categories, categories.length) })
  const listing = files.filter(({ path, rows: listed }) => LISTS.test(path) && listed !== 0)
  return [
    ...counted.flatMap(([what, count]) =>
      count === 0 ? [] : [`manifest.json: the site is closed to visitors, but ${n(count)} ${what} are counted`],
    ),
    ...grouped(
      listing.map(({ path }) => path),
      'it lists something, but the site is closed to visitors',
    ),
  ]
}

/** @param figures what could be taken: of a document that is missing or damaged nothing, which others have said */
export function crossCheck(figures: ReportedTotals, manifest: Counted & Pick<Manifest, 'ignored'>): string[] {
  const known = new Known(figures, manifest)
  return [
    ...closedFaults(manifest),
    ...known.disagreements(),
    ...rowCounts(known),
    ...datedUsers(known, manifest.ignored),
    ...growth(known),
    ...growthOfCategories(known, figures),
    ...launches(known),
    ...categorySums(known, figures.sharedIdeas),
  ]
}

function grouped(paths: readonly string[], fault: string): string[] {
  const [first, ...more] = paths
  if (first === undefined) return []
  return [`${first}: ${fault}${more.length === 0 ? '' : `; the same of ${n(more.length)} more, such as ${more[0]}`}`]
}

/** Quantities on whose value everybody agrees: a rule about another one would name the same cause again. */
class Known {
  readonly #stated: ReadonlyMap<string, readonly Stated[]>

  constructor({ stated }: ReportedTotals, { rows, categories }: Pick<Manifest, 'categories' | 'rows'>) {
    const listed: readonly (readonly [string, number])[] = [
      [quantity('users', 'all'), rows.users],
      [quantity('ideas', 'all'), rows.ideas],
      [quantity('votes', 'all'), rows.votes],
      [quantity('comments', 'all'), rows.comments],
      [quantity('launched ideas', 'all'), rows.launchedIdeas],
      [LISTED, rows.categories],
    ]
    const all = new Map(stated)
    for (const [what, value] of listed)
      all.set(what, [...(stated.get(what) ?? []), { where: 'rows of manifest.json', value }])
    all.set(LISTED, [...(all.get(LISTED) ?? []), { where: 'categories of manifest.json', value: categories.length }])
    // In a fixed order: that of writing differs from build to build.
    this.#stated = new Map([...all].sort(([a], [b]) => (a < b ? -1 : 1)))
  }

  /** null = nobody says, or not everybody says the same. */
  value(what: string): number | null {
    const [first, ...others] = this.#stated.get(what) ?? []
    if (first === undefined || !isCount(first.value)) return null
    return others.every(({ value }) => value === first.value) ? first.value : null
  }

  *disagreements(): Generator<string> {
    // Where categories are missing, so are their counts.
    const sums = new Set(this.value(LISTED) === null ? PERIODS.flatMap(allSums) : [])
    for (const [what, unsorted] of this.#stated) {
      if (sums.has(what)) continue
      const stated = unsorted.toSorted((a, b) => (a.where < b.where ? -1 : 1))
      const odd = stated.find(({ value }) => !isCount(value))
      if (odd !== undefined) {
        yield `${what}: not a whole number from 0 on in ${odd.where}`
        continue
      }
      const [first, ...others] = mostFirst(stated)
      const [other, ...more] = others.filter(({ value }) => value !== first?.value)
      if (first === undefined || other === undefined) continue
      yield `${what}: ${n(first.value)} in ${first.where}, but ${n(other.value)} in ${other.where}${more.length === 0 ? '' : ` and another in ${n(more.length)} more`}`
    }
  }
}

function allSums(period: Period): string[] {
  return SUMMED.map((count) => overCategories(count, period))
}

/** What most say stands first: the one that says otherwise is more likely wrong. */
function mostFirst(stated: readonly Stated[]): readonly Stated[] {
  const times = (value: number): number => stated.filter((one) => one.value === value).length
  return stated.toSorted((a, b) => times(b.value) - times(a.value))
}

function* rowCounts(known: Known): Generator<string> {
  for (const type of EXPORT_TYPES)
    for (const period of PERIODS) {
      const json = known.value(rowsOf(type, period, 'json'))
      const csv = known.value(rowsOf(type, period, 'csv'))
      if (json === null || csv === null || json === csv) continue
      yield `${snapshotPath({ endpoint: 'export', type, period, format: 'json' })}: ${n(json)} rows, its CSV has ${n(csv)}`
    }
}

function* datedUsers(known: Known, ignored: Manifest['ignored']): Generator<string> {
  const [users, inBuckets] = [known.value(quantity('users', 'all')), known.value(DATED_USERS)]
  const undated = ignored
    .filter(({ relation, reason }) => relation === 'users' && reason === UNDATED)
    .reduce((sum, { rows }) => sum + rows, 0)
  if (users === null || inBuckets === null || inBuckets + undated === users) return
  const path = snapshotPath({ endpoint: 'export', type: 'users', period: 'all', format: 'json' })
  yield `${path}: its newUsers sum to ${n(inBuckets)}, but ${n(users)} users less the ${n(undated)} undated ones are ${n(users - undated)}`
}

function* growth(known: Known): Generator<string> {
  for (const what of WINDOWED) {
    const counts = PERIODS.map((period) => known.value(quantity(what, period)))
    const fall = firstFall(counts)
    if (fall !== null) yield `${what} fall from ${fall}: a longer window holds what a shorter one does`
  }
}

/** `30 in 24h to 20 in 7d`, where counts do not grow with their windows; null where they do. */
function firstFall(counts: readonly (number | null)[]): string | null {
  let before: { readonly count: number; readonly period: Period } | null = null
  for (const [i, period] of PERIODS.entries()) {
    const count = counts[i] ?? null
    if (count === null || Number.isNaN(count)) continue
    if (before !== null && count < before.count)
      return `${n(before.count)} in ${before.period} to ${n(count)} in ${period}`
    before = { count, period }
  }
  return null
}

function* growthOfCategories(known: Known, figures: ReportedTotals): Generator<string> {
  for (const what of NESTED) {
    if (PERIODS.some((period) => known.value(overCategories(what, period)) === null)) continue
    let first: string | null = null
    let more = 0
    for (const category of figures.categories) {
      const fall = firstFall(figures.nested(category, what))
      if (fall === null) continue
      if (first === null) first = `${what} of category ${JSON.stringify(category)} fall from ${fall}`
      else more += 1
    }
    if (first !== null) yield more === 0 ? first : `${first}; the same in ${n(more)} more categories`
  }
}

function* launches(known: Known): Generator<string> {
  const launched = known.value(quantity('launched ideas', 'all'))
  const ideas = known.value(quantity('ideas', 'all'))
  if (launched !== null && ideas !== null && launched > ideas)
    yield `total launched ideas are ${n(launched)}, more than the ${n(ideas)} ideas that there are`
}

function* categorySums(known: Known, sharedIdeas: number | null): Generator<string> {
  // Every idea is in a category, so that what the sum has more are the further ones.
  const further = difference(known, 'totalIdeas', 'all')
  const shared = sharedIdeas ?? further
  for (const count of SUMMED) {
    const faults = PERIODS.flatMap((period) => {
      const more = difference(known, count, period)
      if (more === null || (more >= 0 && !(more > 0 && shared === 0))) return []
      const why = more < 0 ? 'every idea is in one at least' : 'no idea is in two'
      return [
        `${count} in ${period}: the categories sum to ${n(Math.abs(more))} ${more < 0 ? 'less' : 'more'} than all ideas, but ${why}`,
      ]
    })
    const [first, ...others] = faults
    if (first !== undefined)
      yield others.length === 0
        ? first
        : `${first}; the same in ${n(others.length)} more ${others.length === 1 ? 'period' : 'periods'}`
  }
}

/** How much more the categories sum to than all ideas have; null = not known. */
function difference(known: Known, count: (typeof SUMMED)[number], period: Period): number | null {
  const sum = known.value(overCategories(count, period))
  const what = ofAllIdeas(count, period)
  const all = what === null ? null : known.value(what)
  return sum === null || all === null ? null : sum - all
}

function isCount(value: number): boolean {
  return Number.isSafeInteger(value) && value >= 0
}

const n = (value: number): string => value.toLocaleString('en')
