import { describe, expect, it } from 'vitest'
import { lockedText, oneScreen, outcomeJson, publishedText } from '../../../src/builder/report/build-report.ts'
import { changesSince, type Changes } from '../../../src/builder/past/changes.ts'
import { knownOf, type KnownRelease } from '../../../src/builder/past/known-release.ts'
import type { BuildOutcome, BuildReport } from '../../../src/builder/run/run-build.ts'
import type { Manifest } from '../../../src/release/format/manifest.ts'
import { aboutOf, AS_OF_MS } from '../../release/sample-release.ts'

const file = (path: string, bytes: number): Manifest['files'][number] => ({
  path,
  bytes,
  sha256: 'b'.repeat(64),
  contentHash: 'c'.repeat(64),
  rows: null,
})
const MANIFEST: Manifest = {
  id: '20260520T093000000Z-0123abcd',
  ...aboutOf(AS_OF_MS),
  rows: { users: 12_345, ideas: 678, votes: 1_234_567, comments: 0, launchedIdeas: 9, categories: 10 },
  files: [file('public/stats.json', 1_000_000), file('analytics/categories/7d.json', 572_864)],
}
const REPORT: BuildReport = {
  manifest: MANIFEST,
  closed: null,
  changes: null,
  revisions: null,
  withoutPast: null,
  seconds: [
    ['connect', 0.012],
    ['read', 1.5],
  ],
  pruned: [],
}

