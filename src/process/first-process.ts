// Owns running a program as a child of this process: for process 1, as a container's command is, and for a command that is made of
// several. Knows no program.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { constants } from 'node:os'

const PASSED_ON = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const

/**
 * Runs this program again as a child. The kernel does not end process 1 by a signal without a listener; and a listener is not
 * called in the middle of a loop.
 */
export function main(argv: readonly string[]): Promise<number> {
  return runChild(process.argv[1] ?? '', argv)
}

/** Runs a script with this Node.js and its flags, passes signals on and ends as it does. @returns its exit code */
export async function runChild(script: string, argv: readonly string[]): Promise<number> {
  const child = spawn(process.execPath, [...process.execArgv, script, ...argv], { stdio: 'inherit' })
  const pass = (signal: NodeJS.Signals): void => void child.kill(signal)
  for (const signal of PASSED_ON) process.on(signal, pass)
  const [code, signal] = (await once(child, 'exit')) as [number | null, NodeJS.Signals | null]
  for (const one of PASSED_ON) process.off(one, pass)
  return code ?? 128 + (signal === null ? 0 : constants.signals[signal])
}
