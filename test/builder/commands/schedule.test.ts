import { array, assert, asyncProperty, boolean, constantFrom, nat, property, record } from 'fast-check'
import { describe, expect, it } from 'vitest'
import { checkCron, longestGapMs, nextTicks, runSchedule } from '../../../src/builder/commands/schedule.ts'
import { CliError } from '../../../src/process/cli-error.ts'

const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS
const DAY_MS = 24 * HOUR_MS
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

  async run(until: () => boolean): Promise<void> {
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
      () => (Math.floor(this.nowMs / EVERY_MS) + 1) * EVERY_MS,
      {
        nowMs: () => this.nowMs,
        sleep: async (ms) => {
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
    expect(this.sleeps.filter((ms) => !(ms > 0))).toEqual([])
  }
}

const begun = (clock: HandDriven): string[] =>
  clock.builds.map(({ fromMs }) => new Date(fromMs).toISOString().slice(11, 19))

describe('the schedule', () => {
  it('builds at once, then at every tick', async () => {
    const clock = new HandDriven(START_MS + 42_000)
    await clock.run(() => clock.builds.length === 3)
    expect(begun(clock)).toEqual(['09:30:42', '09:35:00', '09:40:00'])
  })

  it('looks at the wall clock at least every 30 s: a timer does not know of a suspend', async () => {
    const clock = new HandDriven(START_MS)
    await clock.run(() => clock.builds.length === 2)
    expect(Math.max(...clock.sleeps)).toBe(30_000)
  })

  it('makes exactly one catch-up build after a gap, at once', async () => {
    const clock = new HandDriven(START_MS + 1)
    clock.jumps.push({ atMs: START_MS + 7 * MINUTE_MS, ms: 3 * HOUR_MS })
    await clock.run(() => clock.builds.length === 5)
    const [, first, catchUp, ...after] = begun(clock)
    expect(first).toBe('09:35:00')
    expect(catchUp).toMatch(/^12:3[78]:/)
    expect(after).toEqual(['12:40:00', '12:45:00'])
  })

  it('counts from the new time when the clock is put back by an hour', async () => {
    const clock = new HandDriven(START_MS + 1)
    clock.jumps.push({ atMs: START_MS + 7 * MINUTE_MS, ms: -HOUR_MS })
    await clock.run(() => clock.builds.length === 5)
    expect(begun(clock)).toEqual(['09:30:00', '09:35:00', '08:40:00', '08:45:00', '08:50:00'])
  })

  it('ends between two builds when it is told to', async () => {
    const clock = new HandDriven(START_MS + 1)
    await clock.run(() => clock.nowMs > START_MS + 2 * MINUTE_MS)
    expect(begun(clock)).toEqual(['09:30:00'])
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
          await clock.run(() => clock.builds.length === 30)
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

describe('a cron pattern', () => {
  const GAPS: readonly [pattern: string, gapMs: number][] = [
    ['* * * * *', MINUTE_MS],
    ['*/5 * * * *', EVERY_MS],
    ['*/7 * * * *', 7 * MINUTE_MS],
    ['17 * * * *', HOUR_MS],
    ['0 */5 * * *', 5 * HOUR_MS],
    ['30 3 * * *', DAY_MS],
    ['0 8,20 * * *', 12 * HOUR_MS],
    ['*/5 8-18 * * *', 13 * HOUR_MS + EVERY_MS],
    ['*/5 * * * 1-5', 2 * DAY_MS + EVERY_MS],
    ['*/5 8-18 * * MON-FRI', 2 * DAY_MS + 13 * HOUR_MS + EVERY_MS],
    ['* * * * 1', 6 * DAY_MS + MINUTE_MS],
    ['0 3 * * 1', 7 * DAY_MS],
    ['0 0 1 * *', 31 * DAY_MS],
    ['*/5 * 1 * *', 30 * DAY_MS + EVERY_MS],
    ['0 0 31 * *', 61 * DAY_MS],
    ['0 0 1 1 *', 366 * DAY_MS],
    ['@daily', DAY_MS],
  ]
  it.each(GAPS)('%s has a longest gap of %d ms', (pattern, gapMs) => {
    checkCron(pattern)
    expect(longestGapMs(pattern)).toBe(gapMs)
  })

  it('of 29 February has a gap of eight years, as between 2096 and 2104', () => {
    expect(longestGapMs('0 0 29 2 *')).toBe(Date.UTC(2104, 1, 29) - Date.UTC(2096, 1, 29))
  })

  it('is in UTC, whatever the zone of this machine', () => {
    const zone = process.env['TZ']
    try {
      for (const name of ['Pacific/Kiritimati', 'America/St_Johns', 'Asia/Kathmandu']) {
        process.env['TZ'] = name
        expect(new Date().getTimezoneOffset(), 'the zone is in force').not.toBe(0)
        const [first = 0, second = 0] = nextTicks('15 3 * * *', 2)
        expect(new Date(first).toISOString().slice(11), name).toBe('03:15:00.000Z')
        expect(second - first, name).toBe(DAY_MS)
      }
    } finally {
      if (zone === undefined) delete process.env['TZ']
      else process.env['TZ'] = zone
    }
  })

  it('ticks after now, ascending', () => {
    const ticks = nextTicks('*/5 * * * *', 100)
    expect(ticks[0]).toBeGreaterThan(Date.now() - 1)
    for (const [i, tick] of ticks.entries()) if (i > 0) expect(tick - (ticks[i - 1] ?? 0)).toBe(EVERY_MS)
  })

  const REFUSED: readonly [pattern: string, why: RegExp][] = [
    ['', /illegal characters/],
    ['hello', /expected 5 fields but got 1/],
    ['* * * *', /expected 5 fields but got 4/],
    ['* * * * * *', /expected 5 fields but got 6, and a schedule has no seconds/],
    ['  0 */10 * * * * ', /expected 5 fields but got 6/],
    ['0 0 0 31 2 *', /expected 5 fields but got 6/],
    ['* * * * * * *', /expected 5 fields but got 7/],
    ['61 * * * *', /61 is a invalid expression for minute/],
    ['*/0 * * * *', /minute/],
    ['0 24 * * *', /24 is a invalid expression for hour/],
    ['0 0 0 0 0', /day of month; 0 is a invalid expression for month/],
    ['0 0 31 2 *', /31 2 is an impossible day of month/],
    ['0 0 8 * 1#1', /no day in the next 100 years matches both/],
  ]
  it.each(REFUSED)('"%s" is bad usage: named, with the reason and what is allowed', (pattern, why) => {
    let error: unknown
    try {
      checkCron(pattern)
    } catch (thrown) {
      error = thrown
    }
    expect(error).toBeInstanceOf(CliError)
    const { exitCode, message } = error as CliError
    expect(exitCode).toBe(2)
    expect(message.startsWith(`--cron: "${pattern}" is not allowed: `)).toBe(true)
    expect(message).toMatch(why)
    expect(message.endsWith('; allowed: five cron fields (UTC), such as "*/5 * * * *"')).toBe(true)
    expect(message).not.toContain('\n')
  })

  it('has the gap that its ticks show, for any pattern of minutes, hours and days', () => {
    const every = (step: number, from: number, to: number): number[] =>
      Array.from({ length: Math.ceil((to + 1 - from) / step) }, (_, i) => from + i * step)
    const anyOf = (given: Readonly<Record<string, number[]>>) => constantFrom(...Object.entries(given))
    const minutes = anyOf({
      '*': every(1, 0, 59),
      '*/5': every(5, 0, 59),
      '*/7': every(7, 0, 59),
      '0': [0],
      '3,59': [3, 59],
      '10-20': every(1, 10, 20),
    })
    const hours = anyOf({
      '*': every(1, 0, 23),
      '*/5': every(5, 0, 23),
      '0': [0],
      '23': [23],
      '8-18': every(1, 8, 18),
      '0,23': [0, 23],
    })
    const days = anyOf({ '*': every(1, 1, 31), '*/2': every(2, 1, 31), '1': [1], '15,31': [15, 31] })
    assert(
      property(minutes, hours, days, ([minute, m], [hour, h], [day, d]) => {
        // Of a year, in which every gap between such days is.
        const ticks = every(1, 0, 366)
          .map((after) => START_MS - (START_MS % DAY_MS) + after * DAY_MS)
          .filter((dayMs) => d.includes(new Date(dayMs).getUTCDate()))
          .flatMap((dayMs) =>
            h.flatMap((hourOf) => m.map((minuteOf) => dayMs + hourOf * HOUR_MS + minuteOf * MINUTE_MS)),
          )
        const seen = ticks.reduce((longest, tick, i) => Math.max(longest, tick - (ticks[i - 1] ?? tick)), MINUTE_MS)
        expect(longestGapMs(`${minute} ${hour} ${day} * *`)).toBe(seen)
      }),
      { numRuns: 12 },
    )
  })
})
