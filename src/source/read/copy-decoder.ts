// Owns reading COPY's text format into rows of fields, chunk by chunk. Knows nothing of what the rows mean.

const TAB = 9
const NEWLINE = 10
const BACKSLASH = 92
const MINUS = 45
const ZERO = 48
const NINE = 57
/** `\x` of bytea, whose backslash COPY doubles. */
const HEX_PREFIX = 3
const NONE: readonly number[] = []
/** More digits may be beyond what a number holds exactly. */
const MAX_DIGITS = 15

/**
 * A row whose fields are decoded from the chunk's bytes on demand: most are small numbers, of which no
 * string is ever made (one string per field would be half of the builder's garbage). The values that it
 * returns share no memory with the chunk; the row itself is good until the next batch is asked for.
 */
export class CopyRow {
  readonly #bytes: Buffer
  /** Where each field of the chunk ends. */
  readonly #ends: Int32Array
  readonly #first: number
  readonly length: number

  constructor(bytes: Buffer, ends: Int32Array, first: number, length: number) {
    this.#bytes = bytes
    this.#ends = ends
    this.#first = first
    this.length = length
  }

  isNull(field: number): boolean {
    const start = this.#start(field)
    return this.#end(field) - start === 2 && this.#bytes[start] === BACKSLASH && this.#bytes[start + 1] === 0x4e
  }

  text(field: number): string | null {
    if (this.isNull(field)) return null
    const text = this.#bytes.toString('utf8', this.#start(field), this.#end(field))
    return text.includes('\\') ? unescape(text) : text
  }

  /** 0 for NULL. */
  number(field: number): number {
    const bytes = this.#bytes
    const end = this.#end(field)
    let at = this.#start(field)
    const isNegative = bytes[at] === MINUS
    if (isNegative) at += 1
    if (end - at > MAX_DIGITS || at === end) return this.#rareNumber(field)
    let value = 0
    for (; at < end; at++) {
      const digit = bytes[at] ?? 0
      if (digit < ZERO || digit > NINE) return this.#rareNumber(field)
      value = value * 10 + digit - ZERO
    }
    return isNegative && value !== 0 ? -value : value
  }

  /**
   * The 16-bit numbers (int2send, big-endian), each less 2^15, of a bytea in its hex form, four digits each; none for NULL.
   * A plain array: typed ones, also parts of a common one, survive until a full garbage collection, and take 70 MiB.
   */
  numbers16(field: number): readonly number[] {
    if (this.isNull(field)) return NONE
    const bytes = this.#bytes
    const end = this.#end(field)
    let at = this.#start(field) + HEX_PREFIX
    // oxlint-disable-next-line unicorn/no-new-array -- pushing would copy each array several times
    const numbers = new Array<number>((end - at) >> 2)
    for (let i = 0; at < end; i++, at += 4)
      numbers[i] =
        ((hexDigit(bytes[at]) << 12) |
          (hexDigit(bytes[at + 1]) << 8) |
          (hexDigit(bytes[at + 2]) << 4) |
          hexDigit(bytes[at + 3])) ^
        0x8000
    return numbers
  }

  /** With a fraction, an exponent or more digits; or NULL. */
  #rareNumber(field: number): number {
    return Number(this.text(field) ?? 0)
  }

  #start(field: number): number {
    const place = this.#first + field
    return place === 0 ? 0 : (this.#ends[place - 1] ?? 0) + 1
  }

  #end(field: number): number {
    const end = field >= 0 && field < this.length ? this.#ends[this.#first + field] : undefined
    if (end === undefined) throw new RangeError(`no field ${field} in a row of ${this.length}`)
    return end
  }
}

/**
 * Splits chunks of `COPY … TO STDOUT` (text format; PostgreSQL manual, COPY, "Text Format": tab between fields, `\N` for
 * NULL, backslash escapes, so a newline byte always ends a row) into batches of rows, one batch a chunk. A batch must
 * be read before the next one is requested: both use the same memory.
 */
export async function* copyRows(chunks: AsyncIterable<Buffer>): AsyncGenerator<CopyRow[]> {
  const batch = new Batch()
  for await (const chunk of chunks) {
    const rows = batch.next(chunk)
    if (rows.length > 0) yield rows
  }
  if (batch.rest > 0) throw new Error('the server ended a COPY in the middle of a row')
}

/**
 * The bytes of one batch and where their fields end, in memory that the next batch reuses: buffers of this size would be
 * freed by a full garbage collection only.
 */
class Batch {
  #bytes: Buffer = Buffer.alloc(0)
  #ends = new Int32Array(0)
  /** Where the bytes of an incomplete row begin, and where they end. */
  #restAt = 0
  #length = 0
  /** The fields of these bytes that have ended: which is the first of them, and how many there are with all before. */
  #restField = 0
  #fields = 0

  get rest(): number {
    return this.#length - this.#restAt
  }

  /** Reads each byte once, also in a row of many chunks: an idea may have 60,000 categories. */
  next(chunk: Buffer): CopyRow[] {
    const scanFrom = this.rest
    this.#take(chunk)
    const firsts: number[] = [0]
    let fields = this.#fields
    const ends = this.#ends
    const bytes = this.#bytes
    for (let i = scanFrom; i < this.#length; i++) {
      const byte = bytes[i]
      if (byte !== TAB && byte !== NEWLINE) continue
      ends[fields++] = i
      if (byte !== NEWLINE) continue
      firsts.push(fields)
      this.#restAt = i + 1
    }
    this.#fields = fields
    this.#restField = firsts.at(-1) ?? 0
    return firsts.slice(0, -1).map((first, i) => new CopyRow(bytes, ends, first, (firsts[i + 1] ?? fields) - first))
  }

  /** Moves the incomplete row to the beginning, and appends the chunk. */
  #take(chunk: Buffer): void {
    const rest = this.rest
    const needed = rest + chunk.length
    const bytes = this.#bytes
    if (bytes.length < needed) this.#bytes = Buffer.allocUnsafe(2 * needed)
    if (this.#bytes !== bytes || this.#restAt > 0) bytes.copy(this.#bytes, 0, this.#restAt, this.#length)
    chunk.copy(this.#bytes, rest)
    const ended = this.#fields - this.#restField
    const ends = this.#ends
    // No more fields end in a chunk than it has bytes.
    if (ends.length < ended + chunk.length) this.#ends = new Int32Array(2 * (ended + chunk.length))
    for (let field = 0; field < ended; field++) this.#ends[field] = (ends[this.#restField + field] ?? 0) - this.#restAt
    this.#restAt = 0
    this.#length = needed
    this.#fields = ended
    this.#restField = 0
  }
}

/** The value of `0` to `9` and `a` to `f`. */
function hexDigit(byte = ZERO): number {
  return byte <= NINE ? byte - ZERO : byte - 87
}

const ESCAPES: Readonly<Record<string, string>> = { b: '\b', f: '\f', n: '\n', r: '\r', t: '\t', v: '\v' }

function unescape(field: string): string {
  return field.replaceAll(/\\(.)/gs, (_, c: string) => ESCAPES[c] ?? c)
}
