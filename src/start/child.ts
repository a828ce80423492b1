// Owns one child process of `npm start`: its lines, its end; it never outlives its parent. Knows no program.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { constants } from 'node:os'
import { createInterface } from 'node:readline'
import type { Readable } from 'node:stream'
import { packagePath } from '../process/package-root.ts'

export interface Ended {
  readonly program: string
  /** As a shell shows it: 128 + the signal's number for a process that a signal ended. */
  readonly code: number
  readonly signal: NodeJS.Signals | null
}

export interface Child {
  readonly ended: Promise<Ended>
  /** Tells it to stop; after `withinMs` it is killed. */
  end(withinMs: number): void
}

const TIED = new URL('./tied.js', import.meta.url)

/**
 * Starts a program with a channel to this process: when the channel closes, for whatever reason, the child stops.
 * @param onLine given each line that it prints; null = it prints to where this process does, as it fits there
 */
export function startChild(
  program: string,
  args: readonly string[],
  env: Readonly<Record<string, string | undefined>>,
  onLine: ((line: string) => void) | null,
): Child {
  const script = packagePath('bin', `${program}.js`)
  const child = spawn(process.execPath, ['--import', TIED.href, script, ...args], {
    stdio: ['ignore', onLine === null ? 'inherit' : 'pipe', 'inherit', 'ipc'],
    env,
  })
  const lines = onLine && createInterface({ input: child.stdout as Readable }).on('line', onLine)
  // Not its 'close', which does not come once the channel was closed from here.
  const ended = Promise.all([once(child, 'exit'), lines && once(lines, 'close')]).then(([[code, signal]]): Ended => {
    const by = signal as NodeJS.Signals | null
    return { program, code: (code as number | null) ?? 128 + (by === null ? 0 : constants.signals[by]), signal: by }
  })
  let told = false
  return {
    ended,
    end(withinMs) {
      if (told) return
      told = true
      // Not by a signal: on a terminal Ctrl-C has reached the child, too, and a second one would not let it finish.
      if (child.connected) child.disconnect()
      const killer = setTimeout(() => child.kill('SIGKILL'), withinMs)
      void ended.then(() => clearTimeout(killer))
    },
  }
}
