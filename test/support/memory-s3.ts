// Object storage for a test: the part of the S3 protocol that --publish uses, in memory, without a socket and without looking at
// signatures; and what may go wrong with a request.
import { createHash } from 'node:crypto'
import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { allowedValue } from '../../src/process/value-syntax.ts'
import { bucketOf, type HeaderFields, type S3Bucket } from '../../src/release/publishing/bucket.ts'
import type { S3Effects } from '../../src/release/publishing/s3-client.ts'

/** What it takes of a request, and what it gives of an answer. */
interface Asked {
  readonly method: string
  readonly url: string
  readonly headers: HeaderFields
}
interface HttpAnswer {
  readonly status: number
  readonly headers: HeaderFields
  readonly body: Buffer
}

export interface StoredObject {
  readonly bytes: Buffer
  readonly headers: HeaderFields
  readonly etag: string
  readonly modifiedMs: number
}

/** An answer instead of the request's; `lost` = it is done, and nobody hears of it; `cut` = its answer ends early. */
export type Fault = { readonly status: number; readonly code: string } | 'lost' | 'cut' | 'error in a 200' | 'killed'

export interface MemoryS3 {
  /** By key, without the prefix of the bucket. */
  readonly objects: Map<string, StoredObject>
  /** What was asked: `PUT key`. */
  readonly asked: string[]
  readonly requests: Asked[]
  readonly send: NonNullable<S3Effects['send']>
  nowMs: number
  /** Whether If-Match and If-None-Match count; `refused` = 501. */
  conditions: boolean | 'refused'
  /** Whether an ETag is the MD5 of the bytes; `another` = of each write, as with keys of AWS KMS. */
  etags: 'md5' | 'another' | 'none'
  /** Whether the bucket keeps versions. */
  versions: boolean
  /** Entries of a page of a listing. */
  pageSize: number
  /** Called before each request, with how many there were. */
  fault: (n: number, what: string) => Fault | null
  /** Called after each request. */
  changed: () => void
}

export const BUCKET: S3Bucket = {
  shown: 's3://statistics/town',
  url: 'https://store.example.org/statistics',
  from: 'AWS_ENDPOINT_URL_S3',
  prefix: 'town/',
  region: 'eu-central-1',
  credentials: { accessKeyId: 'an-id', secretAccessKey: 'a-secret', sessionToken: '', cache: new Map() },
}

/** @param env the variables of who asks */
export function bucketAt(address: string, env: Readonly<Record<string, string>>): S3Bucket {
  return allowedValue('S3', address, (given) => bucketOf(given, env))
}

const KEPT = /^(?:content-type|content-encoding|cache-control|x-amz-meta-.*)$/

