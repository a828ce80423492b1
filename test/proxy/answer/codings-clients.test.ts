// What clients make of the coded answers of the real program: curl, and Chromium's fetch(), see the identity body.
// long test: waits for time-outs, or starts a program for each case
import { execFile } from 'node:child_process'
import { once } from 'node:events'
import { createServer, request as httpRequest, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text as textOf } from 'node:stream/consumers'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { BOUNDED_PERIODS } from '../../../src/contract/windows.ts'
import { chromiumAvailable, startChromium } from '../../support/chromium.ts'
import { ask, startProgram, until, type ProxyProgram } from '../../support/proxy.ts'
import { describeWithComponent, findProgram } from '../../support/real-component.ts'
import { publishRelease, snapshotsFolder } from '../../support/release.ts'

const TARGETS = [
  ...[2, 3, 20, 55, 99, 100].flatMap((limit) =>
    BOUNDED_PERIODS.map((period) => `/api/analytics/trending?period=${period}&limit=${limit}`),
  ),
  '/api/analytics/trending?period=24h&limit=7&category=%F0%9F%98%80',
  '/api/analytics/categories?period=all',
  '/api/analytics/export?type=users&period=90d',
  '/api/analytics/export?type=users&period=90d&format=csv',
]
/** Over 1 MiB: streamed, and coded as gzip only. */
const LARGE = ['/api/analytics/export?type=ideas&period=all', '/api/analytics/export?type=ideas&period=all&format=csv']

const STAMP = /(?<="generatedAt":")[^"]{24}(?=","version":"1\.0"\}$)/

const folder = snapshotsFolder()
let proxy: ProxyProgram
beforeAll(async () => {
  await publishRelease(folder.dir, { ideas: 2000, titleChars: 600 })
  proxy = await startProgram(['--snapshots', folder.dir, '--rate-limit', '100000'])
})
afterAll(async () => {
  await proxy.kill()
  folder.remove()
})

/** The two were made at two moments: in all else they must agree, and each must be stamped with a moment of its own. */
async function expectIdentity(target: string, text: string): Promise<void> {
  const plain = await ask(proxy.port, target, { headers: { 'Accept-Encoding': 'identity' } })
  expect(plain.headers['content-encoding']).toBeUndefined()
  const [stamp] = STAMP.exec(text) ?? []
  expect(stamp === undefined, 'CSV has no stamp, JSON has one').toBe(target.includes('csv'))
  expect(text === plain.text.replace(STAMP, stamp ?? ''), `${target} is the identity body`).toBe(true)
}

describeWithComponent('curl', findProgram('curl', 'curl'), (bin) => {
  /** `%{header_json}` is younger than some curls: the head is written before the body instead. */
  const curl = async (
    target: string,
    accepted: string,
  ): Promise<{ readonly coding: string; readonly text: string }> => {
    const args = ['-sS', '--compressed', '-H', `Accept-Encoding: ${accepted}`, '-D', '-', proxy.base + target]
    const { stdout } = await promisify(execFile)(bin, args, { maxBuffer: 1 << 26 })
    const [head = ''] = stdout.split('\r\n\r\n', 1)
    return { coding: /^content-encoding: (\w+)/im.exec(head)?.[1] ?? 'none', text: stdout.slice(head.length + 4) }
  }

  test.each([
    ...TARGETS.flatMap((target) => ['gzip', 'br'].map((coding) => [coding, target] as const)),
    ...LARGE.map((target) => ['gzip', target] as const),
  ])('--compressed, %s: %s', async (coding, target) => {
    const answer = await curl(target, coding)
    expect(answer.coding).toBe(coding)
    await expectIdentity(target, answer.text)
  })
})

interface Seen {
  readonly target: string
  readonly accepted: string
  readonly coding: string
}

/** A site of one page that fetches targets and posts what it read; what it asks of the API passes byte for byte. */
async function startSite(
  targets: readonly string[],
): Promise<{ port: number; seen: Seen[]; read: Map<string, string>; server: Server }> {
  const seen: Seen[] = []
  const read = new Map<string, string>()
  const script = `(async () => {
    for (const target of ${JSON.stringify(targets)}) {
      const body = await fetch(target, { cache: 'no-store' }).then((answer) => answer.text()).catch(String)
      await fetch('/read?' + encodeURIComponent(target), { method: 'POST', body })
    }
  })()`
  const pass = (request: IncomingMessage, response: ServerResponse): void => {
    const target = request.url ?? ''
    const { port } = proxy
    const upstream = httpRequest({ host: '127.0.0.1', port, path: target, headers: request.headers }, (answer) => {
      const accepted = String(request.headers['accept-encoding'])
      seen.push({ target, accepted, coding: answer.headers['content-encoding'] ?? 'none' })
      response.writeHead(answer.statusCode ?? 0, answer.rawHeaders)
      answer.pipe(response)
    })
    upstream.once('error', (error) => response.destroy(error)).end()
  }
  const receive = async (request: IncomingMessage, response: ServerResponse, target: string): Promise<void> => {
    read.set(target, await textOf(request))
    response.end()
  }
  const server = createServer((request, response) => {
    const { url = '' } = request
    if (url.startsWith('/api/')) return pass(request, response)
    if (url === '/') return void response.end(`<!doctype html><meta charset="utf-8"><script>${script}</script>`)
    if (!url.startsWith('/read?')) return void response.writeHead(404).end()
    void receive(request, response, decodeURIComponent(url.slice('/read?'.length)))
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return { port: (server.address() as AddressInfo).port, seen, read, server }
}

/** Not secure, unlike 127.0.0.1: browsers offer br over https and on this machine only. */
const PLAIN_HOST = 'statistics.test'

describeWithComponent('Chromium', chromiumAvailable(), (bin) => {
  test.each([
    ['127.0.0.1', 'br', TARGETS],
    ['127.0.0.1', 'gzip', LARGE],
    [PLAIN_HOST, 'gzip', [...TARGETS, ...LARGE]],
  ] as const)('fetch() from http://%s takes %s', async (host, coding, targets) => {
    const { port, seen, read, server } = await startSite(targets)
    const chromium = startChromium(bin, `http://${host}:${port}/`, PLAIN_HOST)
    try {
      await until(() => read.size === targets.length, 50_000, 'Chromium has read everything').catch((error: Error) => {
        throw new Error(`${error.message}; it read ${[...read.keys()].join(' ')}: ${chromium.log()}`)
      })
    } finally {
      await chromium.stop()
      server.closeAllConnections()
      server.close()
    }
    const offered = (accepted: string): boolean => accepted.split(', ').includes('br')
    expect(seen.map(({ target, accepted, coding: got }) => [target, offered(accepted), got])).toEqual(
      targets.map((target) => [target, host !== PLAIN_HOST, coding]),
    )
    for (const target of targets) await expectIdentity(target, read.get(target) ?? '')
  })
})
