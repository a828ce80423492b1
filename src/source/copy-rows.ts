// Owns reading COPY's text format into rows of cells, chunk by chunk. Knows nothing of what the rows mean.

export type CopyRow = readonly (string | null)[]

const NEWLINE = 10

/**
 * Splits chunks of `COPY … TO STDOUT` (text format; PostgreSQL manual, COPY, "Text Format": tab between cells, `\N` for
 * NULL, backslash escapes, so a newline byte always ends a row) into batches of rows, one batch a chunk.
 */
export async function* copyRows(chunks: AsyncIterable<Buffer>): AsyncGenerator<CopyRow[]> {
  let rest: Buffer | null = null
  for await (const chunk of chunks) {
    const bytes: Buffer = rest === null ? chunk : Buffer.concat([rest, chunk])
    const end = bytes.lastIndexOf(NEWLINE) + 1
    rest = end === bytes.length ? null : bytes.subarray(end)
    if (end > 0)
      yield bytes
        .toString('utf8', 0, end - 1)
        .split('\n')
        .map(readRow)
  }
  if (rest !== null) throw new Error('the server ended a COPY in the middle of a row')
}

function readRow(line: string): CopyRow {
  // Most rows hold no backslash but NULL's: unescape only the cells that do.
  return line.split('\t').map((cell) => (cell.includes('\\') ? unescape(cell) : cell))
}

const ESCAPES: Readonly<Record<string, string>> = { b: '\b', f: '\f', n: '\n', r: '\r', t: '\t', v: '\v' }

function unescape(cell: string): string | null {
  return cell === '\\N' ? null : cell.replaceAll(/\\(.)/gs, (_, c: string) => ESCAPES[c] ?? c)
}
