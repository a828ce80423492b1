import fc from 'fast-check'
import { describe, expect, test, vi } from 'vitest'
import { rateAnswers } from '../../../src/proxy/answer/api-headers.ts'
import { createMemoryRateLimiter } from '../../../src/proxy/limit/rate-limit.ts'

const HOUR_MS = 3_600_000
const AS_OF_MS = Date.parse('2026-05-20T09:30:00Z')

function handDriven(options: { limit?: number; windowMs?: number; maxClients?: number; startMs?: number }) {
  const clock = { nowMs: options.startMs ?? 0 }
  const { limit = 100, windowMs = HOUR_MS, maxClients = 1000 } = options
  const limiter = createMemoryRateLimiter({ limit, windowMs, maxClients, monotonicMs: () => clock.nowMs })
  return { limiter, clock }
}

describe('a fixed window from the first request', () => {
  test('IPv4 and IPv6 clients, and the one without an address, are counted apart', () => {
    const { limiter } = handDriven({ limit: 1 })
    const keys = [0, 1, -1, '', '0', '\u2001\u0DB8\u0001\u0100', '\uD800\uDC00\u0000\u0000']
    for (const key of keys) expect(limiter.take(key).allowed, String(key)).toBe(true)
    for (const key of keys) expect(limiter.take(key).allowed, String(key)).toBe(false)
    expect(limiter.clients).toBe(keys.length)
  })

  test('agrees with a model that remembers every request, whatever the order and the pauses', () => {
    const windowMs = 1000
    const step = fc.record({
      pauseMs: fc.oneof(fc.constant(0), fc.integer({ min: 0, max: 400 }), fc.integer({ min: 900, max: 3000 })),
      key: fc.constantFrom<number | string>(1, 2, -1, 'x'),
      requests: fc.integer({ min: 0, max: 8 }),
    })
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 6 }), fc.array(step, { maxLength: 60 }), (limit, steps) => {
        const { limiter, clock } = handDriven({ limit, windowMs, startMs: 123_456.75 })
        const allowedAtMs = new Map<number | string, number[]>()
        const [answers, expected] = [[] as unknown[], [] as unknown[]]
        for (const { pauseMs, key, requests } of steps) {
          clock.nowMs += pauseMs
          for (let i = 0; i <= requests; i++) {
            const window = (allowedAtMs.get(key) ?? []).filter((_, j, all) => clock.nowMs - all[0]! < windowMs)
            const resetInMs = window.length === 0 ? windowMs : window[0]! + windowMs - clock.nowMs
            const [isOpen, remaining] = [window.length < limit, limit - window.length]
            answers.push(limiter.take(key, 0))
            expected.push({ allowed: isOpen, remaining, resetInMs })
            if (i === requests) break
            const allowed = window.length < limit
            if (allowed) window.push(clock.nowMs)
            allowedAtMs.set(key, window)
            answers.push(limiter.take(key))
            expected.push({ allowed, remaining: limit - window.length, resetInMs })
          }
        }
        expect(answers).toEqual(expected)
      }),
      { numRuns: 300 },
    )
  })

  test('counts exactly after years, at the highest limit and the longest window', () => {
    const { limiter, clock } = handDriven({ limit: 100_000, windowMs: 86_400_000, maxClients: 2 })
    clock.nowMs = 2.8 * 365 * 86_400_000
    for (let remaining = 99_999; remaining >= 0; remaining--)
      if (limiter.take('a').remaining !== remaining) throw new Error(`remaining is not ${remaining}`)
    clock.nowMs += 86_400_000 - 1
    expect(limiter.take('a')).toEqual({ allowed: false, remaining: 0, resetInMs: 1 })
    clock.nowMs += 1
    expect(limiter.take('a')).toEqual({ allowed: true, remaining: 99_999, resetInMs: 86_400_000 })
  })

  test('the default clock is monotonic time: setting the wall clock moves no window', () => {
    let nowMs = 1000
    const monotonic = vi.spyOn(performance, 'now').mockImplementation(() => nowMs)
    vi.useFakeTimers({ toFake: ['Date'], now: AS_OF_MS })
    try {
      const limiter = createMemoryRateLimiter({ limit: 1, windowMs: HOUR_MS, maxClients: 10 })
      expect(limiter.take(1)).toEqual({ allowed: true, remaining: 0, resetInMs: HOUR_MS })
      for (const setBy of [24 * HOUR_MS, -24 * HOUR_MS]) {
        vi.setSystemTime(AS_OF_MS + setBy)
        expect(limiter.take(1)).toEqual({ allowed: false, remaining: 0, resetInMs: HOUR_MS })
      }
      nowMs += HOUR_MS - 1
      expect(limiter.take(1)).toEqual({ allowed: false, remaining: 0, resetInMs: 1 })
      nowMs += 1
      expect(limiter.take(1).allowed).toBe(true)
    } finally {
      vi.useRealTimers()
      monotonic.mockRestore()
    }
  })
})

