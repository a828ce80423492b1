// Owns what is kept of a release for the gate of the next one: its shape, its text, reading that back. Touches no file.
import { COUNTED_RELATIONS, type MonthlyRows, type Past, type RowsByMonth } from '../../contract/rows-by-month.ts'
import type { Manifest } from './manifest.ts'

/** Rows by month of one release or rejected candidate. Exact counts: they are never part of a release. */
export interface KeptPast {
  /** The release that it belongs to. */
  readonly id: string
  readonly mapping: Manifest['mapping']
  readonly past: Past
  /** The release whose cut `past.earlier` was counted at; null = with none. */
  readonly comparedWith: string | null
}

export function keptPastText(kept: KeptPast): string {
  return `${JSON.stringify({ format: FORMAT, ...kept })}\n`
}

/** Raised when an older program must not read it. */
const FORMAT = 1

/** What a text says of release `id`; a string = why it says nothing. */
export function parseKeptPast(text: string, id: string): KeptPast | string {
  let value: Partial<KeptPast> & { readonly format?: unknown }
  try {
    value = (JSON.parse(text) ?? {}) as typeof value
  } catch (error) {
    return `it is not JSON: ${(error as Error).message}`
  }
  if (value.format !== FORMAT) return `its format is ${JSON.stringify(value.format)}, must be ${FORMAT}`
  if (value.id !== id) return `it is that of ${JSON.stringify(value.id)}`
  const { mapping, past, comparedWith } = value
  if (typeof mapping?.name !== 'string' || typeof mapping.sha256 !== 'string') return wrong('mapping')
  if (comparedWith !== null && typeof comparedWith !== 'string') return wrong('comparedWith')
  if (typeof past !== 'object' || past === null) return wrong('past')
  const { own, earlier } = past
  if (!isRowsByMonth(own)) return wrong('past.own')
  if (earlier !== null && !isRowsByMonth(earlier)) return wrong('past.earlier')
  return { id, mapping, past: { own, earlier }, comparedWith }
}

function wrong(key: string): string {
  return `its ${key} is missing or of the wrong type`
}

function isRowsByMonth(value: unknown): value is RowsByMonth {
  const { beforeMs, relations } = (value ?? {}) as Partial<RowsByMonth>
  return Number.isSafeInteger(beforeMs) && COUNTED_RELATIONS.every((relation) => isMonthlyRows(relations?.[relation]))
}

const MONTH = /^\d{4}-(?:0[1-9]|1[0-2])$/

function isMonthlyRows(value: unknown): boolean {
  const { undated, months } = (value ?? {}) as Partial<MonthlyRows>
  if (!isCount(undated) || typeof months !== 'object' || months === null) return false
  return Object.entries(months).every(([month, rows]) => MONTH.test(month) && isCount(rows))
}

// The gate computes with them: NaN would pass every comparison.
function isCount(value: unknown): boolean {
  return Number.isSafeInteger(value) && (value as number) >= 0
}
