// What programs read in a workbook: src/release/writing/workbook.ts and src/release/format/sheet-text.ts.
// real test: Python, openpyxl and LibreOffice open it
import { execFileSync } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parse } from 'csv-parse/sync'
import { describe, expect, it } from 'vitest'
import type { ExportRow } from '../../../src/contract/kinds/tables.ts'
import { timeZoneOf } from '../../../src/contract/time-zone.ts'
import { releasePaths } from '../../../src/release/format/paths.ts'
import { Staging } from '../../../src/release/writing/staging.ts'
import { beginSheet, writeWorkbook } from '../../../src/release/writing/workbook.ts'
import { describeWithComponent, findProgram, type RealComponent } from '../../support/real-component.ts'
import { temporaryFolder } from '../../support/temporary-folder.ts'
import { AS_OF_MS, aboutOf } from '../sample-release.ts'

const COLUMNS = [
  { name: 'id', type: 'string' },
  { name: 'text', type: 'string' },
  { name: 'day', type: 'date' },
  { name: 'at', type: 'datetime' },
  { name: 'votes', type: 'integer' },
  { name: 'launched', type: 'boolean' },
] as const

/** What others wrote, and what must be read. */
const TEXTS: readonly (readonly [written: string, read?: string])[] = [
  ['NA'],
  ['03'],
  ['None'],
  ['1e5'],
  ['2026-05-01'],
  ['TRUE'],
  ['=1+1'],
  ["'=1+1"],
  ['+49 30 1234'],
  ['-5'],
  ['@home'],
  ['=cmd|" /C"!A1'],
  ['a "quoted", one; <b>&amp;</b>'],
  ['not a character: \uFFFE\u0001', 'not a character: \uFFFD\uFFFD'],
  ['half \uD83D of one', 'half \uFFFD of one'],
  ['_x0041_'],
  ['_x000D_x000D_'],
  [`${'x'.repeat(32_766)}😀 cut`, 'x'.repeat(32_766)],
  ['شارع الملك — רחוב', 'شارع الملك — רחוב'],
  ['two\nlines'],
  [' spaces  around '],
]
const DAYS = ['2026-05-01', '1900-03-01', '1900-02-28', '1899-12-31']
const TIMES = ['2026-07-15T12:00:00.999Z', '1900-03-01T12:00:00.000Z', '1850-01-01T00:00:00.000Z']
const ROWS: readonly ExportRow[] = TEXTS.map(([text], i) => ({
  id: `00${i}`,
  text,
  day: DAYS[i] ?? null,
  at: TIMES[i] ?? null,
  votes: i,
  launched: i % 2 === 0,
}))
/** More than a piece, and more than the disk takes at once. */
const MANY = Array.from({ length: 40_000 }, (_, i) => ({ id: String(i), text: `idea ${i}`, votes: i }))

async function workbook(): Promise<{
  readonly path: string
  readonly files: readonly string[]
  readonly entry: object
}> {
  const staging = await Staging.create(releasePaths(temporaryFolder()))
  const sheets = { one: ROWS, 'many-rows': MANY, none: [] }
  for (const [name, rows] of Object.entries<readonly ExportRow[]>(sheets)) {
    const sheet = beginSheet(staging, name, COLUMNS, timeZoneOf({ timeZone: 'Europe/Berlin' }))
    for (let from = 0; from < rows.length; from += 500) await sheet.add(rows.slice(from, from + 500))
    await sheet.end()
  }
  await writeWorkbook(staging, 'tables.xlsx', Object.keys(sheets), AS_OF_MS)
  await staging.removeParts()
  const { files } = await staging.seal(aboutOf(AS_OF_MS))
  return { path: join(staging.folder, 'tables.xlsx'), files: readdirSync(staging.folder).sort(), entry: files[0]! }
}

describe('a workbook', () => {
  it('has the same bytes when it is written again, and leaves nothing beside it', async () => {
    const [one, other] = [await workbook(), await workbook()]
    expect(readFileSync(one.path).equals(readFileSync(other.path))).toBe(true)
    expect(one.entry).toEqual(other.entry)
    expect(one.entry).toMatchObject({ path: 'tables.xlsx', rows: null, gzip: undefined, br: undefined })
    expect(one.files).toEqual(expect.arrayContaining(['manifest.json', 'tables.xlsx']))
    expect(one.files.filter((name) => name.startsWith('.'))).toEqual([])
  })
})

/** The cells as an XML parser has them, by the rules of the format: of a row, by the letters of its columns. */
const PLAIN = `
import sys, json, re, zipfile
from xml.etree import ElementTree as X
N = '{http://schemas.openxmlformats.org/spreadsheetml/2006/main}'
def cell(c):
    if c.get('t') == 'inlineStr':
        return re.sub('_x([0-9A-Fa-f]{4})_', lambda m: chr(int(m[1], 16)), c.find(N + 'is').find(N + 't').text or '')
    v = c.find(N + 'v').text
    return v == '1' if c.get('t') == 'b' else float(v)
with zipfile.ZipFile(sys.argv[1]) as z:
    assert z.testzip() is None
    assert z.namelist()[0] == '[Content_Types].xml'
    assert {i.date_time for i in z.infolist()} == {(2026, 5, 20, 9, 30, 0)}
    names = [s.get('name') for s in X.fromstring(z.read('xl/workbook.xml')).iter(N + 'sheet')]
    sheets = {}
    for n, name in enumerate(names):
        rows = X.fromstring(z.read('xl/worksheets/sheet%d.xml' % (n + 1))).iter(N + 'row')
        sheets[name] = [{re.match('[A-Z]+', c.get('r'))[0]: cell(c) for c in row} for row in rows]
    print(json.dumps(sheets))
`

