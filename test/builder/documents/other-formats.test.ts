// The workbooks and the archive of a release: as files of it, and what verify says of them.
// real test: it publishes releases, and reads an archive with Python
// long test: starts the program, or builds, for each case
import { execFileSync } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { columnsOf, EXPORT_COLUMNS } from '../../../src/contract/columns.ts'
import { EXPORT_TYPES, type Cell, type ExportRow, type ExportType } from '../../../src/contract/kinds/tables.ts'
import { SEARCH_FILE, searchFiles } from '../../../src/contract/search-files.ts'
import { UTC } from '../../../src/contract/time-zone.ts'
import { siteKindOf } from '../../../src/contract/site-paths.ts'
import type { Manifest } from '../../../src/release/format/manifest.ts'
import { releasePaths } from '../../../src/release/format/paths.ts'
import { Staging } from '../../../src/release/writing/staging.ts'
import { beginSheet } from '../../../src/release/writing/workbook.ts'
import { Patient } from '../../release/verify/patient.ts'
import { openFilesBelow, SHOWS_OPEN_FILES } from '../../support/open-files.ts'
import { temporaryFolder } from '../../support/temporary-folder.ts'
import { publishRelease } from '../../support/release.ts'
import { describeWithComponent, findProgram } from '../../support/real-component.ts'
import { sampleSite } from '../../support/site.ts'
import { sheetsIn } from '../../support/workbook.ts'

interface Published {
  readonly snapshots: string
  readonly manifest: Manifest
  readonly read: (path: string) => Buffer
}

async function published(spec: Parameters<typeof publishRelease>[1] = { site: sampleSite() }): Promise<Published> {
  const snapshots = temporaryFolder()
  const manifest = await publishRelease(snapshots, spec)
  return { manifest, snapshots, read: (path) => readFileSync(join(snapshots, 'releases', manifest.id, path)) }
}

const OTHER_FORMATS = ['bulk.zip', 'ideas.xlsx', 'tables.xlsx']

/** What a sheet must have, from the JSON of its table; times are those of UTC. */
function expectedSheet(type: ExportType, read: Published['read']): string[][] {
  const { data } = JSON.parse(read(`analytics/export/${type}/all.json`).toString()) as { data: ExportRow[] }
  const columns = columnsOf(type, 'month')
  const day = (ms: number): string => String((ms - Date.UTC(1899, 11, 30)) / 86_400_000)
  const cellOf = (cell: Cell | undefined, is: string): string => {
    if (cell === null || cell === undefined) return ''
    if (is === 'date') return day(Date.parse(`${String(cell)}T00:00:00Z`))
    if (is === 'datetime') return day(Math.floor(Date.parse(String(cell)) / 1000) * 1000)
    return typeof cell === 'boolean' ? String(Number(cell)) : String(cell).replaceAll('\r', '_x000D_')
  }
  const names = columns.map(({ name, type: is }) => (is === 'datetime' ? `${name} (UTC)` : name))
  return [names, ...data.map((row) => columns.map(({ name, type: is }) => cellOf(row[name], is)))]
}

const CONTENTS = `
import sys, json, zipfile
with zipfile.ZipFile(sys.argv[1]) as z:
    assert z.testzip() is None
    print(json.dumps({i.filename: z.read(i).decode() for i in z.infolist()}))
`

function unzipped(python: string, { snapshots, manifest }: Published): Record<string, string> {
  const path = join(snapshots, 'releases', manifest.id, 'bulk.zip')
  return JSON.parse(execFileSync(python, ['-c', CONTENTS, path], { encoding: 'utf8', maxBuffer: 1 << 28 })) as Record<
    string,
    string
  >
}

