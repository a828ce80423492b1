// Owns SIGINT and SIGTERM: one AbortSignal for the work, and the exit code that says which of them came.

export interface StopSignal {
  readonly signal: AbortSignal
  /** 130 after SIGINT, 143 after SIGTERM (128 + signal number), null while none came. */
  exitCode(): number | null
  /** Gives the signals back to Node's defaults. */
  release(): void
}

export function listenForStop(target: NodeJS.Process = process): StopSignal {
  const controller = new AbortController()
  let exitCode: number | null = null
  const stop = (code: number) => (): void => {
    // A second Ctrl-C is impatience: the default action ends the process at once.
    release()
    exitCode = code
    controller.abort(new Error(code === 130 ? 'interrupted' : 'terminated'))
  }
  const onInt = stop(130)
  const onTerm = stop(143)
  const release = (): void => {
    target.off('SIGINT', onInt)
    target.off('SIGTERM', onTerm)
  }
  target.on('SIGINT', onInt)
  target.on('SIGTERM', onTerm)
  return { signal: controller.signal, exitCode: () => exitCode, release }
}
