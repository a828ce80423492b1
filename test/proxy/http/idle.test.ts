// How long an idle connection stays: that of a client for seconds, that of a trusted proxy for longer than any balancer keeps it.
// malformed.test.ts waits for the true times.
import { readFileSync } from 'node:fs'
import type { Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, expect, test } from 'vitest'
import { SERVER_OPTIONS, TRUSTED_KEEP_ALIVE_MS } from '../../../src/proxy/server.ts'
import { dial, serving, until } from '../../support/proxy.ts'

const REQUEST = 'GET /healthz HTTP/1.1\r\nHost: a\r\n\r\n'
/** After an answer node:http adds a second to the time. */
const SOON = { keepAliveTimeout: 300, headersTimeout: 500, requestTimeout: 500, connectionsCheckingInterval: 50 }
/** Longer than any of these. */
const LATER_MS = 2_000

const untrusting = serving({}, { trustProxy: '192.0.2.1', serverOptions: SOON })
const trusting = serving({}, { trustProxy: 'loopback', serverOptions: SOON })
const open: Socket[] = []
afterAll(() => open.forEach((socket) => socket.destroy()))

test.concurrent.each([
  ['of a client', 'that was answered, closes', untrusting, REQUEST, ['200']],
  ['of a client', 'that was opened ahead of need, closes', untrusting, '', ['408']],
  ['of a client', 'with half a head closes', untrusting, 'GET /healthz HT', ['408']],
  ['of a trusted proxy', 'that was answered, stays', trusting, REQUEST, ['200', '200']],
  ['of a trusted proxy', 'that was opened ahead of need, stays', trusting, '', ['200']],
  ['of a trusted proxy', 'with half a head closes', trusting, 'GET /healthz HT', ['408']],
])('a connection %s %s', async (_, what, served, sent, expected) => {
  const { socket, received } = await dial(served().port)
  open.push(socket)
  socket.on('error', () => undefined)
  if (sent !== '') socket.write(sent)
  const statuses = () =>
    received()
      .toString()
      .match(/(?<=^HTTP\/1\.1 )\d+/gm)
  if (what.endsWith('stays')) {
    await sleep(LATER_MS)
    socket.write(REQUEST)
    await until(() => statuses()?.length === expected.length, 5_000, 'an answer after that time')
  } else await until(() => socket.closed, 10_000, 'it is closed')
  expect(statuses()).toEqual(expected)
})

test('the times are those that are documented', () => {
  const secondsIn = (file: string, sentence: RegExp) => Number(sentence.exec(readFileSync(file, 'utf8'))![1])
  const documented = {
    head: secondsIn('SECURITY.md', /headers 8 KiB, (\d+) seconds to send them/),
    answered: secondsIn('nginx.conf', /below the (\d+) s of a proxy that does not trust/),
    trusted: secondsIn('docs/deployment.md', /such an address stays open for (\d+) seconds without a request/),
  }
  const { headersTimeout: headMs = 0, requestTimeout: requestMs, keepAliveTimeout: keepAliveMs = 0 } = SERVER_OPTIONS
  expect(documented).toEqual({
    head: headMs / 1000,
    answered: keepAliveMs / 1000,
    trusted: TRUSTED_KEEP_ALIVE_MS / 1000,
  })
  expect(requestMs).toBe(headMs)
})
