// The few commands of a test that need root, such as mount: run as it is, or through sudo without a password, as CI
// machines have it.
import { execFileSync } from 'node:child_process'

/** The command and its arguments. */
export function asRoot(...command: string[]): void {
  const [program = '', ...args] = process.getuid?.() === 0 ? command : ['sudo', '-n', ...command]
  execFileSync(program, args, { stdio: ['ignore', 'ignore', 'pipe'] })
}
