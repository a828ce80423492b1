// Owns what is to be done so that a bucket shows the release that is current here: which objects, in which order, with which
// headers, and which go. Pure: sends nothing, reads no file.
import { extname } from 'node:path'
import { siteKindOf } from '../../contract/site-paths.ts'
import { listing } from '../../contract/snapshot-paths.ts'
import { nullIfThrown } from '../../process/null-if-thrown.ts'
import { programVersion } from '../../process/package-root.ts'
import { short } from '../../process/printable.ts'
import { LOG_NAME } from '../format/day-log.ts'
import { filesOf, MANIFEST_NAME, MONTH, RELEASE_ID, type FileBytes, type Manifest } from '../format/manifest.ts'
import { cacheControlOf, mediaTypeOf } from '../format/served-files.ts'
import type { HeaderFields } from './bucket.ts'
import type { AnswerHeaders, ListedObject } from './s3-client.ts'

/** A release of the folder, or the archive of a month, by the name of its folder. */
export interface LocalRelease {
  readonly name: string
  readonly manifest: Manifest
  /** Its manifest as a file. */
  readonly file: FileBytes
  /** Its manifest is there, and with it, which came before, its files. */
  readonly isThere: boolean
}

export type Pointer = Readonly<ReturnType<typeof pointerOf>>

export interface Situation {
  readonly current: LocalRelease
  readonly months: readonly LocalRelease[]
  /** The log of days; null = there is none, as of a closed site. */
  readonly log: (FileBytes & { readonly text: string; readonly md5: string }) | null
  /** All ids of the folder. */
  readonly local: readonly string[]
  readonly objects: ReadonlyMap<string, ListedObject>
  readonly nowMs: number
  readonly pointer: Pointer
  /** Whether older releases are removed at once, however young they are. */
  readonly atOnce: boolean
}

/** An object that is to be there: a file of a folder. */
export interface Put {
  readonly name: string
  readonly file: FileBytes
  readonly key: string
  /** The key of which it is a copy; null = the file is sent. */
  readonly from: string | null
  readonly headers: HeaderFields
  /** Whether it is written whatever is there; otherwise an object that is the same stays. */
  readonly anew: boolean
}

/** How long a release stays when it is no longer current: `max-age` of its files, which SECURITY.md promises. */
const GRACE_MS = 3_600_000
export const LOG_KEY = `snapshots/${LOG_NAME}`
export const POINTER_KEY = `snapshots/current/${MANIFEST_NAME}`
const ABOUT = 'x-amz-meta-analytics-'
const ID = `${ABOUT}id`
const PROGRAM = `${ABOUT}program`
/** The title is percent-encoded, and cut: stores take 2 KB of all such headers together. */
const TITLE = `${ABOUT}title`
const TITLE_CHARACTERS = 60
/** A header on every object of this program. */
export const MARK = `${ABOUT}sha256`
/** Without Content-Encoding: their bytes are what the manifest says of them. */
const SIBLING_TYPES: HeaderFields = { '.gz': 'application/gzip', '.br': 'application/octet-stream' }

const RELEASES = 'snapshots/releases/'
export const keyOf = (name: string, path: string): string => `${RELEASES}${name}/${path}`

export function planOf(situation: Situation) {
  const { current, months, log, pointer, objects } = situation
  const put = (name: string, file: FileBytes, key = keyOf(name, file.path), from: string | null = null): Put => ({
    name,
    file,
    key,
    from,
    headers: {
      'content-type': SIBLING_TYPES[extname(file.path)] ?? mediaTypeOf(file.path),
      // Elsewhere another release will be.
      'cache-control': cacheControlOf(file.path, key.startsWith(RELEASES) ? name : null),
      [MARK]: file.sha256,
    },
    anew: false,
  })
  const anew = (one: Put): Put => ({ ...one, anew: true })
  // Another version may give its files other headers; an upload that has not ended may have left anything.
  const isOfThisVersion = pointer.program === programVersion()
  const shown = isOfThisVersion && pointer.sha256 === current.file.sha256 && current.isThere
  const all = [current, ...months]
  const manifestOf = ({ name, file }: LocalRelease): Put => anew(put(name, file))
  const copyOf = (file: FileBytes): Put => put(current.name, file, file.path, keyOf(current.name, file.path))
  const copies = [...current.manifest.files, current.file].map(copyOf)
  const hasItsSize = ({ key, file }: Put): boolean => objects.get(key)?.bytes === file.bytes
  // An ETag need not be the same of both: where keys of the store's owner encrypt, no two are.
  const due = copies
    .filter((one) => !shown || !hasItsSize(one) || isLate(one, objects))
    .map(isOfThisVersion ? (one) => one : anew)
  const stageOf = ({ file }: Put): number => (file === current.file ? 2 : Number(file.path.endsWith('.html')))
  // The manifest of the one that is current until now is written again as it is: its time says when it was replaced.
  const { id, sha256 } = pointer
  const isReplaced = id && sha256 && !shown && id !== current.name && objects.has(keyOf(id, MANIFEST_NAME))
  // It is beside the releases.
  const logs = log === null ? [] : [put('..', log, LOG_KEY)]
  const target = put(current.name, current.file, POINTER_KEY)
  const claim = { ...target, headers: { ...target.headers, ...aboutOf(current) } }
  const files = all.flatMap(({ name, manifest }) => Array.from(filesOf(manifest), (file) => put(name, file)))
  const whole = new Set(all.filter(({ isThere }) => isThere).map(({ name }) => name))
  const named = [...files, ...all.map(manifestOf), ...copies, ...logs]
  return {
    /**
     * One after the other; what is in one may go at the same time. The pointer, in steps of its own, comes after what it names and
     * before the site, which two builders must not write, and once more after it.
     */
    steps: [
      files.filter((one) => !whole.has(one.name) || !hasItsSize(one)),
      all.filter(({ name }) => !whole.has(name)).map(manifestOf),
      isReplaced ? [anew(put(id, { path: MANIFEST_NAME, bytes: 0, sha256 }, undefined, keyOf(id, MANIFEST_NAME)))] : [],
      shown ? [] : [claim],
      // Pages after what they use, and the manifest after all.
      ...[0, 1, 2].map((stage) => due.filter((one) => stageOf(one) === stage)),
      shown && due.length === 0 ? [] : [{ ...claim, headers: { ...claim.headers, [PROGRAM]: programVersion() } }],
      logs,
    ],
    /** The smallest file below releases/: whether the store knows conditions is tried with it. */
    probe: files.reduce((least, one) => (one.file.bytes < least.file.bytes ? one : least), manifestOf(current)),
    /** What is not below releases/ only if this program has put it there. */
    removals: removalsOf(situation, new Set(named.map(({ key }) => key))),
  }
}

