// Owns one fetch from an origin: its whole deadline, what its status and coding mean, its size. Knows no release.
import { pipeline, type Readable } from 'node:stream'
import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib'
import { request, type Dispatcher } from 'undici'
import { ReleaseError } from '../../release/reading/open.ts'

/** What an origin compresses in spite of it is decoded all the same. */
export const ASKED: Readonly<Record<string, string>> = {
  accept: 'application/json, text/csv',
  'accept-encoding': 'identity',
}

/** One that comes twice is a list, to undici. */
export type FetchedHeaders = Readonly<Record<string, string | readonly string[] | undefined>>

export function headerText(headers: FetchedHeaders, name: string): string | undefined {
  const value = headers[name]
  return typeof value === 'string' || value === undefined ? value : value.join(', ')
}

export interface Asked {
  readonly dispatcher: Dispatcher
  /** Of a whole fetch from beginning to end, of a stream until its head is there: waiting for a connection included. */
  readonly withinMs: number
}

export interface Whole {
  readonly bytes: Buffer
  readonly headers: FetchedHeaders
}

/** 304: the etag still holds. */
export interface Unchanged {
  readonly bytes: null
  readonly headers: FetchedHeaders
}

/** @throws ReleaseError `absent` = 404, else `damaged` */
export function fetchWhole(url: string, maxBytes: number, asked: Asked): Promise<Whole> {
  return withinDeadline(url, asked, (signal) =>
    send(url, asked, signal).then((response) => wholeOf(url, maxBytes, response)),
  )
}

/** @param etag undefined = none is known. @throws ReleaseError as fetchWhole does */
export function fetchIfChanged(
  url: string,
  maxBytes: number,
  etag: string | undefined,
  asked: Asked,
): Promise<Whole | Unchanged> {
  return withinDeadline(url, asked, async (signal) => {
    const response = await send(url, asked, signal, etag)
    if (etag === undefined || response.statusCode !== 304) return wholeOf(url, maxBytes, response)
    await response.body.dump()
    return { bytes: null, headers: response.headers }
  })
}

async function withinDeadline<T>(
  url: string,
  { withinMs }: Asked,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const deadline = new Deadline(withinMs)
  try {
    return await work(deadline.signal)
  } catch (error) {
    if (!deadline.signal.aborted) throw error
    throw new ReleaseError('unreadable', `${url} was not there whole within ${withinMs / 1000} s`, error)
  } finally {
    deadline.clear()
  }
}

async function wholeOf(url: string, maxBytes: number, response: Dispatcher.ResponseData): Promise<Whole> {
  const { headers } = response
  return { bytes: await collect(decoded(url, okBody(url, response), headers), maxBytes, url), headers }
}

/** A stream of `bytes` bytes, as far as its head can say. @throws ReleaseError */
export async function fetchStream(url: string, bytes: number, asked: Asked): Promise<Readable> {
  const deadline = new Deadline(asked.withinMs)
  try {
    const response = await send(url, asked, deadline.signal)
    return checkedBody(url, okBody(url, response), response.headers, bytes)
  } catch (error) {
    if (!deadline.signal.aborted) throw error
    throw lateHead(url, asked.withinMs)
  } finally {
    deadline.clear()
  }
}

export function lateHead(url: string, withinMs: number): ReleaseError {
  return new ReleaseError('unreadable', `${url} did not begin to answer within ${withinMs / 1000} s`)
}

export function cannotFetch(url: string, error: Error): ReleaseError {
  return new ReleaseError('unreadable', `cannot fetch ${url}: ${error.message}`, error)
}

/** The body of a 200 as it is meant, if it can have as many bytes; else it is dropped. @throws ReleaseError */
export function checkedBody(url: string, body: Readable, headers: FetchedHeaders, bytes: number): Readable {
  const length = headerText(headers, 'content-length')
  const plain = decoded(url, body, headers)
  // The length of what is compressed says nothing of what it will be; it is counted on its way.
  if (plain !== body || length === undefined || Number(length) === bytes) return plain
  drop(body)
  throw new ReleaseError('damaged', `${url} has ${length} bytes, the manifest says ${bytes}`)
}