const PYTHON = findProgram('python3', 'python3')
const HEADER = ['id', 'text', 'day', 'at (Europe/Berlin)', 'votes', 'launched']

const inPython = (python: string, program: string, path: string): unknown =>
  JSON.parse(execFileSync(python, ['-c', program, path], { encoding: 'utf8', maxBuffer: 1 << 28 }))

describeWithComponent('a workbook for the standard library of Python', PYTHON, (python) => {
  it('has every value', async () => {
    const { path } = await workbook()
    const sheets = inPython(python, PLAIN, path) as Record<string, Record<string, string | number | boolean>[]>
    expect(Object.keys(sheets)).toEqual(['one', 'many-rows', 'none'])
    for (const rows of Object.values(sheets)) expect(Object.values(rows[0]!)).toEqual(HEADER)
    const [, ...one] = sheets['one']!
    expect(one.map(({ A, B, E, F }) => [A, B, E, F])).toEqual(
      TEXTS.map(([written, read = written], i) => [`00${i}`, read, i, i % 2 === 0]),
    )
    expect(one.slice(0, 4).map(({ C }) => C)).toEqual([46_143, 61, '1900-02-28', '1899-12-31'])
    expect(one.slice(0, 3).map(({ D }) => D)).toEqual([46_218 + 14 / 24, 61 + 13 / 24, '1850-01-01T00:00:00.000Z'])
    expect(sheets['many-rows']!.slice(1)).toEqual(MANY.map(({ id, text, votes }) => ({ A: id, B: text, E: votes })))
    expect(sheets['none']).toHaveLength(1)
  })
})

const OPENPYXL = `
import sys, json, openpyxl
book = openpyxl.load_workbook(sys.argv[1], read_only=True)
plain = lambda v: v if v is None or isinstance(v, (str, bool, int, float)) else v.isoformat()
print(json.dumps({s.title: [[plain(c.value) for c in row] + [c.data_type for c in row][:2] for row in s.iter_rows()] for s in book}))
`

/** That of the system has the packages of the system. */
function pythonWith(module: string, aptPackage: string): RealComponent {
  const bin = ['python3', '/usr/bin/python3'].find((one) => {
    try {
      return execFileSync(one, ['-c', `import ${module}`], { stdio: 'ignore' }) !== undefined || true
    } catch {
      return false
    }
  })
  return bin === undefined
    ? { ok: false, how: `${module} is not installed: apt-get install ${aptPackage}` }
    : { ok: true, bin }
}

describeWithComponent('a workbook for openpyxl', pythonWith('openpyxl', 'python3-openpyxl'), (python) => {
  it('has texts, numbers, flags, dates and times', async () => {
    const { path } = await workbook()
    const sheets = inPython(python, OPENPYXL, path) as Record<string, (string | number | boolean | null)[][]>
    const [header, ...rows] = sheets['one']!
    expect(header!.slice(0, 6)).toEqual(HEADER)
    // It does not undo _xHHHH_ (its version 3.0).
    const isEscaped = (text: string): boolean => text.includes('_x0')
    for (const [i, [written, read = written]] of TEXTS.entries()) {
      const [id, text, , , votes, launched, ...types] = rows[i]!
      expect([id, votes, launched, ...types]).toEqual(
        [`00${i}`, i, i % 2 === 0, 'inlineStr', 'inlineStr'].map((one) =>
          one === 'inlineStr' ? expect.stringMatching(/^(?:inlineStr|s)$/) : one,
        ),
      )
      if (!isEscaped(read)) expect(text).toBe(read)
    }
    expect(rows.slice(0, 4).map((row) => row[2])).toEqual([
      '2026-05-01T00:00:00',
      '1900-03-01T00:00:00',
      '1900-02-28',
      '1899-12-31',
    ])
    expect(rows.slice(0, 3).map((row) => row[3])).toEqual([
      '2026-07-15T14:00:00',
      '1900-03-01T13:00:00',
      '1850-01-01T00:00:00.000Z',
    ])
    expect(sheets['many-rows']).toHaveLength(MANY.length + 1)
  })
})

/** Every sheet as CSV, texts in quotes, as they are shown. */
const TO_CSV = 'csv:Text - txt - csv (StarCalc):44,34,76,1,,0,true,true,false,false,false,-1'

describeWithComponent('a workbook for LibreOffice', findProgram('soffice', 'libreoffice-calc-nogui'), (soffice) => {
  it('has texts, numbers, flags, dates and times', { timeout: 120_000 }, async () => {
    const { path } = await workbook()
    const folder = temporaryFolder()
    const profile = `-env:UserInstallation=file://${join(folder, 'profile')}`
    execFileSync(soffice, [profile, '--headless', '--convert-to', TO_CSV, '--outdir', folder, path], {
      stdio: 'ignore',
    })
    const read = (sheet: string): string[][] =>
      parse(readFileSync(join(folder, `tables-${sheet}.csv`)), { relax_column_count: true })
    const [header, ...rows] = read('one')
    expect(header).toEqual(HEADER)
    for (const [i, [written, shown = written]] of TEXTS.entries()) {
      const [id, text, , , votes, launched] = rows[i]!
      expect([id, text, votes, launched]).toEqual([`00${i}`, shown, String(i), i % 2 === 0 ? 'TRUE' : 'FALSE'])
    }
    expect(rows.slice(0, 4).map((row) => row[2])).toEqual(DAYS)
    expect(rows.slice(0, 3).map((row) => row[3])).toEqual(['2026-07-15 14:00:00', '1900-03-01 13:00:00', TIMES[2]])
    expect(read('many-rows')).toHaveLength(MANY.length + 1)
  })
})
