// Which cell a value becomes, of src/release/format/sheet-text.ts. That programs read them so is tested in test/release/writing/workbook.test.ts.
import fc from 'fast-check'
import { describe, expect, it, test } from 'vitest'
import { columnsOf } from '../../../src/contract/columns.ts'
import { EXPORT_TYPES } from '../../../src/contract/kinds/tables.ts'
import { timeZoneOf, UTC } from '../../../src/contract/time-zone.ts'
import { DAY_MS } from '../../../src/contract/timestamp.ts'
import { MAX_SHEET_ROWS, SheetText, workbookParts } from '../../../src/release/format/sheet-text.ts'
import { sheetsOf } from '../../../src/release/format/workbooks.ts'

type Type = ReturnType<typeof columnsOf>[number]['type']

/** The cell of a value: its style, its type, and what it holds; null = it is empty. */
function cellOf(value: string | number | boolean | null, type: Type = 'string', zone = UTC): string[] | null {
  const text = new SheetText([{ name: 'one', type }], zone).add([{ one: value }])
  const [, attributes, content] = /^<row r="2">(?:<c r="A2"([^>]*)>(.*)<\/c>)?<\/row>$/s.exec(text) ?? expect.fail(text)
  return attributes === undefined
    ? null
    : [attributes.trim(), content!.replaceAll(/<\/?(?:is|t|v)(?: xml:space="preserve")?>/g, '')]
}

const text = (content: string): string[] => ['s="1" t="inlineStr"', content]
const date = (content: number): string[] => ['s="2"', String(content)]
const time = (content: number): string[] => ['s="3"', String(content)]

describe('a text', () => {
  test.each([
    ['03', '03'],
    ['NA', 'NA'],
    ['=1+1', '=1+1'],
    ['-5', '-5'],
    ['a < b & c > "d"', 'a &lt; b &amp; c &gt; "d"'],
    ['\uFFFE\u0000\u000B\uFFFF', '\uFFFD\uFFFD\uFFFD\uFFFD'],
    ['half \uD83D of a pair', 'half \uFFFD of a pair'],
    ['whole 😀', 'whole 😀'],
    ['a\tb\nc', 'a\tb\nc'],
    ['a\r\nb', 'a_x000D_\nb'],
    ['_x0041_', '_x005F_x0041_'],
    ['_x0041', '_x0041'],
    // What the break is written as would close it.
    ['_x0041\r', '_x005F_x0041_x000D_'],
    ['__x000d_x000d_', '__x005F_x000d_x005F_x000d_'],
    ['مرحبا', 'مرحبا'],
    [' \u00A0 ', ' \u00A0 '],
  ])('%j is %j', (value, expected) => expect(cellOf(value)).toEqual(text(expected)))

  test.each(['', null])('that is %j is no cell', (value) => expect(cellOf(value)).toBe(null))

  test('is cut where a cell ends, but in no pair of surrogates, and before it is escaped', () => {
    const [, whole] = cellOf('x'.repeat(32_767))!
    expect(whole).toHaveLength(32_767)
    expect(cellOf(`${'x'.repeat(32_767)}y`)).toEqual(text(whole!))
    expect(cellOf(`${'x'.repeat(32_766)}😀`)).toEqual(text(whole!.slice(1)))
    expect(cellOf(`${'x'.repeat(32_765)}😀`)).toEqual(text(`${whole!.slice(2)}😀`))
    expect(cellOf('&'.repeat(40_000))).toEqual(text('&amp;'.repeat(32_767)))
  })

  test('is read as it was, whatever it has that XML allows', () => {
    const unit = fc.constantFrom(
      '_',
      'x',
      '0',
      '5',
      'F',
      '4',
      '1',
      'D',
      '_x0041_',
      '\r',
      '\n',
      '\t',
      '&',
      '<',
      '>',
      '"',
      ' ',
      'é',
      '😀',
      'مر',
    )
    const read = (content: string): string =>
      content
        .replaceAll('&lt;', '<')
        .replaceAll('&gt;', '>')
        .replaceAll('&amp;', '&')
        .replaceAll(/_x([0-9A-Fa-f]{4})_/g, (_, hex: string) => String.fromCodePoint(parseInt(hex, 16)))
    fc.assert(
      fc.property(fc.string({ unit, minLength: 1, maxLength: 40 }), (value) => {
        expect(read(cellOf(value)![1]!)).toBe(value)
      }),
      { numRuns: 2_000 },
    )
  })
})

describe('a number or a flag', () => {
  test.each([
    [0, ['', '0']],
    [1234567, ['', '1234567']],
    [-0.25, ['', '-0.25']],
    [true, ['t="b"', '1']],
    [false, ['t="b"', '0']],
  ] as const)('%s', (value, expected) => expect(cellOf(value, 'number')).toEqual(expected))
})

describe('a date', () => {
  test.each([
    ['2026-05-01', date(46_143)],
    ['1900-03-01', date(61)],
    ['9999-12-31', date(2_958_465)],
    ['1900-02-28', text('1900-02-28')],
    ['1900-01-01', text('1900-01-01')],
    ['0001-01-01', text('0001-01-01')],
    ['2026-05', text('2026-05')],
    ['2026-13-01', text('2026-13-01')],
    ['never', text('never')],
    ['2026-05-01T00:00:00', text('2026-05-01T00:00:00')],
  ])('%s', (value, expected) => expect(cellOf(value, 'date')).toEqual(expected))

  test('in a column of texts is a text', () => expect(cellOf('2026-05-01')).toEqual(text('2026-05-01')))
})

