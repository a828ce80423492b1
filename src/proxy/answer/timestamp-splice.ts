// Owns putting a fresh generatedAt into a finished body without parsing it. Knows no documents and no HTTP.
import { STAMP_TAIL_BYTES } from '../../contract/document-text.ts'
import { formatTimestamp } from '../../contract/timestamp.ts'
import { remembering } from '../../process/remembering.ts'
import { bodyTemplate, type Coding } from '../../release/format/coding.ts'
import { bodyDataOf, type PreparedBody } from './prepared-body.ts'

function stampOf(nowMs: number): Buffer {
  return Buffer.from(formatTimestamp(nowMs), 'latin1')
}

/**
 * Makes JSON bodies whose timestamp is replaced; what was handed out is never written to again. All answers of one millisecond
 * carry the same stamp and share their copies, which go with it: copies kept until each body was asked for again were 18 MiB
 * for 10,000 lists as gzip.
 */
export function stamping() {
  const copiesAt = remembering((nowMs: number) => {
    const stamp = stampOf(nowMs)
    return remembering((template: ReturnType<typeof bodyTemplate>) => bodyDataOf(template(stamp)))
  }, 1)
  /** @param body the document's text, or that text in the coding (coding.ts): nothing is compressed again */
  return (body: Buffer, coding: Coding | null): PreparedBody => {
    const template = bodyTemplate(body, coding, STAMP_TAIL_BYTES)
    return { bytes: body.length, coding, at: (nowMs) => copiesAt(nowMs)(template) }
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
    if (left === 0) yield bodyTemplate(Buffer.concat(end), coding, STAMP_TAIL_BYTES)(stampOf(nowMs))
  }
  // The source was cut short: its reader sees that.
  if (left > 0) yield Buffer.concat(end)
}
