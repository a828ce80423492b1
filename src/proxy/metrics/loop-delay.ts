// Owns how late the event loop is, over the last minute or two. Knows no metric and no request.
import { monitorEventLoopDelay } from 'node:perf_hooks'

const RESOLUTION_MS = 20
const PERIOD_MS = 60_000

const NONE = { p99Seconds: 0, maxSeconds: 0 }
export type LoopDelay = Readonly<typeof NONE>

/**
 * How late the event loop is: the worse of the current minute and the one before. It does not begin with the last
 * scrape, because each of two scrapers would reset what the other has not seen yet.
 */
export function watchLoopDelay() {
  const histogram = monitorEventLoopDelay({ resolution: RESOLUTION_MS })
  const running = (): LoopDelay =>
    histogram.count === 0 ? NONE : { p99Seconds: late(histogram.percentile(99)), maxSeconds: late(histogram.max) }
  let before: LoopDelay = NONE
  histogram.enable()
  const timer = setInterval(() => {
    before = running()
    histogram.reset()
  }, PERIOD_MS).unref()
  return {
    now(): LoopDelay {
      const { p99Seconds, maxSeconds } = running()
      return {
        p99Seconds: Math.max(p99Seconds, before.p99Seconds),
        maxSeconds: Math.max(maxSeconds, before.maxSeconds),
      }
    },
    stop(): void {
      clearInterval(timer)
      histogram.disable()
    },
  }
}

/** The histogram has the time between two timers, which should be the resolution. */
function late(betweenNs: number): number {
  return Math.max(0, betweenNs / 1e9 - RESOLUTION_MS / 1000)
}
