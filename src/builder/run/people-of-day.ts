// Owns that all releases of a UTC day publish the same numbers of people, unless they are exact: counting as of midnight is
// not enough, because accounts are deleted, ideas hidden, and rows committed late. Writes nothing.
import { peopleTime, type PeopleMode } from '../../contract/people.ts'
import type { Log } from '../../process/log.ts'
import type { PeopleOfDay } from '../../release/format/people-of-day.ts'
import { readPeopleOfDay } from '../../release/reading/people-of-day.ts'
import type { ConsistentRead } from '../../source/read/consistent-read.ts'
import type { ReleaseSummary } from './against-current.ts'
import type { BuildRequest } from './request.ts'
import type { Candidate } from './stage-release.ts'

/** The current release, and how it publishes people. */
export type PeopleOfRelease = Pick<ReleaseSummary, 'id' | 'dataAsOf' | 'mapping'> & { readonly people: PeopleMode }

/**
 * What the current release published of this day; null = these are the first numbers of it, or they are exact.
 * @throws ReleaseError (unreadable): something may be kept
 */
export async function peopleOfToday(
  current: PeopleOfRelease | null,
  { analytics: { people: mode }, mapping, rowSecurity, paths }: BuildRequest,
  asOfMs: number,
  log: Log,
): Promise<PeopleOfDay | null> {
  if (mode === 'exact' || current === null || current.people === 'exact') return null
  const today = peopleTime(mode, asOfMs).asOfMs
  if (peopleTime(mode, Date.parse(current.dataAsOf)).asOfMs !== today) return null
  const isSame = (kept: Pick<PeopleOfDay, 'mapping'>): boolean =>
    kept.mapping.sha256 === mapping.sha256 && kept.mapping.name === mapping.name
  if (!isSame(current)) return null
  const kept = await readPeopleOfDay(paths, current.id)
  if (typeof kept === 'string') {
    log.warn(
      {},
      `the numbers of people of today are counted again, and may differ from those of ${current.id}: ${kept}`,
    )
    return null
  }
  return kept.asOfMs === today && isSame(kept) && kept.rowSecurity === rowSecurity ? kept : null
}

/** The same read with the numbers of people of the day. They are counted all the same: the gate compares accounts by month. */
export function withPeople(source: ConsistentRead, people: PeopleOfDay | null): ConsistentRead {
  if (people === null) return source
  return {
    ...source,
    async users(counted) {
      await source.users(counted)
      return people.facts
    },
    skippedRows: () => [
      ...source.skippedRows().filter(({ relation }) => relation !== 'users'),
      ...people.skipped.map((one) => ({ relation: 'users' as const, ...one })),
    ],
  }
}

/** What is to be kept of a candidate for the next releases of its day; null = nothing: its numbers are exact, or none. */
export function keptPeopleOf(
  { exact, manifest, closed }: Pick<Candidate, 'exact' | 'manifest' | 'closed'>,
  { analytics: { people: mode } }: BuildRequest,
): PeopleOfDay | null {
  if (exact === null || closed !== null) return null
  const { mapping, dataAsOf, source } = manifest
  return {
    asOfMs: peopleTime(mode, Date.parse(dataAsOf)).asOfMs,
    mapping,
    rowSecurity: source.rowSecurity,
    facts: exact.facts,
    skipped: exact.ignored.flatMap(({ relation, reason, rows }) => (relation === 'users' ? [{ reason, rows }] : [])),
  }
}
