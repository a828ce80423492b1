// Owns comparing a proxy's answers to honest clients, with thousands of slow ones connected, with those without.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { createInterface } from 'node:readline'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { startProgram } from '../support/proxy.ts'
import { publishRelease, snapshotsFolder } from '../support/release.ts'
import { LARGE_RELEASE } from '../support/large-release.ts'
import type { Tally } from './tally.ts'

const RUNS = 5
const MEASURED_MS = 4_000
const HONEST = 8
/** Each honest client asks once in so many ms: the load is the same in both cases, and no core is full. */
const EVERY_MS = 10
const MAX_RATIO = 2
const MAX_OPEN_MS = 15_000
const PROGRAM = ['--rate-limit', '100000', '--rate-window', '1s']
const REQUEST = 'GET /api/analytics/trending HTTP/1.1\r\nHost: a\r\nAccept-Encoding: gzip\r\n\r\n'

/** @param readers of `slow` connections read nothing, the others never finish their heads */
export async function slowClients(slow: number, readers: number, signal: AbortSignal): Promise<Tally> {
  const folder = snapshotsFolder()
  try {
    await publishRelease(folder.dir, LARGE_RELEASE)
    const losses: string[] = []
    const alone: number[] = []
    const withSlow: number[] = []
    for (let run = 0; run < RUNS && !signal.aborted; run++) {
      const proxy = await startProgram(['--snapshots', folder.dir, ...PROGRAM])
      try {
        await p99Ms(proxy.port, MEASURED_MS / 2)
        alone.push(await p99Ms(proxy.port, MEASURED_MS))
        const crowd = await startCrowd(proxy.port, slow - readers, readers)
        withSlow.push(await p99Ms(proxy.port, MEASURED_MS))
        const { size, longestHeadMs } = await crowd.stop()
        if (size < slow * 0.98) losses.push(`run ${run + 1}: only ${size} slow connections`)
        if (longestHeadMs > MAX_OPEN_MS) losses.push(`run ${run + 1}: a head was let stay for ${longestHeadMs} ms`)
        if (proxy.child.exitCode !== null) losses.push(`run ${run + 1}: the proxy ended: ${proxy.stderr()}`)
      } finally {
        await proxy.kill()
      }
    }
    const [before, after] = [median(alone), median(withSlow)]
    if (after > before * MAX_RATIO) losses.push(`p99 rose from ${before.toFixed(2)} to ${after.toFixed(2)} ms`)
    const words = new Map([
      ['slow connections', slow],
      ['µs p99 alone (median)', Math.round(before * 1000)],
      ['µs p99 with them (median)', Math.round(after * 1000)],
    ])
    return { tried: alone.length, losses, words }
  } finally {
    folder.remove()
  }
}

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[values.length >> 1] ?? Number.NaN
}

async function p99Ms(port: number, forMs: number): Promise<number> {
  const taken: number[] = []
  const endMs = performance.now() + forMs
  const client = async (): Promise<void> => {
    const socket = connect({ port, host: '127.0.0.1', noDelay: true })
    await once(socket, 'connect')
    while (performance.now() < endMs) {
      const startMs = performance.now()
      await askOnce(socket)
      taken.push(performance.now() - startMs)
      await sleep(EVERY_MS)
    }
    socket.destroy()
  }
  await Promise.all(Array.from({ length: HONEST }, client))
  return taken.toSorted((a, b) => a - b)[Math.floor(taken.length * 0.99)] ?? Number.NaN
}

function askOnce(socket: Socket): Promise<void> {
  return new Promise((resolve, reject) => {
    let text = ''
    const done = (error?: Error): void => {
      socket.off('data', onData).off('error', done).off('close', onClose)
      if (error === undefined) resolve()
      else reject(error)
    }
    const onClose = (): void => done(new Error('an honest client was disconnected'))
    const onData = (chunk: Buffer): void => {
      text += chunk.toString('latin1')
      const head = text.indexOf('\r\n\r\n')
      const bytes = Number(/^content-length: (\d+)\r$/im.exec(text.slice(0, Math.max(0, head)))?.[1])
      if (text.length - head - 4 !== bytes) return
      done(text.startsWith('HTTP/1.1 200 ') ? undefined : new Error(`an honest client got ${text.slice(0, 40)}`))
    }
    socket.on('data', onData).once('error', done).once('close', onClose)
    socket.write(REQUEST)
  })
}

interface CrowdProcess {
  stop(): Promise<{ readonly size: number; readonly longestHeadMs: number }>
}

async function startCrowd(port: number, heads: number, readers: number): Promise<CrowdProcess> {
  const program = fileURLToPath(new URL('slow-crowd-main.js', import.meta.url))
  const child = spawn(process.execPath, [program, ...[port, heads, readers].map(String)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]()
  await lines.next()
  return {
    async stop() {
      const exit = once(child, 'exit')
      child.kill('SIGTERM')
      const [size = 0, longestHeadMs = 0] = String((await lines.next()).value)
        .split(' ')
        .map(Number)
      await exit
      return { size, longestHeadMs }
    },
  }
}
