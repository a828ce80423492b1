// Owns putting a fresh generatedAt into a finished body without parsing it. Knows no documents and no HTTP.
import { STAMP_TAIL_BYTES } from '../../contract/document-text.ts'
import { formatTimestamp } from '../../contract/timestamp.ts'
import { BodyTemplate, type Coding } from '../../release/format/coding.ts'
import { bodyDataOf, type BodyData, type PreparedBody } from './prepared-body.ts'

const STAMP_BYTES = 24

/** All answers of one millisecond carry the same 24 bytes: they are written once. */
let stampedMs = Number.NaN
let stamp = Buffer.alloc(STAMP_BYTES)
/** The bodies that have a copy with this stamp. */
const stamped: StampedBody[] = []

function stampOf(nowMs: number): Buffer {
  if (nowMs !== stampedMs) {
    // Nobody asks for an older stamp. Copies kept until the body was asked for again were 18 MiB for 10,000 lists as gzip.
    for (const body of stamped.splice(0)) body.forget()
    stampedMs = nowMs
    stamp = Buffer.from(formatTimestamp(nowMs), 'latin1')
  }
  return stamp
}

/** A JSON body whose timestamp is replaced; what was handed out is never written to again. */
export class StampedBody implements PreparedBody {
  readonly bytes: number
  readonly coding: Coding | null
  readonly #template: BodyTemplate
  #bodyMs = Number.NaN
  #data: BodyData = ''

  /** @param body the document's text, or that text in the coding (coding.ts): nothing is compressed again */
  constructor(body: Buffer, coding: Coding | null) {
    this.bytes = body.length
    this.coding = coding
    this.#template = new BodyTemplate(body, coding, STAMP_TAIL_BYTES)
  }

  at(nowMs: number): BodyData {
    if (nowMs !== this.#bodyMs) {
      this.#data = bodyDataOf(this.#template.with(stampOf(nowMs)))
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

/** The end of a document, also of a coded one, with room for what ends a coding. */
const END_BYTES = STAMP_TAIL_BYTES + 8

/**
 * Replaces the timestamp in a JSON document that streams by, as it is or in a coding of ours: one chunk is asked for and handed on
 * after the other, and only the end is kept until all of it is there.
 * @param bytes how many will come
 */
export async function* stampStream(
  source: AsyncIterable<Buffer>,
  bytes: number,
  coding: Coding | null,
  nowMs: number,
): AsyncIterable<Buffer> {
  /** The chunks in which the end is. */
  const end: Buffer[] = []
  let left = bytes
  for await (const chunk of source) {
    left -= chunk.length
    if (left < 0) throw new RangeError('the source has more bytes than were promised')
    if (left >= END_BYTES) yield chunk
    else end.push(chunk)
    if (left > 0) continue
    const template = new BodyTemplate(Buffer.concat(end), coding, STAMP_TAIL_BYTES)
    yield template.with(Buffer.from(formatTimestamp(nowMs), 'latin1'))
  }
  // The source was cut short: its reader sees that.
  if (left > 0) yield Buffer.concat(end)
}
