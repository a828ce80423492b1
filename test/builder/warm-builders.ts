// Owns processes that run one command of analytics-build after another: what a test asks of a command is asked of the program that
// operators have, without its start.
import { fork, type ChildProcess } from 'node:child_process'
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
}

/** Ends what a command wrote. */
const MARK = '\u0001end of a command\u0001'

/** Less than a test may take: what hangs does not outlive its test. */
const TIMEOUT_MS = 55_000

const SCRIPT = packagePath('test', 'support', 'warm-program.mjs')

const idle: WarmBuilder[] = []

/** Commands that are run at the same time are run by processes of their own, and so are those that load another library. */
export async function runWarm(program: string, asked: Asked): Promise<Said> {
  const { LD_PRELOAD: library = '' } = asked.env
  const at = idle.findIndex((one) => one.program === program && one.library === library && one.isAlive)
  const builder = at < 0 ? new WarmBuilder(program, library) : idle.splice(at, 1)[0]!
  const said = await builder.run(asked)
  if (builder.isAlive) idle.push(builder)
  return said
}

class WarmBuilder {
  readonly program: string
  readonly library: string
  readonly #child: ChildProcess
  readonly #ready: Promise<unknown>
  #ended: number | null = null
  #written = ['', '']
  #heard: () => void = () => {}
  #code: number | null = null

  constructor(program: string, library: string) {
    this.program = program
    this.library = library
    const env = library === '' ? {} : { LD_PRELOAD: library }
    const child = fork(SCRIPT, [program, MARK], { stdio: ['ignore', 'pipe', 'pipe', 'ipc'], env })
    this.#child = child
    for (const [nth, stream] of [child.stdout, child.stderr].entries())
      stream?.setEncoding('utf8').on('data', (text: string) => {
        this.#written[nth] += text
        this.#heard()
      })
    this.#ready = new Promise((resolve) => child.once('message', resolve))
    child.once('close', (code, signal) => {
      this.#ended = code ?? 128 + constants.signals[signal ?? 'SIGKILL']
      this.#heard()
    })
    this.#keepAlive(false)
  }

  get isAlive(): boolean {
    return this.#ended === null
  }

  async run({ args, env, folder }: Asked): Promise<Said> {
    this.#keepAlive(true)
    await this.#ready
    this.#code = null
    this.#written = ['', '']
    const timeout = setTimeout(() => this.#child.kill('SIGKILL'), TIMEOUT_MS)
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
    this.#child.send({ args, env, folder })
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
