// Owns proving that what a site has in other formats says the same as the CSV of its release. Knows neither folder nor address.
import { StringDecoder } from 'node:string_decoder'
import { parquetMetadata } from 'hyparquet'
import { timeColumns } from '../../contract/columns.ts'
import { snapshotPath } from '../../contract/snapshot-paths.ts'
import { BYTE_ORDER_MARK, EXCEL_ENCODING } from '../../contract/excel-csv.ts'
import { BULK_PATH, excelPath, isTable, PARQUET_TYPES, parquetPath } from '../../contract/other-formats.ts'
import { PERIODS } from '../../contract/windows.ts'
import type { Manifest, ManifestFile } from '../format/manifest.ts'
import { zipContentHash } from '../format/zip.ts'
import type { FoundRelease } from '../reading/release-reader.ts'
import { readCsv } from './csv-records.ts'
import { FileReading } from './file-reading.ts'
import { inStep } from './in-step.ts'
import { zipContents } from './zip-contents.ts'

/**
 * What is wrong with the content of a file; nothing of a file that is in no other format. Where the file itself is damaged, what
 * is found means nothing.
 */
export async function otherFormatFaults(release: FoundRelease, reading: FileReading<ManifestFile>): Promise<string[]> {
  const { path } = reading.file
  if (path === BULK_PATH) return bulkFaults(release.manifest, reading)
  const type = PARQUET_TYPES.find((one) => parquetPath(one) === path)
  if (type !== undefined)
    return parquetFaults(csvAt(release, { endpoint: 'export', type, period: 'all', format: 'csv' }), reading)
  const period = PERIODS.find((one) => excelPath(one) === path)
  if (period !== undefined)
    return excelFaults(release, csvAt(release, { endpoint: 'export', type: 'ideas', period, format: 'csv' }), reading)
  return []
}

/** Null = it is missing, which is a fault of its own. */
function csvAt({ manifest }: FoundRelease, of: Parameters<typeof snapshotPath>[0]): ManifestFile | null {
  const path = snapshotPath(of)
  return manifest.files.find((file) => file.path === path) ?? null
}

const DESCRIPTION = 'datapackage.json'

async function bulkFaults({ files }: Manifest, { file, next }: FileReading<ManifestFile>): Promise<string[]> {
  const contents = await zipContents(next)
  if (typeof contents === 'string') return [contents]
  const inIt = new Map(contents.map(({ name, sha256 }) => [name, sha256]))
  const faults: string[] = []
  for (const { path, sha256 } of files) {
    const found = inIt.get(path)
    if ((isTable(path) || path === DESCRIPTION) && found === undefined) faults.push(`${path} is not in it`)
    else if (found !== undefined && found !== sha256) faults.push(`${path} in it is another one`)
  }
  if (zipContentHash(contents) !== file.contentHash) faults.push('its content hash is not the manifest’s')
  return faults
}

/** The directory at the end of a file of several million rows is a few MiB. */
const MAX_FOOTER_BYTES = 1 << 26

/** That its bytes are those that were written is known: what is compared is of which rows it was made. */
async function parquetFaults(csv: ManifestFile | null, { file, next }: FileReading<ManifestFile>): Promise<string[]> {
  const rows = rowsOfParquet(await ending(next, MAX_FOOTER_BYTES))
  if (typeof rows === 'string') return [rows]
  const faults: string[] = []
  if (rows !== file.rows) faults.push(`${rows} rows, the manifest says ${file.rows}`)
  if (csv !== null && rows !== csv.rows) faults.push(`${rows} rows, ${csv.path} has ${csv.rows}`)
  if (csv !== null && csv.contentHash !== file.contentHash) faults.push(`its content hash is not that of ${csv.path}`)
  return faults
}

function rowsOfParquet(end: Buffer): number | string {
  try {
    const { num_rows: rows, row_groups: groups } = parquetMetadata(new Uint8Array(end).buffer)
    const inGroups = groups.reduce((sum, group) => sum + group.num_rows, 0n)
    return rows === inGroups ? Number(rows) : `${rows} rows, its groups have ${inGroups}`
  } catch (error) {
    return `it is not Parquet: ${(error as Error).message}`
  }
}

