// Whether all is well, and which command is next (health.ts, status-report.ts, last-build.ts).
import { describe, expect, it } from 'vitest'
import type { Found, Reported } from '../../../src/builder/commands/folder-state.ts'
import { healthOf } from '../../../src/builder/commands/health.ts'
import { statusText } from '../../../src/builder/commands/status-report.ts'
import { noteOf, type LastBuild } from '../../../src/builder/report/last-build.ts'

const NOW_MS = Date.parse('2026-05-20T12:00:00.000Z')
const MINUTE_MS = 60_000

const ROW: Reported = {
  id: '20260520T115600000Z-0123abcd',
  current: true,
  ageMs: 4 * MINUTE_MS,
  everyMs: 5 * MINUTE_MS,
  generatedAt: '2026-05-20T11:56:00.100Z',
  files: 197,
  bytes: 7_000_000,
  mapping: 'fider',
  demo: false,
  closed: false,
  programVersion: '1.2.0',
  programCommit: undefined,
  timeZoneDatabase: undefined,
  past: true,
  problem: null,
  isUnread: false,
}
const OLDER: Reported = { ...ROW, id: '20260520T115100000Z-0123abcd', current: false, ageMs: 9 * MINUTE_MS }
const WELL: Found = {
  snapshots: './snapshots',
  isPrivate: false,
  envFile: null,
  nothing: null,
  current: ROW.id,
  hold: null,
  rows: [OLDER, ROW],
  rejected: [],
  months: [],
  lastBuild: null,
  unread: null,
  lastTold: null,
  bucket: null,
  busy: false,
  unfinished: null,
  programVersion: '1.2.0',
  nowMs: NOW_MS,
}
const FAILED: LastBuild = {
  result: 'source',
  exitCode: 3,
  endedAt: '2026-05-20T11:59:00.000Z',
  message: 'cannot connect',
  rejected: null,
  failures: 1,
  failingSince: '2026-05-20T11:59:00.000Z',
}
const UNFINISHED = { startedAt: '2026-05-20T11:59:30.000Z', pid: 7, host: 'web-1' }
const HOLD = { since: '2026-05-20T10:00:00.000Z', id: ROW.id }
const current = (more: Partial<Reported>): Partial<Found> => ({ rows: [OLDER, { ...ROW, ...more }] })
const failed = (more: Partial<LastBuild> = {}): Partial<Found> => ({ lastBuild: { ...FAILED, ...more } })
const nothing = (meant: string | null): Partial<Found> => ({
  current: null,
  rows: [],
  nothing: { text: 'no release in x: it is empty', has: 'it is empty', meant },
})
const unfinished = (startedAt: string): Partial<Found> => ({ unfinished: { ...UNFINISHED, startedAt } })

describe('all is well', () => {
  it('says how old the data is, when it is due, and that this version made it', () => {
    expect(healthOf(WELL)).toEqual({
      summary: 'all is well: the data is 4m old, and a release is expected every 5m; made by this version, 1.2.0',
      problems: [],
      notes: [],
    })
  })

  it.each<[string, Partial<Found>, string]>([
    ['up to twice the cadence', current({ ageMs: 10 * MINUTE_MS }), 'the data is 10m old'],
    ['for a demo', current({ demo: true, ageMs: 1e9, everyMs: 1000 }), 'the invented data of the demo is 11d old'],
    ['after a build that was stopped', failed({ result: 'stopped', failures: 0 }), 'all is well'],
    ['after a failure that a later release follows', failed({ endedAt: '2026-05-20T11:00:00.000Z' }), 'all is well'],
    ['after a build that died when its release was current', unfinished('2026-05-20T11:55:59.000Z'), 'all is well'],
    ['where no cadence is known', current({ ageMs: 1e9, everyMs: 0 }), 'the data is 11d old; made by'],
  ])('%s', (_, more, said) => {
    const { summary, problems } = healthOf({ ...WELL, ...more })
    expect(problems).toEqual([])
    expect(summary).toContain(said)
  })

  it.each<[string, Partial<Found>, string]>([
    [
      'another version made it',
      current({ programVersion: '1.1.0' }),
      'version 1.1.0 made the current release, and this program is 1.2.0, which makes the next one',
    ],
    [
      'another commit of this version made it',
      { ...current({ programCommit: 'a'.repeat(40) }), programCommit: 'b'.repeat(40) },
      'version 1.2.0 (commit aaaaaaaaaaaa) made the current release, and this program is 1.2.0 (commit bbbbbbbbbbbb), which makes the next one',
    ],
    ['the past is not kept', current({ past: false }), 'what was kept of the past of the current release is lost'],
    [
      'a bucket is not asked',
      { lastBuild: { ...FAILED, failures: 0, publish: 's3://b' } },
      'what s3://b shows is not known here',
    ],
    [
      'nobody else may read it',
      { isPrivate: true },
      'only its owner may read ./snapshots: a proxy or nginx of another user',
    ],
  ])('and notes that %s', (_, more, said) => {
    const { problems, notes } = healthOf({ ...WELL, ...more })
    expect(problems).toEqual([])
    expect(notes).toEqual([expect.stringContaining(said)])
  })
})

