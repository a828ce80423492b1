// Owns processes that run one command of analytics-build after another: what a test asks of a command is asked of the program that
// operators have, without its start.
import { fork, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { constants } from 'node:os'
import { packagePath } from '../../src/process/package-root.ts'

export interface Said {
  readonly code: number
  readonly stdout: string
  readonly stderr: string
}

export interface Asked {
  readonly args: readonly string[]
  /** All of its variables. */
  readonly env: NodeJS.ProcessEnv
  /** In which it is started. */
  readonly folder: string
  /** Without one, that of this process. */
  readonly umask?: number | undefined
  /** Asked when it is over: whether its process must have ended too, as that of a single command has. */
  readonly isLast?: (() => boolean) | undefined
}

/** Ends what a command wrote. */
const MARK = '\u0001end of a command\u0001'

/** Less than a test may take: what hangs does not outlive its test. */
const TIMEOUT_MS = 55_000

const SCRIPT = packagePath('test', 'support', 'warm-program.mjs')

/** Read by Node itself, or by its libraries, when a process starts. */
const OF_THE_START = /^(?:NODE_|SSL_|OPENSSL|UV_|LD_)/

const idle: WarmBuilder[] = []

/** Commands that are run at the same time, or need another start, are run by processes of their own, and so is what follows one that died. */
export async function runWarm(program: string, asked: Asked, timeoutMs = TIMEOUT_MS): Promise<Said> {
  const start = Object.fromEntries(Object.entries(asked.env).filter(([name]) => OF_THE_START.test(name)))
  const key = JSON.stringify([program, start])
  const at = idle.findLastIndex((one) => one.key === key && one.isAlive)
  const builder = at < 0 ? new WarmBuilder(program, start, key) : idle.splice(at, 1)[0]!
  const { isLast = () => false, ...command } = asked
  const said = await builder.run(command, timeoutMs)
  if (isLast()) await builder.end()
  else idle.push(builder)
  return said
}

class WarmBuilder {
  readonly key: string
  readonly #child: ChildProcess
  readonly #ready: Promise<unknown>
  #ended: number | null = null
  #written = ['', '']
  #heard: () => void = () => {}
  #code: number | null = null

  constructor(program: string, start: NodeJS.ProcessEnv, key: string) {
    this.key = key
    const child = fork(SCRIPT, [program, MARK], { stdio: ['ignore', 'pipe', 'pipe', 'ipc'], env: start })
    this.#child = child
    for (const [nth, stream] of [child.stdout, child.stderr].entries())
      stream?.setEncoding('utf8').on('data', (text: string) => {
        this.#written[nth] += text
        this.#heard()
      })
    this.#ready = new Promise((resolve) => child.once('message', resolve).once('close', resolve))
    const kill = (): void => void child.kill('SIGKILL')
    process.once('exit', kill)
    child.once('close', (code, signal) => {
      process.off('exit', kill)
      this.#ended = code ?? 128 + constants.signals[signal ?? 'SIGKILL']
      this.#heard()
    })
    this.#keepAlive(false)
  }

  get isAlive(): boolean {
    return this.#ended === null
  }

  async end(): Promise<void> {
    if (!this.isAlive) return
    const ended = once(this.#child, 'close')
    this.#keepAlive(true)
    this.#child.kill('SIGKILL')
    await ended
  }

  async run(asked: Asked, timeoutMs: number): Promise<Said> {
    this.#keepAlive(true)
    this.#code = null
    this.#written = ['', '']
    await this.#ready
    const timeout = setTimeout(() => this.#child.kill('SIGKILL'), timeoutMs)
    const over = new Promise<number>((resolve) => {
      this.#heard = () => {
        const isWritten = this.#written.every((text) => text.endsWith(MARK))
        if (this.#code !== null && isWritten) resolve(this.#code)
        else if (this.#ended !== null) resolve(this.#ended)
      }
    })
    this.#child.once('message', ({ code }: { code: number }) => {
      this.#code = code
      this.#heard()
    })
    // One that has died meanwhile says so itself.
    this.#child.send(asked, () => this.#heard())
    const code = await over
    clearTimeout(timeout)
    this.#keepAlive(false)
    const [stdout = '', stderr = ''] = this.#written.map((text) => text.replace(MARK, ''))
    return { code, stdout, stderr }
  }

  /** A test runner ends though one is idle. */
  #keepAlive(isKept: boolean): void {
    const { stdout, stderr, channel } = this.#child
    const handles = [this.#child, channel, stdout, stderr] as unknown as readonly (
      NodeJS.RefCounted | null | undefined
    )[]
    for (const one of handles) one?.[isKept ? 'ref' : 'unref']()
  }
}
