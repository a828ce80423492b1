// Owns the rows of an export over time: one for each bucket of all ideas, then those of each category. They are added up as
// they come: there may be millions.
import type { ExportRow } from '../../../contract/kinds/tables.ts'
import { ownInterval } from '../../../contract/windows.ts'
import type { Span } from '../../../model/time-cells.ts'
import { shown, type Fields } from '../../quantities/numbers.ts'
import type { Stated } from '../../quantities/quantity.ts'
import { NESTED } from '../../quantities/relations.ts'
import type { Collected, ExportCombination, Rows } from '../../quantities/rules.ts'

export interface SeriesKind {
  /** The column of its buckets. */
  readonly column: 'bucket' | 'month'
  /** The numbers of a row: the first four are 0 where it counts nothing. */
  readonly numbersOf: (row: Fields) => readonly Stated[]
  /** The quantity that its rows are of, and its buckets. */
  readonly of: (combination: Required<ExportCombination>) => { readonly quantity: string; readonly span: Span }
  /** @param byCategory what the rows of each category add up to; its keys are texts, or what stands in their place */
  readonly more: (
    into: Collected,
    path: string,
    combination: ExportCombination,
    all: readonly ExportRow[],
    byCategory: Sums,
  ) => void
}

type Sums = ReadonlyMap<unknown, readonly number[]>

/** What is not known adds nothing. */
function addTo(sums: Map<unknown, number[]>, key: unknown, numbers: readonly Stated[]): void {
  let sum = sums.get(key)
  if (sum === undefined) sums.set(key, (sum = numbers.map(() => 0)))
  for (let i = 0; i < sum.length; i += 1) sum[i] = (sum[i] ?? 0) + (numbers[i] ?? 0)
}

export function rowsOverTime({ column, numbersOf, of, more }: SeriesKind): () => Rows {
  return () => {
    const all: ExportRow[] = []
    const byLabel = new Map<unknown, number[]>()
    const byCategory = new Map<unknown, number[]>()
    let [rows, fault]: [number, string | null] = [0, null]
    const take = (row: ExportRow): string | null => {
      const { category = null, [column]: label = null } = row
      const numbers = numbersOf(row)
      if (category === null) {
        all.push(row)
        const none = numbers.map(() => 0)
        byLabel.set(label, none)
        return null
      }
      if (!byLabel.has(label)) return `row ${rows}: its ${column} ${shown(label)} has no row of all ideas before it`
      addTo(byLabel, label, numbers)
      addTo(byCategory, category, numbers)
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
        if (fault !== null) return fault
        const own = ownInterval(combination.period)
        const { quantity, span } = of({ interval: own, ...combination } as Required<ExportCombination>)
        const dated = all.at(-1)?.[column] === null && combination.period === 'all' ? all.slice(0, -1) : all
        const buckets = into.calendar.bucketsOf(dated, column, span, dataAsOf)
        if (typeof buckets === 'string') return buckets
        for (const [i, row] of all.entries()) {
          const label = buckets.names[i] ?? 'null'
          into.all.statement(quantity, path).put(label, numbersOf(row))
          // By day they are of no category.
          if ((combination.interval ?? own) === own)
            into.sums.statement(quantity, path).put(label, byLabel.get(row[column] ?? null) ?? [])
        }
        more(into, path, combination, all, byCategory)
        return null
      },
    }
  }
}