describe('not well', () => {
  const REFUSED = { result: 'refused', exitCode: 4, rejected: '.refused-x' } as const
  const TOLD = { id: ROW.id, startedAt: '2026-05-20T11:00:00.000Z', failed: null, failingSince: null }
  it.each<[string, Partial<Found>, string, string]>([
    [
      'late',
      current({ ageMs: 10 * MINUTE_MS + 1 }),
      'the data is 10m old, and a release is expected every 5m',
      'build',
    ],
    ['pinned', { hold: HOLD }, 'pinned since 2026-05-20T10:00:00.000Z at', 'resume'],
    [
      'a build did not end',
      { unfinished: UNFINISHED },
      'that was started at 2026-05-20T11:59:30.000Z (pid 7 on web-1) did not end: it was killed (was memory short?), or',
      'build',
    ],
    ['its lock did not reach the disk', unfinished('an unknown time'), 'that was started at an unknown time', 'build'],
    [
      'the disk is full',
      failed({ result: 'write', message: 'cannot write x: ENOSPC; the disk is full; free space, or lower --keep' }),
      'the disk is full; free space, or lower --keep',
      'prune --keep 1',
    ],
    ['it could not write', failed({ result: 'write', message: 'cannot write x: EACCES' }), 'x: EACCES', 'build'],
    ['nothing there', nothing(null), 'no release in x: it is empty; build one: analytics-build, or', 'build'],
    [
      'another folder was meant',
      nothing("it's"),
      'no release in x: it is empty',
      String.raw`status --snapshots 'it'\''s'`,
    ],
    ['variables of a file', { ...failed(), envFile: 'a.env' }, 'cannot connect', 'check --env-file a.env'],
    [
      'variables of a file, and a folder',
      { hold: HOLD, envFile: '/etc/a b', snapshots: '/s' },
      'pinned since',
      "resume --snapshots /s --env-file '/etc/a b'",
    ],
    ['unreadable', current({ problem: 'EACCES', isUnread: true }), 'cannot be read: EACCES', 'build'],
    ['nothing current', { current: null, rows: [OLDER] }, 'no release in ./snapshots is current', 'build'],
    ['no current', { rows: [OLDER] }, `current is ${ROW.id}, which does not exist`, `rollback ${OLDER.id}`],
    ['all are missing', { rows: [] }, 'which does not exist', 'build'],
    ['damaged', current({ problem: 'no JSON' }), 'the current release cannot be read: no JSON', 'build'],
    [
      'an upload failed',
      { lastTold: { ...TOLD, failed: 'exit code 1: disk full', failingSince: HOLD.since } },
      `may be of an earlier release: failed since ${HOLD.since}: exit code 1: disk full`,
      'build --after-publish COMMAND',
    ],
    [
      'an earlier release was uploaded',
      { lastTold: { ...TOLD, id: OLDER.id } },
      `it was last done for ${OLDER.id}; if nothing is to be uploaded any more, remove`,
      'build --after-publish COMMAND',
    ],
    ['more than a closed site', current({ closed: true }), '1 more than its empty release is there', 'prune'],
    ['the source failed', failed(), 'the last build failed 1m ago (exit code 3): cannot connect', 'check'],
    ['unreadable', failed({ result: 'unreadable', exitCode: 7 }), '(exit code 7)', 'verify'],
    ['usage', failed({ result: 'usage', exitCode: 2 }), '(exit code 2)', 'build'],
    ['unexpected', failed({ result: 'unexpected', exitCode: 1 }), '(exit code 1)', 'build'],
    ['rejected', { ...failed(REFUSED), rejected: ['.refused-x'] }, '(exit code 4)', 'diff current .refused-x'],
    ['rejected, and the candidate is gone', failed(REFUSED), '(exit code 4)', 'build'],
    [
      'several failures',
      failed({ failures: 12, failingSince: '2026-05-20T09:00:00.000Z' }),
      'the last 12 builds failed, the first of them 3h ago, the last 1m ago (exit code 3): cannot connect',
      'check',
    ],
  ])('%s', (_, more, said, next) => {
    const { summary, problems } = healthOf({ ...WELL, ...more })
    expect(summary).toContain(`not well: `)
    expect(summary).toContain(said)
    expect(problems).toHaveLength(1)
    expect(problems[0]?.next).toBe(`analytics-build ${next}`)
  })

  const THERE = { to: 's3://statistics/town', id: ROW.id, unread: null, stranger: null, publicId: null, left: 0 }
  it.each<[string, Partial<Found>, string | null]>([
    ['was uploaded', { bucket: THERE }, null],
    ['is being uploaded', { bucket: { ...THERE, id: OLDER.id }, busy: true }, null],
    ['is not what is there', { bucket: { ...THERE, id: OLDER.id } }, `current there is ${OLDER.id}`],
    ['is not there', { bucket: { ...THERE, id: null } }, 'current there is none'],
    ['is alone there', { rows: [{ ...ROW, closed: true }], bucket: THERE }, null],
    [
      'is not alone there',
      { rows: [{ ...ROW, closed: true }], bucket: { ...THERE, left: 3 } },
      '3 objects are still to be written or to go',
    ],
    ['cannot be asked for', { bucket: { ...THERE, id: null, unread: 'no answer' } }, 'no answer'],
  ])('says of --publish that the current release %s', (_, more, said) => {
    const { problems } = healthOf({ ...WELL, ...more })
    expect(problems.map(({ kind }) => kind)).toEqual(said === null ? [] : ['publish'])
    if (said === null) return
    expect(problems[0]?.problem).toContain(said)
    expect(problems[0]?.next).toBe(`analytics-build prune --publish ${THERE.to}`)
  })

  it('names whose site is at --publish, and a command that only looks', () => {
    const bucket = { ...THERE, id: OLDER.id, stranger: 'it shows the site "Elsewhere"' }
    expect(healthOf({ ...WELL, bucket }).problems).toEqual([
      {
        kind: 'publish',
        problem: '--publish: it shows the site "Elsewhere"',
        next: `analytics-build verify ${THERE.to}`,
      },
    ])
  })

  it('notes that this user may not read how the last build ended', () => {
    const { problems, notes } = healthOf({ ...WELL, unread: 'cannot read it' })
    expect([problems, notes]).toEqual([[], ['how the last build ended is not known: cannot read it']])
  })

  it('notes that a cache in front of the bucket still has another release', () => {
    const found = { ...WELL, bucket: { ...THERE, publicId: OLDER.id } }
    expect(healthOf(found)).toMatchObject({ problems: [], notes: [expect.stringContaining(`still ${OLDER.id}`)] })
  })

  it('puts what is to be solved first first', () => {
    const late = current({ ageMs: 60 * MINUTE_MS })
    const found = { ...WELL, ...late, hold: HOLD, lastBuild: FAILED, unfinished: UNFINISHED }
    expect(healthOf(found).problems.map(({ kind }) => kind)).toEqual(['pinned', 'unfinished', 'failed', 'late'])
  })

  it('names the folder in the next command, as a shell takes it', () => {
    const [problem] = healthOf({ ...WELL, snapshots: '/srv/my snapshots', hold: HOLD }).problems
    expect(problem?.next).toBe("analytics-build resume --snapshots '/srv/my snapshots'")
    const late = current({ ageMs: 60 * MINUTE_MS })
    const [old] = healthOf({ ...WELL, ...late, snapshots: '/srv/my snapshots' }).problems
    expect(old?.next).toBe("analytics-build build --snapshots '/srv/my snapshots'")
  })
})

