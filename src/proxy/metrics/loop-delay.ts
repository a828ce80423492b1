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
export class LoopDelayWatch {
  readonly #histogram = monitorEventLoopDelay({ resolution: RESOLUTION_MS })
  readonly #timer: NodeJS.Timeout
  #before = NONE

  constructor() {
    this.#histogram.enable()
    this.#timer = setInterval(() => {
      this.#before = this.#running
      this.#histogram.reset()
    }, PERIOD_MS).unref()
  }

  get now(): LoopDelay {
    const running = this.#running
    return {
      p99Seconds: Math.max(running.p99Seconds, this.#before.p99Seconds),
      maxSeconds: Math.max(running.maxSeconds, this.#before.maxSeconds),
    }
  }

  stop(): void {
    clearInterval(this.#timer)
    this.#histogram.disable()
  }

  get #running(): LoopDelay {
    if (this.#histogram.count === 0) return NONE
    return { p99Seconds: late(this.#histogram.percentile(99)), maxSeconds: late(this.#histogram.max) }
  }
}

/** The histogram has the time between two timers, which should be the resolution. */
function late(betweenNs: number): number {
  return Math.max(0, betweenNs / 1e9 - RESOLUTION_MS / 1000)
}
