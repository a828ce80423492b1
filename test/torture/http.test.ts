// A short version of each torture of the proxy (npm run torture).
// long test: floods and slow clients, each for seconds
// all of it after a change of: src/proxy/http/, src/proxy/limit/, src/proxy/planes/, src/proxy/server.ts, test/torture/
import { describe, it } from 'vitest'
import { LARGE_RELEASE } from '../support/large-release.ts'
import { manyClients } from './many-clients.ts'
import { mutatedRequests } from './mutated-requests.ts'
import { KINDS, openPipelines, type Kind } from './pipelines.ts'
import { shortTorture, TIMEOUT_MS } from './short-torture.ts'
import { unreadPipelines, type Attacks, type Bounds } from './unread-pipelines.ts'

const { random, signal, some, times, expectToSurvive } = shortTorture('http')

/** Sent by this process, too, and next to other tests: no bound on time but that answers come. */
const attacked = async (attacks: Attacks, bounds: Omit<Bounds, 'maxP99Ms'>): Promise<void> => {
  const kinds = some(attacks.kinds)
  await expectToSurvive(
    await unreadPipelines({ ...attacks, kinds }, { ...bounds, maxP99Ms: 20_000 }, signal, openPipelines),
    30,
  )
}

describe('the proxy, tortured', { timeout: TIMEOUT_MS }, () => {
  it('answers mutated requests', async () => {
    await expectToSurvive(await mutatedRequests(times(5_000), random, signal), 5_000)
  })

  it('keeps rejecting the clients that it has rejected, in a flood of others', async () => {
    await expectToSurvive(await manyClients(20_000), 20_000)
  })

  it('answers others while requests are sent ahead and not read', () => {
    const attacks = [
      { connections: 1, requests: 300_000 },
      { connections: 30, requests: 10_000 },
    ]
    const kinds: readonly Kind[] = ['unread', 'half-read', 'closed in the middle']
    return attacked({ attacks, kinds }, { measuredMs: 4_000, maxMoreMib: 320 })
  })

  it('answers others while one address opens hundreds of connections', () => {
    const options = ['--trust-proxy', '192.0.2.1']
    const attacks = [{ connections: 200, requests: 31 }]
    return attacked({ attacks, kinds: KINDS, options }, { measuredMs: 1_500, maxMoreMib: 200 })
  })

  it('answers others while some are slow', () => {
    const attacks = [{ connections: 100, requests: 1 }]
    const kinds: readonly Kind[] = ['slow heads', 'slow readers']
    return attacked({ attacks, kinds, release: LARGE_RELEASE }, { measuredMs: 4_000, maxMoreMib: 400 })
  })
})
