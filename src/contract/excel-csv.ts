// Owns how the text of a CSV (csv-cell.ts has its cells) becomes a table that Excel opens by itself in every country: cells
// end at a tab, because no list separator of a locale is one, and the file is UTF-16LE with a byte order mark, without which
// Excel would not look for tabs. A cell that is a time is written as Excel reads it. Knows no file and no column.

/** As Node and Python name it. */
export const EXCEL_ENCODING = 'utf16le'

export const BYTE_ORDER_MARK = '\uFEFF'

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
    const made = parts.map((part, i) => (isQuotedAt(i) ? part : withTabs(part))).join('"')
    this.#isQuoted = isQuotedAt(last)
    const beginning = this.#begun ? '' : BYTE_ORDER_MARK
    this.#begun = true
    return beginning + made
  }

  /** The rest. */
  end(): string {
    const rest = withTabs(this.#held)
    this.#held = ''
    return rest
  }
}

function withTabs(unquoted: string): string {
  const quoted = unquoted.includes('\t') ? unquoted.replaceAll(WITH_TAB, '"$&"') : unquoted
  return quoted.replaceAll(TIME, excelTime).replaceAll(',', '\t')
}

/** A title may look like a time and be none, such as one of a 30 February. Only then a Date is needed, which takes long. */
function excelTime(text: string, date: string, day: string, time: string): string {
  return day <= SAFE_DAY || new Date(text).getUTCDate() === Number(day) ? `${date} ${time}` : text
}
