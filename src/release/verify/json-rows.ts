// Owns reading a document of a release that comes in pieces: the rows of its list in batches, and the rest as one object.
// Knows no file and no column.
import { isUtf8 } from 'node:buffer'
import { createHash } from 'node:crypto'
import { contentHash, hashedAround } from '../../contract/document-text.ts'

export type ParsedDocument = Readonly<Record<string, unknown>>

export interface ReadDocument {
  /** All keys; of the list only the rows of the last batch. */
  readonly document: ParsedDocument
  readonly contentHash: string
  /** null = it has no list. */
  readonly rows: number | null
}

/** A document without a list, or one row, must fit into a string. */
const MAX_PART_BYTES = 1 << 26
/** Before the list are a few short keys. */
const MAX_HEAD_BYTES = 1 << 16
/** The key of the list. */
const LIST = 'data'

/**
 * Hands on the rows in batches. The text is cut where a row begins: at `,{"id":`, which valid JSON has nowhere inside a string
 * (there a quote has a backslash before it) nor at the end of one (after it comes no name). JSON.parse checks
 * each part as a list, and the last one in its document, at 180 MB/s; a tokenizer in JavaScript reads 50.
 * @param next the next piece of the file; null = its end
 * @param first the key that every row begins with; null = the document is read whole
 * @returns the document, or a sentence that says why it is none
 */
export async function jsonRows(
  next: () => Promise<Buffer | null>,
  first: string | null,
  take: (rows: readonly ParsedDocument[]) => void,
): Promise<ReadDocument | string> {
  const text = new PendingText(next)
  try {
    const found = first === null ? null : await text.upToFirst(`"${LIST}":[`, MAX_HEAD_BYTES)
    if (found === null) return whole(await text.toEnd())
    const head = textOf(found)
    const hash = createHash('sha256').update(hashedAround(objectOf(`${head}]}`), LIST).before)
    let rows = 0
    const mark = `,{${JSON.stringify(first)}:`
    for (let part = await text.upToLast(mark); part !== null; part = await text.upToLast(mark)) {
      const batch = rowsOf(JSON.parse(`[${textOf(part)}]`))
      // An empty batch means that the list begins with a comma.
      if (batch.length === 0) throw new NoDocument('its list begins with a comma')
      hash.update(part).update(',')
      rows += batch.length
      take(batch)
    }
    const last = await text.toEnd()
    const document = writtenObjectOf(head + textOf(last))
    const batch = rowsOf(document[LIST])
    // After the list comes little, and no string there contains this text.
    hash.update(last.subarray(0, Math.max(0, last.lastIndexOf('],"')))).update(hashedAround(document, LIST).after)
    rows += batch.length
    take(batch)
    return { document, contentHash: hash.digest('hex'), rows }
  } catch (error) {
    if (error instanceof NoDocument) return error.message
    if (error instanceof SyntaxError) return `it is not JSON: ${error.message}`
    throw error
  }
}

class NoDocument extends Error {}

function whole(text: Buffer): ReadDocument {
  const document = writtenObjectOf(textOf(text))
  return { document, contentHash: contentHash(document), rows: null }
}

function objectOf(text: string): ParsedDocument {
  const value = JSON.parse(text) as ParsedDocument | null
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value
  throw new NoDocument('it is not an object')
}

/** Where a key comes twice, JSON.parse takes the last one and other readers may take the first: such a document is none. */
function writtenObjectOf(text: string): ParsedDocument {
  const document = objectOf(text)
  if (JSON.stringify(document) === text) return document
  throw new NoDocument('it is not written as JSON.stringify writes it: a key comes twice, or there are blanks')
}

/** Decoding would replace bytes that are no UTF-8. */
function textOf(part: Buffer): string {
  if (isUtf8(part)) return part.toString('utf8')
  throw new NoDocument('it is not UTF-8')
}

function rowsOf(value: unknown): readonly ParsedDocument[] {
  if (Array.isArray(value) && value.every(isRow)) return value
  throw new NoDocument(
    `its rows are not objects of at most ${MAX_COLUMNS} texts, numbers, booleans and nulls in a list`,
  )
}

/** More than any table has. Each row is looked at in all columns of the first one. */
const MAX_COLUMNS = 64

/** Whoever serves a cell that is an object may have made it so that no text can be made of it. */
function isRow(value: unknown): boolean {
  const isObject = (one: unknown): one is object => typeof one === 'object' && one !== null
  if (!isObject(value)) return false
  const cells = Object.values(value)
  return cells.length <= MAX_COLUMNS && !cells.some(isObject)
}

/** What was read and not yet taken. */
class PendingText {
  readonly #next: () => Promise<Buffer | null>
  #pieces: Buffer[] = []
  #bytes = 0

  constructor(next: () => Promise<Buffer | null>) {
    this.#next = next
  }

  /** Up to the end of a mark; null = it is not among the first bytes. */
  async upToFirst(mark: string, maxBytes: number): Promise<Buffer | null> {
    for (;;) {
      const all = this.#all()
      const at = all.subarray(0, maxBytes).indexOf(mark)
      if (at >= 0) return this.#take(all, at + mark.length, at + mark.length)
      if (all.length >= maxBytes || (await this.#more()) === null) return null
    }
  }

  /** Up to the comma that the last mark begins with, which is left out; null = no mark is left. */
  async upToLast(mark: string): Promise<Buffer | null> {
    for (let window = this.#all(); ;) {
      const at = window.lastIndexOf(mark)
      if (at >= 0) {
        const all = this.#all()
        const end = all.length - window.length + at
        return this.#take(all, end, end + 1)
      }
      const piece = await this.#more()
      if (piece === null) return null
      // A mark may begin in what was searched; that is not searched again.
      window = Buffer.concat([window.subarray(-(mark.length - 1)), piece])
    }
  }

  async toEnd(): Promise<Buffer> {
    while ((await this.#more()) !== null);
    return this.#all()
  }

  #all(): Buffer {
    const all = this.#pieces.length === 1 ? this.#pieces[0] : undefined
    return all ?? Buffer.concat(this.#pieces)
  }

  #take(all: Buffer, end: number, from: number): Buffer {
    this.#pieces = [all.subarray(from)]
    this.#bytes = all.length - from
    return all.subarray(0, end)
  }

  async #more(): Promise<Buffer | null> {
    const piece = await this.#next()
    if (piece === null) return null
    this.#pieces.push(piece)
    this.#bytes += piece.length
    if (this.#bytes <= MAX_PART_BYTES) return piece
    throw new NoDocument(`${MAX_PART_BYTES >> 20} MiB of it are one row, or no row of a document`)
  }
}