describe('what a build says of itself', () => {
  it('is an id, and what was counted and written', () => {
    expect(publishedText(REPORT)).toBe(
      [
        'published 20260520T093000000Z-0123abcd',
        '  data as of   2026-05-20T09:30:00.000Z',
        '  users           12,345',
        '  ideas              678',
        '  launched             9',
        '  votes        1,234,567',
        '  comments             0',
        '  categories          10',
        '  files                2',
        '  size           1.5 MiB',
        '  seconds      1.51 (connect 0.01, read 1.50)',
        '',
      ].join('\n'),
    )
  })

  const before = (more: Partial<KnownRelease>): BuildReport => {
    const now = knownOf(MANIFEST)
    return {
      ...REPORT,
      changes: changesSince({ ...now, id: 'before', dataAsOf: '2026-05-20T09:25:00.000Z', ...more }, now),
    }
  }

  it('shows at a glance what is more and what is less than in the release before', () => {
    const rows = { users: 12_300, ideas: 678, votes: 1_234_600, comments: 0, launchedIdeas: 8, categories: 10 }
    const report = before({ rows, files: 3, bytes: 1_048_576 })
    expect(publishedText(report).split('\n').slice(1, -2)).toEqual([
      '  data as of   2026-05-20T09:30:00.000Z, 5m after the last one',
      '  users           12,345       +45',
      '  ideas              678      same',
      '  launched             9        +1',
      '  votes        1,234,567       -33',
      '  comments             0      same',
      '  categories          10      same',
      '  files                2        -1',
      '  size           1.5 MiB  +512 KiB',
    ])
    expect(JSON.parse(outcomeJson({ kind: 'published', report }))).toMatchObject({
      changes: {
        since: { id: 'before' },
        rows: { users: 45, ideas: 0, votes: -33, launchedIdeas: 1 },
        files: -1,
        bytes: 524_288,
      },
    })
  })

  it('names the categories that came and went, a few of many', () => {
    const manifest = {
      ...MANIFEST,
      categories: ['a', '漢'.repeat(30), 'c', 'd', 'e'].map((name) => ({ name, key: name })),
    }
    const now = knownOf(manifest)
    const changes = changesSince(
      { ...now, categories: ['a', 'gone\u001B[2J'], rows: { ...now.rows, categories: 2 } },
      now,
    )
    const text = publishedText({ ...REPORT, manifest, changes })
    expect(text).toContain(
      `  categories          10    +8  new: ${'漢'.repeat(23)}…, c, d and 1 more; gone: gone [2J\n`,
    )
  })

  it.each<[string, Partial<KnownRelease>]>([
    ['another mapping', { mapping: { ...MANIFEST.mapping, sha256: 'f'.repeat(64) } }],
    ['a closed site', { closed: true }],
  ])('compares with no release of %s', (_, more) => {
    expect(before(more).changes).toBeNull()
  })

  it.each(['rounded', 'off'] as const)('with people %s knows no more of them than what is published', (people) => {
    const options = { ...MANIFEST.options, people }
    const manifest = { ...MANIFEST, options, rows: { ...MANIFEST.rows, users: people === 'off' ? null : 12_345 } }
    const now = knownOf(manifest)
    const since = (then: Partial<KnownRelease>): Changes | null => changesSince({ ...now, ...then }, now)
    expect(since({ people: 'exact', rows: { ...now.rows, users: 12_341 } })?.rows.users).toBeNull()
    const rounded = since({ rows: { ...now.rows, users: 12_340 } })
    expect(rounded?.rows.users).toBe(people === 'off' ? null : 5)
    const text = publishedText({ ...REPORT, manifest, changes: rounded })
    expect(text).toMatch(people === 'off' ? /\n {2}users +-\n/ : /\n {2}users +12,345 +\+5\n/)
  })

  it('says what was left out, and what was pruned', () => {
    const ignored = [
      { relation: 'comments', reason: 'on ideas that are not published', rows: 1_234 },
      { relation: 'votes', reason: 'dated at or after dataAsOf', rows: 1 },
    ]
    const text = publishedText({ ...REPORT, manifest: { ...MANIFEST, ignored }, pruned: ['x', 'y'] })
    expect(text).toContain(
      '  skipped      1,234 comments: on ideas that are not published\n               1 vote: dated at or after dataAsOf\n',
    )
    expect(text).toContain('  pruned       2 old releases\n')
  })

  it('says what changed of the past, if anything did', () => {
    const votes = { relation: 'votes', had: 1_234_000, has: 1_233_988, rows: 12, months: [] } as const
    const revisions = [
      votes,
      { ...votes, relation: 'users', rows: 0 },
      { ...votes, relation: 'launchedIdeas', rows: 1 },
    ] as const
    const outcome = { kind: 'published', report: { ...REPORT, revisions } } as const
    expect(publishedText(outcome.report)).toContain(
      '  past changed 12 of 1,234,000 votes, 1 of 1,234,000 launched ideas\n',
    )
    expect(publishedText({ ...REPORT, revisions: [] })).not.toContain('past')
    expect(JSON.parse(outcomeJson(outcome))).toMatchObject({ revisions })
    const first = { kind: 'published', report: { ...REPORT, withoutPast: 'no release is current' } } as const
    expect(publishedText(first.report)).toContain('\n  past         not compared: no release is current\n')
    expect(JSON.parse(outcomeJson(first))).toMatchObject({ revisions: null, withoutPast: 'no release is current' })
  })

  it('says that the site is closed, and why where the mapping does', () => {
    const said = (reason: string | null): string => {
      return publishedText({ ...REPORT, closed: { reason } }).split('\n')[0] ?? ''
    }
    const text = said('it is\u001b[2J private')
    expect(text).toContain(': the site is closed to visitors (it is')
    expect(text).toContain(' private); it is empty, and every other release is removed')
    expect(text).not.toContain('\u001b')
    expect(said(null)).toContain(': the site is closed to visitors; it is empty')
  })

  it('fits a screen, however much is wrong, and says how much more that is', () => {
    const reasons = Array.from({ length: 1_024 }, (_, i) => `reason ${i + 1}`)
    const text = oneScreen(reasons)
    expect(text.split('\n').length).toBeLessThanOrEqual(30)
    expect(text).toMatch(/^  - reason 1\n  - reason 2\n/)
    expect(text).toContain('\n  - reason 24\n  and 1,000 more; --json gives all\n')
    expect(JSON.parse(outcomeJson({ kind: 'refused', report: REPORT, reasons, kept: 'there' }))).toMatchObject({
      reasons,
    })
  })

  it('says since when builds are pinned', () => {
    const pin = { since: '2026-05-20T10:00:00.000Z', id: 'older' }
    expect(JSON.parse(outcomeJson({ kind: 'held', report: REPORT, pin }))).toMatchObject({ kind: 'held', hold: pin })
  })

  it('says who holds the lock', () => {
    const holder = { host: 'box', pid: 42, startedAt: '2026-05-20T09:00:00.000Z', token: 'secret' }
    expect(lockedText(holder)).toBe(
      'another command works in this folder: pid 42 on box, started 2026-05-20T09:00:00.000Z',
    )
  })

  const OUTCOMES: readonly Exclude<BuildOutcome, { kind: 'locked' }>[] = [
    { kind: 'published', report: REPORT },
    { kind: 'refused', report: REPORT, reasons: ['one'], kept: 'there' },
    { kind: 'held', report: REPORT, pin: { since: 'then', id: 'older' } },
  ]
  it.each(OUTCOMES)('is one line of JSON with totals in place of the lists: $kind', (outcome) => {
    const text = outcomeJson(outcome)
    expect(text.trimEnd()).not.toContain('\n')
    const { report: _, pin: hold, ...rest } = { pin: undefined, ...outcome }
    const { categories: __, files: ___, ...about } = MANIFEST
    expect(JSON.parse(text)).toEqual({
      ...rest,
      ...(hold === undefined ? {} : { hold }),
      ...about,
      files: 2,
      bytes: 1_572_864,
      changes: null,
      revisions: null,
      withoutPast: null,
      seconds: { connect: 0.012, read: 1.5 },
      pruned: [],
    })
  })
})
