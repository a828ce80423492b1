// Owns the manifest: its shape, its text, the release id that follows from its list. Touches no file.
import { createHash, hash } from 'node:crypto'
import { PEOPLE_MODES, type PublishedCount } from '../../contract/people.ts'
import type { SiteOptions } from '../../contract/site-options.ts'
import type { Language } from '../../contract/site-paths.ts'
import { ianaName } from '../../contract/time-zone.ts'
import { isTimestamp } from '../../contract/timestamp.ts'
import { recordOf } from '../../model/record-of.ts'
import { CODING_SUFFIX, CODINGS, type Coding } from './coding.ts'
import * as json from './json-check.ts'
import type { Yielding } from './yielding.ts'

export const RELEASE_ID: RegExp = /^\d{8}T\d{9}Z-[0-9a-f]{8}$/
/** The folder of the archive of a month. */
export const MONTH: RegExp = /^\d{4}-(?:0[1-9]|1[0-2])$/
/** Servers show both of releases/. */
export const SERVED_FOLDER: RegExp = new RegExp(`${RELEASE_ID.source}|${MONTH.source}`)

const isHash = json.matching(/^[0-9a-f]{64}$/)

const CODED = { bytes: json.isCount, sha256: isHash }
export type CodedFile = json.ObjectOf<typeof CODED>

const isSibling = json.orNone(json.fields(CODED))

export const FILE_PARTS = {
  // No segment may begin with a dot: a manifest must not lead out of its release.
  path: json.matching(/^(?:[a-z0-9-][a-z0-9.-]*\/)*[a-z0-9-][a-z0-9.-]*$/),
  bytes: json.isCount,
  /** The hash of the file's bytes, in hex. */
  sha256: isHash,
  /** The hash of the document without its times (contract/document-text.ts), in hex; absent = it is `sha256`. See `contentHashOf`. */
  contentHash: json.orAbsent(isHash),
  /** Rows of an export, categories or ideas in a list; null where there is no list. */
  rows: json.nullOr(json.isCount),
  /** The compressed siblings, `<path>.gz` and `<path>.br`; absent (or null, in older releases) = there is none. */
  gzip: isSibling,
  br: isSibling,
}
export type ManifestFile = json.ObjectOf<typeof FILE_PARTS>

/** What a reader needs to find and check a file. */
export type FileBytes = Pick<ManifestFile, 'path' | 'bytes' | 'sha256'>

