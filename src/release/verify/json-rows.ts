// Owns reading a document of a release that comes in pieces: the rows of its list in batches, and the rest as one object.
// Knows no file and no column.
import { isUtf8 } from 'node:buffer'
import { createHash } from 'node:crypto'
import { aroundList, contentHash } from '../../contract/document-text.ts'

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
  const parts = partsOf(next, first)
  try {
    const found = await parts.next()
    if (found.done === true) {
      const document = writtenObjectOf(textOf(found.value))
      return { document, contentHash: contentHash(document), rows: null }
    }
    const head = textOf(found.value)
    const hash = createHash('sha256').update(aroundList(objectOf(`${head}]}`), LIST).hashed.before)
    let rows = 0
    let part = await parts.next()
    for (; part.done !== true; part = await parts.next()) {
      const batch = rowsOf(JSON.parse(`[${textOf(part.value)}]`))
      // An empty batch means that the list begins with a comma.
      if (batch.length === 0) throw new NoDocument('its list begins with a comma')
      hash.update(part.value).update(',')
      rows += batch.length
      take(batch)
    }
    const last = part.value
    const document = writtenObjectOf(head + textOf(last))
    const batch = rowsOf(document[LIST])
    // After the list comes little, and no string there contains this text.
    hash.update(last.subarray(0, Math.max(0, last.lastIndexOf('],"')))).update(aroundList(document, LIST).hashed.after)
    rows += batch.length
    take(batch)
    return { document, contentHash: hash.digest('hex'), rows }
  } catch (error) {
    if (error instanceof NoDocument) return error.message
    if (error instanceof SyntaxError) return `it is not JSON: ${error.message}`
    // No stack is large enough for lists in lists in lists.
    if (error instanceof RangeError) return `it is too large or too deep: ${error.message}`
    throw error
  }
}

class NoDocument extends Error {}

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

/**
 * The text up to where the list begins, and then its rows in parts: each ends before the comma that the last mark begins with, which is
 * left out.
 * @returns what is left; that is all where the list does not begin among the first bytes
 */
async function* partsOf(next: () => Promise<Buffer | null>, first: string | null): AsyncGenerator<Buffer, Buffer> {
  const [begin, mark] = [`"${LIST}":[`, `,{${JSON.stringify(first)}:`]
  /** What was read and not yet handed on. */
  let pieces: Buffer[] = []
  let bytes = 0
  const more = async (): Promise<Buffer | null> => {
    const piece = await next()
    if (piece === null) return null
    pieces.push(piece)
    bytes += piece.length
    if (bytes <= MAX_PART_BYTES) return piece
    throw new NoDocument(`${MAX_PART_BYTES >> 20} MiB of it are one row, or no row of a document`)
  }
  let at = -1
  while (at < 0) {
    const piece = await more()
    if (piece === null) return Buffer.concat(pieces)
    if (first !== null && bytes - piece.length < MAX_HEAD_BYTES)
      at = Buffer.concat(pieces).subarray(0, MAX_HEAD_BYTES).indexOf(begin)
  }
  let [end, from] = [at + begin.length, at + begin.length]
  for (;;) {
    const all = Buffer.concat(pieces)
    yield all.subarray(0, end)
    let window = all.subarray(from)
    ;[pieces, bytes, at] = [[window], window.length, window.lastIndexOf(mark)]
    while (at < 0) {
      const piece = await more()
      if (piece === null) return Buffer.concat(pieces)
      // A mark may begin in what was searched; that is not searched again.
      window = Buffer.concat([window.subarray(1 - mark.length), piece])
      at = window.lastIndexOf(mark)
    }
    end = bytes - window.length + at
    from = end + 1
  }
}
