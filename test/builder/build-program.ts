// Runs the real analytics-build program as an operator does, and says what came of it.
import { spawn, type ChildProcess, type SpawnOptions } from 'node:child_process'
import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { constants, tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { packagePath } from '../../src/process/package-root.ts'
import { runWarm, type Asked } from './warm-builders.ts'

export const PROGRAM: string = process.env['PROGRAM'] ?? packagePath('bin', 'analytics-build.js')

export interface Ran {
  /** As a shell shows it: 128 + the signal's number for a process that a signal ended. */
  readonly code: number
  readonly stdout: string
  readonly stderr: string
  readonly ms: number
}

export interface Running {
  readonly child: ChildProcess
  readonly done: Promise<Ran>
}

/** Nothing of the tester's own environment reaches the program but what it needs to run. */
function environment(more: Readonly<Record<string, string>>): NodeJS.ProcessEnv {
  const { PATH, HOME, TMPDIR } = process.env
  return { PATH, HOME, TMPDIR, ...more }
}

export function begin(
  args: readonly string[],
  env: Readonly<Record<string, string>> = {},
  options: SpawnOptions = {},
  /** Put before the command line, such as `setpriv` and its options. */
  under: readonly string[] = [],
): Running {
  if (!existsSync(packagePath('dist', 'builder', 'main.js')))
    throw new Error('dist/ is missing: compile the programs first (node scripts/compile.js)')
  const startMs = performance.now()
  // An empty one: the default of --snapshots and of what is written is below it, and not in the clone.
  const folder = mkdtempSync(join(tmpdir(), 'build-program-'))
  const [command, ...before] = [...under, process.execPath]
  const child = spawn(command, [...before, PROGRAM, ...args], {
    cwd: folder,
    ...options,
    env: environment(env),
    stdio: ['ignore', 'pipe', 'pipe'],
    // Less than a test may take: what hangs does not outlive its test.
    timeout: 55_000,
    killSignal: 'SIGKILL',
  })
  const removeFolder = (): void => rmSync(folder, { recursive: true, force: true })
  const kill = (): void => {
    child.kill('SIGKILL')
    removeFolder()
  }
  process.once('exit', kill)
  const exited = new Promise<number>((resolve, reject) => {
    child.once('error', reject)
    child.once('close', (code, signal) => {
      process.off('exit', kill)
      removeFolder()
      resolve(code ?? 128 + constants.signals[signal ?? 'SIGKILL'])
    })
  })
  const read = (stream: NodeJS.ReadableStream | null): Promise<string> =>
    stream === null ? Promise.resolve('') : text(stream)
  const done = Promise.all([exited, read(child.stdout), read(child.stderr)]).then(([code, stdout, stderr]) => ({
    code,
    stdout,
    stderr,
    ms: performance.now() - startMs,
  }))
  return { child, done }
}

/** Runs a command to its end, in a process that has run others: what is of a process alone, such as signals, needs `begin`. */
export async function run(
  args: readonly string[],
  env: Readonly<Record<string, string>> = {},
  /** Asked when it is over: whether its process must have ended too. */
  isLast?: () => boolean,
): Promise<Ran> {
  const folder = mkdtempSync(join(tmpdir(), 'build-program-'))
  return runIn(folder, args, env, { isLast }).finally(() => rmSync(folder, { recursive: true, force: true }))
}

/** In a folder of the test's own, where a command writes when it is not told where. */
export async function runIn(
  folder: string,
  args: readonly string[],
  env: Readonly<Record<string, string>> = {},
  more: Pick<Asked, 'umask' | 'isLast'> = {},
): Promise<Ran> {
  const startMs = performance.now()
  const said = await runWarm(PROGRAM, { args, env: environment(env), folder, ...more })
  return { ...said, ms: performance.now() - startMs }
}

export interface LogLine {
  readonly level: string
  readonly message: string
  readonly [field: string]: unknown
}

/** The lines of the log; a line that is not one (usage errors are plain) has the level `plain`. */
export function logOf({ stderr }: Ran): LogLine[] {
  return stderr
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => (line.startsWith('{') ? (JSON.parse(line) as LogLine) : { level: 'plain', message: line }))
}

/** What the program says of its failure: must be one line. */
export function failureOf(ran: Ran): string {
  const lines = logOf(ran).filter(({ level }) => level === 'error' || level === 'plain')
  if (lines.length !== 1 || lines[0] === undefined)
    throw new Error(`${lines.length} lines in place of one:\n${ran.stderr}`)
  return lines[0].message
}
