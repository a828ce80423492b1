// The numbers of people in documents, in each mode: src/analytics/people.ts with the makers of documents, and their schemas.
import { assert, constantFrom, property } from 'fast-check'
import { describe, expect, it } from 'vitest'
import { categorySums } from '../../src/analytics/categories.ts'
import { overviewRows, statsDocument } from '../../src/analytics/overview.ts'
import { publishPeople, publishSkipped } from '../../src/analytics/people.ts'
import { changePercent } from '../../src/analytics/ratio.ts'
import { PEOPLE_MODES, publishedCount, type PeopleMode } from '../../src/contract/people.ts'
import { formatTimestamp } from '../../src/contract/timestamp.ts'
import { FUTURE, PERIODS, UNDATED, type Period } from '../../src/contract/windows.ts'
import { countedEvents } from '../support/counted-events.ts'
import { crowds, factsOf } from './people-facts.ts'
import { schemaErrors } from './schema-errors.ts'

const AS_OF_MS = Date.UTC(2026, 4, 20, 9, 30)
const NOBODY = categorySums([], countedEvents(AS_OF_MS))
const PEOPLE = ['newUsers', 'activeUsers', 'totalUsers']
const crowd = crowds(AS_OF_MS)
const mode = constantFrom(...PEOPLE_MODES)
const period = constantFrom(...PERIODS)

function exportOf(type: 'users' | 'overview', of: Period, data: readonly object[]): object {
  const [to, rowCount] = [formatTimestamp(AS_OF_MS), data.length]
  return { type, period: of, from: of === 'all' ? null : to, to, data, rowCount, dataAsOf: to }
}

describe('numbers of people in documents', () => {
  it('are the exact ones, each published once, and changes follow from what is published', () => {
    assert(
      property(crowd, mode, period, (people, how, of) => {
        const facts = factsOf(people, how, AS_OF_MS)
        const exact = publishPeople(facts, 'exact')
        const published = publishPeople(facts, how)
        const publish = (value: unknown): unknown => publishedCount(value as number | null, how)
        const before = overviewRows(of, NOBODY, exact)
        for (const [i, row] of overviewRows(of, NOBODY, published).entries()) {
          if (!PEOPLE.includes(row['metric'])) {
            expect(row).toEqual(before[i])
            continue
          }
          const [value, previous] = [row['value'], row['previousValue']] as [number | null, number | null]
          expect([value, previous]).toEqual([publish(before[i]?.['value']), publish(before[i]?.['previousValue'])])
          expect(row['changePercent']).toBe(changePercent(value, previous))
        }
        expect(published.userRows(of)).toEqual(
          exact.userRows(of).map(({ bucket, ...cells }, i) => ({
            // Where it is not exact, the one bucket of a day is named by its date.
            bucket: of === '24h' && how !== 'exact' ? published.userRows(of)[i]?.['bucket'] : bucket,
            ...Object.fromEntries(Object.entries(cells).map(([key, cell]) => [key, publish(cell)])),
          })),
        )
        expect(published.accounts).toBe(publish(exact.accounts))
      }),
    )
  })

  it('are as the schemas say, in every mode', () => {
    assert(
      property(crowd, mode, period, (people, how, of) => {
        const published = publishPeople(factsOf(people, how, AS_OF_MS), how)
        expect(schemaErrors('Stats', statsDocument(NOBODY, published.inStats))).toBeNull()
        expect(schemaErrors('ExportUsers', exportOf('users', of, published.userRows(of)))).toBeNull()
        expect(schemaErrors('ExportOverview', exportOf('overview', of, overviewRows(of, NOBODY, published)))).toBeNull()
      }),
      { numRuns: 30 },
    )
  })

  it('may be null wherever people are counted, but for the total of stats', () => {
    const off = publishPeople(factsOf([{ joinedMs: null, did: [] }], 'off', AS_OF_MS), 'off')
    expect(off.userRows('7d')[0]).toEqual({
      bucket: '2026-05-13',
      newUsers: null,
      totalUsers: null,
      activeUsers: null,
      ideaAuthors: null,
      voters: null,
      commenters: null,
    })
    const stats = statsDocument(NOBODY, off.inStats)
    expect(stats.stats.totalUsers).toBe(5)
    expect(schemaErrors('Stats', { ...stats, stats: { ...stats.stats, totalUsers: null } })).not.toBeNull()
    expect(
      schemaErrors('ExportUsers', exportOf('users', '7d', [{ ...off.userRows('7d')[0], bucket: null }])),
    ).not.toBeNull()
  })
})

describe('skipped rows in a manifest', () => {
  const rows = [
    { relation: 'users', reason: FUTURE, rows: 40 },
    { relation: 'users', reason: UNDATED, rows: 3 },
    { relation: 'users', reason: 'id is NULL', rows: 12 },
    { relation: 'votes', reason: FUTURE, rows: 3 },
  ]
  it.each<[PeopleMode, readonly (number | null)[]]>([
    ['exact', [40, 3, 12, 3]],
    ['rounded', [null, 10, 3]],
    ['off', [null, null, 3]],
  ])('of accounts are people: %s', (how, counts) => {
    expect(publishSkipped(rows, how).map((one) => one.rows)).toEqual(counts)
  })
})
