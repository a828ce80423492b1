import { describe, expect, test } from 'vitest'
import { programVersion } from '../../../src/process/package-root.ts'
import type { Manifest } from '../../../src/release/format/manifest.ts'
import {
  planOf,
  pointerOf,
  type LocalRelease,
  type Pointer,
  type Situation,
} from '../../../src/release/publishing/plan.ts'
import type { ListedObject } from '../../../src/release/publishing/s3-client.ts'

const HOUR_MS = 3_600_000
const NOW_MS = Date.parse('2026-05-20T12:00:00.000Z')
const [OLD, NOW] = ['20260520T090000000Z-0123abcd', '20260520T100000000Z-0123abcd']

function release(name: string, isThere = false, ...paths: string[]): LocalRelease {
  const files = ['index.html', 'robots.txt', ...paths].map((path) => ({ path, bytes: 1, sha256: path, rows: null }))
  const [first, ...rest] = files
  const coded = { ...first, br: { bytes: 1, sha256: 'br' } }
  const manifest = { id: name, files: [coded, ...rest], options: {} } as unknown as Manifest
  return { name, manifest, file: { path: 'manifest.json', bytes: 1, sha256: `of ${name}` }, isThere }
}

const POINTER: Pointer = {
  isThere: true,
  condition: { 'if-match': '"p"' },
  id: NOW,
  program: programVersion(),
  sha256: `of ${NOW}`,
  title: null,
}
const FIRST: Situation = {
  current: release(NOW),
  months: [],
  log: { path: 'log.csv', bytes: 1, sha256: 'log', text: '', md5: '' },
  local: [NOW],
  objects: new Map(),
  nowMs: NOW_MS,
  pointer: pointerOf(null),
  atOnce: false,
}

/** The size of all files of this test. */
const listed = (agoMs: number): ListedObject => ({ writtenMs: NOW_MS - agoMs, bytes: 1, etag: '' })

/** How long ago each key was written. */
function objects(ago: Readonly<Record<string, number>>): Situation['objects'] {
  return new Map(Object.entries(ago).map(([key, ms]) => [key, listed(ms)]))
}

