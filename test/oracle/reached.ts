// Owns what a comparison has seen: rows by kind of document.
import type { Combination } from '../../src/contract/kinds/register.ts'

export class Reached {
  readonly #rows = new Map<string, number>()

  add(combination: Combination, document: object): void {
    const kind = kindOf(combination)
    this.#rows.set(kind, (this.#rows.get(kind) ?? 0) + listedIn(document))
  }

  /** Kinds of documents that never had a row. */
  empty(): string[] {
    return [...this.#rows].filter(([, rows]) => rows === 0).map(([kind]) => kind)
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

/** Objects in lists, however deep. */
function listedIn(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 0
  const inside = Object.values(value).reduce((sum: number, one) => sum + listedIn(one), 0)
  return Array.isArray(value) ? inside + value.filter((one) => typeof one === 'object').length : inside
}