/** Describes a file from its whole content. */
export function fileBytesOf(path: string, content: string | Buffer): FileBytes {
  return { path, bytes: Buffer.byteLength(content), sha256: hash('sha256', content) }
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

const SITE_PARTS = {
  title: json.isText,
  languages: json.arrayOf(json.isText as json.Check<Language>),
  ...recordOf(['publicUrl', 'publisher', 'contact', 'license', 'accent', 'logo'], () => json.orNone(json.isText)),
} satisfies Record<keyof SiteOptions, unknown>

export const OPTION_PARTS = {
  voteWeight: json.isNumber,
  commentWeight: json.isNumber,
  topCategories: json.isNumber,
  /** Absent without --site-url. */
  siteUrl: json.orAbsent(json.isText),
  // The gate computes with them: undefined would become NaN, which passes every comparison.
  people: json.anyOf(PEOPLE_MODES),
  /** Absent = UTC. */
  timeZone: json.orAbsent(json.such(json.isText, (name) => ianaName(name) !== null)),
  /** Absent with --no-site. */
  site: json.orAbsent(json.fields(SITE_PARTS) as json.Check<SiteOptions>),
}

/** What is looked at besides options and files, in the order of the message. */
export const PARTS = {
  dataAsOf: isTimestamp,
  generatedAt: isTimestamp,
  /** dataAsOf + the declared cadence. */
  nextUpdateAt: isTimestamp,
  id: json.isText,
  version: json.isText,
  /** The version of the program that made the release. It is not part of the id. */
  programVersion: json.matching(/^[\w.+-]{1,64}$/),
  /** The commit that the program was compiled from; absent where that was not known. It is not part of the id. */
  programCommit: json.orAbsent(json.matching(/^[\w.+-]{1,64}$/)),
  /** Version of the IANA Time Zone Database by whose rules days were cut; absent with UTC, and where it was not known. */
  timeZoneDatabase: json.orAbsent(json.isText),
  /** sha256 over the sections, blanks and comments aside, and their parameters, which are themselves never published. */
  mapping: json.fields({ name: json.isText, sha256: json.isText }),
  /** The site is closed to visitors, and the release is empty. Absent for an open site. */
  // Anything but true and false must not be taken for open.
  closed: json.orAbsent(json.isFlag),
  /** `dataAsOf` of the release that closed it. */
  closedSince: json.orAbsent(isTimestamp),
  /** The months that have an archive, the newest first; absent where none has. */
  // 1,200: --keep-months is no more.
  months: json.orAbsent(json.arrayOf(json.matching(MONTH), 1200)),
  /** Only an archive has it: its month (`YYYY-MM`), which is also the name of its folder. */
  month: json.orAbsent(json.matching(MONTH)),
  /** What became of categories of the release before, and where their ideas are now; absent = nothing that can be told. */
  categoryChanges: json.orAbsent(json.arrayOf(json.fields({ kind: json.isText, into: json.arrayOf(json.isText) }))),
  /** The release that was current before, with the bytes of its manifest; absent in the first one, and where the site is closed. */
  previous: json.orAbsent(json.fields({ id: json.matching(RELEASE_ID), ...CODED })),
  /** Absent where the release has no site. `assets` are those that its own pages use; others are carried from releases before it. */
  site: json.orAbsent(json.fields({ assets: json.arrayOf(json.isText) })),
  rows: json.fields({
    /** Numbers of people are published as `options.people` says. */
    users: json.orNone(json.isCount) as json.Check<PublishedCount>,
    ideas: json.isCount,
    votes: json.isCount,
    comments: json.isCount,
    launchedIdeas: json.isCount,
    categories: json.isCount,
  }),
  /** Published names in name order, each with its key in paths. */
  categories: json.arrayOf(json.fields({ name: json.isText, key: json.isText })),
  source: json.fields({
    rowSecurity: json.anyOf(['off', 'apply']),
    /** Null for a primary, and for a standby whose lag is unknown. */
    replayLagMs: json.nullOr(json.isNumber),
    /** Present for a standby. */
    standby: json.orAbsent(json.anyOf([true])),
  }),
  /** Rows that are left out, or count without what is wrong. Rows of `users` are people. */
  ignored: json.arrayOf(
    json.fields({
      relation: json.isText,
      reason: json.isText,
      rows: json.nullOr(json.isCount),
    }),
  ),
}

export interface Manifest extends json.ObjectOf<typeof PARTS> {
  readonly options: json.ObjectOf<typeof OPTION_PARTS>
  readonly files: readonly ManifestFile[]
}

export type ManifestTotals = Manifest['rows']

/** How the manifest of the next release names this one. */
export type NamedRelease = NonNullable<Manifest['previous']>

/** What a manifest says of the release's site besides its files. */
export type SitePart = NonNullable<Manifest['site']>

export const MANIFEST_NAME = 'manifest.json'

/** The name under which the demo's invented numbers are published. */
export const DEMO_MAPPING = 'demo'

export const isDemo = (made: { readonly mapping: Pick<Manifest['mapping'], 'name'> } | null): boolean =>
  made?.mapping.name === DEMO_MAPPING

const LINES_PER_STEP = 500

/**
 * `<YYYYMMDD>T<HHMMSSmmm>Z-<8 hex>`: sorts by time; the hash is over the list of path and content hash.
 * @param files sorted by their paths, as a staging lists them
 */
export function* releaseId(dataAsOf: string, files: readonly ManifestFile[]): Yielding<string> {
  const digest = createHash('sha256')
  for (let from = 0; from < files.length; from += LINES_PER_STEP) {
    const lines = files.slice(from, from + LINES_PER_STEP).map((file) => `${file.path}\t${contentHashOf(file)}\n`)
    digest.update(lines.join(''))
    yield
  }
  return `${dataAsOf.replaceAll(/[-:.]/g, '')}-${digest.digest('hex').slice(0, 8)}`
}

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

/** The size of all snapshots and their siblings together. */
export function totalBytes(files: readonly ManifestFile[]): number {
  return files.reduce((sum, { bytes, gzip, br }) => sum + bytes + (gzip?.bytes ?? 0) + (br?.bytes ?? 0), 0)
}

export function manifestText(manifest: Manifest): string {
  return `${JSON.stringify(manifest)}\n`
}

/** About 50 KiB: only a full garbage collection frees a string of more than 128 KiB. */
const FILES_PER_PIECE = 100

/** The text of a manifest whose last key is its list of files, in pieces: with 10,000 categories it has 23 MB. */
export function* manifestPieces({ files, ...rest }: Manifest): Generator<string> {
  yield JSON.stringify({ ...rest, files: [] }).slice(0, -']}'.length)
  for (let from = 0; from < files.length; from += FILES_PER_PIECE) {
    const piece = JSON.stringify(files.slice(from, from + FILES_PER_PIECE)).slice(1, -1)
    yield from === 0 ? piece : `,${piece}`
  }
  yield ']}\n'
}
