// Owns what is to be done so that a bucket shows the release that is current here: which objects, in which order, with which
// headers, and which go. Pure: sends nothing, reads no file.
import { extname } from 'node:path'
import { siteKindOf } from '../../contract/site-paths.ts'
import { listing } from '../../contract/snapshot-paths.ts'
import { programVersion } from '../../process/package-root.ts'
import { LOG_NAME } from '../format/day-log.ts'
import { filesOf, MANIFEST_NAME, MONTH, RELEASE_ID, type FileBytes, type Manifest } from '../format/manifest.ts'
import { cacheControlOf, mediaTypeOf } from '../format/served-files.ts'
import { headerText, type FetchedHeaders } from '../reading/http-fetch.ts'
import type { Fields } from './s3-client.ts'

/** A release of the folder, or the archive of a month, by the name of its folder. */
export interface LocalRelease {
  readonly name: string
  readonly manifest: Manifest
  /** Of its manifest. */
  readonly file: FileBytes
  /** Its manifest is there, and with it, which came before, its files. */
  readonly isThere: boolean
}

/** Of the object that proxies read; null = there is none, or of another program. `program` is there once the site shows it, too. */
export interface Pointer extends Readonly<Record<'id' | 'program' | 'sha256', string | null>> {
  /** That nobody else has replaced it. Of a store that tells no ETag there is none. */
  readonly condition: Fields
}

export interface Situation {
  readonly current: LocalRelease
  readonly months: readonly LocalRelease[]
  /** The log of days; null = there is none, as of a closed site. */
  readonly log: FileBytes | null
  /** All ids of the folder. */
  readonly local: readonly string[]
  /** When what is there was written, by the clock of the store. */
  readonly objects: ReadonlyMap<string, number>
  /** In bytes: what has another than its file is not there. */
  readonly sizes: Pick<ReadonlyMap<string, number>, 'get'>
  readonly nowMs: number
  readonly pointer: Pointer
  /** Nothing else stays, however young. */
  readonly atOnce: boolean
}

/** An object that is to be there: a file of a folder. */
export interface Put {
  readonly name: string
  readonly file: FileBytes
  readonly key: string
  /** The key of which it is a copy; null = the file is sent. */
  readonly from: string | null
  readonly headers: Fields
  /** Whatever is there; else what is there stays if it is the same. */
  readonly anew: boolean
}

export interface Plan {
  /**
   * One after the other; what is in one may go at the same time. The pointer, in steps of its own, comes after what it names and
   * before the site, which two builders must not write, and once more after it.
   */
  readonly steps: readonly (readonly Put[])[]
  /** The smallest file below releases/: whether the store knows conditions is tried with it. */
  readonly probe: Put
  /** What is not below releases/ only if this program has put it there. */
  readonly removals: readonly string[]
}

/** How long a release stays when it is no longer current: `max-age` of its files, which SECURITY.md promises. */
const GRACE_MS = 3_600_000
const LOG_KEY = `snapshots/${LOG_NAME}`
export const POINTER_KEY = `snapshots/current/${MANIFEST_NAME}`
const ABOUT = 'x-amz-meta-analytics-'
const ID = `${ABOUT}id`
const PROGRAM = `${ABOUT}program`
/** On every object of this program. */
export const MARK = `${ABOUT}sha256`
/** Without Content-Encoding: their bytes are what the manifest says of them. */
const SIBLING_TYPES: Fields = { '.gz': 'application/gzip', '.br': 'application/octet-stream' }

const RELEASES = 'snapshots/releases/'
export const keyOf = (name: string, path: string): string => `${RELEASES}${name}/${path}`

export function planOf(situation: Situation): Plan {
  const { current, months, log, pointer, objects, sizes } = situation
  const hasWhole = ({ key, file }: Put): boolean => objects.has(key) && sizes.get(key) === file.bytes
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
  // An ETag need not be the same of both: where keys of the store's owner encrypt, no two are.
  const due = copies.filter((one) => !shown || !hasWhole(one)).map(isOfThisVersion ? (one) => one : anew)
  const stageOf = ({ file }: Put): number => (file === current.file ? 2 : Number(file.path.endsWith('.html')))
  // The manifest of the one that is current until now is written again as it is: its time says when it was replaced.
  const { id, sha256 } = pointer
  const isReplaced = id && sha256 && !shown && id !== current.name && objects.has(keyOf(id, MANIFEST_NAME))
  // It is beside the releases.
  const logs = log === null ? [] : [put('..', log, LOG_KEY)]
  const target = put(current.name, current.file, POINTER_KEY)
  const claim = { ...target, headers: { ...target.headers, [ID]: current.name } }
  const files = all.flatMap(({ name, manifest }) => Array.from(filesOf(manifest), (file) => put(name, file)))
  const whole = new Set(all.filter(({ isThere }) => isThere).map(({ name }) => name))
  const named = [...files, ...all.map(manifestOf), ...copies, ...logs]
  return {
    steps: [
      files.filter((one) => !whole.has(one.name) || !hasWhole(one)),
      all.filter(({ name }) => !whole.has(name)).map(manifestOf),
      isReplaced ? [anew(put(id, { path: MANIFEST_NAME, bytes: 0, sha256 }, undefined, keyOf(id, MANIFEST_NAME)))] : [],
      shown ? [] : [claim],
      // Pages after what they use, and the manifest after all.
      ...[0, 1, 2].map((stage) => due.filter((one) => stageOf(one) === stage)),
      shown ? [] : [{ ...claim, headers: { ...claim.headers, [PROGRAM]: programVersion() } }],
      logs,
    ],
    probe: files.reduce((least, one) => (one.file.bytes < least.file.bytes ? one : least), manifestOf(current)),
    removals: removalsOf(situation, new Set(named.map(({ key }) => key))),
  }
}

/** @param headers null = it is not there */
export function pointerOf(headers: FetchedHeaders | null): Pointer {
  const said = (name: string): string | null => headerText(headers ?? {}, name) ?? null
  const etag = said('etag')?.replace(/^W\//, '')
  const same: Fields = etag ? { 'if-match': etag } : {}
  const condition: Fields = headers ? same : { 'if-none-match': '*' }
  return { condition, sha256: said(MARK), id: said(ID), program: said(PROGRAM) }
}

const BELOW_RELEASES = /^snapshots\/releases\/([^/]+)\/(.+)$/

/** @param named what stays */
function removalsOf(situation: Situation, named: ReadonlySet<string>): string[] {
  const { current, local, objects, nowMs, pointer, atOnce } = situation
  const isOld = (id: string, writtenMs: number): boolean => {
    if (id === current.name || atOnce) return true
    const since = objects.get(keyOf(id, MANIFEST_NAME))
    if (id === pointer.id || (since !== undefined && local.includes(id))) return false
    return nowMs - (since ?? writtenMs) > GRACE_MS
  }
  const goes = ([key, writtenMs]: [string, number]): boolean => {
    const [, name] = BELOW_RELEASES.exec(key) ?? []
    if (named.has(key)) return false
    if (name === undefined) return key === LOG_KEY || siteKindOf(key) !== null || listing(key) !== undefined
    return MONTH.test(name) || (RELEASE_ID.test(name) && isOld(name, writtenMs))
  }
  return [...objects].filter(goes).map(([key]) => key)
}
