// Owns a server under measurement: a process of its own on the server's core, which says on its first line where it is.
import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { packagePath } from '../../../src/process/package-root.ts'
import { onServerCore } from './machine.ts'

export interface Server {
  readonly name: string
  readonly url: string
  readonly port: number
  readonly pid: number
  readonly child: ChildProcess
  stop(): Promise<void>
}

/** Nothing of the tester's own ANALYTICS_ variables reaches a server. */
const ENVIRONMENT = { PATH: process.env['PATH'], HOME: process.env['HOME'], NODE_ENV: 'production' }

export async function startServer(name: string, args: readonly string[]): Promise<Server> {
  const [command, all] = onServerCore(process.execPath, args)
  const child = spawn(command, all, { env: ENVIRONMENT, stdio: ['ignore', 'pipe', 'pipe'] })
  let log = ''
  child.stderr?.setEncoding('utf8').on('data', (text: string) => (log = (log + text).slice(-2000)))
  const { stop, ended } = stopping(child)
  const line = await Promise.race([
    once(createInterface({ input: child.stdout as NodeJS.ReadableStream }), 'line').then(([text]) => String(text)),
    ended.then(() => Promise.reject(new Error(`${name} did not start: ${log}`))),
  ])
  return { name, url: line, port: Number(new URL(line).port), pid: child.pid ?? 0, child, stop }
}

/** Ends with the benchmark, however that ends. */
export function stopping(child: ChildProcess): { stop: () => Promise<void>; ended: Promise<void> } {
  const kill = (): void => void child.kill('SIGTERM')
  process.once('exit', kill)
  const ended = new Promise<void>((resolve) => child.once('close', () => resolve()))
  const stop = async (): Promise<void> => {
    process.off('exit', kill)
    kill()
    const hard = setTimeout(() => child.kill('SIGKILL'), 2000)
    await ended
    clearTimeout(hard)
  }
  return { stop, ended }
}

/** The highest limit there is, in the shortest window: 100,000 a second, which no round reaches. */
export const UNREACHED_LIMIT: readonly string[] = ['--rate-limit', '100000', '--rate-window', '1s']

export function proxyArguments(snapshots: string, more: readonly string[] = UNREACHED_LIMIT): string[] {
  return [packagePath('bin', 'analytics-proxy.js'), '--port', '0', '--snapshots', snapshots, ...more]
}

/** node:http that always gives the answer of a file. */
export function startConstant(name: string, file: string): Promise<Server> {
  return startServer(name, [packagePath('test', 'bench', 'proxy', 'constant.mjs'), file])
}
