// Owns one request to object storage: its signature, when it is tried again, what its answer means. Knows no release.
import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { setMaxListeners } from 'node:events'
import { setTimeout as delay } from 'node:timers/promises'
import { AwsV4Signer } from 'aws4fetch'
import { request } from 'undici'
import { reasonOf } from '../../process/cli-error.ts'
import type { FileBytes } from '../format/manifest.ts'
import { ReleaseError } from '../format/release-error.ts'
import { headerText, type FetchedHeaders, NEVER_PAUSED_BYTES } from '../reading/http-fetch.ts'
import type { Bucket } from './bucket.ts'

export type Fields = Readonly<Record<string, string>>

/** A file that is to be sent, by its own path; the hashes in hex. */
export type Content = FileBytes & { readonly md5: string }

export interface S3Effects {
  /** Of one piece of work: nothing is sent any more when it aborts. */
  readonly signal: AbortSignal
  readonly send?: typeof request
  readonly sleep?: (ms: number, signal: AbortSignal) => Promise<unknown>
  /** Before each try of a request that changes something: throws where this process may not do so any more. */
  readonly beforeChange?: () => Promise<void>
}

/** An object, as the bucket lists it. */
export interface Listed {
  /** By the clock of the store; NaN = it does not say when. */
  readonly writtenMs: number
  readonly bytes: number
  /** '' = the store tells none. */
  readonly etag: string
}

/** At the same time. */
export const REQUESTS = { concurrency: 16 } as const

/** Ms without a byte of the head, or of the body; bytes, so that no reader pauses. */
const HOW = { headersTimeout: 60_000, bodyTimeout: 60_000, highWaterMark: NEVER_PAUSED_BYTES } as const
/** Before the second and each further try: a store that asks to slow down means seconds. */
const WAITS_MS: readonly number[] = [200, 500, 1_000, 2_000, 5_000]
/** What S3 says to try again. 409 is of two writes at once. */
const AGAIN: ReadonlySet<number> = new Set([408, 409, 429, 500, 502, 503, 504])
const NEXT = '; check the bucket, AWS_REGION, the endpoint, the key, and that it may list, read, write and delete there'

/** Keys are below the prefix. Each request throws a ReleaseError that names the key, the status and the code. */
export class S3 {
  readonly #bucket: Bucket
  readonly #effects: S3Effects
  /** By key, of what is there, as far as it was listed or put. */
  readonly etags: Map<string, string> = new Map()
  /** Whether an ETag of this store is the MD5 of the bytes, as it is nearly everywhere. */
  #isMd5 = false

  constructor(bucket: Bucket, effects: S3Effects) {
    this.#bucket = bucket
    this.#effects = effects
    // Each request listens to it, and Node warns of more than ten.
    setMaxListeners(0, effects.signal)
  }

  /** What is there, and the time by the clock of the store, as all its times are. */
  async list(): Promise<{ readonly objects: ReadonlyMap<string, Listed>; readonly nowMs: number }> {
    const { prefix } = this.#bucket
    const objects = new Map<string, Listed>()
    for (let from = ''; ;) {
      const query = `?list-type=2&prefix=${encodeURIComponent(prefix)}${from}`
      const { body, headers } = await this.#ask('GET', '', [200], { query, end: '</ListBucketResult>' })
      const text = body.toString('utf8')
      for (const [, one = ''] of text.matchAll(/<Contents>(.*?)<\/Contents>/gs)) {
        const key = valueIn(one, 'Key').slice(prefix.length)
        const etag = valueIn(one, 'ETag').replaceAll('"', '')
        objects.set(key, {
          writtenMs: Date.parse(valueIn(one, 'LastModified')),
          bytes: Number(valueIn(one, 'Size')),
          etag,
        })
        this.etags.set(key, etag)
      }
      const next = valueIn(text, 'NextContinuationToken')
      if (next === '' && valueIn(text, 'IsTruncated') === 'true')
        throw new ReleaseError('write', `${this.#bucket.shown} lists a part only; use a store with ListObjectsV2`)
      if (next === '') return { objects, nowMs: Date.parse(String(headers['date'])) || Date.now() }
      from = `&continuation-token=${encodeURIComponent(next)}`
    }
  }

  /** Null = there is none. */
  async head(key: string): Promise<FetchedHeaders | null> {
    const { status, headers } = await this.#ask('HEAD', key, [200, 404])
    return status === 404 ? null : headers
  }

  /** The address of an object, as messages have it. */
  shown(key: string): string {
    return `${this.#bucket.shown}/${key}`
  }

