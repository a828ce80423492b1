// The promise of the README: what 1.0 and every later version wrote is served, verified, compared, rolled back to, pruned and
// carried on by this version. Reads each archive of test/end-to-end/stored/; UPDATE_STORED=1 makes that of this version first.
// long test: builds and serves for each case
// depends on: test/end-to-end/stored/
import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { EXPORT_COLUMNS } from '../../src/contract/columns.ts'
import { combinationAt } from '../../src/contract/snapshot-paths.ts'
import type { Combination } from '../../src/contract/kinds/register.ts'
import { siteKindOf } from '../../src/contract/site-paths.ts'
import { packagePath } from '../../src/process/package-root.ts'
import { contentHashOf, type Manifest, type ManifestFile } from '../../src/release/format/manifest.ts'
import { run } from '../builder/build-program.ts'
import { verifyAt, wholeCurrent } from '../release/sample-release.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'
import { contractOf } from '../support/openapi.ts'
import { ask, startProxy, type TestProxy } from '../support/proxy.ts'
import {
  archiveOf,
  DAYS,
  makeArchive,
  seriesOf,
  startPlatform,
  storedSeries,
  unpacked,
  VERSION,
} from './stored-archive.ts'

/** What a client of 1.0 asks for: it gets no later one. Until 1.0.0 is out a new one is of it, too. */
const ENDPOINTS_OF_1_0 = {
  stats: '/api/public/stats',
  trending: '/api/analytics/trending',
  categories: '/api/analytics/categories',
  timeline: '/api/analytics/timeline',
  outcomes: '/api/analytics/outcomes',
  export: '/api/analytics/export',
}
const HISTORY = 'analytics/export/history/all.json'
/** As a build of 1.0 was told what makeArchive asks for. */
const OPTIONS = `--every 24h --vote-weight 5 --comment-weight 3 --people exact --license CC-BY-4.0
  --site-url https://ideas.example --public-url https://statistics.example --title Ideas`.split(/\s+/)
/** Folders of people who make archives. */
const PERSONAL = /\/(?:home|root|tmp|work|mnt|private|Users|dev\/shm)\//

if (process.env['UPDATE_STORED'] === '1') {
  const folder = temporaryFolder(afterAll)
  beforeAll(() => makeArchive(folder), 120_000)
}

