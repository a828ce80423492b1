// real test: the memory of the limiter under floods of 400,000 clients
import { expect, test } from 'vitest'
import type { ClientKey } from '../../../src/proxy/limit/client-key.ts'
import { createMemoryRateLimiter } from '../../../src/proxy/limit/rate-limit.ts'

const HOUR_MS = 3_600_000

const prefix = (n: number): string => String.fromCharCode(0x2001, n >> 16, n & 0xffff, 0)

test.each<[string, (n: number) => ClientKey]>([
  ['IPv4', (n) => n | 0],
  ['IPv6', prefix],
  ['both', (n) => (n % 2 === 0 ? n : prefix(n))],
])('of a flood of 400,000 clients, %s, the latest of 200,000 are remembered', (_, keyOf) => {
  const max = 200_000
  const limiter = createMemoryRateLimiter({ limit: 3, windowMs: HOUR_MS, maxClients: max, monotonicMs: () => 0 })
  for (let i = 0; i < 3; i++) limiter.take('greedy')
  const isRemembered = (n: number) => limiter.take(keyOf(n), 0).remaining === 2
  for (let n = 0; n < max - 1; n++) limiter.take(keyOf(n))
  expect(limiter.clients).toBe(max)
  for (let n = 0; n < max - 1; n++) if (!isRemembered(n)) throw new Error(`${n} is forgotten`)
  for (let n = max - 1; n < 2 * max; n++) {
    limiter.take(keyOf(n))
    if (limiter.clients > max) throw new Error(`${limiter.clients} are remembered`)
  }
  expect(limiter.clients).toBeGreaterThanOrEqual((max * 7) / 8)
  const first = 2 * max - (limiter.clients - 1)
  for (let n = 0; n < 2 * max; n++) if (isRemembered(n) !== n >= first) throw new Error(`${n}: not the latest`)
  expect(limiter.take('greedy').allowed).toBe(false)
})
