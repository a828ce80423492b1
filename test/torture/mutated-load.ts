// Owns sending mutated requests to a proxy, many on a connection, and judging every answer. Starts no proxy.
import { connect } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { mutatedRequest, oddRequest, type Random } from './mutations.ts'

/** Requests on one connection; the last is the one that may end it. */
const PER_CONNECTION = 8
const AT_ONCE = 16
/** Behind them, so that the connection ends; a request that lacks its end takes this for its own. */
const LAST = 'GET /healthz HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n'
/** A connection that is open for longer is waited for while others are sent. */
const PATIENCE_MS = 300
/** The bound, and longer than any time-out of a head. */
export const MAX_OPEN_MS = 15_000
const GIVEN_UP_MS = 20_000

export interface LoadResult {
  readonly answers: number
  readonly connections: number
  readonly longestOpenMs: number
  readonly statuses: ReadonlyMap<number, number>
  readonly problems: readonly string[]
}

/** Sends until `count` answers have come. */
export async function sendMutated(
  port: number,
  count: number,
  random: Random,
  signal: AbortSignal,
): Promise<LoadResult> {
  const statuses = new Map<number, number>()
  const problems: string[] = []
  const waiting = new Set<Promise<void>>()
  const seen = { answers: 0, connections: 0, longestOpenMs: 0 }
  const one = async (): Promise<void> => {
    const sent = [
      ...Array.from({ length: PER_CONNECTION - 1 }, () => oddRequest(random)),
      mutatedRequest(random),
      LAST,
    ].join('')
    const { text, openMs, failure } = await exchange(port, sent)
    seen.longestOpenMs = Math.max(seen.longestOpenMs, openMs)
    const judged = judge(text, sent)
    for (const status of judged.statuses) statuses.set(status, (statuses.get(status) ?? 0) + 1)
    seen.answers += judged.statuses.length
    const wrong = [...judged.problems, ...(failure === null ? [] : [failure])]
    // CONNECT takes the connection from node:http with all that it still owed there, so the proxy ends it: ask again.
    if (judged.statuses.length === 0 && !sent.includes('CONNECT')) wrong.push('no answer at all')
    if (openMs > MAX_OPEN_MS) wrong.push(`open for ${Math.round(openMs)} ms`)
    if (wrong.length > 0 && problems.length < 100)
      problems.push(`${wrong.join('; ')}, to ${JSON.stringify(sent.slice(-1500))}`)
  }
  const worker = async (): Promise<void> => {
    while (seen.answers < count && !signal.aborted) {
      seen.connections += 1
      const done = one().finally(() => waiting.delete(done))
      waiting.add(done)
      await Promise.race([done, sleep(PATIENCE_MS)])
    }
  }
  await Promise.all(Array.from({ length: AT_ONCE }, worker))
  await Promise.all(waiting)
  return { ...seen, statuses, problems }
}

function exchange(
  port: number,
  sent: string,
): Promise<{ readonly text: string; readonly openMs: number; readonly failure: string | null }> {
  return new Promise((resolve) => {
    const startMs = performance.now()
    const socket = connect(port, '127.0.0.1')
    const chunks: Buffer[] = []
    let failure: string | null = null
    const givenUp = setTimeout(() => {
      failure = `still open after ${GIVEN_UP_MS} ms`
      socket.destroy()
    }, GIVEN_UP_MS)
    socket.on('data', (chunk) => chunks.push(chunk))
    // A reset is how a server ends a connection on which more was sent than it read.
    socket.on('error', (error: NodeJS.ErrnoException) => {
      if (error.code !== 'ECONNRESET' && error.code !== 'EPIPE') failure = String(error)
    })
    socket.once('close', () => {
      clearTimeout(givenUp)
      resolve({ text: Buffer.concat(chunks).toString('latin1'), openMs: performance.now() - startMs, failure })
    })
    // It never says that it has finished: the proxy must end it.
    socket.write(Buffer.from(sent, 'latin1'))
  })
}

interface Judged {
  readonly statuses: readonly number[]
  readonly problems: readonly string[]
}

const HEAD = /HTTP\/1\.1 (\d{3}) [^\r\n]*\r\n((?:[^\r\n]+\r\n)*)\r\n/y

/** Reads answers one after the other; a stray byte, a status of 500 or more, an error without its shape is a problem. */
export function judge(text: string, sent: string): Judged {
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
    const { error, message, ...more } = JSON.parse(body) as Record<string, unknown>
    return typeof error === 'string' && typeof message === 'string' && Object.keys(more).length === 0
  } catch {
    return false
  }
}