describeWithComponent('a release in other formats', findProgram('python3', 'python3'), (python) => {
  it('has the ideas of all time as a workbook, with the cells of the CSV', async () => {
    const { read, manifest } = await published()
    const sheets = sheetsIn(read('ideas.xlsx'))
    expect([...sheets.keys()]).toEqual(['ideas'])
    expect(sheets.get('ideas')).toEqual(expectedSheet('ideas', read))
    expect(manifest.files.find(({ path }) => path === 'ideas.xlsx')).toMatchObject({
      rows: 130,
      gzip: undefined,
      br: undefined,
    })
    // A formula in CSV has an apostrophe.
    expect(sheets.get('ideas')!.map(([, title]) => title)).toContain('=cmd|" /C"!A1')
  })

  it('has the ideas of all time for the search, as they are in their table', async () => {
    const { read, manifest } = await published()
    const { data } = JSON.parse(read('analytics/export/ideas/all.json').toString()) as { data: ExportRow[] }
    const search = searchFiles(UTC)
    search.add(data)
    const listed = manifest.files.filter(({ path }) => SEARCH_FILE.test(path))
    expect(listed.map(({ path, rows }) => [path, rows])).toEqual([['search/1.json', null]])
    expect(search.files()).toEqual([{ path: 'search/1.json', text: read('search/1.json').toString() }])
    expect(JSON.parse(read('search/1.json').toString())).toHaveLength(130)
    const bare = await published({ site: sampleSite(), closed: true })
    expect(bare.manifest.files.filter(({ path }) => path.includes('search'))).toEqual([])
  })

  it('has every other table of all time as a sheet, and first what the columns mean', async () => {
    const { read, manifest } = await published({
      site: sampleSite({ title: 'Ideas of Gullcliff', languages: ['de', 'en'] }),
    })
    const sheets = sheetsIn(read('tables.xlsx'))
    const others = EXPORT_TYPES.filter((type) => type !== 'ideas')
    expect([...sheets.keys()]).toEqual(['columns', ...others])
    for (const type of others) expect(sheets.get(type), type).toEqual(expectedSheet(type, read))
    const [header, ...columns] = sheets.get('columns')!
    expect(header).toEqual(['Tabelle', 'Spalte', 'Bedeutung'])
    const said = columns.flatMap(([, , meaning]) => meaning)
    expect(said[0]).toBe('Ideas of Gullcliff')
    expect(said[1]).toContain(manifest.dataAsOf)
    const described = columns.filter(([, column]) => column !== '')
    expect(described.map(([table, column]) => [table, column])).toEqual(
      EXPORT_TYPES.flatMap((type) => EXPORT_COLUMNS[type].map((column) => [type, column])),
    )
    for (const [, , meaning] of described) expect(meaning).not.toBe('')
    for (const meaning of said) expect(meaning).not.toMatch(/[`{}]/)
  })

  it('has every table, as CSV, in one archive, with what describes them', async () => {
    const release = await published({
      site: sampleSite({ title: 'Ideas of Gullcliff', publisher: 'The town', license: 'CC0-1.0' }),
    })
    const inIt = unzipped(python, release)
    const tables = release.manifest.files.filter(({ path }) => path.endsWith('.csv') && siteKindOf(path) === null)
    expect(tables.length).toBeGreaterThan(30)
    const readme = inIt['README.txt'] ?? ''
    const others = [...tables.map(({ path }) => path), 'datapackage.json']
    expect(inIt).toEqual({
      ...Object.fromEntries(others.map((path) => [path, release.read(path).toString()])),
      'README.txt': readme,
    })
    for (const said of ['Ideas of Gullcliff', 'Published by The town.', 'CC0-1.0', release.manifest.dataAsOf])
      expect(readme).toContain(said)
    expect(readme).not.toContain(release.manifest.id)
  })

  it('is empty and valid while the platform is closed to visitors', async () => {
    const release = await published({ site: sampleSite(), closed: true })
    expect(sheetsIn(release.read('ideas.xlsx')).get('ideas')).toHaveLength(1)
    const sheets = sheetsIn(release.read('tables.xlsx'))
    expect(sheets.get('columns')!.flat().join(' ')).toContain('closed to visitors')
    for (const type of ['users', 'history', 'categories', 'revisions']) expect(sheets.get(type)).toHaveLength(1)
    for (const row of sheets.get('overview')!.slice(1)) expect(row[1]).toBe('0')
    expect(unzipped(python, release)['README.txt']).toContain('closed to visitors')
  })

  it('has none of them where it is data only', async () => {
    const { manifest } = await published({})
    expect(manifest.files.filter(({ path }) => siteKindOf(path) !== null)).toEqual([])
  })
})

it('a build that is stopped leaves no file open, and nothing beside the release', async () => {
  const folder = temporaryFolder()
  const staging = await Staging.create(releasePaths(folder))
  const csv = staging.stream('analytics/export/ideas/all.csv', 0)
  // Long enough for files to grow.
  csv.write('id\r\n'.repeat(500_000))
  await csv.drain()
  const sheet = beginSheet(staging, 'ideas', columnsOf('ideas'), UTC)
  await sheet.add(Array.from({ length: 5_000 }, (_, i) => ({ id: String(i) })))
  if (SHOWS_OPEN_FILES) expect(openFilesBelow(folder)).not.toEqual([])
  await staging.discard()
  if (SHOWS_OPEN_FILES) expect(openFilesBelow(folder)).toEqual([])
  expect(readdirSync(join(folder, 'releases'))).toEqual([])
})

it('verify compares the rows that the manifest says', async () => {
  const { manifest, snapshots } = await published()
  const patient = new Patient(snapshots, manifest)
  await patient.list('ideas.xlsx', { rows: 3 })
  for (const path of ['tables.xlsx', 'bulk.zip']) await patient.list(path, { rows: 1 })
  // The invented release has other faults: its users do not add up.
  const faults = (await patient.faults()).filter((fault) => OTHER_FORMATS.some((path) => fault.startsWith(path)))
  expect(faults.toSorted()).toEqual([
    'bulk.zip: the manifest says 1 rows',
    'ideas.xlsx: the manifest says 3 rows, its table has 130',
    'tables.xlsx: the manifest says 1 rows',
  ])
})
