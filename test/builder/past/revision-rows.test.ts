// What is published of how the past changed: one row for each day, relation and month, over builds, rollbacks and modes.
import { describe, expect, it, test } from 'vitest'
import { earlierRevisions, MAX_ROWS, withRevisions } from '../../../src/builder/past/revision-rows.ts'
import { ALL_MONTHS, type Revision } from '../../../src/builder/past/revision.ts'
import type { RevisionRow } from '../../../src/contract/kinds/revisions.ts'
import { PEOPLE_MODES, type PeopleMode } from '../../../src/contract/people.ts'
import { randomStream } from '../../../src/demo/random.ts'
import { SILENT } from '../../../src/process/log.ts'
import { revisionsChecks } from '../../../src/release/checks/kinds/revisions.ts'
import { ReportedTotals } from '../../../src/release/checks/reported-totals.ts'
import { faultOf as thrownFault } from '../../../src/release/quantities/rules.ts'
import { releasePaths } from '../../../src/release/format/paths.ts'
import { temporaryFolder } from '../../support/temporary-folder.ts'

const revision = (relation: Revision['relation'], month: string | null, was: number, is: number): Revision => ({
  relation,
  had: was,
  has: is,
  rows: Math.abs(is - was),
  months: [{ month, was, is }],
})
const row = (
  date: string,
  month: string | null,
  was: number,
  is: number,
  more: Partial<RevisionRow> = {},
): RevisionRow => ({
  date,
  relation: 'votes',
  // By its first day.
  month: month === null ? null : `${month}-01`,
  was,
  is,
  accepted: false,
  ...more,
})
interface Build {
  readonly taken?: readonly RevisionRow[]
  readonly revisions?: readonly Revision[] | null
  readonly accepted?: boolean
  readonly mode?: PeopleMode
  readonly isByMonth?: boolean
}
const build = (current: readonly RevisionRow[], date: string, of: Build = {}): RevisionRow[] => {
  const { taken = [], revisions = [], accepted = false, mode = 'exact', isByMonth = true } = of
  return withRevisions({ current, taken }, revisions, { date, accepted, isByMonth }, mode)
}

/** What the gate and `verify` say of rows, and what of their people. */
function faultOf(
  rows: readonly object[],
  mode: PeopleMode = 'exact',
  into: ReportedTotals = new ReportedTotals(mode),
): readonly (string | null)[] {
  const rules = revisionsChecks()
  rules.add(rows as Parameters<typeof rules.add>[0])
  const about = { endpoint: 'export', type: 'revisions', period: 'all' } as const
  const fault = thrownFault(() => rules.state(into, 'all.json', about, ''))
  return [fault?.replace('all.json: ', '') ?? null, ...into.unstated]
}

describe('what is of no month of a relation that is published', () => {
  const months = [{ month: '2026-04', was: 9, is: 8 }]
  const votes = { relation: 'votes', had: 9, has: 8, rows: 1, months } as const
  const notCompared = { date: '2026-05-03', relation: null, month: null, was: null, is: null, accepted: false }

  it('is no row: who was active, in no mode', () => {
    const revisions = [votes, { ...votes, relation: 'activeUsers' }] as const
    for (const mode of PEOPLE_MODES)
      expect(build([], '2026-05-03', { revisions, mode }).map(({ relation }) => relation)).toEqual(['votes'])
  })

  it('is one row of the day where months begin at other instants, and the rows without a date stay', () => {
    const [sum, undated] = [
      { month: ALL_MONTHS, was: 9, is: 8 },
      { month: null, was: 3, is: 2 },
    ]
    const revisions = [{ ...votes, months: [sum, undated] }]
    const found = build([], '2026-05-03', { revisions, isByMonth: false })
    expect(found).toEqual([notCompared, { ...notCompared, relation: 'votes', was: 3, is: 2 }])
    expect(faultOf(found)).toEqual([null])
    expect(build([], '2026-05-03', { revisions: [], isByMonth: false })).toEqual([notCompared])
  })
})

