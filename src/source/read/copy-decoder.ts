// Owns reading the rows of COPY's binary format from the bytes of a connection. Knows nothing of what the rows mean.
import { checkLength, lie } from '../database/answer-guard.ts'

/** Codes of messages (PostgreSQL manual, "Message Formats"); each is followed by a length of four bytes. */
const COPY_DATA = 0x64
const COPY_DONE = 0x63
const ERROR_RESPONSE = 0x45
/** Messages without rows: answers to other statements sent along, the beginning of COPY, notices, changed settings, notifications. */
const SKIPPED = new Set(Buffer.from('TDCHNSA'))
const MESSAGE_BYTES = 5

/** Signature, flags and the length of an extension that no server sends (PostgreSQL manual, COPY, "Binary Format"). */
const HEADER_BYTES = 19
/** Stands in place of the number of fields of a row: there are no more rows. */
const END = 0xffff
const NULL = -1
/** timestamptz counts microseconds from here. */
const EPOCH_MS = Date.UTC(2000, 0)
/** The bound of a timestamptz's higher half, beyond which a double has no place for each microsecond. */
const EXACT_HIGH = 2 ** 21

/**
 * The rows of a chunk, decoded on demand from its bytes, so that most fields never become an object. They are good
 * until the next batch is asked for, which uses the same memory; a text that was taken stays.
 */
export class CopiedRows {
  readonly fields: number
  #bytes: Buffer = Buffer.alloc(0)
  /** How many bytes there are, and where the first message begins that is not complete. */
  #length = 0
  #at = 0
  /** Where each field begins, or NULL; and how long it is. */
  #starts = new Int32Array(0)
  #lengths = new Int32Array(0)
  #hasHeader = false
  isEnded = false
  count = 0

  constructor(fields: number) {
    this.fields = fields
  }

  isNull(row: number, field: number): boolean {
    return this.#starts[row * this.fields + field] === NULL
  }

  /** Four bytes of a field, which must not be NULL. */
  int32(row: number, field: number, from = 0): number {
    return int32At(this.#bytes, (this.#starts[row * this.fields + field] ?? 0) + from)
  }

  /** Whether a field is true; NULL counts as false. */
  isTrue(row: number, field: number): boolean {
    const start = this.#starts[row * this.fields + field] ?? NULL
    return start !== NULL && this.#bytes[start] === 1
  }

  /** A timestamptz in epoch ms, rounded down; NaN for NULL; far outside all years for -infinity and infinity. */
  millis(row: number, field: number): number {
    if (this.isNull(row, field)) return Number.NaN
    const high = this.int32(row, field)
    const low = this.int32(row, field, 4) >>> 0
    if (high >= EXACT_HIGH || high < -EXACT_HIGH) {
      const micros = (BigInt(high) << 32n) | BigInt(low)
      return Number((micros - (((micros % 1000n) + 1000n) % 1000n)) / 1000n) + EPOCH_MS
    }
    return Math.floor((high * 0x1_0000_0000 + low) / 1000) + EPOCH_MS
  }

  text(row: number, field: number): string | null {
    const place = row * this.fields + field
    const start = this.#starts[place] ?? NULL
    return start === NULL ? null : this.#bytes.toString('utf8', start, start + (this.#lengths[place] ?? 0))
  }

  /**
   * Takes the rows that end in a chunk.
   * @returns all bytes that have come from CopyDone or an error on, which are the client's to read; null = more rows may come
   */
  next(chunk: Buffer): Buffer | null {
    this.#take(chunk)
    this.count = 0
    for (;;) {
      const at = this.#at
      if (this.#length - at < MESSAGE_BYTES) return null
      const code = this.#bytes[at]
      if (code === COPY_DONE || code === ERROR_RESPONSE) return this.#bytes.subarray(at, this.#length)
      // The length does not include the code.
      const length = int32At(this.#bytes, at + 1)
      checkLength(length)
      const end = at + 1 + length
      if (end > this.#length) return null
      if (code === COPY_DATA) this.#takeRow(at + MESSAGE_BYTES, end)
      else if (!SKIPPED.has(code ?? 0)) throw lie('something else in the middle of a COPY')
      this.#at = end
    }
  }

  /** Takes a message, "always one per row" (PostgreSQL manual, "COPY Operations") but for those before the first and after the last row. */
  #takeRow(from: number, end: number): void {
    const bytes = this.#bytes
    let at = from
    if (!this.#hasHeader) {
      this.#hasHeader = true
      at += HEADER_BYTES
      if (at === end) return
    }
    if (this.isEnded) throw lie('a row after the end of its rows')
    const fields = ((bytes[at] ?? 0) << 8) | (bytes[at + 1] ?? 0)
    at += 2
    if (fields === END) {
      this.isEnded = true
      return
    }
    if (fields !== this.fields) throw lie(`a row of ${fields} fields, not ${this.fields}`)
    let place = this.count * fields
    for (const last = place + fields; place < last; place++) {
      const length = int32At(bytes, at)
      at += 4
      this.#starts[place] = length === NULL ? NULL : at
      this.#lengths[place] = length
      if (length > 0) at += length
      else if (length < NULL) throw lie(`a field of ${length} bytes`)
    }
    if (at !== end) throw lie(`a message of ${end - from} bytes that is not one row`)
    this.count += 1
  }

  /** Moves the incomplete message to the beginning, and appends the chunk. */
  #take(chunk: Buffer): void {
    const rest = this.#length - this.#at
    const needed = rest + chunk.length
    const before = this.#bytes
    if (before.length < needed) {
      this.#bytes = Buffer.allocUnsafe(2 * needed)
      // A field takes at least four bytes.
      this.#starts = new Int32Array((needed >> 1) + this.fields)
      this.#lengths = new Int32Array(this.#starts.length)
    }
    before.copy(this.#bytes, 0, this.#at, this.#length)
    chunk.copy(this.#bytes, rest)
    this.#at = 0
    this.#length = needed
  }
}

function int32At(bytes: Buffer, at: number): number {
  return ((bytes[at] ?? 0) << 24) | ((bytes[at + 1] ?? 0) << 16) | ((bytes[at + 2] ?? 0) << 8) | (bytes[at + 3] ?? 0)
}
