// Owns a real server that ends with the process that started it: a small shell script reads a pipe from this process, and
// ends the server and removes its folder when the pipe closes, by stop(), a crash or SIGKILL. No exit handler is needed.
import { spawn } from 'node:child_process'
import { rmSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'

export interface Supervised {
  /** What it wrote to stdout and stderr. */
  readonly log: () => string
  readonly hasEnded: () => boolean
  readonly stop: () => Promise<void>
}

export interface Account {
  readonly uid: number
  readonly gid: number
}

export interface Supervision {
  /** Removed with the server. */
  readonly folder: string
  /** What ends it. */
  readonly signal: 'KILL' | 'QUIT' | 'TERM'
  readonly env?: NodeJS.ProcessEnv
  /** Whose process it is; by default the tester's. */
  readonly account?: Account | undefined
}

const START_DEADLINE_MS = 30_000

// The signal is repeated, because a server that is only just starting may not listen to it yet; and the log may be a
// closed pipe by then, which must not end the script.
const SCRIPT = `
folder=$1 signal=$2; shift 2
trap '' PIPE
exec 3<&0 </dev/null
"$@" 3<&- & server=$!
{ cat <&3; while kill -$signal $server; do sleep 0.2; done; } >/dev/null 2>&1 & watch=$!
wait $server 2>/dev/null
kill $watch 2>/dev/null
rm -rf "$folder"
`

export function supervise(
  command: readonly string[],
  { folder, signal, env = process.env, account }: Supervision,
): Supervised {
  const supervisor = spawn('/bin/sh', ['-c', `{ ${SCRIPT} } 2>&1`, 'sh', folder, signal, ...command], {
    cwd: '/',
    stdio: ['pipe', 'pipe', 'ignore'],
    // Its own session: a Ctrl-C that reaches the test's process group must not kill what cleans up.
    detached: true,
    env,
    ...account,
  })
  supervisor.unref()
  let log = ''
  let over = false
  supervisor.stdout.setEncoding('utf8').on('data', (text: string) => (log += text))
  const ended = new Promise<void>((resolve) => supervisor.once('close', () => ((over = true), resolve())))
  return {
    log: () => log,
    hasEnded: () => over,
    async stop() {
      // Its end is waited for: outside a test runner nothing else may keep the process alive until then.
      supervisor.ref()
      supervisor.stdin.destroy()
      await ended
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

/** Waits until it answers; otherwise stops it and throws with its log. */
export async function untilUp(server: Supervised, what: string, answers: () => Promise<boolean>): Promise<void> {
  const deadlineMs = Date.now() + START_DEADLINE_MS
  while (!(await answers())) {
    if (server.hasEnded() || Date.now() > deadlineMs) {
      await server.stop()
      throw new Error(`${what} did not start: ${server.log()}`)
    }
    await sleep(20)
  }
}
