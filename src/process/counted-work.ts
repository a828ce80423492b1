// Owns how far counted work has come: how many a second, and how much longer it takes. Knows no work.
import { age } from './age.ts'
import { count } from './printable.ts'
import type { Progress } from './progress.ts'

export interface CountedWork {
  /** As in `reading ideas`. */
  readonly what: string
  /** How many there will be, probably; null = nobody knows. */
  readonly expected: number | null
  /** As in `12 MiB`; a number without it. */
  readonly show?: (n: number) => string
}

/** When something was counted, and how much by then. */
interface Mark {
  readonly atMs: number
  readonly done: number
}

/** Of less time a speed says nothing. */
const MEASURED_MS = 1000

/**
 * @param first of the first report; null = there was none yet
 * @param startMs when the work began
 */
export function workText(
  { what, expected, show = count }: CountedWork,
  first: Mark | null,
  now: Mark,
  startMs: number,
): string {
  if (first === null) {
    const waitedMs = now.atMs - startMs
    return waitedMs < 2 * MEASURED_MS ? what : `${what}: waiting for the first, ${age(waitedMs)}`
  }
  const isKnown = expected !== null && expected >= now.done
  const so = isKnown ? `${show(now.done)} of about ${show(expected)}` : show(now.done)
  const ms = now.atMs - first.atMs
  const speed = (now.done - first.done) / (ms / 1000)
  if (ms < MEASURED_MS || speed <= 0) return `${what}: ${so}`
  const left = isKnown ? `, ${age(((expected - now.done) / speed) * 1000)} left` : ''
  return `${what}: ${so}, ${show(Math.round(speed))} a second${left}`
}

/** @returns to be told how much is done */
export function countedOn(
  progress: Progress,
  work: CountedWork,
  nowMs: () => number = () => performance.now(),
): (done: number) => void {
  const startMs = nowMs()
  let first: Mark | null = null
  let done = 0
  const line = (): string => workText(work, first, { atMs: nowMs(), done }, startMs)
  progress.show(line)
  return (next) => {
    done = next
    first ??= { atMs: nowMs(), done }
    progress.show(line)
  }
}