export function memoryS3(bucket: S3Bucket = BUCKET): MemoryS3 {
  const objects = new Map<string, StoredObject>()
  const asked: string[] = []
  const requests: Asked[] = []
  const s3: MemoryS3 = {
    objects,
    asked,
    requests,
    send: send as unknown as MemoryS3['send'],
    nowMs: Date.parse('2026-05-20T10:00:00.000Z'),
    conditions: true,
    etags: 'md5',
    versions: false,
    pageSize: 7,
    fault: () => null,
    changed: () => {},
  }

  type Options = Omit<Asked, 'url'> & { readonly body: Readable | null; readonly signal: AbortSignal }
  async function send(url: string, { body: sent, signal, ...how }: Options) {
    signal.throwIfAborted()
    const request = { url, ...how }
    const what = `${request.method} ${keyOf(request.url)}`
    asked.push(what)
    requests.push(request)
    const body = sent === null ? EMPTY.body : await buffer(sent)
    const fault = s3.fault(asked.length, what)
    if (fault === 'killed') throw new Error('killed')
    if (fault !== null && typeof fault === 'object') return responseOf(errorReply(fault.status, fault.code))
    const reply = fault === 'error in a 200' ? errorReply(200, 'InternalError') : answer(request, body)
    s3.changed()
    if (fault === 'lost') throw new Error('other side closed')
    return responseOf(reply, fault === 'cut' ? reply.body.length >> 1 : undefined)
  }

  function keyOf(url: string): string {
    const { pathname, search } = new URL(url)
    return `${pathname.slice(new URL(bucket.url).pathname.length + 1)}${search}`.replace(bucket.prefix, '')
  }

  function answer({ method, url, headers }: Asked, body: Buffer): HttpAnswer {
    const { pathname, searchParams } = new URL(url)
    const key = keyOf(`https://x${pathname}`)
    if (searchParams.has('list-type')) return listing(searchParams)
    const there = objects.get(key)
    if (method === 'DELETE') {
      objects.delete(key)
      return { ...EMPTY, status: 204, headers: s3.versions ? { 'x-amz-delete-marker': 'true' } : {} }
    }
    if (method === 'PUT') {
      const wrong = conditionFault(headers, there)
      if (wrong !== null) return wrong
      const source = headers['x-amz-copy-source']
      const bytes =
        source === undefined ? body : objects.get(source.slice(`${bucket.shown.slice('s3:/'.length)}/`.length))?.bytes
      if (bytes === undefined) return errorReply(404, 'NoSuchKey')
      if (source === undefined && createHash('sha256').update(body).digest('hex') !== headers['x-amz-content-sha256'])
        return errorReply(400, 'XAmzContentSHA256Mismatch')
      const etag = {
        md5: createHash('md5').update(bytes).digest('hex'),
        another: `of-write-${asked.length}`,
        none: '',
      }[s3.etags]
      const kept = Object.entries(headers).filter(([name]) => KEPT.test(name))
      objects.set(key, { bytes, etag, headers: Object.fromEntries(kept), modifiedMs: s3.nowMs })
      const text = source === undefined ? '' : `<CopyObjectResult><ETag>${etag}</ETag></CopyObjectResult>`
      return { status: 200, headers: etagOf(etag), body: Buffer.from(text) }
    }
    if (there === undefined) return method === 'HEAD' ? { ...EMPTY, status: 404 } : errorReply(404, 'NoSuchKey')
    return {
      status: 200,
      headers: { ...there.headers, ...etagOf(there.etag) },
      body: method === 'HEAD' ? EMPTY.body : there.bytes,
    }
  }

  function conditionFault(headers: HeaderFields, there: StoredObject | undefined): HttpAnswer | null {
    const [match, none] = [headers['if-match'], headers['if-none-match']]
    if ((match === undefined && none === undefined) || s3.conditions === false) return null
    if (s3.conditions === 'refused') return errorReply(501, 'NotImplemented')
    if (match !== undefined && there === undefined) return errorReply(404, 'NoSuchKey')
    const holds = match === undefined ? there === undefined : match.replaceAll('"', '') === there?.etag
    return holds ? null : errorReply(412, 'PreconditionFailed')
  }

  function listing(query: URLSearchParams): HttpAnswer {
    // A listing goes on after a key, so what is written meanwhile moves none into the next page, where it would come again.
    const after = Buffer.from(query.get('continuation-token') ?? '', 'base64url').toString()
    const all = [...objects].filter(([key]) => key > after).sort(([a], [b]) => (a < b ? -1 : 1))
    const page = all.slice(0, s3.pageSize)
    const rows = page.map(
      ([key, { etag, bytes, modifiedMs }]) =>
        `<Contents><Key>${bucket.prefix}${key.replaceAll('&', '&amp;')}</Key><LastModified>${new Date(modifiedMs).toISOString()}</LastModified>` +
        `<ETag>&quot;${etag}&quot;</ETag><Size>${bytes.length}</Size></Contents>`,
    )
    const more = s3.pageSize < all.length
    const next = more
      ? `<NextContinuationToken>${Buffer.from(page.at(-1)?.[0] ?? '').toString('base64url')}</NextContinuationToken>`
      : ''
    const text = `<ListBucketResult xmlns="http://s3.amazonaws.com/doc/2006-03-01/"><IsTruncated>${more}</IsTruncated>${next}${rows.join('')}</ListBucketResult>`
    return { status: 200, headers: { date: new Date(s3.nowMs).toUTCString() }, body: Buffer.from(text) }
  }

  return s3
}

/** As far as the client reads it. */
function responseOf({ status, headers, body }: HttpAnswer, length?: number) {
  return { statusCode: status, headers, body: Readable.from([body.subarray(0, length)]) }
}

function etagOf(etag: string): HeaderFields {
  return etag === '' ? {} : { etag: `"${etag}"` }
}

const EMPTY = { headers: {}, body: Buffer.from('') }

function errorReply(status: number, code: string): HttpAnswer {
  return { status, headers: {}, body: Buffer.from(`<Error><Code>${code}</Code><Message>said so</Message></Error>`) }
}
