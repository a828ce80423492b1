// What Prometheus is told: names, values, and that its own tool finds nothing wrong with the text.
import { spawnSync } from 'node:child_process'
import { describe, expect, it, test } from 'vitest'
import { RESULTS, type Result } from '../../../src/builder/report/exit-codes.ts'
import { buildMetricsText, type LastRun, type Metrics } from '../../../src/builder/report/metrics-text.ts'
import type { PeopleMode } from '../../../src/contract/people.ts'
import type { Manifest } from '../../../src/release/format/manifest.ts'
import { aboutOf, AS_OF_MS } from '../../release/sample-release.ts'
import { describeWithComponent, findProgram } from '../../support/real-component.ts'

const HASH = 'b'.repeat(64)
const file = { path: 'a.json', bytes: 1000, sha256: HASH, contentHash: HASH, rows: null }
const MANIFEST: Manifest = {
  id: '20260520T093000000Z-0123abcd',
  ...aboutOf(AS_OF_MS),
  source: { replayLagMs: 1500, rowSecurity: 'off' },
  rows: { users: 1, ideas: 2, votes: 3, comments: 4, launchedIdeas: 5, categories: 6 },
  ignored: [
    { relation: 'votes', reason: 'value is not above zero', rows: 7 },
    // No reason looks like this yet; a label's value has to survive it all the same.
    { relation: 'ideas', reason: 'a "quoted"\\ one\nof two lines', rows: 8 },
  ],
  files: [{ ...file, gzip: { bytes: 200, sha256: HASH }, br: { bytes: 30, sha256: HASH } }, file],
}
const BEFORE: Partial<Record<Result, number>> = { published: 41, refused: 1 }
const METRICS: Metrics = {
  run: {
    report: null,
    result: 'refused',
    exitCode: 4,
    startedMs: AS_OF_MS,
    endedMs: AS_OF_MS + 2_500,
  },
  before: Object.entries(BEFORE)
    .map(([result, n]) => `analytics_build_runs_total{result="${result}"} ${n}\n`)
    .join(''),
  current: MANIFEST,
  due: null,
  held: false,
  newestDay: '2026-05-19',
  availableBytes: 1_234_567_890_123,
}

/** Of a build that read all. */
const withReport = (part: Partial<NonNullable<LastRun['report']>>): LastRun => ({
  ...METRICS.run,
  report: { manifest: MANIFEST, revisions: null, suspects: [], afterPublish: undefined, ...part },
})

/** Without help and type. */
function samplesOf(text: string): Record<string, number> {
  const lines = text.split('\n').filter((line) => line !== '' && !line.startsWith('#'))
  return Object.fromEntries(
    lines.map((line) => [line.slice(0, line.lastIndexOf(' ')), Number(line.slice(line.lastIndexOf(' ')))]),
  )
}