  /** @throws ReleaseError also where there is none */
  async get(key: string): Promise<Buffer> {
    return (await this.#ask('GET', key, [200])).body
  }

  /** @returns the status, one of those that are wanted */
  async put(key: string, content: Content, given: Fields, wanted: readonly number[] = [200]): Promise<number> {
    const { bytes, md5 } = content
    const base64 = Buffer.from(md5, 'hex').toString('base64')
    const headers = { ...given, 'content-length': String(bytes), 'content-md5': base64 }
    const reply = await this.#ask('PUT', key, wanted, { headers, content })
    if (reply.status !== 200) return reply.status
    const etag = (headerText(reply.headers, 'etag') ?? md5).replaceAll('"', '')
    this.#isMd5 ||= etag === md5
    // A store that does not compare the hashes that it is sent has taken what came.
    if (this.#isMd5 && etag !== md5)
      throw new ReleaseError('write', `${key} came as other bytes: its ETag is ${etag}, not ${md5}`)
    this.etags.set(key, etag)
    return 200
  }

  async copy(from: string, to: string, given: Fields): Promise<void> {
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
    { query, headers: given, content, end }: { query?: string; headers?: Fields; content?: Content; end?: string } = {},
  ) {
    const { signal, send = request, sleep = (ms) => delay(ms, undefined, { signal }), beforeChange } = this.#effects
    const { url: base, prefix, shown } = this.#bucket
    const url = query === undefined ? `${base}/${prefix}${key}` : `${base}${query}`
    const once = async () => {
      const headers = await signedHeaders(this.#bucket, method, url, given, content?.sha256)
      // Its reader is told of an error; a request that failed before it read has none.
      const body = content === undefined ? null : createReadStream(content.path).on('error', () => {})
      const got = await send(url, { ...HOW, method, headers, body, signal })
      return { status: got.statusCode, headers: got.headers, body: Buffer.from(await got.body.arrayBuffer()) }
    }
    for (let attempt = 0; ; attempt++) {
      if (method === 'PUT' || method === 'DELETE') await beforeChange?.()
      signal.throwIfAborted()
      const got = await once().catch((error: Error) => error)
      signal.throwIfAborted()
      const fault = got instanceof Error ? { why: reasonOf(got), again: true } : faultOf(got, wanted, end)
      if (fault === null) return got as Exclude<typeof got, Error>
      const waitMs = WAITS_MS[attempt]
      if (!fault.again || waitMs === undefined)
        throw new ReleaseError('publish', `cannot ${method} ${shown}/${key}: ${fault.why}`, got)
      // Not all at once, if all were told to slow down.
      await sleep(waitMs * (0.5 + Math.random()), signal)
    }
  }
}

/** With them a request is believed. Signed is what must be, so that a proxy on the way may change the rest. */
export async function signedHeaders(
  { region, credentials }: Bucket,
  method: string,
  url: string,
  given: Fields = {},
  sha256: string = createHash('sha256').digest('hex'),
): Promise<Fields> {
  const own = Object.entries(given).filter(([name]) => name.startsWith('x-amz-'))
  const headers = { ...Object.fromEntries(own), 'x-amz-content-sha256': sha256 }
  const signed = await new AwsV4Signer({ method, url, headers, service: 's3', region, ...credentials }).sign()
  return { ...given, ...Object.fromEntries(signed.headers.entries()) }
}

/** Null = it is one of those that are wanted. A copy answers 200 before it has begun, and says in the body that it failed. */
function faultOf({ status, body }: { status: number; body: Buffer }, wanted: readonly number[], end = '') {
  const isFailed = status === 200 && (body.includes('<Error>') || !body.includes(end))
  if (wanted.includes(status) && !isFailed) return null
  const text = body.toString('utf8', 0, 4096)
  const code = valueIn(text, 'Code')
  const named = code || (isFailed && 'but not what S3 answers')
  const said = [status, named, valueIn(text, 'Message').slice(0, 200).replace(/\.$/, '')].filter(Boolean).join(' ')
  const isAdvised = isFailed ? code === '' : [301, 401, 403, 404].includes(status)
  return { why: isAdvised ? `${said}${NEXT}` : said, again: isFailed || AGAIN.has(status) || code === 'RequestTimeout' }
}

const ENTITIES: Fields = { '&lt;': '<', '&gt;': '>', '&quot;': '"', '&#34;': '"', '&apos;': "'", '&amp;': '&' }

/** The first text in an element of this name; '' = there is none. */
function valueIn(xml: string, name: string): string {
  const [, found = ''] = new RegExp(`<${name}>([^<]*)</${name}>`).exec(xml) ?? []
  return found.replaceAll(/&#?\w+;/g, (entity) => ENTITIES[entity] ?? entity)
}
