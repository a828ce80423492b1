// Owns what a quantity is, and the rule that it has: what several places state of one of its numbers is equal. Knows no document.
import type { Period } from '../../contract/windows.ts'
import { found } from '../../model/found.ts'
import { count } from '../../process/printable.ts'
import { addTo, andMore, type Stated } from './numbers.ts'

/** A table of numbers, whose rows have labels. */
export interface TableShape {
  /** Its columns, as messages name them. */
  readonly fields: readonly string[]
  /** How a message names a number of a row. */
  readonly name: (field: string, label: string) => string
  /** Each number has causes of its own; otherwise a sentence names the first one that is wrong, and counts the others. */
  readonly isEachSaid?: boolean
  /** The windows that it is a part of, where it is summed over the categories. */
  readonly partOf: readonly Period[]
  /** In so many of its first columns, a row that a place leaves out is 0 where the place is whole. */
  readonly listed: number
}

/** By label; undefined = of that number nothing is said. */
export type Row = readonly (Stated | undefined)[]
export type RowsByLabel = Map<string, Row>

export type Sums = Map<string, (Stated | undefined)[]>

export function addRow(sums: Sums, label: string, row: Row): void {
  const sum = found(sums, label, () => [])
  addTo(sum, row)
}

export function rowsOf(labels: readonly string[], rows: readonly Row[]): RowsByLabel {
  const byLabel: RowsByLabel = new Map()
  // Not from pairs: there are millions.
  for (let i = 0; i < rows.length; i += 1) byLabel.set(labels[i] ?? '', rows[i] ?? [])
  return byLabel
}

/** Where numbers stand: one place, or one for each row. */
export type Where = string | ((label: string) => string)

export class Quantity {
  readonly shape: TableShape
  /** What all who state a number agree on; odd = they do not. */
  agreed: RowsByLabel = new Map()
  /** The rows with a number that they do not agree on. */
  readonly odd = new Set<string>()
  /** By place; in one that is whole, a row that is left out is 0. */
  readonly #statements = new Map<Where, { readonly rows: RowsByLabel; readonly isWhole: boolean }>()
  #isWhole = false

  constructor(shape: TableShape) {
    this.shape = shape
  }

  state(where: Where, rows: RowsByLabel, isWhole = false): void {
    this.#statements.set(where, { rows, isWhole })
    this.#isWhole ||= isWhole
  }

  /** The rows of a place that states more and more. */
  at(where: Where): RowsByLabel {
    return found(this.#statements, where, () => ({ rows: new Map(), isWhole: false })).rows
  }

  value(label: string, column = 0): Stated | undefined {
    const value = this.agreed.get(label)?.[column]
    return value === undefined && this.#isWhole && column < this.shape.listed ? 0 : value
  }

  agree(): void {
    const [first] = this.#statements.values()
    // Copied whole: most rows are as the first place states them.
    this.agreed = new Map(first?.rows)
    this.odd.clear()
    const none = this.shape.fields.slice(0, this.shape.listed).map(() => 0)
    for (const { rows } of this.#statements.values()) for (const [label, row] of rows) this.#agreeOn(label, row)
    for (const { rows, isWhole } of this.#statements.values())
      for (const label of isWhole ? this.agreed.keys() : []) {
        if (rows.has(label)) continue
        rows.set(label, none)
        this.#agreeOn(label, none)
      }
  }

  #agreeOn(label: string, row: Row): void {
    const agreed = this.agreed.get(label) ?? row
    if (agreed !== row && isIn(agreed, row)) return
    const both = agreed === row ? row : this.shape.fields.map((_, i) => agreedOn(agreed[i], row[i]))
    this.agreed.set(label, both)
    if (both.includes('odd')) this.odd.add(label)
  }

  /** In a fixed order: that of reading differs. @param allowed what a number may be */
  *differences(suffix: string, allowed: (name: string) => string): Generator<string> {
    this.agree()
    const { fields, name, isEachSaid = false } = this.shape
    const columns = (label: string): number[] =>
      [...fields.keys()].filter((column) => this.value(label, column) === 'odd')
    const odd = [...this.odd].sort().flatMap((label) => columns(label).map((column) => ({ label, column })))
    for (const { label, column } of isEachSaid ? odd : odd.slice(0, 1)) {
      const called = name(fields[column] ?? '', label)
      const stated = this.#stated(label, column)
      const wrong = stated.find(({ value }) => value === 'odd')
      const sentence = wrong === undefined ? differing(stated) : `not ${allowed(called)} in ${wrong.where}`
      yield andMore(`${called}${suffix}: ${sentence}`, isEachSaid ? 0 : odd.length - 1, 'number')
    }
  }

  #stated(label: string, column: number): Said[] {
    return Array.from(this.#statements, ([where, { rows }]) => ({
      where: typeof where === 'string' ? where : where(label),
      value: rows.get(label)?.[column],
    }))
      .filter((one): one is Said => one.value !== undefined)
      .toSorted((a, b) => (a.where < b.where ? -1 : 1))
  }
}

/** Without a function of each row, of which there are millions. */
function isIn(agreed: Row, row: Row): boolean {
  for (let i = 0; i < row.length; i += 1) if (row[i] !== undefined && row[i] !== agreed[i]) return false
  return true
}

function agreedOn(one: Stated | undefined, other: Stated | undefined): Stated | undefined {
  return one === undefined || one === other ? other : other === undefined ? one : 'odd'
}

interface Said {
  readonly where: string
  readonly value: Stated
}

/** `4 in A, but 5 in B and another in 1 more` */
function differing(stated: readonly Said[]): string {
  // What most documents state comes first: one that differs is more likely wrong.
  const times = (one: Said): number => stated.filter(({ value }) => value === one.value).length
  const sorted = stated.toSorted((a, b) => times(b) - times(a))
  const [other, ...more] = sorted.filter(({ value }) => value !== sorted[0]?.value)
  const is = (one?: Said): string => `${typeof one?.value === 'number' ? count(one.value) : 'null'} in ${one?.where}`
  return `${is(sorted[0])}, but ${is(other)}${more.length === 0 ? '' : ` and another in ${count(more.length)} more`}`
}
