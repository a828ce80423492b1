import { describe, expect, it } from 'vitest'
import { againstCurrent, clockWarning } from '../../../src/builder/past/gate.ts'
import type { Revision } from '../../../src/builder/past/revision.ts'
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

const manifestOf = (change: Partial<Manifest> = {}, asOfMs = AS_OF_MS): Manifest => ({
  id: 'not looked at',
  ...aboutOf(asOfMs),
  rows: TOTALS,
  files: [],
  ...change,
})
const OPTIONS = { maxRevision: 10, acceptRevision: false, nowMs: AS_OF_MS + 1_000, without: null }
const LAST = manifestOf()
const candidate = (rows: Partial<ManifestTotals>, asOfMs = AS_OF_MS + 500): Manifest =>
  manifestOf({ rows: { ...TOTALS, ...rows } }, asOfMs)

describe('the gate', () => {
  it('keeps no closed site public, whatever the clocks and totals say', () => {
    const closed = {
      closed: true,
      rows: { users: 0, ideas: 0, votes: 0, comments: 0, launchedIdeas: 0, categories: 0 },
    }
    for (const asOfMs of [AS_OF_MS - 86_400_000, AS_OF_MS, AS_OF_MS + 500, AS_OF_MS + 86_400_000])
      for (const last of [LAST, manifestOf(closed), null])
        expect(againstCurrent(manifestOf({ ...closed, id: 'closed' }, asOfMs), last, null, OPTIONS)).toEqual([])
  })

  it('compares what opens again with nothing, as a first release: only its own clock counts', () => {
    const last = manifestOf({ closed: true, rows: { ...TOTALS, users: 1_000_000 } }, AS_OF_MS + 86_400_000)
    expect(againstCurrent(candidate({}), last, null, OPTIONS)).toEqual([])
    expect(againstCurrent(candidate({}, AS_OF_MS + 600_000), last, null, OPTIONS)).toEqual([
      expect.stringContaining('ahead of this machine'),
    ])
  })

  const LOST: Revision = {
    relation: 'votes',
    had: 1_000,
    has: 800,
    rows: 200,
    months: [{ month: '2026-04', was: 500, is: 300 }],
  }

  it('rejects a revision that is too large, unless it is accepted', () => {
    const refused = againstCurrent(candidate({ votes: 9_800 }), LAST, [LOST], OPTIONS)
    expect(refused).toEqual([
      'votes: the past changed by 200 of 1,000 rows (20.0 %, allowed 10 %): 2026-04 500 to 300; is it an import, a purge, or a condition or join of the mapping? If it is correct, build once with --accept-revision',
    ])
    expect(againstCurrent(candidate({}), LAST, [LOST], { ...OPTIONS, maxRevision: 20 })).toEqual([])
    expect(againstCurrent(candidate({}), LAST, [LOST], { ...OPTIONS, acceptRevision: true })).toEqual([])
    expect(againstCurrent(candidate({}), LAST, null, OPTIONS)).toEqual([])
  })

  it('does not compare totals: a night may triple them', () => {
    expect(againstCurrent(candidate({ votes: 30_000, users: 9_000 }), LAST, [], OPTIONS)).toEqual([])
    expect(againstCurrent(candidate({ categories: 0 }), LAST, [], OPTIONS)).toEqual([])
  })

  it('compares with a release of another mapping or other parameters, too, and says what changed', () => {
    for (const mapping of [
      { name: 'fider', sha256: 'a'.repeat(64) },
      { name: 'native', sha256: 'b'.repeat(64) },
    ]) {
      expect(againstCurrent(candidate({}), manifestOf({ mapping }), [LOST], OPTIONS)).toHaveLength(1)
      const changes = ['the time zone is another one', 'section votes is another one']
      expect(againstCurrent(candidate({}), manifestOf({ mapping }), [LOST], { ...OPTIONS, changes })).toEqual([
        'votes: the past changed by 200 of 1,000 rows (20.0 %, allowed 10 %): 2026-04 500 to 300; the time zone is another one; section votes is another one',
      ])
      expect(againstCurrent(candidate({}), manifestOf({ mapping }, AS_OF_MS + 86_400_000), null, OPTIONS)).toHaveLength(
        1,
      )
    }
  })

  it('compares nothing of the demo with something real', () => {
    const demo = { name: 'demo', sha256: 'a'.repeat(64) }
    const later = AS_OF_MS + 86_400_000
    expect(againstCurrent(candidate({}), manifestOf({ mapping: demo }, later), null, OPTIONS)).toEqual([])
    expect(againstCurrent(manifestOf({ mapping: demo }), manifestOf({}, later), null, OPTIONS)).toEqual([])
    expect(
      againstCurrent(manifestOf({ mapping: demo }), manifestOf({ mapping: demo }, later), null, OPTIONS),
    ).toHaveLength(1)
  })

  it('rejects what cannot be compared because the past is lost, unless it is accepted', () => {
    const without = 'nothing is known of the past of X'
    expect(againstCurrent(candidate({}), LAST, null, { ...OPTIONS, without })).toEqual([
      'nothing is known of the past of X: put it back from a backup, or look at the new numbers (analytics-build diff current .refused-not looked at) and, if they are correct, build once with --accept-revision',
    ])
    expect(againstCurrent(candidate({}), LAST, null, { ...OPTIONS, without, acceptRevision: true })).toEqual([])
    expect(againstCurrent({ ...candidate({}), closed: true }, LAST, null, { ...OPTIONS, without })).toEqual([])
  })

  it('rejects what goes back in time, --accept-revision or not', () => {
    expect(againstCurrent(candidate({}, AS_OF_MS), LAST, null, OPTIONS)).toEqual([])
    for (const acceptRevision of [false, true])
      expect(againstCurrent(candidate({}, AS_OF_MS - 1), LAST, null, { ...OPTIONS, acceptRevision })).toEqual([
        expect.stringMatching(
          /^dataAsOf 2026-05-20T09:29:59\.999Z is before that of the current release, 2026-05-20T09:30:00\.000Z; the database's clock was set back/,
        ),
      ])
  })

  it('names the clock of the database where that is behind', () => {
    const behind = (dataAsOf: string, generatedAt: string): string[] =>
      againstCurrent(manifestOf({ dataAsOf, generatedAt }), LAST, null, { ...OPTIONS, nowMs: Date.parse(generatedAt) })
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
    expect(againstCurrent(at(7_200_000), null, null, OPTIONS)).toEqual([])
    expect(clockWarning(at(7_200_000))).toMatch(
      /^the database's clock, 2026-05-20T07:30:00\.000Z, is 2h behind this machine's, 2026-05-20T09:30:00\.000Z: .*; set the clock/,
    )
    expect(clockWarning(at(300_000))).toBeNull()
    expect(clockWarning(at(300_001))).not.toBeNull()
    expect(clockWarning(at(-3_600_000))).toBeNull()
  })

  it('rejects other things of an instant that was published', () => {
    const other = { ...candidate({}, AS_OF_MS), id: 'another' }
    expect(againstCurrent(other, LAST, null, OPTIONS)).toEqual([
      'dataAsOf 2026-05-20T09:30:00.000Z is that of the current release, not looked at, but has different content; build again with a later dataAsOf',
    ])
    expect(againstCurrent({ ...other, dataAsOf: '2026-05-20T09:30:00.001Z' }, LAST, null, OPTIONS)).toEqual([])
  })

  it('rejects a database clock that runs more than 5 minutes ahead, also for the first release', () => {
    const ahead = (ms: number): string[] => againstCurrent(candidate({}, OPTIONS.nowMs + ms), null, null, OPTIONS)
    expect(ahead(5 * 60_000)).toEqual([])
    expect(ahead(5 * 60_000 + 1)).toEqual([expect.stringMatching(/over 5 minutes ahead of this machine's clock/)])
  })

  it('gives every reason at once; but the past is not compared by a clock that is before it', () => {
    const other = { ...candidate({}, AS_OF_MS), id: 'another' }
    expect(againstCurrent(other, LAST, [LOST, { ...LOST, relation: 'ideas' }], OPTIONS)).toHaveLength(3)
    const last = manifestOf({}, AS_OF_MS + 7_200_000)
    expect(againstCurrent(candidate({}, AS_OF_MS + 3_600_000), last, [LOST], OPTIONS)).toHaveLength(2)
  })
})
