// Owns what the documents of a release state, collected as they are made or read until all of it can be compared. Keeps sums
// only, and the short history: memory is a few numbers for each category and day.
import type { Combination } from '../../contract/kinds/register.ts'
import type { ExportRow } from '../../contract/kinds/tables.ts'
import { snapshotPath } from '../../contract/snapshot-paths.ts'
import type { PeopleMode } from '../../contract/people.ts'
import { UTC, type TimeZone } from '../../contract/time-zone.ts'
import { EARLY, UNDATED, type Period } from '../../contract/windows.ts'
import type { Manifest } from '../format/manifest.ts'
import { Calendar } from '../quantities/calendar.ts'
import { ofCategory, QUANTITIES, ROWS, STATED } from './kinds/register.ts'
import type { Collected, ExportCombination, Rows, Stating } from '../quantities/rules.ts'
import { listOf, shown, type Fields } from '../quantities/numbers.ts'
import { andMore, type Shape, type Where } from '../quantities/quantity.ts'
import { DATED_USERS, inWindow, IN_WINDOWS, LISTED, Quantities, sumFaults } from '../quantities/relations.ts'

const FILES = 'the files of categories'
const IN_FILES: Where = (category) => snapshotPath({ endpoint: 'category', category })

/** What is summed over the categories, the counts of the whole set first. */
const SUMMED: readonly (readonly [key: string, shape: Shape])[] = Object.entries(QUANTITIES)
  .filter(([, { partOf }]) => partOf !== undefined)
  .sort(([a], [b]) => Number(b === 'counts') - Number(a === 'counts'))

export class ReportedTotals implements Collected {
  /** Ideas with several categories; null = not known: a release that is read back does not report it. */
  sharedIdeas: number | null = null
  readonly all: Quantities
  readonly sums: Quantities
  readonly histories: Map<Period, readonly ExportRow[]> = new Map()
  readonly unpublishable: string[] = []
  /** The documents over time that show something: of a closed site not even where `all` begins. */
  readonly showing: string[] = []
  readonly calendar: Calendar
  readonly #faults: string[] = []
  /** One after another: most have the same rows. */
  readonly #category: Quantities
  readonly #ofCategories = { faults: 0, first: '', files: 0 }

  constructor(people: PeopleMode, zone: TimeZone = UTC) {
    this.calendar = new Calendar(zone)
    this.all = new Quantities(QUANTITIES, people)
    this.sums = new Quantities(QUANTITIES, people, ' summed over the categories')
    this.#category = new Quantities(QUANTITIES, people)
  }

  /** A JSON document of the release. */
  take(combination: Combination, document: object): void {
    const [path, fields] = [snapshotPath(combination), document as Fields]
    if (combination.endpoint === 'export') {
      const rows = ROWS[combination.type]()
      rows.add(listOf(fields['data']) as readonly ExportRow[])
      this.takeRows(combination, rows, shown(fields['dataAsOf']))
    } else if (combination.endpoint === 'category') this.#ofCategory(path, combination.category, fields)
    else (STATED[combination.endpoint] as Stating<typeof combination.endpoint>)(this, path, fields, combination)
  }

  /** The rows of the JSON of an export. */
  takeRows(combination: ExportCombination, rows: Rows, dataAsOf: string): void {
    const path = snapshotPath({ ...combination, format: 'json' })
    const fault = rows.state(this, path, combination, dataAsOf)
    if (fault !== null) this.#faults.push(`${path}: ${fault}`)
  }

  alone(path: string, state: (into: Quantities) => string | null): void {
    const alone = new Quantities(QUANTITIES, 'exact')
    const fault = state(alone) ?? contradictionIn(alone)
    // It states nothing else: that would be the same cause again.
    if (fault !== null) return void this.#faults.push(fault)
    // What agrees with itself is said once more, beside what all others say.
    state(this.all)
    if (alone.of('counts').numbers.some((n) => n !== undefined && n !== 0)) this.showing.push(path)
  }

  #ofCategory(path: string, category: string, file: Fields): void {
    const [one, ofAll] = [this.#category, this.#ofCategories]
    one.clear()
    const fault = ofCategory(one, file, this.calendar) ?? contradictionIn(one)
    if (fault !== null) {
      const sentence = `${path}: ${fault}`
      if (ofAll.faults === 0 || sentence < ofAll.first) ofAll.first = sentence
      ofAll.faults += 1
      return
    }
    ofAll.files += 1
    const inWindows = IN_WINDOWS.map((name) => one.value(name))
    this.all.statement('category', IN_FILES).put(category, inWindows)
    for (const [key] of SUMMED) {
      const [{ labels, numbers, width }, sums] = [one.of(key), this.sums.statement(key, FILES)]
      for (const [row, label] of labels.entries()) sums.add(label, numbers, row * width, width)
    }
  }

  /** States what follows from all documents. @returns what is wrong with single ones */
  end(manifest: Pick<Manifest, 'rows' | 'categories' | 'ignored'>): string[] {
    this.#manifest(manifest)
    const { files, first, faults } = this.#ofCategories
    const isComplete = files > 0 && files === this.all.value(LISTED)
    for (const [key, { listed = 0 }] of SUMMED)
      if (isComplete) this.sums.statement(key, FILES).whole.set(0, listed)
      else this.sums.of(key).drop(FILES)
    for (const key of Object.keys(QUANTITIES)) {
      const [all, sums] = [this.all.of(key), this.sums.of(key)]
      const labels = new Set([...all.labels, ...sums.labels])
      for (const quantity of [all, sums]) quantity.complete(labels)
    }
    return this.#faults.toSorted().concat(faults === 0 ? [] : andMore(first, faults - 1, 'file'))
  }

  #manifest({ rows, categories, ignored }: Pick<Manifest, 'rows' | 'categories' | 'ignored'>): void {
    const { all } = this
    const from = 'rows of manifest.json'
    for (const metric of ['users', 'ideas', 'votes', 'comments', 'launchedIdeas'] as const)
      all.count(inWindow(metric, 'all'), from, rows[metric])
    all.count(LISTED, from, rows.categories)
    all.count(LISTED, 'categories of manifest.json', categories.length)
    all.of('counts').agree()
    const undated = ignored
      .filter(({ relation, reason }) => relation === 'users' && (reason === UNDATED || reason === EARLY))
      .reduce((sum, { rows: accounts }) => sum + (accounts ?? 0), 0)
    const users = all.value(inWindow('users', 'all'))
    if (users != null && !Number.isNaN(users))
      all.set(DATED_USERS, `all users less the ${undated} undated ones in manifest.json`, users - undated)
  }

  /** Where the categories do not sum to what they must. Everything is stated, and compared but for these sums. */
  overCategories(): string[] {
    const { all, sums } = this
    // Where categories are missing, so are their counts; what is wrong with one is not said of its sums again.
    if (Number.isNaN(all.value(LISTED)) || all.of('category').numbers.some(Number.isNaN)) return []
    const different = [...sums.differences(SUMMED.map(([key]) => key))]
    const ideas = inWindow('ideas', 'all')
    const more = (sums.value(ideas) ?? Number.NaN) - (all.value(ideas) ?? Number.NaN)
    return [...different, ...sumFaults(SUMMED, all, sums, this.sharedIdeas ?? more)]
  }
}

function contradictionIn(alone: Quantities): string | null {
  const [first = null] = alone.differences()
  return first
}