describe('memory is bounded', () => {
  test('beyond maxClients those whose windows end first are forgotten, not those seen longest ago', () => {
    const { limiter } = handDriven({ limit: 10, maxClients: 4 })
    for (const key of ['a', 'b', 'c', 'd', 'a']) limiter.take(key)
    limiter.take('a', 0)
    limiter.take('e')
    expect(limiter.clients).toBe(4)
    expect(['a', 'b', 'c', 'd', 'e'].map((key) => limiter.take(key, 0).remaining)).toEqual([10, 9, 9, 9, 9])
  })

  test('those who have used theirs up get half of the places, and of more those go that were first', () => {
    const { limiter, clock } = handDriven({ limit: 2, windowMs: 1000, maxClients: 8 })
    for (const key of [1, 2, 3, 4, 5]) {
      clock.nowMs += 10
      limiter.take(key)
    }
    for (const key of [4, 2, 5, 3]) limiter.take(key)
    const remaining = () => [1, 2, 3, 4, 5, 6].map((key) => limiter.take(key, 0).remaining)
    expect(remaining()).toEqual([1, 0, 0, 0, 0, 2])
    limiter.take(6)
    limiter.take(6)
    expect(remaining()).toEqual([1, 2, 0, 2, 0, 0])
    limiter.take(1)
    expect(remaining()).toEqual([0, 2, 0, 2, 0, 0])
    for (let flood = 100; flood < 200; flood++) limiter.take(flood)
    expect(remaining()).toEqual([0, 2, 0, 2, 0, 0])
    expect(limiter.clients).toBe(8)
  })

  test('under any load: never more than maxClients, and of the used-up those that were last stay, a quarter at least', () => {
    const steps = fc.array(fc.record({ pauseMs: fc.integer({ min: 0, max: 60 }), key: fc.nat(40) }), { maxLength: 400 })
    fc.assert(
      fc.property(fc.integer({ min: 4, max: 12 }), steps, (maxClients, all) => {
        const { limiter, clock } = handDriven({ limit: 2, windowMs: 1000, maxClients })
        // By key, the end of a window that was used up, the last one last; a key that the limiter let go is dropped here, too.
        const usedUp = new Map<number, number>()
        for (const { pauseMs, key } of all) {
          clock.nowMs += pauseMs
          const state = limiter.take(key)
          const before = usedUp.get(key) ?? 0
          if (state.remaining > 0) usedUp.delete(key)
          else if (before <= clock.nowMs) {
            usedUp.delete(key)
            usedUp.set(key, clock.nowMs + state.resetInMs)
          }
          for (const [other, end] of usedUp) if (end <= clock.nowMs) usedUp.delete(other)
          const isKept = [...usedUp.keys()].map((other) => !limiter.take(other, 0).allowed)
          const gone = isKept.lastIndexOf(false) + 1
          expect(isKept.slice(0, gone)).not.toContain(true)
          expect(isKept.length - gone).toBeGreaterThanOrEqual(Math.min(Math.floor(maxClients / 4), isKept.length))
          for (const other of [...usedUp.keys()].slice(0, gone)) usedUp.delete(other)
          expect(limiter.clients).toBeLessThanOrEqual(maxClients)
        }
      }),
      { numRuns: 300 },
    )
  })

  test('clients whose window has ended leave as others come', () => {
    const { limiter, clock } = handDriven({ limit: 2, maxClients: 1000 })
    for (let key = 0; key < 500; key++) {
      limiter.take(key)
      limiter.take(key)
    }
    expect(limiter.clients).toBe(500)
    clock.nowMs += HOUR_MS
    for (let key = 1000; key < 1125; key++) limiter.take(key)
    clock.nowMs += HOUR_MS
    limiter.take(0)
    expect(limiter.clients).toBe(1)
  })

  test('a look-up stays as fast when nearly everybody leaves by using the window up', () => {
    const { limiter } = handDriven({ limit: 2, maxClients: 1000 })
    const once = (): number => {
      const startMs = performance.now()
      for (let n = 0; n < 5_000; n++) limiter.take('a stranger', 0)
      return performance.now() - startMs
    }
    const fastest = (): number => Math.min(...Array.from({ length: 9 }, once))
    for (let key = 0; key < 1000; key++) limiter.take(key)
    const full = fastest()
    for (let key = 1000; key < 100_000; key += 125) {
      for (let n = 0; n < 125; n++) limiter.take(key + n)
      for (let n = 1; n < 125; n++) limiter.take(key + n)
    }
    // At most twice the steps; without the bound on batches, a hundred times.
    expect(fastest()).toBeLessThan(10 * full)
  })

  test('places that no client takes cost nothing', () => {
    const before = process.memoryUsage()
    const { limiter } = handDriven({ maxClients: 10_000_000 })
    limiter.take('a')
    const { heapUsed, arrayBuffers } = process.memoryUsage()
    // An array with a place for each would be 80 MB.
    expect(heapUsed - before.heapUsed + arrayBuffers - before.arrayBuffers).toBeLessThan(10e6)
  })
})

test.each([
  [1_700_000_000_000, 3_600_000, 1_700_003_600],
  [1_700_000_000_001, 3_600_000, 1_700_003_601],
  [1_700_000_000_000, 1, 1_700_000_001],
  [1_700_000_000_000, 0, 1_700_000_000],
])('a window that ends %i + %i ms shows the Unix second %i', (nowWallMs, resetInMs, expected) => {
  const headers = rateAnswers(1, HOUR_MS).headers({ allowed: true, remaining: 0, resetInMs }, nowWallMs)
  expect(headers[headers.indexOf('X-RateLimit-Reset') + 1]).toBe(String(expected))
})
