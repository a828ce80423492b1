// Owns what is kept of a release for the gate of the next one: its shape, its text, reading that back. Touches no file.
import { COUNTED_RELATIONS, type MonthlyRows, type Past, type RowsByMonth } from '../../contract/rows-by-month.ts'
import { SAMPLED_IDEAS, type SampledIdea } from '../../contract/idea-sample.ts'
import { isCount } from './is-count.ts'
import type { Manifest } from './manifest.ts'

/** Raised when an older program must not read it. */
const FORMAT = 1

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

/** What a text says of release `id`; a string = why it says nothing. */
export function parseKeptPast(text: string, id: string): KeptPast | string {
  let value: Partial<KeptPast> & { readonly format?: unknown }
  try {
    value = (JSON.parse(text) ?? {}) as typeof value
  } catch (error) {
    return `it is not JSON: ${(error as Error).message}`
  }
  if (value.format !== FORMAT) return `its format is ${JSON.stringify(value.format)}, must be ${FORMAT}`
  return value.id === id ? keptPastIn(value, id) : `it is that of ${JSON.stringify(value.id)}`
}

function keptPastIn({ mapping, past, comparedWith }: Partial<KeptPast>, id: string): KeptPast | string {
  if (typeof mapping?.name !== 'string' || typeof mapping.sha256 !== 'string') return wrongKey('mapping')
  if (comparedWith !== null && typeof comparedWith !== 'string') return wrongKey('comparedWith')
  if (typeof past !== 'object' || past === null) return wrongKey('past')
  const { own, earlier, newestDay = null } = past
  if (!isRowsByMonth(own)) return wrongKey('past.own')
  if (earlier !== null && !isRowsByMonth(earlier)) return wrongKey('past.earlier')
  if (newestDay !== null && (typeof newestDay !== 'string' || !DAY.test(newestDay))) return wrongKey('past.newestDay')
  return { id, mapping, past: { own, earlier, newestDay }, comparedWith }
}

function wrongKey(key: string): string {
  return `its ${key} is missing or of the wrong type`
}

function isRowsByMonth(value: unknown): value is RowsByMonth {
  const { beforeMs, relations, sample = [] } = (value ?? {}) as Partial<RowsByMonth>
  if (!Number.isSafeInteger(beforeMs) || !isSample(sample)) return false
  return COUNTED_RELATIONS.every((relation) => isMonthlyRows(relations?.[relation]))
}

const NUMBERS_OF_IDEA = 7 satisfies SampledIdea['length']

/** Absent in what an earlier version kept. */
function isSample(value: unknown): value is readonly SampledIdea[] {
  if (!Array.isArray(value) || value.length > SAMPLED_IDEAS) return false
  return value.every((idea) => Array.isArray(idea) && idea.length === NUMBERS_OF_IDEA && idea.every(isCount))
}

const DAY = /^\d{4}-\d\d-\d\d$/
const MONTH = /^\d{4}-(?:0[1-9]|1[0-2])$/

function isMonthlyRows(value: unknown): boolean {
  const { undated, months } = (value ?? {}) as Partial<MonthlyRows>
  if (!isCount(undated) || typeof months !== 'object' || months === null) return false
  return Object.entries(months).every(([month, rows]) => MONTH.test(month) && isCount(rows))
}
