// The current release as a website at the root, and the same files under /snapshots: types, policies, caches, ranges, 404.
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { SITE_PATHS } from '../../../src/contract/site-paths.ts'
import type { Manifest } from '../../../src/release/format/manifest.ts'
import { temporaryFolder } from '../../support/temporary-folder.ts'
import { ask, converse, startProxy, type TestProxy } from '../../support/proxy.ts'
import { ASSET, BULK, publishSite, SITE_FILES } from '../../support/site-release.ts'
import { ACCEPTS, conditions, described, KINDS, mounts, NOWHERE, RANGES, whole } from '../../support/site-table.ts'
import { ownProxy } from '../own-proxy.ts'

let [proxy, manifest] = [{} as TestProxy, {} as Manifest]
const folder = temporaryFolder(afterAll)
beforeAll(async () => {
  manifest = await publishSite(folder)
  proxy = await startProxy({ snapshots: folder })
  return () => proxy.stop()
})
const onDisk = (path: string): Promise<Buffer> => readFile(join(folder, 'current', path))

test('the table has a file of each kind of a site', () => {
  for (const [pattern] of SITE_PATHS)
    expect([pattern.source, Object.keys(KINDS).some((path) => pattern.test(path) && path in SITE_FILES)]).toEqual([
      pattern.source,
      true,
    ])
})

describe.each(Object.keys(KINDS))('%s', (path) => {
  test('is served with its type, policy and cache under every mount, whole, by HEAD, and not again', async () => {
    const bytes = await onDisk(path)
    for (const [base, cache] of mounts(manifest.id)) {
      const target = `${base}/${path}`
      const got = await ask(proxy.port, target)
      expect([target, described(got)]).toEqual([target, whole(path, [base, cache], bytes.length)])
      expect(got.body.equals(bytes)).toBe(true)
      const head = await ask(proxy.port, target, { method: 'HEAD' })
      expect([described(head), head.body.length]).toEqual([whole(path, [base, cache], bytes.length), 0])
      const same = await ask(proxy.port, target, { headers: { 'If-None-Match': String(got.headers.etag) } })
      expect([same.status, same.headers['content-security-policy']]).toEqual([
        304,
        got.headers['content-security-policy'],
      ])
      expect((await ask(proxy.port, target, { method: 'POST' })).status).toBe(405)
    }
  })
})

describe('folders', () => {
  test.each([
    ['/', 'index.html'],
    ['/?period=7d', 'index.html'],
    ['/fr/', 'fr/index.html'],
    ['/docs/?x#y', 'docs/index.html'],
  ])('%s is %s, under every mount', async (target, path) => {
    for (const [base, cache] of mounts(manifest.id)) {
      const got = await ask(proxy.port, `${base}${target}`)
      expect(described(got)).toEqual(whole(path, [base, cache], (await onDisk(path)).length))
    }
  })

  test.each([
    ['/fr', 'fr/'],
    ['/fr?', 'fr/'],
    ['/docs?a=/../b&c=//evil.example', 'docs/?a=/../b&c=//evil.example'],
  ])('%s leads to %s, by an address that is right behind any prefix', async (target, location) => {
    for (const [base] of mounts(manifest.id)) {
      for (const method of ['GET', 'HEAD']) {
        const got = await ask(proxy.port, `${base}${target}`, { method })
        expect([got.status, got.headers.location, got.headers['cache-control']]).toEqual([308, location, 'no-store'])
        expect(got.body.length).toBe(0)
      }
      expect(new URL(location, `http://a${base}${target}`).pathname).toBe(`${base}${target.split('?', 1)[0]}/`)
    }
  })
})

test('whatever byte a query has, it goes back as it came, or is no request', async () => {
  const seen = new Set<number | undefined>()
  for (let byte = 0; byte < 256; byte++) {
    // The ends of the line would be the test's own.
    if (byte === 10 || byte === 13) continue
    const character = String.fromCharCode(byte)
    const request = `GET /fr?a${character}b HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`
    const { answers } = await converse(proxy.port, [request], { answers: 1 })
    const status = answers[0]?.status
    if (status !== 400)
      expect([byte, status, answers[0]?.headers['location']]).toEqual([byte, 308, `fr/?a${character}b`])
    seen.add(status)
  }
  expect(seen).toEqual(new Set([308, 400]))
})

