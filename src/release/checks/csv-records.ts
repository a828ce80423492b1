// Owns reading CSV as docs/api.md describes it (RFC 4180, CRLF): how many records a text has, and the records of a file that comes
// in pieces. Knows no columns.
import { parse } from 'csv-parse'

const QUOTE = 0x22
const CR = 0x0d
const LF = 0x0a

/**
 * How many records end in a text of whole records. A record ends at a CRLF outside quotes; an escaped quote is two, so
 * that after an odd number of quotes a line break belongs to a field. Every row of a build passes here. Unit by unit:
 * with indexOf the optimizer hoists the search for the next quote out of its condition, and where there is none each
 * line then costs a search to the end of the text.
 */
export function countRecords(text: string): number {
  let records = 0
  let inside = false
  for (let at = 0; at < text.length; at += 1) {
    const unit = text.charCodeAt(at)
    if (unit === QUOTE) inside = !inside
    else if (unit === CR && !inside && text.charCodeAt(at + 1) === LF) records += 1
  }
  return records
}

/** No record is longer: an unclosed quote must not collect the rest of a file in memory. */
const MAX_RECORD_BYTES = 1 << 26

/**
 * The fields of each record, in batches.
 * @param next the next piece of the file, in UTF-8; null = its end
 * @param delimiter what ends a cell
 * @returns a sentence that says why the rest is not CSV; null = all of it is
 */
export async function* readCsv(
  next: () => Promise<Buffer | null>,
  delimiter: ',' | '\t' = ',',
): AsyncGenerator<readonly (readonly string[])[], string | null> {
  const parser = parse({
    delimiter,
    record_delimiter: '\r\n',
    relax_column_count: true,
    max_record_size: MAX_RECORD_BYTES,
  })
  // Without a listener an error would end the process; it is read from `errored`.
  parser.on('error', () => {})
  for (let piece = await next(); piece !== null; piece = await next()) {
    // The parser works inside write(): its records are there when that returns.
    parser.write(piece)
    const records: string[][] = []
    for (let record = read(parser); record !== null; record = read(parser)) records.push(record)
    if (records.length > 0) yield records
    if (parser.errored != null) return notCsv(parser.errored)
  }
  parser.end()
  try {
    for await (const record of parser) yield [record as string[]]
    return null
  } catch (error) {
    return notCsv(error as Error)
  }
}

function notCsv({ message }: Error): string {
  return `it is not CSV: ${message}`
}

function read(parser: { read(): unknown }): string[] | null {
  return parser.read() as string[] | null
}
