// Owns what one file of a release must be by itself: a document of its combination and instant, a CSV of its JSON's rows.
// Pure: text in, sentences out. Reads no file.
import { contentHash, EXPORT_COLUMNS, TEXT_COLUMNS } from '../contract/documents.ts'
import type { ExportType } from '../contract/endpoints.ts'
import type { Combination } from '../contract/snapshot-paths.ts'
import { countRecords, csvRecords } from './csv-records.ts'
import type { Manifest, ManifestFile } from './manifest.ts'

export type ParsedDocument = Readonly<Record<string, unknown>>

/** The document, or a sentence that says why it is none. */
export function parseDocument(text: string): ParsedDocument | string {
  try {
    const value = JSON.parse(text) as ParsedDocument | null
    return typeof value === 'object' && value !== null ? value : 'it is not an object'
  } catch (error) {
    return `it is not JSON: ${(error as Error).message}`
  }
}

/** @param combination what the path of the file stands for; null = nothing */
export function documentFaults(
  document: ParsedDocument,
  file: Pick<ManifestFile, 'contentHash' | 'rows'>,
  combination: Combination | null,
  { generatedAt, dataAsOf }: Pick<Manifest, 'generatedAt' | 'dataAsOf'>,
): string[] {
  const { version: _, ...hashed } = document
  const faults = contentHash(hashed) === file.contentHash ? [] : ['its content hash is not the manifest’s']
  const says: Readonly<Record<string, unknown>> = {
    generatedAt,
    ...('dataAsOf' in document && { dataAsOf }),
    ...('to' in document && { to: dataAsOf }),
    ...aboutOf(combination),
  }
  for (const [key, expected] of Object.entries(says))
    if (document[key] !== expected) faults.push(`its ${key} is ${String(document[key])}`)
  const rows = listIn(document)?.length ?? null
  if (file.rows !== null && rows !== file.rows) faults.push(`${rows} rows, the manifest says ${file.rows}`)
  for (const key of ['count', 'rowCount'])
    if (key in document && document[key] !== rows) faults.push(`its ${key} is ${String(document[key])} of ${rows} rows`)
  return faults
}

/** What a document repeats of its combination. */
function aboutOf(combination: Combination | null): ParsedDocument {
  if (combination === null || combination.endpoint === 'stats') return {}
  const { period } = combination
  if (combination.endpoint === 'trending') return { period, category: combination.category }
  return combination.endpoint === 'export' ? { period, type: combination.type } : { period }
}

function listIn(document: ParsedDocument): readonly unknown[] | null {
  const list = document['data'] ?? document['ideas'] ?? document['categories'] ?? null
  return Array.isArray(list) ? list : null
}

/** Holds a CSV against the rows of its JSON, cell by cell; one sentence, for the first that differs. */
export function csvFaults(type: ExportType, document: ParsedDocument, csv: string): string[] {
  const rows = (listIn(document) ?? []) as readonly ParsedDocument[]
  // Another number of rows is said by who holds the counts against each other.
  if (countRecords(csv) - 1 !== rows.length) return []
  const columns = EXPORT_COLUMNS[type]
  const records = csvRecords(csv)
  const header = records.next().value ?? []
  if (header.join() !== columns.join()) return [`its header is ${header.join()}, expected ${columns.join()}`]
  for (const [i, row] of rows.entries()) {
    const cells = records.next().value ?? []
    const keys = Object.keys(row)
    if (keys.join() !== columns.join()) return [`row ${i + 1} of its JSON has the keys ${keys.join()}`]
    const wrong = columns.findIndex((column, at) => !writes(cells[at], column, row[column]))
    if (wrong >= 0 || cells.length !== columns.length)
      return [`row ${i + 1}: ${columns[wrong] ?? 'the number of cells'} is not as in its JSON`]
  }
  return []
}

const RUNS = /^[=+\-@\t\r\uFF1D\uFF0B\uFF0D\uFF20]/u
const MAY_RUN = /[=+\-@\t\r\uFF1D\uFF0B\uFF0D\uFF20]/u
const DECIMAL = /^-?\d+(?:\.\d+)?$/

/**
 * Whether a cell says what the JSON's value does. Text that a spreadsheet would run has an apostrophe before it. What
 * cannot be seen before such text is judged by a finer rule, where CSV is written: either way is let pass here.
 */
function writes(cell: string | undefined, column: string, value: unknown): boolean {
  const text = value === null || value === undefined ? '' : typeof value === 'string' ? value : JSON.stringify(value)
  if (!TEXT_COLUMNS.has(column) || !MAY_RUN.test(text) || DECIMAL.test(text)) return cell === text
  return cell === `'${text}` || (cell === text && !RUNS.test(text))
}