describe('404 at the root', () => {
  test.each(NOWHERE)('%s: of the release for people, JSON for programs', async (target) => {
    const html = await ask(proxy.port, target, { headers: { Accept: 'text/html', 'Accept-Encoding': 'gzip' } })
    expect(html.headers).toMatchObject({ 'content-encoding': 'gzip', 'content-type': 'text/html; charset=utf-8' })
    expect([html.status, gunzipSync(html.body).toString()]).toEqual([404, SITE_FILES['404.html']])
    const json = await ask(proxy.port, target)
    expect([json.status, json.json()['error']]).toEqual([404, 'Not Found'])
    for (const answer of [html, json]) {
      expect(answer.headers).toMatchObject({ vary: 'Accept, Accept-Encoding', 'cache-control': 'no-store' })
      expect(answer.headers).toMatchObject({ 'access-control-allow-origin': '*', 'x-content-type-options': 'nosniff' })
      expect(answer.headers.etag).toBe(undefined)
    }
    expect(html.headers['content-security-policy']).toBe(KINDS['404.html']?.policy)
    const head = await ask(proxy.port, target, { method: 'HEAD', headers: { Accept: 'text/html' } })
    expect([head.status, head.body.length]).toEqual([404, 0])
    expect(head.headers['content-length']).toBe(String(SITE_FILES['404.html']?.length))
  })

  test.each(ACCEPTS)('Accept: %s is HTML: %s', async (accept, html) => {
    const answer = await ask(proxy.port, '/nothing', accept === undefined ? {} : { headers: { Accept: accept } })
    expect(answer.headers['content-type']).toMatch(html ? /^text\/html/ : /^application\/json/)
  })

  test('a copy that is current, a range and a method change nothing about it', async () => {
    for (const headers of [{ 'If-None-Match': '*' }, { 'If-Match': '"x"' }, { Range: 'bytes=0-1' }]) {
      const answer = await ask(proxy.port, '/nothing', { headers: { Accept: 'text/html', ...headers } })
      expect([answer.status, answer.text]).toEqual([404, SITE_FILES['404.html']])
    }
    expect((await ask(proxy.port, '/nothing', { method: 'POST', headers: { Accept: 'text/html' } })).status).toBe(405)
  })

  test('what lies in the folder, but in no manifest, is not served', async () => {
    for (const path of ['unlisted.json', 'unlisted/index.html', 'loose.html', '.hidden.json']) {
      await mkdir(join(folder, 'current', path, '..'), { recursive: true })
      await writeFile(join(folder, 'current', path), '{}')
    }
    for (const target of ['/unlisted.json', '/unlisted', '/unlisted/', '/loose.html', '/.hidden.json'])
      for (const [base] of mounts(manifest.id)) expect((await ask(proxy.port, `${base}${target}`)).status).toBe(404)
  })

  test.each(['/api', '/api/', '/api/index.html', '/snapshots', '/snapshots/', '/snapshots/index.html'])(
    '%s is no part of the site',
    async (target) => {
      const { headers } = await ask(proxy.port, target, { headers: { Accept: 'text/html' } })
      expect([headers['content-type'], headers['vary']]).toEqual(['application/json; charset=utf-8', undefined])
    },
  )
})

