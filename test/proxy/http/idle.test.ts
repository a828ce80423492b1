// How long an idle connection stays: that of a client for seconds, that of a trusted proxy for longer than any balancer keeps it.
import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, onTestFinished, test } from 'vitest'
import { dial, serving } from '../../support/proxy.ts'

const REQUEST = 'GET /healthz HTTP/1.1\r\nHost: a\r\n\r\n'
/** After an answer node:http adds a second to the five. */
const AFTER_ANSWER_MS = 7_000
/** For a first head, looked at every second. */
const BEFORE_HEAD_MS = 12_500

describe.each([
  ['of a client', '192.0.2.1', false],
  ['of a trusted proxy', 'loopback', true],
])('a connection %s', (_, trustProxy, stays) => {
  const served = serving({}, { trustProxy })

  async function idle(requests: string, forMs: number): Promise<{ closed: boolean; statuses: string[] }> {
    const { socket, received } = await dial(served().port)
    let closed = false
    socket.on('error', () => undefined).once('close', () => (closed = true))
    onTestFinished(() => void socket.destroy())
    if (requests !== '') socket.write(requests)
    await sleep(forMs)
    if (!closed) socket.write(REQUEST)
    await sleep(300)
    return {
      closed,
      statuses:
        received()
          .toString()
          .match(/(?<=^HTTP\/1\.1 )\d+/gm) ?? [],
    }
  }

  test.concurrent('that was answered, by what comes after it', async () => {
    expect(await idle(REQUEST, AFTER_ANSWER_MS)).toEqual({ closed: !stays, statuses: stays ? ['200', '200'] : ['200'] })
  })

  test.concurrent('that was opened ahead of need', async () => {
    expect(await idle('', BEFORE_HEAD_MS)).toEqual({ closed: !stays, statuses: [stays ? '200' : '408'] })
  })

  test.concurrent('with half a head is closed, whoever began it', async () => {
    expect(await idle('GET /healthz HT', BEFORE_HEAD_MS)).toEqual({ closed: true, statuses: ['408'] })
  })
})
