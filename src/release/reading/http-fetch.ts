// Owns one fetch over HTTP: its whole deadline, what its status and coding mean, its size. Knows no release.
//
// What is read whole comes by undici, what is passed on by node:http. undici 7 ends the process by an assertion that nobody can catch
// when a connection ends while its reader has paused it (nodejs/undici #5360), so of undici no reader ever pauses.
import { get as getByHttp, type Agent as HttpAgent, type IncomingMessage } from 'node:http'
import { get as getByHttps } from 'node:https'
import type { Readable } from 'node:stream'
import { request, type Dispatcher } from 'undici'
import { reasonOf } from '../../process/cli-error.ts'
import { ReleaseError } from '../format/release-error.ts'
import type { ByteRange } from './release-reader.ts'

export const REQUEST_HEADERS: Readonly<Record<string, string>> = {
  accept: 'application/json, text/csv',
  'accept-encoding': 'identity',
}

/** undici makes a list of a header that comes twice. */
export type FetchedHeaders = Readonly<Record<string, string | readonly string[] | undefined>>

export function headerText(headers: FetchedHeaders, name: string): string | undefined {
  const value = headers[name]
  return typeof value === 'string' || value === undefined ? value : value.join(', ')
}

/** The headers with which a server believes who asks. */
export type Sign = (url: string) => Promise<Readonly<Record<string, string>>>

export interface FetchBounds {
  readonly sign?: Sign | undefined
  readonly dispatcher: Dispatcher
  /** The time for all of it, waiting for a connection included. */
  readonly withinMs: number
}

export interface StreamBounds {
  readonly sign?: Sign | undefined
  /** An agent of node:http or node:https, as the address says. */
  readonly agent: HttpAgent
  /** Until the head is there, waiting for a connection included. */
  readonly withinMs: number
  /** Without a byte from then on, while its reader takes what comes. */
  readonly stalledMs: number
}

/** What a server answered, before anything of it is believed. */
interface Response<Body extends Readable = Readable> {
  readonly statusCode: number
  readonly headers: FetchedHeaders
  readonly body: Body
}

/** @throws ReleaseError `absent` = 404 or 410 */
export function fetchWhole(url: string, maxBytes: number, bounds: FetchBounds): Promise<Buffer> {
  return within(bounds, url, WHOLE, async (signal) => wholeOf(url, maxBytes, await send(url, bounds, signal), bounds))
}

/**
 * @param etag undefined = none is known
 * @returns bytes null = the etag is still that of the file (304)
 * @throws ReleaseError as fetchWhole does
 */
export function fetchIfChanged(
  url: string,
  maxBytes: number,
  etag: string | undefined,
  bounds: FetchBounds,
): Promise<{ readonly bytes: Buffer | null; readonly headers: FetchedHeaders }> {
  return within(bounds, url, WHOLE, async (signal) => {
    const response = await send(url, bounds, signal, etag === undefined ? {} : { 'if-none-match': etag })
    const { headers, statusCode, body } = response
    if (etag === undefined || statusCode !== 304)
      return { bytes: await wholeOf(url, maxBytes, response, bounds), headers }
    await body.dump()
    return { bytes: null, headers }
  })
}

function wholeOf(url: string, maxBytes: number, response: Response, { sign }: FetchBounds): Promise<Buffer> {
  return readWhole(url, maxBytes, okBody(url, response, undefined, sign !== undefined), response.headers)
}

/** All of a body that is not compressed, at most `maxBytes` bytes. @throws ReleaseError */
export async function readWhole(
  url: string,
  maxBytes: number,
  got: Readable,
  headers: FetchedHeaders,
): Promise<Buffer> {
  const body = checkedBody(url, got, headers)
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
    throw new ReleaseError('unreadable', `${url} was cut off: ${(error as Error).message}`, error)
  }
}

/** Ends a body that nobody reads; an error that it still has ends nothing else. */
function drop(body: Readable): void {
  body.on('error', () => {}).destroy()
}

/** A stream of `bytes` bytes, as far as its head can say. @throws ReleaseError */
export function fetchStream(url: string, bytes: number, bounds: StreamBounds): Promise<Readable> {
  return within(bounds, url, HEAD, async (signal) => {
    const response = await open(url, bounds, signal)
    return okBody(url, response, bytes)
  })
}

/**
 * Some bytes of a file of `bytes` bytes, as far as the head of the answer can say. Null = the server ignores ranges, as it
 * may (RFC 9110 section 14.2).
 * @throws ReleaseError
 */
export function fetchPart(
  url: string,
  bytes: number,
  { first, last }: ByteRange,
  bounds: StreamBounds,
): Promise<Readable | null> {
  return within(bounds, url, HEAD, async (signal) => {
    const response = await open(url, bounds, signal, { range: `bytes=${first}-${last}` })
    const { statusCode, headers, body } = response
    if (statusCode !== 206) {
      drop(statusCode === 200 ? body : okBody(url, response))
      return null
    }
    const given = headerText(headers, 'content-range') ?? ''
    const coding = headerText(headers, 'content-encoding') ?? 'identity'
    if (given === `bytes ${first}-${last}/${bytes}` && coding === 'identity') return body
    drop(body)
    const wrong =
      coding === 'identity' ? `"${given.slice(0, 80)}"` : `a part in Content-Encoding "${coding.slice(0, 40)}"`
    throw new ReleaseError('damaged', `${url} gave ${wrong}, asked for bytes ${first}-${last}/${bytes}`)
  })
}

