// Where only a proxy leads out: verify, diff, --publish and an origin are reached through it, over http and https, and a proxy that
// refuses is named without its password. Tests src/release/reading/way-out.ts.
// long test: starts the programs for each case
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { createServer, request } from 'node:http'
import { createServer as createSecureServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, beforeEach, describe, expect, it, test } from 'vitest'
import { proxyFor } from '../../../src/release/reading/way-out.ts'
import { failureOf, run } from '../../builder/build-program.ts'
import { createAuthority } from '../../support/certificates.ts'
import { startConnectProxy, type ConnectProxy } from '../../support/connect-proxy.ts'
import { startLyingStore } from '../../support/lying-store.ts'
import { Origin } from '../../support/origin.ts'
import { ask, startProgram } from '../../support/proxy.ts'
import { publishRelease } from '../../support/release.ts'
import { AS_OF_MS, publishSamples } from '../sample-release.ts'
import { temporaryFolder } from '../../support/temporary-folder.ts'

describe('the proxy of the environment', () => {
  const PROXY = 'http://user:secret@proxy.example:3128'
  test.each([
    ['https://a.example/x', { HTTPS_PROXY: PROXY }, 'HTTPS_PROXY (http://proxy.example:3128)'],
    ['https://a.example/x', { https_proxy: 'http://lower:1', HTTPS_PROXY: PROXY }, 'https_proxy (http://lower:1)'],
    ['https://a.example/x', { HTTPS_PROXY: 'proxy.example:3128' }, 'HTTPS_PROXY (http://proxy.example:3128)'],
    ['http://a.example/x', { HTTP_PROXY: 'http://proxy.example' }, 'HTTP_PROXY (http://proxy.example)'],
    ['http://a.example/x', { HTTPS_PROXY: PROXY }, null],
    ['https://a.example/x', { HTTP_PROXY: PROXY, HTTPS_PROXY: '' }, null],
    ['https://a.example/x', { HTTPS_PROXY: PROXY, NO_PROXY: '*' }, null],
    ['https://a.example/x', { HTTPS_PROXY: PROXY, NO_PROXY: 'localhost, A.example' }, null],
    ['https://b.a.example/x', { HTTPS_PROXY: PROXY, no_proxy: '.a.example' }, null],
    ['https://b.a.example/x', { HTTPS_PROXY: PROXY, no_proxy: '*.a.example' }, null],
    ['https://a.example:8443/x', { HTTPS_PROXY: PROXY, NO_PROXY: 'a.example:8443' }, null],
    ['https://[::1]:8443/x', { HTTPS_PROXY: PROXY, NO_PROXY: '127.0.0.1 ::1' }, null],
    [
      'https://a.example/x',
      { HTTPS_PROXY: PROXY, NO_PROXY: 'a.example:80,example.org' },
      'HTTPS_PROXY (http://proxy.example:3128)',
    ],
    [
      'https://ba.example/x',
      { HTTPS_PROXY: PROXY, NO_PROXY: 'a.example,,' },
      'HTTPS_PROXY (http://proxy.example:3128)',
    ],
  ])('of %s with %j is %s', (address, env, shown) => {
    expect(proxyFor(address, env)?.shown ?? null).toBe(shown)
  })

  test.each(['socks5://user:secret@proxy:1', 'https://user:secret@proxy', 'http://'])('is not %s', (value) => {
    expect(() => proxyFor('https://a.example', { HTTPS_PROXY: value })).toThrow(
      /^HTTPS_PROXY is not the address of a proxy; allowed: http:\/\/host:port or http:\/\/user:password@host:port$/,
    )
  })
})

/** Names that no name server has. */
const [SITE, STORE, LARGE] = ['site.invalid', 'store.invalid', 'large.invalid']
const LOGIN = 'office:s3cr3t'

