// A short version of each torture of the proxy (npm run torture).
// long test: floods and slow clients, each for seconds
import { describe, expect, it } from 'vitest'
import { randomStream } from '../../src/demo/random.ts'
import { LARGE_RELEASE } from '../support/large-release.ts'
import { manyClients } from './many-clients.ts'
import { mutatedRequests } from './mutated-requests.ts'
import { KINDS, openPipelines, type Kind } from './pipelines.ts'
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

  it('answers others while some are slow', { timeout: TIMEOUT_MS }, async () => {
    const attacks = [{ connections: 100, requests: 1 }]
    const kinds: readonly Kind[] = ['slow heads', 'slow readers']
    const bounds = { measuredMs: 4_000, maxP99Ms: 20_000, maxMoreMib: 400 }
    expectToSurvive(
      await unreadPipelines({ attacks, kinds, release: LARGE_RELEASE }, bounds, signal, openPipelines),
      30,
    )
  })
})
