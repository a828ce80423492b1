// Owns the manifest: its shape, the release id that follows from its list, reading it back. Touches no file.
import { createHash } from 'node:crypto'
import { CODING_SUFFIX, CODINGS, type Coding } from './coding.ts'

export interface ManifestFile {
  readonly path: string
  readonly bytes: number
  /** Of the file's bytes, hex. */
  readonly sha256: string
  /** Of the document without its times (contract/documents.ts), hex; of the bytes for CSV. */
  readonly contentHash: string
  /** Rows of an export, categories or ideas in a list; null where there is no list. */
  readonly rows: number | null
  /** The compressed siblings, `<path>.gz` and `<path>.br`; null (or absent, in older releases) = there is none. */
  readonly gzip?: CodedFile | null
  readonly br?: CodedFile | null
}

export interface CodedFile {
  readonly bytes: number
  readonly sha256: string
}

/** What is needed to read a file and to know that it is the right one. */
export type FileBytes = Pick<ManifestFile, 'path' | 'bytes' | 'sha256'>

/** A sibling as a file of its own; null = there is none. */
export function siblingOf(file: ManifestFile, coding: Coding): FileBytes | null {
  const coded = file[coding]
  return coded == null ? null : { path: `${file.path}${CODING_SUFFIX[coding]}`, ...coded }
}

/** Every file of a release but the manifest: snapshots and their siblings. */
export function filesOf(manifest: Manifest): FileBytes[] {
  return manifest.files.flatMap((file) => [file, ...CODINGS.flatMap((coding) => siblingOf(file, coding) ?? [])])
}

export interface ManifestTotals {
  readonly users: number
  readonly ideas: number
  readonly votes: number
  readonly comments: number
  readonly launchedIdeas: number
  readonly categories: number
}

export interface Manifest {
  readonly id: string
  readonly dataAsOf: string
  readonly generatedAt: string
  /** dataAsOf + the declared cadence. */
  readonly nextUpdateAt: string
  readonly version: string
  readonly options: { readonly voteWeight: number; readonly commentWeight: number; readonly topCategories: number }
  /** sha256 over text and parameters, which are themselves never published. */
  readonly mapping: { readonly name: string; readonly sha256: string }
  readonly source: { readonly replayLagMs: number | null; readonly rowSecurity: 'off' | 'apply' }
  readonly rows: ManifestTotals
  readonly ignored: readonly { readonly relation: string; readonly reason: string; readonly rows: number }[]
  /** Published names in name order, with the key that stands for each in paths. */
  readonly categories: readonly { readonly name: string; readonly key: string }[]
  readonly files: readonly ManifestFile[]
}

export const MANIFEST_NAME = 'manifest.json'

/** `<YYYYMMDD>T<HHMMSSmmm>Z-<8 hex>`: sorts by time; the hash is over the sorted (path, content hash) list. */
export function releaseId(dataAsOf: string, files: readonly ManifestFile[]): string {
  const hash = createHash('sha256')
  for (const line of files.map((file) => `${file.path}\t${file.contentHash}\n`).sort()) hash.update(line)
  return `${dataAsOf.replaceAll(/[-:.]/g, '')}-${hash.digest('hex').slice(0, 8)}`
}

export const RELEASE_ID: RegExp = /^\d{8}T\d{9}Z-[0-9a-f]{8}$/

/** Of all snapshots and their siblings together. */
export function totalBytes(files: readonly ManifestFile[]): number {
  return files.reduce((sum, { bytes, gzip, br }) => sum + bytes + (gzip?.bytes ?? 0) + (br?.bytes ?? 0), 0)
}

export function manifestText(manifest: Manifest): string {
  return `${JSON.stringify(manifest)}\n`
}

/** The manifest, or a sentence that says what is wrong with the text. */
export function parseManifest(text: string): Manifest | string {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch (error) {
    return `it is not JSON: ${(error as Error).message}`
  }
  const manifest = value as Manifest
  const wrong = firstWrong(manifest)
  if (wrong !== null) return `its ${wrong} is missing or of the wrong type`
  const twice = firstTwice(manifest.files.map((file) => file.path))
  if (twice !== null) return `it lists ${twice} twice`
  const id = releaseId(manifest.dataAsOf, manifest.files)
  return id === manifest.id ? manifest : `its list of files gives the id ${id}, but it says ${manifest.id}`
}

const HEX = /^[0-9a-f]{64}$/
const TOTALS = [
  'users',
  'ideas',
  'votes',
  'comments',
  'launchedIdeas',
  'categories',
] as const satisfies (keyof ManifestTotals)[]

function firstWrong(manifest: Manifest): string | null {
  if (typeof manifest !== 'object' || manifest === null) return 'object'
  for (const key of ['dataAsOf', 'generatedAt', 'nextUpdateAt'] as const) if (!isInstant(manifest[key])) return key
  if (typeof manifest.id !== 'string' || typeof manifest.version !== 'string') return 'id or version'
  if (typeof manifest.mapping?.name !== 'string' || typeof manifest.mapping.sha256 !== 'string') return 'mapping'
  // The gate computes with them: undefined would be NaN, which no comparison refuses.
  if (!TOTALS.every((key) => isCount(manifest.rows?.[key]))) return 'rows'
  if (!Array.isArray(manifest.categories) || !manifest.categories.every(isCategory)) return 'categories'
  if (!Array.isArray(manifest.files) || !manifest.files.every(isFile)) return 'files'
  return null
}

function isInstant(value: unknown): boolean {
  const timeMs = typeof value === 'string' ? Date.parse(value) : Number.NaN
  return !Number.isNaN(timeMs) && new Date(timeMs).toISOString() === value
}

function isCount(value: unknown): boolean {
  return Number.isSafeInteger(value) && (value as number) >= 0
}

function firstTwice(paths: readonly string[]): string | null {
  const seen = new Set<string>()
  return paths.find((path) => seen.size === seen.add(path).size) ?? null
}

function isCategory(value: unknown): boolean {
  const { name, key } = (value ?? {}) as { name?: unknown; key?: unknown }
  return typeof name === 'string' && typeof key === 'string'
}

// No segment may begin with a dot: a manifest must not lead out of its release.
const PATH = /^(?:[a-z0-9-][a-z0-9.-]*\/)*[a-z0-9-][a-z0-9.-]*$/

function isFile(value: unknown): boolean {
  const { path, bytes, sha256, contentHash, rows, gzip, br } = (value ?? {}) as Record<string, unknown>
  return (
    typeof path === 'string' &&
    PATH.test(path) &&
    isCount(bytes) &&
    (rows === null || isCount(rows)) &&
    typeof sha256 === 'string' &&
    HEX.test(sha256) &&
    typeof contentHash === 'string' &&
    HEX.test(contentHash) &&
    [gzip, br].every((coded) => coded == null || isCoded(coded))
  )
}

function isCoded(value: unknown): boolean {
  const { bytes, sha256 } = value as Record<string, unknown>
  return isCount(bytes) && typeof sha256 === 'string' && HEX.test(sha256)
}