describe('where only a proxy leads out', () => {
  const [snapshots, whole] = [temporaryFolder(afterAll), temporaryFolder(afterAll)]
  const authority = createAuthority(temporaryFolder(afterAll), 'office')
  let origin: Origin
  let proxy: ConnectProxy
  let variables: Record<string, string>
  const stops: (() => unknown)[] = []

  /** What is served here over http, over https. */
  async function secured(port: number, name: string): Promise<number> {
    const { certificate, key } = authority.sign(name, `DNS:${name}`)
    const server = createSecureServer({ cert: readFileSync(certificate), key: readFileSync(key) }, (from, to) => {
      const { method, url: path, headers } = from
      const sent = request({ host: '127.0.0.1', port, method, path, headers }, (answer) => {
        to.writeHead(answer.statusCode ?? 0, answer.headers)
        answer.pipe(to)
      })
      sent.on('error', () => to.destroy())
      from.pipe(sent)
    }).listen(0, '127.0.0.1')
    await once(server, 'listening')
    stops.push(
      () => server.closeAllConnections(),
      () => server.close(),
    )
    return (server.address() as AddressInfo).port
  }

  beforeAll(async () => {
    await publishSamples(snapshots, AS_OF_MS - 86_400_000, AS_OF_MS)
    origin = new Origin(snapshots)
    await origin.start()
    await publishRelease(whole, { ideas: 400, titleChars: 3000 })
    const large = new Origin(whole)
    await large.start()
    const store = await startLyingStore(() => false)
    stops.push(
      () => origin.stop(),
      () => large.stop(),
      store.stop,
    )
    const ports: Record<string, number> = {
      [SITE]: await secured(origin.port, SITE),
      [`plain-${SITE}`]: origin.port,
      [LARGE]: await secured(large.port, LARGE),
      [`plain-${LARGE}`]: large.port,
      [STORE]: await secured(store.port, STORE),
    }
    proxy = await startConnectProxy(LOGIN, (host) => ports[host] ?? 1)
    stops.push(proxy.stop)
    const address = `http://${LOGIN}@127.0.0.1:${proxy.port}`
    variables = { HTTPS_PROXY: address, http_proxy: address, NODE_EXTRA_CA_CERTS: authority.certificate }
  })
  afterAll(async () => {
    for (const stop of stops.reverse()) await stop()
  })
  beforeEach(() => {
    proxy.refuses = null
    proxy.asked.length = 0
  })

  it.each([`https://${SITE}/files`, `http://plain-${SITE}/files`])('verify and diff read %s', async (address) => {
    const verified = await run(['verify', address], variables)
    expect([verified.code, verified.stderr, verified.stdout]).toEqual([0, '', expect.stringContaining(' is whole: ')])
    expect(new Set(proxy.asked)).toEqual(
      new Set([`${new URL(address).hostname}:${address.startsWith('https') ? 443 : 80}`]),
    )
    expect(await run(['diff', address, address], variables)).toMatchObject({ code: 0, stderr: '' })
  })

  it('--publish and verify reach the store', async () => {
    const env = {
      ...variables,
      AWS_ENDPOINT_URL_S3: `https://${STORE}`,
      AWS_ACCESS_KEY_ID: 'a',
      AWS_SECRET_ACCESS_KEY: 'b',
    }
    const published = await run(['prune', '--snapshots', snapshots, '--publish', 's3://statistics/town'], env)
    expect([published.code, published.stderr]).toEqual([0, expect.stringContaining('shows the current release')])
    expect(await run(['verify', 's3://statistics/town'], env)).toMatchObject({ code: 0, stderr: '' })
    expect(new Set(proxy.asked)).toEqual(new Set([`${STORE}:443`]))
  })

  it.each([`https://${LARGE}/files`, `http://plain-${LARGE}/files`])(
    'analytics-proxy passes on large files of the origin %s',
    async (address) => {
      const program = await startProgram(['--origin', address], variables)
      try {
        const { status, text } = await ask(program.port, '/api/analytics/export?type=ideas&period=all&format=csv')
        expect([status, text.length > 1 << 20]).toEqual([200, true])
        expect(await ask(program.port, '/api/public/stats')).toMatchObject({ status: 200 })
        expect(new Set(proxy.asked).size).toBe(1)
      } finally {
        await program.kill()
      }
    },
  )

  it.each([
    [407, 'answered 407, it wants another user and password'],
    [503, 'answered 503, expected 200,'],
    [0, 'cannot be used: it did not answer within 10 s;'],
  ])('names a proxy that answers %d, and shows no password', async (status, why) => {
    proxy.refuses = status
    const ran = await run(['verify', `https://${SITE}/files`], variables)
    expect([ran.code, failureOf(ran)]).toEqual([
      7,
      expect.stringContaining(`the proxy of HTTPS_PROXY (http://127.0.0.1:${proxy.port}) ${why} for ${SITE}:443`),
    ])
    expect(ran.stderr).not.toContain('s3cr3t')
  })

  it('names a proxy that is not there, and one that wants a password', async () => {
    const none = createServer().listen(0, '127.0.0.1')
    await once(none, 'listening')
    const { port } = none.address() as AddressInfo
    none.close()
    const to = (address: string) => run(['verify', `https://${SITE}/files`], { ...variables, HTTPS_PROXY: address })
    expect(failureOf(await to(`http://127.0.0.1:${port}`))).toContain(
      `the proxy of HTTPS_PROXY (http://127.0.0.1:${port}) cannot be used: connect ECONNREFUSED`,
    )
    expect(failureOf(await to(`http://127.0.0.1:${proxy.port}`))).toContain('answered 407')
  })

  it('is passed by for NO_PROXY', async () => {
    const env = { ...variables, NO_PROXY: '127.0.0.1' }
    expect(await run(['verify', origin.base], env)).toMatchObject({ code: 0, stderr: '' })
    expect(proxy.asked).toEqual([])
  })
})
