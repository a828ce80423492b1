// The invariants over numbers of people, however they are published: relations.ts, numbers.ts.
import { assert, constantFrom, integer, nat, property, tuple } from 'fast-check'
import { describe, expect, it } from 'vitest'
import { categorySums } from '../../../src/analytics/categories.ts'
import { publishPeople, publishSkipped } from '../../../src/analytics/people.ts'
import { overviewRows, statsDocument } from '../../../src/analytics/overview.ts'
import type { ExportRow } from '../../../src/contract/kinds/tables.ts'
import { PEOPLE_MODES, publishedCount, publishedTotalUsers, type PeopleMode } from '../../../src/contract/people.ts'
import { PERIODS, UNDATED, type Period } from '../../../src/contract/windows.ts'
import type { UserFacts } from '../../../src/model/facts.ts'
import { isPublished, isPublishedTotal } from '../../../src/release/quantities/numbers.ts'
import { ReportedTotals } from '../../../src/release/checks/reported-totals.ts'
import type { Manifest } from '../../../src/release/format/manifest.ts'
import { crowds, factsOf, undatedOf, type Person } from '../../analytics/people-facts.ts'
import { countedEvents } from '../../support/counted-events.ts'
import { aboutOf } from '../sample-release.ts'
import { takeDocument } from '../take-document.ts'

const AS_OF_MS = Date.parse('2026-05-20T09:30:00.000Z')
const NOBODY = categorySums([], countedEvents(AS_OF_MS))

type Row = Record<string, unknown>

/** The documents with numbers of people, and what of the manifest is about them. */
class Draft {
  readonly mode: PeopleMode
  readonly stats: Record<string, number>
  readonly overview: Readonly<Record<Period, Row[]>>
  readonly users: Readonly<Record<Period, Row[]>>
  readonly manifest: Manifest

  constructor(people: readonly Person[], mode: PeopleMode, facts: UserFacts = factsOf(people, mode, AS_OF_MS)) {
    this.mode = mode
    const published = publishPeople(facts, mode)
    const each = (of: (period: Period) => readonly ExportRow[]): Record<Period, Row[]> =>
      Object.fromEntries(PERIODS.map((period) => [period, of(period).map((row) => ({ ...row }))])) as never
    this.stats = { ...statsDocument(NOBODY, published.inStats).stats }
    this.overview = each((period) => overviewRows(period, NOBODY, published))
    this.users = each((period) => published.userRows(period))
    const about = aboutOf(AS_OF_MS)
    const undated = undatedOf(people)
    const ignored = undated === 0 ? [] : [{ relation: 'users', reason: UNDATED, rows: undated }]
    this.manifest = {
      ...about,
      id: '',
      files: [],
      options: { ...about.options, people: mode },
      rows: { users: published.accounts, ideas: 0, votes: 0, comments: 0, launchedIdeas: 0, categories: 0 },
      ignored: publishSkipped(ignored, mode),
      categories: [],
    }
  }

  faults(): string[] {
    return this.reported().faults(this.manifest)
  }

  reported(): ReportedTotals {
    const reported = new ReportedTotals(this.mode)
    reported.take({ endpoint: 'stats' }, { stats: this.stats })
    for (const period of PERIODS) {
      const about = { endpoint: 'export', period, format: 'json' } as const
      takeDocument(reported, { ...about, type: 'overview' }, { data: this.overview[period] })
      takeDocument(reported, { ...about, type: 'users' }, { data: this.users[period] })
    }
    return reported
  }

  metric(period: Period, metric: string): Row {
    const row = this.overview[period].find((one) => one['metric'] === metric)
    if (row === undefined) throw new Error(`no ${metric}`)
    return row
  }
}

const crowd = crowds(AS_OF_MS)
/** A hundred people: one each day, 30 of them without a date; each votes on their second day. */
const HUNDRED: readonly Person[] = Array.from({ length: 100 }, (_, i) => {
  const joinedMs = AS_OF_MS - (i + 1) * 86_400_000
  return { joinedMs: i < 70 ? joinedMs : null, did: [{ atMs: joinedMs + 86_400_000, kind: 'voters' }] }
})
const FACTS = Object.fromEntries(PEOPLE_MODES.map((mode) => [mode, factsOf(HUNDRED, mode, AS_OF_MS)])) as Record<
  PeopleMode,
  UserFacts
>

describe('a value of a mode', () => {
  it('is what that mode publishes, and nothing else', () => {
    for (const mode of PEOPLE_MODES) {
      const counts = Array.from({ length: 30 }, (_, people) => people)
      const published = new Set(counts.map((people) => publishedCount(people, mode)))
      const totals = new Set(counts.map((people) => publishedTotalUsers(people, mode)))
      for (const value of [null, ...counts.slice(0, 20)]) {
        expect(isPublished(value, mode), `${value} with ${mode}`).toBe(published.has(value))
        expect(isPublishedTotal(value, mode), `${value} with ${mode}`).toBe(value !== null && totals.has(value))
      }
      for (const value of [undefined, -5, 10.5, Number.NaN, '10', 2 ** 53])
        expect([isPublished(value, mode), isPublishedTotal(value, mode)], `${value} with ${mode}`).toEqual([
          false,
          false,
        ])
    }
  })
})

