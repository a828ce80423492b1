import { assert, constantFrom, integer, nat, property } from 'fast-check'
import { describe, expect, it } from 'vitest'
import { againstCurrent, clockWarning } from '../../../src/builder/run/against-current.ts'
import type { Manifest, ManifestTotals } from '../../../src/release/format/manifest.ts'
import { aboutOf, AS_OF_MS } from '../../release/sample-release.ts'

const TOTALS: ManifestTotals = {
  users: 1_000,
  ideas: 500,
  votes: 10_000,
  comments: 2_000,
  launchedIdeas: 100,
  categories: 40,
}
const GUARDED = ['users', 'ideas', 'votes', 'comments', 'launchedIdeas'] as const

const manifestOf = (change: Partial<Manifest> = {}, asOfMs = AS_OF_MS): Manifest => ({
  id: 'not looked at',
  ...aboutOf(asOfMs),
  rows: TOTALS,
  files: [],
  ...change,
})
const OPTIONS = { maxDropPercent: 20, acceptDrop: false, nowMs: AS_OF_MS + 1_000 }
const LAST = manifestOf()
const candidate = (rows: Partial<ManifestTotals>, asOfMs = AS_OF_MS + 500): Manifest =>
  manifestOf({ rows: { ...TOTALS, ...rows } }, asOfMs)