describe('the text', () => {
  it('says how the last build ended, and what is published all the same', async () => {
    const samples = samplesOf(await buildMetricsText(METRICS))
    expect(samples).toMatchObject({
      analytics_build_last_run_timestamp_seconds: (AS_OF_MS + 2_500) / 1000,
      analytics_build_last_run_duration_seconds: 2.5,
      analytics_build_last_run_exit_code: 4,
      'analytics_build_runs_total{result="published"}': 41,
      'analytics_build_runs_total{result="refused"}': 2,
      analytics_build_held: 0,
      analytics_build_newest_row_timestamp_seconds: Date.parse('2026-05-19T00:00:00Z') / 1000,
      analytics_build_closed: 0,
      analytics_build_available_bytes: 1_234_567_890_123,
      analytics_build_last_success_timestamp_seconds: AS_OF_MS / 1000 + 1,
      analytics_build_data_timestamp_seconds: AS_OF_MS / 1000,
      analytics_build_cadence_seconds: 3600,
      analytics_build_replay_lag_seconds: 1.5,
      'analytics_build_rows{relation="launched_ideas"}': 5,
      'analytics_build_ignored_rows{relation="votes",reason="value is not above zero"}': 7,
      'analytics_build_ignored_rows{relation="ideas",reason="a \\"quoted\\"\\\\ one\\nof two lines"}': 8,
      analytics_build_files: 2,
      analytics_build_bytes: 2230,
    })
  })

  it.each(RESULTS)('has 1 for the result %s alone, and a count for every one', async (result) => {
    const samples = samplesOf(await buildMetricsText({ ...METRICS, run: { ...METRICS.run, result } }))
    for (const other of RESULTS) {
      expect(samples[`analytics_build_last_run_result{result="${other}"}`]).toBe(other === result ? 1 : 0)
      expect(samples[`analytics_build_runs_total{result="${other}"}`]).toBe(
        (BEFORE[other] ?? 0) + Number(other === result),
      )
    }
  })

  it('says nothing of a release, a space, a standby that are not there', async () => {
    const without = await buildMetricsText({ ...METRICS, current: null, availableBytes: null, held: true })
    expect(without).toContain('\nanalytics_build_held 1\n')
    expect(without).not.toMatch(/last_success|data_timestamp|cadence|rows|files|bytes/)
    const primary = { ...MANIFEST, source: { replayLagMs: null, rowSecurity: 'off' as const } }
    expect(await buildMetricsText({ ...METRICS, current: primary })).not.toContain('replay_lag')
  })

  it('has no sample for people who are not published as a number', async () => {
    const manifest: Manifest = {
      ...MANIFEST,
      options: { ...MANIFEST.options, people: 'rounded' },
      rows: { ...MANIFEST.rows, users: null },
      ignored: [{ relation: 'users', reason: 'id is NULL', rows: null }],
    }
    const samples = samplesOf(await buildMetricsText({ ...METRICS, current: manifest }))
    expect(Object.keys(samples).filter((name) => name.includes('"users"'))).toEqual([])
    expect(samples).toMatchObject({ 'analytics_build_rows{relation="ideas"}': 2 })
  })

  it('says by how much the past changed, of each relation, where it was compared', async () => {
    const about = { has: 0, months: [] }
    const revisions = [
      { ...about, relation: 'votes' as const, had: 400, rows: 10 },
      { ...about, relation: 'launchedIdeas' as const, had: 0, rows: 3 },
      { ...about, relation: 'users' as const, had: 0, rows: 0 },
      { ...about, relation: 'activeUsers' as const, had: 7, rows: 7 },
    ]
    expect(samplesOf(await buildMetricsText({ ...METRICS, run: withReport({ revisions }) }))).toMatchObject({
      'analytics_build_last_run_revision_ratio{relation="votes"}': 0.025,
      'analytics_build_last_run_revision_ratio{relation="launched_ideas"}': 3,
      'analytics_build_last_run_revision_ratio{relation="users"}': 0,
    })
    expect(await buildMetricsText(METRICS)).not.toContain('revision_ratio')
    const rounded = { ...MANIFEST, options: { ...MANIFEST.options, people: 'rounded' as const } }
    const hidden = await buildMetricsText({ ...METRICS, run: withReport({ revisions }), current: rounded })
    expect(hidden).toContain('revision_ratio{relation="votes"}')
    expect(hidden).not.toContain('revision_ratio{relation="users"}')
    expect(hidden).not.toContain('revision_ratio{relation="active_users"}')
  })

  it('does not tell how the number of people changed, or which part has no date, where that is not published exactly', async () => {
    const changed = { had: 100, has: 99, rows: 1, months: [] }
    const suspect = { reason: 'dated at or after dataAsOf', rows: 5, of: 10, isAll: false }
    const all = {
      revisions: (['users', 'activeUsers', 'votes'] as const).map((relation) => ({ relation, ...changed })),
      suspects: (['users', 'votes'] as const).map((relation) => ({ relation, ...suspect })),
    }
    const told = async (people: PeopleMode, current: Manifest | null = MANIFEST): Promise<string[][]> => {
      const manifest = { ...MANIFEST, options: { ...MANIFEST.options, people } }
      const names = Object.keys(
        samplesOf(await buildMetricsText({ ...METRICS, run: withReport({ ...all, manifest }), current })),
      )
      const relations = (metric: string): string[] =>
        names.flatMap((name) => new RegExp(`${metric}_ratio\\{relation="(\\w+)"`).exec(name)?.[1] ?? [])
      return [relations('revision'), relations('suspect')]
    }
    const votes = ['votes']
    expect(await told('exact')).toEqual([
      ['users', 'active_users', 'votes'],
      ['users', 'votes'],
    ])
    expect(await told('rounded')).toEqual([votes, votes])
    expect(await told('off')).toEqual([votes, votes])
    expect(await told('off', null)).toEqual([[], votes])
  })

  it('says which part of a relation may be lost to a mistake of the mapping, also of a build that was rejected', async () => {
    const reason = 'the idea is not among the ideas'
    const suspects = [{ relation: 'idea_categories' as const, reason, rows: 3, of: 12, isAll: false }]
    const samples = samplesOf(await buildMetricsText({ ...METRICS, run: withReport({ suspects }) }))
    expect(samples[`analytics_build_last_run_suspect_ratio{relation="idea_categories",reason="${reason}"}`]).toBe(0.25)
    expect(Object.keys(samplesOf(await buildMetricsText(METRICS))).join('\n')).not.toContain('suspect')
    const ofUsers = withReport({ suspects: suspects.map((one) => ({ ...one, relation: 'users' as const })) })
    const rounded = { ...MANIFEST, options: { ...MANIFEST.options, people: 'rounded' as const } }
    expect(await buildMetricsText({ ...METRICS, run: ofUsers })).toContain('suspect_ratio{relation="users"')
    expect(await buildMetricsText({ ...METRICS, run: ofUsers, current: rounded })).not.toContain('suspect_ratio{')
  })

  it('has no negative duration when the clock was put back', async () => {
    const run = { ...METRICS.run, endedMs: AS_OF_MS - 60_000 }
    expect(await buildMetricsText({ ...METRICS, run })).toContain('\nanalytics_build_last_run_duration_seconds 0\n')
  })
})

