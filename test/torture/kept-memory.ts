// Owns how much memory a program keeps when nobody asks anything of it. Asks nothing of it.
import { setTimeout as sleep } from 'node:timers/promises'
import { rssBytes } from '../bench/proxy/proc.ts'

/** V8 gives back what was garbage after eight seconds of rest (its memory reducer); seen in `--trace-gc`, Node 20. */
export const REST_S = 15

/**
 * Resident bytes at rest, the least seen. Under load a heap breathes by more than a leak of a long time grows: between
 * 105 and 122 MiB in 1,800,000 requests without a trend (measured).
 * @param restS less than REST_S sees garbage, too
 */
export async function keptBytes(pid: number, restS: number): Promise<number> {
  let least = Infinity
  for (let second = 0; second < restS; second++) {
    await sleep(1000)
    least = Math.min(least, rssBytes(pid))
  }
  return least
}
