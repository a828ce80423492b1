// Owns facts of invented people, counted one by one from what each did: consistent by themselves. Knows no rounding.
import { array, constantFrom, integer, option, record, type Arbitrary } from 'fast-check'
import type { BucketUsers, UserFacts } from '../../src/model/facts.ts'
import { peopleBuckets, peopleTime, type PeopleMode } from '../../src/contract/people.ts'
import { BOUNDED_PERIODS, bucketsOf, EDGES_MS, PERIODS, windowOf } from '../../src/contract/windows.ts'

export interface Person {
  /** null = undated. */
  readonly joinedMs: number | null
  readonly did: readonly { readonly atMs: number | null; readonly kind: 'authors' | 'voters' | 'commenters' }[]
}

const DAY_MS = 86_400_000

/** Up to 60 people of the 200 days before an instant. */
export function crowds(asOfMs: number): Arbitrary<Person[]> {
  const time = option(
    integer({ min: 0, max: 200 * 24 }).map((hours) => asOfMs - hours * 3_600_000 - 1),
    { freq: 9, nil: null },
  )
  const act = record({ atMs: time, kind: constantFrom('authors' as const, 'voters' as const, 'commenters' as const) })
  return array(record({ joinedMs: time, did: array(act, { maxLength: 4 }) }), { maxLength: 60, size: 'max' })
}

/** As of the instant of a mode's numbers of people. */
export function factsOf(people: readonly Person[], mode: PeopleMode, asOfMs: number): UserFacts {
  const time = peopleTime(mode, asOfMs)
  const toMs = time.asOfMs
  const accounts = people.filter(({ joinedMs }) => joinedMs === null || joinedMs < toMs)
  const joinedIn = (from: number, to: number): number =>
    accounts.filter(({ joinedMs }) => joinedMs !== null && joinedMs >= from && joinedMs < to).length
  const acts = people.flatMap(({ did }, person) =>
    did.map(({ atMs, kind }) => ({ atMs: atMs ?? Number.NaN, kind, person })),
  )
  const activeIn = (from: number, to: number, of?: string): number => {
    const done = acts.filter(({ atMs, kind }) => atMs >= from && atMs < to && (of ?? kind) === kind)
    return new Set(done.map(({ person }) => person)).size
  }
  const bucket = ({ startMs, fromMs, toMs: endMs }: ReturnType<typeof peopleBuckets>[number]): BucketUsers => ({
    startMs,
    newUsers: joinedIn(fromMs, endMs),
    totalUsers: accounts.filter(({ joinedMs }) => joinedMs === null || joinedMs < endMs).length,
    active: activeIn(fromMs, endMs),
    authors: activeIn(fromMs, endMs, 'authors'),
    voters: activeIn(fromMs, endMs, 'voters'),
    commenters: activeIn(fromMs, endMs, 'commenters'),
  })
  const lengths = BOUNDED_PERIODS.map((period) => toMs - (windowOf(period, toMs).fromMs ?? 0))
  return {
    accounts: { total: accounts.length, since: EDGES_MS.map((edgeMs) => joinedIn(toMs - edgeMs, toMs)) },
    laterAccounts: people.length - accounts.length,
    active: {
      inWindow: lengths.map((length) => activeIn(toMs - length, toMs)),
      before: lengths.map((length) => activeIn(toMs - 2 * length, toMs - length)),
      all: people.filter(({ did }) => did.some(({ atMs }) => atMs === null || atMs < toMs)).length,
    },
    yearAgo: lengths.map((length) => {
      const endMs = toMs - 365 * DAY_MS
      return { newUsers: joinedIn(endMs - length, endMs), active: activeIn(endMs - length, endMs) }
    }),
    years: bucketsOf('all', toMs, toMs - 201 * DAY_MS, 'year').map(({ startMs, fromMs, toMs: endMs }) => ({
      startMs,
      active: activeIn(fromMs, endMs),
    })),
    buckets: PERIODS.map((period) => peopleBuckets(period, time, toMs - 201 * DAY_MS).map(bucket)),
  }
}

/** Accounts without a date, as a manifest notes them. */
export const undatedOf = (people: readonly Person[]): number =>
  people.filter(({ joinedMs }) => joinedMs === null).length
