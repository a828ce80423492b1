// Owns how a count of people is published: exactly, rounded, or not at all; as of when; and what a published one tells.
// Pure; knows no document.
import type { ExportType } from './endpoints.ts'
import { bucketsOf, type Bucket, type Period } from './windows.ts'

/** `--people`: the default first. */
export const PEOPLE_MODES = ['exact', 'rounded', 'off'] as const
export type PeopleMode = (typeof PEOPLE_MODES)[number]

/** A count of people as it is published: null = rounded, 1 to 7; or off, any number. */
export type PublishedCount = number | null

/** The first count that is published rounded, and what it is rounded to. */
const FEWEST = 8
const STEP = 5

/** The one place that rounds. A published count gives itself again, or null. */
export function publishedCount(people: PublishedCount, mode: PeopleMode): PublishedCount {
  if (mode === 'exact' || people === null) return people
  if (mode === 'off') return null
  if (people === 0) return 0
  return people < FEWEST ? null : STEP * Math.round(people / STEP)
}

/** `stats.totalUsers` is an integer in every mode: there 1 to 7 are 5. */
export function publishedTotalUsers(people: number, mode: PeopleMode): number {
  return mode === 'exact' ? people : (publishedCount(people, 'rounded') ?? STEP)
}

/** Inclusive bounds of a count; `high` may be infinite. */
export interface Range {
  readonly low: number
  readonly high: number
}

/** What a published count tells; null = the mode does not publish such a value. */
export function rangeOf(published: unknown, mode: PeopleMode): Range | null {
  if (mode === 'off') return published === null ? { low: 0, high: Number.POSITIVE_INFINITY } : null
  if (mode === 'rounded' && published === null) return { low: 1, high: FEWEST - 1 }
  if (typeof published !== 'number' || !Number.isSafeInteger(published) || published < 0) return null
  if (mode === 'exact' || published === 0) return { low: published, high: published }
  // 8 and 9 are 10: nothing below it is published.
  if (published < 2 * STEP || published % STEP !== 0) return null
  const half = Math.floor(STEP / 2)
  return { low: published - half, high: published + half }
}

/** What `stats.totalUsers` tells. */
export function rangeOfTotalUsers(published: unknown, mode: PeopleMode): Range | null {
  if (mode === 'exact') return rangeOf(published, mode)
  return published === null ? null : rangeOf(published === STEP ? null : published, 'rounded')
}

/** Of what and when numbers of people are: those dated before `asOfMs`. */
export interface PeopleTime {
  readonly mode: PeopleMode
  readonly asOfMs: number
}

const DAY_MS = 86_400_000

/** Exact ones are as of dataAsOf like all numbers, the others as of the UTC midnight at or before it. */
export function peopleTime(mode: PeopleMode, dataAsOfMs: number): PeopleTime {
  return { mode, asOfMs: mode === 'exact' ? dataAsOfMs : Math.floor(dataAsOfMs / DAY_MS) * DAY_MS }
}

/** Exports of which every number is of people. `overview` and `history` have some, beside numbers as of dataAsOf. */
const IS_OF_PEOPLE: Readonly<Record<ExportType, boolean>> = {
  overview: false,
  ideas: false,
  users: true,
  categories: false,
  timeline: false,
  outcomes: false,
  history: false,
}

/** Where the window of an export ends. */
export function exportEndMs(type: ExportType, mode: PeopleMode, dataAsOfMs: number): number {
  return IS_OF_PEOPLE[type] ? peopleTime(mode, dataAsOfMs).asOfMs : dataAsOfMs
}

/** The buckets of the users export: but for exact numbers no hours, so `24h` is one day. */
export function peopleBuckets(period: Period, { mode, asOfMs }: PeopleTime, earliestMs: number | null): Bucket[] {
  if (mode === 'exact' || period !== '24h') return bucketsOf(period, asOfMs, earliestMs)
  const startMs = asOfMs - DAY_MS
  return [{ startMs, fromMs: startMs, toMs: asOfMs }]
}
