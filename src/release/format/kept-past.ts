// Owns what is kept of a release for the gate of the next one: its shape, its text, reading that back. Touches no file.
import { COUNTED_RELATIONS, type MonthlyRows, type Past, type RowsByMonth } from '../../contract/rows-by-month.ts'
import { isCount } from './is-count.ts'
import { isMapping, keptText, parseKept, wrongKey } from './kept-text.ts'
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
  return keptText(kept)
}

/** What a text says of release `id`; a string = why it says nothing. */
export function parseKeptPast(text: string, id: string): KeptPast | string {
  const value = parseKept<KeptPast>(text, id)
  if (typeof value === 'string') return value
  const { mapping, past, comparedWith } = value
  if (!isMapping(mapping)) return wrongKey('mapping')
  if (comparedWith !== null && typeof comparedWith !== 'string') return wrongKey('comparedWith')
  if (typeof past !== 'object' || past === null) return wrongKey('past')
  const { own, earlier } = past
  if (!isRowsByMonth(own)) return wrongKey('past.own')
  if (earlier !== null && !isRowsByMonth(earlier)) return wrongKey('past.earlier')
  return { id, mapping, past: { own, earlier }, comparedWith }
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
