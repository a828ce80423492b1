// Owns reading COPY's text format into rows of cells, chunk by chunk. Knows nothing of what the rows mean.

const TAB = 9
const NEWLINE = 10
const BACKSLASH = 92
const MINUS = 45
const ZERO = 48
const NINE = 57
/** More digits may be beyond what a number holds exactly. */
const MAX_DIGITS = 15

/**
 * A row whose cells are read out of the chunk's bytes when they are asked for: most are small numbers, of which no
 * string is ever made (a string a cell was half of the builder's garbage: measured, 200 k rows of 39 cells). What it
 * gives out shares nothing with the chunk; the row itself is good until the next batch is asked for.
 */
export class CopyRow {
  readonly #bytes: Buffer
  /** Where each cell of the chunk ends. */
  readonly #ends: Int32Array
  readonly #first: number
  readonly length: number

  constructor(bytes: Buffer, ends: Int32Array, first: number, length: number) {
    this.#bytes = bytes
    this.#ends = ends
    this.#first = first
    this.length = length
  }

  isNull(cell: number): boolean {
    const start = this.#start(cell)
    return this.#end(cell) - start === 2 && this.#bytes[start] === BACKSLASH && this.#bytes[start + 1] === 0x4e
  }

  text(cell: number): string | null {
    if (this.isNull(cell)) return null
    const text = this.#bytes.toString('utf8', this.#start(cell), this.#end(cell))
    return text.includes('\\') ? unescape(text) : text
  }

  /** 0 for NULL. */
  number(cell: number): number {
    const bytes = this.#bytes
    const end = this.#end(cell)
    let at = this.#start(cell)
    const isNegative = bytes[at] === MINUS
    if (isNegative) at += 1
    if (end - at > MAX_DIGITS || at === end) return this.#rareNumber(cell)
    let value = 0
    for (; at < end; at++) {
      const digit = bytes[at] ?? 0
      if (digit < ZERO || digit > NINE) return this.#rareNumber(cell)
      value = value * 10 + digit - ZERO
    }
    return isNegative && value !== 0 ? -value : value
  }

  /** With a fraction, an exponent or more digits; or NULL. */
  #rareNumber(cell: number): number {
    return Number(this.text(cell) ?? 0)
  }

  #start(cell: number): number {
    const place = this.#first + cell
    return place === 0 ? 0 : (this.#ends[place - 1] ?? 0) + 1
  }

  #end(cell: number): number {
    const end = cell >= 0 && cell < this.length ? this.#ends[this.#first + cell] : undefined
    if (end === undefined) throw new RangeError(`no cell ${cell} in a row of ${this.length}`)
    return end
  }
}

/**
 * Splits chunks of `COPY … TO STDOUT` (text format; PostgreSQL manual, COPY, "Text Format": tab between cells, `\N` for
 * NULL, backslash escapes, so a newline byte always ends a row) into batches of rows, one batch a chunk. A batch is read
 * before the next one is asked for: both lie in the same memory.
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
 * The bytes of one batch and where their cells end, in memory that the next batch takes over: buffers of this size are
 * given back by a full collection only, and five times what a chunk holds was allocated for it.
 */
class Batch {
  #bytes: Buffer = Buffer.alloc(0)
  #ends = new Int32Array(0)
  /** Where the bytes begin that are not yet a whole row, and where they end. */
  #restAt = 0
  #length = 0
  /** The cells of these bytes that have ended: which is the first of them, and how many there are with all before. */
  #restCell = 0
  #cells = 0

  get rest(): number {
    return this.#length - this.#restAt
  }

  /** Looks at each byte once, also of a row of many chunks: an idea may have 60,000 categories. */
  next(chunk: Buffer): CopyRow[] {
    const scanFrom = this.rest
    this.#take(chunk)
    const firsts: number[] = [0]
    let cells = this.#cells
    const ends = this.#ends
    const bytes = this.#bytes
    for (let i = scanFrom; i < this.#length; i++) {
      const byte = bytes[i]
      if (byte !== TAB && byte !== NEWLINE) continue
      ends[cells++] = i
      if (byte !== NEWLINE) continue
      firsts.push(cells)
      this.#restAt = i + 1
    }
    this.#cells = cells
    this.#restCell = firsts.at(-1) ?? 0
    return firsts.slice(0, -1).map((first, i) => new CopyRow(bytes, ends, first, (firsts[i + 1] ?? cells) - first))
  }

  /** Moves what is not yet a whole row to the beginning, and puts the chunk behind it. */
  #take(chunk: Buffer): void {
    const rest = this.rest
    const needed = rest + chunk.length
    const bytes = this.#bytes
    if (bytes.length < needed) this.#bytes = Buffer.allocUnsafe(2 * needed)
    if (this.#bytes !== bytes || this.#restAt > 0) bytes.copy(this.#bytes, 0, this.#restAt, this.#length)
    chunk.copy(this.#bytes, rest)
    const ended = this.#cells - this.#restCell
    const ends = this.#ends
    // No more cells end in a chunk than it has bytes.
    if (ends.length < ended + chunk.length) this.#ends = new Int32Array(2 * (ended + chunk.length))
    for (let cell = 0; cell < ended; cell++) this.#ends[cell] = (ends[this.#restCell + cell] ?? 0) - this.#restAt
    this.#restAt = 0
    this.#length = needed
    this.#cells = ended
    this.#restCell = 0
  }
}

const ESCAPES: Readonly<Record<string, string>> = { b: '\b', f: '\f', n: '\n', r: '\r', t: '\t', v: '\v' }

function unescape(cell: string): string {
  return cell.replaceAll(/\\(.)/gs, (_, c: string) => ESCAPES[c] ?? c)
}