async function ending(next: () => Promise<Buffer | null>, maxBytes: number): Promise<Buffer> {
  let pieces: Buffer[] = []
  let bytes = 0
  for (let piece = await next(); piece !== null; piece = await next()) {
    pieces.push(piece)
    bytes += piece.length
    if (bytes < 2 * maxBytes) continue
    pieces = [Buffer.concat(pieces).subarray(-maxBytes)]
    bytes = maxBytes
  }
  return Buffer.concat(pieces).subarray(-maxBytes)
}

async function excelFaults(
  release: FoundRelease,
  csv: ManifestFile | null,
  { file, next }: FileReading<ManifestFile>,
): Promise<string[]> {
  if (csv === null) return []
  const plain = FileReading.of(release, csv)
  try {
    const headers: { left: Cells | undefined; right: Cells | undefined } = { left: undefined, right: undefined }
    let difference: string | null = null
    const records = withoutFirst(readCsv(plain.next), (first) => (headers.left = first))
    const read = await inStep(records, readCsv(asUtf8(next), '\t'), {
      batch: () => undefined,
      header: (first) => (headers.right = first),
      pair(n, left, right) {
        if (!isSameRow(left, right)) difference ??= `row ${n} is not that of ${csv.path}`
      },
    })
    // Why the CSV cannot be read is said where it is verified itself.
    if (plain.failure !== null || read.left !== null) return []
    if (!isSame(headers.left, headers.right)) return [`it does not begin as ${csv.path} does`]
    if (read.rows !== file.rows) return [`${read.rows} rows, the manifest says ${file.rows}`]
    if (read.rows !== csv.rows) return [`${read.rows} rows, ${csv.path} has ${csv.rows}`]
    return [read.right, difference].filter((fault) => fault !== null)
  } finally {
    await plain.close()
  }
}

type Cells = readonly string[]

function isSame(a: Cells | undefined, b: Cells | undefined): boolean {
  return JSON.stringify(a) === JSON.stringify(b)
}

const SECOND = 1000
const FIRST_OF_EXCEL = Date.UTC(1900, 0)

/** Elsewhere a text may look like a time. */
const TIMES = timeColumns('ideas')

function isSameRow(left: Cells, right: Cells): boolean {
  const isSameAt = (cell: string, i: number): boolean =>
    TIMES.has(i) ? isSameTime(cell, right[i] ?? '') : cell === right[i]
  return left.length === right.length && left.every(isSameAt)
}

/** The form for Excel is read back, not made again: to the second, which it has cut. */
function isSameTime(plain: string, excel: string): boolean {
  const time = timeOf(plain)
  if (time === null) return plain === excel
  const isForm = /^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/.test(excel)
  return isForm && Date.parse(`${excel.replace(' ', 'T')}Z`) === Math.floor(time / SECOND) * SECOND
}

/** Null = no time that Excel knows. */
function timeOf(cell: string): number | null {
  if (cell.length !== '2026-11-22T20:20:31.089Z'.length || !cell.endsWith('Z')) return null
  const time = Date.parse(cell)
  if (!(time >= FIRST_OF_EXCEL)) return null
  return new Date(time).toISOString() === cell ? time : null
}

async function* withoutFirst<T, End>(
  batches: AsyncGenerator<readonly T[], End>,
  onFirst: (first: T | undefined) => void,
): AsyncGenerator<readonly T[], End> {
  for (let isFirst = true; ; isFirst = false) {
    const { done, value } = await batches.next()
    if (done === true) return value
    if (isFirst) onFirst(value[0])
    yield isFirst ? value.slice(1) : value
  }
}

/** Of UTF-16; what has no byte order mark begins with another cell. */
function asUtf8(next: () => Promise<Buffer | null>): () => Promise<Buffer | null> {
  const decoder = new StringDecoder(EXCEL_ENCODING)
  let isFirst = true
  return async () => {
    const piece = await next()
    if (piece === null) return null
    const text = decoder.write(piece)
    if (!isFirst) return Buffer.from(text, 'utf8')
    isFirst = false
    return Buffer.from(text.startsWith(BYTE_ORDER_MARK) ? text.slice(1) : `no byte order mark${text}`, 'utf8')
  }
}
