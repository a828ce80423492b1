// Owns proving a release: every file re-read, hashed, parsed, and held against its neighbours. Changes nothing.
import { createHash } from 'node:crypto'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { combinationAt } from '../contract/snapshot-paths.ts'
import { CODINGS, type Coding } from './coding.ts'
import { crossCheck, missingAndSurplus } from './cross-check.ts'
import { countRecords } from './csv-records.ts'
import { csvFaults, documentFaults, parseDocument } from './examine.ts'
import { Figures } from './figures.ts'
import { filesOf, MANIFEST_NAME, siblingOf, type FileBytes, type Manifest, type ManifestFile } from './manifest.ts'
import { inPool } from './pool.ts'
import { ReleaseError } from './release-error.ts'

/** Where the files of one release come from: a folder, or a live base URL. */
export interface ReleaseReader {
  /** Whether compressed siblings can be read as they are: a server on the way may code as it likes. */
  readonly siblings: boolean
  manifest(): Promise<Manifest>
  read(file: FileBytes): Promise<Buffer>
  /** Every file that is there, relative to the release; only a folder can say. */
  paths?(): Promise<readonly string[]>
  /** What a server that may code as it likes sends to who accepts this coding; `coded` = it made use of that. */
  negotiate?(file: FileBytes, coding: Coding): Promise<{ readonly bytes: Buffer; readonly coded: boolean }>
}

export interface Verification {
  readonly id: string
  readonly files: number
  /** Of everything that was read: with siblings, where those can be. */
  readonly bytes: number
  /** Sentences, one a fault; empty = the release is whole. */
  readonly faults: readonly string[]
}

/** Larger files are looked at one at a time: parsed they take several times their size. */
const SMALL_BYTES = 1 << 20

export async function verifyRelease(reader: ReleaseReader): Promise<Verification> {
  const manifest = await reader.manifest()
  const verifier = new Verifier(reader, manifest)
  const listed = new Map(manifest.files.map((file) => [file.path, file]))
  // A CSV is looked at with its JSON, if that has one.
  const withCsv = manifest.files.map((file): Unit => {
    const csv = file.path.endsWith('.json') ? listed.get(csvPath(file.path)) : undefined
    return csv === undefined ? [file] : [file, csv]
  })
  const paired = new Set(withCsv.flatMap(([, csv]) => csv ?? []))
  const units = withCsv.filter(([file]) => !paired.has(file))
  await inPool(units.filter(isSmall), (unit) => verifier.examine(unit))
  for (const unit of units) if (!isSmall(unit)) await verifier.examine(unit)
  const faults = [
    ...missingAndSurplus(manifest),
    ...strays(await reader.paths?.(), manifest),
    ...manifest.files.flatMap((file) => verifier.faults.get(file) ?? []),
    ...crossCheck(verifier.figures, manifest),
  ]
  return { id: manifest.id, files: manifest.files.length, bytes: verifier.bytes, faults }
}

/** A web server would serve them like the others. */
function strays(paths: readonly string[] = [], manifest: Manifest): string[] {
  const known = new Set([MANIFEST_NAME, ...Array.from(filesOf(manifest), ({ path }) => path)])
  return paths.filter((path) => !known.has(path)).map((path) => `${path}: it is not in the manifest`)
}

/** A file, or a JSON export and its CSV. */
type Unit = readonly [file: ManifestFile, csv?: ManifestFile]

function csvPath(path: string): string {
  return path.replace(/\.json$/, '.csv')
}

function isSmall(unit: Unit): boolean {
  return unit.every((file) => (file?.bytes ?? 0) <= SMALL_BYTES)
}

class Verifier {
  readonly figures: Figures = new Figures()
  readonly faults = new Map<ManifestFile, string[]>()
  bytes = 0
  readonly #reader: ReleaseReader
  readonly #manifest: Manifest
  readonly #names: ReadonlyMap<string, string>

