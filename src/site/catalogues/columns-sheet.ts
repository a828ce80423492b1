// Owns the sheet of tables.xlsx that says what the data is and what the columns of all tables mean, in the first language of the
// site. Rows only; knows no XML.
import { columnsOf, type Column } from '../../contract/columns.ts'
import { EXPORT_TYPES, type ExportRow, type ExportType } from '../../contract/kinds/tables.ts'
import { IDEAS_WORKBOOK, TABLES_WORKBOOK } from '../../contract/snapshot-paths.ts'
import { tableTitle } from '../page/drawing.ts'
import type { DescribedSite } from '../page/input.ts'
import { speechOf, type Speech } from '../page/speech.ts'
import { meaningIn } from '../words/dictionary/en.ts'
import { aboutData } from './bulk-readme.ts'

/** @param sheets the tables that have a sheet of their own: all but that of ideas, and those that are too large for one */
export function columnsSheet(described: DescribedSite, sheets: readonly string[]) {
  const t = speechOf(described.languages[0] ?? 'en', described.timeZone)
  const { w, dictionary: d, say } = t
  const header = [w.downloads.table, d.column, d.meaning]
  const rowOf = (...cells: readonly (string | null)[]): ExportRow =>
    Object.fromEntries(header.map((name, i) => [name, cells[i] ?? null]))
  // In the dictionary, code is between these signs.
  const plain = (text: string): string => text.replaceAll('`', '')
  const about = [...aboutData(described, TABLES_WORKBOOK).flat(), plain(say(d.workbooks))]
  const whereIs = (type: ExportType): string =>
    type === 'ideas' ? ` (${IDEAS_WORKBOOK})` : sheets.includes(type) ? '' : ` ${d.noSheet}`
  const rows = EXPORT_TYPES.flatMap((type) => [
    rowOf(type, null, `${tableTitle(t, type)}: ${d.rows[type]}${whereIs(type)}`),
    ...columnsOf(type).map((column) =>
      rowOf(type, column.name, plain(Object.values(meaningOf(t, type, column)).join(' '))),
    ),
  ])
  return {
    columns: header.map((name) => ({ name, type: 'string' as const })),
    rows: [...about.map((text) => rowOf(null, null, text)), ...rows],
  }
}

/** What a column means, and why a cell of it may be empty. */
export function meaningOf({ dictionary: d, say }: Speech, type: ExportType, column: Column) {
  const { name, unit, values, empty } = column
  const oneOf = values === undefined ? '' : ` ${say(d.oneOf, { list: values.join(', ') })}`
  const meaning = `${meaningIn(d, type, name)}${unit === 'percent' ? ' (%)' : ''}${oneOf}`
  return { meaning, ...(empty === undefined ? {} : { empty: say(d.empty, { why: d.reasons[empty] }) }) }
}