describe('the rows of a build', () => {
  it('follow those before; a build that found nothing has none', () => {
    const earlier = [row('2026-05-01', '2026-04', 5, 4)]
    expect(build(earlier, '2026-05-02')).toEqual(earlier)
    const revisions = [revision('votes', '2026-04', 9, 7), revision('ideas', null, 3, 4)]
    expect(build(earlier, '2026-05-02', { revisions, accepted: true })).toEqual([
      ...earlier,
      row('2026-05-02', '2026-04', 9, 7, { accepted: true }),
      row('2026-05-02', null, 3, 4, { relation: 'ideas', accepted: true }),
    ])
  })

  it('say of a build that was not compared that it was not, once a day', () => {
    const none = { relation: null, was: null, is: null } as const
    const once = build([], '2026-05-02', { revisions: null })
    expect(once).toEqual([{ ...row('2026-05-02', null, 0, 0), ...none }])
    expect(build(once, '2026-05-02', { revisions: null })).toEqual(once)
  })

  it('add up within a day, while the month grows between its builds', () => {
    const first = build([], '2026-05-02', { revisions: [revision('votes', '2026-05', 10, 7)] })
    // Five votes came, then nine went: twelve less than there would be.
    expect(build(first, '2026-05-02', { revisions: [revision('votes', '2026-05', 12, 3)], accepted: true })).toEqual([
      row('2026-05-02', '2026-05', 15, 3, { accepted: true }),
    ])
    // Undone within the day: what was public stays, as no change.
    expect(build(first, '2026-05-02', { revisions: [revision('votes', '2026-05', 7, 10)] })).toEqual([
      row('2026-05-02', '2026-05', 10, 10),
    ])
  })

  it('have no samples of ideas, and people only where they are exact', () => {
    const titles = { ...revision('titles', null, 9, 9), months: [] }
    const revisions = [titles, revision('users', '2026-04', 5, 4)]
    const exact = build([], '2026-05-02', { revisions })
    expect(exact).toEqual([row('2026-05-02', '2026-04', 5, 4, { relation: 'users' })])
    for (const mode of ['rounded', 'off'] as const) expect(build(exact, '2026-05-03', { revisions, mode })).toEqual([])
  })

  it(`are the last ${MAX_ROWS}`, () => {
    const all = Array.from({ length: MAX_ROWS }, (_, i) => row('2026-05-01', `${1000 + i}-01`, 1, 2))
    const now = build(all, '2026-05-02', { revisions: [revision('votes', '2026-04', 5, 4)] })
    expect([now.length, now[0]?.month, now.at(-1)?.date]).toEqual([MAX_ROWS, '1001-01-01', '2026-05-02'])
  })
})

describe('after a rollback', () => {
  const before = [row('2026-05-01', '2026-04', 5, 4)]
  it('what was taken back stays, and is undone', () => {
    const taken = [...before, row('2026-05-02', '2026-04', 4, 40, { accepted: true })]
    expect(build(before, '2026-05-03', { taken })).toEqual([...taken, row('2026-05-03', '2026-04', 40, 4)])
    expect(build(before, '2026-05-02', { taken })).toEqual([
      ...before,
      row('2026-05-02', '2026-04', 4, 4, { accepted: true }),
    ])
  })

  it('no number is less than 0: what had grown until it was taken back is in the change back', () => {
    const taken = [row('2026-05-02', '2026-04', 60, 10)]
    const revisions = [revision('votes', '2026-04', 20, 3)]
    expect(build([], '2026-05-03', { taken, revisions })).toEqual([...taken, row('2026-05-03', '2026-04', 0, 33)])
  })

  it('what both have is not undone; what only the current one has stays', () => {
    for (const taken of [before, []]) expect(build(before, '2026-05-03', { taken })).toEqual(before)
    const taken = [row('2026-05-01', '2026-04', 5, 3)]
    expect(build(before, '2026-05-04', { taken })).toEqual([...taken, row('2026-05-04', '2026-04', 3, 4)])
  })
})

