// Owns the invariants of a release: the rules that its reported totals must satisfy among themselves. Pure: totals in,
// sentences out, one for each cause. Reads no file.
import type { ExportType } from '../../contract/endpoints.ts'
import { combinationAt, combinations, snapshotPath, snapshotPaths } from '../../contract/snapshot-paths.ts'
import { pagePath, siteKindOf } from '../../contract/site-paths.ts'
import { count } from '../../process/printable.ts'
import { PERIODS, UNDATED, type Period } from '../../contract/windows.ts'
import { AgreedValues } from './agreed-values.ts'
import {
  countOf,
  DATED_USERS,
  METRICS,
  NESTED,
  ofAllIdeas,
  rowsOf,
  sumOf,
  SUMMED,
  totalOf,
  METRIC_NAMES,
} from './quantities.ts'
import { sumFault } from './category-sums.ts'
import { historyFaults } from './history-rules.ts'
import { firstOf } from './stated.ts'
import type { ReportedTotals } from './reported-totals.ts'
import { peopleModeOf, type Manifest } from '../format/manifest.ts'

export type Listed = Pick<Manifest, 'categories' | 'files'> & Partial<Pick<Manifest, 'site' | 'options'>>

/** The counts of a manifest. */
type Counted = Pick<Manifest, 'categories' | 'rows' | 'closed'> & Partial<Pick<Manifest, 'files' | 'options'>>

/** What the first release candidate did not have: where all of it is missing, an older program made the release. */
const ADDED_LATER: readonly string[] = [
  'analytics/export/history/',
  'analytics/timeline/',
  'analytics/outcomes.json',
  'analytics/category/',
  'analytics/export/timeline/',
  'analytics/export/outcomes/',
]

/** The files that a release may lack because of the version that made it. Its id covers the list: none was taken out. */
export function lackedByAge({ files }: Pick<Manifest, 'files'>): readonly string[] {
  return ADDED_LATER.filter((beginning) => !files.some(({ path }) => path.startsWith(beginning)))
}

/**
 * Which combinations of the categories and pages of the site have no file, and which files are neither.
 * @param lacked how the paths begin whose combinations need no file
 */
export function missingAndSurplus(listed: Listed, lacked: readonly string[] = []): string[] {
  const { categories, files } = listed
  const expected = new Set(snapshotPaths(categories.map(({ key }) => key)))
  for (const path of expected) if (lacked.some((beginning) => path.startsWith(beginning))) expected.delete(path)
  for (const path of pagesOf(listed)) expected.add(path)
  const surplus = files.flatMap(({ path }) => (expected.delete(path) || siteKindOf(path) !== null ? [] : [path]))
  return [...grouped([...expected], 'not in the manifest'), ...grouped(surplus, 'answers no combination')]
}

/** What no site lacks, whichever version made it: the page in each of its languages, and what that loads. */
function* pagesOf({ files, site, options }: Listed): Generator<string> {
  const languages = options?.site?.languages ?? []
  for (const language of languages) yield pagePath(language, languages)
  if (languages.length === 0 && files.some(({ path }) => siteKindOf(path) !== null)) yield 'index.html'
  yield* site?.assets ?? []
}

/** Which exports list ideas or what is known of them. The others have rows of buckets and metrics, also of an empty site. */
const LISTS_CONTENT: Readonly<Record<ExportType, boolean>> = {
  overview: false,
  ideas: true,
  users: false,
  categories: true,
  timeline: false,
  outcomes: true,
  history: true,
}

/** Whether a file has rows that list ideas, categories or what was published before. */
function listsContent(path: string): boolean {
  const combination = combinationAt(path, (key) => key)
  if (combination === null) return false
  switch (combination.endpoint) {
    case 'stats':
    case 'timeline':
    case 'outcomes':
      return false
    case 'trending':
    case 'categories':
    case 'category':
      return true
    case 'export':
      return LISTS_CONTENT[combination.type]
  }
}

/**
 * A release of a site that is closed shows nothing, not even how much there was.
 * @param showing paths of documents without rows that list something
 */
