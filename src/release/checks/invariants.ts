// Owns the invariants of a release: the rules that its reported totals must satisfy among themselves. Pure: totals in,
// sentences out, one for each cause. Reads no file.
import { EXPORT_TYPES } from '../../contract/endpoints.ts'
import { combinationAt, snapshotPath, snapshotPaths } from '../../contract/snapshot-paths.ts'
import { count } from '../../process/printable.ts'
import { PERIODS, UNDATED, type Period } from '../../contract/windows.ts'
import {
  countOf,
  DATED_USERS,
  LISTED,
  METRICS,
  nameOf,
  NESTED,
  ofAllIdeas,
  Reports,
  rowsOf,
  sumOf,
  SUMMED,
  totalOf,
  METRIC_NAMES,
  type Quantity,
  type Report,
  type Summed,
} from './quantities.ts'
import { historyFaults } from './history-rules.ts'
import type { ReportedTotals } from './reported-totals.ts'
import type { Manifest } from '../format/manifest.ts'

export type Listed = Pick<Manifest, 'categories' | 'files'>

/** The counts of a manifest. */
type Counted = Pick<Manifest, 'categories' | 'rows' | 'closed'> & Partial<Pick<Manifest, 'files'>>

/** What the first release candidate did not have: where all of it is missing, an older program made the release. */
const ADDED_LATER: readonly string[] = ['analytics/export/history/']

/** The files that a release may lack because of the version that made it. Its id covers the list: none was taken out. */
export function lackedByAge({ files }: Pick<Manifest, 'files'>): readonly string[] {
  return ADDED_LATER.filter((folder) => !files.some(({ path }) => path.startsWith(folder)))
}

/**
 * Which combinations of the categories have no file, and which files are of no combination.
 * @param lacked the folders whose combinations need no file
 */
export function missingAndSurplus({ categories, files }: Listed, lacked: readonly string[] = []): string[] {
  const expected = new Set(snapshotPaths(categories.map(({ key }) => key)))
  for (const path of expected) if (lacked.some((folder) => path.startsWith(folder))) expected.delete(path)
  const surplus = files.flatMap(({ path }) => (expected.delete(path) ? [] : [path]))
  return [...grouped([...expected], 'not in the manifest'), ...grouped(surplus, 'answers no combination')]
}

/** Whether a file lists ideas, categories or what was published before. The others count buckets and metrics, which an empty release has, too. */
function listsContent(path: string): boolean {
  const combination = combinationAt(path, (key) => key)
  if (combination === null) return false
  switch (combination.endpoint) {
    case 'stats':
      return false
    case 'trending':
    case 'categories':
      return true
    case 'export':
      return combination.type !== 'overview' && combination.type !== 'users'
  }
}

/** A release of a site that is closed shows nothing, not even how much there was. */
export function closedFaults({ closed, rows, categories, files = [] }: Counted): string[] {
  if (closed !== true) return []
  const totals = Object.entries({ ...rows, categories: Math.max(rows.categories, categories.length) })
  const listing = files.filter(({ path, rows: listed }) => listsContent(path) && listed !== 0)
  return [
    ...totals.flatMap(([what, counted]) =>
      counted === 0 ? [] : [`manifest.json: the site is closed to visitors, but ${count(counted)} ${what} are counted`],
    ),
    ...grouped(
      listing.map(({ path }) => path),
      'it lists something, but the site is closed to visitors',
    ),
  ]
}

/** @param totals of the documents that could be read: a missing or damaged one has a fault of its own */
export function crossCheck(
  totals: ReportedTotals,
  manifest: Counted & Pick<Manifest, 'ignored' | 'dataAsOf' | 'mapping'>,
): string[] {
  const agreed = new AgreedValues(totals.reports, manifest)
  return [
    ...closedFaults(manifest),
    ...agreed.disagreements(),
    ...rowCounts(agreed),
    ...datedUsers(agreed, manifest.ignored),
    ...growth(agreed),
    ...growthOfCategories(agreed, totals),
    ...launches(agreed),
    ...categorySums(agreed, totals.sharedIdeas),
    ...historyFaults(totals.histories, manifest),
  ]
}

function grouped(paths: readonly string[], fault: string): string[] {
  const [first, ...more] = paths
  if (first === undefined) return []
  return [
    `${first}: ${fault}${more.length === 0 ? '' : `; the same of ${count(more.length)} more, such as ${more[0]}`}`,
  ]
}

/** Values on which all documents agree: of another one, a rule would report the same cause again. */
class AgreedValues {
  readonly #reports = new Reports()

  constructor(documents: Reports, { rows, categories }: Pick<Manifest, 'categories' | 'rows'>) {
    for (const { quantity, reports } of documents.all())
      for (const { where, value } of reports) this.#reports.add(quantity, where, value)
    for (const metric of ['users', 'ideas', 'votes', 'comments', 'launchedIdeas'] as const)
      this.#reports.add(totalOf(metric), 'rows of manifest.json', rows[metric])
    this.#reports.add(LISTED, 'rows of manifest.json', rows.categories)
    this.#reports.add(LISTED, 'categories of manifest.json', categories.length)
  }

  /** null = not reported, or not everywhere the same. */
  value(quantity: Quantity): number | null {
    const [first, ...others] = this.#reports.of(quantity)
    if (first === undefined || !isCount(first.value)) return null
    return others.every(({ value }) => value === first.value) ? first.value : null
  }

  *disagreements(): Generator<string> {
    // Where categories are missing, so are their counts.
    const withoutSums = this.value(LISTED) === null
    const named = Array.from(this.#reports.all(), ({ quantity, reports }) => ({
      quantity,
      reports,
      name: nameOf(quantity),
    }))
    // In a fixed order: that of writing differs from build to build.
    for (const { quantity, reports, name } of named.sort((a, b) => (a.name < b.name ? -1 : 1)))
      if (!(withoutSums && quantity.kind === 'sum')) yield* disagreement(name, reports)
  }
}

