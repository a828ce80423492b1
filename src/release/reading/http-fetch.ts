// Owns one fetch over HTTP: its whole deadline, what its status and coding mean, its size. Knows no release.
import { get as getByHttp, type Agent, type IncomingHttpHeaders, type IncomingMessage } from 'node:http'
import { get as getByHttps } from 'node:https'
import type { Readable } from 'node:stream'
import { reasonOf } from '../../process/cli-error.ts'
import { ReleaseError } from '../format/release-error.ts'
import type { ByteRange } from './release-reader.ts'

export const REQUEST_HEADERS: Readonly<Record<string, string>> = {
  accept: 'application/json, text/csv',
  'accept-encoding': 'identity',
}

/** The headers with which a server believes who asks. */
export type Sign = (url: string) => Promise<Readonly<Record<string, string>>>

export interface FetchBounds {
  readonly sign?: Sign | undefined
  /** An agent of node:http or node:https, as the address says. */
  readonly agent: Agent
  /** Bounds how many are under way: of connections through a proxy an agent counts none that is not there yet. */
  readonly limited: <T>(fetching: () => Promise<T>) => Promise<T>
  /** The time for all of it, waiting for others included; of a stream, until its head is there. */
  readonly withinMs: number
  /** Until a connection is there. */
  readonly connectMs: number
  /** Without a byte from then on, while its reader takes what comes. */
  readonly stalledMs: number
  /** When it aborts, nothing is asked for a second time. */
  readonly closed: AbortSignal
}

/** @throws ReleaseError `absent` = 404 or 410 */
export function fetchWhole(url: string, maxBytes: number, bounds: FetchBounds): Promise<Buffer> {
  return fetched(url, bounds, WHOLE, {}, (answer) => wholeOf(url, maxBytes, answer, bounds))
}

/**
 * @param etag undefined = none is known
 * @returns bytes null = the etag is still that of the file (304)
 * @throws ReleaseError as fetchWhole does
 */
export function fetchIfChanged(url: string, maxBytes: number, etag: string | undefined, bounds: FetchBounds) {
  return fetched(url, bounds, WHOLE, etag === undefined ? {} : { 'if-none-match': etag }, async (answer) => {
    const { headers, statusCode } = answer
    if (etag === undefined || statusCode !== 304)
      return { bytes: await wholeOf(url, maxBytes, answer, bounds), headers }
    answer.resume()
    return { bytes: null, headers }
  })
}

function wholeOf(url: string, maxBytes: number, answer: IncomingMessage, { sign }: FetchBounds): Promise<Buffer> {
  return readWhole(url, maxBytes, okBody(url, answer, undefined, sign !== undefined))
}

/** All of a body, at most `maxBytes` bytes. @throws ReleaseError */
export async function readWhole(url: string, maxBytes: number, body: Readable): Promise<Buffer> {
  const chunks: Buffer[] = []
  let left = maxBytes
  try {
    for await (const chunk of body as AsyncIterable<Buffer>) {
      left -= chunk.length
      if (left < 0) throw new ReleaseError('damaged', `${url} is over ${maxBytes} bytes`)
      chunks.push(chunk)
    }
    return Buffer.concat(chunks)
  } catch (error) {
    if (error instanceof ReleaseError) throw error
    const { code, message } = error as NodeJS.ErrnoException
    const why = code === 'ECONNRESET' ? 'the other side closed the connection' : message
    throw new ReleaseError('unreadable', `${url} was cut off: ${why}`, error)
  }
}

/** Ends a body that nobody reads; an error that it still has ends nothing else. */
function drop(body: Readable): void {
  body.on('error', () => {}).destroy()
}

/** A stream of `bytes` bytes, as far as its head can say. @throws ReleaseError */
export function fetchStream(url: string, bytes: number, bounds: FetchBounds): Promise<Readable> {
  return fetched(url, bounds, HEAD, {}, (answer) => okBody(url, answer, bytes))
}

/**
 * Some bytes of a file of `bytes` bytes, as far as the head of the answer can say. Null = the server ignores ranges, as it
 * may (RFC 9110 section 14.2).
 * @throws ReleaseError
 */
export function fetchPart(url: string, bytes: number, { first, last }: ByteRange, bounds: FetchBounds) {
  return fetched(url, bounds, HEAD, { range: `bytes=${first}-${last}` }, (answer) => {
    const { statusCode, headers } = answer
    if (statusCode !== 206) {
      drop(statusCode === 200 ? answer : okBody(url, answer))
      return null
    }
    const given = headers['content-range'] ?? ''
    const coding = headers['content-encoding'] ?? 'identity'
    if (given === `bytes ${first}-${last}/${bytes}` && coding === 'identity') return answer
    drop(answer)
    const wrong =
      coding === 'identity' ? `"${given.slice(0, 80)}"` : `a part in Content-Encoding "${coding.slice(0, 40)}"`
    throw new ReleaseError('damaged', `${url} gave ${wrong}, asked for bytes ${first}-${last}/${bytes}`)
  })
}

export const WHOLE = 'was not there whole'
export const HEAD = 'did not begin to answer'

