// Owns what a quantity is, and what must hold inside one: what several places state of a number is equal, and numbers that
// contain one another grow. Knows no document.
import { count } from '../../process/printable.ts'

/** A table of numbers. Its rows come as they are stated. */
export interface Shape {
  /** Its columns, as messages name them. */
  readonly fields: readonly string[]
  /** How a message names a number of a row. */
  readonly name: (field: string, label: string) => string
  /** Fields of a row of which each is at most the next one. */
  readonly grow?: readonly (readonly string[])[]
  /** The same of rows; then each has causes of its own: a sentence says nothing of the others. */
  readonly rowsGrow?: readonly (readonly string[])[]
}

/** Where a number stands: one place, or one that depends on the number. */
export type Where = string | ((label: string, field: string) => string)

/** Stated in place of a number, or nobody knows because what is stated differs. NaN = nobody states it. */
export const ODD: number = Number.POSITIVE_INFINITY

/** A place states that a number is not known: that is equal to itself only, and adds nothing. */
export const UNKNOWN: number = Number.NEGATIVE_INFINITY

/** What one place states of a quantity. */
export class Statement {
  readonly where: Where
  readonly #of: Quantity
  values: Float64Array
  /** By the first, how many columns it has every row of that is not 0. */
  readonly #whole = new Map<number, number>()

  constructor(where: Where, of: Quantity) {
    this.where = where
    this.#of = of
    this.values = new Float64Array(of.size).fill(Number.NaN)
  }

