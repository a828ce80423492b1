// Owns the analytics-build program: its effects, and how an error ends it. Only bin/ exits.
import { setTimeout as delay } from 'node:timers/promises'
import { setFlagsFromString } from 'node:v8'
import { errorLine, SaidBefore } from '../process/cli-error.ts'
import { runCommandLine } from '../process/command-line.ts'
import { endWhenHung } from '../process/hung-loop.ts'
import { createLog, SILENT, type Log } from '../process/log.ts'
import { createProgress } from '../process/progress.ts'
import { outliveReaders } from '../process/standard-output.ts'
import { StopOverdue, stopSignal, type Stoppable } from '../process/stop-signal.ts'
import { ReleaseError } from '../release/format/release-error.ts'
import { PROGRAM } from './commands/table.ts'
import { exitCodeFor } from './report/exit-codes.ts'

/**
 * V8 collects the old generation when it has grown by this. By its own rule what ranking lists no longer hold grows to
 * 100 MB beside 30 MB that are in use: a build took 260 to 282 MiB, with 100 % it takes 210 to 218, as fast (`build:floor`).
 */
const HEAP_GROWING = '--heap-growing-percent=100'

const wait = (ms: number, signal: AbortSignal): Promise<void> => delay(ms, undefined, { signal }).catch(() => {})

/**
 * Runs the program; its exit code.
 * @param sleep what waits between two tries, and for the time of a schedule; ends early when its signal aborts
 */
export async function main(argv: readonly string[], sleep = wait): Promise<number> {
  setFlagsFromString(HEAP_GROWING)
  // What is published everybody may read, also where the umask is 077; where it is 0, nobody else may change it. What a group
  // may write to, or nobody else may read, is made with its mode.
  const umask = process.umask(0o002)
  const output = outliveReaders()
  const stop = stopSignal()
  const progress = createProgress(process.stderr)
  const log = createLog('analytics-build', undefined, () => progress.clear())
  const { info } = log
  const context = {
    env: process.env,
    umask: umask | 0o022,
    nowMs: Date.now,
    sleep,
    log,
    beQuiet: (isQuiet: boolean) => void (log.info = isQuiet ? SILENT.info : info),
    isWatched: process.stderr.isTTY,
    progress,
    signal: stop.signal,
    stop,
    endWhenHung: (leftMs: () => number) => endWhenHung('analytics-build', leftMs, (message) => log.warn({}, message)),
    out: (text: string) => {
      // Both may be on one terminal.
      progress.clear()
      output.print(text)
    },
    lostOutput: output.lost,
  }
  try {
    return await runCommandLine(PROGRAM, argv, context)
  } catch (error) {
    progress.clear()
    return exitCodeOf(error, stop, log)
  } finally {
    progress.clear()
  }
}

function exitCodeOf(error: unknown, stop: Stoppable, log: Log): number {
  const stopped = stop.exitCode()
  if (stopped !== null) {
    const { message } = stop.signal.reason as Error
    const kept = error instanceof StopOverdue ? OVERDUE : 'the release that was current still is'
    // The failure of an upload says which signal came.
    log.warn({}, error instanceof ReleaseError ? error.message : `${message}; ${kept}`)
    return stopped
  }
  const code = exitCodeFor(error)
  if (error instanceof SaidBefore) return code
  // Usage is no event for a log.
  if (code === 2) process.stderr.write(errorLine('analytics-build', error as Error))
  else if (code === 1 && !(error instanceof ReleaseError))
    log.error({ stack: (error as Error)?.stack }, `unexpected: ${String(error)}`)
  // Ctrl-C at a question is no fault.
  else if (code > 128) log.warn({}, (error as Error).message)
  else log.error({ exitCode: code }, (error as Error).message)
  return code
}

const OVERDUE = 'it did not clean up in time: what it left behind is never served, and the next build removes it'
