// What passes the repository's nginx.conf to the proxy, and how: shown by an upstream that remembers what reached it.
import { execFileSync } from 'node:child_process'
import { once } from 'node:events'
import { Agent } from 'node:http'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import fc from 'fast-check'
import { beforeAll, describe, expect, test } from 'vitest'
import { nginxAvailable, type Nginx } from '../support/nginx.ts'
import { dial, until } from '../support/proxy.ts'
import { describeWithComponent } from '../support/real-component.ts'
import {
  BIG_BYTES,
  nginxScene,
  send,
  someone,
  startUpstream,
  type Sending,
  type Upstream,
} from '../support/nginx-scene.ts'

describeWithComponent('nginx.conf', nginxAvailable(), () => {
  const { closeLater, start } = nginxScene()

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