const below = (name: string, path: string): string => `snapshots/releases/${name}/${path}`
const keys = (situation: Situation): string[][] => planOf(situation).steps.map((step) => step.map(({ key }) => key))
const POINTER_KEY = 'snapshots/current/manifest.json'

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
      [below(NOW, 'manifest.json'), below('2026-04', 'manifest.json')],
      [],
      [POINTER_KEY],
      ['robots.txt'],
      ['index.html'],
      ['manifest.json'],
      [POINTER_KEY],
      ['snapshots/log.csv'],
    ])
  })

  test('of what is there already: only what is missing', () => {
    const there = objects({
      [below(NOW, 'index.html')]: 1,
      [below(NOW, 'index.html.br')]: 1,
      [below(NOW, 'manifest.json')]: 1,
    })
    const months = [release('2026-04', true)]
    const situation = { ...FIRST, current: release(NOW, true), months, objects: there, pointer: POINTER }
    const [files, ...rest] = keys(situation)
    expect(files?.filter((key) => key.includes(NOW))).toEqual([below(NOW, 'robots.txt')])
    const log = ['snapshots/log.csv']
    expect(rest).toEqual([[], [], [], ['robots.txt'], ['index.html'], ['manifest.json'], [POINTER_KEY], log])
    const whole = new Map([...there, ...objects({ 'manifest.json': 1, 'robots.txt': 1, 'index.html': 1 })])
    expect(keys({ ...situation, objects: whole }).slice(1)).toEqual([[], [], [], [], [], [], [], log])
  })

  test('of what is there, but with another size than was sent: once more', () => {
    const paths = ['index.html', 'index.html.br', 'robots.txt', 'manifest.json']
    const all = objects(Object.fromEntries(paths.flatMap((path) => [path, below(NOW, path)]).map((key) => [key, 1])))
    const cut = [below(NOW, 'robots.txt'), 'index.html']
    const there = new Map([...all, ...cut.map((key) => [key, { ...listed(1), bytes: 0 }] as const)])
    const situation = { ...FIRST, current: release(NOW, true), objects: there, pointer: POINTER }
    // The pointer says again that all is there.
    expect(keys(situation).flat()).toEqual([...cut, POINTER_KEY, 'snapshots/log.csv'])
  })

  test('writes the manifest of the release that is replaced once more, as it is', () => {
    const pointer = { ...POINTER, id: OLD, sha256: `of ${OLD}` }
    const key = below(OLD, 'manifest.json')
    const { steps } = planOf({ ...FIRST, pointer, objects: objects({ [key]: 1 }) })
    const cache = { 'cache-control': 'public, max-age=3600, immutable', 'x-amz-meta-analytics-sha256': `of ${OLD}` }
    expect(steps[2]).toMatchObject([{ key, from: key, anew: true, headers: cache }])
    expect(planOf({ ...FIRST, pointer }).steps[2]).toEqual([])
  })

  test('asks whether the store has conditions with the smallest file of the release', () => {
    const { current } = FIRST
    const sizes = { 'index.html': 3, 'robots.txt': 0 } as Readonly<Record<string, number>>
    const files = current.manifest.files.map((file) => ({ ...file, bytes: sizes[file.path] ?? 1 }))
    const plan = planOf({ ...FIRST, current: { ...current, manifest: { ...current.manifest, files } } })
    expect(plan.probe).toMatchObject({ key: below(NOW, 'robots.txt'), from: null })
  })

  test.each([
    ['another version wrote the pointer', { ...POINTER, program: '0.9.0' }],
    ['the upload has not ended, or another program wrote it', { ...POINTER, program: null }],
    ['it names another release', { ...POINTER, id: OLD, sha256: `of ${OLD}` }],
    ['the release was made again', { ...POINTER, sha256: 'other' }],
    ['its manifest is not there', POINTER],
  ])('writes the site and the pointer again where %s', (_, pointer) => {
    const there = objects({ [below(NOW, 'manifest.json')]: 1, 'manifest.json': 1, 'index.html': 1 })
    const current = release(NOW, pointer !== POINTER)
    const { steps } = planOf({ ...FIRST, current, objects: there, pointer })
    const [, manifests, replaced, [claim] = [], ...after] = steps
    const [[end] = []] = after.splice(3)
    expect([claim?.key, end?.key]).toEqual([POINTER_KEY, POINTER_KEY])
    // None is replaced, or it is not there any more.
    expect(replaced).toEqual([])
    const done = 'x-amz-meta-analytics-program'
    expect([claim?.headers[done], end?.headers[done]]).toEqual([undefined, programVersion()])
    expect(manifests?.map(({ anew }) => anew)).toEqual(pointer === POINTER ? [true] : [])
    const isOther = pointer.program !== programVersion()
    expect(after.map((step) => step.map(({ anew }) => anew))).toEqual([[isOther], [isOther], [isOther]])
  })
})

describe('what goes', () => {
  const files = (name: string, ms: number, ...paths: string[]): Record<string, number> =>
    Object.fromEntries(paths.map((path) => [below(name, path), ms]))
  const CURRENT = files(NOW, 2 * HOUR_MS, 'index.html', 'index.html.br', 'robots.txt', 'manifest.json')
  const gone = (ago: Record<string, number>, more: Partial<Situation> = {}): readonly string[] =>
    planOf({ ...FIRST, objects: objects({ ...CURRENT, ...ago }), pointer: POINTER, ...more }).removals

  const OLD_WHOLE = { ...files(OLD, 9 * HOUR_MS, 'robots.txt'), ...files(OLD, HOUR_MS + 1, 'manifest.json') }
  const GOES: Record<string, [ago: Record<string, number>, more: Partial<Situation>, removals: string[]]> = {
    'a release that was replaced over an hour ago': [OLD_WHOLE, {}, Object.keys(OLD_WHOLE)],
    'not one that the folder has': [OLD_WHOLE, { local: [OLD, NOW] }, []],
    'not one that the pointer names until now': [OLD_WHOLE, { pointer: { ...POINTER, id: OLD } }, []],
    'not one that was replaced within the hour': [{ ...OLD_WHOLE, [below(OLD, 'manifest.json')]: HOUR_MS }, {}, []],
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
