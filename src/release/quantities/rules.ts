// Owns what the rules of a kind of document are: what its documents state, and where that is collected. Knows no kind.
import type { Combination } from '../../contract/kinds/register.ts'
import type { ExportRow } from '../../contract/kinds/tables.ts'
import type { Period } from '../../contract/windows.ts'
import type { Calendar } from './calendar.ts'
import type { Fields } from './numbers.ts'
import type { Quantities } from './relations.ts'

type Of<E extends Combination['endpoint']> = Extract<Combination, { readonly endpoint: E }>
export type ExportCombination = Omit<Of<'export'>, 'format'>

/** Where documents are collected. */
export interface Collected {
  /** What is said of all ideas and all people. */
  readonly all: Quantities
  /** Over the categories. */
  readonly sums: Quantities
  /** The rows of the history, one for each day: nothing sums them up. */
  readonly histories: Map<Period, readonly ExportRow[]>
  /** Sentences about cells of people that no other document repeats. */
  readonly unpublishable: string[]
  readonly calendar: Calendar
  /** A document that must agree with itself. @param state says what it states, or what is wrong with it */
  alone(path: string, state: (into: Quantities) => string | null): void
}

/** States what a document of a kind states. */
export type Stating<E extends Combination['endpoint']> = (
  into: Collected,
  path: string,
  document: Fields,
  combination: Of<E>,
) => void

/** The same of what the file of a category has of a kind. @returns why it is none; null = it is stated */
export type StatingMember = (into: Quantities, file: Fields, calendar: Calendar) => string | null

/** The rows of an export, of which there may be millions. */
export interface Rows {
  add(rows: readonly ExportRow[]): void
  /** @returns why they cannot be; null = what they say is stated */
  state(into: Collected, path: string, combination: ExportCombination, dataAsOf: string): string | null
}

/** The rows of an export that has few. @param state may say why they cannot be */
export function fewRows(
  state: (into: Collected, path: string, rows: readonly ExportRow[], period: Period) => string | null | void,
): () => Rows {
  return () => {
    const kept: ExportRow[] = []
    return {
      add: (rows) => void kept.push(...rows),
      state: (into, path, { period }) => state(into, path, kept, period) ?? null,
    }
  }
}
