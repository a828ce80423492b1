// Owns what is said of the machine, and on which core each side runs.
import { execFileSync, spawnSync } from 'node:child_process'
import { findProgram } from '../../support/real-component.ts'

export const MIB: number = 2 ** 20

/** @throws with the line that installs it */
export function program(name: string, aptPackage: string): string {
  const found = findProgram(name, aptPackage, ['/usr/sbin'])
  if (!found.ok) throw new Error(found.how)
  return found.bin
}

const TASKSET = program('taskset', 'util-linux')

/** The server's core and everybody else's: of two cores, or of one that both share. */
const [SERVER_CORE, CLIENT_CORE] = coresAllowed()

function coresAllowed(): [string, string] {
  const list =
    execFileSync(TASKSET, ['-cp', String(process.pid)], { encoding: 'utf8' })
      .split(': ')
      .at(-1) ?? '0'
  const cores = list
    .trim()
    .split(',')
    .flatMap((part) => {
      const [first = 0, last = first] = part.split('-').map(Number)
      return Array.from({ length: last - first + 1 }, (_, i) => String(first + i))
    })
  const [server = '0', client = server] = cores
  return [server, client]
}

export function onServerCore(command: string, args: readonly string[]): [string, string[]] {
  return [TASKSET, ['-c', SERVER_CORE, command, ...args]]
}

export function onClientCore(command: string, args: readonly string[]): [string, string[]] {
  return [TASKSET, ['-c', CLIENT_CORE, command, ...args]]
}

/** Threads that this process starts later run there, too. */
export function moveToClientCore(): void {
  execFileSync(TASKSET, ['-acp', CLIENT_CORE, String(process.pid)])
}

function firstLine(command: string, args: readonly string[]): string {
  const { stdout, stderr } = spawnSync(command, args, { encoding: 'utf8' })
  return `${stdout}${stderr}`.trim().split('\n')[0] ?? ''
}

export function describeMachine(): Readonly<Record<string, string>> {
  return {
    wrk: /[\d.]+\S*/.exec(firstLine(program('wrk', 'wrk'), ['-v']))?.[0] ?? '',
    nginx: firstLine(program('nginx', 'nginx'), ['-v']),
    curl: firstLine(program('curl', 'curl'), ['--version']).split(' (')[0] ?? '',
    cores:
      SERVER_CORE === CLIENT_CORE
        ? `one core (${SERVER_CORE}) for server and load generator: latencies say little`
        : `server on core ${SERVER_CORE}, load generator on core ${CLIENT_CORE} (taskset)`,
  }
}
