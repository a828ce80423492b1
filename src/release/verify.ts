// Owns proving a release: every file re-read, hashed, parsed, and held against its neighbours. Changes nothing.
import { createHash } from 'node:crypto'
import { contentHash } from '../contract/documents.ts'
import { combinationAt, combinations, snapshotPath } from '../contract/snapshot-paths.ts'
import { gunzipSync, brotliDecompressSync } from 'node:zlib'
import { CODINGS, type Coding } from './coding.ts'
import { siblingOf, type FileBytes, type Manifest, type ManifestFile } from './manifest.ts'
import { ReleaseError } from './release-error.ts'

/** Where the files of one release come from: a folder, or a live base URL. */
export interface ReleaseReader {
  /** Whether compressed siblings can be read as they are: a server on the way may code as it likes. */
  readonly siblings: boolean
  manifest(): Promise<Manifest>
  read(file: FileBytes): Promise<Buffer>
}

export interface Verification {
  readonly id: string
  readonly files: number
  readonly bytes: number
  /** Sentences, one a fault; empty = the release is whole. */
  readonly faults: readonly string[]
}

export async function verifyRelease(reader: ReleaseReader): Promise<Verification> {
  const manifest = await reader.manifest()
  const faults = [...missingCombinations(manifest)]
  const rows = new Map<string, number>()
  let bytes = 0
  for (const file of manifest.files) {
    try {
      const content = await reader.read(file)
      bytes += content.length
      const found = examine(manifest, file, content)
      if (found.rows !== null) rows.set(file.path, found.rows)
      faults.push(...found.faults.map((fault) => `${file.path}: ${fault}`))
      if (reader.siblings) faults.push(...(await examineSiblings(reader, file, content)))
    } catch (error) {
      if (!(error instanceof ReleaseError)) throw error
      faults.push(error.message)
    }
  }
  for (const [path, count] of rows) {
    const csv = rows.get(path.replace(/\.json$/, '.csv'))
    if (csv !== undefined && csv !== count) faults.push(`${path}: ${count} rows, its CSV has ${csv}`)
  }
  return { id: manifest.id, files: manifest.files.length, bytes, faults }
}

function* missingCombinations(manifest: Manifest): Generator<string> {
  const listed = new Set(manifest.files.map((file) => file.path))
  for (const combination of combinations(manifest.categories.map(({ name }) => name))) {
    const path = snapshotPath(combination)
    if (!listed.has(path)) yield `${path}: not in the manifest`
  }
  const names = new Map(manifest.categories.map(({ name, key }) => [key, name]))
  for (const path of listed)
    if (combinationAt(path, (key) => names.get(key)) === null) yield `${path}: answers no combination`
}

const DECODE: Readonly<Record<Coding, (bytes: Buffer) => Buffer>> = { gzip: gunzipSync, br: brotliDecompressSync }

/** A sibling is another way to write the same bytes. */
async function examineSiblings(reader: ReleaseReader, file: ManifestFile, content: Buffer): Promise<string[]> {
  const faults: string[] = []
  for (const coding of CODINGS) {
    const sibling = siblingOf(file, coding)
    if (sibling === null) continue
    const bytes = await reader.read(sibling)
    const found = sizeAndHash(sibling, bytes)
    if (found.length === 0 && !decodesTo(bytes, coding, content)) found.push('it does not decode to its snapshot')
    faults.push(...found.map((fault) => `${sibling.path}: ${fault}`))
  }
  return faults
}

function decodesTo(bytes: Buffer, coding: Coding, content: Buffer): boolean {
  try {
    return DECODE[coding](bytes).equals(content)
  } catch {
    return false
  }
}

function sizeAndHash(file: FileBytes, content: Buffer): string[] {
  const faults: string[] = []
  if (content.length !== file.bytes) faults.push(`${content.length} bytes, the manifest says ${file.bytes}`)
  const sha256 = createHash('sha256').update(content).digest('hex')
  if (sha256 !== file.sha256) faults.push(`sha256 ${sha256}, the manifest says ${file.sha256}`)
  return faults
}

interface Examined {
  readonly rows: number | null
  readonly faults: readonly string[]
}

function examine(manifest: Manifest, file: ManifestFile, content: Buffer): Examined {
  const faults = sizeAndHash(file, content)
  if (faults.length > 0) return { rows: null, faults }
  const text = content.toString('utf8')
  const examined = file.path.endsWith('.csv') ? examineCsv(file, text) : examineJson(manifest, file, text)
  if (file.rows !== null && examined.rows !== file.rows)
    return { ...examined, faults: [...examined.faults, `${examined.rows} rows, the manifest says ${file.rows}`] }
  return examined
}

function examineCsv(file: ManifestFile, text: string): Examined {
  const faults = file.sha256 === file.contentHash ? [] : ['its content hash is not the manifest’s']
  if (!text.endsWith('\r\n')) faults.push('it does not end in CRLF')
  // A record ends at a CRLF outside quotes; an escaped quote is two, so counting quotes tells inside from outside.
  let records = 0
  let quotes = 0
  for (const part of text.split('\r\n').slice(0, -1)) {
    quotes += part.split('"').length - 1
    if (quotes % 2 === 0) records += 1
  }
  return { rows: records - 1, faults }
}

function examineJson(manifest: Manifest, file: ManifestFile, text: string): Examined {
  let document: Record<string, unknown> | null
  try {
    document = JSON.parse(text) as Record<string, unknown> | null
  } catch (error) {
    return { rows: null, faults: [`it is not JSON: ${(error as Error).message}`] }
  }
  if (typeof document !== 'object' || document === null) return { rows: null, faults: ['it is not an object'] }
  const faults: string[] = []
  const { version: _, ...hashed } = document
  if (contentHash(hashed) !== file.contentHash) faults.push('its content hash is not the manifest’s')
  if (document['generatedAt'] !== manifest.generatedAt)
    faults.push(`its generatedAt is ${String(document['generatedAt'])}`)
  for (const key of ['dataAsOf', 'to'])
    if (key in document && document[key] !== manifest.dataAsOf) faults.push(`its ${key} is ${String(document[key])}`)
  const list = document['data'] ?? document['ideas'] ?? document['categories'] ?? null
  return { rows: Array.isArray(list) ? list.length : null, faults }
}
