// Owns the manifest: its shape, its text, the release id that follows from its list. Touches no file.
import { createHash } from 'node:crypto'
import type { PeopleMode, PublishedCount } from '../../contract/people.ts'
import type { SiteOptions } from '../../contract/site-options.ts'
import { CODING_SUFFIX, CODINGS, type Coding } from './coding.ts'
import type { Yielding } from './yielding.ts'

export interface ManifestFile {
  readonly path: string
  readonly bytes: number
  /** Of the file's bytes, hex. */
  readonly sha256: string
  /** Of the document without its times (contract/document-text.ts), hex; absent = of the bytes: `contentHashOf`. */
  readonly contentHash?: string | undefined
  /** Rows of an export, categories or ideas in a list; null where there is no list. */
  readonly rows: number | null
  /** The compressed siblings, `<path>.gz` and `<path>.br`; absent (or null, in older releases) = there is none. */
  readonly gzip?: CodedFile | null | undefined
  readonly br?: CodedFile | null | undefined
}

export interface CodedFile {
  readonly bytes: number
  readonly sha256: string
}

/** What a reader needs to find and check a file. */
export type FileBytes = Pick<ManifestFile, 'path' | 'bytes' | 'sha256'>

/** Of a file that is read whole. */
export function fileBytesOf(path: string, content: string | Buffer): FileBytes {
  return { path, bytes: Buffer.byteLength(content), sha256: createHash('sha256').update(content).digest('hex') }
}

export function contentHashOf({ contentHash, sha256 }: Pick<ManifestFile, 'contentHash' | 'sha256'>): string {
  return contentHash ?? sha256
}

/** The compressed sibling of a file; null = there is none. */
export function siblingOf(file: ManifestFile, coding: Coding): FileBytes | null {
  const coded = file[coding]
  return coded == null ? null : { path: `${file.path}${CODING_SUFFIX[coding]}`, ...coded }
}

/** Every file of a release but the manifest: snapshots and their siblings. */
export function* filesOf({ files }: Pick<Manifest, 'files'>): Generator<FileBytes> {
  for (const file of files) {
    yield file
    yield* CODINGS.flatMap((coding) => siblingOf(file, coding) ?? [])
  }
}

export interface ManifestTotals {
  /** Numbers of people are published as `options.people` says. */
  readonly users: PublishedCount
  readonly ideas: number
  readonly votes: number
  readonly comments: number
  readonly launchedIdeas: number
  readonly categories: number
}

/** What a manifest says of the release's site besides its files. */
export interface SitePart {
  /** The paths of the assets that its own pages use; other assets are carried from releases before it. */
  readonly assets: readonly string[]
}

/** A release as the manifest of the next one names it. */
export interface NamedRelease {
  readonly id: string
  /** Of its manifest. */
  readonly bytes: number
  readonly sha256: string
}

export interface Manifest {
  readonly id: string
  readonly dataAsOf: string
  readonly generatedAt: string
  /** dataAsOf + the declared cadence. */
  readonly nextUpdateAt: string
  readonly version: string
  /** Of the program that made it. Not part of the id. */
  readonly programVersion: string
  /** Version of the IANA Time Zone Database by whose rules days were cut; absent with UTC, and where it was not known. */
  readonly timeZoneDatabase?: string | undefined
  readonly options: {
    readonly voteWeight: number
    readonly commentWeight: number
    readonly topCategories: number
    /** Absent without --site-url. */
    readonly siteUrl?: string
    readonly people: PeopleMode
    /** Absent = UTC. */
    readonly timeZone?: string
    /** Absent with --no-site. */
    readonly site?: SiteOptions
  }
  /** sha256 over the sections, blanks and comments aside, and their parameters, which are themselves never published. */
  readonly mapping: { readonly name: string; readonly sha256: string }
  readonly source: {
    readonly rowSecurity: 'off' | 'apply'
    /** Null for a primary, and for a standby whose lag is unknown. */
    readonly replayLagMs: number | null
    /** Present for a standby. */
    readonly standby?: true
  }
  /** The site is closed to visitors, and the release is empty. Absent for an open site. */
  readonly closed?: boolean
  /** Absent where the release has no site. */
  readonly site?: SitePart
  /** The months that have an archive, the newest first; absent where none has. */
  readonly months?: readonly string[]
  /** Of the archive of a month, whose folder has this name (`YYYY-MM`): what of its last release lists no idea. */
  readonly month?: string
  /** What became of categories of the release before, and where their ideas are now; absent = nothing that can be told. */
  readonly categoryChanges?: readonly { readonly kind: string; readonly into: readonly string[] }[]
  /** The release that was current before; absent for the first one, and of a closed site. */
  readonly previous?: NamedRelease
  readonly rows: ManifestTotals
  /** Rows of `users` are people. */
  readonly ignored: readonly { readonly relation: string; readonly reason: string; readonly rows: PublishedCount }[]
  /** Published names in name order, each with its key in paths. */
  readonly categories: readonly { readonly name: string; readonly key: string }[]
  readonly files: readonly ManifestFile[]
}

