// Owns SIGINT, SIGTERM and SIGHUP: one AbortSignal for the work, and the exit code that says which of them came. Exits
// nothing.

export type StopSignal = ReturnType<typeof listenForStop>

const STOPS = [
  ['SIGINT', 130, 'interrupted'],
  ['SIGTERM', 143, 'terminated'],
  ['SIGHUP', 129, 'the terminal was closed'],
] as const

/** A terminal sends Ctrl-C to every process of the command; npm, and process 1, send it to their child once more. */
const SAME_KEY_MS = 50

/**
 * Listens from now on. Without a listener a signal ends the process at once, also in the middle of a loop: a
 * command with nothing to clean up does not listen.
 */
export function listenForStop(target: NodeJS.Process = process, nowMs: () => number = () => performance.now()) {
  const controller = new AbortController()
  let first: { readonly name: string; readonly code: number; readonly atMs: number } | null = null
  const listeners = STOPS.map(([name, code, reason]) => {
    const listener = (): void => {
      if (first === null) {
        first = { name, code, atMs: nowMs() }
        controller.abort(new Error(reason))
      } else if (first.name === name && nowMs() - first.atMs >= SAME_KEY_MS) {
        // A second Ctrl-C: the default action ends the process at once.
        release()
        target.kill(target.pid, name)
      }
    }
    target.on(name, listener)
    return [name, listener] as const
  })
  /** Gives the signals back to Node's defaults. */
  const release = (): void => {
    for (const [name, listener] of listeners) target.off(name, listener)
  }
  /** 128 + the number of the signal; null while none came. */
  const exitCode = (): number | null => first?.code ?? null
  return { signal: controller.signal, exitCode, release }
}

/** Thrown where work did not end in time after a signal. */
export class StopOverdue extends Error {
  override readonly name = 'StopOverdue'
}

/** A stop for work that cleans up: signals are listened for only while such work runs. */
export interface Stoppable extends Pick<StopSignal, 'signal' | 'exitCode'> {
  /**
   * Runs work that ends soon after `signal` aborts.
   * @throws StopOverdue when it has not ended `graceMs` after that, though it still runs: the process must exit
   */
  during<T>(work: () => Promise<T>): Promise<T>
}

export function stoppable(graceMs: number, listen: () => StopSignal = listenForStop): Stoppable {
  const controller = new AbortController()
  let exitCode: number | null = null
  return {
    signal: controller.signal,
    exitCode: () => exitCode,
    async during(work) {
      const stop = listen()
      let timer: NodeJS.Timeout | undefined
      const overdue = new Promise<never>((_, reject) => {
        stop.signal.addEventListener('abort', () => {
          const reason = stop.signal.reason as Error
          exitCode = stop.exitCode()
          controller.abort(reason)
          timer = setTimeout(() => reject(new StopOverdue(reason.message)), graceMs)
        })
      })
      try {
        return await Promise.race([work(), overdue])
      } finally {
        clearTimeout(timer)
        stop.release()
      }
    },
  }
}