export const WHOLE = 'was not there whole'
const HEAD = 'did not begin to answer'

/** @param late what the address did not do, when the work does not end in time */
export async function within<T>(
  { withinMs }: Pick<FetchBounds, 'withinMs'>,
  url: string,
  late: string,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  // Not AbortSignal.timeout(): its timer would run on after the work.
  const controller = new AbortController()
  const timer = setTimeout(() => controller.abort(), withinMs).unref()
  try {
    return await work(controller.signal)
  } catch (error) {
    throw controller.signal.aborted ? tooLate(url, withinMs, late, error) : error
  } finally {
    clearTimeout(timer)
  }
}

export function tooLate(url: string, withinMs: number, late: string = HEAD, cause?: unknown): ReleaseError {
  return new ReleaseError('unreadable', `${url} ${late} within ${withinMs / 1000} s`, cause)
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

/** The body of a 200, if it is not compressed, and can have as many bytes; else it is dropped. @throws ReleaseError */
function checkedBody(url: string, body: Readable, headers: FetchedHeaders, bytes?: number): Readable {
  const coding = (headerText(headers, 'content-encoding') ?? '').trim().toLowerCase()
  const isPlain = coding === '' || coding === 'identity'
  const length = headerText(headers, 'content-length')
  if (isPlain && (length === undefined || bytes === undefined || Number(length) === bytes)) return body
  drop(body)
  if (isPlain) throw new ReleaseError('damaged', `${url} has ${length} bytes, the manifest says ${bytes}`)
  throw new ReleaseError(
    'unreadable',
    `${url} came with Content-Encoding "${coding.slice(0, 40)}" though identity was asked for: switch that compression off at the server`,
  )
}

/** The body of an answer, if its status is 200 and `checkedBody` takes it. @throws ReleaseError `absent` = 404 or 410 */
export function okBody(
  url: string,
  { statusCode: status, headers, body }: Response,
  bytes?: number,
  isSigned = false,
): Readable {
  if (status === 200) return checkedBody(url, body, headers, bytes)
  drop(body)
  const location = status >= 300 && status < 400 ? headerText(headers, 'location') : undefined
  const where =
    location === undefined ? '' : `: redirects are not followed, give the address itself, ${location.slice(0, 200)}`
  const code = status === 404 || status === 410 ? 'absent' : 'unreadable'
  const apart = status === 403 && isSigned ? clocksApart(headerText(headers, 'date')) : ''
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
const CLOSED: ReadonlySet<unknown> = new Set(['UND_ERR_SOCKET', 'ECONNRESET', 'EPIPE'])

async function twice<T>(url: string, signal: AbortSignal, once: () => Promise<T>): Promise<T> {
  try {
    return await once().catch((error: NodeJS.ErrnoException) => {
      if (!CLOSED.has(error.code) || signal.aborted) throw error
      return once()
    })
  } catch (error) {
    throw cannotFetch(url, error as Error)
  }
}

/** More than any body that is read whole: its reader pauses at no byte of it, and leaves when it is too long. */
export const NEVER_PAUSED_BYTES = 1 << 30

/** Asks for a body that is read whole. */
async function send(
  url: string,
  { dispatcher, sign }: FetchBounds,
  signal: AbortSignal,
  more: Readonly<Record<string, string>> = {},
): Promise<Dispatcher.ResponseData> {
  const headers = { ...REQUEST_HEADERS, ...more, ...(await sign?.(url)) }
  return twice(url, signal, () => request(url, { dispatcher, headers, signal, highWaterMark: NEVER_PAUSED_BYTES }))
}

/** Asks for a body that is passed on, so that its reader may pause. The signal counts until the head is there. */
async function open(
  url: string,
  { agent, stalledMs, sign }: StreamBounds,
  signal: AbortSignal,
  more: Readonly<Record<string, string>> = {},
): Promise<Response<IncomingMessage>> {
  const headers = { ...REQUEST_HEADERS, ...more, ...(await sign?.(url)) }
  const once = (): Promise<Response<IncomingMessage>> =>
    new Promise((resolve, reject) => {
      let body: IncomingMessage | undefined
      const get = url.startsWith('https:') ? getByHttps : getByHttp
      const sent = get(url, { agent, headers, signal, timeout: stalledMs }, (answer) => {
        body = answer
        // What fails before somebody reads it is not to end the process: its reader is told when it comes.
        answer.on('error', () => {})
        resolve({ statusCode: answer.statusCode ?? 0, headers: answer.headers, body: answer })
      })
      sent.on('error', reject)
      sent.on('close', () => reject(new Error('the connection was closed without an answer')))
      sent.on('timeout', () => {
        // Whoever does not read what is there waits for its own client, not for this server.
        if (body === undefined || body.readableLength < body.readableHighWaterMark)
          sent.destroy(new Error(`nothing came for ${stalledMs / 1000} s`))
      })
    })
  return twice(url, signal, once)
}
