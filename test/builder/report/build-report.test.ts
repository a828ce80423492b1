import { describe, expect, it } from 'vitest'
import { lockedText, oneScreen, outcomeJson, publishedText } from '../../../src/builder/report/build-report.ts'
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
  revisions: null,
  withoutPast: null,
  notes: [],
  suspects: [],
  seconds: 1.512,
  pruned: [],
  afterPublish: undefined,
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
        '  seconds      1.51',
        '',
      ].join('\n'),
    )
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

  it('says what else changed, in each form', () => {
    const notes = ['category "A" was merged: its ideas are in "B"', 'the time zone is another\none']
    const outcome = { kind: 'published', report: { ...REPORT, notes } } as const
    expect(publishedText(outcome.report)).toContain(
      '\n  note         category "A" was merged: its ideas are in "B"\n  note         the time zone is another one\n',
    )
    expect(JSON.parse(outcomeJson(outcome))).toMatchObject({ notes })
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
    const holder = {
      host: 'box',
      pid: 42,
      bootId: null,
      pidNamespace: null,
      startedAt: '2026-05-20T09:00:00.000Z',
      token: 'secret',
    }
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
      revisions: null,
      withoutPast: null,
      notes: [],
      seconds: 1.512,
      pruned: [],
    })
  })
})
