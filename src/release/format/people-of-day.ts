// Owns what is kept of the numbers of people of a UTC day: their shape, their text, reading that back. Touches no file.
import type { BucketUsers, UserFacts } from '../../contract/facts.ts'
import { BOUNDED_PERIODS, EDGES_MS, PERIODS } from '../../contract/windows.ts'
import { isCount } from './is-count.ts'
import { isMapping, keptText, parseKept, wrongKey } from './kept-text.ts'
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

/** @param id of the release that publishes them */
export function peopleOfDayText(people: PeopleOfDay, id: string): string {
  return keptText({ id, ...people })
}

/** What a text says of release `id`; a string = why it says nothing. */
export function parsePeopleOfDay(text: string, id: string): PeopleOfDay | string {
  const value = parseKept<PeopleOfDay>(text, id)
  if (typeof value === 'string') return value
  const { asOfMs, mapping, rowSecurity, facts, skipped } = value
  if (!isCount(asOfMs)) return wrongKey('asOfMs')
  if (!isMapping(mapping)) return wrongKey('mapping')
  if (rowSecurity !== 'off' && rowSecurity !== 'apply') return wrongKey('rowSecurity')
  if (!passes(FACTS, facts)) return wrongKey('facts')
  if (!Array.isArray(skipped) || !skipped.every(isSkipped)) return wrongKey('skipped')
  return { asOfMs, mapping, rowSecurity, facts, skipped }
}

/** One check for every key, or what an older builder kept without a key would pass for whole. */
type Checks<T> = { readonly [Key in keyof T]-?: (value: Partial<T>[Key]) => boolean }

const FACTS: Checks<UserFacts> = {
  accounts: (accounts) => isCount(accounts?.total) && areCounts(accounts?.since, EDGES_MS.length),
  laterAccounts: isCount,
  active: (active) =>
    areCounts(active?.inWindow, BOUNDED_PERIODS.length) &&
    areCounts(active?.before, BOUNDED_PERIODS.length) &&
    isCount(active?.all),
  buckets: (buckets) =>
    Array.isArray(buckets) &&
    buckets.length === PERIODS.length &&
    buckets.every((list) => Array.isArray(list) && list.every((bucket) => passes(BUCKET, bucket))),
}

const BUCKET: Checks<BucketUsers> = {
  startMs: Number.isSafeInteger,
  newUsers: isCount,
  totalUsers: isCount,
  active: isCount,
  authors: isCount,
  voters: isCount,
  commenters: isCount,
}

function passes<T>(checks: Checks<T>, value: unknown): value is T {
  const known = (value ?? {}) as Partial<T>
  return (Object.keys(checks) as (keyof T)[]).every((key) => checks[key](known[key]))
}

function isSkipped(value: unknown): boolean {
  const { reason, rows } = (value ?? {}) as { readonly reason?: unknown; readonly rows?: unknown }
  return typeof reason === 'string' && isCount(rows)
}

function areCounts(value: unknown, length: number): boolean {
  return Array.isArray(value) && value.length === length && value.every(isCount)
}
