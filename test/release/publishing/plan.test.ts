import { describe, expect, test } from 'vitest'
import { programVersion } from '../../../src/process/package-root.ts'
import type { Manifest } from '../../../src/release/format/manifest.ts'
import { planOf, type LocalRelease, type Pointer, type Situation } from '../../../src/release/publishing/plan.ts'

const HOUR_MS = 3_600_000
const NOW_MS = Date.parse('2026-05-20T12:00:00.000Z')
const [OLDEST, OLD, NOW] = [8, 9, 10].map((n) => `20260520T${String(n).padStart(2, '0')}0000000Z-0123abcd`) as [
  string,
  string,
  string,
]

function release(name: string, isThere = false, ...paths: string[]): LocalRelease {
  const files = ['index.html', 'robots.txt', ...paths].map((path) => ({ path, bytes: 1, sha256: path, rows: null }))
  const [first, ...rest] = files
  const manifest = { id: name, files: [{ ...first, br: { bytes: 1, sha256: 'br' } }, ...rest] } as unknown as Manifest
  return { name, manifest, file: { path: 'manifest.json', bytes: 1, sha256: `of ${name}` }, isThere }
}

const POINTER: Pointer = { etag: '"p"', id: NOW, program: programVersion(), sha256: `of ${NOW}`, write: 'w' }
const FIRST: Situation = {
  current: release(NOW),
  months: [],
  log: { path: 'log.csv', bytes: 1, sha256: 'log' },
  local: [NOW],
  objects: new Map(),
  nowMs: NOW_MS,
  pointer: null,
  atOnce: false,
}

/** How long ago each key was written. */
function objects(ago: Readonly<Record<string, number>>): Situation['objects'] {
  return new Map(Object.entries(ago).map(([key, ms]) => [key, NOW_MS - ms]))
}

const below = (name: string, path: string): string => `snapshots/releases/${name}/${path}`
const keys = (situation: Situation): string[][] => planOf(situation).steps.map((step) => step.map(({ key }) => key))

test('the log of days goes where the folder has none any more, if it is ours', () => {
  const situation = { ...FIRST, objects: objects({ 'snapshots/log.csv': 1 }) }
  expect(planOf(situation).removals).toEqual([])
  expect(planOf({ ...situation, log: null }).removals).toEqual(['snapshots/log.csv'])
})

describe('the order', () => {
  test('of a first upload', () => {
    expect(keys({ ...FIRST, months: [release('2026-04')] })).toEqual([
      [
        ...['index.html', 'index.html.br', 'robots.txt'].map((path) => below(NOW, path)),
        ...['index.html', 'index.html.br', 'robots.txt'].map((path) => below('2026-04', path)),
      ],
      [below('2026-04', 'manifest.json')],
      ['robots.txt'],
      ['index.html'],
      [below(NOW, 'manifest.json')],
      ['manifest.json'],
      ['snapshots/log.csv'],
    ])
    expect(planOf(FIRST).pointer).toMatchObject({ key: 'snapshots/current/manifest.json', anew: true })
  })

  test('of what is there already: only what is missing', () => {
    const there = objects({
      [below(NOW, 'index.html')]: 1,
      [below(NOW, 'index.html.br')]: 1,
      [below(NOW, 'manifest.json')]: 1,
    })
    const situation = { ...FIRST, current: release(NOW, true), objects: there, pointer: POINTER }
    expect(keys(situation)[0]).toEqual([below(NOW, 'robots.txt')])
    expect(planOf(situation).pointer).toBe(null)
  })

  test.each([
    ['another version wrote the pointer', { ...POINTER, program: '0.9.0' }],
    ['another program wrote it', { ...POINTER, program: null }],
    ['it names another release', { ...POINTER, id: OLD, sha256: `of ${OLD}` }],
    ['the release was made again', { ...POINTER, sha256: 'other' }],
  ])('writes the manifests and the pointer again where %s', (_, pointer) => {
    const there = objects({ [below(NOW, 'manifest.json')]: 1, 'manifest.json': 1, 'index.html': 1 })
    const { steps, pointer: last } = planOf({ ...FIRST, objects: there, pointer })
    expect(last).not.toBe(null)
    expect(steps[4]?.map(({ anew }) => anew)).toEqual([true])
    for (const copied of [3, 5])
      expect(steps[copied]?.map(({ anew }) => anew)).toEqual([pointer.program !== programVersion()])
  })
})

