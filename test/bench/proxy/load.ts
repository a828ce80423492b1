// Owns one round of load: wrk on the client's core against one server, and what each request cost that server.
import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { packagePath } from '../../../src/process/package-root.ts'
import { onClientCore, program } from './machine.ts'
import { cpuSeconds } from './proc.ts'

export const CONNECTIONS = 32

export interface Load {
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  /** Each one's processor time counts, with that of its children. */
  readonly pids: readonly number[]
  /** wrk counts statuses from 400 on as errors: none of the answers is one, or all are. */
  readonly isError?: boolean
}

export interface Round {
  readonly requests: number
  readonly perSecond: number
  readonly cpuMicrosPerRequest: number
  readonly p50Micros: number
  readonly p99Micros: number
}

const REPORT = packagePath('test', 'bench', 'proxy', 'wrk-report.lua')

interface Report {
  readonly requests: number
  readonly microseconds: number
  readonly statusErrors: number
  readonly socketErrors: number
  readonly p50: number
  readonly p99: number
}

/** @param seconds whole ones: wrk knows no others */
export async function runLoad(load: Load, seconds: number): Promise<Round> {
  const headers = Object.entries(load.headers).flatMap(([name, value]) => ['-H', `${name}: ${value}`])
  const settings = ['-t', '1', '-c', String(CONNECTIONS), '-d', `${seconds}s`, '--timeout', '60s', '-s', REPORT]
  const [command, args] = onClientCore(program('wrk', 'wrk'), [...settings, ...headers, load.url])
  const cpu = (): number => load.pids.reduce((sum, pid) => sum + cpuSeconds(pid), 0)
  const before = cpu()
  const { stdout } = await promisify(execFile)(command, args)
  const spent = cpu() - before
  const report = JSON.parse(stdout.trim().split('\n').at(-1) ?? '') as Report
  const expected = load.isError === true ? report.requests : 0
  if (report.requests === 0 || report.socketErrors > 0 || report.statusErrors !== expected)
    throw new Error(`${load.url}: not the answers that were to be measured: ${JSON.stringify(report)}`)
  return {
    requests: report.requests,
    perSecond: report.requests / (report.microseconds / 1e6),
    cpuMicrosPerRequest: (spent / report.requests) * 1e6,
    p50Micros: report.p50,
    p99Micros: report.p99,
  }
}
