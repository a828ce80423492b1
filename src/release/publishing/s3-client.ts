// Owns one request to object storage: when it is tried again, what its answer means. Knows no release.
import { createReadStream } from 'node:fs'
import { setMaxListeners } from 'node:events'
import { setTimeout as delay } from 'node:timers/promises'
import { Agent, buildConnector, request } from 'undici'
import { reasonOf } from '../../process/cli-error.ts'
import type { FileBytes } from '../format/manifest.ts'
import { ReleaseError } from '../format/release-error.ts'
import { clocksApart, plainBody, readWhole, WHOLE, within } from '../reading/http-fetch.ts'
import { proxyFor, tunnel } from '../reading/way-out.ts'
import { signedHeaders, type HeaderFields, type S3Bucket } from './bucket.ts'

export type AnswerHeaders = Readonly<Record<string, string | undefined>>

/** A file that is to be sent, by its own path; the hashes in hex. */
export type HashedFile = FileBytes & { readonly md5: string }

export interface S3Effects {
  /** When it aborts, nothing is sent any more. */
  readonly signal: AbortSignal
  readonly send?: typeof request
  readonly sleep?: (ms: number, signal: AbortSignal) => Promise<unknown>
}

/** An object, as the bucket lists it. */
export interface ListedObject {
  /** When it was written, by the clock of the store; NaN = it was just put. */
  readonly writtenMs: number
  readonly bytes: number
  /** '' = the store tells none. */
  readonly etag: string
}

/** So many requests run at the same time. */
export const REQUESTS = { concurrency: 16 } as const

/**
 * The times are those without a byte of the head, or of the body. No reader pauses: undici 7 ends the process by an assertion that
 * nobody can catch when a connection ends while its reader has paused it (nodejs/undici #5360).
 */
const BOUNDS = { headersTimeout: 60_000, bodyTimeout: 60_000, highWaterMark: 1 << 30 } as const
/** Before the second and each further try: a store that asks to slow down means seconds. */
const WAITS_MS: readonly number[] = [200, 500, 1_000, 2_000, 5_000]
const CHANGES: ReadonlySet<string> = new Set(['PUT', 'DELETE'])
/** What S3 says to try again. 409 is of two writes at once. */
const AGAIN: ReadonlySet<number> = new Set([408, 409, 429, 500, 502, 503, 504])

/** A page of a listing, which has a thousand keys, and any other answer are at most so large. */
const PAGE_BYTES = 8 << 20
const ANSWER_BYTES = 64 << 10
const PAGE_KEYS = 1000
const MAX_PAGES = 1000
const MAX_TOKEN = 4096
/** The time for a request and its whole answer, and how many bytes sent add a millisecond: a store that drips is given up. */
const ANSWER_MS = 60_000
const SENT_BYTES_PER_MS = 4
/** Keys as this program gives them to its objects. No address takes one for something else. */
const KEY = /^(?!.*(?:^|\/)\.{0,2}(?:\/|$))[\w./-]{1,1024}$/

interface Asked {
  readonly query?: string
  readonly headers?: HeaderFields
  readonly content?: HashedFile
  /** What the body of a 200 has at its end. */
  readonly end?: string
  /** How many bytes the answer may have. */
  readonly most?: number
}

/** Keys are below the prefix. Each request throws a ReleaseError that names the key, and what the store answered last. */
export class S3 {
  readonly #bucket: S3Bucket
  readonly #effects: S3Effects
  readonly #dispatcher: Agent
  /** The objects that were listed or put, by key. */
  readonly there: Map<string, ListedObject> = new Map()
  /** Before each try of a request that changes something: throws where this process may not do so any more. */
  beforeChange: () => Promise<void> = async () => {}
  /** Whether an ETag of this store is the MD5 of the bytes, as it is nearly everywhere. */
  #isMd5 = false

  constructor(bucket: S3Bucket, effects: S3Effects) {
    this.#bucket = bucket
    this.#effects = effects
    this.#dispatcher = dispatcherFor(bucket.url)
    // Each request listens to it, and Node warns of more than ten.
    setMaxListeners(0, effects.signal)
  }

  /** Ends its connections, and waits for none: one that is being made is given up when its own time is over. */
  close(): void {
    this.#dispatcher.destroy().catch(() => {})
  }

