// Owns validating one document: it is of its combination and its release. Pure: documents in, sentences out.
import { KINDS, type Combination } from '../../contract/kinds/register.ts'
import { exportEndMs } from '../../contract/people.ts'
import { timeZoneOf } from '../../contract/time-zone.ts'
import { writtenWindow } from '../../contract/windows.ts'
import type { ParsedDocument, ReadDocument } from './json-rows.ts'
import { contentHashOf, type Manifest, type ManifestFile } from '../format/manifest.ts'

/** @param combination of the path of the file; null = none */
export function documentFaults(
  { document, contentHash, rows: batched }: ReadDocument,
  file: Pick<ManifestFile, 'sha256' | 'contentHash' | 'rows'>,
  combination: Combination | null,
  { generatedAt, dataAsOf, version, options }: Pick<Manifest, 'generatedAt' | 'dataAsOf' | 'version' | 'options'>,
): string[] {
  const rows = batched ?? rowsIn(document, combination)
  const faults = contentHash === contentHashOf(file) ? [] : ['its content hash is not the manifest’s']
  const { from, to } = windowIn(combination, dataAsOf, options)
  const says: Readonly<Record<string, unknown>> = {
    generatedAt,
    version,
    ...('dataAsOf' in document && { dataAsOf }),
    ...('to' in document && { to }),
    ...('from' in document && { from }),
    ...aboutOf(combination, options),
  }
  for (const [key, expected] of Object.entries(says))
    if (document[key] !== expected) faults.push(`its ${key} is ${String(document[key])}`)
  if (file.rows !== null && rows !== file.rows) faults.push(`${rows} rows, the manifest says ${file.rows}`)
  // The count of a timeline is a rule of the gate, too.
  for (const key of combination?.endpoint === 'timeline' ? [] : ['count', 'rowCount'])
    if (key in document && document[key] !== rows) faults.push(`its ${key} is ${String(document[key])} of ${rows} rows`)
  return faults
}

/** Where they did not come in batches; null = it has none, or is of no combination. */
function rowsIn(document: ParsedDocument, combination: Combination | null): number | null {
  const list = combination === null ? null : document[KINDS[combination.endpoint].list ?? '']
  return Array.isArray(list) ? list.length : null
}

/** The window of a document: that of people may end earlier. */
function windowIn(combination: Combination | null, dataAsOf: string, options: Manifest['options']) {
  const asOfMs = Date.parse(dataAsOf)
  const toMs =
    combination?.endpoint === 'export'
      ? exportEndMs(combination.type, options.people, asOfMs, timeZoneOf(options))
      : asOfMs
  return writtenWindow(combination !== null && 'period' in combination ? combination.period : 'all', toMs)
}

/** What a document repeats of its combination. */
function aboutOf(combination: Combination | null, { timeZone }: Manifest['options']): ParsedDocument {
  // The members of a category's file repeat it.
  if (combination === null || combination.endpoint === 'category') return {}
  const { endpoint: _, ...about } = combination
  return 'format' in about ? { period: about.period, type: about.type, timeZone } : about
}
