// Owns how the text of a CSV (csv-text.ts) becomes a table that Excel opens by itself in every country: cells end at a tab,
// because no list separator of a locale is one, and the file is UTF-16LE with a byte order mark, without which Excel would not
// look for tabs. A time is written as Excel reads it, in the columns of times only: a title may look like one. Knows no file.

/** As Node and Python name it. */
export const EXCEL_ENCODING = 'utf16le'

const BYTE_ORDER_MARK = '\uFEFF'

/** Of text outside quotes: a cell that would end at its own tab. */
const WITH_TAB = /[^,\r\n]*\t[^,\r\n]*/g

/** A whole cell outside quotes; Excel knows no year before 1900, and takes the T and the Z for text. */
const TIME =
  /(?<=^|[,\n])((?:19|[2-9]\d)\d\d-(?:0[1-9]|1[0-2])-(0[1-9]|[12]\d|3[01]))T((?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d)\.\d{3}Z(?=[,\r]|$)/g

/** The last day that every month has. */
const SAFE_DAY = '28'

/** The text of a CSV comes in pieces, cut anywhere. */
export class ExcelCsv {
  #begun = false
  #isQuoted = false
  /** The beginning of an unquoted cell that may go on. */
  #held = ''
  /** Of the cell in which the next part begins. */
  #column = 0
  readonly #timeColumns: ReadonlySet<number>

  /** @param timeColumns from 0 */
  constructor(timeColumns: ReadonlySet<number>) {
    this.#timeColumns = timeColumns
  }

  /** What can be written by now. */
  add(csv: string): string {
    const text = this.#held + csv
    // Every second part is inside quotes; two quotes for one only leave them and enter them again.
    const parts = text.split('"')
    const last = parts.length - 1
    const isQuotedAt = (i: number): boolean => (i % 2 === 1) !== this.#isQuoted
    this.#held = ''
    if (!isQuotedAt(last)) {
      const end = parts[last] ?? ''
      const whole = Math.max(end.lastIndexOf(','), end.lastIndexOf('\n')) + 1
      this.#held = end.slice(whole)
      parts[last] = end.slice(0, whole)
    }
    const made = parts.map((part, i) => (isQuotedAt(i) ? part : this.#unquoted(part))).join('"')
    this.#isQuoted = isQuotedAt(last)
    const beginning = this.#begun ? '' : BYTE_ORDER_MARK
    this.#begun = true
    return beginning + made
  }

  /** The rest. */
  end(): string {
    const rest = this.#unquoted(this.#held)
    this.#held = ''
    return rest
  }

  #unquoted(part: string): string {
    const column = this.#column
    this.#column = columnAt(part, part.length, column)
    const timed = part.replaceAll(TIME, (text: string, date: string, day: string, time: string, at: number) =>
      this.#timeColumns.has(columnAt(part, at, column)) ? excelTime(text, date, day, time) : text,
    )
    const quoted = timed.includes('\t') ? timed.replaceAll(WITH_TAB, '"$&"') : timed
    return quoted.replaceAll(',', '\t')
  }
}

/** @param column of the cell in which the text begins */
function columnAt(text: string, at: number, column: number): number {
  const row = text.lastIndexOf('\n', at - 1) + 1
  let found = row === 0 ? column : 0
  for (let i = text.indexOf(',', row); i !== -1 && i < at; i = text.indexOf(',', i + 1)) found += 1
  return found
}

/** What looks like a time may be none, such as one of a 30 February. Only then a Date is needed, which takes long. */
function excelTime(text: string, date: string, day: string, time: string): string {
  return day <= SAFE_DAY || new Date(text).getUTCDate() === Number(day) ? `${date} ${time}` : text
}
