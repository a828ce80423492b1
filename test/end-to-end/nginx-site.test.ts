// The real nginx with the repository's nginx.conf: it serves a release as the proxy does. The table of both, hostile paths, and
// what reads parts of files.
import { chmodSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { UTC } from '../../src/contract/time-zone.ts'
import { LOG_HEADER } from '../../src/release/format/day-log.ts'
import type { Manifest } from '../../src/release/format/manifest.ts'
import { archiveAt } from '../release/sample-release.ts'
import { nginxAvailable, startNginx, type Nginx } from '../support/nginx.ts'
import { ask, startProgram, type Answered, type ProxyProgram } from '../support/proxy.ts'
import { describeWithComponent } from '../support/real-component.ts'
import { snapshotsFolder } from '../support/release.ts'
import { BULK, publishSite } from '../support/site-release.ts'
import { ACCEPTS, conditions, described, KINDS, mounts, NOWHERE, RANGES, whole } from '../support/site-table.ts'

const LOG = `${LOG_HEADER}\n2026-05-20,x\n`

describeWithComponent('nginx.conf', nginxAvailable(), () => {
  const folder = snapshotsFolder()
  const snapshots = join(folder.dir, 'snapshots')
  let [proxy, nginx, manifest] = [{} as ProxyProgram, {} as Nginx, {} as Manifest]
  beforeAll(async () => {
    mkdirSync(snapshots)
    // mkdtemp's 0700 would keep out the worker of an nginx that root starts.
    chmodSync(folder.dir, 0o755)
    manifest = await publishSite(snapshots)
    const release = join(snapshots, 'releases', manifest.id)
    for (const file of [
      ...['.lock', '.state/x.json', 'index.html', 'robots.txt'].map((name) => join(snapshots, name)),
      ...['.hidden.json', '.gz', '.state/x.json', 'notes.md', 'loose.html', 'de/page.html'].map((name) =>
        join(release, name),
      ),
    ]) {
      mkdirSync(dirname(file), { recursive: true })
      writeFileSync(file, 'not to be served')
    }
    writeFileSync(join(snapshots, 'log.csv'), LOG)
    proxy = await startProgram(['--snapshots', snapshots])
    // What is forwarded is limited, to 20 a second: the table is longer.
    const replace = { 'rate=20r/s': 'rate=2000r/s' }
    nginx = await startNginx({ snapshots, upstreams: [proxy.port], replace })
  })
  afterAll(async () => {
    await nginx.stop()
    await proxy.kill()
    folder.remove()
  })
  const onDisk = (path: string): Buffer => readFileSync(join(snapshots, 'current', path))

  /** nginx knows no manifest, so it has no header that says what is in one. */
  const seen = (answer: Answered): object =>
    JSON.parse(JSON.stringify(described(answer)).replace(', X-Data-Closed, X-Demo-Data', '')) as object
  const both = async (target: string, headers: Record<string, string> = {}, method = 'GET') => {
    const [direct, front] = await Promise.all([proxy, nginx].map(({ port }) => ask(port, target, { headers, method })))
    if (direct === undefined || front === undefined) throw new Error('no answer')
    return { direct, front }
  }

  describe.each(Object.keys(KINDS))('%s', (path) => {
    test('is as in the table, from nginx itself, under every mount', async () => {
      const bytes = onDisk(path)
      for (const [base, cache] of mounts(manifest.id)) {
        const target = `${base}/${path}`
        const got = await ask(nginx.port, target)
        const expected = JSON.stringify(whole(path, [base, cache], bytes.length)).replace(
          ', X-Data-Closed, X-Demo-Data',
          '',
        )
        expect([target, seen(got)]).toEqual([target, JSON.parse(expected)])
        expect(got.headers['server']).toBe('nginx')
        expect(got.body.equals(bytes)).toBe(true)
        // Its own tag, so it was not forwarded.
        expect(got.headers.etag).not.toBe((await ask(proxy.port, target)).headers.etag)
      }
    })

    test('HEAD, codings, conditions and methods are those of the proxy', async () => {
      for (const [base] of mounts(manifest.id)) {
        const target = `${base}/${path}`
        const head = await both(target, {}, 'HEAD')
        expect([target, seen(head.front)]).toEqual([target, seen(head.direct)])
        // A CDN asks so.
        const coded = await both(target, { 'Accept-Encoding': 'gzip', Via: '1.1 cdn' })
        // That of manifest.json the proxy makes itself.
        const length = path === 'manifest.json' ? { 'content-length': 'any' } : {}
        expect([target, { ...seen(coded.front), ...length }]).toEqual([target, { ...seen(coded.direct), ...length }])
        expect(coded.front.body.equals(coded.direct.body)).toBe(path !== 'manifest.json')
        const isCoded = coded.front.headers['content-encoding'] !== undefined
        expect(coded.front.headers.etag !== head.front.headers.etag, target).toBe(isCoded)
        for (const { port } of [proxy, nginx]) {
          const { etag = '' } = (await ask(port, target)).headers
          const same = await ask(port, target, { headers: { 'If-None-Match': etag } })
          expect([same.status, same.text]).toEqual([304, ''])
          expect(same.headers['content-security-policy']).toBe(KINDS[path]?.policy)
          expect((await ask(port, target, { headers: { 'If-Match': '"x"' } })).status).toBe(412)
          const post = await ask(port, target, { method: 'POST' })
          expect([post.status, post.headers.allow]).toEqual([405, 'GET, HEAD, OPTIONS'])
          expect((await ask(port, target, { method: 'OPTIONS' })).status).toBe(204)
        }
      }
    })
  })

  test('the archive of a month is served as a release is', async () => {
    expect(await archiveAt(snapshots, Date.parse('2100-01-01T00:00:00.000Z'))).toEqual({ needed: [], failures: [] })
    const month = UTC.monthOf(Date.parse(manifest.dataAsOf))
    const at = (path: string, name = month) => both(`/snapshots/releases/${name}/${path}`)
    for (const path of ['manifest.json', 'public/stats.json', 'analytics/categories/7d.json']) {
      const { direct, front } = await at(path)
      expect([front.status, seen(front)]).toEqual([200, seen(direct)])
      expect(front.headers['cache-control']).toBe('public, max-age=3600')
      expect(front.text).toBe(direct.text)
    }
    for (const [path, name] of [['analytics/export/ideas/7d.csv'], ['index.html'], ['manifest.json', '1999-12']]) {
      const { direct, front } = await at(path ?? '', name)
      expect([path, direct.status, front.status]).toEqual([path, 404, 404])
    }
  })

  test('the log of days, whole, in part and unchanged', async () => {
    const at = '/snapshots/log.csv'
    for (const [headers, method, status] of [
      [{}, 'GET', 200],
      [{}, 'HEAD', 200],
      [{}, 'OPTIONS', 204],
      [{}, 'POST', 405],
      [{ Range: 'bytes=5-13' }, 'GET', 206],
      [{ Range: 'bytes=500-' }, 'GET', 416],
    ] as const) {
      const { direct, front } = await both(`${at}?x`, headers, method)
      expect([headers, method, front.status, direct.status]).toEqual([headers, method, status, status])
      if (status < 300) expect(front.text).toBe(direct.text)
      // When it was written is known of a file only.
      if (status === 200) expect({ ...seen(front), 'last-modified': false }).toEqual(seen(direct))
    }
    const { front } = await both(at)
    expect([front.text, front.headers['content-type'], front.headers['cache-control']]).toEqual([
      LOG,
      'text/csv; charset=utf-8',
      'public, max-age=60, stale-while-revalidate=300, stale-if-error=86400',
    ])
    for (const { port } of [proxy, nginx]) {
      const { etag = '' } = (await ask(port, at)).headers
      expect((await ask(port, at, { headers: { 'If-None-Match': etag } })).status).toBe(304)
      for (const path of ['/log.csv', '/snapshots/current/log.csv', '/snapshots/log.csv/', '/snapshots/log.csv.gz'])
        expect([path, (await ask(port, path)).status]).toEqual([path, 404])
    }
  })

  test.each([
    '/',
    '/?period=7d',
    '/fr/',
    '/docs/?x',
    '/fr',
    '/fr?',
    '/docs?a=/../b&c=//evil.example',
    '/de',
    '/de/',
    '/embed',
    '/embed/',
  ])('%s: index files, and 308 to them, as the proxy does', async (target) => {
    for (const [base] of mounts(manifest.id)) {
      const { direct, front } = await both(`${base}${target}`)
      expect([base, front.status]).toEqual([base, direct.status])
      // Where nginx has no file of that name, it says so itself.
      if (direct.status === 404 && base !== '') continue
      const [one, other] = [seen(direct), seen(front)] as Record<string, unknown>[]
      // nginx has a line of HTML for who does not follow.
      if (direct.status === 308)
        for (const name of ['content-length', 'content-type', 'accept-ranges'])
          for (const shown of [one, other]) delete shown?.[name]
      expect([base, other]).toEqual([base, one])
    }
  })

  test.each(NOWHERE)('%s: a 404 as of the proxy, in HTML and in JSON', async (target) => {
    for (const Accept of ['text/html', '*/*']) {
      const { direct, front } = await both(target, { Accept })
      // What nginx cannot read it rejects itself.
      if (front.status === 400 && /^\/%2e%2e\/|%00/.test(target)) continue
      expect([front.status, seen(front)]).toEqual([404, seen(direct)])
      expect(front.text).toBe(direct.text)
      expect(front.text).not.toContain('not to be served')
    }
  })

  test.each(ACCEPTS)('a 404 for Accept: %s is HTML: %s', async (accept, html) => {
    const { front } = await both('/nothing', accept === undefined ? {} : { Accept: accept })
    expect([front.status, front.headers.vary]).toEqual([404, 'Accept, Accept-Encoding'])
    expect(front.headers['content-type']).toMatch(html ? /^text\/html/ : /^application\/json/)
  })

  test.each([
    '/.gz',
    '/.hidden.json',
    '/notes.md',
    '/loose.html',
    '/de/page.html',
    '/index.html.gz',
    '/public/stats.json.gz',
    '/.state/x.json',
    '/index.htm',
    '/page-0123456789.css',
    '/assets/',
    '/assets',
    '/badges/',
    '/../index.html',
    '/%2e%2e/index.html',
    '/..%2findex.html',
    '/./index.html',
    '//index.html',
    '/%69ndex.html',
    '/index.html/',
    '/fr//index.html',
    '/FR/index.html',
  ])('%s is nowhere, under any mount of either', async (target) => {
    for (const [base] of mounts(manifest.id)) {
      const { direct, front } = await both(`${base}${target}`)
      for (const { status, text } of [direct, front]) {
        expect([base, [400, 404]]).toEqual([base, expect.arrayContaining([status])])
        expect(text).not.toContain('not to be served')
      }
    }
  })

  test.each(RANGES)('%s: the part that the proxy gives', async (Range, answer) => {
    for (const [base, cache] of mounts(manifest.id)) {
      const { direct, front } = await both(`${base}/bulk.zip`, { Range, 'Accept-Encoding': 'gzip' })
      expect([front.status, front.body.equals(direct.body)]).toEqual([direct.status, true])
      if (answer === 416) {
        // A cache that knows ranges stores nothing of it, whatever the file's own line says.
        expect(front.headers['cache-control']).toBe(`${cache}, no-store`)
        const { 'cache-control': _, 'content-security-policy': __, ...rest } = seen(front) as Record<string, unknown>
        expect(rest).toMatchObject({
          status: 416,
          'content-range': `bytes */${BULK.length}`,
          'content-type': 'application/json; charset=utf-8',
          'access-control-allow-origin': '*',
          'x-content-type-options': 'nosniff',
          'content-length': String(direct.body.length),
        })
        continue
      }
      const [one, other] = [seen(direct), seen(front)] as Record<string, unknown>[]
      if (front.status === 206) delete one?.['accept-ranges']
      expect([base, other]).toEqual([base, one])
    }
  })

  test('conditions come before ranges, HEAD has none, and If-Range takes what is strong', async () => {
    for (const { port } of [proxy, nginx]) {
      const target = '/bulk.zip'
      const { etag = '', 'last-modified': date = '' } = (await ask(port, target)).headers
      const head = await ask(port, target, { method: 'HEAD', headers: { Range: 'bytes=0-3' } })
      expect(head.status).toBe(200)
      for (const [headers, status] of conditions(etag, date)) {
        const answer = await ask(port, target, { headers: { Range: 'bytes=0-3', ...headers } })
        expect([headers, answer.status]).toEqual([headers, status])
      }
    }
  })

  test('a part of what is compressed is one of the plain bytes', async () => {
    for (const path of ['index.html', 'public/stats.json', 'manifest.json']) {
      const { direct, front } = await both(`/${path}`, { Range: 'bytes=1-9', 'Accept-Encoding': 'gzip, br' })
      for (const { status, body, headers } of [direct, front]) {
        expect([status, headers['content-encoding'], headers.vary]).toEqual([206, undefined, 'Accept-Encoding'])
        expect(body.equals(onDisk(path).subarray(1, 10))).toBe(true)
      }
    }
  })

  test('without a proxy the site is there all the same', async () => {
    const alone = await startNginx({ snapshots, upstreams: [1] })
    try {
      for (const target of ['/', '/fr/', '/docs/', '/manifest.json', '/bulk.zip'])
        expect((await ask(alone.port, target)).status).toBe(200)
      expect((await ask(alone.port, '/bulk.zip', { headers: { Range: 'bytes=0-3' } })).text).toBe('ZIP1')
      expect((await ask(alone.port, '/fr')).status).toBe(308)
      for (const target of ['/nothing', '/snapshots/current/nothing.json'])
        expect((await ask(alone.port, target)).status).toBe(502)
    } finally {
      await alone.stop()
    }
  })
})