describe('the note of the last build', () => {
  const ending = (result: LastBuild['result']) => ({ result, exitCode: 3, message: 'why', rejected: null })
  it('counts failures in a row from the first, and begins anew after a success', () => {
    const first = noteOf(null, ending('source'), NOW_MS)
    const second = noteOf(first, ending('write'), NOW_MS + MINUTE_MS)
    expect([first.failures, first.failingSince]).toEqual([1, '2026-05-20T12:00:00.000Z'])
    expect([second.failures, second.failingSince, second.endedAt]).toEqual([
      2,
      first.failingSince,
      '2026-05-20T12:01:00.000Z',
    ])
    for (const result of ['published', 'held', 'stopped'] as const)
      expect(noteOf(second, ending(result), NOW_MS)).toMatchObject({ failures: 0, failingSince: null })
  })

  it('is one short line without a password', () => {
    const message = `postgresql://me:pa55@db/x\nis ${'wrong '.repeat(1000)}`
    const note = noteOf(null, { ...ending('usage'), message }, NOW_MS)
    expect(note.message).toMatch(/^postgresql:\/\/\*\*\*@db\/x is wrong/)
    expect(note.message?.length).toBe(1000)
  })
})

describe('the text', () => {
  const textOf = (more: Partial<Found>): string => {
    const found = { ...WELL, ...more }
    return statusText(found, healthOf(found), 'node bin/analytics-build.js')
  }
  it('begins with the sentence, then the next command as it is to be typed, then the releases', () => {
    const [first, next, empty, head, ...rows] = textOf({ hold: HOLD }).trimEnd().split('\n')
    expect(first).toMatch(/^not well: pinned since/)
    expect(next).toBe('next: node bin/analytics-build.js resume')
    expect([empty, head]).toEqual(['', '  release                            age'])
    expect(rows).toEqual([
      '  20260520T115100000Z-0123abcd        9m     197 files     6.7 MiB  fider, made by 1.2.0',
      '* 20260520T115600000Z-0123abcd        4m     197 files     6.7 MiB  fider, made by 1.2.0',
    ])
  })

  it('says by which time zones a release was cut, unless that is not known or it is in UTC', () => {
    const text = textOf(current({ timeZoneDatabase: '2025c' }))
    expect(text).toContain('9m     197 files     6.7 MiB  fider, made by 1.2.0\n')
    expect(text).toContain('4m     197 files     6.7 MiB  fider, made by 1.2.0, time zones 2025c\n')
  })

  it('runs no escape sequence of a message', () => {
    expect(textOf({ lastBuild: { ...FAILED, message: 'x\u001B[2Jy' } })).not.toContain('\u001B')
  })
})
