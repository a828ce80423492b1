// real test: opens connections to a server of its own.
// What a stopping server still owes: connections that reached the kernel before it stopped are answered, however late the
// process was to take them.
import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import { connect, type Socket } from 'node:net'
import { text } from 'node:stream/consumers'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { drain } from '../../../src/proxy/http/listen.ts'
import { ownServer } from '../own-proxy.ts'

async function listening(doesAnswer = true): Promise<{ server: Server; port: number; sockets: Set<Socket> }> {
  const sockets = new Set<Socket>()
  const server = createServer((_request, response) => {
    response.shouldKeepAlive = false
    if (doesAnswer) response.end('answered')
  })
  return { server, port: await ownServer(server, sockets), sockets }
}

const ask = (port: number): Socket => connect(port, '127.0.0.1').end('GET / HTTP/1.1\r\nHost: a\r\n\r\n')

function keepBusy(ms: number): void {
  for (const endMs = performance.now() + ms; performance.now() < endMs;);
}

test('answers all connections that wait in the kernel when a busy process comes to stop', async () => {
  const { server, port, sockets } = await listening()
  const drained = drain(server, sockets, 5_000)
  const clients = Array.from({ length: 100 }, () => ask(port))
  const answers = Promise.all(clients.map((client) => text(client).catch((error: Error) => error.message)))
  // The connections are made in this tick; the process takes none of them before the wait of the drain is over.
  await new Promise<void>((next) => process.nextTick(next))
  keepBusy(200)
  for (const answer of await answers) expect(answer).toMatch(/^HTTP\/1\.1 200 [^]*answered$/)
  await drained
})

test('cuts what is not answered when the time is up', async () => {
  const { server, port, sockets } = await listening(false)
  // node:http closes a connection whose client has closed its half.
  const client = connect(port, '127.0.0.1').on('error', () => {})
  client.write('GET / HTTP/1.1\r\nHost: a\r\n\r\n')
  await once(server, 'request')
  const startMs = performance.now()
  await drain(server, sockets, 500)
  const ms = performance.now() - startMs
  expect([ms > 450, ms < 2_000]).toEqual([true, true])
  client.destroy()
})

test('stops although new connections never end', async () => {
  const { server, port, sockets } = await listening()
  const flooding = new AbortController()
  const flood = (async () => {
    while (!flooding.signal.aborted) {
      const client = ask(port)
        .resume()
        .on('error', () => client.destroy())
      await new Promise(setImmediate)
    }
  })()
  try {
    const ended = await Promise.race([drain(server, sockets, 1_000).then(() => 'stopped'), sleep(20_000)])
    expect(ended).toBe('stopped')
  } finally {
    flooding.abort()
    await flood
  }
})
