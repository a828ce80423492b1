// Owns the form of a workbook (.xlsx; ECMA-376 part 1, SpreadsheetML): how rows become the text of a sheet, and the parts that a
// workbook has beside its sheets. Rows in, XML out; knows neither files nor archives.
import type { Column } from '../../contract/columns.ts'
import type { Cell, ExportRow } from '../../contract/kinds/tables.ts'
import type { TimeZone } from '../../contract/time-zone.ts'
import { DAY_MS } from '../../contract/timestamp.ts'

/** A sheet has 1,048,576 rows, one of which is the header (Excel specifications and limits). */
export const MAX_SHEET_ROWS = 1_048_575
/** In UTF-16 units (Excel specifications and limits). */
const MAX_CELL_LENGTH = 32_767

/** Their places among the `cellXfs` of `xl/styles.xml`. */
const STYLE = { text: 1, date: 2, time: 3, header: 4 } as const

/** Excel counts a 29 February 1900 that was not: only after it do programs agree which day a number is. */
const FIRST_MS = Date.UTC(1900, 2, 1)
const END_MS = Date.UTC(10_000, 0, 1)
/** Day 0, counted backwards from days that all programs agree on. */
const EPOCH_MS = Date.UTC(1899, 11, 30)
const SECOND_MS = 1000

const PROLOG = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n'
const MAIN = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main'
const RELATIONS = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships'
const PACKAGE = 'http://schemas.openxmlformats.org/package/2006'

/** What a sheet must know of a column. */
export type SheetColumn = Pick<Column, 'name' | 'type'>

/** What XML 1.0 forbids (section 2.2), lone halves of surrogate pairs among it. */
// oxlint-disable-next-line no-control-regex
const FORBIDDEN = /[\u0000-\u0008\u000B\u000C\u000E-\u001F\uFFFE\uFFFF\p{Surrogate}]/gu
/** What would be read as one character (ECMA-376 part 1, 22.9.2.19, ST_Xstring). */
const ESCAPE_LIKE = /_(?=x[0-9A-Fa-f]{4}[_\r])/g
/** A carriage return would be read as a line feed (XML 1.0, section 2.11). */
const ESCAPED: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '\r': '_x000D_' }
/** Most texts have none of these, and then nothing else is looked for. */
// oxlint-disable-next-line no-control-regex
const NOTED = /[&<>_\r\u0000-\u0008\u000B\u000C\u000E-\u001F\uD800-\uDFFF\uFFFE\uFFFF]/

function xmlText(text: string): string {
  // A pair of surrogates that the end would split is left out.
  const cut = text.length <= MAX_CELL_LENGTH ? text : text.slice(0, MAX_CELL_LENGTH).replace(/[\uD800-\uDBFF]$/, '')
  if (!NOTED.test(cut)) return cut
  return cut
    .replaceAll(FORBIDDEN, '\uFFFD')
    .replaceAll(ESCAPE_LIKE, '_x005F_')
    .replaceAll(/[&<>\r]/g, (one) => ESCAPED[one] ?? one)
}

/** In the sheet itself, and never a formula, whatever it begins with. */
function textCell(at: string, style: number, text: string): string {
  if (text === '') return ''
  return `<c r="${at}" s="${style}" t="inlineStr"><is><t xml:space="preserve">${xmlText(text)}</t></is></c>`
}

const DAY = /^\d{4}-\d\d-\d\d$/
/** Without a zone, Date.parse would take that of the machine. */
const INSTANT = /T[\d:.]+(?:Z|[+-]\d\d:\d\d)$/

/** A day, or what clocks of the zone show at an instant, to the second; text where programs do not agree on a number. */
function timeCell(at: string, text: string, zone: TimeZone): string {
  const isDay = DAY.test(text)
  const givenMs = isDay || INSTANT.test(text) ? Date.parse(text) : Number.NaN
  const ms = isDay || Number.isNaN(givenMs) ? givenMs : zone.clockAt(givenMs)
  if (!(ms >= FIRST_MS && ms < END_MS)) return textCell(at, STYLE.text, text)
  const shownMs = Math.floor(ms / SECOND_MS) * SECOND_MS
  return `<c r="${at}" s="${isDay ? STYLE.date : STYLE.time}"><v>${(shownMs - EPOCH_MS) / DAY_MS}</v></c>`
}

/** `A` for 0, `AA` for 26. */
function letters(column: number): string {
  const last = String.fromCodePoint(65 + (column % 26))
  return column < 26 ? last : letters(Math.floor(column / 26) - 1) + last
}

/** The text of one sheet, a piece after the other. */
export class SheetText {
  /** How many rows it has by now, the header aside. */
  rows = 0
  readonly #columns: readonly (SheetColumn & { readonly letters: string })[]
  readonly #zone: TimeZone

  constructor(columns: readonly SheetColumn[], zone: TimeZone) {
    this.#columns = columns.map(({ name, type }, i) => ({ name, type, letters: letters(i) }))
    this.#zone = zone
  }

