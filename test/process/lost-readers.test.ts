// Both programs go on when nobody reads what they write any more: a logger that ends or hangs, a full disk. Tests
// src/process/log.ts and standard-output.ts in the programs as they are shipped (dist/).
// long test: starts programs over and over
import { execFileSync, spawn, type ChildProcess } from 'node:child_process'
import { EventEmitter, once } from 'node:events'
import { closeSync, constants, existsSync, openSync, readFileSync, readSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import { packagePath } from '../../src/process/package-root.ts'
import { outliveReaders } from '../../src/process/standard-output.ts'
import { currentId } from '../../src/release/reading/release-list.ts'
import { AS_OF_MS, publishSamples } from '../release/sample-release.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'
import { freePort } from '../support/ports.ts'
import { programEnvironment, until } from '../support/proxy.ts'
import { releasePaths } from '../../src/release/format/paths.ts'

const BUILD = packagePath('bin', 'analytics-build.js')
const PROXY = packagePath('bin', 'analytics-proxy.js')
const NOBODY = 'postgresql://nobody@127.0.0.1:1/nothing'

type Stdio = 'pipe' | number

function start(program: string, args: readonly string[], stdio: [Stdio, Stdio], env = {}): ChildProcess {
  const child = spawn(process.execPath, [program, ...args], {
    stdio: ['ignore', ...stdio],
    env: programEnvironment({ DATABASE_URL: NOBODY, ...env }),
  })
  onTestFinished(() => void child.kill('SIGKILL'))
  return child
}

async function codeOf(child: ChildProcess): Promise<number | string> {
  const [code, signal] = (await once(child, 'exit')) as [number | null, string | null]
  return code ?? signal ?? 'none'
}

async function healthy(port: number): Promise<boolean> {
  return fetch(`http://127.0.0.1:${port}/healthz`).then(
    ({ status }) => status === 200,
    () => false,
  )
}

/** Both ends of a pipe with a name: whoever reads may leave and come back. */
function fifo(): { readonly path: string; writer(): number; reader(): number } {
  const path = join(temporaryFolder(), 'log')
  execFileSync('mkfifo', [path])
  const opened = (flags: number): number => {
    const fd = openSync(path, flags)
    onTestFinished(() => {
      try {
        closeSync(fd)
      } catch {
        // The test has closed it.
      }
    })
    return fd
  }
  return {
    path,
    writer: () => opened(constants.O_WRONLY),
    reader: () => opened(constants.O_RDONLY | constants.O_NONBLOCK),
  }
}

describe('a reader that leaves', () => {
  test('stderr and stdout of the proxy: it serves on, logs again to the next reader, and stops cleanly', async () => {
    const [port, snapshots] = [await freePort(), temporaryFolder()]
    const log = fifo()
    const first = log.reader()
    const child = start(PROXY, ['--port', String(port), '--snapshots', snapshots], ['pipe', log.writer()])
    const ended = codeOf(child)
    await until(() => healthy(port), 20_000, 'it serves')
    closeSync(first)
    child.stdout?.destroy()
    // It logs the release that appears.
    await publishSamples(snapshots, AS_OF_MS)
    const serves = async (): Promise<boolean> => (await fetch(`http://127.0.0.1:${port}/readyz`)).status === 200
    await until(serves, 20_000, 'it serves the release')
    const second = log.reader()
    child.kill('SIGTERM')
    expect(await ended).toBe(0)
    const buffer = Buffer.alloc(65_536)
    const lines = buffer.toString('utf8', 0, readSync(second, buffer)).trim().split('\n')
    const messages = lines.map((line) => (JSON.parse(line) as { message: string }).message)
    expect(messages.slice(-2)).toEqual(['serving release', 'stopping'])
  })

  test('stderr of a schedule: it builds on', async () => {
    const snapshots = join(temporaryFolder(), 'snapshots')
    const metrics = join(temporaryFolder(), 'build.prom')
    const args = ['schedule', '--cron', '0 0 1 1 *', '--snapshots', snapshots, '--metrics-file', metrics]
    const child = start(BUILD, [...args, '--deadline', '1s'], ['pipe', 'pipe'])
    const ended = codeOf(child)
    child.stderr?.destroy()
    child.stdout?.destroy()
    const runs = (): string => (existsSync(metrics) ? readFileSync(metrics, 'utf8') : '')
    await until(() => /runs_total\{result="source"\} 1/.test(runs()), 40_000, 'a build failed, which it logs')
    expect(child.exitCode).toBe(null)
    child.kill('SIGTERM')
    expect(['SIGTERM', 143]).toContain(await ended)
  })

  test('stdout and stderr of a build that is good: 0', async () => {
    const snapshots = temporaryFolder()
    const child = start(BUILD, ['demo', '--snapshots', snapshots], ['pipe', 'pipe'])
    child.stdout?.destroy()
    child.stderr?.destroy()
    expect(await codeOf(child)).toBe(0)
    expect(await currentId(releasePaths(snapshots))).not.toBe(null)
  })

  test('stderr at a usage error: 2, as ever', async () => {
    for (const program of [BUILD, PROXY]) {
      const child = start(program, ['--no-such-option'], ['pipe', 'pipe'])
      child.stderr?.destroy()
      expect(await codeOf(child)).toBe(2)
    }
  })
})

/** The proxy with this file as its stderr, until it is told to stop. */
async function servesWith(log: number, snapshots: string): Promise<void> {
  const port = await freePort()
  const child = start(PROXY, ['--port', String(port), '--snapshots', snapshots], ['pipe', log])
  const ended = codeOf(child)
  await until(() => healthy(port), 20_000, 'it serves')
  child.kill('SIGTERM')
  expect(await ended).toBe(0)
}

test('a reader that does not read stops nothing: the proxy serves on', async () => {
  const snapshots = temporaryFolder()
  await publishSamples(snapshots, AS_OF_MS)
  const log = fifo()
  log.reader()
  const writer = log.writer()
  // Somebody else has filled the pipe; whoever writes to it now waits.
  const full = openSync(log.path, constants.O_WRONLY | constants.O_NONBLOCK)
  onTestFinished(() => closeSync(full))
  expect(() => {
    for (;;) writeFileSync(full, Buffer.alloc(4096))
  }).toThrow('EAGAIN')
  await servesWith(writer, snapshots)
})

test.skipIf(!existsSync('/dev/full'))('a full disk under the log stops nothing: the proxy serves', async () => {
  const full = openSync('/dev/full', 'w')
  onTestFinished(() => closeSync(full))
  await servesWith(full, temporaryFolder())
})

describe('what is printed', () => {
  function printing(isTTY: boolean): {
    readonly stdout: EventEmitter
    readonly output: ReturnType<typeof outliveReaders>
  } {
    const stdout = Object.assign(new EventEmitter(), {
      isTTY,
      write: () => {
        throw Object.assign(new Error('ENOSPC: no space left'), { code: 'ENOSPC' })
      },
    })
    const streams = { stdout, stderr: new EventEmitter() } as unknown as Pick<NodeJS.Process, 'stdout' | 'stderr'>
    return { stdout, output: outliveReaders(streams) }
  }

  test('to a full disk is lost, and known to be', () => {
    const { output } = printing(false)
    expect(output.lost()).toBe(null)
    output.print('a script that is cut off')
    expect(output.lost()?.message).toBe('ENOSPC: no space left')
  })

  test.each([
    ['a reader that left', false, 'EPIPE'],
    ['a terminal that was closed', true, 'EIO'],
  ])('to %s is nobody’s loss', (_, isTTY, code) => {
    const { stdout, output } = printing(isTTY)
    stdout.emit('error', Object.assign(new Error(code), { code }))
    expect(output.lost()).toBe(null)
  })
})
