// Owns the rows of exports over time: those of all ideas, one for each bucket, and those by category. The latter are added up as they come:
// there may be millions.
import { ownInterval, type Period } from '../../../contract/windows.ts'
import { found } from '../../../model/found.ts'
import type { Span } from '../../../model/time-cells.ts'
import { addTo, Fault, shown, type Members, type Stated } from '../../quantities/numbers.ts'
import { addRow, rowsOf, type RowsByLabel, type Sums } from '../../quantities/quantity.ts'
import { NESTED, type ShapeName } from '../../quantities/relations.ts'
import { fewRows, type Collected, type ExportCombination, type ExportRows } from '../../quantities/rules.ts'

export interface SeriesKind {
  readonly column: 'bucket' | 'month'
  /** The numbers of a row: the first four are 0 where it counts nothing. */
  readonly numbersOf: (row: Members) => readonly Stated[]
  /** The quantity that its rows are of, and its buckets. */
  readonly of: (combination: Required<ExportCombination>) => { readonly quantity: ShapeName; readonly span: Span }
}

/** What else the rows of a period state. */
type More<Rows> = (into: Collected, path: string, period: Period, rows: Rows) => void

function withInterval(combination: ExportCombination): Required<ExportCombination> {
  return { interval: ownInterval(combination.period), ...combination } as Required<ExportCombination>
}

export function rowsOfAll({ column, numbersOf, of }: SeriesKind, more?: More<number>): () => ExportRows {
  return fewRows((all, into, path, combination, dataAsOf) => {
    const { period } = combination
    const { quantity, span } = of(withInterval(combination))
    const dated = all.at(-1)?.[column] === null && period === 'all' ? all.slice(0, -1) : all
    const { names } = into.calendar.bucketsOf(path, dated, column, span, dataAsOf)
    const labels = all.map((_, i) => names[i] ?? 'null')
    into.all.of[quantity].state(path, rowsOf(labels, all.map(numbersOf)))
    more?.(into, path, period, all.length)
  })
}

/** Rows that count nothing are left out. */
export function rowsByCategory({ column, numbersOf, of }: SeriesKind, more?: More<RowsByLabel>): () => ExportRows {
  return () => {
    const byLabel: Sums = new Map()
    // A number that some rows do not have is the sum of those that others have.
    const nothing = (): Stated[] => numbersOf({}).map(() => 0)
    const byCategory: Sums = new Map()
    let [rows, fault]: [number, string | null] = [0, null]
    return {
      add(batch) {
        for (const row of batch) {
          rows += 1
          const numbers = numbersOf(row)
          addTo(found(byLabel, shown(row[column]), nothing), numbers)
          addRow(byCategory, shown(row['category']), numbers)
          if (fault === null && NESTED.every((_, i) => numbers[i] === 0)) fault = `row ${rows}: it counts nothing`
        }
      },
      state(into, path, combination, dataAsOf) {
        if (fault !== null) throw new Fault(`${path}: ${fault}`)
        const { period } = combination
        const { quantity, span } = of(withInterval(combination))
        const { labels, names } = into.calendar.window(path, column, { period, interval: span.interval }, dataAsOf)
        const known = period === 'all' ? [...labels, 'null'] : labels
        const odd = [...byLabel.keys()].find((label) => !known.includes(label))
        if (odd !== undefined) throw new Fault(`${path}: its ${column} ${odd} is none of its window`)
        const sums = known.map((label) => byLabel.get(label) ?? nothing())
        into.sums.of[quantity].state(path, rowsOf(span.period === 'all' ? known : names, sums))
        more?.(into, path, period, byCategory)
      },
    }
  }
}
