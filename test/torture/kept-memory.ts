// Owns how much memory a program keeps when nobody asks anything of it, and whether that grew. Asks nothing of it.
import { setTimeout as sleep } from 'node:timers/promises'
import { rssBytes } from '../bench/proxy/proc.ts'

const MAX_GROWTH = 1.05
/** Fewer requests or clients do not warm a program up: of those nothing is judged. */
const MIN_JUDGED = 300_000
/** V8 gives back what was garbage after eight seconds of rest (its memory reducer); seen in `--trace-gc`, Node 20. */
const REST_S = 15

/**
 * Resident bytes at rest, the least seen. Under load a heap breathes by more than a leak of a long time grows: between
 * 105 and 122 MiB in 1,800,000 requests without a trend (measured).
 * @param count of requests or clients so far; where it is too small to be judged, the rest is short
 */
export async function keptBytes(pid: number, count: number): Promise<number> {
  const restS = count < MIN_JUDGED ? 1 : REST_S
  let least = Infinity
  for (let second = 0; second < restS; second++) {
    await sleep(1000)
    least = Math.min(least, rssBytes(pid))
  }
  return least
}

/** A sentence when it grew; none when there is too little to judge it by. */
export function growth(before: number, after: number, count: number): string[] {
  return count >= MIN_JUDGED && after > before * MAX_GROWTH ? [`memory grew from ${before} to ${after} bytes`] : []
}