  /** All before the first row: the names of the columns, which stay in sight; that of times says of which zone they are. */
  head(): string {
    const names = this.#columns.map(({ name, type, letters: at }) =>
      textCell(`${at}1`, STYLE.header, type === 'datetime' ? `${name} (${this.#zone.name})` : name),
    )
    const view =
      '<sheetView workbookViewId="0"><pane ySplit="1" topLeftCell="A2" activePane="bottomLeft" state="frozen"/></sheetView>'
    // In characters: a time with its seconds has room.
    const widths = `<col min="1" max="${names.length}" width="20"/>`
    return `${PROLOG}<worksheet xmlns="${MAIN}"><sheetViews>${view}</sheetViews><cols>${widths}</cols><sheetData><row r="1">${names.join('')}</row>`
  }

  /** The next rows, as many of them as the sheet has room for. */
  add(rows: readonly ExportRow[]): string {
    let text = ''
    for (const row of rows.slice(0, MAX_SHEET_ROWS - this.rows)) {
      text += this.#row(row)
      this.rows += 1
    }
    return text
  }

  #row(cells: ExportRow): string {
    const row = this.rows + 2
    let text = `<row r="${row}">`
    for (const { name, type, letters: at } of this.#columns) text += this.#cell(`${at}${row}`, type, cells[name])
    return `${text}</row>`
  }

  #cell(at: string, type: Column['type'], cell: Cell | undefined): string {
    if (cell === null || cell === undefined) return ''
    if (typeof cell === 'number') return `<c r="${at}"><v>${cell}</v></c>`
    if (typeof cell === 'boolean') return `<c r="${at}" t="b"><v>${Number(cell)}</v></c>`
    return type === 'datetime' || type === 'date' ? timeCell(at, cell, this.#zone) : textCell(at, STYLE.text, cell)
  }
}

/** All after the last row. */
export const SHEET_TAIL = '</sheetData></worksheet>'

export const sheetPath = (i: number): string => `xl/worksheets/sheet${i + 1}.xml`

/** What a workbook has beside its sheets. @param sheets their names, in their order: letters, digits and `-` */
export function workbookParts(sheets: readonly string[]): readonly Readonly<Record<'name' | 'text', string>>[] {
  const type = (path: string, of: string): string =>
    `<Override PartName="/${path}" ContentType="application/vnd.openxmlformats-officedocument.spreadsheetml.${of}+xml"/>`
  const types = [
    '<Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>',
    type('xl/workbook.xml', 'sheet.main'),
    type('xl/styles.xml', 'styles'),
    ...sheets.map((_, i) => type(sheetPath(i), 'worksheet')),
  ]
  const relations = (targets: readonly (readonly [of: string, target: string])[]): string =>
    `${PROLOG}<Relationships xmlns="${PACKAGE}/relationships">${targets
      .map(([of, target], i) => `<Relationship Id="rId${i + 1}" Type="${RELATIONS}/${of}" Target="${target}"/>`)
      .join('')}</Relationships>`
  const listed = sheets.map((name, i) => `<sheet name="${name}" sheetId="${i + 1}" r:id="rId${i + 1}"/>`)
  const targets = sheets.map((_, i) => ['worksheet', sheetPath(i).slice('xl/'.length)] as const)
  return [
    { name: '[Content_Types].xml', text: `${PROLOG}<Types xmlns="${PACKAGE}/content-types">${types.join('')}</Types>` },
    { name: '_rels/.rels', text: relations([['officeDocument', 'xl/workbook.xml']]) },
    { name: 'xl/_rels/workbook.xml.rels', text: relations([...targets, ['styles', 'styles.xml']]) },
    { name: 'xl/styles.xml', text: STYLES },
    {
      name: 'xl/workbook.xml',
      text: `${PROLOG}<workbook xmlns="${MAIN}" xmlns:r="${RELATIONS}"><sheets>${listed.join('')}</sheets></workbook>`,
    },
  ]
}

/** The formats of numbers of `cellXfs`: none, text, a date, a time to the second, and text again for the header, which alone is bold. */
const CELL_FORMATS = [0, 49, 164, 165, 49]

const STYLES = `${PROLOG}<styleSheet xmlns="${MAIN}">
<numFmts count="2"><numFmt numFmtId="164" formatCode="yyyy\\-mm\\-dd"/><numFmt numFmtId="165" formatCode="yyyy\\-mm\\-dd\\ hh:mm:ss"/></numFmts>
<fonts count="2"><font><sz val="11"/><name val="Calibri"/></font><font><b/><sz val="11"/><name val="Calibri"/></font></fonts>
<fills count="2"><fill><patternFill patternType="none"/></fill><fill><patternFill patternType="gray125"/></fill></fills>
<borders count="1"><border><left/><right/><top/><bottom/><diagonal/></border></borders>
<cellStyleXfs count="1"><xf numFmtId="0" fontId="0" fillId="0" borderId="0"/></cellStyleXfs>
<cellXfs count="${CELL_FORMATS.length}">${CELL_FORMATS.map((format, i) => `<xf numFmtId="${format}" fontId="${Number(i === STYLE.header)}" fillId="0" borderId="0" xfId="0" applyNumberFormat="1" applyFont="1"/>`).join('')}</cellXfs>
<cellStyles count="1"><cellStyle name="Normal" xfId="0" builtinId="0"/></cellStyles>
</styleSheet>`