describe('ranges', () => {
  const path = 'bulk.zip'

  test.each(RANGES)('%s', async (range, answer) => {
    for (const [base, cache] of mounts(manifest.id)) {
      const got = await ask(proxy.port, `${base}/${path}`, { headers: { Range: range, 'Accept-Encoding': 'gzip, br' } })
      if (answer === 416) {
        expect([got.status, got.headers['content-range']]).toEqual([416, `bytes */${BULK.length}`])
        expect(got.headers).toMatchObject({ 'cache-control': 'no-store', 'access-control-allow-origin': '*' })
        expect(got.json()).toMatchObject({ error: 'Range Not Satisfiable' })
        continue
      }
      if (answer === 200) {
        expect([got.status, got.headers['content-range']]).toEqual([200, undefined])
        continue
      }
      const [first, last] = answer
      expect(described(got)).toEqual({
        ...whole(path, [base, cache], last - first + 1),
        status: 206,
        'content-range': `bytes ${first}-${last}/${BULK.length}`,
      })
      expect(got.text).toBe(BULK.slice(first, last + 1))
    }
  })

  test.each(['manifest.json', 'public/stats.json', 'index.html', `${ASSET}.css`, 'analytics/export/ideas/7d.csv'])(
    'parts of %s are those of the plain bytes, whatever coding is accepted, under its own tag',
    async (file) => {
      const bytes = await onDisk(file)
      for (const [base] of mounts(manifest.id)) {
        const plain = await ask(proxy.port, `${base}/${file}`)
        const headers = { Range: 'bytes=1-5', 'Accept-Encoding': 'gzip, br' }
        const part = await ask(proxy.port, `${base}/${file}`, { headers })
        expect([part.status, part.headers['content-encoding']]).toEqual([206, undefined])
        expect(part.body.equals(bytes.subarray(1, 6))).toBe(true)
        expect(part.headers.etag).toBe(plain.headers.etag)
      }
    },
  )

  test('HEAD has none; a precondition comes first', async () => {
    const target = `/${path}`
    const { etag = '', 'last-modified': date = '' } = (await ask(proxy.port, target)).headers
    const Range = 'bytes=0-3'
    const head = await ask(proxy.port, target, { method: 'HEAD', headers: { Range } })
    expect([head.status, head.headers['content-length']]).toEqual([200, String(BULK.length)])
    for (const [headers, status] of conditions(etag, date)) {
      const answer = await ask(proxy.port, target, { headers: { Range, ...headers } })
      expect([headers, answer.status]).toEqual([headers, status])
    }
  })

  test('the tag of a coding does not fit parts of the plain bytes', async () => {
    const coded = await ask(proxy.port, '/index.html', { headers: { 'Accept-Encoding': 'gzip' } })
    const headers = { 'Accept-Encoding': 'gzip', 'If-Range': String(coded.headers.etag), Range: 'bytes=5-' }
    const answer = await ask(proxy.port, '/index.html', { headers })
    expect([answer.status, answer.text]).toEqual([200, SITE_FILES['index.html']])
  })

  test('parts and errors one after the other on a connection begin where they should', async () => {
    const asked = ['bytes=0-3', 'bytes=99999999-', 'bytes=-4', 'bytes=9-0', 'bytes=100-109']
    const requests = asked.map((Range) => `GET /${path} HTTP/1.1\r\nHost: x\r\nRange: ${Range}\r\n\r\n`)
    const { answers } = await converse(proxy.port, [requests.join('')], { answers: 5 })
    expect(answers.map(({ status }) => status)).toEqual([206, 416, 206, 200, 206])
    expect([answers[0]?.body, answers[2]?.body, answers[4]?.body]).toEqual(['ZIP1', 'ZIP1', BULK.slice(100, 110)])
    expect(answers[3]?.body).toBe(BULK)
  })

  test('the API has none', async () => {
    const answer = await ask(proxy.port, '/api/openapi.json', { headers: { Range: 'bytes=0-3' } })
    expect([answer.status, answer.headers['accept-ranges']]).toEqual([200, undefined])
  })
})

describe('what a release lacks', () => {
  const other = temporaryFolder(afterAll)
  let bare = {} as TestProxy
  beforeAll(async () => {
    await publishSite(other, ['index.html', '404.html', 'fr/index.html'])
    bare = await startProxy({ snapshots: other })
    return () => bare.stop()
  })

  test('without index.html the root is as any other address', async () => {
    for (const target of ['/', '/snapshots/current/', '/index.html', '/fr'])
      expect([target, (await ask(bare.port, target)).status]).toEqual([target, 404])
  })

  test('without 404.html people get JSON, too', async () => {
    const got = await ask(bare.port, '/nothing', { headers: { Accept: 'text/html' } })
    expect([got.status, got.headers.vary]).toEqual([404, 'Accept, Accept-Encoding'])
    expect(got.json()['error']).toBe('Not Found')
  })

  test('a damaged 404.html is still a 404; a damaged page is a 500', async () => {
    const damaged = temporaryFolder()
    await publishSite(damaged)
    const broken = await ownProxy({ snapshots: damaged })
    for (const path of ['404.html', 'index.html']) await writeFile(join(damaged, 'current', path), 'x')
    const headers = { Accept: 'text/html' }
    expect((await ask(broken.port, '/nothing', { headers })).json()['error']).toBe('Not Found')
    expect((await ask(broken.port, '/', { headers })).status).toBe(500)
  })
})