describe('numbers of people that are right', () => {
  it('satisfy every rule, however they are published', () => {
    assert(
      property(crowd, (people) => {
        for (const mode of PEOPLE_MODES) expect(new Draft(people, mode).faults(), mode).toEqual([])
      }),
    )
  })

  it.each(PEOPLE_MODES)('of a site that is closed are none: %s', (mode) => {
    const draft = new Draft([], mode)
    Object.assign(draft.manifest, { closed: true })
    expect(draft.manifest.rows.users).toBe(mode === 'off' ? null : 0)
    expect(draft.faults()).toEqual([])
    Object.assign(draft.manifest.rows, { users: mode === 'rounded' ? null : 1 })
    expect(draft.faults()).not.toEqual([])
  })
})

describe('a number of people that is wrong', () => {
  const sentences = (mode: PeopleMode, wrong: (draft: Draft) => void): string[] => {
    const draft = new Draft(HUNDRED, mode, FACTS[mode])
    expect(draft.faults()).toEqual([])
    wrong(draft)
    return draft.faults()
  }

  it('is found where it is not of the mode, in each place', () => {
    const mode = constantFrom('rounded' as const, 'off' as const)
    const column = constantFrom('newUsers', 'totalUsers', 'activeUsers', 'ideaAuthors', 'voters', 'commenters')
    assert(
      property(
        mode,
        tuple(constantFrom(...PERIODS), column, nat(100)),
        integer({ min: 11, max: 14 }),
        (how, at, value) => {
          const [period, key, i] = at
          const found = sentences(how, ({ users }) => {
            const row = users[period][i % users[period].length]
            if (row !== undefined) row[key] = value
          })
          expect(found.join('\n')).toContain(`analytics/export/users/${period}.json`)
        },
      ),
    )
    for (const metric of ['newUsers', 'activeUsers', 'totalUsers'])
      for (const key of ['value', 'previousValue']) {
        const found = sentences('rounded', (draft) => (draft.metric('30d', metric)[key] = 13))
        expect(found.join('\n'), `${key} of ${metric}`).toContain('analytics/export/overview/30d.json')
      }
  })

  const WRONG: Readonly<
    Record<string, [PeopleMode, wrong: (draft: Draft) => void, ...sentences: (string | RegExp)[]]>
  > = {
    'a sum that is not that of the buckets': [
      'exact',
      (draft) => (draft.metric('7d', 'newUsers')['value'] = 60),
      'users in 7d: 60 in newUsers of analytics/export/overview/7d.json, but 7 in newUsers of analytics/export/users/7d.json',
    ],
    'dated people that are more than there are': [
      'exact',
      (draft) => {
        for (const row of draft.users.all) row['newUsers'] = 20
      },
      /^users with a date: 70 in all users less the 30 undated ones in manifest\.json, but \d+ in newUsers of analytics\/export\/users\/all\.json$/,
    ],
    'undated people who are more than there are': [
      'exact',
      (draft) => {
        for (const row of draft.users.all) row['newUsers'] = 0
        Object.assign(draft.manifest, { ignored: [{ relation: 'users', reason: UNDATED, rows: 101 }] })
      },
      'users with a date: -1 in all users less the 101 undated ones in manifest.json, but 0 in newUsers of analytics/export/users/all.json',
    ],
    'a bucket that has no number': [
      'exact',
      (draft) => Object.assign(draft.users['7d'][2] ?? {}, { newUsers: null }),
      'analytics/export/users/7d.json: newUsers of row 3 is null, which is not how --people exact publishes',
    ],
    'a total of the manifest that is null': [
      'rounded',
      (draft) => Object.assign(draft.manifest.rows, { users: null }),
      /^total users: 100 in .*, but 5 in rows of manifest\.json, where it is null$/,
    ],
    'a change from nothing known': [
      'rounded',
      (draft) => (draft.metric('7d', 'newUsers')['changePercent'] = 3),
      'analytics/export/overview/7d.json: changePercent of newUsers is 3, which is not how --people rounded publishes',
    ],
    'the total of stats, exactly': [
      'off',
      (draft) => (draft.stats['totalUsers'] = 101),
      'total users: not as --people off publishes it in totalUsers of public/stats.json',
    ],
    null: [
      'exact',
      (draft) => Object.assign(draft.metric('7d', 'newUsers'), { value: null, changePercent: null }),
      'users in 7d: not a whole number from 0 on in newUsers of analytics/export/overview/7d.json',
    ],
  }
  it.each(Object.entries(WRONG))('%s', (_, [mode, wrong, ...expected]) => {
    const found = sentences(mode, wrong)
    expect(found).toHaveLength(expected.length)
    for (const [i, sentence] of expected.entries())
      if (typeof sentence === 'string') expect(found[i]).toBe(sentence)
      else expect(found[i]).toMatch(sentence)
  })

  it('is found where a total is another', () => {
    assert(
      property(crowd, integer({ min: 1, max: 20 }), (people, steps) => {
        const draft = new Draft(people, 'rounded')
        draft.stats['totalUsers'] = publishedTotalUsers(people.length, 'rounded') + 5 * steps
        expect(draft.faults()).not.toEqual([])
      }),
    )
  })
})
