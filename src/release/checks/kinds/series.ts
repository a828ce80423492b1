// Owns the rows of an export over time: one for each bucket of all ideas, then those of each category. They are added up as
// they come: there may be millions.
import type { ExportRow } from '../../../contract/kinds/tables.ts'
import { ownInterval } from '../../../contract/windows.ts'
import type { Span } from '../../../model/time-cells.ts'
import { addTo, Fault, shown, type Members, type Stated } from '../../quantities/numbers.ts'
import { addRow, rowsOf, type RowsByLabel, type Sums } from '../../quantities/quantity.ts'
import { NESTED, type ShapeName } from '../../quantities/relations.ts'
import type { Collected, ExportCombination, ExportRows } from '../../quantities/rules.ts'

export interface SeriesKind {
  readonly column: 'bucket' | 'month'
  /** The numbers of a row: the first four are 0 where it counts nothing. */
  readonly numbersOf: (row: Members) => readonly Stated[]
  /** The quantity that its rows are of, and its buckets. */
  readonly of: (combination: Required<ExportCombination>) => { readonly quantity: ShapeName; readonly span: Span }
  /** @param byCategory what the rows of each category add up to */
  readonly more: (
    into: Collected,
    path: string,
    combination: ExportCombination,
    all: readonly ExportRow[],
    byCategory: RowsByLabel,
  ) => void
}

export function rowsOverTime({ column, numbersOf, of, more }: SeriesKind): () => ExportRows {
  return () => {
    const all: ExportRow[] = []
    const byLabel = new Map<unknown, Stated[]>()
    const byCategory: Sums = new Map()
    let [rows, fault]: [number, string | null] = [0, null]
    const take = (row: ExportRow): string | null => {
      const { category = null, [column]: label = null } = row
      const numbers = numbersOf(row)
      if (category === null) {
        all.push(row)
        byLabel.set(
          label,
          numbers.map(() => 0),
        )
        return null
      }
      const ofLabel = byLabel.get(label)
      if (ofLabel === undefined) return `row ${rows}: its ${column} ${shown(label)} has no row of all ideas before it`
      addTo(ofLabel, numbers)
      addRow(byCategory, shown(category), numbers)
      return NESTED.every((_, i) => numbers[i] === 0) ? `row ${rows}: it counts nothing, and is of a category` : null
    }
    return {
      add(batch) {
        for (const row of batch) {
          rows += 1
          fault ??= take(row)
        }
      },
      state(into, path, combination, dataAsOf) {
        if (fault !== null) throw new Fault(`${path}: ${fault}`)
        const own = ownInterval(combination.period)
        const { quantity, span } = of({ interval: own, ...combination } as Required<ExportCombination>)
        const dated = all.at(-1)?.[column] === null && combination.period === 'all' ? all.slice(0, -1) : all
        const { names } = into.calendar.bucketsOf(path, dated, column, span, dataAsOf)
        const labels = all.map((_, i) => names[i] ?? 'null')
        into.all.of[quantity].state(path, rowsOf(labels, all.map(numbersOf)))
        // By day they are of no category.
        if ((combination.interval ?? own) === own)
          into.sums.of[quantity].state(path, rowsOf(labels, [...byLabel.values()]))
        more(into, path, combination, all, byCategory)
      },
    }
  }
}