describe('what goes', () => {
  const files = (name: string, ms: number, ...paths: string[]): Record<string, number> =>
    Object.fromEntries(paths.map((path) => [below(name, path), ms]))
  const CURRENT = files(NOW, 2 * HOUR_MS, 'index.html', 'index.html.br', 'robots.txt', 'manifest.json')
  const gone = (ago: Record<string, number>, more: Partial<Situation> = {}): readonly string[] =>
    planOf({ ...FIRST, objects: objects({ ...CURRENT, ...ago }), pointer: POINTER, ...more }).removals

  const OLD_WHOLE = files(OLD, 9 * HOUR_MS, 'manifest.json', 'robots.txt')
  const GOES: Record<string, [ago: Record<string, number>, more: Partial<Situation>, removals: string[]]> = {
    'a release that was replaced over an hour ago': [OLD_WHOLE, {}, Object.keys(OLD_WHOLE)],
    'not one that the folder has': [OLD_WHOLE, { local: [OLD, NOW] }, []],
    'not one that the pointer names until now': [OLD_WHOLE, { pointer: { ...POINTER, id: OLD } }, []],
    'not one that was replaced within the hour': [{ ...OLD_WHOLE, [below(NOW, 'manifest.json')]: HOUR_MS }, {}, []],
    'by the release that came next, not by the last': [
      { ...OLD_WHOLE, ...files(OLDEST, 20 * HOUR_MS, 'manifest.json'), [below(NOW, 'manifest.json')]: 1 },
      {},
      [below(OLDEST, 'manifest.json')],
    ],
    'at once, all': [OLD_WHOLE, { atOnce: true, local: [OLD, NOW] }, Object.keys(OLD_WHOLE)],
    'one that was never whole, after an hour': [
      files(OLD, HOUR_MS + 1, 'robots.txt'),
      { local: [OLD, NOW] },
      [below(OLD, 'robots.txt')],
    ],
    'not before': [files(OLD, HOUR_MS, 'robots.txt'), { local: [OLD, NOW] }, []],
    'of the current one what it does not name': [files(NOW, 1, 'gone.json'), {}, [below(NOW, 'gone.json')]],
    'a month that the folder does not have': [
      files('2026-03', 1, 'manifest.json'),
      {},
      [below('2026-03', 'manifest.json')],
    ],
    'not one that it has, but for what that does not name': [
      files('2026-04', 1, 'robots.txt', 'gone.json', 'manifest.json'),
      { months: [release('2026-04', true)], atOnce: true },
      [below('2026-04', 'gone.json')],
    ],
    'nothing of a site whose prefix is a folder of this one': [
      { 'town/index.html': 1, 'town/snapshots/current/manifest.json': 1, 'town/docs/data.html': 1 },
      { atOnce: true },
      [],
    ],
    'nothing else': [{ 'snapshots/releases/mine/x': 1, 'snapshots/x': 1, 'notes.txt': 1 }, { atOnce: true }, []],
  }
  test.each(Object.entries(GOES))('%s', (_, [ago, more, expected]) => {
    expect(gone(ago, more)).toEqual(expected)
  })

  test('at the root: what a release may have and this one lacks, if this program put it there', () => {
    const at = {
      'de/index.html': 1,
      'public/stats.json': 1,
      'index.html': 1,
      'manifest.json': 1,
      'notes.txt': 1,
      'x/index.html': 1,
    }
    expect(planOf({ ...FIRST, objects: objects(at) }).removals).toEqual(['de/index.html', 'public/stats.json'])
  })
})