describe('counts', () => {
  /** The counts that are not 0, after a run beside an earlier text. */
  async function countsAfter(before: string, result: Result): Promise<Partial<Record<Result, number>>> {
    const samples = samplesOf(await buildMetricsText({ ...METRICS, run: { ...METRICS.run, result }, before }))
    const counts = RESULTS.map((one) => [one, samples[`analytics_build_runs_total{result="${one}"}`]] as const)
    expect(counts.filter(([, n]) => n === undefined)).toEqual([])
    return Object.fromEntries(counts.filter(([, n]) => n !== 0))
  }

  test('go on from their own text', async () => {
    expect(await countsAfter(await buildMetricsText(METRICS), 'source')).toEqual({
      published: 41,
      refused: 2,
      source: 1,
    })
  })

  test.each([
    ['nothing', ''],
    ['another program’s file', '# TYPE up gauge\nup 1\n'],
    ['half a line', 'analytics_build_runs_total{result="publis'],
    ['no number', 'analytics_build_runs_total{result="published"} many\n'],
    ['a result of another version', 'analytics_build_runs_total{result="mislaid"} 3\n'],
    ['a name of JavaScript’s own', 'analytics_build_runs_total{result="constructor"} 3\n'],
  ])('begin anew after %s', async (_, text) => {
    expect(await countsAfter(text, 'published')).toEqual({ published: 1 })
  })
})

describeWithComponent('promtool', findProgram('promtool', 'prometheus'), (promtool) => {
  it.each<[string, Partial<Metrics>]>([
    ['everything', {}],
    ['a first build that failed', { current: null, availableBytes: null }],
  ])('finds nothing to say of %s', async (_, part) => {
    const input = await buildMetricsText({ ...METRICS, ...part })
    const { status, stdout, stderr } = spawnSync(promtool, ['check', 'metrics'], { input, encoding: 'utf8' })
    expect({ status, stdout, stderr }).toEqual({ status: 0, stdout: '', stderr: '' })
  })
})
