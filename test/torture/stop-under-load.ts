// Owns SIGTERM at a random moment of a proxy that is busy: on connections of every kind, what was asked before is answered.
import { connect, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { DRAIN_MS } from '../../src/proxy/options.ts'
import { dial, startProgram, until } from '../support/proxy.ts'
import { publishRelease, snapshotsFolder } from '../support/release.ts'
import { LARGE_RELEASE, LARGE_TARGET } from '../support/large-release.ts'
import type { Random } from './mutations.ts'
import { tallyOf, type Tally } from './tally.ts'

const DRAIN_S = DRAIN_MS / 1000
const PROGRAM = ['--rate-limit', '100000', '--rate-window', '1s']
const OF_EACH_KIND = 16
const LARGE_READERS = 4
/** A process that does not run: what comes meanwhile waits in the kernel, and the signal with it. */
const BUSY_MS = 50
const HALF = 'GET /api/public/stats HTTP/1.1\r\nHost: a\r\nX-'

const get = (target: string, line = ''): Buffer => Buffer.from(`GET ${target} HTTP/1.1\r\nHost: a\r\n${line}\r\n`)
const SMALL = get('/api/analytics/trending')
const LAST = get('/api/public/stats', 'Connection: close\r\n')

/** The requests of one run; the moment of the signal divides them. */
interface Asked {
  signalled: boolean
  before: number
  readonly failed: string[]
}

export async function stopsUnderLoad(times: number, random: Random, signal: AbortSignal): Promise<Tally> {
  const folder = snapshotsFolder()
  try {
    await publishRelease(folder.dir, LARGE_RELEASE)
    let before = 0
    const attempts = Array.from({ length: times }, (_, nth) => ({
      what: `stop ${nth + 1}`,
      async run() {
        before += await stopOnce(folder.dir, 200 + random() * 300, nth % 2 === 1)
        return 'exit 0 in time'
      },
    }))
    const { tried, losses, words } = await tallyOf(attempts, signal, 1)
    return { tried, losses, words: new Map([...words, ['requests before them, all answered whole', before]]) }
  } finally {
    folder.remove()
  }
}

/** How many requests there were until the signal. @throws what went wrong */
async function stopOnce(dir: string, afterMs: number, isBusy: boolean): Promise<number> {
  const proxy = await startProgram(['--snapshots', dir, ...PROGRAM])
  const { port } = proxy
  const opened: Socket[] = []
  const open = async (text: string | Buffer | null): Promise<{ socket: Socket; received: () => Buffer }> => {
    const dialled = await dial(port)
    dialled.socket.on('error', () => undefined)
    opened.push(dialled.socket)
    if (text !== null) dialled.socket.write(text)
    return dialled
  }
  try {
    const each = Array.from({ length: OF_EACH_KIND })
    // Silent, idle, half-sent.
    await Promise.all(each.flatMap(() => [open(null), open(SMALL), open(HALF)]))
    const readers = await Promise.all(
      each.slice(0, LARGE_READERS).map(async () => {
        const reader = await open(get(LARGE_TARGET, 'Connection: close\r\n'))
        await until(() => reader.received().length > 0, 5_000, 'the answer begins')
        reader.socket.pause()
        return reader
      }),
    )
    const asked: Asked = { signalled: false, before: 0, failed: [] }
    const loops = each.flatMap(() => [askOn(port, asked), askOnceEach(port, asked)])
    await sleep(afterMs)
    if (isBusy) {
      proxy.child.kill('SIGSTOP')
      await sleep(BUSY_MS)
    }
    asked.signalled = true
    proxy.child.kill('SIGTERM')
    proxy.child.kill('SIGCONT')
    const ending = proxy.ended()
    await sleep((DRAIN_S * 1000) / 4)
    for (const { socket } of readers) socket.resume()
    const { code, ms } = await ending
    await Promise.all(loops)
    const wrong = [...asked.failed]
    if (code !== 0) wrong.push(`exit ${code}: ${proxy.stderr()}`)
    if (ms > (DRAIN_S + 1) * 1000) wrong.push(`it took ${Math.round(ms)} ms`)
    for (const { received } of readers) if (!isWhole(received())) wrong.push('a large answer was cut')
    if (wrong.length > 0) throw new Error(`${wrong.length} of ${asked.before}: ${wrong.slice(0, 3).join('; ')}`)
    return asked.before + readers.length
  } finally {
    for (const socket of opened) socket.destroy()
    await proxy.kill()
  }
}

/** One request after the other on a connection. */
async function askOn(port: number, asked: Asked): Promise<void> {
  while (!asked.signalled) {
    const socket = connect({ port, host: '127.0.0.1', noDelay: true }).on('error', () => undefined)
    while (!asked.signalled && (await askOnce(socket, SMALL, asked))) continue
    socket.destroy()
  }
}

/** A connection for each request, which follows on it at once. */
async function askOnceEach(port: number, asked: Asked): Promise<void> {
  while (!asked.signalled) {
    const socket = connect({ port, host: '127.0.0.1', noDelay: true }).on('error', () => undefined)
    await askOnce(socket, LAST, asked)
    socket.destroy()
    await sleep(5)
  }
}

/** Whether the connection goes on. What the kernel had before the signal and is not answered whole is a failure. */
function askOnce(socket: Socket, request: Buffer, asked: Asked): Promise<boolean> {
  return new Promise((resolve) => {
    let answer = Buffer.alloc(0)
    let isBefore = false
    let why = 'closed'
    const done = (goesOn: boolean): void => {
      socket.off('data', onData).off('close', onClose).off('error', onError)
      if (isBefore && !isWhole(answer)) asked.failed.push(`${why} after ${answer.length} bytes`)
      resolve(goesOn)
    }
    const onData = (chunk: Buffer): void => {
      answer = Buffer.concat([answer, chunk])
      if (isWhole(answer)) done(!/^connection: close\r$/im.test(answer.toString('latin1')))
    }
    const onClose = (): void => done(false)
    const onError = (error: Error): void => void (why = error.message)
    socket.on('data', onData).once('close', onClose).on('error', onError)
    socket.write(request, () => {
      isBefore = !asked.signalled
      if (isBefore) asked.before += 1
    })
  })
}

function isWhole(answer: Buffer): boolean {
  const head = answer.indexOf('\r\n\r\n')
  const bytes = /^content-length: (\d+)\r$/im.exec(answer.subarray(0, Math.max(0, head)).toString('latin1'))?.[1]
  return answer.toString('latin1', 0, 12) === 'HTTP/1.1 200' && answer.length - head - 4 === Number(bytes)
}
