// The few commands of a test that need root, such as mount: run as it is, or through sudo without a password, as CI
// machines have it.
import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'

/** The command and its arguments. */
export function asRoot(...command: string[]): void {
  const [program = '', ...args] = process.getuid?.() === 0 ? command : ['sudo', '-n', ...command]
  execFileSync(program, args, { stdio: ['ignore', 'ignore', 'pipe'] })
}

/** CAP_DAC_READ_SEARCH, which root of a container may lack. */
const READS_ALL = 1n << 2n

/**
 * What runs a program as another user, by root. It reads also a clone that only root may enter, where root may do so itself, and writes
 * by modes alone.
 */
export function asUser(uid: number, gid: number): [string, ...string[]] {
  const [, permitted = '0'] = /^CapPrm:\s*([0-9a-f]+)$/m.exec(readFileSync('/proc/self/status', 'utf8')) ?? []
  const reads = (BigInt(`0x${permitted}`) & READS_ALL) === 0n ? '-all' : '+dac_read_search'
  const caps = [`--inh-caps=${reads}`, `--ambient-caps=${reads}`]
  return ['setpriv', `--reuid=${uid}`, `--regid=${gid}`, '--clear-groups', ...caps]
}
