// A throw-away Redis for one test: its own port on loopback, its own folder, nothing kept.
import { mkdtempSync, readFileSync } from 'node:fs'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { freePort } from './ports.ts'
import { findProgram, type RealComponent } from './real-component.ts'
import { supervise, untilUp } from './supervised.ts'

export interface Redis {
  readonly url: string
  readonly port: number
  /** Sends one command as a line of words (no quoting) and returns the raw answer. */
  command(line: string): Promise<string>
  /** SIGSTOP: connections stay open, nothing is answered. */
  pause(): void
  resume(): void
  /** SIGKILL; start another one with the same port to bring it back, empty. */
  readonly stop: () => Promise<void>
}

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
  const settings = { port, bind: '127.0.0.1', save: '', appendonly: 'no', pidfile: pidFile, dir }
  const flags = Object.entries(settings).flatMap(([name, value]) => [`--${name}`, String(value)])
  const server = supervise([bin, ...flags, ...args], { folder: dir, signal: 'KILL' })
  // -NOAUTH is an answer, too.
  const answers = (): Promise<boolean> =>
    send(port, 'PING').then(
      (text) => /^[+-]/.test(text),
      () => false,
    )
  await untilUp(server, `redis-server on port ${port}`, answers)
  const pid = Number(readFileSync(pidFile, 'utf8'))
  return {
    url: `redis://127.0.0.1:${port}`,
    port,
    command: (line) => send(port, line),
    pause: () => process.kill(pid, 'SIGSTOP'),
    resume: () => process.kill(pid, 'SIGCONT'),
    stop: server.stop,
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
