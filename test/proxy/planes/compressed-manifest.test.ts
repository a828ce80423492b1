// manifest.json and openapi.json in every coding: what there is of each, for whom, and under which validators.
import { readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Manifest } from '../../../src/release/format/manifest.ts'
import { ask, serving, startProxy, type Answered, type TestProxy } from '../../support/proxy.ts'
import { AS_OF_MS, HOUR_MS, publishRelease, snapshotsFolder } from '../../support/release.ts'

function decoded({ headers, body }: Answered): string {
  const coding = headers['content-encoding']
  return (coding === 'br' ? brotliDecompressSync(body) : coding === 'gzip' ? gunzipSync(body) : body).toString('utf8')
}

const ACCEPTED: readonly [accept: string | undefined, coding: string | undefined][] = [
  [undefined, undefined],
  ['gzip', 'gzip'],
  ['br', 'br'],
  ['gzip, deflate, br, zstd', 'br'],
  ['gzip;q=0', undefined],
]

/** Every coding of one target: whole, smaller, with validators that fit, and not taken for one another. */
async function check(port: number, target: string, isWeak: boolean, none: readonly string[] = []): Promise<void> {
  const whole = (await ask(port, target)).text
  const tags = new Map<string | undefined, string>()
  for (const [accept, best] of ACCEPTED) {
    const headers: Record<string, string> = accept === undefined ? {} : { 'Accept-Encoding': accept }
    const coding = best === undefined || none.includes(best) ? undefined : best
    const answer = await ask(port, target, { headers })
    const { etag = '', vary, 'content-encoding': given, 'content-length': length } = answer.headers
    expect([accept, answer.status, given, vary]).toEqual([accept, 200, coding, 'Accept-Encoding'])
    expect(decoded(answer) === whole, accept).toBe(true)
    expect(length).toBe(String(answer.body.length))
    if (coding !== undefined) expect(answer.body.length).toBeLessThan(whole.length / 2)
    expect(etag).toMatch(isWeak ? /^W\/"[\w.-]+"$/ : /^"[\w.-]+"$/)
    expect(tags.get(coding) ?? etag).toBe(etag)
    tags.set(coding, etag)
    const same = await ask(port, target, { headers: { ...headers, 'If-None-Match': etag } })
    expect([same.status, same.body.length, same.headers.etag, same.headers.vary]).toEqual([304, 0, etag, vary])
    expect(same.headers['content-encoding']).toBe(undefined)
    const head = await ask(port, target, { method: 'HEAD', headers })
    expect([head.status, head.headers['content-encoding'], head.headers['content-length']]).toEqual([
      200,
      given,
      length,
    ])
    if (!isWeak) expect((await ask(port, target, { headers: { ...headers, 'If-Match': etag } })).status).toBe(200)
  }
  // A strong tag is of bytes, so each coding has its own; a weak one is of what they say.
  expect(new Set(tags.values()).size).toBe(isWeak ? 1 : tags.size)
  if (isWeak) return
  const other = await ask(port, target, {
    headers: { 'If-None-Match': tags.get(undefined) ?? '', 'Accept-Encoding': 'gzip' },
  })
  expect(other.status).toBe(tags.has('gzip') ? 200 : 304)
}

describe('manifest.json', () => {
  const folder = snapshotsFolder()
  const proxies: TestProxy[] = []
  let [older, bare]: Manifest[] = []
  let current: Manifest
  let port = 0
  beforeAll(async () => {
    bare = await publishRelease(folder.dir, { asOfMs: AS_OF_MS - 2 * HOUR_MS, revision: 2 })
    older = await publishRelease(folder.dir, { asOfMs: AS_OF_MS - HOUR_MS, revision: 1 })
    current = await publishRelease(folder.dir)
    // As builders wrote them before there were siblings.
    for (const suffix of ['.gz', '.br']) rmSync(join(folder.dir, 'releases', bare.id, `manifest.json${suffix}`))
    const proxy = await startProxy({ snapshots: folder.dir })
    proxies.push(proxy)
    port = proxy.port
  })
  afterAll(async () => {
    for (const proxy of proxies) await proxy.stop()
    folder.remove()
  })
  const text = (id: string): string => readFileSync(join(folder.dir, 'releases', id, 'manifest.json'), 'utf8')

  test('of the current release', async () => {
    for (const target of ['/snapshots/current/manifest.json', `/snapshots/releases/${current.id}/manifest.json`]) {
      await check(port, target, false)
      expect((await ask(port, target)).text).toBe(text(current.id))
    }
  })

  test('of an older one: what its builder wrote', async () => {
    const target = `/snapshots/releases/${older?.id}/manifest.json`
    await check(port, target, false)
    expect((await ask(port, target)).text).toBe(text(older?.id ?? ''))
  })

  test('of one whose builder wrote no siblings, while it is current and afterwards', async () => {
    await check(port, `/snapshots/releases/${bare?.id}/manifest.json`, false, ['gzip', 'br'])
    const alone = snapshotsFolder()
    const { id } = await publishRelease(alone.dir)
    for (const suffix of ['.gz', '.br']) rmSync(join(alone.dir, 'releases', id, `manifest.json${suffix}`))
    const proxy = await startProxy({ snapshots: alone.dir })
    try {
      await check(proxy.port, '/snapshots/current/manifest.json', false)
    } finally {
      await proxy.stop()
      alone.remove()
    }
  })

  test('siblings themselves have no address', async () => {
    for (const suffix of ['.gz', '.br'])
      expect((await ask(port, `/snapshots/current/manifest.json${suffix}`)).status).toBe(404)
  })

  test('a sibling that is removed while it is known costs no answer', async () => {
    const id = older?.id ?? ''
    const target = `/snapshots/releases/${id}/manifest.json`
    const headers = { 'Accept-Encoding': 'br' }
    expect((await ask(port, target, { headers })).headers['content-encoding']).toBe('br')
    rmSync(join(folder.dir, 'releases', id, 'manifest.json.br'))
    const answer = await ask(port, target, { headers })
    expect([answer.status, answer.headers['content-encoding'], answer.text === text(id)]).toEqual([
      200,
      undefined,
      true,
    ])
  })
})

describe('openapi.json', () => {
  const served = serving()

  test('in every coding', () => check(served().port, '/api/openapi.json', true))

  test('may be kept by a shared cache, except the headers of one client’s limit', async () => {
    const { headers } = await ask(served().port, '/api/openapi.json')
    const limit = Object.keys(headers).filter((name) => name.startsWith('x-ratelimit-'))
    expect(limit.length).toBe(3)
    const [, shared = '', own = ''] =
      /^(public, max-age=\d+), private="([^"]+)"$/.exec(headers['cache-control'] ?? '') ?? []
    expect([shared, own.toLowerCase().split(', ').sort()]).toEqual(['public, max-age=3600', limit.sort()])
  })
})
