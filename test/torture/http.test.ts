// A short version of each torture of the proxy (npm run torture), and that the judge of mutated requests would notice.
// long test: floods and slow clients, each for seconds
import { describe, expect, it } from 'vitest'
import { randomStream } from '../../src/demo/random.ts'
import { ask, startProgram, until } from '../support/proxy.ts'
import { publishRelease, snapshotsFolder } from '../support/release.ts'
import { LARGE_RELEASE } from '../support/large-release.ts'
import { manyClients } from './many-clients.ts'
import { judge } from './mutated-load.ts'
import { mutatedRequests } from './mutated-requests.ts'
import { KINDS, openPipelines, type Kind } from './pipelines.ts'
import { openCrowd } from './slow-crowd.ts'
import { stopsUnderLoad } from './stop-under-load.ts'
import type { Tally } from './tally.ts'
import { unreadPipelines } from './unread-pipelines.ts'

const seed = Number(process.env['TORTURE_SEED'] ?? Math.floor(Math.random() * 2 ** 31))
const signal = new AbortController().signal
const TIMEOUT_MS = 240_000

function expectToSurvive({ losses, tried }: Tally, atLeast: number): void {
  expect(losses, `TORTURE_SEED=${seed}`).toEqual([])
  expect(tried).toBeGreaterThanOrEqual(atLeast)
}

describe('the proxy, tortured', () => {
  it('answers mutated requests', { timeout: TIMEOUT_MS }, async () => {
    expectToSurvive(await mutatedRequests(5_000, randomStream(seed, 'mutated'), signal), 5_000)
  })

  it('loses no answer to SIGTERM, busy or not', { timeout: TIMEOUT_MS }, async () => {
    expectToSurvive(await stopsUnderLoad(2, randomStream(seed, 'stop'), signal), 2)
  })

  it('keeps rejecting the clients that it has rejected, in a flood of others', { timeout: TIMEOUT_MS }, async () => {
    expectToSurvive(await manyClients(20_000), 20_000)
  })

  it('answers others while requests are sent ahead and not read', { timeout: TIMEOUT_MS }, async () => {
    const attacks = [
      { connections: 1, requests: 300_000 },
      { connections: 30, requests: 10_000 },
    ]
    const kinds: readonly Kind[] = ['unread', 'half-read', 'closed in the middle']
    // Sent by this process, too, and next to other tests: no bound on time but that answers come.
    const bounds = { measuredMs: 4_000, maxP99Ms: 20_000, maxMoreMib: 320 }
    expectToSurvive(await unreadPipelines({ attacks, kinds }, bounds, signal, openPipelines), 30)
  })

  it('answers others while one address opens hundreds of connections', { timeout: TIMEOUT_MS }, async () => {
    const attacks = [{ connections: 200, requests: 31 }]
    const options = ['--trust-proxy', '192.0.2.1']
    const bounds = { measuredMs: 1_500, maxP99Ms: 20_000, maxMoreMib: 200 }
    expectToSurvive(await unreadPipelines({ attacks, kinds: KINDS, options }, bounds, signal, openPipelines), 30)
  })

  it('answers honest clients while others are slow, and disconnects slow heads', { timeout: TIMEOUT_MS }, async () => {
    const folder = snapshotsFolder()
    await publishRelease(folder.dir, LARGE_RELEASE)
    const proxy = await startProgram(['--snapshots', folder.dir, '--rate-limit', '100000'])
    const crowd = await openCrowd(proxy.port, 200, 20)
    try {
      for (let i = 0; i < 100; i++) expect((await ask(proxy.port, '/api/public/stats')).status).toBe(200)
      await until(() => crowd.longestHeadMs > 0, 15_000, 'a head that never ends is ended')
      expect((await ask(proxy.port, '/api/public/stats')).status).toBe(200)
      expect(crowd.longestHeadMs).toBeGreaterThan(9_000)
    } finally {
      crowd.close()
      await proxy.kill()
      folder.remove()
    }
  })
})

describe('the judge of answers notices', () => {
  const answer = (status: number, body: string, lines = 'Cache-Control: no-store\r\n'): string =>
    `HTTP/1.1 ${status} X\r\n${lines}Content-Length: ${body.length}\r\n\r\n${body}`
  const PROBLEM = '{"error":"a","message":"b"}'

  it.each<[string, string, number[], number]>([
    ['nothing in sound answers', answer(200, 'abc', '') + answer(404, PROBLEM), [200, 404], 0],
    ['nothing in a HEAD', answer(404, PROBLEM).slice(0, -PROBLEM.length), [404], 0],
    ['a 500', answer(500, PROBLEM), [500], 1],
    ['an error that may be stored', answer(404, PROBLEM, ''), [404], 1],
    ['an error of another shape', answer(400, '{"error":"a"}'), [400], 1],
    ['an error with more in it', answer(400, '{"error":"a","message":"b","stack":"c"}'), [400], 1],
    ['an error that is no JSON', answer(400, 'Bad Request'), [400], 1],
    ['bytes behind an answer', `${answer(200, 'abc')}d`, [200], 1],
  ])('%s', (_, text, statuses, problems) => {
    const judged = judge(text, 'HEAD')
    expect(judged.statuses).toEqual(statuses)
    expect(judged.problems).toHaveLength(problems)
  })
})
