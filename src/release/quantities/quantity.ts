// Owns what a quantity is, and the rule that it has: what several places state of one of its numbers is equal. Knows no document.
import type { Period } from '../../contract/windows.ts'
import { found } from '../../model/found.ts'
import { count } from '../../process/printable.ts'

/**
 * What a place states of a number. Null = that it is not known, which is equal to itself only. NaN = nothing that is a whole
 * number from 0 on, or what follows from that. Undefined = the place says nothing of it.
 */
export type Stated = number | null | undefined

/** A table of numbers. Its rows come as they are stated. */
export interface Shape {
  /** Its columns, as messages name them. */
  readonly fields: readonly string[]
  /** How a message names a number of a row. */
  readonly name: (field: string, label: string) => string
  /** Each number has causes of its own; otherwise a sentence names the first one that is wrong, and counts the others. */
  readonly isEachSaid?: boolean
  /** The windows that it is a part of, where it is summed over the categories. */
  readonly partOf?: readonly Period[]
  /** Of how many of its first fields a set of ideas has every row that is not 0; absent = of none. */
  readonly listed?: number
}

/** Where a number stands: one place, or one that depends on the number. */
export type Where = string | ((label: string, field: string) => string)

/** What one place states of a quantity. */
export class Statement {
  readonly where: Where
  readonly #of: Quantity
  readonly values: Stated[] = []
  /** By the first, how many columns it has every row of that is not 0. */
  readonly whole = new Map<number, number>()

  constructor(where: Where, of: Quantity) {
    this.where = where
    this.#of = of
  }

  /** Where the numbers of a row begin. */
  #at(label: string): number {
    const at = this.#of.at(label)
    // Without gaps, which would make it a slow array.
    while (this.values.length < at + this.#of.width) this.values.push(undefined)
    return at
  }

  /** Some of the numbers of a row, from a column on. */
  put(label: string, values: ArrayLike<Stated>, column = 0): void {
    const at = this.#at(label) + column
    for (let i = 0; i < values.length; i += 1) this.values[at + i] = values[i]
  }

  /** What nobody states or knows adds nothing. */
  add(label: string, values: ArrayLike<Stated>, from = 0, width: number = values.length): void {
    const at = this.#at(label)
    for (let i = 0; i < width; i += 1) {
      const value = values[from + i]
      if (value != null) this.values[at + i] = (this.values[at + i] ?? 0) + value
    }
  }

  /** Says 0 of the rows that it has not, where it has all. */
  complete(labels: Iterable<string>): void {
    if (this.whole.size === 0) return
    for (const label of labels) {
      const at = this.#at(label)
      for (const [from, width] of this.whole)
        for (let i = at + from; i < at + from + width; i += 1) if (this.values[i] === undefined) this.values[i] = 0
    }
  }
}

export class Quantity {
  readonly shape: Shape
  readonly width: number
  readonly labels: string[] = []
  /** What all who state a number agree on, row by row; NaN = they do not. */
  numbers: readonly Stated[] = []
  readonly #statements = new Map<Where, Statement>()
  readonly #rows = new Map<string, number>()

  constructor(shape: Shape) {
    this.shape = shape
    this.width = shape.fields.length
  }

  /** Where the numbers of a row begin, which may be a new one. */
  at(label: string): number {
    let row = this.#rows.get(label)
    // Not by `found`: of each row a function that makes one would be made.
    if (row === undefined) this.#rows.set(label, (row = this.labels.push(label) - 1))
    return row * this.width
  }

  statement(where: Where): Statement {
    return found(this.#statements, where, () => new Statement(where, this))
  }

  drop(where: Where): void {
    this.#statements.delete(where)
  }

  complete(labels: Iterable<string>): void {
    for (const statement of this.#statements.values()) statement.complete(labels)
  }

  /** Forgets all numbers: those that come next are of the same places and rows, and take the same memory. */
  clear(): void {
    for (const { values } of this.#statements.values()) values.fill(undefined)
  }

  value(label: string, column = 0): Stated {
    const row = this.#rows.get(label)
    return row === undefined ? undefined : this.numbers[row * this.width + column]
  }

  agree(): void {
    const agreed = Array.from<Stated>({ length: this.labels.length * this.width })
    for (const { values } of this.#statements.values())
      for (let i = 0; i < values.length; i += 1) {
        const value = values[i]
        if (value === undefined) continue
        if (agreed[i] === undefined) agreed[i] = value
        else if (agreed[i] !== value) agreed[i] = Number.NaN
      }
    this.numbers = agreed
  }

  /** In a fixed order: that of reading differs. @param allowed what a number may be */
  *differences(suffix: string, allowed: (name: string) => string): Generator<string> {
    this.agree()
    if (!this.numbers.some(Number.isNaN)) return
    const odd = [...this.numbers.keys()].filter((i) => Number.isNaN(this.numbers[i]))
    odd.sort((a, b) => {
      const [one, other] = [this.#labelAt(a), this.#labelAt(b)]
      return one === other ? a - b : one < other ? -1 : 1
    })
    const said = this.shape.isEachSaid === true ? odd : odd.slice(0, 1)
    for (const i of said) {
      const name = this.shape.name(this.#fieldAt(i), this.#labelAt(i))
      const stated = this.#stated(i)
      const wrong = stated.find(({ value }) => Number.isNaN(value))
      const sentence =
        wrong === undefined
          ? differing(name + suffix, stated)
          : `${name}${suffix}: not ${allowed(name)} in ${wrong.where}`
      yield andMore(sentence, odd.length - said.length, 'number')
    }
  }

  #fieldAt(i: number): string {
    return this.shape.fields[i % this.width] ?? ''
  }

  #labelAt(i: number): string {
    return this.labels[Math.floor(i / this.width)] ?? ''
  }

  #stated(i: number): Said[] {
    const [label, field] = [this.#labelAt(i), this.#fieldAt(i)]
    return [...this.#statements.values()]
      .flatMap(({ where, values }) => {
        const value = values[i]
        return value === undefined ? [] : { where: typeof where === 'string' ? where : where(label, field), value }
      })
      .toSorted((a, b) => (a.where < b.where ? -1 : 1))
  }
}

interface Said {
  readonly where: string
  readonly value: number | null
}

/** `what: 4 in A, but 5 in B and another in 1 more` */
function differing(what: string, stated: readonly Said[]): string {
  // What most documents state comes first: one that differs is more likely wrong.
  const times = (one: Said): number => stated.filter(({ value }) => value === one.value).length
  const [first, ...others] = stated.toSorted((a, b) => times(b) - times(a))
  const [other, ...more] = others.filter(({ value }) => value !== first?.value)
  if (first === undefined || other === undefined) return what
  const is = ({ value, where }: Said): string => `${value === null ? 'null' : count(value)} in ${where}`
  return `${what}: ${is(first)}, but ${is(other)}${more.length === 0 ? '' : ` and another in ${count(more.length)} more`}`
}

/** @param unit singular, with a plural in -s */
export function andMore(sentence: string, more: number, unit: string): string {
  return more === 0 ? sentence : `${sentence}; the same in ${count(more)} more ${unit}${more === 1 ? '' : 's'}`
}