function* disagreement(name: string, unsorted: readonly Report[]): Generator<string> {
  const reports = unsorted.toSorted((a, b) => (a.where < b.where ? -1 : 1))
  const odd = reports.find(({ value }) => !isCount(value))
  if (odd !== undefined) return yield `${name}: not a whole number from 0 on in ${odd.where}`
  const [first, ...others] = mostFirst(reports)
  const [other, ...more] = others.filter(({ value }) => value !== first?.value)
  if (first === undefined || other === undefined) return
  yield `${name}: ${count(first.value)} in ${first.where}, but ${count(other.value)} in ${other.where}${more.length === 0 ? '' : ` and another in ${count(more.length)} more`}`
}

/** What most documents report comes first: one that differs is more likely wrong. */
function mostFirst(reports: readonly Report[]): readonly Report[] {
  const times = (value: number): number => reports.filter((one) => one.value === value).length
  return reports.toSorted((a, b) => times(b.value) - times(a.value))
}

function* rowCounts(agreed: AgreedValues): Generator<string> {
  for (const type of EXPORT_TYPES)
    for (const period of PERIODS) {
      const json = agreed.value(rowsOf(type, period, 'json'))
      const csv = agreed.value(rowsOf(type, period, 'csv'))
      if (json === null || csv === null || json === csv) continue
      yield `${snapshotPath({ endpoint: 'export', type, period, format: 'json' })}: ${count(json)} rows, its CSV has ${count(csv)}`
    }
}

function* datedUsers(agreed: AgreedValues, ignored: Manifest['ignored']): Generator<string> {
  const [users, inBuckets] = [agreed.value(totalOf('users')), agreed.value(DATED_USERS)]
  const undated = ignored
    .filter(({ relation, reason }) => relation === 'users' && reason === UNDATED)
    .reduce((sum, { rows }) => sum + rows, 0)
  if (users === null || inBuckets === null || inBuckets + undated === users) return
  const path = snapshotPath({ endpoint: 'export', type: 'users', period: 'all', format: 'json' })
  yield `${path}: its newUsers sum to ${count(inBuckets)}, but ${count(users)} users less the ${count(undated)} undated ones are ${count(users - undated)}`
}

function* growth(agreed: AgreedValues): Generator<string> {
  for (const metric of METRICS) {
    const fall = firstFall(PERIODS.map((period) => agreed.value(countOf(metric, period))))
    if (fall !== null) yield `${METRIC_NAMES[metric]} fall from ${fall}: a longer window contains the shorter ones`
  }
}

/** `30 in 24h to 20 in 7d`, where counts do not grow with their windows; null where they do. */
function firstFall(counts: readonly (number | null)[]): string | null {
  let before: { readonly value: number; readonly period: Period } | null = null
  for (const [i, period] of PERIODS.entries()) {
    const value = counts[i] ?? null
    if (value === null || Number.isNaN(value)) continue
    if (before !== null && value < before.value)
      return `${count(before.value)} in ${before.period} to ${count(value)} in ${period}`
    before = { value, period }
  }
  return null
}

function* growthOfCategories(agreed: AgreedValues, totals: ReportedTotals): Generator<string> {
  for (const field of NESTED) {
    if (PERIODS.some((period) => agreed.value(sumOf(field, period)) === null)) continue
    let first: string | null = null
    let more = 0
    for (const category of totals.categories) {
      const fall = firstFall(totals.nested(category, field))
      if (fall === null) continue
      if (first === null) first = `${field} of category ${JSON.stringify(category)} fall from ${fall}`
      else more += 1
    }
    if (first !== null) yield more === 0 ? first : `${first}; the same in ${count(more)} more categories`
  }
}

function* launches(agreed: AgreedValues): Generator<string> {
  const launched = agreed.value(totalOf('launchedIdeas'))
  const ideas = agreed.value(totalOf('ideas'))
  if (launched !== null && ideas !== null && launched > ideas)
    yield `total launched ideas are ${count(launched)}, more than the ${count(ideas)} ideas that there are`
}

function* categorySums(agreed: AgreedValues, sharedIdeas: number | null): Generator<string> {
  // Every idea is in at least one category: the difference counts its further ones.
  const further = difference(agreed, 'totalIdeas', 'all')
  const shared = sharedIdeas ?? further
  for (const field of SUMMED) {
    const faults = PERIODS.flatMap((period) => {
      const more = difference(agreed, field, period)
      if (more === null || (more >= 0 && !(more > 0 && shared === 0))) return []
      const why = more < 0 ? 'every idea is in one at least' : 'no idea is in two'
      return [
        `${field} in ${period}: the categories sum to ${count(Math.abs(more))} ${more < 0 ? 'less' : 'more'} than all ideas, but ${why}`,
      ]
    })
    const [first, ...others] = faults
    if (first !== undefined)
      yield others.length === 0
        ? first
        : `${first}; the same in ${count(others.length)} more ${others.length === 1 ? 'period' : 'periods'}`
  }
}

/** How much more the categories sum to than all ideas have; null = not known. */
function difference(agreed: AgreedValues, field: Summed, period: Period): number | null {
  const summed = agreed.value(sumOf(field, period))
  const quantity = ofAllIdeas(field, period)
  const all = quantity === null ? null : agreed.value(quantity)
  return summed === null || all === null ? null : summed - all
}

function isCount(value: number): boolean {
  return Number.isSafeInteger(value) && value >= 0
}
