// What a client may ask of one resource, end to end: codings, preconditions and HEAD, on every kind of body; and which codings
// there are of a manifest.json.
import { readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { OPENAPI_PATH } from '../../../src/contract/kinds/register.ts'
import { PRECONDITION_FAILED } from '../../../src/contract/problems.ts'
import type { Manifest } from '../../../src/release/format/manifest.ts'
import { temporaryFolder } from '../../support/temporary-folder.ts'
import { ask, serving, startProxy, type Answered, type Asking, type TestProxy } from '../../support/proxy.ts'
import { AS_OF_MS, HOUR_MS, publishRelease } from '../../support/release.ts'
import { LARGE_IDEAS, TARGETS, TARGETS_OF } from '../../support/targets.ts'
import { ownProxy } from '../own-proxy.ts'

const served = serving(LARGE_IDEAS)

const BOTH = ['br', 'gzip']
const FILES = ['manifest.json', 'analytics/trending/90d/all.json', 'analytics/export/ideas/all.csv']
const RESOURCES = [...TARGETS.map(([, target]) => target), ...FILES.map((path) => `/snapshots/current/${path}`)]
/** Some are too small to be coded; above 1 MiB there is no br. */
const FEWER: Readonly<Record<string, readonly string[]>> = {
  [TARGETS_OF.stats.whole]: [],
  [TARGETS_OF.trending['of an unknown category']]: [],
  ...Object.fromEntries(Object.values(TARGETS_OF.outcomes).map((target) => [target, []])),
  [TARGETS_OF.export['small CSV']]: [],
  [TARGETS_OF.export['large JSON']]: ['gzip'],
  [TARGETS_OF.export['large CSV']]: ['gzip'],
  '/snapshots/current/analytics/export/ideas/all.csv': ['gzip'],
}

/** What is asked for, and the best of br and gzip by it, in order; negotiation.test.ts has every way to say it. */
const ASKED: readonly (readonly [acceptEncoding: string | null, preferred: readonly string[]])[] = [
  [null, []],
  ['gzip;q=0', []],
  ['br', ['br']],
  ['gzip', ['gzip']],
  ['gzip, deflate, br, zstd', ['br', 'gzip']],
  ['br;q=0.5, gzip;q=0.8', ['gzip', 'br']],
]

const decoded = ({ headers, body }: Answered): Buffer => {
  if (headers['content-encoding'] === 'gzip') return gunzipSync(body)
  return headers['content-encoding'] === 'br' ? brotliDecompressSync(body) : body
}
const named = ({ headers }: Answered, left: RegExp): Record<string, unknown> =>
  Object.fromEntries(Object.entries(headers).filter(([name]) => !left.test(name)))
const OF_THE_CLIENT = /^(x-ratelimit-remaining|x-ratelimit-reset|date|connection|keep-alive)$/
const OF_THE_BODY = /^(content-.*|x-ratelimit-remaining|x-ratelimit-reset|date|connection|keep-alive)$/

/** In each coding that there is: the same text, and the same headers by HEAD and with a 304. */
async function expectCodings(port: number, target: string, codings = BOTH as readonly string[]): Promise<void> {
  const plain = await ask(port, target)
  const isWeak = target.startsWith('/api/')
  const tags = new Map<string | undefined, string>()
  for (const [asked, preferred] of ASKED) {
    const accept: Record<string, string> = asked === null ? {} : { 'Accept-Encoding': asked }
    const coding = preferred.find((each) => codings.includes(each))
    const got = await ask(port, target, { headers: accept })
    const { 'content-encoding': given, 'content-length': length, etag = '', vary } = got.headers
    expect([asked, got.status, given, vary]).toEqual([asked, 200, coding, 'Accept-Encoding'])
    expect(decoded(got).equals(plain.body), asked ?? '').toBe(true)
    expect(length).toBe(String(got.body.length))
    if (coding !== undefined) expect(got.body.length).toBeLessThan(plain.body.length / 2)
    expect(etag).toMatch(isWeak ? /^W\/"[\w.-]+"$/ : /^"[\w.-]+"$/)
    expect(tags.get(coding) ?? etag).toBe(etag)
    tags.set(coding, etag)

    const head = await ask(port, target, { headers: accept, method: 'HEAD' })
    expect([head.status, head.body.length]).toEqual([200, 0])
    expect(named(head, OF_THE_CLIENT)).toEqual(named(got, OF_THE_CLIENT))
    for (const method of ['GET', 'HEAD']) {
      const same = await ask(port, target, { headers: { ...accept, 'If-None-Match': etag }, method })
      expect([same.status, same.body.length]).toEqual([304, 0])
      expect(named(same, OF_THE_CLIENT)).toEqual(named(got, OF_THE_BODY))
    }
  }
  // A strong tag is of bytes, so each coding has its own; a weak one is of what they say.
  expect(new Set(tags.values()).size).toBe(isWeak ? 1 : tags.size)
  const headers = { 'If-None-Match': tags.get(undefined) ?? '', 'Accept-Encoding': 'gzip' }
  expect((await ask(port, target, { headers })).status).toBe(isWeak || !tags.has('gzip') ? 304 : 200)
}

describe.each(RESOURCES)('%s', (target) => {
  let plain: Answered
  beforeAll(async () => {
    plain = await ask(served().port, target)
  })

  test('in every coding', () => expectCodings(served().port, target, FEWER[target]))

  const isWeak = target.startsWith('/api/')
  const date = (): string => String(plain.headers['last-modified'])
  const tag = (): string => String(plain.headers.etag)
  test.each<[string, () => Asking['headers'] & object, number]>([
    ['If-None-Match: another', () => ({ 'If-None-Match': '"another"' }), 200],
    ['If-None-Match: *', () => ({ 'If-None-Match': '*' }), 304],
    ['If-None-Match: a list', () => ({ 'If-None-Match': `"another", , ${tag()}` }), 304],
    ['If-None-Match: two lines', () => ({ 'If-None-Match': ['"another"', tag()] }), 304],
    ['If-None-Match: the same, weak', () => ({ 'If-None-Match': `W/${tag().replace('W/', '')}` }), 304],
    ['If-None-Match: the same, strong', () => ({ 'If-None-Match': tag().replace('W/', '') }), 304],
    ['If-Modified-Since: the same', () => ({ 'If-Modified-Since': date() }), 304],
    ['If-Modified-Since: later', () => ({ 'If-Modified-Since': 'Fri, 31 Dec 9999 23:59:59 GMT' }), 200],
    ['If-Modified-Since: two lines', () => ({ 'If-Modified-Since': [date(), date()] }), 200],
    ['another tag and the same date', () => ({ 'If-None-Match': '"another"', 'If-Modified-Since': date() }), 200],
    ['Range, of another version', () => ({ Range: 'bytes=0-9', 'If-Range': '"another"' }), 200],
    ['several ranges', () => ({ Range: 'bytes=0-9, 20-29', 'If-Range': tag() }), 200],
    ['If-Match wins', () => ({ 'If-Match': '*', 'If-Unmodified-Since': 'Thu, 01 Jan 1970 00:00:00 GMT' }), 200],
    ['If-Match: *, and then the others', () => ({ 'If-Match': '*', 'If-None-Match': tag() }), 304],
    ['If-Match: the same', () => ({ 'If-Match': tag() }), isWeak ? 412 : 200],
    ['If-Match: two lines', () => ({ 'If-Match': ['"a"', tag().replace('W/', '')] }), isWeak ? 412 : 200],
    ['If-Match: another tag', () => ({ 'If-Match': '"a"', 'If-None-Match': tag() }), 412],
    ['If-Unmodified-Since: before it', () => ({ 'If-Unmodified-Since': 'Thu, 01 Jan 1970 00:00:00 GMT' }), 412],
  ])('%s', async (_, headers, status) => {
    for (const method of ['GET', 'HEAD']) {
      const got = await ask(served().port, target, { method, headers: headers() })
      expect(got.status).toBe(status)
      expect(got.body.length > 0).toBe(status !== 304 && method === 'GET')
      if (status === 412) {
        const { status: _status, ...problem } = PRECONDITION_FAILED
        expect([got.headers['cache-control'], got.headers.etag]).toEqual(['no-store', undefined])
        if (method === 'GET') expect(got.json()).toEqual(problem)
        continue
      }
      if (got.body.length > 0) expect(got.body.equals(plain.body)).toBe(true)
      expect(named(got, OF_THE_CLIENT)).toEqual(named(plain, status === 200 ? OF_THE_CLIENT : OF_THE_BODY))
    }
  })
})

describe('manifest.json', () => {
  const dir = temporaryFolder(afterAll)
  const manifests: Manifest[] = []
  let proxy: TestProxy
  beforeAll(async () => {
    for (const age of [2, 1, 0])
      manifests.push(await publishRelease(dir, { asOfMs: AS_OF_MS - age * HOUR_MS, revision: age }))
    withoutSiblings(dir, manifests[0]?.id ?? '')
    proxy = await startProxy({ snapshots: dir })
  })
  afterAll(() => proxy.stop())
  const targetOf = (which: number): string => `/snapshots/releases/${manifests[which]?.id}/manifest.json`
  const textOf = (which: number): string =>
    readFileSync(join(dir, 'releases', manifests[which]?.id ?? '', 'manifest.json'), 'utf8')

  /** As builders wrote it before there were siblings. */
  function withoutSiblings(folder: string, id: string): void {
    for (const suffix of ['.gz', '.br']) rmSync(join(folder, 'releases', id, `manifest.json${suffix}`))
  }

  test.each([
    ['the current release', 2, BOTH],
    ['an older one: what its builder wrote', 1, BOTH],
    ['one whose builder wrote no siblings', 0, []],
  ])('of %s', async (_, which, codings) => {
    await expectCodings(proxy.port, targetOf(which), codings)
    expect((await ask(proxy.port, targetOf(which))).text).toBe(textOf(which))
  })

  test('while it is current, that has both, too', async () => {
    const alone = temporaryFolder()
    withoutSiblings(alone, (await publishRelease(alone)).id)
    await expectCodings((await ownProxy({ snapshots: alone })).port, '/snapshots/current/manifest.json')
  })

  test('siblings themselves have no address', async () => {
    for (const suffix of ['.gz', '.br'])
      expect((await ask(proxy.port, `/snapshots/current/manifest.json${suffix}`)).status).toBe(404)
  })

  test('a sibling that is removed while it is known costs no answer', async () => {
    const asking = { headers: { 'Accept-Encoding': 'br' } }
    expect((await ask(proxy.port, targetOf(1), asking)).headers['content-encoding']).toBe('br')
    rmSync(join(dir, targetOf(1).replace('/snapshots', ''), '..', 'manifest.json.br'))
    const { status, headers, text } = await ask(proxy.port, targetOf(1), asking)
    expect([status, headers['content-encoding'], text === textOf(1)]).toEqual([200, undefined, true])
  })
})

describe('openapi.json', () => {
  test('in every coding', () => expectCodings(served().port, OPENAPI_PATH))

  test('may be kept by a shared cache, except the headers of one client’s limit; it has no date', async () => {
    const { headers } = await ask(served().port, OPENAPI_PATH)
    const limit = Object.keys(headers).filter((name) => name.startsWith('x-ratelimit-'))
    expect(limit.length).toBe(3)
    const [, shared = '', own = ''] =
      /^(public, max-age=\d+), private="([^"]+)"$/.exec(headers['cache-control'] ?? '') ?? []
    expect([shared, own.toLowerCase().split(', ').sort()]).toEqual(['public, max-age=3600', limit.sort()])
    expect(headers).not.toHaveProperty('last-modified')
    const other = await ask(served().port, OPENAPI_PATH, { headers: { 'If-Match': String(headers.etag) } })
    expect([other.status, other.json()['error']]).toEqual([412, 'Precondition Failed'])
  })
})