/**
 * The pointer says last that all is there: what came later, an upload that had been paused wrote. Not all clocks of a store are the
 * same, so that what is as it should be may look late.
 */
function isLate({ key, from }: Put, objects: Situation['objects']): boolean {
  const [page, end, source] = [key, POINTER_KEY, from ?? key].map((one) => objects.get(one))
  return page !== undefined && end !== undefined && page.writtenMs > end.writtenMs && page.etag !== source?.etag
}

/** What a pointer says of a release. */
function aboutOf({ name, manifest }: LocalRelease): HeaderFields {
  const title = Array.from(manifest.options.site?.title ?? '')
    .slice(0, TITLE_CHARACTERS)
    .join('')
  return { [ID]: name, ...(title === '' ? {} : { [TITLE]: encodeURIComponent(title) }) }
}

/**
 * What the object says that proxies read; null = not that, as one of another program. `program` is there once the site is complete.
 * @param headers null = it is not there
 */
export function pointerOf(headers: AnswerHeaders | null) {
  const said = (name: string): string | null => headers?.[name] ?? null
  const etag = said('etag')?.replace(/^W\//, '')
  const same: HeaderFields = etag ? { 'if-match': etag } : {}
  /** The headers with which it is replaced only if nobody else has done so; none where the store tells no ETag. */
  const condition: HeaderFields = headers ? same : { 'if-none-match': '*' }
  const encoded = said(TITLE)
  const title = encoded && nullIfThrown(() => short(decodeURIComponent(encoded), TITLE_CHARACTERS))
  // It becomes a part of keys.
  const id = RELEASE_ID.exec(said(ID) ?? '')?.[0] ?? null
  return { condition, isThere: headers !== null, sha256: said(MARK), id, program: said(PROGRAM), title }
}

const BELOW_RELEASES = /^snapshots\/releases\/([^/]+)\/(.+)$/

/** The name of the folder below releases/; '' = it is not there. */
export function releaseIn(key: string): string {
  return BELOW_RELEASES.exec(key)?.[1] ?? ''
}

/** What is there of releases of these names. The manifest of each comes last. */
export function keysBelow(names: ReadonlySet<string>, objects: Situation['objects']): string[] {
  const keys = [...objects.keys()].filter((key) => names.has(releaseIn(key)))
  const isManifest = (key: string): number => Number(key.endsWith(`/${MANIFEST_NAME}`))
  return keys.sort((a, b) => isManifest(a) - isManifest(b))
}

/** @param named what stays */
function removalsOf(situation: Situation, named: ReadonlySet<string>): string[] {
  const { current, local, objects, nowMs, pointer, atOnce } = situation
  const isOld = (id: string, writtenMs: number): boolean => {
    if (id === current.name || atOnce) return true
    const since = objects.get(keyOf(id, MANIFEST_NAME))?.writtenMs
    if (id === pointer.id || (since !== undefined && local.includes(id))) return false
    return nowMs - (since ?? writtenMs) > GRACE_MS
  }
  const goes = ([key, { writtenMs }]: [string, ListedObject]): boolean => {
    const [, name] = BELOW_RELEASES.exec(key) ?? []
    if (named.has(key)) return false
    if (name === undefined) return key === LOG_KEY || siteKindOf(key) !== null || listing(key) !== undefined
    return MONTH.test(name) || (RELEASE_ID.test(name) && isOld(name, writtenMs))
  }
  return [...objects].filter(goes).map(([key]) => key)
}