  /** Where the numbers of a row begin. */
  #at(label: string): number {
    const at = this.#of.at(label)
    if (at >= this.values.length) {
      const longer = new Float64Array(Math.max(this.#of.size, 2 * at)).fill(Number.NaN, this.values.length)
      longer.set(this.values)
      this.values = longer
    }
    return at
  }

  /** Some of the numbers of a row, from a column on. */
  put(label: string, values: ArrayLike<number>, column = 0): void {
    // May need a longer array.
    const at = this.#at(label) + column
    this.values.set(values, at)
  }

  /** What nobody states or knows adds nothing. */
  add(label: string, values: ArrayLike<number>, from = 0, width: number = values.length): void {
    const at = this.#at(label)
    for (let i = 0; i < width; i += 1) {
      const value = values[from + i] ?? Number.NaN
      if (value >= 0) this.values[at + i] = (this.values[at + i] || 0) + value
    }
  }

  hasAllRows(from: number, width: number): void {
    this.#whole.set(from, width)
  }

  /** Says 0 of the rows that it has not, where it has all. */
  complete(labels: Iterable<string>): void {
    if (this.#whole.size === 0) return
    for (const label of labels) {
      const at = this.#at(label)
      for (const [from, width] of this.#whole)
        for (let i = at + from; i < at + from + width; i += 1) if (Number.isNaN(this.values[i])) this.values[i] = 0
    }
  }
}

export class Quantity {
  readonly shape: Shape
  readonly width: number
  readonly #statements = new Map<Where, Statement>()
  readonly #rows = new Map<string, number>()
  readonly #labels: string[] = []
  #agreed: Float64Array = new Float64Array(0)

  constructor(shape: Shape) {
    this.shape = shape
    this.width = shape.fields.length
  }

  /** How many numbers its rows have. */
  get size(): number {
    return Math.max(1, this.#labels.length) * this.width
  }

  get labels(): readonly string[] {
    return this.#labels
  }

  /** Where the numbers of a row begin, which may be a new one. */
  at(label: string): number {
    let row = this.#rows.get(label)
    if (row === undefined) {
      row = this.#labels.push(label) - 1
      this.#rows.set(label, row)
    }
    return row * this.width
  }

  statement(where: Where): Statement {
    let statement = this.#statements.get(where)
    if (statement === undefined) this.#statements.set(where, (statement = new Statement(where, this)))
    return statement
  }

  drop(where: Where): void {
    this.#statements.delete(where)
  }

  complete(labels: Iterable<string>): void {
    for (const statement of this.#statements.values()) statement.complete(labels)
  }

  /** Forgets all numbers: those that come next are of the same places and rows, and take the same memory. */
  clear(): void {
    for (const { values } of this.#statements.values()) values.fill(Number.NaN)
  }

  /** What all who state a number agree on; see ODD. */
  value(label: string, column = 0): number {
    const row = this.#rows.get(label)
    return (row === undefined ? undefined : this.#agreed[row * this.width + column]) ?? Number.NaN
  }

  /** The same of all its numbers, row by row. */
  get numbers(): Float64Array {
    return this.#agreed
  }

  agree(): void {
    const agreed = new Float64Array(this.size).fill(Number.NaN)
    for (const { values } of this.#statements.values())
      for (let i = 0; i < values.length; i += 1) {
        const value = values[i] ?? Number.NaN
        if (Number.isNaN(value)) continue
        const before = agreed[i] ?? Number.NaN
        if (Number.isNaN(before)) agreed[i] = value
        else if (before !== value) agreed[i] = ODD
      }
    this.#agreed = agreed
  }

  /** Whether some number is not agreed on. */
  get isOdd(): boolean {
    return this.#agreed.includes(ODD)
  }

  /** @param allowed what a number may be */
  *differences(suffix: string, allowed: (name: string) => string): Generator<string> {
    this.agree()
    const odd: number[] = []
    for (let i = 0; i < this.#agreed.length; i += 1) if (this.#agreed[i] === ODD) odd.push(i)
    yield* this.#sentences(odd, (i, name) => {
      const stated = this.#stated(i)
      const wrong = stated.find(({ value }) => value === ODD)
      return wrong === undefined
        ? differing(name + suffix, stated)
        : `${name}${suffix}: not ${allowed(name)} in ${wrong.where}`
    })
  }

  /** Where something is more than what contains it. */
  *falls(): Generator<string> {
    const { fields, grow = [], rowsGrow = [] } = this.shape
    const falls = new Map<number, number>()
    for (const labels of rowsGrow)
      this.#fallsIn(
        labels.map((label) => (this.#rows.get(label) ?? Number.NaN) * this.width),
        0,
        falls,
      )
    const chains = grow.map((chain) => chain.map((field) => fields.indexOf(field)))
    for (let row = 0; row < this.#agreed.length; row += this.width)
      for (const chain of chains) this.#fallsIn(chain, row, falls)
    yield* this.#sentences([...falls.keys()], (i, name) => {
      const more = falls.get(i) ?? i
      return `${name} are ${this.#shown(i)}, but ${this.#nameAt(more)} only ${this.#shown(more)}`
    })
  }

  /** @param chain where the numbers are, from a row on, of which each is at most the next one */
  #fallsIn(chain: readonly number[], row: number, falls: Map<number, number>): void {
    let before = -1
    for (const column of chain) {
      const value = this.#agreed[row + column] ?? Number.NaN
      if (!Number.isFinite(value)) continue
      if (before >= 0 && value < (this.#agreed[before] ?? 0) && !falls.has(before)) falls.set(before, row + column)
      before = row + column
    }
  }

  #shown(i: number): string {
    const [{ where, value } = { where: '', value: 0 }] = this.#stated(i)
    return `${count(value)} in ${where}`
  }

  /** In a fixed order: that of reading differs. */
  *#sentences(found: readonly number[], sentence: (i: number, name: string) => string): Generator<string> {
    const sorted = found.toSorted((a, b) => {
      const [one, other] = [this.#labelAt(a), this.#labelAt(b)]
      return one === other ? a - b : one < other ? -1 : 1
    })
    const said = sorted.slice(0, this.shape.rowsGrow === undefined ? 1 : sorted.length)
    for (const i of said) yield andMore(sentence(i, this.#nameAt(i)), sorted.length - said.length, 'number')
  }

  #fieldAt(i: number): string {
    return this.shape.fields[i % this.width] ?? ''
  }

  #labelAt(i: number): string {
    return this.#labels[Math.floor(i / this.width)] ?? ''
  }

  #nameAt(i: number): string {
    return this.shape.name(this.#fieldAt(i), this.#labelAt(i))
  }

  #stated(i: number): Stated[] {
    const [label, field] = [this.#labelAt(i), this.#fieldAt(i)]
    return [...this.#statements.values()]
      .map(({ where, values }) => ({
        where: typeof where === 'string' ? where : where(label, field),
        value: values[i] ?? Number.NaN,
      }))
      .filter(({ value }) => !Number.isNaN(value))
      .toSorted((a, b) => (a.where < b.where ? -1 : 1))
  }
}

interface Stated {
  readonly where: string
  readonly value: number
}

/** `what: 4 in A, but 5 in B and another in 1 more` */
function differing(what: string, stated: readonly Stated[]): string {
  // What most documents state comes first: one that differs is more likely wrong.
  const times = (one: Stated): number => stated.filter(({ value }) => value === one.value).length
  const [first, ...others] = stated.toSorted((a, b) => times(b) - times(a))
  const [other, ...more] = others.filter(({ value }) => value !== first?.value)
  if (first === undefined || other === undefined) return what
  const is = ({ value, where }: Stated): string => `${value === UNKNOWN ? 'null' : count(value)} in ${where}`
  return `${what}: ${is(first)}, but ${is(other)}${more.length === 0 ? '' : ` and another in ${count(more.length)} more`}`
}

/** @param unit singular, with a plural in -s */
export function andMore(sentence: string, more: number, unit: string): string {
  return more === 0 ? sentence : `${sentence}; the same in ${count(more)} more ${unit}${more === 1 ? '' : 's'}`
}