  constructor(reader: ReleaseReader, manifest: Manifest) {
    this.#reader = reader
    this.#manifest = manifest
    this.#names = new Map(manifest.categories.map(({ name, key }) => [key, name]))
  }

  async examine([file, csv]: Unit): Promise<void> {
    const text = await this.#text(file)
    const csvText = csv === undefined ? null : await this.#text(csv)
    if (csv !== undefined && csvText !== null) this.#csv(csv, csvText)
    if (text === null) return
    if (file.path.endsWith('.csv')) return this.#csv(file, text)
    const document = this.#json(file, text)
    if (document === null || csv === undefined || csvText === null) return
    const combination = this.#combinationOf(csv)
    if (combination?.endpoint === 'export')
      this.#note(csv, inFile(csv.path, csvFaults(combination.type, document, csvText)))
  }

  /** The file's text, when it and its siblings are what the manifest says; else null, and the faults are noted. */
  async #text(file: ManifestFile): Promise<string | null> {
    try {
      const content = await this.#reader.read(file)
      this.bytes += content.length
      const faults = sizeAndHash(file, content)
      this.#note(file, inFile(file.path, faults))
      if (faults.length > 0) return null
      this.#note(file, await this.#siblings(file, content))
      return content.toString('utf8')
    } catch (error) {
      if (!(error instanceof ReleaseError)) throw error
      this.#note(file, [error.message])
      return null
    }
  }

  /** A sibling is another way to write the same bytes. */
  async #siblings(file: ManifestFile, content: Buffer): Promise<string[]> {
    const faults: string[] = []
    for (const coding of CODINGS) {
      const sibling = siblingOf(file, coding)
      if (sibling === null) continue
      if (this.#reader.siblings) {
        const bytes = await this.#reader.read(sibling)
        this.bytes += bytes.length
        const found = sizeAndHash(sibling, bytes)
        if (found.length === 0 && !decodesTo(bytes, coding, content)) found.push('it does not decode to its snapshot')
        faults.push(...inFile(sibling.path, found))
      } else if (this.#reader.negotiate !== undefined) {
        const { bytes, coded } = await this.#reader.negotiate(file, coding)
        const same = coded ? decodesTo(bytes, coding, content) : bytes.equals(content)
        if (!same) faults.push(`${file.path}: asked for as ${coding}, it does not decode to what it is without`)
      }
    }
    return faults
  }

  #csv(file: ManifestFile, text: string): void {
    const faults = file.sha256 === file.contentHash ? [] : ['its content hash is not the manifest’s']
    if (!text.endsWith('\r\n')) faults.push('it does not end in CRLF')
    const rows = countRecords(text) - 1
    if (rows !== file.rows) faults.push(`${rows} rows, the manifest says ${file.rows}`)
    this.#note(file, inFile(file.path, faults))
    const combination = this.#combinationOf(file)
    if (combination?.endpoint === 'export') this.figures.rows(combination.type, combination.period, 'csv', rows)
  }

  #json(file: ManifestFile, text: string): Readonly<Record<string, unknown>> | null {
    const document = parseDocument(text)
    if (typeof document === 'string') {
      this.#note(file, inFile(file.path, [document]))
      return null
    }
    const combination = this.#combinationOf(file)
    this.#note(file, inFile(file.path, documentFaults(document, file, combination, this.#manifest)))
    if (combination !== null) this.figures.take(combination, document)
    return document
  }

  #combinationOf(file: ManifestFile): ReturnType<typeof combinationAt> {
    return combinationAt(file.path, (key) => this.#names.get(key))
  }

  #note(file: ManifestFile, faults: readonly string[]): void {
    const noted = this.faults.get(file) ?? []
    noted.push(...faults)
    this.faults.set(file, noted)
  }
}

function inFile(path: string, faults: readonly string[]): string[] {
  return faults.map((fault) => `${path}: ${fault}`)
}

const DECODE: Readonly<Record<Coding, (bytes: Buffer) => Buffer>> = { gzip: gunzipSync, br: brotliDecompressSync }

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