export function closedFaults(
  { closed, rows, categories, options, files = [] }: Counted,
  showing: readonly string[] = [],
): string[] {
  if (closed !== true) return []
  const users = peopleModeOf(options) === 'off' ? 0 : rows.users
  const totals = Object.entries({ ...rows, users, categories: Math.max(rows.categories, categories.length) })
  const listing = files.filter(({ path, rows: listed }) => listsContent(path) && listed !== 0)
  return [
    ...totals.flatMap(([what, counted]) =>
      counted === 0
        ? []
        : [
            `manifest.json: the site is closed to visitors, but ${counted === null ? 'some' : count(counted)} ${what} are counted`,
          ],
    ),
    ...grouped(
      [...listing.map(({ path }) => path), ...showing],
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
  const shared = sharedIdeas(agreed, totals.sharedIdeas)
  const sums = [...categorySums(agreed, shared)]
  return [
    ...closedFaults(manifest, totals.overTime.showing()),
    ...agreed.disagreements(),
    ...totals.unpublishable,
    ...rowCounts(agreed),
    ...datedUsers(agreed, manifest),
    ...growth(agreed),
    ...growthOfCategories(agreed, totals),
    ...launches(agreed),
    ...sums,
    ...historyFaults(totals.histories, manifest),
    // What is wrong with the sums of windows is not said of their buckets again.
    ...totals.overTime.faults((quantity) => agreed.value(quantity), sums.length === 0 ? shared : null),
  ]
}

function grouped(paths: readonly string[], fault: string): string[] {
  const [first, ...more] = paths
  if (first === undefined) return []
  return [
    `${first}: ${fault}${more.length === 0 ? '' : `; the same of ${count(more.length)} more, such as ${more[0]}`}`,
  ]
}

function* rowCounts(agreed: AgreedValues): Generator<string> {
  for (const combination of combinations([])) {
    if (combination.endpoint !== 'export' || combination.format !== 'json') continue
    const path = snapshotPath(combination)
    const json = agreed.value(rowsOf(path))
    const csv = agreed.value(rowsOf(snapshotPath({ ...combination, format: 'csv' })))
    if (json === null || csv === null || json === csv) continue
    yield `${path}: ${count(json)} rows, its CSV has ${count(csv)}`
  }
}

function* datedUsers(agreed: AgreedValues, { ignored }: Pick<Manifest, 'ignored'>): Generator<string> {
  const [users, inBuckets] = [agreed.value(totalOf('users')), agreed.value(DATED_USERS)]
  const undated = ignored.find(({ relation, reason }) => relation === 'users' && reason === UNDATED)?.rows ?? 0
  if (users === null || inBuckets === null) return
  const dated = users - undated
  if (inBuckets === dated) return
  const path = snapshotPath({ endpoint: 'export', type: 'users', period: 'all', format: 'json' })
  yield `${path}: its newUsers sum to ${count(inBuckets)}, but ${count(users)} users less the ${count(undated)} undated ones are ${count(dated)}`
}

function* growth(agreed: AgreedValues): Generator<string> {
  for (const metric of METRICS) {
    const fall = firstFall(PERIODS.map((period) => agreed.value(countOf(metric, period)) ?? Number.NaN))
    if (fall !== null) yield `${METRIC_NAMES[metric]} fall from ${fall}: a longer window contains the shorter ones`
  }
}

/** `30 in 24h to 20 in 7d`, where counts do not grow with their windows; null where they do. NaN = not known. */
function firstFall(counts: readonly number[]): string | null {
  let before: { readonly value: number; readonly period: Period } | null = null
  for (const [i, period] of PERIODS.entries()) {
    const value = counts[i] ?? Number.NaN
    if (Number.isNaN(value)) continue
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

/** Ideas with several categories; null = not known. Every idea is in at least one: more than all ideas are its further ones. */
function sharedIdeas(agreed: AgreedValues, reported: number | null): number | null {
  const [summed, all] = [agreed.value(sumOf('totalIdeas', 'all')), agreed.value(totalOf('ideas'))]
  return reported ?? (summed === null || all === null ? null : summed - all)
}

function* categorySums(agreed: AgreedValues, shared: number | null): Generator<string> {
  for (const field of SUMMED) {
    const faults = PERIODS.flatMap((period) => {
      const quantity = ofAllIdeas(field, period)
      const summed = agreed.value(sumOf(field, period))
      const all = quantity === null ? null : agreed.value(quantity)
      const fault = summed === null || all === null ? null : sumFault(`${field} in ${period}`, summed, all, shared)
      return fault === null ? [] : [fault]
    })
    yield* firstOf(faults, 'period')
  }
}
