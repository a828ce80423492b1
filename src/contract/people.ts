// Owns how a count of people is published: exactly, rounded, or not at all; and as of when. Pure;
// knows no document.
import { TABLES, type ExportType } from './kinds/tables.ts'
import { UTC, type TimeZone } from './time-zone.ts'
import { bucketsOf, DAY_MS, ownInterval, type Bucket, type Interval, type Period } from './windows.ts'

/** The values of `--people`, the default first. */
export const PEOPLE_MODES = ['exact', 'rounded', 'off'] as const
export type PeopleMode = (typeof PEOPLE_MODES)[number]

/** A count of people as it is published: null = 1 to 7 where counts are rounded, or any number where they are off. */
export type PublishedCount = number | null

/** The first count that is published rounded, and what it is rounded to. */
const FEWEST = 8
const STEP = 5

/** The one place that rounds. A count that is published already stays as it is, or becomes null. */
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

/** How numbers of people are published, and as of when: rows dated before `asOfMs` count. */
export type PeopleTime = Readonly<ReturnType<typeof peopleTime>>

/** Exact numbers of people are as of dataAsOf like all numbers, the others as of the midnight at or before it. */
export function peopleTime(mode: PeopleMode, dataAsOfMs: number, zone: TimeZone = UTC) {
  return { mode, asOfMs: mode === 'exact' ? dataAsOfMs : zone.startOf('day', dataAsOfMs), zone }
}

/** When the window of an export ends. `overview` and `history` have numbers of people, too, beside numbers as of dataAsOf. */
export function exportEndMs(type: ExportType, mode: PeopleMode, dataAsOfMs: number, zone: TimeZone): number {
  return TABLES[type].isOfPeople === true ? peopleTime(mode, dataAsOfMs, zone).asOfMs : dataAsOfMs
}

/** Of the users export. Only exact numbers are given by the hour: of the others `24h` is one day. */
export function peopleInterval(period: Period, mode: PeopleMode): Interval {
  return mode !== 'exact' && period === '24h' ? 'day' : ownInterval(period)
}

/** The buckets of the users export. */
export function peopleBuckets(period: Period, { mode, asOfMs, zone }: PeopleTime, earliestMs: number | null): Bucket[] {
  const interval = peopleInterval(period, mode)
  if (interval === ownInterval(period)) return bucketsOf(period, asOfMs, earliestMs, interval, zone)
  // It is named by the day that ends then, also where that has 23 hours.
  return [{ startMs: zone.startOf('day', asOfMs - 1), fromMs: asOfMs - DAY_MS, toMs: asOfMs }]
}
