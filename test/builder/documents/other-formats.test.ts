// The ideas for Excel, Parquet and the archive of a release: as files of it, and what verify says of them.
// real test: it publishes a release for each damage
// long test: starts the program, or builds, for each case
import { readdirSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { parse } from 'csv-parse/sync'
import { parquetReadObjects } from 'hyparquet'
import { gunzipSync, inflateRawSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { writeIdeasInOtherFormats, writeParquet } from '../../../src/builder/documents/other-formats.ts'
import { columnsOf } from '../../../src/contract/columns.ts'
import type { ExportRow } from '../../../src/contract/kinds/tables.ts'
import { excelPath, OTHER_FORMATS, PARQUET_TYPES, parquetPath } from '../../../src/contract/other-formats.ts'
import { siteKindOf } from '../../../src/contract/site-paths.ts'
import { PERIODS } from '../../../src/contract/windows.ts'
import { zipContents } from '../../../src/release/checks/zip-contents.ts'
import { DEFLATED, readLocalHeader } from '../../../src/release/format/zip.ts'
import type { Manifest } from '../../../src/release/format/manifest.ts'
import { releasePaths } from '../../../src/release/format/paths.ts'
import { Staging } from '../../../src/release/writing/staging.ts'
import { Patient, sha256 as sha256Of } from '../../release/checks/patient.ts'
import { temporaryFolder } from '../../release/sample-release.ts'
import { publishRelease } from '../../support/release.ts'
import { SITE, siteOf } from '../../support/site.ts'

interface Published {
  readonly manifest: Manifest
  readonly read: (path: string) => Buffer
}

async function published(
  spec: Parameters<typeof publishRelease>[1] = { site: SITE },
): Promise<Published & { snapshots: string }> {
  const snapshots = temporaryFolder()
  const manifest = await publishRelease(snapshots, spec)
  return { manifest, snapshots, read: (path) => readFileSync(join(snapshots, 'releases', manifest.id, path)) }
}

const CELLS = { record_delimiter: '\r\n' } as const

function jsonRows({ read }: Published, type: string): ExportRow[] {
  return (JSON.parse(read(`analytics/export/${type}/all.json`).toString()) as { data: ExportRow[] }).data
}

async function parquetRows({ read }: Published, path: string): Promise<unknown[]> {
  const compressors = { GZIP: (bytes: Uint8Array): Uint8Array => gunzipSync(bytes) }
  const rows = await parquetReadObjects({ file: new Uint8Array(read(path)).buffer, compressors })
  const plain = (value: unknown): unknown =>
    value instanceof Date ? value.toISOString() : typeof value === 'bigint' ? Number(value) : value
  return rows.map((row) => Object.fromEntries(Object.entries(row).map(([name, value]) => [name, plain(value)])))
}

async function zipped({ read }: Published): Promise<Map<string, string>> {
  let left: Buffer | null = read('bulk.zip')
  const contents = await zipContents(async () => {
    const all = left
    left = null
    return all
  })
  if (typeof contents === 'string') throw new Error(contents)
  return new Map(contents.map(({ name, sha256 }) => [name, sha256]))
}

/** Of the first entry of that name. */
function unzipped({ read }: Published, name: string): string {
  const archive = read('bulk.zip')
  const at = archive.indexOf(name) - 30
  const head = readLocalHeader(archive.subarray(at))
  const from = at + 30 + Buffer.byteLength(name)
  const coded = archive.subarray(from, from + (head?.codedBytes ?? 0))
  return (head?.method === DEFLATED ? inflateRawSync(coded) : coded).toString('utf8')
}

describe('a release in other formats', () => {
  it('has for Excel the cells of the CSV, in UTF-16 with a byte order mark, ended by tabs', async () => {
    const release = await published()
    for (const period of PERIODS) {
      const bytes = release.read(excelPath(period))
      expect([...bytes.subarray(0, 2)]).toEqual([0xff, 0xfe])
      const excel = parse(bytes.toString('utf16le').slice(1), { ...CELLS, delimiter: '\t' })
      const plain = parse(release.read(`analytics/export/ideas/${period}.csv`), CELLS)
      const time = /^(\d{4}-\d\d-\d\d)T(\d\d:\d\d:\d\d)\.\d{3}Z$/
      expect(excel).toEqual(plain.map((cells) => cells.map((cell) => cell.replace(time, '$1 $2'))))
      expect(release.manifest.files.find(({ path }) => path === excelPath(period))?.rows).toBe(excel.length - 1)
    }
    expect(release.read(excelPath('all')).toString('utf16le')).toContain('\t"\'=cmd|"" /C""!A1"\t')
  })

  it.each(PARQUET_TYPES)('has all rows of %s as Parquet, in their order, and titles as they are', async (type) => {
    const release = await published()
    const rows = jsonRows(release, type)
    expect(rows.length).toBeGreaterThan(10)
    expect(await parquetRows(release, parquetPath(type))).toEqual(rows)
    expect(Object.keys(rows[0] ?? {})).toEqual(columnsOf(type).map(({ name }) => name))
  })

  it('has every CSV that the manifest lists in one archive, with what describes them', async () => {
    const release = await published({
      site: siteOf({ title: 'Ideas of Gullcliff', publisher: 'The town', license: 'CC0-1.0' }),
    })
    const inIt = await zipped(release)
    const tables = release.manifest.files.filter(({ path }) => /^analytics\/export\/[^.]+\.csv$/.test(path))
    expect(tables.length).toBeGreaterThan(30)
    expect(Object.fromEntries(inIt)).toEqual({
      ...Object.fromEntries(tables.map(({ path, sha256 }) => [path, sha256])),
      'datapackage.json': release.manifest.files.find(({ path }) => path === 'datapackage.json')?.sha256,
      'README.txt': expect.any(String) as string,
    })
    const readme = unzipped(release, 'README.txt')
    for (const said of ['Ideas of Gullcliff', 'Published by The town.', 'CC0-1.0', release.manifest.dataAsOf])
      expect(readme).toContain(said)
    expect(readme).not.toContain(release.manifest.id)
  })

  it('has the same bytes when it is built again', async () => {
    const [one, other] = [await published(), await published()]
    expect(one.manifest.id).toBe(other.manifest.id)
    for (const path of OTHER_FORMATS) expect(one.read(path).equals(other.read(path)), path).toBe(true)
  })

  it('is empty and valid while the platform is closed to visitors', async () => {
    const release = await published({ site: SITE, closed: true })
    expect(await parquetRows(release, 'ideas.parquet')).toEqual([])
    expect(release.read(excelPath('7d')).toString('utf16le').split('\r\n')).toHaveLength(2)
    expect(unzipped(release, 'README.txt')).toContain('closed to visitors')
  })

  it('has none of them where it is data only', async () => {
    const { manifest } = await published({})
    expect(manifest.files.filter(({ path }) => siteKindOf(path) !== null)).toEqual([])
  })
})

describe('a build that is stopped', () => {
  const staged = async (json: string): Promise<Staging> => {
    const staging = await Staging.create(releasePaths(temporaryFolder()))
    const put = (path: string, text: string) => staging.put(path, text, { contentHash: null, rows: 1, tail: 0 })
    await put('analytics/export/ideas/all.json', json)
    for (const period of PERIODS) await put(`analytics/export/ideas/${period}.csv`, 'id\r\n1\r\n')
    return staging
  }
  const openFiles = (): number => readdirSync('/proc/self/fd').length

  it('leaves no file open, wherever it stops', async () => {
    // Longer than a piece that is read at once; the first group of rows lacks columns.
    const staging = await staged(`{"data":[${'{"id":"1"},'.repeat(100_000)}{"id":"1"}]}`)
    const before = openFiles()
    await expect(writeParquet(staging, 'ideas', new AbortController().signal)).rejects.toThrow(/parquet/)
    const stopped = new Error('stopped')
    await expect(writeIdeasInOtherFormats(staging, AbortSignal.abort(stopped))).rejects.toBe(stopped)
    await staging.discard()
    expect(openFiles()).toBe(before)
  })

  it('says what cannot be read back', async () => {
    const staging = await staged('{"data":[{"id":"1"},')
    const writing = writeParquet(staging, 'ideas', new AbortController().signal)
    await expect(writing).rejects.toThrow(/^cannot read back analytics\/export\/ideas\/all\.json: it is not JSON/)
  })
})

describe('verify', () => {
  const damaged = async (path: string, change: (bytes: Buffer) => Buffer, listed: object = {}): Promise<string[]> => {
    const { manifest, snapshots } = await published()
    const patient = new Patient(snapshots, manifest)
    await patient.damage(path, change)
    const bytes = readFileSync(join(patient.folder, path))
    for (const suffix of ['.gz', '.br']) rmSync(join(patient.folder, `${path}${suffix}`), { force: true })
    const own = siteKindOf(path)?.coded === true ? { contentHash: sha256Of(bytes) } : {}
    const about = { gzip: null, br: null, bytes: bytes.length, sha256: sha256Of(bytes), ...own, ...listed }
    await patient.list(path, about)
    // The invented release has other faults: its users do not add up.
    return (await patient.faults()).filter((fault) => fault.startsWith(path))
  }
  const utf16 = (change: (text: string) => string) => (bytes: Buffer) =>
    Buffer.from(change(bytes.toString('utf16le')), 'utf16le')

  it('compares the cells for Excel with the CSV', async () => {
    const path = excelPath('all')
    const csv = 'analytics/export/ideas/all.csv'
    const wrongs: ((day: string, time: string, second: string) => string)[] = [
      (day, time, second) => `${day} ${time}${String((Number(second) + 1) % 60).padStart(2, '0')}`,
      (_, time, second) => `1999-01-01 ${time}${second}`,
      (day, time, second) => `${day}T${time}${second}.000Z`,
    ]
    for (const wrong of wrongs) {
      const change = utf16((text) =>
        text.replace(/(\d{4}-\d\d-\d\d) (\d\d:\d\d:)(\d\d)/, (_, day: string, time: string, second: string) =>
          wrong(day, time, second),
        ),
      )
      expect(await damaged(path, change)).toEqual([`${path}: row 1 is not that of ${csv}`])
    }
    expect(
      await damaged(
        path,
        utf16((text) => text.replace("it's plain", 'it is plain')),
      ),
    ).toEqual([expect.stringMatching(new RegExp(`^${path}: row \\d+ is not that of ${csv}$`))])
    expect(
      await damaged(
        path,
        utf16((text) => text.slice(1)),
      ),
    ).toEqual([`${path}: it does not begin as ${csv} does`])
    expect(
      await damaged(
        path,
        utf16((text) => text.replace('\ttitle\t', '\tTitle\t')),
      ),
    ).toEqual([`${path}: it does not begin as ${csv} does`])
    expect(
      await damaged(
        path,
        utf16((text) => `${text}1\t2\r\n`),
      ),
    ).toEqual([expect.stringMatching(/rows, the manifest says/)])
    expect(await damaged(path, (bytes) => bytes, { rows: 3 })).toEqual([
      expect.stringMatching(/rows, the manifest says 3$/),
    ])
  })

  it('compares the archive with what is in it', async () => {
    const same = (bytes: Buffer): Buffer => bytes
    expect(await damaged('bulk.zip', (bytes) => bytes.subarray(0, -1))).toEqual([
      'bulk.zip: its directory does not list what is in it',
    ])
    // The first header and the first line of the directory have the CRC-32 of the README.
    const sum = (bytes: Buffer): Buffer => {
      const crc = bytes.subarray(14, 18)
      const at = [14, bytes.lastIndexOf(crc)]
      for (const one of at) bytes.writeUInt32LE(7, one)
      return bytes
    }
    expect(await damaged('bulk.zip', sum)).toEqual(['bulk.zip: README.txt in it does not decode'])
    const other = await published({ site: SITE, revision: 1 })
    const found = await damaged('bulk.zip', () => other.read('bulk.zip'))
    expect(found).toContain('bulk.zip: analytics/export/ideas/all.csv in it is another one')
    expect(await damaged('bulk.zip', same, { contentHash: 'a'.repeat(64) })).toContain(
      'bulk.zip: its content hash is not the manifest’s',
    )
    expect(await damaged('bulk.zip', () => Buffer.from('no archive'))).toEqual([
      'bulk.zip: its directory does not list what is in it',
    ])
  })

  it('compares the rows of Parquet with the CSV', async () => {
    const closed = await published({ site: SITE, closed: true })
    const found = await damaged('ideas.parquet', () => closed.read('ideas.parquet'))
    expect(found).toEqual(expect.arrayContaining([expect.stringMatching(/^ideas.parquet: 0 rows, the manifest says/)]))
    expect(await damaged('timeline.parquet', () => Buffer.from('PAR1'))).toEqual([
      expect.stringMatching(/^timeline.parquet: it is not Parquet/),
    ])
    expect(await damaged('timeline.parquet', (bytes) => bytes, { contentHash: 'a'.repeat(64) })).toEqual([
      expect.stringMatching(/^timeline.parquet: its content hash is not that of /),
    ])
  })
})
