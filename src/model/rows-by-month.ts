// Owns the shape of a site's past: how many rows each relation had, by the month of their dates, and what was asked. Types and
// names only.
// It is what one release keeps for the next one's gate; no document has it.

import { REVISED } from '../contract/kinds/revisions.ts'
import { HOUR_MS } from '../contract/windows.ts'
import type { SampledIdea } from './idea-sample.ts'

/** What is counted: rows that count in the release, also the launches of ideas, and the people who were active in a month. */
export const COUNTED_RELATIONS = [...REVISED, 'activeUsers'] as const
export type CountedRelation = (typeof COUNTED_RELATIONS)[number]

export interface MonthlyRows {
  /** Rows without a date, or dated before 1990: all of them, whatever the instant. */
  readonly undated: number
  /** The number of rows by `YYYY-MM`, for months that have some. */
  readonly months: Readonly<Record<string, number>>
}

/** Rows dated before an instant: what one release had, and what the next one must find again. */
export interface RowsByMonth {
  /** The instant, epoch ms, excluded. */
  readonly beforeMs: number
  /** A hash of the instants at which months begin, from 1990 to `beforeMs`: another time zone, or other rules, give another one. */
  readonly monthStarts: number
  /** Null = not counted: active people with `--people off`. Otherwise they are counted up to the midnight at or before the instant. */
  readonly relations: Readonly<Record<CountedRelation, MonthlyRows | null>>
  /** A sample of the ideas created before the instant. */
  readonly sample: readonly SampledIdea[]
}

/** What one read counts for the gate, both in the pass that counts everything else. */
export interface CountedPast {
  /** The rows before the read's own cut, kept for the next build. */
  readonly own: RowsByMonth
  /** The rows before the cut that the current release kept; null = it kept none. */
  readonly earlier: RowsByMonth | null
  /** Day of the newest idea, vote or comment; null = none has a date. */
  readonly newestDay: string | null
}

/** How long before dataAsOf rows may still be missing: transactions that commit late, a standby that is behind. */
const LATE_MS = HOUR_MS
const LATE_MS_UNKNOWN_LAG = 24 * HOUR_MS

/** The cut of a read: rows dated before it are all there, or never will be. @param source its lag is null where it is unknown */
export function cutOf(asOfMs: number, source: { standby: boolean; replayLagMs: number | null }): number {
  const { standby, replayLagMs } = source
  if (standby && replayLagMs === null) return asOfMs - LATE_MS_UNKNOWN_LAG
  return asOfMs - Math.max(LATE_MS, 2 * (replayLagMs ?? 0))
}

/** What a mapping asks, in hashes that are never published: a parameter may have few values. */
export interface MappingHashes {
  /** Whether it is the program's own copy. */
  readonly builtIn: boolean
  /** The hash of each section, without the values of parameters. */
  readonly sections: Readonly<Record<string, string>>
  /** The hash of the value of each parameter. */
  readonly params: Readonly<Record<string, string>>
}
