// Owns SIGINT, SIGTERM and SIGHUP: one AbortSignal for the work, and the exit code that says which of them came. Exits
// nothing.

const STOPS = [
  ['SIGINT', 130, 'interrupted'],
  ['SIGTERM', 143, 'terminated'],
  ['SIGHUP', 129, 'the terminal was closed'],
] as const

/** A terminal sends Ctrl-C to every process of the command; npm, and process 1, send it to their child once more. */
const SAME_KEY_MS = 50

/** Thrown where work did not end in time after a signal. */
export class StopOverdue extends Error {
  override readonly name = 'StopOverdue'
}

/** A stop for work that cleans up: signals are listened for only while such work runs. */
export type Stoppable = Pick<ReturnType<typeof stopSignal>, 'signal' | 'exitCode' | 'during'>

/** How long work that was told to stop may clean up. */
const GRACE_MS = 1000

/**
 * Without a listener a signal ends the process at once, also in the middle of a loop: a command with nothing to clean up does not
 * listen.
 */
export function stopSignal(
  graceMs = GRACE_MS,
  target: NodeJS.Process = process,
  nowMs: () => number = () => performance.now(),
) {
  const controller = new AbortController()
  const { signal } = controller
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
    return [name, listener] as const
  })
  const listen = (): void => listeners.forEach(([name, listener]) => target.on(name, listener))
  /** Gives the signals back to Node's defaults. */
  const release = (): void => listeners.forEach(([name, listener]) => target.off(name, listener))
  return {
    signal,
    /** 128 + the number of the signal; null while none came. */
    exitCode: (): number | null => first?.code ?? null,
    listen,
    release,
    /**
     * Listens while work runs that ends soon after `signal` aborts.
     * @throws StopOverdue when it has not ended in time after that, though it still runs: the process must exit
     */
    async during<T>(work: () => Promise<T>): Promise<T> {
      let timer: NodeJS.Timeout | undefined
      const overdue = new Promise<never>((_, reject) => {
        signal.addEventListener('abort', () => {
          timer = setTimeout(() => reject(new StopOverdue((signal.reason as Error).message)), graceMs)
        })
      })
      listen()
      try {
        return await Promise.race([work(), overdue])
      } finally {
        clearTimeout(timer)
        release()
      }
    },
  }
}