  /**
   * What is there, and the time by the clock of the store, as all its times are. Keys that this program gives to nothing are left
   * out: in an address some are another key, perhaps of a neighbour.
   */
  async list(): Promise<{ readonly objects: ReadonlyMap<string, ListedObject>; readonly nowMs: number }> {
    const { prefix } = this.#bucket
    const tokens = new Set<string>()
    for (let token = ''; ;) {
      const from = token && `&continuation-token=${encodeURIComponent(token)}`
      const query = `?list-type=2&max-keys=${PAGE_KEYS}&prefix=${encodeURIComponent(prefix)}${from}`
      const { body, headers } = await this.#ask('GET', '', [200], {
        query,
        end: '</ListBucketResult>',
        most: PAGE_BYTES,
      })
      const text = body.toString('utf8')
      // An expression for whole elements would look for the end of each that has none.
      const entries = text.split('<Contents>').slice(1)
      if (entries.length > PAGE_KEYS) throw this.#lie(`${entries.length} keys at once, asked for ${PAGE_KEYS}`)
      for (const one of entries) this.#enter(one)
      token = valueIn(text, 'NextContinuationToken')
      if (token === '' && valueIn(text, 'IsTruncated') === 'true')
        throw this.#lie('a part only; use a store with ListObjectsV2')
      if (token === '') return { objects: this.there, nowMs: Date.parse(String(headers['date'])) || Date.now() }
      if (tokens.has(token) || token.length > MAX_TOKEN) throw this.#lie('the same page again, without end')
      if (tokens.add(token).size === MAX_PAGES)
        throw this.#lie(`over ${MAX_PAGES} pages of keys; give the site a bucket or a prefix of its own`)
    }
  }

  #enter(entry: string): void {
    const { prefix } = this.#bucket
    const whole = valueIn(entry, 'Key')
    const key = ownText(whole.slice(prefix.length))
    const one = {
      writtenMs: Date.parse(valueIn(entry, 'LastModified')),
      bytes: Number(valueIn(entry, 'Size') || Number.NaN),
      etag: ownText(valueIn(entry, 'ETag').replaceAll('"', '')),
    }
    if (!whole.startsWith(prefix)) throw this.#lie(`${whole}, asked for what is below ${prefix}`)
    if (this.there.has(key)) throw this.#lie(`${whole} twice`)
    if (Number.isNaN(one.writtenMs + one.bytes)) throw this.#lie(`${whole} without a date and a size that are one`)
    if (KEY.test(key)) this.there.set(key, one)
  }

  #lie(what: string): ReleaseError {
    return new ReleaseError('write', `${this.#bucket.shown} lists ${what.slice(0, 300)}`)
  }

  /** Null = there is none. @param absent what the store says then: of a key that is not there it may be that nobody may see it */
  async head(key: string, absent: readonly number[] = [404]): Promise<AnswerHeaders | null> {
    const { status, headers } = await this.#ask('HEAD', key, [200, ...absent])
    return status === 200 ? headers : null
  }

  /** The address of an object, as messages have it. */
  shown(key: string): string {
    return `${this.#bucket.shown}/${key}`
  }

  /** @throws ReleaseError also where there is none, and where it has more bytes */
  async get(key: string, most: number): Promise<Buffer> {
    return (await this.#ask('GET', key, [200], { most })).body
  }

  /** @returns the status, one of those that are wanted */
  async put(key: string, content: HashedFile, given: HeaderFields, wanted: readonly number[] = [200]): Promise<number> {
    const { bytes, md5 } = content
    const base64 = Buffer.from(md5, 'hex').toString('base64')
    const headers = { ...given, 'content-length': String(bytes), 'content-md5': base64 }
    const reply = await this.#ask('PUT', key, wanted, { headers, content })
    if (reply.status !== 200) return reply.status
    const etag = (reply.headers['etag'] ?? md5).replaceAll('"', '')
    this.#isMd5 ||= etag === md5
    // A store that does not compare the hashes that it is sent has taken what came.
    if (this.#isMd5 && etag !== md5)
      throw new ReleaseError('write', `${key} came as other bytes: its ETag is ${etag}, not ${md5}`)
    this.there.set(key, { writtenMs: Number.NaN, bytes, etag })
    return 200
  }

  async copy(from: string, to: string, given: HeaderFields): Promise<void> {
    const source = `${this.#bucket.shown.slice('s3:/'.length)}/${from}`
    const headers = { ...given, 'x-amz-copy-source': source, 'x-amz-metadata-directive': 'REPLACE' }
    await this.#ask('PUT', to, [200], { headers, end: '</CopyObjectResult>' })
  }

  /** @returns whether the bucket keeps what was deleted */
  async remove(key: string): Promise<boolean> {
    const { headers } = await this.#ask('DELETE', key, [200, 204, 404])
    return headers['x-amz-delete-marker'] === 'true'
  }

  /** Asks until the status is one of `wanted`, and the body of a 200 has its end. */
  async #ask(
    method: 'GET' | 'HEAD' | 'PUT' | 'DELETE',
    key: string,
    wanted: readonly number[],
    { query, headers: given, content, end, most = ANSWER_BYTES }: Asked = {},
  ): Promise<Answer> {
    const { signal, send = request, sleep = (ms) => delay(ms, undefined, { signal }) } = this.#effects
    const { url: base, prefix, shown, from } = this.#bucket
    const url = query === undefined ? `${base}/${prefix}${key}` : `${base}${query}`
    const what = `${method} ${shown}/${key}`
    const bounds = { withinMs: ANSWER_MS + (content?.bytes ?? 0) / SENT_BYTES_PER_MS }
    const once = async (late: AbortSignal) => {
      const headers = await signedHeaders(this.#bucket, method, url, given, content?.sha256)
      // Its reader is told of an error; a request that failed before it read has none.
      const body = content === undefined ? null : createReadStream(content.path).on('error', () => {})
      const how = { ...BOUNDS, dispatcher: this.#dispatcher, method, body, signal: AbortSignal.any([signal, late]) }
      const got = await send(url, { ...how, headers: { ...headers, 'accept-encoding': 'identity' } })
      // undici makes a list of a header that comes twice.
      const fields = Object.entries(got.headers).map(([name, value]) => [name, [value].flat().join(', ')])
      const back = Object.fromEntries(fields) as AnswerHeaders
      // The answer to a HEAD has no body: the coding in it is that of the object.
      const plain = method === 'HEAD' ? got.body : plainBody('the answer', got.body, back)
      return { status: got.statusCode, headers: back, body: await readWhole('the answer', most, plain) }
    }
    let last = 'none yet'
    for (let attempt = 0; ; attempt++) {
      if (CHANGES.has(method)) await this.beforeChange()
      const got = await within(bounds, 'the answer', WHOLE, once).catch((error: Error) => error)
      if (signal.aborted)
        throw new ReleaseError('write', `${what} was not done, the last answer of the store: ${last}`, got)
      const fault = got instanceof Error ? unanswered(got, from) : faultOf(got, from, wanted, end)
      if (fault === null) return got as Answer
      last = fault.why
      const waitMs = WAITS_MS[attempt]
      if (!fault.again || waitMs === undefined) throw new ReleaseError('publish', `cannot ${what}: ${fault.why}`, got)
      // Not all at once, if all were told to slow down.
      await sleep(waitMs * (0.5 + Math.random()), signal).catch(() => {})
    }
  }
}

/** Connections to the store: straight, or through the proxy on the way out. */
function dispatcherFor(address: string): Agent {
  const proxy = proxyFor(address)
  if (proxy === null) return new Agent()
  const secure = buildConnector({})
  const connect: buildConnector.connector = (to, done) => {
    tunnel(proxy, (...ended) => {
      const [, httpSocket] = ended
      if (httpSocket !== null && to.protocol === 'https:') secure({ ...to, httpSocket }, done)
      else done(...ended)
    })
  }
  return new Agent({ connect })
}

/** @param from the variable that says where the store is */
function unanswered(error: Error, from: string) {
  const isOurs = error instanceof ReleaseError
  const next = isOurs ? '' : `; check ${from}, and HTTPS_PROXY if only a proxy leads out`
  return { why: `${reasonOf(error)}${next}`, again: !isOurs || error.code === 'unreadable' }
}

type Answer = { readonly status: number; readonly headers: AnswerHeaders; readonly body: Buffer }

/** Null = it is one of those that are wanted. A copy answers 200 before it has begun, and says in the body that it failed. */
function faultOf({ status, headers, body }: Answer, from: string, wanted: readonly number[], end = '') {
  const isFailed = status === 200 && (body.includes('<Error>') || !body.includes(end))
  if (wanted.includes(status) && !isFailed) return null
  const text = body.toString('utf8', 0, 4096)
  const code = valueIn(text, 'Code').slice(0, 100)
  const named = code || (isFailed && 'but not what S3 answers')
  const message = valueIn(text, 'Message').slice(0, 200).replace(/\.$/, '')
  const said = [status, named, message, redirected(headers)].filter(Boolean).join(' ')
  const isAdvised = isFailed ? code === '' : status < 400 || [401, 403, 404].includes(status)
  const advice = skewOf(status, code, valueIn(text, 'ServerTime') || String(headers['date'])) ?? adviceOf(from)
  const again = isFailed || AGAIN.has(status) || code === 'RequestTimeout'
  return { why: isAdvised ? `${said}${advice}` : said, again }
}

function redirected({ location }: AnswerHeaders): string {
  return location === undefined ? '' : `to ${location.slice(0, 200)}, redirects are not followed`
}

/** @param theirs the time of the store. @returns null = our clock is not why it refused */
function skewOf(status: number, code: string, theirs: string): string | null {
  const far = status === 403 ? clocksApart(theirs) : ''
  if (code === 'RequestTimeTooSkewed' && far === '')
    return `; it takes a clock of another time than ${new Date().toISOString()}, which the clock here says: set the one that is wrong`
  return far || null
}

/** @param from the variable that says where the store is */
function adviceOf(from: string): string {
  const where = [...new Set(['AWS_REGION', from])].join(', ')
  return `; check the bucket, ${where}, AWS_ACCESS_KEY_ID, and that this key may list, read, write and delete there`
}

/** A part of a text keeps all of it in memory. */
const ownText = (part: string): string => Buffer.from(part).toString()

const ENTITIES: HeaderFields = { '&lt;': '<', '&gt;': '>', '&quot;': '"', '&#34;': '"', '&apos;': "'", '&amp;': '&' }

/** The first text in an element of this name; '' = there is none. */
function valueIn(xml: string, name: string): string {
  const [, found = ''] = new RegExp(`<${name}>([^<]*)</${name}>`).exec(xml) ?? []
  return found.replaceAll(/&#?\w+;/g, (entity) => ENTITIES[entity] ?? entity)
}
