// Owns the invariants of a release: the rules that its reported totals must satisfy among themselves. Pure: totals in,
// sentences out, one for each cause. Reads no file.
import { BULK_PATH, isArchived, isTable, listing, snapshotPaths } from '../../contract/snapshot-paths.ts'
import { pagePath, siteKindOf } from '../../contract/site-paths.ts'
import { count } from '../../process/printable.ts'
import type { Manifest } from '../format/manifest.ts'

export type Listed = Pick<Manifest, 'categories' | 'files' | 'site' | 'options' | 'month'>

/** What of its manifest the documents of a release are judged by. */
export type Judged = Pick<
  Manifest,
  'rows' | 'categories' | 'ignored' | 'dataAsOf' | 'mapping' | 'closed' | 'files' | 'options'
>

/** Which combinations of the categories and pages of the site have no file, and which files are neither. */
export function missingAndSurplus(listed: Listed): string[] {
  const { categories, files, month } = listed
  // An archive stays for years: what a later version adds is not missing there.
  const ofMonth = files.flatMap(({ path }) => (isArchived(path) ? [path] : []))
  const expected = new Set(month === undefined ? snapshotPaths(categories.map(({ key }) => key)) : ofMonth)
  for (const path of pagesOf(listed)) expected.add(path)
  const surplus = files.flatMap(({ path }) => (expected.delete(path) || siteKindOf(path) !== null ? [] : [path]))
  return [...firstOf([...expected], 'not in the manifest'), ...firstOf(surplus, 'answers no combination')]
}

/** Larger tables may be too large for one archive, compressed or not. */
const MAX_TABLES_BYTES = 2 ** 31

/** What no site lacks, whichever version made it: the page in each of its languages, what that loads, and the archive. */
function* pagesOf({ site, options, files }: Listed): Generator<string> {
  const bytes = files.reduce((sum, file) => sum + (isTable(file.path) ? file.bytes : 0), 0)
  if (site !== undefined && bytes < MAX_TABLES_BYTES) yield BULK_PATH
  const languages = options.site?.languages ?? []
  for (const language of languages) yield pagePath(language, languages)
  yield* site?.assets ?? []
}

/**
 * A release of a site that is closed shows nothing, not even how much there was.
 * @param showing paths of documents without rows that list something
 */
export function closedFaults(
  { closed, rows, categories, options, files }: Judged,
  showing: readonly string[] = [],
): string[] {
  if (closed !== true) return []
  const users = options.people === 'off' ? 0 : rows.users
  const totals = Object.entries({ ...rows, users, categories: Math.max(rows.categories, categories.length) })
  const counted = totals.filter(([, n]) => n !== 0)
  const lists = files.filter(({ path, rows: listed }) => listing(path) != null && listed !== 0)
  return [
    ...counted.map(
      ([what, n]) =>
        `manifest.json: the site is closed to visitors, but ${n === null ? 'some' : count(n)} ${what} are counted`,
    ),
    ...firstOf(
      [...lists.map(({ path }) => path), ...showing],
      'it lists something, but the site is closed to visitors',
    ),
  ]
}

function firstOf(paths: readonly string[], fault: string): string[] {
  const [first, ...more] = paths
  if (first === undefined) return []
  return [
    `${first}: ${fault}${more.length === 0 ? '' : `; the same of ${count(more.length)} more, such as ${more[0]}`}`,
  ]
}
