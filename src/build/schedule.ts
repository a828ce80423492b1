// Owns when to build: a cron pattern in UTC, no overlap, one catch-up after a gap. Knows no build.
import { createTask, validateDetailed } from 'node-cron'
import { usageError } from '../process/cli-error.ts'

/** Refuses a pattern that node-cron does not understand, and says why. */
export function checkCron(pattern: string): void {
  const { valid, errors } = validateDetailed(pattern)
  if (!valid)
    throw usageError(
      `--cron: "${pattern}" is not allowed: ${errors.map((error) => error.message).join('; ')}; allowed: five cron fields (UTC), such as "*/5 * * * *"`,
    )
}

/** The next ticks after now, ascending, epoch ms. */
export function nextTicks(pattern: string, count: number): number[] {
  const task = createTask(pattern, () => {}, { timezone: 'UTC' })
  try {
    return task.getNextRuns(count).map((date) => date.getTime())
  } finally {
    void task.destroy()
  }
}

/** Enough to meet the longest gap of any pattern of minutes, hours or weekdays; a monthly one is met within four years. */
const TICKS_SEEN = 500

/** The longest gap between two ticks: the cadence that a schedule declares. */
export function longestGapMs(pattern: string): number {
  const ticks = nextTicks(pattern, TICKS_SEEN)
  return ticks.reduce((longest, tick, i) => Math.max(longest, tick - (ticks[i - 1] ?? tick)), 60_000)
}

export interface ScheduleEffects {
  readonly nowMs: () => number
  /** Waits; returns early when the signal aborts. */
  readonly sleep: (ms: number, signal: AbortSignal) => Promise<void>
  /** The next tick after now, epoch ms. */
  readonly nextTickMs: () => number
  readonly signal: AbortSignal
}

/** Timers end early or late by this much and more after a suspend; the wall clock is asked again at least this often. */
const LOOK_MS = 30_000

/**
 * Calls `build` at every tick until the signal aborts, and never while a build runs. Ticks that passed meanwhile, in a
 * suspend or when the clock was put forward, make one catch-up build together; when the clock was put back, the next
 * tick counts from the new time.
 * @param atOnce whether a build is due already: nothing was published yet, or the last release is older than a gap
 */
export async function runSchedule(
  build: () => Promise<void>,
  atOnce: boolean,
  effects: ScheduleEffects,
): Promise<void> {
  const { nowMs, nextTickMs, sleep, signal } = effects
  let dueMs = atOnce ? nowMs() : nextTickMs()
  while (!signal.aborted) {
    const waitMs = dueMs - nowMs()
    if (waitMs <= 0) {
      await build()
      dueMs = nextTickMs()
    } else {
      await sleep(Math.min(waitMs, LOOK_MS), signal)
      if (nowMs() < dueMs) dueMs = Math.min(dueMs, nextTickMs())
    }
  }
}