describe.each(storedSeries())('the releases that %s wrote', (series) => {
  /** A copy of the test's own. */
  function stored() {
    const found = unpacked(series, temporaryFolder())
    const { snapshots } = found
    const ids = readdirSync(join(snapshots, 'releases')).sort()
    const program = async (...args: string[]): Promise<unknown> => {
      const { code, stdout, stderr } = await run([...args, '--json'], { ANALYTICS_SNAPSHOTS: snapshots })
      // All is well but the age of the data.
      expect([code, stderr], `${args.join(' ')}: ${stdout}`).toEqual([args[0] === 'status' ? 1 : 0, ''])
      return JSON.parse(stdout)
    }
    const read = (id: string, path: string): Buffer => readFileSync(join(snapshots, 'releases', id, path))
    const manifestOf = (id: string): Manifest => JSON.parse(read(id, 'manifest.json').toString()) as Manifest
    return { ...found, ids, first: ids[0] ?? '', last: ids.at(-1) ?? '', program, read, manifestOf }
  }

  async function serving(snapshots: string): Promise<TestProxy> {
    const proxy = await startProxy({ snapshots, nowMs: Date.now })
    onTestFinished(() => proxy.stop())
    return proxy
  }

  it('are two with their websites, of that version, in an archive of less than 750 kB that names no folder of its maker', () => {
    const { ids, manifestOf, snapshots, read, last } = stored()
    const versions = ids.map((id) => manifestOf(id).programVersion ?? '')
    expect(versions.map(seriesOf)).toEqual([series, series])
    // What was tried before the release may have been written otherwise: it goes with the version that was tried.
    const [base, ...tried] = VERSION.split('-')
    const isOfTried = versions.map((version) => version.split('-')[0] === base && tried.length > 0)
    expect(versions.map((version) => version.includes('-'))).toEqual(isOfTried)
    expect(read(last, 'index.html').length).toBeGreaterThan(10_000)
    expect(statSync(archiveOf(series)).size).toBeLessThan(750_000)
    const personal = readdirSync(snapshots, { recursive: true, encoding: 'utf8' }).filter((name) => {
      if (!statSync(join(snapshots, name)).isFile()) return false
      const text = readFileSync(join(snapshots, name), 'latin1')
      return PERSONAL.test(text) || text.includes(packagePath())
    })
    expect(personal).toEqual([])
  })

  it('are whole for a version that has more columns, and for one that has fewer', async () => {
    const { last, snapshots } = stored()
    const exports: Record<string, string[]> = EXPORT_COLUMNS as unknown as Record<string, string[]>
    const now = Object.entries(exports).map(([type, columns]): [string, string[]] => [type, [...columns]])
    onTestFinished(() => void Object.assign(exports, Object.fromEntries(now)))
    for (const change of [(columns: string[]) => [...columns, 'added'], (columns: string[]) => columns.slice(0, -1)]) {
      for (const [type, columns] of now) if (type !== 'history') exports[type] = change(columns)
      expect(await verifyAt(snapshots, last)).toMatchObject({ faults: [], unread: [] })
    }
    for (const [type, columns] of now) exports[type] = ['added', ...columns]
    const { faults } = await verifyAt(snapshots, last)
    expect(faults).toContainEqual(expect.stringMatching(/row 1 of its JSON has the keys .*, expected added,/))
  })

  it('are whole for verify, and well for status but for their age', async () => {
    const { ids, last, program, manifestOf } = stored()
    for (const id of ids) {
      const { files } = manifestOf(id)
      expect(await program('verify', id)).toMatchObject({ id, files: files.length, faults: [], unread: [] })
    }
    const status = (await program('status')) as {
      problems: { kind: string }[]
      notes: string[]
      releases: { id: string; problem: unknown; programVersion: string }[]
    }
    expect(status).toMatchObject({ current: last, hold: null, rejected: [], lastBuild: { result: 'published' } })
    expect(status.releases.map(({ id, problem }) => [id, problem])).toEqual(ids.map((id) => [id, null]))
    // They are old, and nothing else.
    expect(status.problems.map(({ kind }) => kind)).toEqual(['late'])
    expect(status.notes.filter((note) => note.includes('past'))).toEqual([])
  })

  it('are served by the API as they are written and as OpenAPI describes it, the older one after a rollback', async () => {
    const { ids, snapshots, program, read, manifestOf } = stored()
    for (const id of ids.toReversed()) {
      await program('rollback', id)
      const { port } = await serving(snapshots)
      const contract = await contractOf(port)
      const asked = new Set<string>()
      const { categories, files } = manifestOf(id)
      for (const file of files) {
        const combination = combinationAt(file.path, (key) => categories.find((one) => one.key === key)?.name)
        expect(combination !== null || siteKindOf(file.path) !== null, file.path).toBe(true)
        if (combination === null) continue
        for (const [target, document] of answersOf(combination, read(id, file.path).toString())) {
          const answer = await contract.ask(target)
          expect([target, answer.status, answer.headers['x-snapshot-id']]).toEqual([target, 200, id])
          expect(String(answer.headers.etag).startsWith(`W/"${contentHashOf(file).slice(0, 32)}`), target).toBe(true)
          expect(unstamped(answer.text), target).toBe(unstamped(document))
          asked.add(new URL(target, 'http://proxy').pathname)
        }
      }
      expect([...asked]).toEqual(expect.arrayContaining(Object.values(ENDPOINTS_OF_1_0)))
    }
  })

  it('are served as files and as websites, plain and compressed, each under its own ETag', async () => {
    const { ids, last, snapshots, read, manifestOf } = stored()
    const { port } = await serving(snapshots)
    for (const id of ids)
      for (const file of manifestOf(id).files)
        for (const target of targetsOf(file, id, id === last))
          for (const [coding, suffix] of codingsOf(file)) {
            const answer = await ask(port, target, { headers: { 'Accept-Encoding': coding } })
            const { etag, 'content-encoding': encoding = 'identity' } = answer.headers
            expect([target, answer.status, encoding]).toEqual([target, 200, coding])
            expect(answer.body.equals(read(id, `${file.path}${suffix}`)), `${target} ${coding}`).toBe(true)
            const { sha256 } = coding === 'identity' ? file : (file[coding === 'br' ? 'br' : 'gzip'] ?? file)
            expect([target, etag]).toEqual([target, `"${sha256.slice(0, 32)}"`])
          }
  })

  it('are rolled back to and forth, compared, and pruned', async () => {
    const { ids, first, last, snapshots, program } = stored()
    expect(await program('rollback')).toMatchObject({ id: first })
    expect(await wholeCurrent(snapshots)).toBe(first)
    expect(await program('rollback', last)).toMatchObject({ id: last })
    expect(await wholeCurrent(snapshots)).toBe(last)
    expect(await program('resume')).toEqual({ held: true })
    const found = await program('diff', first, 'current')
    expect(found).toMatchObject({ a: { id: first }, b: { id: last }, comparable: true })
    expect(revisedRows(found)).toEqual(Array(12).fill(0))
    expect(await program('prune', '--all-but-current')).toEqual({ removed: ids.slice(0, -1), young: [] })
    expect(await wholeCurrent(snapshots)).toBe(last)
  })

  it(
    'are carried on: the next build compares its past with theirs, keeps their history and leaves them whole',
    { timeout: 120_000 },
    async () => {
      const found = stored()
      const { ids, last, snapshots, program, read, mapping, manifestOf } = found
      const platform = await startPlatform(found)
      onTestFinished(() => platform.close())
      const source = ['--source', mapping, '--database-url', platform.url]
      expect(await program('check', ...source)).toMatchObject({ mapping: 'stored', site: { closed: false } })
      const built = (await program('build', ...source, ...OPTIONS)) as { id: string; dataAsOf: string }
      expect(built).toMatchObject({ kind: 'published', withoutPast: null })
      expect(revisedRows(built)).toEqual(Array(12).fill(0))
      const rows = (id: string) => (JSON.parse(read(id, HISTORY).toString()) as { data: object[] }).data
      expect(rows(last)).toHaveLength(DAYS)
      expect(rows(built.id)).toMatchObject([...rows(last), { date: built.dataAsOf.slice(0, 10) }])
      expect(keysIn(manifestOf(built.id))).toEqual(expect.arrayContaining(keysIn(manifestOf(last))))
      for (const id of [...ids, built.id])
        expect(await verifyAt(snapshots, id)).toMatchObject({ id, faults: [], unread: [] })
      expect(await program('prune', '--keep', '1')).toEqual({ removed: ids.slice(0, -1), young: [] })
      expect(await program('rollback')).toMatchObject({ id: last })
    },
  )
})

