// The production front: the real nginx with the repository's nginx.conf before the real proxy, or before a tiny upstream
// that says what reached it.
import { execFileSync, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, renameSync, rmSync } from 'node:fs'
import { symlinkSync, utimesSync, writeFileSync } from 'node:fs'
import { Agent, createServer, request as httpRequest, type IncomingHttpHeaders, type RequestOptions } from 'node:http'
import { connect as connectHttp2 } from 'node:http2'
import { request as httpsRequest } from 'node:https'
import type { AddressInfo } from 'node:net'
import { networkInterfaces, tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { brotliDecompressSync, gunzipSync, gzipSync } from 'node:zlib'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  badRequest,
  contentTooLarge,
  headersTooLarge,
  internalError,
  preconditionFailed,
  PROBLEM_TITLES,
  uriTooLong,
} from '../../src/contract/problems.ts'
import { switchTo } from '../../src/release/writing/promote.ts'
import { NGINX_CONF, nginxAvailable, startNginx, type Nginx, type NginxSpec } from '../support/nginx.ts'
import { converse, dial, startProgram, until, type ProxyProgram } from '../support/proxy.ts'
import { describeWithComponent, findProgram } from '../support/real-component.ts'
import { AS_OF_MS, publishRelease, snapshotsFolder } from '../support/release.ts'

interface Answer {
  readonly status: number
  readonly headers: IncomingHttpHeaders
  readonly body: Buffer
  readonly text: string
}

interface Sending {
  readonly method?: string
  readonly headers?: Readonly<Record<string, string | readonly string[]>>
  readonly body?: string
  /** The client: any address of 127.0.0.0/8 is one. */
  readonly from?: string
  readonly host?: string
  readonly agent?: Agent
  readonly tls?: boolean
}

function send(port: number, target: string, sending: Sending = {}): Promise<Answer> {
  const { method = 'GET', headers = {}, body, from, host = '127.0.0.1', agent = false, tls = false } = sending
  const sent = headers as Record<string, string | string[]>
  const options: RequestOptions = { host, port, path: target, method, agent, headers: sent }
  if (from !== undefined) options.localAddress = from
  return new Promise((resolve, reject) => {
    const request = tls ? httpsRequest({ ...options, rejectUnauthorized: false }) : httpRequest(options)
    request.once('error', reject)
    request.once('response', (response) => {
      const chunks: Buffer[] = []
      response.on('data', (chunk: Buffer) => chunks.push(chunk)).once('error', reject)
      response.once('end', () => {
        const bytes = Buffer.concat(chunks)
        resolve({
          status: response.statusCode ?? 0,
          headers: response.headers,
          body: bytes,
          text: bytes.toString('utf8'),
        })
      })
    })
    request.end(body)
  })
}

let people = 0
/** A client that nobody has been before. */
function someone(): string {
  people += 1
  return `127.1.${people >> 8}.${people & 255}`
}

interface Problem {
  readonly error: string
  readonly message: string
}

/** An error as docs/api.md has it, whoever made it; a `problem` from src/contract holds nginx to the same words. */
function expectProblem(
  { status, headers, text }: { status: number; headers: IncomingHttpHeaders; text: string },
  expected: number,
  problem?: Problem,
): Problem {
  expect(status, text).toBe(expected)
  expect(headers).toMatchObject({
    'content-type': 'application/json; charset=utf-8',
    'access-control-allow-origin': '*',
    'cache-control': 'no-store',
    'x-content-type-options': 'nosniff',
  })
  const body = JSON.parse(text) as Problem
  expect(Object.keys(body)).toEqual(['error', 'message'])
  expect(body.message).toMatch(/\.$/)
  if (problem !== undefined) expect(body).toEqual({ error: problem.error, message: problem.message })
  return body
}

interface Upstream {
  readonly port: number
  /** Targets as they came in. */
  readonly seen: { readonly target: string; readonly headers: IncomingHttpHeaders }[]
  connections(): number
  /** Bytes of the last /api/big that have left for nginx. */
  bigBytes(): number
  close(): Promise<void>
}

const BIG_BYTES = 64 * 2 ** 20

/** Answers 200 and remembers; /api/late waits first, /api/hang never answers, /api/reset hangs up, /api/big is large. */
async function startUpstream(): Promise<Upstream> {
  const seen: Upstream['seen'] = []
  let connections = 0
  let bigBytes = 0
  const chunk = Buffer.alloc(2 ** 16, 'x')
  const server = createServer((request, response) => {
    const target = request.url ?? ''
    seen.push({ target, headers: request.headers })
    if (target === '/api/hang') return
    if (target === '/api/late') return void setTimeout(() => response.end(target), 300)
    if (target === '/api/reset') return void request.socket.destroy()
    if (target !== '/api/big') return void response.end(target)
    response.writeHead(200, { 'Content-Length': BIG_BYTES })
    bigBytes = 0
    const more = (): void => {
      while (bigBytes < BIG_BYTES) {
        bigBytes += chunk.length
        if (!response.write(chunk)) return void response.once('drain', more)
      }
      response.end()
    }
    more()
  })
  server.on('connection', () => (connections += 1))
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    port: (server.address() as AddressInfo).port,
    seen,
    connections: () => connections,
    bigBytes: () => bigBytes,
    async close() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}

const CURRENT = 'public, max-age=60, stale-while-revalidate=300, stale-if-error=86400'
const IMMUTABLE = 'public, max-age=3600, immutable'
const JSON_TYPE = 'application/json; charset=utf-8'

const hasIpv6 = Object.values(networkInterfaces()).some((all) => all?.some(({ address }) => address === '::1'))

