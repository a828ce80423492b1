// Whose site a bucket shows: a set-up that is not its own is told so before it changes anything, whatever command it runs; and what
// was paused meanwhile changes nothing any more.
import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { LOG_HEADER } from '../../../src/release/format/day-log.ts'
import type { Manifest } from '../../../src/release/format/manifest.ts'
import { addressOf } from '../../../src/release/publishing/bucket.ts'
import { POINTER_KEY } from '../../../src/release/publishing/plan.ts'
import { currentId } from '../../../src/release/reading/release-list.ts'
import { forgetAllBut } from '../../../src/release/past/forget.ts'
import { readPublished } from '../../../src/release/writing/published.ts'
import { BUCKET, memoryS3 } from '../../support/memory-s3.ts'
import { keysOf, seen, type May } from './small-release.ts'
import { archive, changesOf, copyOf, keys, shown, stateOf, town, towns, type Town } from './towns.ts'

const SHOWS =
  /^it shows the site "Avon" \(release \d{8}T\d{9}Z-[0-9a-f]{8}\), which is not of this folder; the folder has the site "Brig" \(release \d{8}T/
const ADVICE =
  'if --publish was to name another bucket or prefix, correct it; if this folder is to replace what is there'

describe("a second set-up with another town's address", () => {
  const CASES: Record<string, [n: number, may: May]> = {
    'builds, and is newer': [9, {}],
    'builds, and is older': [0, {}],
    'removes all but the current release': [9, { atOnce: true }],
  }
  test.each(Object.entries(CASES))('%s: changes nothing, and names both sites', async (_, [n, may]) => {
    const { s3, avon } = towns()
    await avon.make(1)
    await avon.make(2)
    writeFileSync(avon.paths.log, `${LOG_HEADER}\n2026-05-19,x\n`)
    await avon.upload()
    const before = stateOf(s3)
    const from = s3.asked.length
    const brig = town(s3, 'Brig')
    await brig.make(n)
    for (let i = 0; i < 2; i++) {
      const said = await brig.refused(may)
      expect(said).toMatch(SHOWS)
      expect(said).toContain(ADVICE)
    }
    expect([changesOf(s3, from), stateOf(s3)]).toEqual([[], before])
    expect((await brig.status()).stranger).toMatch(SHOWS)
    expect((await avon.status()).stranger).toBe(null)
    // The town goes on as if nobody had been there.
    await avon.make(3)
    await avon.upload()
    expect(s3.objects.get('index.html')?.bytes.toString()).toContain('<title>3<')
  })

  test('takes it over if it says so, but for the days of a log; then the other one is the stranger', async () => {
    const { s3, avon, brig } = await shown(`${LOG_HEADER}\n2026-05-19,x\n`)
    await brig.make(9)
    const before = stateOf(s3)
    const said = await brig.refused({ acceptSite: true })
    expect(said).toContain('s3://statistics/town/snapshots/log.csv has lines from 2026-05-19 on')
    expect(said).toContain('if they are of another one, remove it there')
    expect(stateOf(s3)).toEqual(before)
    s3.objects.delete('snapshots/log.csv')
    await brig.upload({ acceptSite: true })
    expect(seen((key) => s3.objects.get(key)?.bytes)).toEqual({ id: await currentId(brig.paths), wrong: [] })
    await avon.make(10)
    expect(await avon.refused()).toMatch(/^it shows the site "Brig" .* the folder has the site "Avon"/)
    // It needs no word any more.
    await brig.make(11)
    await brig.upload()
  })

  test('takes no id for one that is none, which would be a part of keys', async () => {
    const { s3, brig } = await shown()
    await brig.make(2)
    const neighbour = 'snapshots/releases/../../harbour/manifest.json'
    s3.objects.set(neighbour, s3.objects.get('manifest.json')!)
    const pointer = s3.objects.get(POINTER_KEY)!
    const headers = { ...pointer.headers, 'x-amz-meta-analytics-id': '../../harbour' }
    s3.objects.set(POINTER_KEY, { ...pointer, headers })
    expect(await brig.refused()).toContain('it shows what this program has not written')
    const from = s3.asked.length
    await brig.upload({ acceptSite: true })
    expect(s3.asked.slice(from).filter((what) => what.includes('harbour'))).toEqual([])
  })

  test('shows no control character and no override of direction of a title, and takes any header for one', async () => {
    const { s3, brig } = await shown()
    await brig.make(2)
    const pointer = s3.objects.get(POINTER_KEY)!
    for (const title of ['%1B%5B2J%E2%80%AEx%0A', '%', '%FF', 'x'.repeat(500), '']) {
      s3.objects.set(POINTER_KEY, { ...pointer, headers: { ...pointer.headers, 'x-amz-meta-analytics-title': title } })
      const said = await brig.refused()
      expect(said).toMatch(/^it shows (?:a site without a title|the site ".{0,60}") \(release /u)
      expect(said).not.toMatch(/[\p{Cc}\p{Cf}]/u)
    }
  })
})

describe('what is there is not of this program', () => {
  const theirs = (text: string) => ({ bytes: Buffer.from(text), etag: 'x', headers: {}, modifiedMs: 0 })
  const FOUND: Record<string, [key: string, said: string]> = {
    'a pointer, as of a folder that was copied there by other means': [
      POINTER_KEY,
      'it shows what this program has not written, which is not of this folder',
    ],
    'a page of somebody': ['index.html', 'index.html is there, and this program has not written it'],
    'a style sheet of somebody': ['assets/page-0123456789.css', 'this program has not written it'],
  }
  test.each(Object.entries(FOUND))('%s: it stays, until somebody says that it may go', async (_, [key, said]) => {
    const { s3, avon } = towns()
    const manifest = await avon.make(1)
    s3.objects.set(key, theirs('theirs'))
    expect(await avon.refused()).toContain(said)
    expect([keys(s3), changesOf(s3)]).toEqual([[key], []])
    await avon.upload({ acceptSite: true })
    expect(keys(s3)).toEqual(keysOf(manifest))
    await avon.make(2)
    await avon.upload()
  })

  test('a bucket that was copied without its headers: once it is accepted, all of it goes when the site closes', async () => {
    const { s3, avon } = towns()
    await avon.make(1, { 'fr/index.html': 'x' })
    await avon.upload()
    await avon.make(3, { 'fr/index.html': 'y' })
    await avon.upload()
    for (const [key, object] of s3.objects) s3.objects.set(key, { ...object, headers: {} })
    expect(await avon.refused()).toContain('it shows what this program has not written')
    await avon.upload({ acceptSite: true })
    const closed = await avon.make(4, {}, true)
    await avon.upload()
    expect(keys(s3)).toEqual(keysOf(closed))
  })

  test('releases that no pointer names, as where a rule of the bucket removed it', async () => {
    const { s3, avon, brig } = await shown()
    s3.objects.delete(POINTER_KEY)
    await brig.make(2)
    const before = stateOf(s3)
    expect(await brig.refused()).toMatch(/^it shows releases, and no current one, which is not of this folder/)
    expect(stateOf(s3)).toEqual(before)
    await avon.upload()
    expect(s3.objects.get('index.html')?.bytes.toString()).toContain('<title>1<')
  })

  test('what a killed first upload left is', async () => {
    const { s3, avon } = towns()
    const manifest = await avon.make(1)
    s3.fault = (_, what) => (what === 'PUT index.html' ? 'killed' : null)
    await avon.refused()
    s3.objects.delete(POINTER_KEY)
    s3.fault = () => null
    await avon.upload()
    expect(keys(s3)).toEqual(keysOf(manifest))
  })
})

describe('two folders of one town', () => {
  test('a copy is a stranger as soon as the other one has gone on; none alternate', async () => {
    const { s3, avon } = await shown()
    const copy = copyOf(s3, avon)
    await avon.make(2)
    await avon.upload()
    await copy.make(3)
    expect(await copy.refused()).toContain('which is not of this folder')
    await avon.make(4)
    await avon.upload()
    await copy.make(5)
    expect(await copy.refused()).toContain('which is not of this folder')
  })

  test('of last week, it says so; with the word and the log of the bucket it goes on, and loses no day', async () => {
    const { s3, avon } = await shown(`${LOG_HEADER}\n2026-05-12,x\n`)
    const lastWeek = copyOf(s3, avon)
    await avon.make(2)
    const whole = `${LOG_HEADER}\n2026-05-12,x\n2026-05-13,y\n`
    writeFileSync(avon.paths.log, whole)
    await avon.upload()
    await lastWeek.make(3)
    expect(await lastWeek.refused()).toContain('as after a restore, give --accept-site once')
    expect(await lastWeek.refused({ acceptSite: true })).toContain(
      `lines from 2026-05-13 on that ${lastWeek.paths.log} has not; if they are of this site, as after a restore, put it in the place of`,
    )
    writeFileSync(lastWeek.paths.log, s3.objects.get('snapshots/log.csv')!.bytes)
    await lastWeek.upload({ acceptSite: true })
    writeFileSync(lastWeek.paths.log, `${whole}2026-05-14,z\n`)
    await lastWeek.make(4)
    await lastWeek.upload()
    expect(s3.objects.get('snapshots/log.csv')?.bytes.toString()).toBe(`${whole}2026-05-14,z\n`)
  })

  test('an empty one, as of a volume that does not last, is a stranger each time', async () => {
    const s3 = memoryS3()
    for (const [n, said] of [
      [1, 'it was uploaded'],
      [2, 'is not of this folder'],
      [3, 'is not of this folder'],
    ] as const) {
      const fresh = town(s3, 'Avon')
      await fresh.make(n)
      expect(await fresh.refused()).toContain(said)
    }
  })

  test('what it put there is known though the folder has it no more, and its last reply was lost', async () => {
    const { s3, avon } = towns()
    const first = await avon.make(1)
    s3.fault = (_, what) => (what === 'PUT robots.txt' ? 'killed' : null)
    expect(await avon.refused()).toContain('killed')
    expect(s3.objects.get(POINTER_KEY)).toBeDefined()
    s3.fault = () => null
    const next = await avon.make(2)
    rmSync(join(avon.paths.releases, first.id), { recursive: true })
    await avon.upload()
    expect(keys(s3)).toEqual(keysOf(next, first))
  })

  test.each([
    '{',
    '[]',
    'null',
    '{"https://store.example.org/statistics/town/":{"releases":{"x":"y"},"logIsOver":false}}',
    '{"old":1}',
  ])('whose memory is %s: says what to do, and changes nothing there', async (text) => {
    const { s3, avon } = await shown()
    const before = stateOf(s3)
    writeFileSync(avon.paths.published, text)
    await avon.make(2)
    expect(await avon.refused()).toContain(
      '.published in the folder of the releases is damaged, or of another version; remove it and',
    )
    expect(stateOf(s3)).toEqual(before)
    rmSync(avon.paths.published)
    // It still has the release that is there.
    await avon.upload()
  })

  test('remembers what is there, and what is to be', async () => {
    const { s3, avon } = towns()
    const ids: string[] = []
    for (let n = 1; n < 6; n++) {
      ids.push((await avon.make(n)).id)
      if (n > 1) rmSync(join(avon.paths.releases, ids[n - 2]!), { recursive: true })
      await avon.upload()
      s3.nowMs += 2 * 3_600_000
    }
    const { releases } = await readPublished(avon.paths, addressOf(BUCKET))
    // Of the first ones nothing was there any more when the last one came.
    expect(Object.keys(releases).sort()).toEqual(ids.slice(2))
  })
})

describe('a closing', () => {
  const closing = async ({ paths, make }: Town, n: number): Promise<Manifest> => {
    const manifest = await make(n, {}, true)
    await forgetAllBut(paths, [manifest.id])
    return manifest
  }

  test("beside a stranger's site removes what this folder put there, leaves the other one, and names the word that closes it", async () => {
    const { s3, avon, brig } = towns()
    const ours = await avon.make(1, { 'fr/index.html': 'x' })
    archive(avon, ours)
    await avon.upload()
    const theirs = await brig.make(2)
    await brig.upload({ acceptSite: true })
    const before = stateOf(s3)
    const closed = await closing(avon, 3)
    expect(keys(s3).some((key) => key.includes(ours.id))).toBe(true)
    const said = await avon.refused()
    expect(said).toMatch(/^it shows the site "Brig" /)
    expect(said).toContain(
      'the releases that this folder had put there are removed, and the rest stays; if that is the site that closes, give --accept-site once',
    )
    expect(keys(s3).filter((key) => key.includes(ours.id))).toEqual([])
    const isTheirs = (key: string): boolean => !key.includes(ours.id) && !key.includes('/2026-04/')
    expect(stateOf(s3).filter(([key]) => isTheirs(key))).toEqual(before.filter(([key]) => isTheirs(key)))
    expect(seen((key) => s3.objects.get(key)?.bytes)).toEqual({ id: theirs.id, wrong: [] })
    await avon.upload({ acceptSite: true })
    expect(keys(s3)).toEqual(keysOf(closed))
  })

  test("leaves the month of a stranger's, whose name is the same", async () => {
    const { s3, avon, brig } = towns()
    const [ours, theirs] = [await avon.make(1), await brig.make(2)]
    archive(avon, ours)
    archive(brig, theirs)
    await avon.upload()
    await brig.upload({ acceptSite: true })
    await closing(avon, 3)
    await avon.refused()
    expect(keys(s3)).toContain('snapshots/releases/2026-04/manifest.json')
    expect(keys(s3).filter((key) => key.includes(ours.id))).toEqual([])
  })

  test('without its folder leaves all, and says so; with the word all goes', async () => {
    const { s3 } = await shown()
    const before = stateOf(s3)
    const lost = town(s3, 'Avon')
    const closed = await lost.make(2, {}, true)
    expect(await lost.refused()).toContain('give --accept-site once')
    expect(stateOf(s3)).toEqual(before)
    await lost.upload({ acceptSite: true })
    expect(keys(s3)).toEqual(keysOf(closed))
  })

  test("keeps the log of somebody else's site, also of who takes that over when the site is open again", async () => {
    const { avon, brig } = await shown()
    await closing(avon, 2)
    await brig.make(3)
    writeFileSync(brig.paths.log, `${LOG_HEADER}\n2026-05-13,brig\n`)
    await brig.upload({ acceptSite: true })
    await avon.make(4)
    writeFileSync(avon.paths.log, `${LOG_HEADER}\n2026-05-20,avon\n`)
    expect(await avon.refused({ acceptSite: true })).toContain('has lines from 2026-05-13 on')
  })

  test('closes also where nothing can be noted', async () => {
    const { s3, avon } = await shown()
    const closed = await closing(avon, 2)
    mkdirSync(`${avon.paths.published}.next`)
    await avon.upload().catch(() => {})
    expect(keys(s3)).toEqual(keysOf(closed))
  })

  test('while the bucket is away: the log that is there is of the closed site, and the next site begins anew', async () => {
    const { s3, avon } = await shown(`${LOG_HEADER}\n2026-05-12,x\n`)
    await closing(avon, 2)
    s3.fault = () => ({ status: 403, code: 'AccessDenied' })
    expect(await avon.refused()).toContain('403 AccessDenied')
    s3.fault = () => null
    const reopened = await avon.make(3)
    writeFileSync(avon.paths.log, `${LOG_HEADER}\n2026-05-20,z\n`)
    await avon.upload()
    expect(s3.objects.get('snapshots/log.csv')?.bytes.toString()).toBe(`${LOG_HEADER}\n2026-05-20,z\n`)
    expect(seen((key) => s3.objects.get(key)?.bytes)?.id).toBe(reopened.id)
    // Only that once.
    writeFileSync(avon.paths.log, `${LOG_HEADER}\n`)
    expect(await avon.refused()).toContain('lines from 2026-05-20 on')
  })
})

describe('the log of days', () => {
  const day = (date: string): string => `${date},x\n`
  const A = `${LOG_HEADER}\n${day('2026-05-11')}${day('2026-05-12')}`
  const ROWS: [what: string, there: string, here: string | null, lost: string | null][] = [
    ['goes on', A, `${A}${day('2026-05-13')}`, null],
    ['is the same', A, A, null],
    ['is the same without its last line end', A.trimEnd(), A, null],
    ['is the same with other line ends', A.replaceAll('\n', '\r\n'), A, null],
    ['has only begun there', `${LOG_HEADER}\n`, A, null],
    ['has only begun there, and the folder has none', `${LOG_HEADER}\n`, null, null],
    ['is lost here', A, null, '2026-05-11'],
    ['is empty here', A, '', '2026-05-11'],
    ['lacks its end', A, `${LOG_HEADER}\n${day('2026-05-11')}`, '2026-05-12'],
    ['lacks its beginning', A, `${LOG_HEADER}\n${day('2026-05-12')}`, '2026-05-11'],
    ['has another line in between', A, `${LOG_HEADER}\n2026-05-11,y\n${day('2026-05-12')}`, '2026-05-11'],
    ['is something else there', '<!doctype html>', A, 'an unknown day'],
  ]
  test.each(ROWS)('%s', async (_, there, here, lost) => {
    const { s3, avon } = await shown(A)
    s3.objects.set('snapshots/log.csv', {
      ...s3.objects.get('snapshots/log.csv')!,
      bytes: Buffer.from(there),
      etag: 'x',
    })
    if (here === null) rmSync(avon.paths.log)
    else writeFileSync(avon.paths.log, here)
    await avon.make(2)
    const before = stateOf(s3)
    const said = await avon.refused()
    if (lost === null)
      expect([said, s3.objects.get('snapshots/log.csv')?.bytes.toString()]).toEqual([
        'it was uploaded',
        here ?? undefined,
      ])
    else {
      expect(said).toContain(
        `s3://statistics/town/snapshots/log.csv has lines from ${lost} on that ${avon.paths.log} has not`,
      )
      expect(stateOf(s3)).toEqual(before)
    }
  })
})

describe('keys of others', () => {
  test('that an address reads as another key are not asked for, and nothing of a neighbour goes', async () => {
    const { s3, avon } = towns()
    const { id } = await avon.make(1, { 'fr/index.html': 'x' })
    await avon.upload()
    const OLD = '20260101T000000000Z-01234567'
    const ours = s3.objects.get('index.html')!
    const foreign = [
      `snapshots/releases/${OLD}/../../../../harbour/index.html`,
      `snapshots/releases/${OLD}/./index.html`,
      `snapshots/releases/${OLD}//index.html`,
      `snapshots/releases/${OLD}/index.html?versionId=1`,
      `snapshots/releases/${OLD}/a#b`,
      `snapshots/releases/${OLD}/%2e%2e/index.html`,
      `snapshots/releases/${OLD}/a b`,
      `snapshots/releases/${OLD}/ü`,
      `snapshots/releases/${OLD}/`,
    ]
    for (const key of foreign) s3.objects.set(key, { ...ours, modifiedMs: 0 })
    await avon.make(2)
    const from = s3.asked.length
    await avon.upload({ atOnce: true })
    expect(keys(s3).filter((key) => key.includes(OLD))).toEqual([...foreign].sort())
    expect(s3.asked.slice(from).filter((what) => what.includes(OLD) || what.includes('harbour'))).toEqual([])
    // What is to go goes.
    expect(keys(s3).filter((key) => key.includes(id) || key === 'fr/index.html')).toEqual([])
  })
})
