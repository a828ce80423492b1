// Owns reading a workbook of a release as the tests of it do: its cells as they are written, by the names of its sheets.
import { entriesOf } from '../release/verify/forger.ts'

const ENTITIES: Readonly<Record<string, string>> = { '&lt;': '<', '&gt;': '>', '&amp;': '&' }

/** The rows of each sheet with their header; a cell that is not there is ''. */
export function sheetsIn(workbook: Buffer): ReadonlyMap<string, readonly (readonly string[])[]> {
  const texts = new Map(entriesOf(workbook).map(({ name, content }) => [name, content.toString()]))
  const listed = texts.get('xl/workbook.xml')!.matchAll(/<sheet name="([^"]+)" sheetId="(\d+)"/g)
  return new Map(
    Array.from(listed, ([, name = '', id]) => [name, rowsOf(texts.get(`xl/worksheets/sheet${id}.xml`)!)] as const),
  )
}

function rowsOf(sheet: string): string[][] {
  const rows = Array.from(sheet.matchAll(/<row r="\d+">(.*?)<\/row>/gs), ([, row = '']) => {
    const cells: string[] = []
    for (const [, letter = '', content = ''] of row.matchAll(/<c r="([A-Z])\d+"[^>]*>(.*?)<\/c>/gs))
      cells[letter.charCodeAt(0) - 65] = content
        .replaceAll(/<[^>]+>/g, '')
        .replaceAll(/&\w+;/g, (one) => ENTITIES[one]!)
    return cells
  })
  const width = rows[0]?.length ?? 0
  return rows.map((cells) => Array.from({ length: width }, (_, i) => cells[i] ?? ''))
}
