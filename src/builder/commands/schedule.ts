// Owns when to build: a cron pattern in UTC, no overlap, one catch-up after a gap. Knows no build.
import { createTask, parse, validateDetailed } from 'node-cron'
import type { BuilderContext } from '../run/context.ts'
import { usageError } from '../../process/cli-error.ts'

/** Rejects a pattern that is no cron pattern, or that never matches, and gives the reason. */
export function checkCron(pattern: string): void {
  const why = whyNot(pattern)
  if (why !== null)
    throw usageError(
      `--cron: "${pattern}" is not allowed: ${why}; allowed: five cron fields (UTC), such as "*/5 * * * *"`,
    )
}

function whyNot(pattern: string): string | null {
  const { valid, errors } = validateDetailed(pattern)
  // node-cron reads a sixth field as seconds: nobody wants a build every second.
  if (pattern.trim().split(/\s+/).length === 6) return 'expected 5 fields but got 6, and a schedule has no seconds'
  if (!valid) return errors.map(({ message }) => message.replace('5 or 6 fields', '5 fields')).join('; ')
  try {
    nextTicks(pattern, 1)
    return null
  } catch {
    // Day of month and day of week must both match (node-cron; in classic cron either is enough): "0 0 8 * 1#1" has valid
    // fields, but no month has its first Monday on the 8th.
    return 'no day in the next 100 years matches both its day of month and its day of week'
  }
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

/** Enough for a year of a daily pattern, and for decades of one with rare days. */
const DAYS_SEEN = 500

/**
 * The longest gap between two ticks: the cadence that a schedule declares. It is within a day that has ticks, or between
 * the last tick of such a day and the first tick of the next. To look at the next ticks only would miss the weekend of a
 * pattern of minutes.
 */
export function longestGapMs(pattern: string): number {
  const { minute, hour, dayOfMonth, month, dayOfWeek } = parse(pattern)
  const times = hour.flatMap((h) => minute.map((m) => (h * 60 + m) * 60_000)).sort((a, b) => a - b)
  const days = nextTicks(`0 0 ${dayOfMonth.join(',')} ${month.join(',')} ${dayOfWeek.join(',')}`, DAYS_SEEN)
  const dayMs = (times.at(-1) ?? 0) - (times[0] ?? 0)
  return Math.max(60_000, longestStep(times), longestStep(days) - dayMs)
}

function longestStep(ascending: readonly number[]): number {
  return ascending.reduce((longest, value, i) => Math.max(longest, value - (ascending[i - 1] ?? value)), 0)
}

/** The wall clock is read at least this often, because after a suspend a timer is late. */
const LOOK_MS = 30_000

/**
 * Calls `build` at once, then at every tick until the signal aborts, and never while a build runs. Ticks that
 * passed meanwhile, in a suspend or when the clock was set forward, cause one build together. When the clock was set
 * back, the next tick counts from the new time.
 * @param nextTickMs the next tick after now, epoch ms
 */
export async function runSchedule(
  build: () => Promise<void>,
  nextTickMs: () => number,
  { nowMs, sleep, signal }: Pick<BuilderContext, 'nowMs' | 'sleep' | 'signal'>,
): Promise<void> {
  let dueMs = nowMs()
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
