// deploy/varnish/analytics.vcl: a real Varnish in front of the real proxy keeps what may be kept, and nothing else.
import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { packagePath } from '../../src/process/package-root.ts'
import { freePort, listens } from '../support/ports.ts'
import { ask, startProgram, until, type Answered, type ProxyProgram } from '../support/proxy.ts'
import { publishRelease, snapshotsFolder } from '../support/release.ts'
import { describeWithComponent, findProgram } from '../support/real-component.ts'
import { sampleSite } from '../support/site.ts'
import { supervise, untilUp, type Supervised } from '../support/supervised.ts'

const LIMIT = 5
const CURRENT = '/snapshots/current/manifest.json'
const STATS = '/snapshots/current/public/stats.json'
const API = '/api/public/stats'

/** So that a test need not wait: the proxy is looked at more often, and one file is soon older than it should be. */
const FASTER = {
  '.interval = 5s;': '.interval = 100ms;',
  'set beresp.grace = 1d;': 'set beresp.grace = 1d; if (bereq.url == "/robots.txt") { set beresp.ttl = 0.3s; }',
  'set req.grace = 5m;': 'set req.grace = 0s;',
}

function forTheTest(vcl: string, replace: Readonly<Record<string, string>>): string {
  return Object.entries(replace).reduce((text, [from, to]) => {
    if (!text.includes(from)) throw new Error(`analytics.vcl has no ${from} to replace`)
    return text.replace(from, to)
  }, vcl)
}

/** Varnish names the request, and the one that brought what it has kept. */
const isFromCache = ({ headers }: Answered): boolean => String(headers['x-varnish']).includes(' ')

describeWithComponent('Varnish', findProgram('varnishd', 'varnish', ['/usr/sbin']), (varnishd) => {
  const used = snapshotsFolder()
  let proxy: ProxyProgram
  let varnish: Supervised
  let port: number
  let purgePort: number
  const get = (target: string, headers: Record<string, string> = {}, client?: string): Promise<Answered> =>
    ask(port, target, { headers, ...(client === undefined ? {} : { client }) })
  const releaseOf = (answer: Answered): unknown => answer.json()['id']

  beforeAll(async () => {
    await publishRelease(used.dir, { site: sampleSite() })
    proxy = await startProgram(['--snapshots', used.dir, '--rate-limit', String(LIMIT)])
    const vcl = readFileSync(packagePath('deploy', 'varnish', 'analytics.vcl'), 'utf8')
    const folder = mkdtempSync(join(tmpdir(), 'varnish-'))
    writeFileSync(join(folder, 'vcl'), forTheTest(vcl, { '"8080"': `"${proxy.port}"`, ...FASTER }))
    port = await freePort()
    purgePort = await freePort()
    const listen = ['-a', `127.0.0.1:${port}`, '-a', `purge=127.0.0.1:${purgePort}`]
    const command = [varnishd, '-F', '-j', 'none', '-n', join(folder, 'n'), '-f', join(folder, 'vcl'), ...listen]
    varnish = supervise([...command, '-s', 'malloc,16m'], { folder, signal: 'TERM' })
    await untilUp(varnish, 'varnishd', async () => (await listens(port)) && listens(purgePort))
  })
  afterAll(async () => {
    await varnish?.stop()
    await proxy?.kill()
    used.remove()
  })

  it.each([CURRENT, STATS, '/'])('keeps %s as long as its header says, whatever the query string', async (path) => {
    const first = await get(path)
    expect([first.status, first.headers['cache-control']]).toEqual([200, expect.stringMatching(/^public, max-age=60,/)])
    const again = await get(`${path}?utm_source=x`)
    expect([again.status, isFromCache(again), again.text]).toEqual([200, true, first.text])
    expect(Number(again.headers['age'])).toBeLessThan(60)
  })

  it('answers 304 and parts of what it has kept itself', async () => {
    const { headers, text } = await get(STATS)
    const unchanged = await get(STATS, { 'If-None-Match': String(headers['etag']) })
    expect([unchanged.status, isFromCache(unchanged), unchanged.text]).toEqual([304, true, ''])
    const part = await get(STATS, { Range: 'bytes=0-9' })
    expect([part.status, isFromCache(part), part.text]).toEqual([206, true, text.slice(0, 10)])
  })

  it('asks the proxy for each answer of the API, with its client, and keeps no refusal', async () => {
    const client = '192.0.2.1'
    const answers: Answered[] = []
    for (let i = 0; i <= LIMIT; i++) answers.push(await get(API, {}, client))
    expect(answers.map(({ status }) => status)).toEqual([...Array<number>(LIMIT).fill(200), 429])
    expect(answers.map(({ headers }) => Number(headers['x-ratelimit-remaining']))).toEqual([4, 3, 2, 1, 0, 0])
    expect(answers.filter(isFromCache)).toEqual([])
    const times = answers.slice(0, LIMIT).map((answer) => String(answer.json()['generatedAt']))
    expect(new Set(times).size).toBe(LIMIT)
    const other = await get(API, {}, '192.0.2.2')
    expect([other.status, other.headers['x-ratelimit-remaining']]).toEqual([200, '4'])
    const validated = await get(API, { 'If-None-Match': String(other.headers['etag']) }, '192.0.2.2')
    expect([validated.status, validated.headers['x-ratelimit-remaining']]).toEqual([304, '3'])
  })

  it('keeps no error', async () => {
    for (const target of ['/nothing-here', '/snapshots/current/nothing.json', '/api/nothing']) {
      for (const answer of [await get(target), await get(target)])
        expect([answer.status, isFromCache(answer)]).toEqual([404, false])
    }
  })

  it('shows the health paths to nobody', async () => {
    for (const target of ['/healthz', '/readyz?x', '/freshz/']) {
      const answer = await get(target)
      expect([answer.status, answer.headers['content-type']]).toEqual([404, 'text/html; charset=utf-8'])
    }
  })

  it('forgets everything by a PURGE, which only the address for it takes', async () => {
    const before = await get(CURRENT)
    const asOfMs = Date.parse('2026-05-20T10:30:00.123Z')
    const { id } = await publishRelease(used.dir, { asOfMs, revision: 2, site: sampleSite() })
    await until(async () => releaseOf(await ask(proxy.port, CURRENT)) === id, 5000, 'the proxy serves the new release')
    expect(releaseOf(await get(CURRENT))).toBe(releaseOf(before))
    await ask(port, '/', { method: 'PURGE' })
    expect(releaseOf(await get(CURRENT))).toBe(releaseOf(before))
    expect((await ask(purgePort, '/')).status).toBe(405)
    expect((await ask(purgePort, '/', { method: 'PURGE' })).status).toBe(200)
    expect(releaseOf(await get(CURRENT))).toBe(id)
  })

  it('goes on with what it has kept while the proxy is down', async () => {
    expect((await get(STATS)).status).toBe(200)
    expect((await get('/robots.txt')).status).toBe(200)
    await proxy.kill()
    expect((await get(API)).status).toBe(503)
    const kept = await get(STATS)
    expect([kept.status, isFromCache(kept)]).toEqual([200, true])
    const isKept = (answer: Answered): boolean => answer.status === 200 && Number(answer.headers['age']) >= 1
    await until(async () => isKept(await get('/robots.txt')), 5000, 'a file past its max-age is served')
  })
})
