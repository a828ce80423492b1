// The snapshot files as a CDN fetches them: bytes as on disk, names as listed, nothing else of the folder.
import { mkdir, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { LOG_HEADER } from '../../../src/release/format/day-log.ts'
import { temporaryFolder } from '../../support/temporary-folder.ts'
import { ask, serving } from '../../support/proxy.ts'
import { AS_OF_MS, HOUR_MS, publishRelease, type ReleaseSpec } from '../../support/release.ts'
import { ownProxy } from '../own-proxy.ts'

const CURRENT = 'public, max-age=60, stale-while-revalidate=300, stale-if-error=86400'
const IMMUTABLE = 'public, max-age=3600, immutable'

describe('a release', () => {
  const served = serving({ ideas: 2500, titleChars: 600 })
  const both = () => [
    ['/snapshots/current', CURRENT],
    [`/snapshots/releases/${served().manifest.id}`, IMMUTABLE],
  ]

  test('serves every listed file, byte for byte, and the manifest', async () => {
    const { port, dir, manifest } = served()
    for (const { path } of [...manifest.files, { path: 'manifest.json' }]) {
      const onDisk = await readFile(join(dir, 'current', path))
      for (const [base] of both()) {
        const answer = await ask(port, `${base}/${path}`)
        expect([path, answer.status, answer.body.equals(onDisk)]).toEqual([path, 200, true])
      }
    }
  })

  test('has these headers and no others; HEAD has the same; a 304 has them without those of the body', async () => {
    const { port } = served()
    const cors = ['access-control-allow-origin', 'access-control-expose-headers', 'cross-origin-resource-policy']
    const ofBody = ['content-length', 'content-type']
    const ofFile = ['cache-control', 'etag', 'last-modified', 'vary', 'x-content-type-options', 'x-robots-tag']
    const names = ['accept-ranges', ...cors, ...ofBody, ...ofFile].sort()
    for (const [base, cacheControl] of both())
      for (const path of ['public/stats.json', 'analytics/export/ideas/all.csv', 'manifest.json']) {
        const target = `${base}/${path}`
        const got = await ask(port, target)
        expect(got.names).toEqual(names)
        expect(got.headers).toMatchObject({
          'cache-control': cacheControl,
          'access-control-allow-origin': '*',
          'x-content-type-options': 'nosniff',
          'last-modified': 'Wed, 20 May 2026 09:30:00 GMT',
          'content-type': `${path.endsWith('.csv') ? 'text/csv' : 'application/json'}; charset=utf-8`,
          etag: expect.stringMatching(/^"[^"]+"$/),
        })
        const head = await ask(port, target, { method: 'HEAD' })
        expect([head.status, head.body.length, head.names]).toEqual([200, 0, names])
        expect(head.headers['content-length']).toBe(String(got.body.length))
        const same = await ask(port, target, { headers: { 'If-None-Match': String(got.headers.etag) } })
        expect([same.status, same.body.length]).toEqual([304, 0])
        expect(same.names).toEqual(names.filter((name) => !name.startsWith('content-')))
      }
  })

  test('a file has one strong ETag, whichever way it is asked for, and another than other files', async () => {
    const etags = async (base: string | undefined) =>
      Promise.all(
        ['public/stats.json', 'analytics/categories/7d.json', 'manifest.json'].map(
          async (path) => (await ask(served().port, `${base}/${path}`)).headers.etag,
        ),
      )
    const [current, released] = await Promise.all(both().map(([base]) => etags(base)))
    expect(current).toEqual(released)
    expect(new Set(current).size).toBe(3)
  })

  test.each([
    'nothing.json',
    'public',
    'public/',
    'public/stats.json/',
    'public/stats',
    'public//stats.json',
    'public/./stats.json',
    'analytics/../public/stats.json',
    'public/stats%2Ejson',
    'PUBLIC/stats.json',
    '../manifest.json',
    '.manifest.json',
    '.hidden',
    'public/.hidden',
    'manifest.json/',
    'current/manifest.json',
    'unlisted.json',
    '%00',
    '',
  ])('%s: no such snapshot', async (path) => {
    const { port, dir } = served()
    const folder = join(dir, 'current')
    await mkdir(join(folder, 'public'), { recursive: true })
    for (const unlisted of ['unlisted.json', '.hidden', 'public/.hidden']) await writeFile(join(folder, unlisted), '{}')
    for (const [base] of both()) {
      const answer = await ask(port, `${base}/${path}`)
      expect([answer.status, answer.headers['cache-control']]).toEqual([404, 'no-store'])
      expect(answer.json()).toMatchObject({ error: 'Not Found', message: expect.stringContaining('manifest.json') })
      expect(answer.headers).toMatchObject({ 'access-control-allow-origin': '*', 'x-robots-tag': 'noindex' })
    }
  })

  test.each([
    'releases/',
    'releases/manifest.json',
    'releases/20260101T000000000Z-00000000/manifest.json',
    'releases/../current/manifest.json',
    'releases/.tmp-1/manifest.json',
    'releases/current/manifest.json',
    '.lock',
    '.journal',
    '.state',
    '.state/ID.json',
    '%2estate/ID.json',
    'current/../.state/ID.json',
    'current/%2e%2e/.state/ID.json',
    'releases/../.state/ID.json',
    'current',
    'currently/manifest.json',
    '/current/manifest.json',
  ])('%s: no such snapshot', async (target) => {
    const { port, dir, manifest } = served()
    await mkdir(join(dir, '.state'), { recursive: true })
    await writeFile(join(dir, '.state', `${manifest.id}.json`), '{}')
    expect((await ask(port, `/snapshots/${target.replace('ID', manifest.id)}`)).status).toBe(404)
  })

  test('a stage and a hidden release are not served, complete as they may be', async () => {
    const { port, dir, manifest } = served()
    const hidden = join(dir, 'releases', `.tmp-pruned-${manifest.id}`)
    await mkdir(hidden)
    await writeFile(join(hidden, 'manifest.json'), JSON.stringify(manifest))
    expect((await ask(port, `/snapshots/releases/.tmp-pruned-${manifest.id}/manifest.json`)).status).toBe(404)
  })

  test('a file that is not what the manifest says is an error for every reader, and keeps no copy', async () => {
    const { port, dir, log } = served()
    await writeFile(join(dir, 'current', 'analytics/categories/90d.json'), '{}')
    for (const [base] of both()) {
      const answer = await ask(port, `${base}/analytics/categories/90d.json`)
      expect([answer.status, answer.headers['cache-control']]).toEqual([500, 'no-store'])
      expect(answer.text).toContain('missing or damaged')
      expect(answer.text).not.toContain(dir)
    }
    expect(log.some(({ level, message }) => level === 'error' && message.includes('90d.json'))).toBe(true)
  })
})

describe('older releases', () => {
  test('a file that is gone is so at once, though the proxy still knows the release', async () => {
    const dir = temporaryFolder()
    const old = await publishRelease(dir)
    await publishRelease(dir, { asOfMs: AS_OF_MS + HOUR_MS, revision: 1 })
    const { port, log } = await ownProxy({ snapshots: dir })
    const targets = ['public/stats.json', 'manifest.json'].map((path) => `/snapshots/releases/${old.id}/${path}`)
    for (const target of targets) expect((await ask(port, target)).status).toBe(200)
    await rm(join(dir, 'releases', old.id), { recursive: true })
    for (const target of targets) expect((await ask(port, target)).status).toBe(404)
    expect(log.filter(({ level }) => level === 'error')).toEqual([])
  })

  test('replaced and pruned between two looks of the proxy: the reader of current gets the new one', async () => {
    const dir = temporaryFolder()
    const old = await publishRelease(dir)
    const { port, watcher } = await ownProxy({ snapshots: dir })
    watcher.stop()
    const now = await publishRelease(dir, { asOfMs: AS_OF_MS + HOUR_MS, revision: 1 })
    await rm(join(dir, 'releases', old.id), { recursive: true })
    expect(watcher.release?.id).toBe(old.id)
    const answer = await ask(port, '/snapshots/current/public/stats.json')
    expect([answer.status, answer.headers['last-modified']]).toEqual([200, 'Wed, 20 May 2026 10:30:00 GMT'])
    expect(watcher.release?.id).toBe(now.id)
    expect((await ask(port, `/snapshots/releases/${old.id}/public/stats.json`)).status).toBe(404)
  })

  test('before the first release there is nothing', async () => {
    const { port } = await ownProxy({ snapshots: null })
    expect((await ask(port, '/snapshots/current/manifest.json')).status).toBe(404)
    expect((await ask(port, '/snapshots/current/x', { method: 'OPTIONS' })).status).toBe(204)
    expect((await ask(port, '/snapshots/current/x', { method: 'POST' })).status).toBe(405)
  })
})

const LOG = `${LOG_HEADER}\n`

test('the log of days is there with the release that follows it, and not of a closed site', async () => {
  const dir = temporaryFolder()
  await publishRelease(dir)
  const proxy = await ownProxy({ snapshots: dir })
  const log = async (): Promise<unknown[]> => {
    const { status, text, headers } = await ask(proxy.port, '/snapshots/log.csv')
    return [status, status === 200 ? text : headers['content-type']]
  }
  const next = async (hours: number, spec: ReleaseSpec = {}): Promise<void> => {
    await publishRelease(dir, { ...spec, asOfMs: AS_OF_MS + hours * HOUR_MS })
    await proxy.watcher.look()
  }
  const file = join(dir, 'log.csv')
  expect(await log()).toEqual([404, 'application/json; charset=utf-8'])
  await writeFile(file, LOG)
  expect((await log())[0]).toBe(404)
  await next(1)
  expect(await log()).toEqual([200, LOG])
  // Somebody planted a link to what is not public.
  await rm(file)
  await symlink('/etc/hostname', file)
  await next(2)
  expect((await log())[0]).toBe(404)
  await rm(file)
  await writeFile(file, `${LOG}2\n`)
  await next(3)
  expect(await log()).toEqual([200, `${LOG}2\n`])
  await next(4, { closed: true })
  expect((await log())[0]).toBe(404)
})
