// Owns what is kept of the numbers of people of a UTC day: their shape, their text, reading that back. Touches no file.
import type { BucketUsers, UserFacts } from '../../contract/facts.ts'
import { BOUNDED_PERIODS, EDGES_MS, PERIODS } from '../../contract/windows.ts'
import type { Manifest } from './manifest.ts'

/** Exact counts, as the first release of the day found them: they are never part of a release. */
export interface PeopleOfDay {
  /** The midnight that they are as of. */
  readonly asOfMs: number
  readonly mapping: Manifest['mapping']
  readonly rowSecurity: Manifest['source']['rowSecurity']
  readonly facts: UserFacts
  /** Accounts that do not count, or count differently. */
  readonly skipped: readonly { readonly reason: string; readonly rows: number }[]
}

/** Raised when an older program must not read it. */
const FORMAT = 1

/** @param id of the release that publishes them */
export function peopleOfDayText(people: PeopleOfDay, id: string): string {
  return `${JSON.stringify({ format: FORMAT, id, ...people })}\n`
}

/** What a text says of release `id`; a string = why it says nothing. */
export function parsePeopleOfDay(text: string, id: string): PeopleOfDay | string {
  let value: Partial<PeopleOfDay> & { readonly format?: unknown; readonly id?: unknown }
  try {
    value = (JSON.parse(text) ?? {}) as typeof value
  } catch (error) {
    return `it is not JSON: ${(error as Error).message}`
  }
  if (value.format !== FORMAT) return `its format is ${JSON.stringify(value.format)}, must be ${FORMAT}`
  if (value.id !== id) return `it is that of ${JSON.stringify(value.id)}`
  const { asOfMs, mapping, rowSecurity, facts, skipped } = value
  if (!isCount(asOfMs)) return wrong('asOfMs')
  if (typeof mapping?.name !== 'string' || typeof mapping.sha256 !== 'string') return wrong('mapping')
  if (rowSecurity !== 'off' && rowSecurity !== 'apply') return wrong('rowSecurity')
  if (!isFacts(facts)) return wrong('facts')
  if (!Array.isArray(skipped) || !skipped.every(isSkipped)) return wrong('skipped')
  return { asOfMs: asOfMs as number, mapping, rowSecurity, facts, skipped }
}

function wrong(key: string): string {
  return `its ${key} is missing or of the wrong type`
}

function isFacts(value: unknown): value is UserFacts {
  const { accounts, laterAccounts, active, buckets } = (value ?? {}) as Partial<UserFacts>
  return (
    isCount(accounts?.total) &&
    areCounts(accounts?.since, EDGES_MS.length) &&
    isCount(laterAccounts) &&
    areCounts(active?.inWindow, BOUNDED_PERIODS.length) &&
    areCounts(active?.before, BOUNDED_PERIODS.length) &&
    isCount(active?.all) &&
    Array.isArray(buckets) &&
    buckets.length === PERIODS.length &&
    buckets.every((list) => Array.isArray(list) && list.every(isBucket))
  )
}

const BUCKET_COUNTS = ['newUsers', 'totalUsers', 'active', 'authors', 'voters', 'commenters'] as const

function isBucket(value: unknown): value is BucketUsers {
  const bucket = (value ?? {}) as Partial<BucketUsers>
  return Number.isSafeInteger(bucket.startMs) && BUCKET_COUNTS.every((key) => isCount(bucket[key]))
}

function isSkipped(value: unknown): boolean {
  const { reason, rows } = (value ?? {}) as { readonly reason?: unknown; readonly rows?: unknown }
  return typeof reason === 'string' && isCount(rows)
}

function areCounts(value: unknown, length: number): boolean {
  return Array.isArray(value) && value.length === length && value.every(isCount)
}

function isCount(value: unknown): boolean {
  return Number.isSafeInteger(value) && (value as number) >= 0
}