describe('an instant', () => {
  const at = (wall: string): number => (Date.parse(`${wall}Z`) - Date.UTC(1899, 11, 30)) / DAY_MS
  test.each([
    ['2026-01-15T12:00:00.999Z', 'Europe/Berlin', time(at('2026-01-15T13:00:00'))],
    ['2026-07-15T12:00:00.000Z', 'Europe/Berlin', time(at('2026-07-15T14:00:00'))],
    // Clocks show this hour twice.
    ['2026-10-25T00:30:00.000Z', 'Europe/Berlin', time(at('2026-10-25T02:30:00'))],
    ['2026-10-25T01:30:00.000Z', 'Europe/Berlin', time(at('2026-10-25T02:30:00'))],
    ['2026-05-01T00:00:00.000+02:00', 'Europe/Berlin', time(46_143)],
    ['2026-12-31T20:00:00.000Z', 'Asia/Tokyo', time(at('2027-01-01T05:00:00'))],
    ['2026-07-15T12:00:00.000Z', 'UTC', time(at('2026-07-15T12:00:00'))],
    // Before the first rule that documents need.
    ['1975-07-01T12:00:00.000Z', 'Europe/London', time(at('1975-07-01T13:00:00'))],
    ['1971-01-01T12:00:00.000Z', 'Africa/Monrovia', time(at('1971-01-01T11:15:30'))],
    ['1900-03-01T00:00:00.000Z', 'UTC', time(61)],
    ['1900-02-28T23:59:59.999Z', 'UTC', text('1900-02-28T23:59:59.999Z')],
    ['9999-12-31T23:59:59.999Z', 'UTC', time(at('9999-12-31T23:59:59'))],
    ['9999-12-31T23:59:59.999Z', 'Europe/Berlin', text('9999-12-31T23:59:59.999Z')],
    ['+010000-01-01T00:00:00.000Z', 'UTC', text('+010000-01-01T00:00:00.000Z')],
    ['2026-13-01T00:00:00.000Z', 'UTC', text('2026-13-01T00:00:00.000Z')],
  ])('%s in %s', (value, zone, expected) =>
    expect(cellOf(value, 'datetime', timeZoneOf({ timeZone: zone }))).toEqual(expected),
  )
})

describe('a sheet', () => {
  it.each(EXPORT_TYPES)('of %s has the columns of the table, and names the zone of times', (type) => {
    const head = new SheetText(columnsOf(type), timeZoneOf({ timeZone: 'Europe/Berlin' })).head()
    const names = Array.from(head.matchAll(/<c r="([A-Z]+)1" s="4"[^>]*><is><t[^>]*>([^<]+)</g), ([, at, name]) => [
      at,
      name,
    ])
    expect(names).toEqual(
      columnsOf(type).map(({ name, type: is }, i) => [
        String.fromCodePoint(65 + i),
        is === 'datetime' ? `${name} (Europe/Berlin)` : name,
      ]),
    )
  })

  it('has columns after Z', () => {
    const columns = Array.from({ length: 53 }, (_, i) => ({ name: `c${i}`, type: 'integer' }) as const)
    const row = new SheetText(columns, UTC).add([Object.fromEntries(columns.map(({ name }, i) => [name, i]))])
    expect(row).toContain('<c r="Z2"><v>25</v></c><c r="AA2"><v>26</v></c>')
    expect(row).toMatch(/<c r="BA2"><v>52<\/v><\/c><\/row>$/)
  })

  it('has as many rows as Excel takes, the first ones, and says how many', () => {
    const sheet = new SheetText([{ name: 'one', type: 'integer' }], UTC)
    const rows = Array.from({ length: 1000 }, () => ({ one: 1 }))
    for (let i = 0; i < 1048; i += 1) sheet.add(rows)
    expect(sheet.add(rows.slice(0, 575))).toMatch(/<row r="1048576">.*<\/row>$/)
    expect([sheet.add(rows), sheet.rows]).toEqual(['', MAX_SHEET_ROWS])
  })
})

describe('tables.xlsx', () => {
  const sheetsWith = (rows: number) =>
    sheetsOf(
      'tables.xlsx',
      EXPORT_TYPES.map((type) => ({
        path: `analytics/export/${type}/all.csv`,
        rows: type === 'timeline' ? rows : 7,
      })),
    )
  it('has a sheet of columns, and one for each table but that of ideas, and those that are too large', () => {
    const all = ['columns', ...EXPORT_TYPES.filter((type) => type !== 'ideas')]
    expect(sheetsWith(MAX_SHEET_ROWS)).toEqual(all)
    expect(sheetsWith(MAX_SHEET_ROWS + 1)).toEqual(all.filter((sheet) => sheet !== 'timeline'))
    expect(sheetsOf('ideas.xlsx', [])).toEqual(['ideas'])
  })

  it('lists its sheets in each part that has to', () => {
    const parts = workbookParts(['columns', 'overview'])
    expect(parts.map(({ name }) => name)).toEqual(parts.map(({ name }) => name).toSorted())
    const whole = parts.map((part) => part.text).join('')
    for (const said of [
      '<sheet name="overview" sheetId="2" r:id="rId2"/>',
      'PartName="/xl/worksheets/sheet2.xml"',
      'Id="rId2"',
      'Target="worksheets/sheet2.xml"',
    ])
      expect(whole.split(said)).toHaveLength(2)
  })
})

test('a time that is none is a text, however long it is', () => {
  // A pattern that begins anew at each letter would take half an hour.
  for (const odd of ['T'.repeat(1 << 20), `T${'1'.repeat(1 << 20)}`, 'T1'.repeat(1 << 19)])
    expect(cellOf(odd, 'datetime')?.[1]).toBe(odd.slice(0, 32_767))
})