/** @throws ReleaseError `absent` = 404 */
export function requireOk(url: string, status: number, headers: FetchedHeaders): void {
  if (status === 200) return
  const location = status >= 300 && status < 400 ? headerText(headers, 'location') : undefined
  const where = location === undefined ? '' : ` to ${location.slice(0, 200)}`
  const next = where === '' ? '' : '; redirects are not followed: give --origin the address itself'
  throw new ReleaseError(
    status === 404 ? 'absent' : 'unreadable',
    `${url} answered ${status}${where}, expected 200${next}`,
  )
}

export function drop(body: Readable): void {
  body.on('error', () => {}).destroy()
}

function okBody(url: string, { statusCode, headers, body }: Dispatcher.ResponseData): Readable {
  try {
    requireOk(url, statusCode, headers)
    return body
  } catch (error) {
    drop(body)
    throw error
  }
}

/** An origin may close a connection that was kept at the moment when it is used again: that says nothing of its state. */
const CLOSED: ReadonlySet<unknown> = new Set(['UND_ERR_SOCKET', 'ECONNRESET', 'EPIPE'])

async function send(
  url: string,
  { dispatcher }: Asked,
  signal: AbortSignal,
  etag?: string,
): Promise<Dispatcher.ResponseData> {
  const headers = etag === undefined ? ASKED : { ...ASKED, 'if-none-match': etag }
  const once = (): Promise<Dispatcher.ResponseData> => request(url, { dispatcher, headers, signal })
  try {
    return await once().catch((error: NodeJS.ErrnoException) => {
      if (!CLOSED.has(error.code) || signal.aborted) throw error
      return once()
    })
  } catch (error) {
    throw cannotFetch(url, error as Error)
  }
}

const DECODERS = {
  gzip: createGunzip,
  'x-gzip': createGunzip,
  br: createBrotliDecompress,
  deflate: createInflate,
} as const

/** @throws ReleaseError that names a coding which is not known */
function decoded(url: string, body: Readable, headers: FetchedHeaders): Readable {
  const coding = (headerText(headers, 'content-encoding') ?? '').trim().toLowerCase()
  if (coding === '' || coding === 'identity') return body
  if (coding in DECODERS) {
    const decoder = DECODERS[coding as keyof typeof DECODERS]()
    // What fails on either side is the decoder's error, which its reader gets.
    pipeline(body, decoder, () => {})
    return decoder
  }
  drop(body)
  throw new ReleaseError(
    'unreadable',
    `${url} came with Content-Encoding "${coding.slice(0, 40)}" though identity was asked for; ` +
      'allowed: none, gzip, br, deflate: switch that compression off at the origin',
  )
}

async function collect(body: Readable, maxBytes: number, url: string): Promise<Buffer> {
  const chunks: Buffer[] = []
  let bytes = 0
  try {
    for await (const chunk of body as AsyncIterable<Buffer>) {
      bytes += chunk.length
      if (bytes > maxBytes) throw new ReleaseError('damaged', `${url} is over ${maxBytes} bytes`)
      chunks.push(chunk)
    }
  } catch (error) {
    if (error instanceof ReleaseError) throw error
    throw new ReleaseError('unreadable', `${url} was cut off: ${(error as Error).message}`, error)
  }
  return Buffer.concat(chunks, bytes)
}

/** A time-out that leaves no timer behind. */
export class Deadline {
  readonly #controller = new AbortController()
  readonly #timer: NodeJS.Timeout

  constructor(withinMs: number) {
    this.#timer = setTimeout(() => this.#controller.abort(), withinMs)
    this.#timer.unref()
  }

  get signal(): AbortSignal {
    return this.#controller.signal
  }

  clear(): void {
    clearTimeout(this.#timer)
  }
}
