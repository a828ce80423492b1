// Starts one of the programs as a process of its own, and ends it whatever happens.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { packagePath } from '../../src/process/package-root.ts'

export interface Program {
  /** The first line on stdout: where the proxy listens. */
  readonly url: string
  readonly pid: number
  stderr(): string
  /** SIGTERM, then the exit code. */
  stop(signal?: NodeJS.Signals): Promise<number | null>
}

/** Resolves with the first line on stdout. The child dies with this process: its stdin is a pipe it does not need. */
export async function startProgram(
  name: string,
  args: readonly string[],
  env: Readonly<Record<string, string>> = {},
): Promise<Program> {
  const child = spawn(process.execPath, [packagePath('bin', `${name}.js`), ...args], {
    env: { ...process.env, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const kill = (): void => void child.kill('SIGKILL')
  process.once('exit', kill)
  let stderr = ''
  child.stderr.setEncoding('utf8').on('data', (text: string) => (stderr += text))
  const exited = once(child, 'exit').then(() => {
    process.off('exit', kill)
    return child.exitCode
  })
  const line = new Promise<string>((resolve) => {
    let text = ''
    child.stdout.setEncoding('utf8').on('data', (more: string) => {
      text += more
      if (text.includes('\n')) resolve(text.slice(0, text.indexOf('\n')))
    })
  })
  const first = await Promise.race([line, exited])
  if (typeof first !== 'string') throw new Error(`${name} ended with ${first} before its first line: ${stderr}`)
  return {
    url: first,
    pid: child.pid ?? 0,
    stderr: () => stderr,
    async stop(signal = 'SIGTERM') {
      child.kill(signal)
      return exited
    },
  }
}