/** @param late what the address did not do, when the work does not end in time */
export async function within<T>(
  { withinMs }: Pick<FetchBounds, 'withinMs'>,
  url: string,
  late: string,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  // Not AbortSignal.timeout(): its timer would run on after the work.
  const controller = new AbortController()
  let timer: NodeJS.Timeout | undefined
  // What waits for others ends when it begins.
  const overdue = new Promise<never>((_, reject) => {
    timer = setTimeout(() => {
      reject(new ReleaseError('unreadable', `${url} ${late} within ${withinMs / 1000} s`))
      controller.abort()
    }, withinMs).unref()
  })
  try {
    return await Promise.race([work(controller.signal), overdue])
  } finally {
    clearTimeout(timer)
  }
}

export function cannotFetch(url: string, error: Error): ReleaseError {
  // It names the proxy on the way out.
  if (error instanceof ReleaseError) return error
  return new ReleaseError(
    'unreadable',
    `cannot fetch ${url}: ${reasonOf(error)}; check the address, or try again when it answers`,
    error,
  )
}

type BodyHeaders = Pick<IncomingHttpHeaders, 'content-encoding' | 'content-length'>

/** The body of a 200, if it is not compressed, and can have as many bytes; else it is dropped. @throws ReleaseError */
export function plainBody(url: string, body: Readable, headers: BodyHeaders, bytes?: number): Readable {
  const coding = (headers['content-encoding'] ?? '').trim().toLowerCase()
  const isPlain = coding === '' || coding === 'identity'
  const length = headers['content-length']
  if (isPlain && (length === undefined || bytes === undefined || Number(length) === bytes)) return body
  drop(body)
  if (isPlain) throw new ReleaseError('damaged', `${url} has ${length} bytes, the manifest says ${bytes}`)
  throw new ReleaseError(
    'unreadable',
    `${url} came with Content-Encoding "${coding.slice(0, 40)}" though identity was asked for: switch that compression off at the server`,
  )
}

/** An answer, if its status is 200 and `plainBody` takes it. @throws ReleaseError `absent` = 404 or 410 */
export function okBody(url: string, answer: IncomingMessage, bytes?: number, isSigned = false): Readable {
  const { statusCode: status = 0, headers } = answer
  if (status === 200) return plainBody(url, answer, headers, bytes)
  drop(answer)
  const location = status >= 300 && status < 400 ? headers.location : undefined
  const where =
    location === undefined ? '' : `: redirects are not followed, give the address itself, ${location.slice(0, 200)}`
  const code = status === 404 || status === 410 ? 'absent' : 'unreadable'
  const apart = status === 403 && isSigned ? clocksApart(headers.date) : ''
  throw new ReleaseError(code, `${url} answered ${status}, expected 200${where}${apart}`)
}

/** AWS takes a clock that is a quarter of an hour wrong. */
const SKEW_MS = 5 * 60_000

/** As the end of a message about a refusal: why, where a signature could not be right; else ''. */
export function clocksApart(theirs = ''): string {
  const isFar = Math.abs(Date.now() - Date.parse(theirs)) > SKEW_MS
  return isFar
    ? `; the clock here says ${new Date().toISOString()}, that of the store ${theirs}: set the one that is wrong`
    : ''
}

/** A server may close an idle connection at the moment when it is used again: such a request is sent once more. */
const CLOSED: ReadonlySet<unknown> = new Set(['ECONNRESET', 'EPIPE'])

/** @param late as of `within` @param use its time counts, too: what it returns is no longer bounded */
function fetched<T>(
  url: string,
  bounds: FetchBounds,
  late: string,
  more: Readonly<Record<string, string>>,
  use: (answer: IncomingMessage) => T | Promise<T>,
): Promise<T> {
  const fetching = async (signal: AbortSignal): Promise<T> => {
    if (signal.aborted || bounds.closed.aborted) throw cannotFetch(url, new Error('nobody waits for it any more'))
    const headers = { ...REQUEST_HEADERS, ...more, ...(await bounds.sign?.(url)) }
    const answer = await open(url, headers, bounds, signal)
      .catch((error: NodeJS.ErrnoException) => {
        if (!CLOSED.has(error.code) || signal.aborted || bounds.closed.aborted) throw error
        return open(url, headers, bounds, signal)
      })
      .catch((error: Error) => Promise.reject(cannotFetch(url, error)))
    return use(answer)
  }
  return within(bounds, url, late, (signal) => bounds.limited(() => fetching(signal)))
}

/** Returns when the head is there. */
function open(
  url: string,
  headers: Readonly<Record<string, string>>,
  { agent, connectMs, stalledMs }: FetchBounds,
  signal: AbortSignal,
): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    let body: IncomingMessage | undefined
    const isSecure = url.startsWith('https:')
    const get = isSecure ? getByHttps : getByHttp
    const sent = get(url, { agent, headers, signal, timeout: stalledMs }, (answer) => {
      body = answer
      // What fails before somebody reads it is not to end the process: its reader is told when it comes.
      answer.on('error', () => {})
      resolve(answer)
    })
    sent.on('error', reject)
    sent.on('close', () => reject(new Error('the connection was closed without an answer')))
    sent.on('socket', (socket) => {
      // Nobody waits as long for a server that is not there as for one that takes its time.
      if (socket.connecting)
        socket.setTimeout(connectMs).once(isSecure ? 'secureConnect' : 'connect', () => socket.setTimeout(stalledMs))
    })
    sent.on('timeout', () => {
      // Whoever does not read what is there waits for its own client, not for this server.
      if (body === undefined || body.readableLength < body.readableHighWaterMark)
        sent.destroy(new Error(`nothing came for ${(sent.socket?.timeout ?? stalledMs) / 1000} s`))
    })
  })
}
