// A throw-away Redis for one test: its own port on loopback, its own folder, nothing kept. As with PostgreSQL, a small
// shell script reads a pipe from the test process and kills the server when it closes, by stop(), a crash or SIGKILL.
import { spawn } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { freePort } from './ports.ts'
import { findProgram, type RealComponent } from './real-component.ts'

export interface Redis {
  readonly url: string
  readonly port: number
  /** Sends one command as a line of words (no quoting) and returns the raw answer. */
  command(line: string): Promise<string>
  /** SIGSTOP: connections stay open, nothing is answered. */
  pause(): void
  resume(): void
  /** SIGKILL; start another one with the same port to bring it back, empty. */
  stop(): Promise<void>
}

const START_DEADLINE_MS = 20_000

const SUPERVISOR = `
bin=$1 dir=$2; shift 2
trap '' PIPE
exec 3<&0 </dev/null
"$bin" --dir "$dir" "$@" >"$dir/log" 2>&1 3<&- & server=$!
{ cat <&3; kill -KILL $server; } >/dev/null 2>&1 & watch=$!
wait $server 2>/dev/null
kill $watch 2>/dev/null
cat "$dir/log"
rm -rf "$dir"
`

export function redisAvailable(): RealComponent {
  return findProgram('redis-server', 'redis-server')
}

export async function startRedis(options: { port?: number; args?: readonly string[] } = {}): Promise<Redis> {
  const available = redisAvailable()
  if (!available.ok) throw new Error(available.how)
  for (let attempt = 1; ; attempt++) {
    try {
      return await startOn(options.port ?? (await freePort()), available.bin, options.args ?? [])
    } catch (error) {
      // Somebody else may take the free port before the server does.
      if (!String(error).includes('bind') || attempt === 5) throw error
      await sleep(200)
    }
  }
}

async function startOn(port: number, bin: string, args: readonly string[]): Promise<Redis> {
  const dir = mkdtempSync(join(tmpdir(), 'redis-test-'))
  const pidFile = join(dir, 'pid')
  const settings = [
    '--port',
    `${port}`,
    '--bind',
    '127.0.0.1',
    '--save',
    '',
    '--appendonly',
    'no',
    '--pidfile',
    pidFile,
  ]
  // Its own session: a Ctrl-C that reaches the test's process group must not kill what cleans up.
  const supervisor = spawn('/bin/sh', ['-c', SUPERVISOR, 'sh', bin, dir, ...settings, ...args], {
    cwd: '/',
    stdio: ['pipe', 'pipe', 'ignore'],
    detached: true,
  })
  supervisor.unref()
  let log = ''
  let over = false
  supervisor.stdout.setEncoding('utf8').on('data', (text: string) => (log += text))
  const ended = new Promise<void>((resolve) => supervisor.once('close', () => resolve())).then(() => (over = true))
  const stop = async () => {
    supervisor.stdin.destroy()
    await ended
    rmSync(dir, { recursive: true, force: true })
  }

  const deadline = Date.now() + START_DEADLINE_MS
  // -NOAUTH is an answer, too.
  while (!/^[+-]/.test(await send(port, 'PING').catch(() => ''))) {
    if (!over && Date.now() < deadline) await sleep(20)
    else {
      await stop()
      throw new Error(`redis-server did not start on port ${port}: ${log}`)
    }
  }
  const pid = Number(readFileSync(pidFile, 'utf8'))
  return {
    url: `redis://127.0.0.1:${port}`,
    port,
    command: (line) => send(port, line),
    pause: () => process.kill(pid, 'SIGSTOP'),
    resume: () => process.kill(pid, 'SIGCONT'),
    stop,
  }
}

/** The inline form of the protocol: words, a line end; the answer is over when the server has read QUIT, too. */
function send(port: number, line: string): Promise<string> {
  return new Promise((resolve, reject) => {
    let answer = ''
    const socket = connect(port, '127.0.0.1', () => socket.end(`${line}\r\nQUIT\r\n`))
    socket.setEncoding('utf8').on('data', (text: string) => (answer += text))
    socket.once('error', reject).once('close', () => resolve(answer))
  })
}