describe('the gate', () => {
  const RULES: readonly [what: string, before: number, now: number, maxDropPercent: number, passes: boolean][] = [
    ['the same', 1_000, 1_000, 20, true],
    ['more', 1_000, 100_000, 20, true],
    ['20 % less', 1_000, 800, 20, true],
    ['20.1 % less', 1_000, 799, 20, false],
    ['everything gone', 1_000, 0, 20, false],
    ['20 rows of 20 gone', 20, 0, 20, true],
    ['21 rows of 21 gone', 21, 0, 20, false],
    ['20 rows of 21 gone', 21, 1, 20, true],
    ['21 rows of 105 gone, 20 %', 105, 84, 20, true],
    ['21 rows of 104 gone, 20.2 %', 104, 83, 20, false],
    ['21 rows less, allowed 0 %', 1_000_000, 999_979, 0, false],
    ['20 rows less, allowed 0 %', 1_000_000, 999_980, 0, true],
    ['everything gone, allowed 100 %', 1_000, 0, 100, true],
    ['nothing before', 0, 0, 20, true],
  ]
  it.each(RULES)('%s (%d to %d, at most %d %%): passes %s', (_, before, now, maxDropPercent, passes) => {
    for (const key of GUARDED) {
      const last = manifestOf({ rows: { ...TOTALS, [key]: before } })
      const reasons = againstCurrent(candidate({ [key]: now }), last, { ...OPTIONS, maxDropPercent })
      expect(reasons, key).toHaveLength(passes ? 0 : 1)
      expect(againstCurrent(candidate({ [key]: now }), last, { ...OPTIONS, maxDropPercent, acceptDrop: true })).toEqual(
        [],
      )
    }
  })

  it('keeps no closed site public, whatever the clocks and totals say', () => {
    const closed = {
      closed: true,
      rows: { users: 0, ideas: 0, votes: 0, comments: 0, launchedIdeas: 0, categories: 0 },
    }
    for (const asOfMs of [AS_OF_MS - 86_400_000, AS_OF_MS, AS_OF_MS + 500, AS_OF_MS + 86_400_000])
      for (const last of [LAST, manifestOf(closed), null])
        expect(againstCurrent(manifestOf({ ...closed, id: 'closed' }, asOfMs), last, OPTIONS)).toEqual([])
  })

  it('compares what opens again with nothing, as a first release: only its own clock counts', () => {
    const last = manifestOf({ closed: true, rows: { ...TOTALS, users: 1_000_000 } }, AS_OF_MS + 86_400_000)
    expect(againstCurrent(candidate({}), last, OPTIONS)).toEqual([])
    expect(againstCurrent(candidate({}, AS_OF_MS + 600_000), last, OPTIONS)).toEqual([
      expect.stringContaining('ahead of this machine'),
    ])
  })

  it('says what fell, how far, what is allowed, and what to do', () => {
    expect(againstCurrent(candidate({ votes: 7_000, users: 700 }), LAST, OPTIONS)).toEqual([
      'users fell from 1000 to 700 (-30.0 %, allowed -20 %)',
      'votes fell from 10000 to 7000 (-30.0 %, allowed -20 %); if that is correct, build once with --accept-drop',
    ])
  })

  it('does not guard the number of categories', () => {
    expect(againstCurrent(candidate({ categories: 0 }), LAST, OPTIONS)).toEqual([])
  })

  it('rejects exactly what falls by more than the percentage and more than 20 rows', () => {
    assert(
      property(
        constantFrom(...GUARDED),
        nat(1_000_000),
        nat(1_000_000),
        integer({ min: 0, max: 100 }),
        (key, a, b, max) => {
          const last = manifestOf({ rows: { ...TOTALS, [key]: a } })
          const refused = againstCurrent(candidate({ [key]: b }), last, { ...OPTIONS, maxDropPercent: max }).length > 0
          expect(refused).toBe(a - b > 20 && BigInt(a - b) * 100n > BigInt(max) * BigInt(a))
        },
      ),
    )
  })

  it('lets the first release pass, and one of another mapping or other parameters', () => {
    const empty = candidate({ users: 0, ideas: 0, votes: 0, comments: 0, launchedIdeas: 0 })
    expect(againstCurrent(empty, null, OPTIONS)).toEqual([])
    expect(againstCurrent(empty, manifestOf({ mapping: { name: 'fider', sha256: 'a'.repeat(64) } }), OPTIONS)).toEqual(
      [],
    )
    expect(againstCurrent(empty, manifestOf({ mapping: { name: 'native', sha256: 'b'.repeat(64) } }), OPTIONS)).toEqual(
      [],
    )
    expect(againstCurrent(empty, LAST, OPTIONS)).toHaveLength(5)
  })

  it('rejects what goes back in time, --accept-drop or not', () => {
    expect(againstCurrent(candidate({}, AS_OF_MS), LAST, OPTIONS)).toEqual([])
    for (const acceptDrop of [false, true])
      expect(againstCurrent(candidate({}, AS_OF_MS - 1), LAST, { ...OPTIONS, acceptDrop })).toEqual([
        expect.stringMatching(
          /^dataAsOf 2026-05-20T09:29:59\.999Z is before that of the current release, 2026-05-20T09:30:00\.000Z; the database's clock was set back/,
        ),
      ])
  })

  it('names the clock of the database where that is behind', () => {
    const behind = (dataAsOf: string, generatedAt: string): string[] =>
      againstCurrent(manifestOf({ dataAsOf, generatedAt }), LAST, { ...OPTIONS, nowMs: Date.parse(generatedAt) })
    expect(behind('2026-05-20T06:35:00.000Z', '2026-05-20T09:35:01.500Z')).toEqual([
      `dataAsOf 2026-05-20T06:35:00.000Z is before that of the current release, 2026-05-20T09:30:00.000Z; the database's clock was set back, and is 3h behind this machine's, 2026-05-20T09:35:01.500Z: set the clock of the database's server (is it synchronised, and is this the server of the last build?), then build again`,
    ])
    // A server that took over, with a clock 40 seconds behind, a moment after the last build.
    expect(behind('2026-05-20T09:29:30.000Z', '2026-05-20T09:30:10.000Z')).toEqual([
      expect.stringContaining(
        "; the database's clock was set back, and is 40s behind this machine's, 2026-05-20T09:30:10.000Z: set ",
      ),
    ])
    // Both clocks agree, and the last release lies in their future.
    expect(behind('2026-05-19T09:30:00.000Z', '2026-05-19T09:30:01.000Z')).toEqual([
      "dataAsOf 2026-05-19T09:30:00.000Z is before that of the current release, 2026-05-20T09:30:00.000Z; so is this machine's clock, 2026-05-19T09:30:01.000Z: the current release was made when a clock was ahead; wait until 2026-05-20T09:30:00.000Z, or roll back to an older release, then resume",
    ])
  })

  it('lets a first release of a clock that is behind pass, with a warning that names it', () => {
    const at = (behindMs: number): Manifest =>
      manifestOf({
        dataAsOf: new Date(AS_OF_MS - behindMs).toISOString(),
        generatedAt: new Date(AS_OF_MS).toISOString(),
      })
    expect(againstCurrent(at(7_200_000), null, OPTIONS)).toEqual([])
    expect(clockWarning(at(7_200_000))).toMatch(
      /^the database's clock, 2026-05-20T07:30:00\.000Z, is 2h behind this machine's, 2026-05-20T09:30:00\.000Z: .*; set the clock/,
    )
    expect(clockWarning(at(300_000))).toBeNull()
    expect(clockWarning(at(300_001))).not.toBeNull()
    expect(clockWarning(at(-3_600_000))).toBeNull()
  })

  it('rejects other things of an instant that was published', () => {
    const other = { ...candidate({}, AS_OF_MS), id: 'another' }
    expect(againstCurrent(other, LAST, OPTIONS)).toEqual([
      'dataAsOf 2026-05-20T09:30:00.000Z is that of the current release, not looked at, but has different content; build again with a later dataAsOf',
    ])
    expect(againstCurrent({ ...other, dataAsOf: '2026-05-20T09:30:00.001Z' }, LAST, OPTIONS)).toEqual([])
  })

  it('rejects a database clock that runs more than 5 minutes ahead, also for the first release', () => {
    const ahead = (ms: number): string[] => againstCurrent(candidate({}, OPTIONS.nowMs + ms), null, OPTIONS)
    expect(ahead(5 * 60_000)).toEqual([])
    expect(ahead(5 * 60_000 + 1)).toEqual([expect.stringMatching(/over 5 minutes ahead of this machine's clock/)])
  })

  it('gives every reason at once', () => {
    const last = manifestOf({}, AS_OF_MS + 7_200_000)
    expect(againstCurrent(candidate({ ideas: 0 }, AS_OF_MS + 3_600_000), last, OPTIONS)).toHaveLength(3)
  })
})
