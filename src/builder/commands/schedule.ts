// Owns when to build: at each whole multiple of the cadence in UTC, no overlap, one catch-up after a gap. Knows no build.
import type { BuilderContext } from '../run/context.ts'

/** The next tick after an instant: with 5m at 12:03 that is 12:05, with 24h the next midnight (UTC). */
export function nextTickMs(afterMs: number, everyMs: number): number {
  return (Math.floor(afterMs / everyMs) + 1) * everyMs
}

/** After a suspend a timer is late: the wall clock is read at least this often. */
const LOOK_MS = 30_000

/**
 * Calls `build` at every tick until the signal aborts, and never while a build runs. Ticks that
 * passed meanwhile, in a suspend or when the clock was set forward, cause one build together. When the clock was set
 * back, the next tick counts from the new time.
 * @param atOnce whether a build is due already: nothing was published yet, or the last release is older than the cadence
 */
export async function runSchedule(
  build: () => Promise<void>,
  everyMs: number,
  atOnce: boolean,
  { nowMs, sleep, signal }: Pick<BuilderContext, 'nowMs' | 'sleep' | 'signal'>,
): Promise<void> {
  let dueMs = atOnce ? nowMs() : nextTickMs(nowMs(), everyMs)
  while (!signal.aborted) {
    const waitMs = dueMs - nowMs()
    if (waitMs <= 0) {
      await build()
      dueMs = nextTickMs(nowMs(), everyMs)
    } else {
      await sleep(Math.min(waitMs, LOOK_MS), signal)
      if (nowMs() < dueMs) dueMs = Math.min(dueMs, nextTickMs(nowMs(), everyMs))
    }
  }
}
