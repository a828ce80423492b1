// Owns running a program as process 1, as a container's command does. Knows no program.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { constants } from 'node:os'

const PASSED_ON = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const

/**
 * Runs this program again as a child, passes signals on and ends as it does. The kernel does not end
 * process 1 by a signal without a listener; and a listener is not called in the middle of a loop.
 */
export async function main(argv: readonly string[]): Promise<number> {
  const [node, script = ''] = process.argv
  const child = spawn(node ?? process.execPath, [...process.execArgv, script, ...argv], { stdio: 'inherit' })
  for (const signal of PASSED_ON) process.on(signal, () => child.kill(signal))
  const [code, signal] = (await once(child, 'exit')) as [number | null, NodeJS.Signals | null]
  return code ?? 128 + (signal === null ? 0 : constants.signals[signal])
}
