// Owns the torture by mutated requests: the real program under them, many on a connection, every answer judged; it is alive,
// silent and no larger at the end.
import { connect } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { ask, startProgram, type ProxyProgram } from '../support/proxy.ts'
import { publishRelease, snapshotsFolder } from '../support/release.ts'
import { growth, keptBytes } from './kept-memory.ts'
import { mutatedRequest, oddRequest, type Random } from './mutations.ts'
import type { Tally } from './tally.ts'

/** Clients and bodies are bounded, and the bounds soon reached: memory that still grows after that is a leak. */
const BOUNDED = ['--rate-limit', '100000', '--rate-window', '1s', '--rate-clients', '1000', '--cache', '1MiB']
/** Of the requests: until then code is compiled, caches and the heap grow to their size. */
const WARM_UP = 0.3
/** Requests on one connection; the last is the one that may end it. */
const PER_CONNECTION = 8
const AT_ONCE = 16
/** Behind them, so that the connection ends; a request that lacks its end takes this for its own. */
const LAST = 'GET /healthz HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n'
/** A connection that is open for longer is waited for while others are sent. */
const PATIENCE_MS = 300
/** Longer than any time-out of a head. */
const MAX_OPEN_MS = 15_000

/** @param count answers to wait for */
export async function mutatedRequests(count: number, random: Random, signal: AbortSignal): Promise<Tally> {
  const folder = snapshotsFolder()
  try {
    await publishRelease(folder.dir)
    const proxy = await startProgram(['--snapshots', folder.dir, ...BOUNDED])
    try {
      return await torture(proxy, count, random, signal)
    } finally {
      await proxy.kill()
    }
  } finally {
    folder.remove()
  }
}

async function torture(proxy: ProxyProgram, count: number, random: Random, signal: AbortSignal): Promise<Tally> {
  const ended = (): boolean => proxy.child.exitCode !== null || proxy.child.signalCode !== null
  const memory = async (): Promise<number> => (ended() ? Number.NaN : keptBytes(proxy.child.pid ?? 0, count))
  const load = new Load(proxy.port, random)
  await load.send(count * WARM_UP, signal)
  const before = await memory()
  await load.send(count, signal)
  const { answers: tried, statuses, losses } = load
  await sleep(100)
  if (ended()) return { tried, losses: [...losses, `the proxy ended: ${proxy.stderr()}`], words: statuses }
  if ((await ask(proxy.port, '/readyz')).status !== 200) losses.push('the proxy is not ready any more')
  const logged = proxy
    .stderr()
    .split('\n')
    .filter((line) => /"level":"(?:warn|error|fatal)"|Warning/.test(line))
  // A forwarding header that says nothing of use is warned of: once for an address and a reason.
  const forwarding = logged.filter((line) => line.includes('all its clients share one limit'))
  const once = new Set(forwarding.map((line) => (JSON.parse(line) as { readonly why: string }).why))
  if (once.size !== forwarding.length) losses.push(`${forwarding.length} warnings for ${once.size} reasons`)
  const others = logged.filter((line) => !forwarding.includes(line))
  losses.push(...others.slice(0, 5).map((line) => `logged ${line.slice(0, 500)}`))
  losses.push(...growth(before, await memory(), count))
  return { tried, losses, words: statuses }
}

class Load {
  answers = 0
  readonly statuses = new Map<string, number>()
  readonly losses: string[] = []
  readonly #port: number
  readonly #random: Random

  constructor(port: number, random: Random) {
    this.#port = port
    this.#random = random
  }

  /** Sends until `count` answers have come in all. */
  async send(count: number, signal: AbortSignal): Promise<void> {
    const waiting = new Set<Promise<void>>()
    const worker = async (): Promise<void> => {
      while (this.answers < count && !signal.aborted) {
        const done = this.#one().finally(() => waiting.delete(done))
        waiting.add(done)
        await Promise.race([done, sleep(PATIENCE_MS)])
      }
    }
    await Promise.all(Array.from({ length: AT_ONCE }, worker))
    await Promise.all(waiting)
  }