describeWithComponent('nginx.conf', nginxAvailable(), (bin) => {
  const closers: (() => Promise<unknown> | void)[] = []
  /** Ends with the tests, last one first. */
  const closeLater = <T>(value: T, close: (value: T) => Promise<unknown> | void): T => {
    closers.unshift(() => close(value))
    return value
  }
  const start = async (spec: Omit<NginxSpec, 'snapshots'>): Promise<Nginx> =>
    closeLater(await startNginx({ snapshots, ...spec }), (nginx) => nginx.stop())
  const startProxy = async (): Promise<ProxyProgram> =>
    closeLater(await startProgram(['--snapshots', snapshots]), (proxy) => proxy.kill())

  let snapshots = ''
  let id = ''
  let olderId = ''

  beforeAll(async () => {
    const folder = closeLater(snapshotsFolder(), (used) => used.remove())
    snapshots = join(folder.dir, 'snapshots')
    mkdirSync(snapshots)
    // mkdtemp's 0700 would keep out the worker of an nginx that root starts.
    chmodSync(folder.dir, 0o755)
    const older = await publishRelease(snapshots, { asOfMs: AS_OF_MS - 3_600_000, revision: 1 })
    olderId = older.id
    // nginx tells versions of a file apart by its second and its size, and builds are at least a minute apart.
    for (const { path } of [...older.files, { path: 'manifest.json' }])
      utimesSync(join(snapshots, 'releases', olderId, path), new Date(AS_OF_MS), new Date(AS_OF_MS))
    id = (await publishRelease(snapshots)).id

    const release = join(snapshots, 'releases', id)
    for (const file of [
      join(folder.dir, 'secret.json'),
      ...['.lock', '.held', '.hidden.json', 'README.md', 'loose.json'].map((name) => join(snapshots, name)),
      join(snapshots, 'releases/.tmp-1-abc/manifest.json'),
      join(snapshots, `releases/.refused-${id}/manifest.json`),
      ...['.hidden.json', '.hidden/x.json', 'notes.txt', 'public/stats.json.gz'].map((name) => join(release, name)),
    ]) {
      mkdirSync(dirname(file), { recursive: true })
      writeFileSync(file, 'not to be served')
    }
    writeFileSync(
      join(release, 'public/stats.json.gz'),
      gzipSync(readFileSync(join(release, 'public/stats.json'), 'utf8')),
    )
  })
  afterAll(async () => {
    for (const close of closers) await close()
  })

  test('nginx -t passes on the untouched file without a warning, and leaves nothing that git would see', () => {
    const root = mkdtempSync(join(tmpdir(), 'nginx-test-'))
    try {
      symlinkSync(NGINX_CONF, join(root, 'nginx.conf'))
      const { status, stderr } = spawnSync(bin, ['-t', '-p', '.', '-c', 'nginx.conf'], { cwd: root, encoding: 'utf8' })
      expect(stderr.split('\n')).toEqual([
        'nginx: the configuration file ./nginx.conf syntax is ok',
        'nginx: configuration file ./nginx.conf test is successful',
        '',
      ])
      expect(status).toBe(0)
      const left = readdirSync(root).filter((name) => name !== 'nginx.conf')
      const ignored = readFileSync(join(dirname(NGINX_CONF), '.gitignore'), 'utf8').split('\n')
      const names = left.map((name) =>
        name === 'nginx.pid' ? '/nginx.pid' : name.replace(/^(nginx-temp-).+/, '/$1*/'),
      )
      expect([...new Set(names)].sort()).toEqual(['/nginx-temp-*/', '/nginx.pid'])
      expect(ignored).toEqual(expect.arrayContaining(names))
    } finally {
      rmSync(root, { recursive: true, force: true })
    }
  })

  const compiler = findProgram('cc', 'gcc')
  test.skipIf(!compiler.ok)('starts where the kernel has no IPv6', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'nginx-test-'))
    closeLater(folder, (made) => rmSync(made, { recursive: true, force: true }))
    chmodSync(folder, 0o755)
    // What socket() answers there: EAFNOSUPPORT. Not so where IPv6 is merely switched off for every interface.
    const source = `#define _GNU_SOURCE
      #include <dlfcn.h>
      #include <errno.h>
      #include <sys/socket.h>
      int socket(int domain, int type, int protocol) {
        if (domain == AF_INET6) { errno = EAFNOSUPPORT; return -1; }
        return ((int (*)(int, int, int))dlsym(RTLD_NEXT, "socket"))(domain, type, protocol);
      }`
    writeFileSync(join(folder, 'no-ipv6.c'), source)
    const library = join(folder, 'no-ipv6.so')
    if (compiler.ok) execFileSync(compiler.bin, ['-shared', '-fPIC', '-o', library, join(folder, 'no-ipv6.c')])
    const env = { LD_PRELOAD: library }
    const nginx = await start({ upstreams: [1], env })
    expect((await send(nginx.port, '/snapshots/current/manifest.json')).status).toBe(200)
    // It may listen on IPv4 for an instant before it gives up.
    const said = await startNginx({ snapshots, upstreams: [1], env, on: ['ipv6'] }).then(async (gone) => {
      await gone.stop()
      return gone.log()
    }, String)
    expect(said).toContain('Address family not supported')
  })

  const users = process.getuid?.() === 0 ? [undefined, 65534] : [undefined]
  test.each(users)('serves files when started by user %s', async (runAs) => {
    const spec = { snapshots, upstreams: [1], ...(runAs === undefined ? {} : { runAs }) }
    const nginx = await startNginx(spec)
    try {
      expect((await send(nginx.port, '/snapshots/current/public/stats.json')).status).toBe(200)
      expect(nginx.log()).not.toMatch(/\[(?:warn|crit|emerg)\]/)
    } finally {
      await nginx.stop()
    }
    expect(existsSync(nginx.prefix)).toBe(false)
  })

  describe('in front of the proxy', () => {
    let proxy: ProxyProgram
    let nginx: Nginx
    let port: number
    beforeAll(async () => {
      proxy = await startProxy()
      nginx = await start({ upstreams: [proxy.port] })
      port = nginx.port
    })

    /** What one request says of its own: time, connection, and the client's count. */
    const comparable = ({ status, headers, body }: Answer): object => {
      const own = ['date', 'server', 'connection', 'keep-alive', 'x-ratelimit-remaining', 'x-ratelimit-reset']
      const lasting = Object.entries(headers).filter(([name]) => !own.includes(name))
      const counted = own.slice(-2).filter((name) => name in headers)
      const coding = headers['content-encoding']
      const plain = coding === 'br' ? brotliDecompressSync(body) : coding === 'gzip' ? gunzipSync(body) : body
      const text = plain.toString('utf8').replace(/"generatedAt":"[^"]{24}"/, '"generatedAt":"any"')
      return { status, headers: Object.fromEntries(lasting), counted, text }
    }

    test.each<[status: number, target: string, sending?: Sending]>([
      [200, '/api/public/stats'],
      [200, '/api/analytics/trending?period=30d&limit=3&category=%F0%9F%98%80'],
      [200, '/api/analytics/export?type=ideas&period=all&format=csv'],
      [200, '/api/public/stats', { method: 'HEAD' }],
      [200, '/api/public/stats', { headers: { 'Accept-Encoding': 'gzip' } }],
      [200, '/api/public/stats', { headers: { 'Accept-Encoding': 'br' } }],
      [200, '/api/public/stats', { headers: { Range: 'bytes=0-9' } }],
      [200, '/api/openapi.json'],
      [200, '/', { headers: { Host: 'ideas.example.org:8443' } }],
      [200, '/readyz'],
      [204, '/api/public/stats', { method: 'OPTIONS' }],
      [304, '/api/public/stats', { headers: { 'If-None-Match': '*' } }],
      [400, '/api/analytics/trending?limit=0&period=1y'],
      [400, '/api/caf\xc3\xa9'],
      [404, '/api'],
      [404, '/api/'],
      [404, '/api/.hidden'],
      [404, '/api//public/stats'],
      [404, '/api/public/stats/'],
      [404, '/api/public%2Fstats'],
      [404, '/favicon.ico'],
      [404, '/snapshots'],
      [405, '/api/public/stats', { method: 'DELETE' }],
      [413, '/api/public/stats', { method: 'GET', body: 'x', headers: { 'Content-Length': '1' } }],
      [414, `/api/${'a'.repeat(5000)}`],
      [431, '/api/public/stats', { headers: { Cookie: 'a'.repeat(8500) } }],
    ])('%i %s %o: what the proxy answers passes as it is', async (status, target, sending) => {
      const direct = await send(proxy.port, target, { ...sending, from: someone() })
      expect(direct.status).toBe(status)
      expect(comparable(await send(port, target, { ...sending, from: someone() }))).toEqual(comparable(direct))
    })

    test('a client cannot make itself another one with X-Forwarded-For: 100 pass, the 101st is the API’s own 429', async () => {
      const from = someone()
      const agent = closeLater(new Agent({ keepAlive: true, maxSockets: 1 }), (used) => used.destroy())
      const ask = (spoofed: string | string[]) =>
        send(port, '/api/public/stats', { from, agent, headers: { 'X-Forwarded-For': spoofed } })
      for (let i = 1; i <= 100; i++) {
        const answer = await ask(i % 2 === 0 ? `203.0.113.${i}` : [`198.51.100.${i}`, '127.0.0.1'])
        expect([answer.status, answer.headers['x-ratelimit-remaining']]).toEqual([200, String(100 - i)])
      }
      const refused = await ask('203.0.113.250')
      const { error, message } = expectProblem(refused, 429)
      expect(error).toBe('Rate limit exceeded')
      expect(message).toMatch(/^Rate limit of 100 requests per hour exceeded\. Try again in \d+ seconds\.$/)
      expect(refused.headers).toMatchObject({ 'x-ratelimit-limit': '100', 'x-ratelimit-remaining': '0' })
      expect(Number(refused.headers['retry-after'])).toBeGreaterThan(3500)
      expect((await send(port, '/api/public/stats', { from: someone() })).status).toBe(200)
    })

    test.skipIf(!hasIpv6)('#ipv6: listens there, too', async () => {
      const both = await start({ upstreams: [proxy.port], on: ['ipv6'] })
      const answer = await send(both.port, '/api/public/stats', { host: '::1' })
      expect([answer.status, answer.headers['x-ratelimit-remaining']]).toEqual([200, '99'])
    })

    test.each([
      '/api/public/stats',
      '/api/analytics/export?type=ideas&period=all&format=csv',
      '/snapshots/current/manifest.json',
    ])('a client that closes its half when it has asked gets its answer: %s', async (target) => {
      const whole = await send(port, target, { from: someone() })
      const { socket, received } = await dial(port)
      socket.end(`GET ${target} HTTP/1.1\r\nHost: x\r\n\r\n`)
      await once(socket, 'close')
      const [head = '', body = ''] = received().toString('utf8').split('\r\n\r\n')
      expect(head).toMatch(/^HTTP\/1\.1 200 /)
      expect(Buffer.byteLength(body)).toBe(whole.body.length)
    })

    test('a body that never comes is not waited for: the proxy refuses it by its head', async () => {
      const { answers } = await converse(
        port,
        ['GET /api/public/stats HTTP/1.1\r\nHost: x\r\nContent-Length: 9\r\n\r\n'],
        {
          answers: 1,
        },
      )
      const { status = 0, headers = {}, body = '' } = answers[0] ?? {}
      expectProblem({ status, headers, text: body }, 413, contentTooLarge())
      expect(headers['x-ratelimit-limit']).toBe('100')
    })

    test('HTTP/1.0 without Host is served', async () => {
      const { answers } = await converse(port, ['GET /api/public/stats HTTP/1.0\r\n\r\n'])
      expect(answers.map(({ status }) => status)).toEqual([200])
    })

    test('every file that the manifest lists is served byte for byte, below current/ and below its release', async () => {
      const folder = join(snapshots, 'releases', id)
      const manifest = JSON.parse(readFileSync(join(folder, 'manifest.json'), 'utf8')) as { files: { path: string }[] }
      expect(manifest.files.length).toBeGreaterThan(60)
      const agent = closeLater(new Agent({ keepAlive: true, maxSockets: 4 }), (used) => used.destroy())
      const places = [
        ['/snapshots/current', CURRENT],
        [`/snapshots/releases/${id}`, IMMUTABLE],
      ] as const
      for (const [base, cacheControl] of places)
        for (const path of ['manifest.json', ...manifest.files.map((file) => file.path)]) {
          const { status, headers, body } = await send(port, `${base}/${path}`, { agent })
          expect([path, status]).toEqual([path, 200])
          expect(body.equals(readFileSync(join(folder, path))), path).toBe(true)
          expect(headers).toMatchObject({
            'content-type': path.endsWith('.csv') ? 'text/csv; charset=utf-8' : JSON_TYPE,
            'cache-control': cacheControl,
            'access-control-allow-origin': '*',
            'x-content-type-options': 'nosniff',
            etag: expect.stringMatching(/^"[^"]+"$/) as string,
          })
          expect(Object.keys(headers).filter((name) => name.startsWith('x-ratelimit'))).toEqual([])
        }
    })

    test('files: HEAD, Range, conditional requests and preflight', async () => {
      const target = '/snapshots/current/analytics/categories/30d.json'
      const whole = await send(port, target)
      const head = await send(port, target, { method: 'HEAD' })
      expect([head.status, head.headers['content-length'], head.text]).toEqual([200, `${whole.body.length}`, ''])
      expect(head.headers['cache-control']).toBe(CURRENT)
      const part = await send(port, target, { headers: { Range: 'bytes=0-9' } })
      expect([part.status, part.body.length]).toEqual([200, whole.body.length])

      const { etag = '', 'last-modified': lastModified = '' } = whole.headers
      for (const headers of [{ 'If-None-Match': etag }, { 'If-Modified-Since': lastModified }]) {
        const same = await send(port, target, { headers })
        expect([same.status, same.text, same.headers['cache-control']]).toEqual([304, '', CURRENT])
        expect(same.headers['access-control-allow-origin']).toBe('*')
      }
      // Not merely later: after a rollback the older file is another one.
      const later = new Date(Date.now() + 60_000).toUTCString()
      expect((await send(port, target, { headers: { 'If-Modified-Since': later } })).status).toBe(200)
      expectProblem(await send(port, target, { headers: { 'If-Match': '"other"' } }), 412, preconditionFailed())

      for (const path of [target, '/snapshots/current/missing.json']) {
        const preflight = await send(port, path, { method: 'OPTIONS' })
        expect([preflight.status, preflight.text]).toEqual([204, ''])
        expect(preflight.headers).toMatchObject({
          'access-control-allow-origin': '*',
          'access-control-allow-methods': 'GET, HEAD, OPTIONS',
          'access-control-allow-headers': '*, Authorization',
          'access-control-max-age': '86400',
          'cache-control': 'no-store',
        })
      }
    })

    test('a .gz sibling is what a client that takes gzip gets, also through a CDN', async () => {
      const target = '/snapshots/current/public/stats.json'
      const plain = await send(port, target)
      expect([plain.headers['content-encoding'], plain.headers.vary]).toEqual([undefined, 'Accept-Encoding'])
      const { headers, body } = await send(port, target, { headers: { 'Accept-Encoding': 'gzip', Via: '1.1 cdn' } })
      expect(headers).toMatchObject({
        'content-encoding': 'gzip',
        'content-type': JSON_TYPE,
        'cache-control': CURRENT,
        vary: 'Accept-Encoding',
      })
      expect(headers.etag).not.toBe(plain.headers.etag)
      expect(gunzipSync(body).equals(plain.body)).toBe(true)
    })

    test('a switch of current is seen by the very next request', async () => {
      try {
        for (let i = 0; i < 30; i++) {
          const now = i % 2 === 0 ? olderId : id
          await switchTo(snapshots, now, Date.now())
          const { text } = await send(port, '/snapshots/current/manifest.json')
          expect((JSON.parse(text) as { id: string }).id).toBe(now)
        }
        const { etag = '' } = (await send(port, '/snapshots/current/public/stats.json')).headers
        await switchTo(snapshots, olderId, Date.now())
        const target = '/snapshots/current/public/stats.json'
        expect((await send(port, target, { headers: { 'If-None-Match': etag } })).status).toBe(200)
      } finally {
        await switchTo(snapshots, id, Date.now())
      }
    })

    test.each([
      '/snapshots/',
      '/snapshots/current',
      '/snapshots/current/',
      '/snapshots/current/public/',
      '/snapshots/releases/',
      '/snapshots/missing.json',
      '/snapshots/loose.json',
      '/snapshots/README.md',
      '/snapshots/.lock',
      '/snapshots/%2elock',
      '/snapshots/.held',
      '/snapshots/.hidden.json',
      '/snapshots/current/.hidden.json',
      '/snapshots/current/%2ehidden.json',
      '/snapshots/current/.hidden/x.json',
      '/snapshots/releases/.tmp-1-abc/manifest.json',
      '/snapshots/releases/%2Etmp-1-abc/manifest.json',
      '/snapshots/releases/.refused-ID/manifest.json',
      '/snapshots/releases/ID',
      '/snapshots/releases/ID/.hidden.json',
      '/snapshots/releases/20200101T000000000Z-00000000/manifest.json',
      '/snapshots/current/notes.txt',
      '/snapshots/current/public/stats.json.gz',
      '/snapshots/current/public/stats',
      '/snapshots/current/manifest.json/',
      '/snapshots//current/manifest.json',
      '/snapshots/current//manifest.json',
      '/snapshots/current/../.lock',
      '/snapshots/current/../../secret.json',
      '/snapshots/current/%2e%2e/%2e%2e/secret.json',
      '/snapshots/current/..%2f..%2fsecret.json',
      '/snapshots/../nginx.conf',
      '/nginx.conf',
      '/nginx.pid',
      '/.problem',
      '/.git/config',
    ])('404 %s', async (target) => {
      const { status, headers, text } = await send(port, target.replace('ID', id))
      expect([status, headers['content-type'], headers['cache-control']]).toEqual([404, JSON_TYPE, 'no-store'])
      expect((JSON.parse(text) as Problem).error).toBe('Not Found')
    })

    test('a missing file is the API’s 404, a wrong method its 405', async () => {
      expectProblem(await send(port, '/snapshots/current/missing.json'), 404)
      expectProblem(await send(port, '/snapshots/current/.lock'), 404)
      for (const method of ['POST', 'PUT', 'DELETE']) {
        const answer = await send(port, '/snapshots/current/manifest.json', { method })
        expectProblem(answer, 405)
        expect(answer.headers.allow).toBe('GET, HEAD, OPTIONS')
      }
    })

    test('a link in a release is served to nobody, wherever it leads; `current` and snapshots/releases may be links', async () => {
      const release = join(snapshots, 'releases', id)
      const planted: [path: string, target: string][] = [
        [join(release, 'public/planted.json'), join(snapshots, '../secret.json')],
        [join(release, 'public/own.json'), join(release, 'public/stats.json')],
        [join(release, 'public/coded.json.gz'), join(release, 'manifest.json.gz')],
        [join(release, 'linked'), join(release, 'public')],
        [join(snapshots, 'releases/20200101T000000000Z-00000001'), release],
      ]
      for (const [path, target] of planted) symlinkSync(target, path)
      writeFileSync(join(release, 'public/coded.json'), '{}')
      try {
        // To nginx a link in the place of a file is an error, one in the place of a folder is no folder.
        const asked = { 'public/planted.json': 500, 'public/own.json': 500, 'linked/stats.json': 404 }
        for (const [path, status] of Object.entries(asked))
          for (const base of ['/snapshots/current', `/snapshots/releases/${id}`])
            expectProblem(await send(port, `${base}/${path}`), status)
        const headers = { 'Accept-Encoding': 'gzip' }
        const coded = await send(port, '/snapshots/current/public/coded.json', { headers })
        expect([coded.status, coded.headers['content-encoding'], coded.text]).toEqual([200, undefined, '{}'])
        expectProblem(await send(port, '/snapshots/releases/20200101T000000000Z-00000001/manifest.json'), 404)
        await until(() => nginx.log().includes('planted.json'), 2_000, 'the log says which')
        for (const target of ['/snapshots/current/manifest.json', `/snapshots/releases/${id}/manifest.json`])
          expect((await send(port, target, { headers })).status).toBe(200)
      } finally {
        for (const [path] of planted) rmSync(path)
        rmSync(join(release, 'public/coded.json'))
      }
      const elsewhere = `${snapshots}-releases`
      renameSync(join(snapshots, 'releases'), elsewhere)
      symlinkSync(elsewhere, join(snapshots, 'releases'))
      try {
        for (const target of ['/snapshots/current/manifest.json', `/snapshots/releases/${id}/manifest.json`])
          expect((await send(port, target)).status).toBe(200)
      } finally {
        rmSync(join(snapshots, 'releases'))
        renameSync(elsewhere, join(snapshots, 'releases'))
      }
    })

    test('a file that nginx may not read is a 500, so that caches keep the copy they have', async () => {
      const file = join(snapshots, 'releases', id, 'public/unreadable.json')
      writeFileSync(file, '{}', { mode: 0o000 })
      try {
        expectProblem(await send(port, '/snapshots/current/public/unreadable.json'), 500, internalError('unexpected'))
        const logged = (): boolean => /unreadable\.json" failed \(13: Permission denied\)/.test(nginx.log())
        await until(logged, 2_000, 'the log says which file and why')
      } finally {
        rmSync(file)
      }
    })
  })

  describe('what nginx itself has to refuse is the API’s JSON', () => {
    let upstream: Upstream
    let port: number
    beforeAll(async () => {
      upstream = closeLater(await startUpstream(), (used) => used.close())
      port = (
        await start({ upstreams: [upstream.port], replace: { 'proxy_read_timeout 20s': 'proxy_read_timeout 2s' } })
      ).port
    })

    const get = (target: string, ...lines: string[]): string =>
      `${[`GET ${target} HTTP/1.1`, 'Host: x', ...lines].join('\r\n')}\r\n\r\n`
    const unreadable = badRequest('it is not valid HTTP/1.1')
    const long = (bytes: number): string => 'a'.repeat(bytes)

    test.each<[what: string, status: number, bytes: string, problem?: Problem]>([
      ['junk', 400, 'BLAH\r\n\r\n', unreadable],
      ['no Host', 400, 'GET /api/public/stats HTTP/1.1\r\n\r\n', unreadable],
      ['two Hosts', 400, get('/api/public/stats', 'Host: y'), unreadable],
      ['both framings', 400, get('/api/public/stats', 'Content-Length: 1', 'Transfer-Encoding: chunked'), unreadable],
      ['an unknown framing', 400, get('/api/public/stats', 'Transfer-Encoding: x'), unreadable],
      ['HTTP/3.0', 400, 'GET /api/public/stats HTTP/3.0\r\nHost: x\r\n\r\n', unreadable],
      ['a space in the target', 400, get('/api/public stats'), unreadable],
      ['NUL in the path', 400, get('/api/%00'), unreadable],
      ['malformed percent-encoding in the path', 400, get('/api/%zz'), unreadable],
      ['dot segments above the root', 400, get('/api/../../etc/passwd'), unreadable],
      ['TRACE', 405, 'TRACE /api/public/stats HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n'],
      ['a large body', 413, get('/api/public/stats', 'Content-Length: 100000'), contentTooLarge()],
      ['a target of 10 KB', 414, get(`/api/${long(10_000)}`), uriTooLong()],
      ['a target of 100 KB', 414, get(`/api/${long(100_000)}`), uriTooLong()],
      ['a header of 10 KB', 431, get('/api/public/stats', `Cookie: ${long(10_000)}`), headersTooLarge()],
      ['a header of 100 KB', 431, get('/api/public/stats', `Cookie: ${long(100_000)}`), headersTooLarge()],
      [
        '40 KB of headers',
        431,
        get('/api/public/stats', ...Array<string>(40).fill(`X: ${long(1000)}`)),
        headersTooLarge(),
      ],
      ['a missing file', 404, get('/snapshots/missing.json', 'Connection: close')],
    ])('%s: %i', async (_what, status, bytes, problem) => {
      const before = upstream.seen.length
      const { answers } = await converse(port, [bytes], { answers: 1 })
      expect(answers.map(({ headers }) => headers['connection'])).toEqual(['close'])
      const { headers = {}, body = '', status: is = 0 } = answers[0] ?? {}
      const { error } = expectProblem({ status: is, headers, text: body }, status, problem)
      expect(error).toBe(PROBLEM_TITLES.get(status))
      expect(headers['allow']).toBe(status === 405 ? 'GET, HEAD, OPTIONS' : undefined)
      expect(upstream.seen.length).toBe(before)
    })

    test('no client can fill the log: what it gets refused leaves no line', async () => {
      const nginx = await start({
        upstreams: [upstream.port],
        on: ['cdn'],
        replace: { '192.0.2.0/24': '127.0.0.0/24' },
      })
      const sent = [
        get('/api/x', 'Content-Length: 100000', 'Connection: close'),
        get('/snapshots/current/manifest.json', 'Content-Length: 100000', 'Connection: close'),
        get('/healthz', 'Content-Length: 100000', 'Connection: close'),
        get('/healthz', 'X-Forwarded-For: 203.0.113.1', 'Connection: close'),
        get('/snapshots/current/nothing.json', 'Connection: close'),
        get(`/api/${long(10_000)}`),
        get('/api/x', `Cookie: ${long(10_000)}`),
        get('/api/%00'),
        'BLAH\r\n\r\n',
        'TRACE / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n',
      ]
      for (const bytes of sent) {
        const { answers } = await converse(nginx.port, [bytes], { answers: 1 })
        expect(answers.length, bytes.slice(0, 60)).toBe(1)
      }
      await nginx.stop()
      expect(nginx.log()).toBe('')
    })

    test('502 when the proxy hangs up, 504 when it does not answer; both say when to try again', async () => {
      // A kept connection may have been closed while idle, so one failure on it is tried again on a new one.
      for (const [target, status, title, mostTries] of [
        ['/api/reset', 502, 'Bad Gateway', 2],
        ['/api/hang', 504, 'Gateway Timeout', 1],
      ] as const) {
        const before = upstream.seen.length
        const answer = await send(port, target, { from: someone() })
        expect(expectProblem(answer, status).error).toBe(title)
        expect(answer.headers['retry-after']).toBe('5')
        expect(upstream.seen.length - before).toBeLessThanOrEqual(mostTries)
      }
      const head = await send(port, '/api/reset', { method: 'HEAD', from: someone() })
      expect([head.status, head.text, head.headers['cache-control']]).toEqual([502, '', 'no-store'])
    })

    test('502 when there is no proxy at all, for the page and for health, too; files are served all the same', async () => {
      const nobody = await startUpstream()
      await nobody.close()
      const nginx = await start({ upstreams: [nobody.port] })
      for (const target of ['/api/public/stats', '/api', '/', '/healthz'])
        expectProblem(await send(nginx.port, target), 502)
      expect((await send(nginx.port, '/snapshots/current/public/stats.json')).status).toBe(200)
    })

    test('a flood is refused with 429, far above the API’s own limit, and for its sender only', async () => {
      const from = someone()
      const agent = closeLater(new Agent({ keepAlive: true, maxSockets: 20 }), (used) => used.destroy())
      const answers = await Promise.all(Array.from({ length: 400 }, () => send(port, '/api/x', { from, agent })))
      const refused = answers.filter(({ status }) => status !== 200)
      expect(400 - refused.length).toBeGreaterThanOrEqual(200)
      expect(refused.length).toBeGreaterThan(0)
      for (const answer of refused) {
        expect(expectProblem(answer, 429).error).toBe('Too Many Requests')
        expect(answer.headers).toMatchObject({
          'retry-after': '5',
          'x-ratelimit-limit': '20',
          'x-ratelimit-remaining': '0',
        })
        const reset =
          Number(answer.headers['x-ratelimit-reset']) - Math.floor(Date.parse(answer.headers.date ?? '') / 1000)
        expect(reset).toBeGreaterThanOrEqual(0)
        expect(reset).toBeLessThan(10)
        expect(answer.headers['access-control-expose-headers']).toContain('X-RateLimit-Reset')
      }
      expect((await send(port, '/api/x', { from: someone() })).status).toBe(200)
      expect((await send(port, '/snapshots/current/public/stats.json', { from })).status).toBe(200)
    })

    test('64 requests at once are answered, the 65th is a 429', async () => {
      const from = someone()
      const before = upstream.seen.length
      const hanging = Array.from({ length: 64 }, () => send(port, '/api/hang', { from }))
      await until(() => upstream.seen.length === before + 64, 1_500, '64 requests at the upstream')
      expectProblem(await send(port, '/api/x', { from }), 429)
      expect(new Set((await Promise.all(hanging)).map(({ status }) => status))).toEqual(new Set([504]))
    })
  })

  describe('what reaches the proxy', () => {
    let upstream: Upstream
    let nginx: Nginx
    beforeAll(async () => {
      upstream = closeLater(await startUpstream(), (used) => used.close())
      nginx = await start({ upstreams: [upstream.port] })
    })
    const reached = async (target: string, sending: Sending = {}) => {
      const answer = await send(nginx.port, target, { from: someone(), ...sending })
      expect(answer.status, answer.text).toBe(200)
      return upstream.seen.at(-1) ?? { target: '', headers: {} }
    }

    test.each([
      '/api',
      '/api/',
      '/api//public///stats',
      '//api/public/stats',
      '/api/public%2Fstats',
      '/api/public%2fstats',
      '/%61pi/public/stats',
      '/api/./public/../public/stats',
      '/api/public/stats?',
      '/api/x?category=a+b%20c%2Bd&category=%00&x=%zz&y=%C3%A9&z=%c3%28',
      '/api/x?a=//..//&b=?&c=%2523',
      '/api/x;y=1,2/~!$&\'()*=:@"<>{}|\\^`[]',
      `/api/x?${'a'.repeat(4000)}`,
    ])('the target, byte for byte: %s', async (target) => {
      expect((await reached(target)).target).toBe(target)
    })

    test('any target below /api that is valid, byte for byte', async () => {
      const piece = fc.constantFrom('a', '/', '//', '%2F', '%2f', '%20', '+', '%C3%A9', ';', '.', '%2e', '%25', '=')
      const inQuery = fc.oneof(piece, fc.constantFrom('%00', '%zz', '%', '?', '&', '%23'))
      const targets = fc
        .tuple(fc.array(piece, { maxLength: 8 }), fc.option(fc.array(inQuery, { maxLength: 8 })))
        .map(([path, query]) => `/api/x${path.join('')}${query === null ? '' : `?${query.join('')}`}`)
        // Dot segments may lead out of /api, which is its own matter.
        .filter((target) => !/\/(?:\.|%2e){1,2}(?:\/|%2F|\?|$)/i.test(target))
      await fc.assert(
        fc.asyncProperty(targets, async (target) => {
          expect((await reached(target)).target).toBe(target)
        }),
        { numRuns: 150 },
      )
    })

    test('X-Forwarded-For is the client’s address and nothing else; Host and conditions pass', async () => {
      const from = someone()
      const headers = {
        'X-Forwarded-For': ['1.2.3.4', '5.6.7.8, 127.0.0.1'],
        Host: 'ideas.example.org:8443',
        'If-None-Match': 'W/"x"',
        'Accept-Encoding': 'br;q=0.5, gzip',
      }
      const { headers: seen } = await reached('/api/x', { from, headers })
      expect(seen).toEqual({
        'x-forwarded-for': from,
        host: 'ideas.example.org:8443',
        'if-none-match': 'W/"x"',
        'accept-encoding': 'br;q=0.5, gzip',
      })
    })

    test('a client that has closed its half is waited for', async () => {
      const { socket, received } = await dial(nginx.port)
      socket.end('GET /api/late HTTP/1.1\r\nHost: x\r\n\r\n')
      await once(socket, 'close')
      expect(received().toString()).toMatch(/^HTTP\/1\.1 200 [^]*\/api\/late$/)
    })

    test('requests share connections to the proxy', async () => {
      const before = upstream.connections()
      const agent = closeLater(new Agent({ keepAlive: true, maxSockets: 1 }), (used) => used.destroy())
      const from = someone()
      for (let i = 0; i < 20; i++) await reached('/api/x', { from, agent })
      expect(upstream.connections() - before).toBeLessThanOrEqual(1)
    })

    test('a large answer waits in the proxy for a slow reader, not in files', async () => {
      const { socket, received } = await dial(nginx.port)
      socket.pause()
      socket.write('GET /api/big HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n')
      let before = -1
      await until(
        async () => {
          before = upstream.bigBytes()
          await sleep(150)
          return before > 0 && before === upstream.bigBytes()
        },
        10_000,
        'the upstream is held up',
      )
      expect(before).toBeLessThan(BIG_BYTES / 2)
      expect(execFileSync('find', [join(nginx.prefix, 'nginx-temp-proxy'), '-type', 'f'], { encoding: 'utf8' })).toBe(
        '',
      )
      socket.resume()
      await once(socket, 'close')
      expect(received().length).toBeGreaterThan(BIG_BYTES)
    })
  })

  describe('the optional lines, switched on as the file says', () => {
    test('#tls: HTTP/2 and HTTP/1.1, HSTS; plain HTTP on that port is the API’s 400', async () => {
      const nginx = await start({ upstreams: [(await startProxy()).port], on: ['tls'] })
      const { tlsPort } = nginx
      const hsts = 'max-age=31536000'
      const old = await send(tlsPort, '/api/public/stats', { tls: true })
      expect([old.status, old.headers['strict-transport-security']]).toEqual([200, hsts])
      const file = await send(tlsPort, '/snapshots/current/public/stats.json', { tls: true })
      expect([file.status, file.headers['cache-control']]).toEqual([200, CURRENT])
      expectProblem(await send(tlsPort, '/api/public/stats'), 400, badRequest('it is not valid HTTP/1.1'))
      expectProblem(
        await send(tlsPort, '/api/x', { tls: true, headers: { Cookie: 'a'.repeat(12_000) } }),
        431,
        headersTooLarge(),
      )

      const session = connectHttp2(`https://127.0.0.1:${tlsPort}`, { rejectUnauthorized: false })
      const ask = async (path: string, more: Record<string, string> = {}) => {
        const stream = session.request({ ':path': path, ...more })
        const [headers] = (await once(stream, 'response')) as [Record<string, string | number>]
        const chunks = await stream.toArray()
        const text = Buffer.concat(chunks as Buffer[]).toString('utf8')
        return { status: Number(headers[':status']), headers: headers as IncomingHttpHeaders, text }
      }
      try {
        const answer = await ask('/api/public/stats', { 'x-forwarded-for': '203.0.113.5' })
        expect(answer.status).toBe(200)
        // The same client as over HTTP/1.1, so the second and third of its requests.
        expect(answer.headers).toMatchObject({ 'x-ratelimit-remaining': '98', 'strict-transport-security': hsts })
        expect((await ask('/snapshots/current/manifest.json')).headers['cache-control']).toBe(CURRENT)
        expectProblem(await ask('/api/x', { cookie: 'a'.repeat(12_000) }), 431, headersTooLarge())
        expectProblem(await ask(`/api/${'a'.repeat(12_000)}`), 414, uriTooLong())
      } finally {
        session.close()
      }
    })

    test('#several: each client has its own proxy, so that its 100 stay exactly 100', async () => {
      const upstreams = [(await startProxy()).port, (await startProxy()).port]
      const { port } = await start({ upstreams, on: ['several'] })
      for (let i = 0; i < 6; i++) {
        const from = someone()
        const agent = closeLater(new Agent({ keepAlive: true, maxSockets: 8 }), (used) => used.destroy())
        const ask = () => send(port, '/api/public/stats', { from, agent })
        const answers = await Promise.all(Array.from({ length: 120 }, ask))
        const allowed = answers.filter(({ status }) => status === 200)
        expect(allowed.length).toBe(100)
        const remaining = allowed.map(({ headers }) => Number(headers['x-ratelimit-remaining'])).sort((a, b) => a - b)
        expect(remaining).toEqual(Array.from({ length: 100 }, (_, left) => left))
        expect(answers.filter(({ status }) => status === 429).length).toBe(20)
      }
    })

    test('#several and #cdn: a client is an address or a /56; when its proxy is gone, the other one answers', async () => {
      const upstreams = [await startUpstream(), await startUpstream()] as const
      closeLater(upstreams[1], (used) => used.close())
      const { port } = await start({
        upstreams: upstreams.map((each) => each.port),
        on: ['several', 'cdn'],
        replace: { '192.0.2.0/24': '127.0.0.0/24' },
      })
      const agent = closeLater(new Agent({ keepAlive: true }), (used) => used.destroy())
      /** Which of the two answered, and what it was told. */
      const via = async (forwardedFor: string) => {
        const before = upstreams.map((each) => each.seen.length)
        const answer = await send(port, '/api/x', { agent, headers: { 'X-Forwarded-For': forwardedFor } })
        expect(answer.status).toBe(200)
        const at = upstreams.findIndex((each, i) => each.seen.length > (before[i] ?? 0))
        return { at, client: upstreams[at]?.seen.at(-1)?.headers['x-forwarded-for'] }
      }

      // What stands to the left of the first untrusted address is the client's own invention.
      expect((await via('203.0.113.9, 198.51.100.7, 127.0.0.9')).client).toBe('198.51.100.7')

      const counts = [0, 0]
      const owners = new Map<string, number>()
      for (let i = 0; i < 40; i++) {
        const prefix = i % 2 === 0 ? `2001:db8:${i.toString(16)}:ab` : null
        const addresses =
          prefix === null ? [`198.51.100.${i}`] : [`${prefix}00::1`, `${prefix}ff:1::`, `${prefix}0a:5::9`]
        const found = new Set<number>()
        for (const address of [...addresses, ...addresses]) {
          const { at, client } = await via(address)
          expect(client).toBe(address)
          found.add(at)
          owners.set(address, at)
        }
        expect(found.size, addresses.join(' ')).toBe(1)
        for (const at of found) counts[at] = (counts[at] ?? 0) + 1
      }
      expect(Math.min(...counts)).toBeGreaterThan(5)

      await upstreams[0].close()
      for (const address of owners.keys()) expect((await via(address)).at).toBe(1)
    })

    test('#several: what one proxy may still be working on is not given to the other', async () => {
      const upstreams = [await startUpstream(), await startUpstream()]
      for (const each of upstreams) closeLater(each, (used) => used.close())
      const replace = { 'proxy_read_timeout 20s': 'proxy_read_timeout 1s' }
      const { port } = await start({ upstreams: upstreams.map((each) => each.port), on: ['several'], replace })
      expectProblem(await send(port, '/api/hang'), 504)
      expect(upstreams.flatMap(({ seen }) => seen).length).toBe(1)
    })

    test('#cdn: health is for loopback and private addresses; the rest of the world sees nothing there', async () => {
      const proxy = await startProxy()
      const { port } = await start({
        upstreams: [proxy.port],
        on: ['cdn'],
        replace: { '192.0.2.0/24': '127.0.0.0/24' },
      })
      for (const target of ['/healthz', '/readyz']) {
        for (const inside of ['127.0.0.1', '10.1.2.3', '172.16.0.1', '192.168.1.1', 'fd00::1', '::1'])
          expect((await send(port, target, { headers: { 'X-Forwarded-For': inside } })).status, inside).toBe(200)
        for (const outside of ['203.0.113.1', '172.32.0.1', '2001:db9::1'])
          expectProblem(await send(port, target, { headers: { 'X-Forwarded-For': outside } }), 404)
      }
      expect((await send(port, '/freshz')).status).toBe(503)
      expect((await send(port, '/api/public/stats', { headers: { 'X-Forwarded-For': '203.0.113.1' } })).status).toBe(
        200,
      )
    })
  })
})
