import { array, assert, asyncProperty, boolean, nat, record } from 'fast-check'
import { describe, expect, it, test } from 'vitest'
import { nextTickMs, runSchedule } from '../../../src/builder/commands/schedule.ts'

const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS
const EVERY_MS = 5 * MINUTE_MS
const START_MS = Date.parse('2026-05-20T09:30:00.000Z')

/** A clock that moves only when somebody sleeps or builds; a jump is what a suspend or an operator does to it. */
class HandDriven {
  nowMs: number
  readonly builds: { readonly fromMs: number; readonly toMs: number; readonly wasPutBack: boolean }[] = []
  readonly sleeps: number[] = []
  /** A jump by `ms` in the middle of the sleep during which `atMs` passes. */
  readonly jumps: { readonly atMs: number; readonly ms: number }[] = []
  buildMs: () => number = () => 0
  /** The longest time awake without a build and without a jump. */
  longestQuietMs = 0
  #quietMs = 0
  /** Since the last build. */
  #wasPutBack = false
  readonly #stop = new AbortController()
  #building = false

  constructor(nowMs: number) {
    this.nowMs = nowMs
  }

  async run(atOnce: boolean, until: () => boolean): Promise<void> {
    await runSchedule(
      async () => {
        expect(this.#building, 'builds never overlap').toBe(false)
        this.#building = true
        const fromMs = this.nowMs
        await Promise.resolve()
        this.nowMs += this.buildMs()
        this.builds.push({ fromMs, toMs: this.nowMs, wasPutBack: this.#wasPutBack })
        this.#wasPutBack = false
        this.#building = false
        this.#quietMs = 0
        if (until()) this.#stop.abort()
      },
      EVERY_MS,
      atOnce,
      {
        nowMs: () => this.nowMs,
        sleep: async (ms) => {
          expect(ms).toBeGreaterThan(0)
          this.sleeps.push(ms)
          const jump = this.jumps[0]
          if (jump !== undefined && this.nowMs + ms >= jump.atMs) {
            this.jumps.shift()
            this.nowMs += jump.ms
            this.#quietMs = 0
            if (jump.ms < 0) this.#wasPutBack = true
          }
          this.nowMs += ms
          this.#quietMs += ms
          this.longestQuietMs = Math.max(this.longestQuietMs, this.#quietMs)
          if (until() || this.sleeps.length > 10_000) this.#stop.abort()
        },
        signal: this.#stop.signal,
      },
    )
  }
}

const begun = (clock: HandDriven): string[] =>
  clock.builds.map(({ fromMs }) => new Date(fromMs).toISOString().slice(11, 19))

describe('the schedule', () => {
  it('builds at every tick', async () => {
    const clock = new HandDriven(START_MS + 1)
    await clock.run(false, () => clock.builds.length === 4)
    expect(begun(clock)).toEqual(['09:35:00', '09:40:00', '09:45:00', '09:50:00'])
  })

  it('builds at once when one is due already, then at the ticks', async () => {
    const clock = new HandDriven(START_MS + 42_000)
    await clock.run(true, () => clock.builds.length === 3)
    expect(begun(clock)).toEqual(['09:30:42', '09:35:00', '09:40:00'])
  })

  it('looks at the wall clock at least every 30 s: a timer does not know of a suspend', async () => {
    const clock = new HandDriven(START_MS)
    await clock.run(false, () => clock.builds.length === 2)
    expect(Math.max(...clock.sleeps)).toBe(30_000)
  })

  it('never overlaps: a build longer than the gap skips the ticks it covers', async () => {
    const clock = new HandDriven(START_MS + 1)
    clock.buildMs = () => (clock.builds.length === 0 ? 12 * MINUTE_MS : 1_000)
    await clock.run(false, () => clock.builds.length === 3)
    expect(begun(clock)).toEqual(['09:35:00', '09:50:00', '09:55:00'])
  })

  it('makes exactly one catch-up build after a gap, at once', async () => {
    const clock = new HandDriven(START_MS + 1)
    clock.jumps.push({ atMs: START_MS + 7 * MINUTE_MS, ms: 3 * HOUR_MS })
    await clock.run(false, () => clock.builds.length === 4)
    const [first, catchUp, ...after] = begun(clock)
    expect(first).toBe('09:35:00')
    expect(catchUp).toMatch(/^12:3[78]:/)
    expect(after).toEqual(['12:40:00', '12:45:00'])
  })

  it('counts from the new time when the clock is put back by an hour', async () => {
    const clock = new HandDriven(START_MS + 1)
    clock.jumps.push({ atMs: START_MS + 7 * MINUTE_MS, ms: -HOUR_MS })
    await clock.run(false, () => clock.builds.length === 4)
    expect(begun(clock)).toEqual(['09:35:00', '08:40:00', '08:45:00', '08:50:00'])
  })

  it('is not tricked by a timer that ends early', async () => {
    const clock = new HandDriven(START_MS + 1)
    clock.jumps.push({ atMs: START_MS + EVERY_MS, ms: -3 })
    await clock.run(false, () => clock.builds.length === 2)
    expect(begun(clock)).toEqual(['09:35:00', '09:40:00'])
  })

  it('ends between two builds when it is told to', async () => {
    const clock = new HandDriven(START_MS + 1)
    await clock.run(false, () => clock.nowMs > START_MS + 2 * MINUTE_MS)
    expect(clock.builds).toEqual([])
  })

  it('under any suspends, clock changes and build times: no overlap, no second catch-up, never a gap without a build', async () => {
    const jump = record({ afterMs: nat(20 * MINUTE_MS), ms: nat(4 * HOUR_MS), back: boolean() })
    await assert(
      asyncProperty(
        array(jump, { maxLength: 6 }),
        array(nat(11 * MINUTE_MS), { minLength: 1 }),
        async (jumps, buildMs) => {
          const clock = new HandDriven(START_MS + 1)
          let atMs = START_MS
          for (const one of jumps) {
            atMs += one.afterMs
            clock.jumps.push({ atMs, ms: one.back ? -one.ms : one.ms })
            atMs += one.back ? -one.ms : one.ms
          }
          clock.buildMs = () => buildMs[clock.builds.length % buildMs.length] ?? 0
          await clock.run(false, () => clock.builds.length === 30)
          expect(clock.builds).toHaveLength(30)
          expect(clock.longestQuietMs).toBeLessThanOrEqual(EVERY_MS + 30_000)
          for (const [i, { fromMs, wasPutBack }] of clock.builds.entries()) {
            const before = clock.builds[i - 1]
            // A tick that the clock was put back to comes again.
            if (before === undefined || wasPutBack) continue
            // At least one tick lies between the end of a build and the begin of the next: no second catch-up.
            expect(Math.floor(fromMs / EVERY_MS)).toBeGreaterThan(Math.floor(before.toMs / EVERY_MS))
          }
        },
      ),
    )
  })
})

test.each([
  [5 * MINUTE_MS, '2026-05-20T09:35:00.000Z'],
  [HOUR_MS, '2026-05-20T10:00:00.000Z'],
  [24 * HOUR_MS, '2026-05-21T00:00:00.000Z'],
])('the ticks of %d ms are whole multiples of it in UTC, after now', (everyMs, next) => {
  expect(nextTickMs(START_MS, everyMs)).toBe(Date.parse(next))
  expect(nextTickMs(Date.parse(next), everyMs)).toBe(Date.parse(next) + everyMs)
})