type Answers = readonly (readonly [target: string, document: string])[]

/** The targets that a file answers, each with its document. */
function answersOf(combination: Combination, text: string): Answers {
  const target = (path: string, parameters: object): string =>
    `${path}?${new URLSearchParams(Object.entries(parameters).filter(([, value]) => value !== null)).toString()}`
  if (combination.endpoint !== 'category') {
    const { endpoint, ...parameters } = combination
    const limit = endpoint === 'trending' ? { limit: '100' } : {}
    return [[target(ENDPOINTS_OF_1_0[endpoint], { ...parameters, ...limit }), text]]
  }
  const { category } = combination
  const { timelines, outcomes, ...ending } = JSON.parse(text) as Record<'timelines' | 'outcomes', object>
  const { dataAsOf, generatedAt, version } = ending as Record<string, unknown>
  const document = (member: object): string => JSON.stringify({ ...member, dataAsOf, generatedAt, version })
  return [
    [target(ENDPOINTS_OF_1_0.outcomes, { category }), document(outcomes)],
    ...Object.entries(timelines).map(
      ([period, timeline]) => [target(ENDPOINTS_OF_1_0.timeline, { period, category }), document(timeline)] as const,
    ),
  ]
}

/** Without the one value that every answer has anew. */
function unstamped(text: string): string {
  return text.replace(/"generatedAt":"[^"]{24}"/, '"generatedAt":""')
}

/** How many rows of its past each relation has otherwise; null = nobody could compare. */
function revisedRows(result: unknown): number[] | null {
  const { revisions } = result as { revisions: { rows: number }[] | null }
  return revisions?.map(({ rows }) => rows) ?? null
}

/** Of all objects in a value, each with the keys that lead to it. */
function keysIn(value: unknown, to = ''): string[] {
  if (typeof value !== 'object' || value === null) return []
  if (Array.isArray(value)) return [...new Set(value.flatMap((one) => keysIn(one, to)))]
  return Object.entries(value).flatMap(([key, inner]) => [`${to}.${key}`, ...keysIn(inner, `${to}.${key}`)])
}

function targetsOf({ path }: ManifestFile, id: string, isCurrent: boolean): string[] {
  return [`/snapshots/releases/${id}/${path}`, ...(isCurrent ? [`/snapshots/current/${path}`, `/${path}`] : [])]
}

/** How a file can be asked for, and what its name then ends in. */
function codingsOf({ gzip, br }: ManifestFile): (readonly [coding: 'identity' | 'gzip' | 'br', suffix: string])[] {
  return [['identity', ''], ...(gzip ? [['gzip', '.gz'] as const] : []), ...(br ? [['br', '.br'] as const] : [])]
}
