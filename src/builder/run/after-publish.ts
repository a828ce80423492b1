// Owns the command of --after-publish: what it is told, how long it has, what its end means, and the note of that which
// `status` reads. Knows no release but its path and id.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { basename, join, resolve } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { harmless } from '../../process/printable.ts'
import { SECRET_VARIABLES, twinOf } from '../../process/variables.ts'
import type { ReleasePaths } from '../../release/format/paths.ts'
import { stateFile } from '../../release/writing/state.ts'
import type { BuildEffects } from './context.ts'

export interface LastTold {
  /** The release that it was last run for. */
  readonly id: string
  readonly startedAt: string
  /** Why it failed; null = it did not. */
  readonly failed: string | null
  /** When the first of the runs began that failed in a row, this one included. */
  readonly failingSince: string | null
}

/** Noted before it runs: who is killed notes nothing. */
export const NOT_ENDED = 'it did not end: it was killed, or its machine stopped'

/** What the command does with a release may not have been done with the one that is current. */
export function isDue(told: LastTold | string, current: string | null): boolean {
  return typeof told === 'string' || told.failed !== null || (current !== null && told.id !== current)
}

const LAST_TOLD = stateFile('lastTold', 0o600, (value): LastTold | 'no note' => {
  const { id, startedAt } = (value ?? {}) as Partial<LastTold>
  return typeof id === 'string' && Number.isFinite(Date.parse(startedAt ?? '')) ? (value as LastTold) : 'no note'
})

/** Null = none was ever run, or this user may not know; a string = why it cannot be read. */
export async function readLastTold(paths: ReleasePaths): Promise<LastTold | string | null> {
  try {
    const told = await LAST_TOLD.read(paths)
    return told === 'no note' ? `${paths.lastTold} is no note` : told
  } catch (error) {
    const { message, cause } = error as Error
    return (cause as NodeJS.ErrnoException | undefined)?.code === 'EACCES' ? null : message
  }
}

/** Between SIGTERM and SIGKILL to all processes of the command: a signal ends a build within two seconds. */
const TERM_MS = 500
/** Of what it prints the end is kept, for the warning. */
const KEPT_CHARACTERS = 2000
/** After its end, for what is still in the pipe. */
const PRINTED_MS = 200

/**
 * Runs the command with /bin/sh, in a process group of its own.
 * @param release its folder, whose name is its id
 * @param signal ends it
 * @param umask of the builder, which is none of a command's that may write what nobody else is to read
 * @returns why it failed; null = it did not
 */
export async function runAfterPublish(
  command: string,
  release: string,
  signal: AbortSignal,
  umask: number,
  env = process.env,
): Promise<string | null> {
  if (signal.aborted) return 'it was not started: the build was stopped, or its --deadline was over'
  const child = spawn('/bin/sh', ['-c', `umask 0${umask.toString(8)}; ${command}`], {
    detached: true,
    env: environmentFor(release, env),
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const closed = once(child, 'close').catch(() => undefined)
  let printed = ''
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (text: string) => (printed = (printed + text).slice(-KEPT_CHARACTERS)))
  const killAll = (name: NodeJS.Signals): void => {
    try {
      if (child.pid !== undefined) process.kill(-child.pid, name)
    } catch {
      // All of them have ended.
    }
  }
  let killer: NodeJS.Timeout | undefined
  const stop = (): void => {
    killAll('SIGTERM')
    killer = setTimeout(() => killAll('SIGKILL'), TERM_MS)
  }
  signal.addEventListener('abort', stop, { once: true })
  try {
    const ended = await new Promise<string | null>((end) => {
      child.once('error', (error) => end(error.message))
      child.once('exit', (code, by) => end(code === 0 ? null : code === null ? `signal ${by}` : `exit code ${code}`))
    })
    // What it printed comes until its 'close', which what it left in the background may put off for ever.
    if (ended !== null) await Promise.race([closed, delay(PRINTED_MS)])
    if (signal.aborted) return `it was ended: ${(signal.reason as Error).message}`
    return ended === null ? null : `${ended}${lastLine(printed)}`
  } finally {
    signal.removeEventListener('abort', stop)
    clearTimeout(killer)
    // What is left of it, when it was told to end.
    if (signal.aborted) killAll('SIGKILL')
    child.stdout.destroy()
    child.stderr.destroy()
  }
}

/**
 * Runs it, notes for `status` what became of it, and warns where it fails: the release is current whatever becomes of it.
 * Without a command it warns where one was run before.
 * @returns whether it succeeded; undefined = there is none
 */
export async function tellOf(
  paths: ReleasePaths,
  id: string,
  command: string | null,
  { signal, umask, nowMs, log }: Pick<BuildEffects, 'signal' | 'umask' | 'nowMs' | 'log'>,
): Promise<boolean | undefined> {
  const before = await readLastTold(paths)
  if (command === null) {
    if (typeof before === 'string') log.warn({}, `it is not known whether --after-publish was run before: ${before}`)
    else if (before !== null)
      log.warn(
        {},
        `no --after-publish was given, and it was before: a copy elsewhere stays as it is; if none is to be updated any more, remove ${paths.lastTold}`,
      )
    return undefined
  }
  const startedAt = new Date(nowMs()).toISOString()
  const failingSince = (typeof before === 'string' ? null : before?.failingSince) ?? startedAt
  const note = (failed: string | null): Promise<void> =>
    LAST_TOLD.note(paths, { id, startedAt, failed, failingSince: failed === null ? null : failingSince }).catch(
      (error: Error) => log.warn({}, `status will not know whether --after-publish succeeded: ${error.message}`),
    )
  await note(NOT_ENDED)
  const failed = await runAfterPublish(command, join(paths.releases, id), signal, umask)
  await note(failed)
  if (failed !== null) log.warn({ id }, `--after-publish failed: ${failed}; the release is published all the same`)
  return failed === null
}

/** All of the builder's, but the secrets of databases: what uploads files needs none. */
function environmentFor(release: string, env: Readonly<NodeJS.ProcessEnv>): NodeJS.ProcessEnv {
  const secret = new Set(SECRET_VARIABLES.flatMap((name) => [name, twinOf(name)]))
  const rest = Object.entries(env).filter(([name]) => !secret.has(name))
  return { ...Object.fromEntries(rest), ANALYTICS_RELEASE: resolve(release), ANALYTICS_RELEASE_ID: basename(release) }
}

function lastLine(printed: string): string {
  const line = printed.trimEnd().split('\n').at(-1)?.trim() ?? ''
  return line === '' ? '' : `: ${harmless(line)}`
}
