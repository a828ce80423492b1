// The real nginx with the repository's nginx.conf before a tiny upstream that remembers what reached it: the errors that nginx
// answers itself are the API's JSON, and the rest passes as it is.
import { execFileSync } from 'node:child_process'
import { once } from 'node:events'
import { Agent } from 'node:http'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import fc from 'fast-check'
import { beforeAll, describe, expect, test } from 'vitest'
import {
  badRequest,
  CONTENT_TOO_LARGE,
  HEADERS_TOO_LARGE,
  PROBLEM_TITLES,
  URI_TOO_LONG,
} from '../../src/contract/problems.ts'
import { nginxAvailable, type Nginx } from '../support/nginx.ts'
import {
  BIG_BYTES,
  expectProblem,
  nginxScene,
  someone,
  startUpstream,
  type Problem,
  type Upstream,
} from '../support/nginx-scene.ts'
import { ask, converse, dial, until, type Asking } from '../support/proxy.ts'
import { describeWithComponent } from '../support/real-component.ts'

describeWithComponent('nginx.conf', nginxAvailable(), () => {
  const { closeLater, start } = nginxScene()

  describe('what nginx itself has to reject is the API’s JSON', () => {
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
      ['a large body', 413, get('/api/public/stats', 'Content-Length: 100000'), CONTENT_TOO_LARGE],
      ['a target of 100 KB', 414, get(`/api/${long(100_000)}`), URI_TOO_LONG],
      ['a header of 100 KB', 431, get('/api/public/stats', `Cookie: ${long(100_000)}`), HEADERS_TOO_LARGE],
      [
        '40 KB of headers',
        431,
        get('/api/public/stats', ...Array<string>(40).fill(`X: ${long(1000)}`)),
        HEADERS_TOO_LARGE,
      ],
    ])('%s: %i', async (_what, status, bytes, problem) => {
      const before = upstream.seen.length
      const { answers } = await converse(port, [bytes], { answers: 1 })
      expect(answers.map(({ headers }) => headers['connection'])).toEqual(['close'])
      const { headers = {}, body = '', status: is = 0 } = answers[0] ?? {}
      const { error } = expectProblem({ status: is, headers, text: body }, status, problem)
      expect(error).toBe(Object.entries(PROBLEM_TITLES).find(([one]) => one === String(status))?.[1])
      expect(headers['allow']).toBe(status === 405 ? 'GET, HEAD, OPTIONS' : undefined)
      expect(upstream.seen.length).toBe(before)
    })

    test('no client can fill the log: what is rejected leaves no line', async () => {
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

    test('502 when the proxy hangs up, which says when to try again', async () => {
      const before = upstream.seen.length
      const answer = await ask(port, '/api/reset', { from: someone() })
      expect(expectProblem(answer, 502).error).toBe('Bad Gateway')
      expect(answer.headers['retry-after']).toBe('5')
      // A kept connection may have been closed while idle, so one failure on it is tried again on a new one.
      expect(upstream.seen.length - before).toBeLessThanOrEqual(2)
      const head = await ask(port, '/api/reset', { method: 'HEAD', from: someone() })
      expect([head.status, head.text, head.headers['cache-control']]).toEqual([502, '', 'no-store'])
    })

    test('502 when there is no proxy at all, for the page and for health, too; files are served all the same', async () => {
      const nobody = await startUpstream()
      await nobody.close()
      const nginx = await start({ upstreams: [nobody.port] })
      for (const target of ['/api/public/stats', '/api', '/', '/healthz'])
        expectProblem(await ask(nginx.port, target), 502)
      expect((await ask(nginx.port, '/snapshots/current/public/stats.json')).status).toBe(200)
    })

    test('a flood is rejected with 429, far above the API’s own limit, and for its sender only', async () => {
      const from = someone()
      const agent = closeLater(new Agent({ keepAlive: true, maxSockets: 20 }), (used) => used.destroy())
      const answers = await Promise.all(Array.from({ length: 400 }, () => ask(port, '/api/x', { from, agent })))
      const refused = answers.filter(({ status }) => status !== 200)
      expect(400 - refused.length).toBeGreaterThanOrEqual(200)
      expect(refused.length).toBeGreaterThan(0)
      for (const answer of refused) {
        expect(expectProblem(answer, 429).error).toBe('Too Many Requests')
        expect(answer.headers).toMatchObject({
          'retry-after': '5',
          'ratelimit-policy': '"flood";q=20;w=1',
          'x-ratelimit-limit': '20',
          'x-ratelimit-remaining': '0',
        })
        const reset =
          Number(answer.headers['x-ratelimit-reset']) - Math.floor(Date.parse(answer.headers.date ?? '') / 1000)
        expect(reset).toBeGreaterThanOrEqual(0)
        expect(reset).toBeLessThan(10)
        expect(answer.headers['access-control-expose-headers']).toContain('X-RateLimit-Reset, RateLimit-Policy')
      }
      expect((await ask(port, '/api/x', { from: someone() })).status).toBe(200)
      expect((await ask(port, '/snapshots/current/public/stats.json', { from })).status).toBe(200)
    })

    test('64 requests at once reach the proxy, the 65th is a 429; of a proxy that does not answer a 504 says when to try again', async () => {
      const from = someone()
      const before = upstream.seen.length
      const hanging = Array.from({ length: 64 }, () => ask(port, '/api/hang', { from }))
      await until(() => upstream.seen.length === before + 64, 1_500, '64 requests at the upstream')
      expectProblem(await ask(port, '/api/x', { from }), 429)
      for (const answer of await Promise.all(hanging)) {
        expect(expectProblem(answer, 504).error).toBe('Gateway Timeout')
        expect(answer.headers['retry-after']).toBe('5')
      }
      // None was tried again.
      expect(upstream.seen.length - before).toBe(64)
    })
  })

  describe('what reaches the proxy', () => {
    let upstream: Upstream
    let nginx: Nginx
    beforeAll(async () => {
      upstream = closeLater(await startUpstream(), (used) => used.close())
      nginx = await start({ upstreams: [upstream.port] })
    })
    const reached = async (target: string, sending: Asking = {}) => {
      const answer = await ask(nginx.port, target, { from: someone(), ...sending })
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
})
