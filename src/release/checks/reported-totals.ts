// Owns what the documents of a release state, collected as they are made or read until all of it can be compared. Keeps sums
// only, and the short history: memory is a few numbers for each category and day.
import type { Combination } from '../../contract/kinds/register.ts'
import { snapshotPath } from '../../contract/snapshot-paths.ts'
import { recordOf } from '../../model/record-of.ts'
import { EARLY, PERIODS, UNDATED } from '../../contract/windows.ts'
import type { Manifest } from '../format/manifest.ts'
import { closedFaults, type Judged } from './invariants.ts'
import { historyFaults } from './kinds/history.ts'
import { OF_CATEGORY, STATED } from './kinds/register.ts'
import { andMore, less, type Members } from '../quantities/numbers.ts'
import { addRow, type Sums, type Where } from '../quantities/quantity.ts'
import { DATED_USERS, inWindow, LISTED, NESTED, Quantities, sumFaults, SUMMED } from '../quantities/relations.ts'
import {
  Collected,
  contradictionIn,
  faultOf,
  type ExportCombination,
  type ExportRows,
  type Stating,
} from '../quantities/rules.ts'

const IN_FILES: Where = (category) => snapshotPath({ endpoint: 'category', category })

export class ReportedTotals extends Collected {
  /** Ideas with several categories; null = not known: a release that is read back does not report it. */
  sharedIdeas: number | null = null
  /** What the files of categories sum to. */
  readonly #summed = recordOf(SUMMED, (): Sums => new Map())
  readonly #ofCategories = { files: 0, faults: 0, first: '' }

  /** A JSON document of the release that is no export. */
  take(combination: Exclude<Combination, { readonly endpoint: 'export' }>, document: object): void {
    const [path, fields] = [snapshotPath(combination), document as Members]
    if (combination.endpoint === 'category') this.#ofCategory(path, combination.category, fields)
    else (STATED[combination.endpoint] as Stating<typeof combination.endpoint>)(this, path, fields, combination)
  }

  /** The rows of the JSON of an export. */
  takeRows(combination: ExportCombination, rows: ExportRows, dataAsOf: string): void {
    const path = snapshotPath({ ...combination, format: 'json' })
    const fault = faultOf(() => rows.state(this, path, combination, dataAsOf))
    if (fault !== null) this.unstated.push(fault)
  }

  #ofCategory(path: string, category: string, file: Members): void {
    const [one, ofAll] = [new Quantities('exact'), this.#ofCategories]
    const fault = contradictionIn(one, () => OF_CATEGORY.forEach((state) => state(one, file, this.calendar)))
    if (fault !== null) {
      const sentence = `${path}: ${fault}`
      if (ofAll.faults === 0 || sentence < ofAll.first) ofAll.first = sentence
      ofAll.faults += 1
      return
    }
    ofAll.files += 1
    for (const period of PERIODS) {
      const counts = NESTED.map((field) => one.value(inWindow(field, period)))
      this.all.of[`categories in ${period}`].at(IN_FILES).set(category, counts)
    }
    for (const key of SUMMED) for (const [label, row] of one.of[key].agreed) addRow(this.#summed[key], label, row)
  }

  /** @returns what is wrong with and among the documents; one that was not read says nothing */
  faults(manifest: Judged): string[] {
    this.#manifest(manifest)
    const { files, first, faults } = this.#ofCategories
    if (files > 0 && files === this.all.value(LISTED))
      for (const key of SUMMED) this.sums.of[key].state('the files of categories', this.#summed[key], true)
    return [
      ...closedFaults(manifest, this.showing.toSorted()),
      ...this.all.differences(),
      ...historyFaults(this.histories, manifest),
      ...this.unstated.toSorted(),
      ...(faults === 0 ? [] : [andMore(first, faults - 1, 'file')]),
      ...this.#overCategories(),
    ]
  }

  #manifest({ rows, categories, ignored }: Pick<Manifest, 'rows' | 'categories' | 'ignored'>): void {
    const { all } = this
    const from = 'rows of manifest.json'
    for (const metric of ['users', 'ideas', 'votes', 'comments', 'launchedIdeas'] as const)
      all.count(inWindow(metric, 'all'), from, rows[metric])
    all.count(LISTED, from, rows.categories)
    all.count(LISTED, 'categories of manifest.json', categories.length)
    all.of.counts.agree()
    const undated = ignored
      .filter(({ relation, reason }) => relation === 'users' && (reason === UNDATED || reason === EARLY))
      .reduce((sum, { rows: accounts }) => sum + (accounts ?? 0), 0)
    const users = all.value(inWindow('users', 'all'))
    if (typeof users === 'number')
      all.set(DATED_USERS, `all users less the ${undated} undated ones in manifest.json`, users - undated)
  }

  /** Where the categories do not sum to what they must. Everything is stated, and compared but for these sums. */
  #overCategories(): string[] {
    const { all, sums } = this
    // Where categories are missing, so are their counts; what is wrong with one is not said of its sums again.
    if (all.value(LISTED) === 'odd' || PERIODS.some((period) => all.of[`categories in ${period}`].odd.size > 0))
      return []
    const different = [...sums.differences(SUMMED)]
    const ideas = inWindow('ideas', 'all')
    const more = less(sums.value(ideas) ?? 'odd', all.value(ideas) ?? 'odd')
    return [...different, ...sumFaults(all, sums, this.sharedIdeas ?? more)]
  }
}
