// Owns putting a fresh generatedAt into a finished body without parsing it. Knows no documents and no HTTP.
import { STAMP_TAIL_BYTES, stampOffset } from '../../contract/document-text.ts'
import { formatTimestamp } from '../../contract/timestamp.ts'
import { CodedTemplate, type Coding } from '../../release/format/coding.ts'
import { bodyDataOf, type BodyData, type PreparedBody } from './prepared-body.ts'

const STAMP_BYTES = 24

/** All answers of one millisecond carry the same 24 bytes: they are written once. */
let stampedMs = Number.NaN
let stamp = Buffer.alloc(STAMP_BYTES)
/** The bodies that have a copy with it. */
const stamped: StampedBody[] = []

function stampOf(nowMs: number): Buffer {
  if (nowMs !== stampedMs) {
    // Nobody asks for an older one. Kept until the body is asked for again, they were 18 MiB of 10,000 lists as gzip.
    for (const body of stamped.splice(0)) body.forget()
    stampedMs = nowMs
    stamp = Buffer.from(formatTimestamp(nowMs), 'latin1')
  }
  return stamp
}

/** A JSON body whose timestamp is replaced; what was handed out is never written to again. */
export class StampedBody implements PreparedBody {
  readonly kind = 'prepared'
  readonly bytes: number
  readonly coding: Coding | null
  readonly #with: (stamp: Buffer) => Buffer
  #bodyMs = Number.NaN
  #data: BodyData = ''

  /** @param body the document's text, or that text in the coding (coding.ts): nothing is compressed again */
  constructor(body: Buffer, coding: Coding | null) {
    this.bytes = body.length
    this.coding = coding
    this.#with = coding === null ? stamper(body) : codedStamper(new CodedTemplate(body, coding, STAMP_TAIL_BYTES))
  }

  at(nowMs: number): BodyData {
    if (nowMs !== this.#bodyMs) {
      this.#data = bodyDataOf(this.#with(stampOf(nowMs)))
      this.#bodyMs = nowMs
      stamped.push(this)
    }
    return this.#data
  }

  forget(): void {
    this.#bodyMs = Number.NaN
    this.#data = ''
  }
}

function stamper(text: Buffer): (stamp: Buffer) => Buffer {
  const offset = stampOffset(text.length)
  return (fresh) => {
    // A copy: the last one may still be on its way to a slow client.
    const body = Buffer.from(text)
    fresh.copy(body, offset)
    return body
  }
}

function codedStamper(template: CodedTemplate): (stamp: Buffer) => Buffer {
  return (fresh) => template.with(fresh)
}

/** What happens to the bytes of a stream on their way: one chunk is asked for, changed and handed on after the other. */
type OnTheWay = (source: AsyncIterable<Buffer>) => AsyncIterable<Buffer>

/** Replaces the timestamp in a gzip member of ours that streams by: only its last bytes are buffered. */
export function stampGzipStream(nowMs: number): OnTheWay {
  const fresh = Buffer.from(formatTimestamp(nowMs), 'latin1')
  const kept = STAMP_TAIL_BYTES + 8
  return async function* (source) {
    let tail: Buffer = Buffer.alloc(0)
    for await (const chunk of source) {
      const all = tail.length === 0 ? chunk : Buffer.concat([tail, chunk])
      const ready = Math.max(0, all.length - kept)
      // A copy: a slice would keep the whole chunk in memory until its reader has read it.
      tail = Buffer.from(all.subarray(ready))
      if (ready > 0) yield all.subarray(0, ready)
    }
    yield new CodedTemplate(tail, 'gzip', STAMP_TAIL_BYTES).with(fresh)
  }
}

/** Replaces the timestamp in a JSON document of `bytes` bytes that streams by. */
export function stampStream(bytes: number, nowMs: number): OnTheWay {
  const from = stampOffset(bytes)
  const fresh = Buffer.from(formatTimestamp(nowMs), 'latin1')
  return async function* (source) {
    let seen = 0
    for await (const chunk of source) {
      const start = seen
      seen += chunk.length
      if (seen <= from || start >= from + STAMP_BYTES) yield chunk
      else {
        const copy = Buffer.from(chunk)
        // Of the stamp, what is in this chunk.
        fresh.copy(copy, Math.max(0, from - start), Math.max(0, start - from))
        yield copy
      }
    }
  }
}
