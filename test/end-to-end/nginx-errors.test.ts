// The errors that nginx answers itself, with the repository's nginx.conf: the API's JSON.
import { Agent } from 'node:http'
import { beforeAll, describe, expect, test } from 'vitest'
import {
  badRequest,
  contentTooLarge,
  headersTooLarge,
  PROBLEM_TITLES,
  uriTooLong,
} from '../../src/contract/problems.ts'
import { nginxAvailable } from '../support/nginx.ts'
import { converse, until } from '../support/proxy.ts'
import { describeWithComponent } from '../support/real-component.ts'
import {
  expectProblem,
  nginxScene,
  send,
  someone,
  startUpstream,
  type Problem,
  type Upstream,
} from '../support/nginx-scene.ts'

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

    test('a flood is rejected with 429, far above the API’s own limit, and for its sender only', async () => {
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
})