  async #one(): Promise<void> {
    const odd = Array.from({ length: PER_CONNECTION - 1 }, () => oddRequest(this.#random))
    const sent = [...odd, mutatedRequest(this.#random), LAST].join('')
    const { text, failure } = await exchange(this.#port, sent)
    const { statuses, problems } = judged(text, sent)
    this.answers += statuses.length
    for (const status of statuses) this.statuses.set(`× ${status}`, (this.statuses.get(`× ${status}`) ?? 0) + 1)
    const wrong = [...problems, ...(failure === null ? [] : [failure])]
    // CONNECT takes the connection from node:http with all that it still owed there, so the proxy ends it: ask again.
    if (statuses.length === 0 && !sent.includes('CONNECT')) wrong.push('no answer at all')
    if (wrong.length > 0) this.losses.push(`${wrong.join('; ')}, to ${JSON.stringify(sent.slice(-1500))}`)
  }
}

function exchange(port: number, sent: string): Promise<{ readonly text: string; readonly failure: string | null }> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1')
    const chunks: Buffer[] = []
    let failure: string | null = null
    const givenUp = setTimeout(() => {
      failure = `still open after ${MAX_OPEN_MS} ms`
      socket.destroy()
    }, MAX_OPEN_MS)
    socket.on('data', (chunk) => chunks.push(chunk))
    // A reset is how a server ends a connection on which more was sent than it read.
    socket.on('error', (error: NodeJS.ErrnoException) => {
      if (error.code !== 'ECONNRESET' && error.code !== 'EPIPE') failure = String(error)
    })
    socket.once('close', () => {
      clearTimeout(givenUp)
      resolve({ text: Buffer.concat(chunks).toString('latin1'), failure })
    })
    // It never says that it has finished: the proxy must end it.
    socket.write(Buffer.from(sent, 'latin1'))
  })
}

const HEAD = /HTTP\/1\.1 (\d{3}) [^\r\n]*\r\n((?:[^\r\n]+\r\n)*)\r\n/y

/** Reads answers one after the other; a stray byte, a status of 500 or more, an error without its shape is a problem. */
function judged(text: string, sent: string): { readonly statuses: number[]; readonly problems: string[] } {
  const statuses: number[] = []
  const problems: string[] = []
  let at = 0
  while (at < text.length) {
    HEAD.lastIndex = at
    const found = HEAD.exec(text)
    if (found === null) {
      // A reset may lose the end of the last answer, and nothing else.
      if (!text.startsWith('HTTP/1.1 '.slice(0, text.length - at), at)) problems.push(`stray bytes at ${at}`)
      break
    }
    const status = Number(found[1])
    const lines = found[2] ?? ''
    const bytes = Number(/^content-length: (\d+)\r$/im.exec(lines)?.[1] ?? 0)
    at += found[0].length
    // The answer to HEAD has the length of a body that does not come.
    const hasBody = bytes > 0 && !(sent.includes('HEAD') && (at === text.length || text.startsWith('HTTP/1.1 ', at)))
    const body = hasBody ? text.slice(at, at + bytes) : ''
    if (hasBody) at += bytes
    if (status !== 100) statuses.push(status)
    if (status >= 500) problems.push(`status ${status}`)
    if (status < 400) continue
    if (!/^cache-control: no-store\r$/im.test(lines)) problems.push(`a ${status} that may be stored`)
    const isPage = status === 404 && /^content-type: text\/html;/im.test(lines) && body.startsWith('<!doctype html>')
    if (body.length === bytes && hasBody && !isPage && !isProblem(body))
      problems.push(`a ${status} with ${body.slice(0, 200)}`)
  }
  return { statuses, problems }
}

function isProblem(body: string): boolean {
  try {
    return Object.keys(JSON.parse(body) as object).join() === 'error,message'
  } catch {
    return false
  }
}