export const MANIFEST_NAME = 'manifest.json'

/** The name under which the demo's invented numbers are published. */
export const DEMO_MAPPING = 'demo'

const LINES_PER_STEP = 500

/**
 * `<YYYYMMDD>T<HHMMSSmmm>Z-<8 hex>`: sorts by time; the hash is over the list of path and content hash.
 * @param files sorted by their paths, as a staging lists them
 */
export function* releaseId(dataAsOf: string, files: readonly ManifestFile[]): Yielding<string> {
  const hash = createHash('sha256')
  for (let from = 0; from < files.length; from += LINES_PER_STEP) {
    const lines = files.slice(from, from + LINES_PER_STEP).map((file) => `${file.path}\t${contentHashOf(file)}\n`)
    hash.update(lines.join(''))
    yield
  }
  return `${dataAsOf.replaceAll(/[-:.]/g, '')}-${hash.digest('hex').slice(0, 8)}`
}

export const RELEASE_ID: RegExp = /^\d{8}T\d{9}Z-[0-9a-f]{8}$/
/** The folder of the archive of a month. */
export const MONTH: RegExp = /^\d{4}-(?:0[1-9]|1[0-2])$/
/** Either: what servers show of releases/. */
export const SERVED_FOLDER: RegExp = new RegExp(`${RELEASE_ID.source}|${MONTH.source}`)

/** The name below releases/. */
export function folderName({ id, month }: Pick<Manifest, 'id' | 'month'>): string {
  return month ?? id
}

/** When the data of a release was read, as its dataAsOf says. @param id that of a release */
export function readAt(id: string): string {
  return id.replace(/^(....)(..)(..T..)(..)(..)(...Z).*$/, '$1-$2-$3:$4:$5.$6')
}

export function readAtMs(id: string): number {
  return Date.parse(readAt(id))
}

/** Of all snapshots and their siblings together. */
export function totalBytes(files: readonly ManifestFile[]): number {
  return files.reduce((sum, { bytes, gzip, br }) => sum + bytes + (gzip?.bytes ?? 0) + (br?.bytes ?? 0), 0)
}

export function manifestText(manifest: Manifest): string {
  return `${JSON.stringify(manifest)}\n`
}

/** About 50 KiB: only a full garbage collection frees a string of more than 128 KiB. */
const FILES_PER_PIECE = 100

/** The same text in pieces, of a manifest whose list of files is its last key: 10,000 categories make 23 MB of it. */
export function* manifestPieces({ files, ...rest }: Manifest): Generator<string> {
  yield JSON.stringify({ ...rest, files: [] }).slice(0, -']}'.length)
  for (let from = 0; from < files.length; from += FILES_PER_PIECE) {
    const piece = JSON.stringify(files.slice(from, from + FILES_PER_PIECE)).slice(1, -1)
    yield from === 0 ? piece : `,${piece}`
  }
  yield ']}\n'
}
