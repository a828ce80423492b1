// The admin port of analytics-proxy: who may ask what there, and how it begins and ends.
import { once } from 'node:events'
import { createServer, type AddressInfo } from 'node:net'
import { describe, expect, test } from 'vitest'
import { startAdminServer } from '../../../src/proxy/metrics/admin-server.ts'
import { LARGE_RELEASE, stalledReader } from '../../support/large-release.ts'
import { PREFIX, requests, scrape } from '../../support/metrics.ts'
import { perTest } from '../../support/per-test.ts'
import { ask, runProgram, serving, startProgram, until, type ProxyProgram } from '../../support/proxy.ts'
import { publishRelease } from '../../support/release.ts'

const STATS = '/api/public/stats'

const { folder, running } = perTest()

async function program(args: readonly string[]): Promise<{ program: ProxyProgram; adminPort: number }> {
  const started = await startProgram(['--snapshots', folder.dir, '--admin-port', '0', ...args])
  running.push(() => started.kill())
  await until(() => started.stdout().split('\n').length > 2, 2000, 'the second line')
  const [, second = ''] = started.stdout().split('\n')
  expect(second).toMatch(/^http:\/\/[^/]+:\d+\/metrics$/)
  return { program: started, adminPort: Number(new URL(second).port) }
}

async function takenPort(): Promise<string> {
  const taken = createServer().listen(0, '127.0.0.1')
  await once(taken, 'listening')
  running.push(() => Promise.resolve(taken.close()))
  return String((taken.address() as AddressInfo).port)
}

describe('the port', () => {
  const served = serving({}, { limit: 1 })
  const admin = async () => {
    const { context } = served()
    const server = await startAdminServer(context, '127.0.0.1', 0)
    running.push(() => server.stop())
    return server.address.port
  }

  test.each<[method: string, target: string, status: number]>([
    ['GET', '/metrics', 200],
    ['GET', '/metrics?name=x', 200],
    ['HEAD', '/metrics', 200],
    ['POST', '/metrics', 200],
    ['GET', '/', 404],
    ['GET', '/metrics/', 404],
    ['GET', '/healthz', 404],
    ['GET', STATS, 404],
  ])('%s %s: %i', async (method, target, status) => {
    const answer = await ask(await admin(), target, { method })
    expect(answer.status).toBe(status)
    expect(answer.headers['cache-control']).toBe('no-store')
    expect(answer.headers['access-control-allow-origin']).toBeUndefined()
    expect(answer.text === '').toBe(method === 'HEAD')
  })

  test('the public one does not know it', async () => {
    expect((await ask(served().port, '/metrics')).status).toBe(404)
  })

  test('reading it is not limited and counts nowhere', async () => {
    const adminPort = await admin()
    const counts = async () =>
      [...(await scrape(adminPort))].filter(([sample]) => /requests_total|clients/.test(sample))
    const before = await counts()
    for (let i = 0; i < 5; i++) expect((await ask(adminPort, '/metrics')).status).toBe(200)
    expect(await counts()).toEqual(before)
  })

  test('the address is the second line; it answers to the end of a drain, and nothing is left then', async () => {
    await publishRelease(folder.dir, LARGE_RELEASE)
    const { program: proxy, adminPort } = await program([])
    const { socket } = await stalledReader(proxy.port)
    socket.on('error', () => undefined)
    proxy.child.kill('SIGTERM')
    await until(() => proxy.stderr().includes('stopping'), 1000, 'it is stopping')
    expect((await scrape(adminPort)).get(`${PREFIX}${requests('export', 200)}`)).toBe(1)
    socket.destroy()
    const { code, ms } = await proxy.ended()
    expect([code, ms < 4000]).toEqual([0, true])
    expect(proxy.stdout().trimEnd().split('\n').length).toBe(2)
    expect(proxy.stderr()).not.toContain('"warn"')
  })

  test('taken: exit 3, named, and the public port is not left open', async () => {
    await publishRelease(folder.dir)
    const port = await takenPort()
    const args = ['--snapshots', folder.dir, '--port', '0', '--admin-port', port]
    const { code, stdout, stderr } = await runProgram(args)
    expect([code, stdout]).toEqual([3, ''])
    expect(stderr).toContain(
      `cannot listen on 127.0.0.1 port ${port}: another program listens there; give --admin-port`,
    )
  })

  test('the public port taken: exit 3, and the admin port does not keep the process', async () => {
    const args = ['--snapshots', folder.dir, '--port', await takenPort(), '--admin-port', '0']
    expect(await runProgram(args)).toMatchObject({ code: 3, stdout: '' })
  })

  test('open to others: a warning', async () => {
    const { program: proxy, adminPort } = await program(['--admin-port', '0.0.0.0:0'])
    const warning = `--admin-port 0.0.0.0:${adminPort} is not loopback`
    await until(() => proxy.stderr().includes(warning), 1000, 'a warning')
  })
})
