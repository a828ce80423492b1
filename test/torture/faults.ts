// Owns faults.c from Node: compiling it, the environment that loads it, what it wrote down. Knows no build.
import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync, realpathSync } from 'node:fs'
import { join } from 'node:path'
import { packagePath } from '../../src/process/package-root.ts'
import { findProgram, type RealComponent } from '../support/real-component.ts'

export function compilerAvailable(): RealComponent {
  return findProgram('cc', 'gcc libc6-dev')
}

/** The kinds of operation in faults.c; those that change something on the disk come first. */
export const CHANGING_KINDS = [
  'create',
  'write',
  'fsync',
  'mkdir',
  'rename',
  'link',
  'symlink',
  'unlink',
  'rmdir',
  'utimens',
  'truncate',
  'chmod',
] as const
export type FaultKind = (typeof CHANGING_KINDS)[number] | 'open' | 'read' | 'close' | 'readlink' | 'stat' | 'list'

export interface Fault {
  readonly kind: FaultKind
  /** Counted from 1; 0 = every one. */
  readonly nth: number
  /** An error number; or what else becomes of the call. */
  readonly action: 'kill' | 'hang' | 'part' | 'lie' | number
}

type NthCall = Pick<Fault, 'kind' | 'nth'>

export interface NumberedCall extends NthCall {
  readonly of: number
}

export interface Call {
  readonly kind: FaultKind
  readonly path: string
}

export interface Faults {
  /** What makes a program meet `fault` on paths below `folder`, or, without one, write down every operation there. */
  environment(folder: string, log: string, fault?: Fault): Record<string, string>
  /** What makes it leave a copy of `folder` in `copies` at each of these calls, as it would be left if it were killed there. */
  copying(folder: string, log: string, calls: readonly NthCall[], copies: string): Record<string, string>
}

/** Nothing ever writes into a release that is whole: its files are links. What goes away meanwhile is gone. */
const COPY = `exec 2>/dev/null
cp -al "$1" "$2"
cd "$1" && unfinished=$(ls -d .[!.]* * releases/.[!.]* | grep -vx releases)
cd "$2" && rm -rf $unfinished
cd "$1" && cp -a --parents $unfinished "$2"`

/** @param folder where the library is written */
export function compileFaults(folder: string): Faults {
  const library = join(folder, 'faults.so')
  const source = packagePath('test', 'torture', 'faults.c')
  execFileSync('cc', ['-O1', '-shared', '-fPIC', '-o', library, source, '-ldl', '-pthread'])
  const loaded = (below: string, log: string) => ({
    LD_PRELOAD: library,
    FAULT_BELOW: realpathSync(below),
    FAULT_LOG: log,
  })
  const listed = (calls: readonly NthCall[]): string => `,${calls.map(({ kind, nth }) => `${kind}:${nth}`).join(',,')},`
  return {
    environment: (below, log, fault) => ({
      ...loaded(below, log),
      ...(fault && { FAULT_AT: listed([fault]), FAULT_ACTION: String(fault.action) }),
    }),
    copying: (below, log, calls, copies) => ({
      ...loaded(below, log),
      FAULT_AT: listed(calls),
      FAULT_ACTION: 'copy',
      FAULT_COPY: COPY,
      FAULT_COPIES: copies,
    }),
  }
}

/** What was written down, in order: each a call that was counted, or that met its fault. */
export function callsIn(log: string): Call[] {
  if (!existsSync(log)) return []
  const lines = readFileSync(log, 'utf8').split('\n').slice(0, -1)
  return lines.map((line) => {
    const space = line.indexOf(' ')
    return { kind: line.slice(0, space) as FaultKind, path: line.slice(space + 1) }
  })
}
