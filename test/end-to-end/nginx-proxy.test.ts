// The real nginx with the repository's nginx.conf in front of the real proxy: both give the same answers, and the files.
import { once } from 'node:events'
import { readFileSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { Agent } from 'node:http'
import { join } from 'node:path'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { beforeAll, describe, expect, test } from 'vitest'
import { CONTENT_TOO_LARGE, internalError, PRECONDITION_FAILED } from '../../src/contract/problems.ts'
import { switchTo } from '../../src/release/writing/current-link.ts'
import { nginxAvailable, startNginx, type Nginx } from '../support/nginx.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'
import { ask, converse, dial, until, type Answered, type Asking, type ProxyProgram } from '../support/proxy.ts'
import { describeWithComponent } from '../support/real-component.ts'
import {
  CURRENT,
  expectProblem,
  hasIpv6,
  IMMUTABLE,
  JSON_TYPE,
  nginxScene,
  someone,
  type Problem,
} from '../support/nginx-scene.ts'
import { releasePaths } from '../../src/release/format/paths.ts'

describeWithComponent('nginx.conf', nginxAvailable(), () => {
  const { closeLater, start, startProxy, published } = nginxScene()
  let [snapshots, id, olderId] = ['', '', '']
  beforeAll(() => ({ snapshots, id, olderId } = published))

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
    const comparable = ({ status, headers, body }: Answered): object => {
      const own = ['date', 'server', 'connection', 'keep-alive', 'x-ratelimit-remaining', 'x-ratelimit-reset']
      const lasting = Object.entries(headers).filter(([name]) => !own.includes(name))
      const counted = own.slice(-2).filter((name) => name in headers)
      const coding = headers['content-encoding']
      const plain = coding === 'br' ? brotliDecompressSync(body) : coding === 'gzip' ? gunzipSync(body) : body
      const text = plain.toString('utf8').replace(/"generatedAt":"[^"]{24}"/, '"generatedAt":"any"')
      return { status, headers: Object.fromEntries(lasting), counted, text }
    }

    test.each<[status: number, target: string, sending?: Asking]>([
      [200, '/api/public/stats'],
      [200, '/api/analytics/trending?period=30d&limit=3&category=%F0%9F%98%80'],
      [200, '/api/public/stats', { method: 'HEAD' }],
      [200, '/api/public/stats', { headers: { 'Accept-Encoding': 'gzip' } }],
      [200, '/api/public/stats', { headers: { 'Accept-Encoding': 'br' } }],
      [200, '/api/public/stats', { headers: { Range: 'bytes=0-9' } }],
      [200, '/api/openapi.json'],
      [404, '/', { headers: { Host: 'ideas.example.org:8443' } }],
      [204, '/api/public/stats', { method: 'OPTIONS' }],
      [304, '/api/public/stats', { headers: { 'If-None-Match': '*' } }],
      [400, '/api/analytics/trending?limit=0&period=1y'],
      [400, '/api/caf\xc3\xa9'],
      [404, '/api'],
      [404, '/api//public/stats'],
      [404, '/api/public/stats/'],
      [404, '/api/public%2Fstats'],
      [404, '/snapshots/missing.json'],
      [405, '/api/public/stats', { method: 'DELETE' }],
      [413, '/api/public/stats', { method: 'GET', body: 'x', headers: { 'Content-Length': '1' } }],
      [414, `/api/${'a'.repeat(5000)}`],
      [431, '/api/public/stats', { headers: { Cookie: 'a'.repeat(8500) } }],
    ])('%i %s %o: what the proxy answers passes as it is', async (status, target, sending) => {
      const direct = await ask(proxy.port, target, { ...sending, from: someone() })
      expect(direct.status).toBe(status)
      expect(comparable(await ask(port, target, { ...sending, from: someone() }))).toEqual(comparable(direct))
    })

    test('a machine without releases has all files that the proxy reads elsewhere', async () => {
      const front = await startNginx({ snapshots: temporaryFolder(), upstreams: [proxy.port] })
      closeLater(front, (used) => used.stop())
      for (const folder of ['current', `releases/${id}`, `releases/${olderId}`])
        for (const file of ['manifest.json', 'public/stats.json', 'nothing.json']) {
          const asked = (at: number): Promise<Answered> => ask(at, `/snapshots/${folder}/${file}`)
          expect(comparable(await asked(front.port))).toEqual(comparable(await asked(proxy.port)))
        }
    })

    test('a client cannot make itself another one with X-Forwarded-For: 100 pass, the 101st is the API’s own 429', async () => {
      const from = someone()
      const agent = closeLater(new Agent({ keepAlive: true, maxSockets: 1 }), (used) => used.destroy())
      const asSpoofed = (spoofed: string | string[]) =>
        ask(port, '/api/public/stats', { from, agent, headers: { 'X-Forwarded-For': spoofed } })
      for (let i = 1; i <= 100; i++) {
        const answer = await asSpoofed(i % 2 === 0 ? `203.0.113.${i}` : [`198.51.100.${i}`, '127.0.0.1'])
        expect([answer.status, answer.headers['x-ratelimit-remaining']]).toEqual([200, String(100 - i)])
      }
      const refused = await asSpoofed('203.0.113.250')
      const { error, message } = expectProblem(refused, 429)
      expect(error).toBe('Rate limit exceeded')
      expect(message).toMatch(/^Rate limit of 100 requests per hour exceeded\. Try again in \d+ seconds\.$/)
      expect(refused.headers['ratelimit-policy']).toBe('"default";q=100;w=3600')
      expect(refused.headers).toMatchObject({ 'x-ratelimit-limit': '100', 'x-ratelimit-remaining': '0' })
      expect(Number(refused.headers['retry-after'])).toBeGreaterThan(3500)
      expect((await ask(port, '/api/public/stats', { from: someone() })).status).toBe(200)
    })

    test.skipIf(!hasIpv6)('#ipv6: listens there, too', async () => {
      const both = await start({ upstreams: [proxy.port], on: ['ipv6'] })
      const answer = await ask(both.port, '/api/public/stats', { host: '::1' })
      expect([answer.status, answer.headers['x-ratelimit-remaining']]).toEqual([200, '99'])
    })

    test.each([
      '/api/public/stats',
      '/api/analytics/export?type=ideas&period=all&format=csv',
      '/snapshots/current/manifest.json',
    ])('a client that closes its half when it has asked gets its answer: %s', async (target) => {
      const whole = await ask(port, target, { from: someone() })
      const { socket, received } = await dial(port)
      socket.end(`GET ${target} HTTP/1.1\r\nHost: x\r\n\r\n`)
      await once(socket, 'close')
      const [head = '', body = ''] = received().toString('utf8').split('\r\n\r\n')
      expect(head).toMatch(/^HTTP\/1\.1 200 /)
      expect(Buffer.byteLength(body)).toBe(whole.body.length)
    })

    test('a body that never comes is not waited for: the proxy rejects it by its head', async () => {
      const { answers } = await converse(
        port,
        ['GET /api/public/stats HTTP/1.1\r\nHost: x\r\nContent-Length: 9\r\n\r\n'],
        {
          answers: 1,
        },
      )
      const { status = 0, headers = {}, body = '' } = answers[0] ?? {}
      expectProblem({ status, headers, text: body }, 413, CONTENT_TOO_LARGE)
      expect(headers['x-ratelimit-limit']).toBe('100')
    })

    test('every file that the manifest lists is served byte for byte, below current/ and below its release', async () => {
      const folder = join(snapshots, 'releases', id)
      const manifest = JSON.parse(readFileSync(join(folder, 'manifest.json'), 'utf8')) as { files: { path: string }[] }
      const paths = manifest.files.map(({ path }) => path)
      for (const kind of [
        /timeline\/all-by-day\.json$/,
        /outcomes\.json$/,
        /\/category\/[a-z0-9-]+\.json$/,
        /by-day\.csv$/,
      ])
        expect(paths).toContainEqual(expect.stringMatching(kind))
      const agent = closeLater(new Agent({ keepAlive: true, maxSockets: 4 }), (used) => used.destroy())
      const places = [
        ['/snapshots/current', CURRENT],
        [`/snapshots/releases/${id}`, IMMUTABLE],
      ] as const
      for (const [base, cacheControl] of places)
        for (const path of ['manifest.json', ...manifest.files.map((file) => file.path)]) {
          const { status, headers, body } = await ask(port, `${base}/${path}`, { agent })
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

    test.each(['notes.json', 'analytics/notes.json', 'analytics/category/notes.json', 'public/people.csv'])(
      'a file that somebody put beside those of a release is not served: %s',
      async (path) => {
        writeFileSync(join(snapshots, 'releases', id, path), '{}')
        for (const base of ['/snapshots/current', `/snapshots/releases/${id}`, ''])
          expect((await ask(port, `${base}/${path}`, { from: someone() })).status).toBe(404)
      },
    )

    test('a copy is good only while the file is the same one, and a preflight says what may be asked', async () => {
      const target = '/snapshots/current/analytics/categories/30d.json'
      // Not merely later: after a rollback the older file is another one.
      const later = new Date(Date.now() + 60_000).toUTCString()
      expect((await ask(port, target, { headers: { 'If-Modified-Since': later } })).status).toBe(200)
      expectProblem(await ask(port, target, { headers: { 'If-Match': '"other"' } }), 412, PRECONDITION_FAILED)
      for (const path of [target, '/snapshots/current/missing.json']) {
        const preflight = await ask(port, path, { method: 'OPTIONS' })
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

    test('a switch of current is seen by the very next request', async () => {
      try {
        for (let i = 0; i < 30; i++) {
          const now = i % 2 === 0 ? olderId : id
          await switchTo(releasePaths(snapshots), now, Date.now())
          const { text } = await ask(port, '/snapshots/current/manifest.json')
          expect((JSON.parse(text) as { id: string }).id).toBe(now)
        }
        const { etag = '' } = (await ask(port, '/snapshots/current/public/stats.json')).headers
        await switchTo(releasePaths(snapshots), olderId, Date.now())
        const target = '/snapshots/current/public/stats.json'
        expect((await ask(port, target, { headers: { 'If-None-Match': etag } })).status).toBe(200)
      } finally {
        await switchTo(releasePaths(snapshots), id, Date.now())
      }
    })

    test.each([
      '/snapshots/',
      '/snapshots/current',
      '/snapshots/current/',
      '/snapshots/releases/',
      '/snapshots/missing.json',
      '/snapshots/loose.json',
      '/snapshots/README.md',
      '/snapshots/.lock',
      '/snapshots/%2elock',
      '/snapshots/.journal',
      '/snapshots/.state',
      '/snapshots/.state/',
      '/snapshots/.state/ID.json',
      '/snapshots/%2estate/ID.json',
      '/snapshots/current/../.state/ID.json',
      '/snapshots/current/%2e%2e/.state/ID.json',
      '/snapshots/.hidden.json',
      '/snapshots/current/.hidden/x.json',
      '/snapshots/releases/.tmp-1-abc/manifest.json',
      '/snapshots/releases/%2Etmp-1-abc/manifest.json',
      '/snapshots/releases/.refused-ID/manifest.json',
      '/snapshots/releases/ID',
      '/snapshots/releases/20200101T000000000Z-00000000/manifest.json',
      '/snapshots//current/manifest.json',
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
      const { status, headers, text } = await ask(port, target.replace('ID', id))
      expect([status, headers['content-type'], headers['cache-control']]).toEqual([404, JSON_TYPE, 'no-store'])
      expect((JSON.parse(text) as Problem).error).toBe('Not Found')
    })

    test('a link in a release is served to nobody, wherever it leads; `current` and snapshots/releases may be links', async () => {
      const release = join(snapshots, 'releases', id)
      const planted: [path: string, target: string][] = [
        [join(release, 'analytics/export/users/planted.json'), join(snapshots, '../secret.json')],
        [join(release, 'analytics/export/users/own.json'), join(release, 'public/stats.json')],
        [join(release, 'analytics/export/users/coded.json.gz'), join(release, 'manifest.json.gz')],
        [join(release, 'analytics/export/linked'), join(release, 'analytics/export/users')],
        [join(snapshots, 'releases/20200101T000000000Z-00000001'), release],
      ]
      for (const [path, target] of planted) symlinkSync(target, path)
      writeFileSync(join(release, 'analytics/export/users/coded.json'), '{}')
      try {
        for (const path of [
          'analytics/export/users/planted.json',
          'analytics/export/users/own.json',
          'analytics/export/linked/all.json',
        ])
          for (const base of ['/snapshots/current', `/snapshots/releases/${id}`])
            expectProblem(await ask(port, `${base}/${path}`), 500)
        // At the root the proxy is asked, whose manifest has none of them.
        expectProblem(await ask(port, '/analytics/export/users/planted.json'), 404)
        const headers = { 'Accept-Encoding': 'gzip' }
        const coded = await ask(port, '/snapshots/current/analytics/export/users/coded.json', { headers })
        expect([coded.status, coded.headers['content-encoding'], coded.text]).toEqual([200, undefined, '{}'])
        expectProblem(await ask(port, '/snapshots/releases/20200101T000000000Z-00000001/manifest.json'), 500)
        await until(() => nginx.log().includes('planted.json'), 2_000, 'the log says which')
        for (const target of ['/snapshots/current/manifest.json', `/snapshots/releases/${id}/manifest.json`])
          expect((await ask(port, target, { headers })).status).toBe(200)
      } finally {
        for (const [path] of planted) rmSync(path)
        rmSync(join(release, 'analytics/export/users/coded.json'))
      }
      const elsewhere = `${snapshots}-releases`
      renameSync(join(snapshots, 'releases'), elsewhere)
      symlinkSync(elsewhere, join(snapshots, 'releases'))
      try {
        for (const target of ['/snapshots/current/manifest.json', `/snapshots/releases/${id}/manifest.json`])
          expect((await ask(port, target)).status).toBe(200)
      } finally {
        rmSync(join(snapshots, 'releases'))
        renameSync(elsewhere, join(snapshots, 'releases'))
      }
    })

    test('a file that nginx may not read is a 500, so that caches keep the copy they have', async () => {
      const file = join(snapshots, 'releases', id, 'analytics/export/users/unreadable.json')
      writeFileSync(file, '{}', { mode: 0o000 })
      try {
        expectProblem(
          await ask(port, '/snapshots/current/analytics/export/users/unreadable.json'),
          500,
          internalError('unexpected'),
        )
        const logged = (): boolean => /unreadable\.json" failed \(13: Permission denied\)/.test(nginx.log())
        await until(logged, 2_000, 'the log says which file and why')
      } finally {
        rmSync(file)
      }
    })
  })
})
