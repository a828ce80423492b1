// The real nginx with the repository's nginx.conf: how it starts, and its optional lines.
import { execFileSync, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, existsSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { Agent, type IncomingHttpHeaders } from 'node:http'
import { connect as connectHttp2 } from 'node:http2'
import { dirname, join } from 'node:path'
import { beforeAll, describe, expect, test } from 'vitest'
import { badRequest, HEADERS_TOO_LARGE, URI_TOO_LONG } from '../../src/contract/problems.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'
import { NGINX_CONF, nginxAvailable, startNginx } from '../support/nginx.ts'
import { describeWithComponent, findProgram } from '../support/real-component.ts'
import { CURRENT, expectProblem, nginxScene, someone, startUpstream } from '../support/nginx-scene.ts'
import { ask } from '../support/proxy.ts'

describeWithComponent('nginx.conf', nginxAvailable(), (bin) => {
  const { closeLater, start, startProxy, published } = nginxScene()
  let snapshots = ''
  beforeAll(() => ({ snapshots } = published))

  test('nginx -t passes on the untouched file without a warning, and leaves nothing that git would see', () => {
    const root = temporaryFolder()
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
    const names = left.map((name) => (name === 'nginx.pid' ? '/nginx.pid' : name.replace(/^(nginx-temp-).+/, '/$1*/')))
    expect([...new Set(names)].sort()).toEqual(['/nginx-temp-*/', '/nginx.pid'])
    expect(ignored).toEqual(expect.arrayContaining(names))
  })

  const compiler = findProgram('cc', 'gcc')
  test.skipIf(!compiler.ok)('starts where the kernel has no IPv6', async () => {
    const folder = temporaryFolder()
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
    expect((await ask(nginx.port, '/snapshots/current/manifest.json')).status).toBe(200)
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
      expect((await ask(nginx.port, '/snapshots/current/public/stats.json')).status).toBe(200)
      expect(nginx.log()).not.toMatch(/\[(?:warn|crit|emerg)\]/)
    } finally {
      await nginx.stop()
    }
    expect(existsSync(nginx.prefix)).toBe(false)
  })

  describe('the optional lines, switched on as the file says', () => {
    test('#tls: HTTP/2 and HTTP/1.1, HSTS; plain HTTP on that port is the API’s 400', async () => {
      const nginx = await start({ upstreams: [(await startProxy()).port], on: ['tls'] })
      const { tlsPort } = nginx
      const hsts = 'max-age=31536000'
      const old = await ask(tlsPort, '/api/public/stats', { tls: true })
      expect([old.status, old.headers['strict-transport-security']]).toEqual([200, hsts])
      const file = await ask(tlsPort, '/snapshots/current/public/stats.json', { tls: true })
      expect([file.status, file.headers['cache-control']]).toEqual([200, CURRENT])
      expectProblem(await ask(tlsPort, '/api/public/stats'), 400, badRequest('it is not valid HTTP/1.1'))
      expectProblem(
        await ask(tlsPort, '/api/x', { tls: true, headers: { Cookie: 'a'.repeat(12_000) } }),
        431,
        HEADERS_TOO_LARGE,
      )

      const session = connectHttp2(`https://127.0.0.1:${tlsPort}`, { rejectUnauthorized: false })
      const get = async (path: string, more: Record<string, string> = {}) => {
        const stream = session.request({ ':path': path, ...more })
        const [headers] = (await once(stream, 'response')) as [Record<string, string | number>]
        const chunks = await stream.toArray()
        const text = Buffer.concat(chunks as Buffer[]).toString('utf8')
        return { status: Number(headers[':status']), headers: headers as IncomingHttpHeaders, text }
      }
      try {
        const answer = await get('/api/public/stats', { 'x-forwarded-for': '203.0.113.5' })
        expect(answer.status).toBe(200)
        // The same client as over HTTP/1.1, so the second and third of its requests.
        expect(answer.headers).toMatchObject({ 'x-ratelimit-remaining': '98', 'strict-transport-security': hsts })
        expect((await get('/snapshots/current/manifest.json')).headers['cache-control']).toBe(CURRENT)
        expectProblem(await get('/api/x', { cookie: 'a'.repeat(12_000) }), 431, HEADERS_TOO_LARGE)
        expectProblem(await get(`/api/${'a'.repeat(12_000)}`), 414, URI_TOO_LONG)
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
        const again = () => ask(port, '/api/public/stats', { from, agent })
        const answers = await Promise.all(Array.from({ length: 120 }, again))
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
        const answer = await ask(port, '/api/x', { agent, headers: { 'X-Forwarded-For': forwardedFor } })
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

    test('#cdn: an address of IPv6 that carries one of IPv4 is counted as that, each apart from others', async () => {
      const { port } = await start({
        upstreams: [(await startUpstream()).port],
        on: ['cdn'],
        replace: { '192.0.2.0/24': '127.0.0.0/24', 'rate=20r/s': 'rate=1r/m', 'burst=200': 'burst=1' },
      })
      const statusesOf = async (addresses: readonly string[]) => {
        const found: number[] = []
        for (const address of addresses)
          found.push((await ask(port, '/api/x', { headers: { 'X-Forwarded-For': address } })).status)
        return found
      }
      // Two at once are within the limit, the third is not.
      for (const one of [
        ['198.51.100.1', '64:ff9b::198.51.100.1', '64:ff9b:1:fe:1::198.51.100.1'],
        ['::ffff:198.51.100.2', '2002:c633:6402::1', '2002:c633:6402:ffff::2'],
        ['::ffff:0:198.51.100.3', '64:ff9b:1::198.51.100.3', '2002:c633:6403::'],
        ['2001:0:1::39cc:9bfb', '2001:0:2:3:4:5:39cc:9bfb', '2001::39cc:9bfb'],
        ['64:ff9b:1:c633:64:500::', '64:ff9b:1:c633:64:500::', '64:ff9b:1:c633:64:500::'],
      ])
        expect([one, await statusesOf(one)]).toEqual([one, [200, 200, 429]])
      const apart = ['64:ff9b::198.51.100.9', '64:ff9b::198.51.100.10', '64:ff9b::198.51.100.11', '2002:c633:640c::']
      apart.push(
        '2001::39cc:9bf2',
        '2001::39cc:9bf1',
        '2001::39cc:9bf0',
        '64:ff9b:1:c633:64:600::',
        '64:ff9b:1:c633:64:700::',
      )
      expect(await statusesOf(apart)).toEqual(apart.map(() => 200))
    })

    test('#several: what one proxy may still be working on is not given to the other', async () => {
      const upstreams = [await startUpstream(), await startUpstream()]
      for (const each of upstreams) closeLater(each, (used) => used.close())
      const replace = { 'proxy_read_timeout 20s': 'proxy_read_timeout 1s' }
      const { port } = await start({ upstreams: upstreams.map((each) => each.port), on: ['several'], replace })
      expectProblem(await ask(port, '/api/hang'), 504)
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
          expect((await ask(port, target, { headers: { 'X-Forwarded-For': inside } })).status, inside).toBe(200)
        for (const outside of ['203.0.113.1', '172.32.0.1', '2001:db9::1'])
          expectProblem(await ask(port, target, { headers: { 'X-Forwarded-For': outside } }), 404)
      }
      expect((await ask(port, '/freshz')).status).toBe(503)
      expect((await ask(port, '/api/public/stats', { headers: { 'X-Forwarded-For': '203.0.113.1' } })).status).toBe(200)
    })
  })
})
