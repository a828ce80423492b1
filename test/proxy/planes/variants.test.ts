// What a client may ask of one resource, end to end: codings, preconditions and HEAD, on every kind of body.
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { beforeAll, describe, expect, test } from 'vitest'
import { ask, serving, type Answered } from '../../support/proxy.ts'

const served = serving({ ideas: 2500, titleChars: 600, ageMs: 40 * 86_400_000 })

/** The codings that there are; on the files plane each is another representation, with an ETag of its own. */
const RESOURCES: Readonly<Record<string, { readonly codings: readonly string[]; readonly isFile?: true }>> = {
  '/api/analytics/trending?limit=100&period=90d': { codings: ['br', 'gzip'] },
  '/api/analytics/trending?limit=9&period=90d': { codings: ['br', 'gzip'] },
  '/api/analytics/timeline?period=90d': { codings: ['br', 'gzip'] },
  '/api/analytics/timeline?period=90d&category=Product': { codings: ['br', 'gzip'] },
  '/api/analytics/timeline?period=90d&category=nobody%20knows': { codings: ['br', 'gzip'] },
  // Too small to be coded.
  '/api/analytics/outcomes?category=nobody%20knows': { codings: [] },
  '/api/analytics/export?type=users&period=90d&format=csv': { codings: ['br', 'gzip'] },
  // Above 1 MiB there is no br.
  '/api/analytics/export?type=ideas&period=all': { codings: ['gzip'] },
  '/api/analytics/export?type=ideas&period=all&format=csv': { codings: ['gzip'] },
  '/snapshots/current/analytics/trending/90d/all.json': { codings: ['br', 'gzip'], isFile: true },
  '/snapshots/current/analytics/export/ideas/all.csv': { codings: ['gzip'], isFile: true },
}

/** What is asked for, and the best of br and gzip by it, in order. */
const ASKED: readonly (readonly [acceptEncoding: string | null, preferred: readonly string[]])[] = [
  [null, []],
  ['', []],
  ['identity', []],
  ['br', ['br']],
  ['gzip', ['gzip']],
  ['gzip, deflate, br, zstd', ['br', 'gzip']],
  ['GZIP', ['gzip']],
  ['*', ['br', 'gzip']],
  ['*;q=0', []],
  ['gzip;q=0', []],
  ['gzip;q=0, *', ['br']],
  ['br;q=0.5, gzip;q=0.8', ['gzip', 'br']],
  ['identity;q=0', []],
  ['identity, gzip;q=0.5', []],
  ['deflate, zstd', []],
  ['gzip;q=2', []],
]

const decoded = ({ headers, body }: Answered): Buffer => {
  if (headers['content-encoding'] === 'gzip') return gunzipSync(body)
  return headers['content-encoding'] === 'br' ? brotliDecompressSync(body) : body
}
const named = ({ headers }: Answered, left: RegExp): Record<string, unknown> =>
  Object.fromEntries(Object.entries(headers).filter(([name]) => !left.test(name)))
const OF_THE_CLIENT = /^(x-ratelimit-remaining|x-ratelimit-reset|date|connection|keep-alive)$/
const OF_THE_BODY = /^(content-.*|x-ratelimit-remaining|x-ratelimit-reset|date|connection|keep-alive)$/

describe.each(Object.entries(RESOURCES))('%s', (target, { codings, isFile }) => {
  let plain: Answered
  beforeAll(async () => {
    plain = await ask(served().port, target)
  })
  const get = (headers: Record<string, string>, method = 'GET'): Promise<Answered> =>
    ask(served().port, target, { method, headers })

  test.each(ASKED)('Accept-Encoding: %s', async (asked, preferred) => {
    const accept: Record<string, string> = asked === null ? {} : { 'Accept-Encoding': asked }
    const coding = preferred.find((each) => codings.includes(each))
    const got = await get(accept)
    expect([got.status, got.headers['content-encoding'], got.headers['vary']]).toEqual([200, coding, 'Accept-Encoding'])
    expect(decoded(got).equals(plain.body)).toBe(true)
    const etag = String(got.headers.etag)
    expect(etag === plain.headers.etag).toBe(isFile !== true || coding === undefined)
    expect(etag.startsWith('W/')).toBe(isFile !== true)

    const head = await get(accept, 'HEAD')
    expect([head.status, head.body.length]).toEqual([200, 0])
    expect(named(head, OF_THE_CLIENT)).toEqual(named(got, OF_THE_CLIENT))

    for (const method of ['GET', 'HEAD']) {
      const same = await get({ ...accept, 'If-None-Match': etag }, method)
      expect([same.status, same.body.length]).toEqual([304, 0])
      expect(named(same, OF_THE_CLIENT)).toEqual(named(got, OF_THE_BODY))
    }
  })

  const date = (): string => String(plain.headers['last-modified'])
  const tag = (): string => String(plain.headers.etag)
  test.each<[string, () => Record<string, string>, number]>([
    ['If-None-Match: another', () => ({ 'If-None-Match': '"another"' }), 200],
    ['If-None-Match: *', () => ({ 'If-None-Match': '*' }), 304],
    ['If-None-Match: a list', () => ({ 'If-None-Match': `"another", , ${tag()}` }), 304],
    ['If-None-Match: the same, weak', () => ({ 'If-None-Match': `W/${tag().replace('W/', '')}` }), 304],
    ['If-None-Match: the same, strong', () => ({ 'If-None-Match': tag().replace('W/', '') }), 304],
    ['If-None-Match: without quotes', () => ({ 'If-None-Match': tag().replaceAll('"', '') }), 200],
    ['If-None-Match: empty', () => ({ 'If-None-Match': '' }), 200],
    ['If-Modified-Since: the same', () => ({ 'If-Modified-Since': date() }), 304],
    ['If-Modified-Since: later', () => ({ 'If-Modified-Since': 'Fri, 31 Dec 9999 23:59:59 GMT' }), 200],
    ['If-Modified-Since: no date', () => ({ 'If-Modified-Since': 'yesterday' }), 200],
    ['another tag and the same date', () => ({ 'If-None-Match': '"another"', 'If-Modified-Since': date() }), 200],
    ['the same tag and another date', () => ({ 'If-None-Match': tag(), 'If-Modified-Since': 'yesterday' }), 304],
    ['Range, of another version', () => ({ Range: 'bytes=0-9', 'If-Range': '"another"' }), 200],
    ['several ranges', () => ({ Range: 'bytes=0-9, 20-29', 'If-Range': tag() }), 200],
    [
      'If-Match, which wins over If-Unmodified-Since',
      () => ({ 'If-Match': '*', 'If-Unmodified-Since': 'Thu, 01 Jan 1970 00:00:00 GMT' }),
      200,
    ],
  ])('%s', async (_, headers, status) => {
    for (const method of ['GET', 'HEAD']) {
      const got = await get(headers(), method)
      expect(got.status).toBe(status)
      expect(got.body.length > 0).toBe(status === 200 && method === 'GET')
      if (status === 200 && method === 'GET') expect(got.body.equals(plain.body)).toBe(true)
      expect(named(got, OF_THE_CLIENT)).toEqual(named(plain, status === 200 ? OF_THE_CLIENT : OF_THE_BODY))
    }
  })
  test.each([
    ['If-Match: another tag', { 'If-Match': '"a"' }],
    ['If-Unmodified-Since: before it', { 'If-Unmodified-Since': 'Thu, 01 Jan 1970 00:00:00 GMT' }],
  ])('%s: 412', async (_, headers) => {
    expect((await get(headers, 'GET')).status).toBe(412)
  })
})