it('rows that no build writes are named', () => {
  const fine = row('2026-05-02', '2026-04', 5, 4)
  const none = { ...fine, relation: null, month: null, was: null, is: null }
  expect(faultOf([none, fine, { ...fine, month: null, relation: 'users' }])).toEqual([null])
  const WRONG = { date: '2026-05-01', relation: 'titles', month: '2026-04-02', was: null, is: -1, accepted: 0 }
  for (const [key, value] of Object.entries(WRONG)) {
    const fault = `row 2: its ${key} is ${JSON.stringify(value)}`
    expect(faultOf([fine, { ...fine, [key]: value }])).toEqual([fault])
  }
  for (const key of ['month', 'was', 'is'] as const)
    expect(faultOf([{ ...none, [key]: fine[key] }])[0]).toBe(`row 1: its ${key} is ${JSON.stringify(fine[key])}`)
  const people = 'all.json: row 2 has users, which is not how --people rounded publishes'
  expect(faultOf([fine, { ...fine, relation: 'users' }], 'rounded')).toEqual([null, people])
})

it('random days and rollbacks: what is published of each month is its first number with all changes', () => {
  const [into, wrong] = [new ReportedTotals('exact'), [] as unknown[]]
  for (let seed = 0; seed < 200; seed++) {
    const random = randomStream(seed, 'revisions')
    const upTo = (n: number): number => Math.floor(random() * n)
    interface State {
      readonly rows: readonly RevisionRow[]
      readonly now: number
    }
    const states: State[] = [{ rows: [], now: 20 }]
    let [grown, newest] = [20, states[0]!]
    for (let n = 0; n < 30; n++) {
      const date = `2026-05-${String(1 + (n >> 1)).padStart(2, '0')}`
      const current = states.at(-1)!
      const isBack = states.length > 2 && upTo(6) === 0
      const base = isBack ? states[upTo(states.length - 1)]! : current
      const taken = isBack ? newest.rows : []
      if (isBack) grown += base.now - current.now
      const growth = upTo(4)
      const was = base.now + growth
      const is = upTo(3) === 0 ? upTo(30) : was
      grown += growth
      const revisions = is === was ? [] : [revision('votes', '2026-05', was, is)]
      const before = newest.rows
      newest = { rows: build(base.rows, date, { taken, revisions }), now: is }
      const dates = new Set(newest.rows.map((one) => one.date))
      const lost = before.filter((one) => !dates.has(one.date))
      states.push(newest)
      const [fault, ...unpublishable] = faultOf(newest.rows, 'exact', into)
      const changes = newest.rows.reduce((sum, one) => sum + (one.is ?? 0) - (one.was ?? 0), 0)
      const growths = newest.now - 20 - changes
      if (lost.length > 0 || fault !== null || unpublishable.length > 0 || !(growths >= 0))
        wrong.push({ seed, n, lost, fault, unpublishable, growths })
    }
  }
  expect(wrong).toEqual([])
})

test('what is kept of a rollback, but not as this version writes it, is left out with a word', async () => {
  const folder = temporaryFolder()
  const warned: string[] = []
  const log = { ...SILENT, warn: (_: object, message: string) => void warned.push(message) }
  const taken = async (...data: readonly unknown[]): Promise<readonly RevisionRow[]> => {
    const past = { taken: { id: '20260502', revisions: data } }
    return (await earlierRevisions(releasePaths(folder), past, '20260501', log)).taken
  }
  const known = row('2026-05-01', '2026-04', 5, 4)
  expect(await taken(known)).toEqual([known])
  expect(warned.splice(0)).toEqual([expect.stringContaining('not carried on from 20260501')])
  for (const [other, why] of [
    [{ ...known, relation: 'flags' }, 'row 2: its relation is "flags"'],
    [{}, 'row 2: its date is undefined'],
    [{ ...known, date: '9999-99-99' }, 'row 2: its date is "9999-99-99"'],
    [{ ...known, month: undefined }, 'row 2: its month is undefined'],
  ] as const) {
    expect(await taken(known, other)).toEqual([])
    expect(warned.splice(0)).toEqual([expect.anything(), expect.stringContaining(why)])
  }
})

test('rows that may be there but cannot be read stop the build: without them nobody would see again what changed', async () => {
  // ENAMETOOLONG: any error but one that says that nothing is there.
  const paths = { ...releasePaths(temporaryFolder()), releases: temporaryFolder() }
  const kept = earlierRevisions(paths, { taken: null }, '2'.repeat(300), SILENT)
  await expect(kept).rejects.toMatchObject({ code: 'unreadable' })
})
