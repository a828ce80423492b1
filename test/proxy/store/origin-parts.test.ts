// Parts of files that lie behind HTTP: asked for by a range of our own, believed when the answer says exactly that part, and
// whole files where the origin has no ranges.
import type { ServerResponse } from 'node:http'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { ORIGIN_TIMES, originStore } from '../../../src/proxy/store/origin-store.ts'
import { temporaryFolder } from '../../support/temporary-folder.ts'
import { Origin } from '../../support/origin.ts'
import { ask, startProxy, until, type TestProxy } from '../../support/proxy.ts'
import { BULK, publishSite, SITE_FILES } from '../../support/site-release.ts'
import { described, RANGES } from '../../support/site-table.ts'

const folder = temporaryFolder(afterAll)
const origin = new Origin(folder)
let [proxy, direct] = [{} as TestProxy, {} as TestProxy]
beforeAll(async () => {
  await publishSite(folder)
  await origin.start()
  direct = await startProxy({ snapshots: folder })
  proxy = await startProxy({
    snapshots: originStore(origin.base, { ...ORIGIN_TIMES, headMs: 2_000, stalledMs: 2_000 }),
  })
})
afterAll(async () => {
  for (const each of [proxy, direct]) await each.stop()
  await origin.stop()
})
afterEach(() => {
  origin.instead.clear()
  origin.fetched.length = 0
})

const PATH = 'bulk.zip'
const askPart = (range = 'bytes=-8', path = PATH) =>
  ask(proxy.port, `/${path}`, { headers: { Range: range, 'X-Secret': 'secret' } })

/** That it is answered as from a folder. */
async function expectSame(target: string, headers: Record<string, string>): Promise<void> {
  const one = await ask(proxy.port, target, { headers })
  const other = await ask(direct.port, target, { headers })
  expect([target, described(one)]).toEqual([target, described(other)])
  expect(one.body.equals(other.body), target).toBe(true)
}

test.each(RANGES)('%s: as from a folder', async (Range) => {
  origin.ranges = true
  await expectSame(`/${PATH}`, { Range })
})

test('the origin is asked for that part, once, in our own words', async () => {
  origin.ranges = true
  expect((await askPart('BYTES=00100-00199')).text).toBe(BULK.slice(100, 200))
  expect(origin.of(PATH).map(({ headers }) => headers.range)).toEqual(['bytes=100-199'])
  expect(JSON.stringify(origin.of(PATH)[0]?.headers)).not.toContain('secret')
})

test('manifest.json is in memory, with its parts', async () => {
  const whole = await ask(proxy.port, '/manifest.json')
  const part = await askPart('bytes=1-10', 'manifest.json')
  expect([part.status, part.text]).toEqual([206, whole.text.slice(1, 11)])
})

describe('an origin without ranges', () => {
  test('makes the proxy one: the whole file, not the part of it that nobody promised', async () => {
    origin.ranges = false
    const got = await askPart()
    expect([got.status, got.headers['content-range'], got.text === BULK]).toEqual([200, undefined, true])
    await until(async () => (await origin.connections()) < 4, 2_000, 'what was not read is given up')
  })
})

describe('an origin that is wrong', () => {
  const size = BULK.length
  const right = { 'Content-Range': `bytes ${size - 8}-${size - 1}/${size}` }
  const saying = (status: number, headers: Record<string, string>, body: string) => (response: ServerResponse) =>
    response.writeHead(status, headers).end(body)

  test.each<[what: string, status: number, headers: Record<string, string>, says: string]>([
    ['another part', 206, { 'Content-Range': `bytes 0-7/${size}` }, 'missing or damaged'],
    ['of another file', 206, { 'Content-Range': `bytes ${size - 8}-${size - 1}/${size + 1}` }, 'missing or damaged'],
    ['a part of who knows what', 206, { 'Content-Range': `bytes ${size - 8}-${size - 1}/*` }, 'missing or damaged'],
    ['a part without saying which', 206, {}, 'missing or damaged'],
    ['several parts', 206, { 'Content-Type': 'multipart/byteranges; boundary=x' }, 'missing or damaged'],
    ['a part of a coding', 206, { ...right, 'Content-Encoding': 'gzip' }, 'missing or damaged'],
    ['that there is no such part', 416, { 'Content-Range': 'bytes */7' }, 'could not be read just now'],
    ['an error', 503, {}, 'could not be read just now'],
    ['that it moved', 302, { Location: 'http://evil.example/' }, 'could not be read just now'],
  ])('%s: 500, and no header of it', async (_what, status, headers, says) => {
    origin.instead.set(PATH, saying(status, { ...headers, 'X-Origin': 'secret' }, BULK.slice(-8)))
    const got = await askPart()
    expect([got.status, got.headers['cache-control']]).toEqual([500, 'no-store'])
    expect(got.text).toContain(says)
    expect(got.headers).not.toHaveProperty('x-origin')
  })

  test.each([
    ['more bytes than it says', BULK.slice(-9)],
    ['fewer', BULK.slice(-7)],
  ])('%s: the transfer is cut, and is not taken for whole', async (_what, body) => {
    origin.instead.set(PATH, (response) => {
      response.writeHead(206, right)
      response.end(body)
    })
    await expect(askPart()).rejects.toThrow(/aborted|hang up|ECONNRESET/)
  })

  test('a head that never comes is a 500', async () => {
    origin.instead.set(PATH, () => undefined)
    expect((await askPart()).status).toBe(500)
  })
})

test('the whole site is the same behind HTTP', async () => {
  for (const path of ['', 'fr', 'fr/', 'nothing', ...Object.keys(SITE_FILES)])
    await expectSame(`/${path}`, { Accept: 'text/html' })
})
