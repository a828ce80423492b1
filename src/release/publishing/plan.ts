// Owns what is to be done so that a bucket shows the release that is current here: which objects, in which order, with which
// headers, and which go. Pure: sends nothing, reads no file.
import { extname } from 'node:path'
import { siteKindOf } from '../../contract/site-paths.ts'
import { listing } from '../../contract/snapshot-paths.ts'
import { programVersion } from '../../process/package-root.ts'
import { LOG_NAME } from '../format/day-log.ts'
import { filesOf, MANIFEST_NAME, MONTH, RELEASE_ID, type FileBytes, type Manifest } from '../format/manifest.ts'
import { cacheControlOf, mediaTypeOf } from '../format/served-files.ts'
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

/** Of the object that proxies read, and of the write that it is of; null = another program wrote it. */
export type Pointer = Readonly<Record<'etag' | 'id' | 'program' | 'sha256' | 'write', string | null>>

export interface Situation {
  readonly current: LocalRelease
  readonly months: readonly LocalRelease[]
  /** The log of days; null = there is none, as of a closed site. */
  readonly log: FileBytes | null
  /** All ids of the folder. */
  readonly local: readonly string[]
  /** When what is there was written, by the clock of the store. */
  readonly objects: ReadonlyMap<string, number>
  readonly nowMs: number
  readonly pointer: Pointer | null
  /** Nothing else stays, however young. */
  readonly atOnce: boolean
}

/** An object that is to be there: a file of a folder. Whose key is the path itself is a copy of that below releases/. */
export interface Put {
  readonly name: string
  readonly file: FileBytes
  readonly key: string
  readonly headers: Fields
  /** Whatever is there; else what is there stays if it is the same. */
  readonly anew: boolean
}

export interface Plan {
  /** One after the other; what is in one may go at the same time. */
  readonly steps: readonly (readonly Put[])[]
  /** The last one of all, with conditions; null = it says so already. */
  readonly pointer: Put | null
  /** The smallest of the steps: whether the store knows conditions is tried with it. */
  readonly probe: Put
  /** What is not below releases/ only if this program has put it there. */
  readonly removals: readonly string[]
}

/** How long a release stays when it is no longer current: `max-age` of its files, which SECURITY.md promises. */
const GRACE_MS = 3_600_000
const LOG_KEY = `snapshots/${LOG_NAME}`
export const POINTER_KEY = `snapshots/current/${MANIFEST_NAME}`
export const ABOUT = 'x-amz-meta-analytics-'
/** On every object of this program. */
export const MARK = `${ABOUT}sha256`
/** Without Content-Encoding: their bytes are what the manifest says of them. */
const SIBLING_TYPES: Fields = { '.gz': 'application/gzip', '.br': 'application/octet-stream' }

export const RELEASES = 'snapshots/releases/'
export const keyOf = (name: string, path: string): string => `${RELEASES}${name}/${path}`

export function planOf(situation: Situation): Plan {
  const { current, months, log, pointer, objects } = situation
  const put = (name: string, file: FileBytes, key = keyOf(name, file.path), anew = false): Put => ({
    name,
    file,
    key,
    headers: {
      'content-type': SIBLING_TYPES[extname(file.path)] ?? mediaTypeOf(file.path),
      // Elsewhere another release will be.
      'cache-control': cacheControlOf(file.path, key.startsWith(RELEASES) ? name : null),
      [MARK]: file.sha256,
    },
    anew,
  })
  // Another version may give its files other headers.
  const isOfThisVersion = pointer?.program === programVersion()
  const shown = isOfThisVersion && pointer.sha256 === current.file.sha256 && current.isThere
  const all = [current, ...months]
  const filesIn = ({ name, manifest }: LocalRelease): Put[] => Array.from(filesOf(manifest), (file) => put(name, file))
  const manifestOf = ({ name, file }: LocalRelease, key?: string): Put => put(name, file, key, true)
  const copyOf = (file: FileBytes): Put => put(current.name, file, file.path, !isOfThisVersion)
  const copies = current.manifest.files.map(copyOf)
  // An ETag need not be the same of both: where keys of the store's owner encrypt, no two are.
  const isDue = ({ key }: Put): boolean => !shown || !objects.has(key)
  const due = copies.filter(isDue)
  const isPage = ({ key }: Put): boolean => key.endsWith('.html')
  // It is beside the releases.
  const logs = log === null ? [] : [put('..', log, LOG_KEY)]
  const named = [...all.flatMap(filesIn), ...all.map((one) => manifestOf(one)), ...copies, ...logs]
  return {
    steps: [
      all.flatMap((one) => filesIn(one).filter(({ key }) => !one.isThere || !objects.has(key))),
      months.filter(({ isThere }) => !isThere).map((month) => manifestOf(month)),
      due.filter((copy) => !isPage(copy)),
      // After what they use.
      due.filter(isPage),
      // That of a release which becomes current again is written again: its time says when.
      shown ? [] : [manifestOf(current)],
      [copyOf(current.file)].filter(isDue),
      logs,
    ],
    pointer: shown ? null : manifestOf(current, POINTER_KEY),
    probe: copies.toSorted((a, b) => a.file.bytes - b.file.bytes)[0] ?? copyOf(current.file),
    removals: removalsOf(situation, new Set(named.map(({ key }) => key))),
  }
}

const BELOW_RELEASES = /^snapshots\/releases\/([^/]+)\/(.+)$/

/** @param named what stays */
function removalsOf(situation: Situation, named: ReadonlySet<string>): string[] {
  const { current, local, objects, nowMs, pointer, atOnce } = situation
  const becameMs = [...objects].flatMap(([key, ms]) => {
    const [, id = '', path] = BELOW_RELEASES.exec(key) ?? []
    return path === MANIFEST_NAME && RELEASE_ID.test(id) ? ms : []
  })
  const isOld = (id: string, writtenMs: number): boolean => {
    if (id === current.name || atOnce) return true
    const since = objects.get(keyOf(id, MANIFEST_NAME))
    if (id === pointer?.id || (since !== undefined && local.includes(id))) return false
    // When the next one became current; of what never did, when it was written.
    const leftMs = since === undefined ? writtenMs : Math.min(...becameMs.filter((ms) => ms > since))
    return nowMs - leftMs > GRACE_MS
  }
  const goes = ([key, writtenMs]: [string, number]): boolean => {
    const [, name] = BELOW_RELEASES.exec(key) ?? []
    if (named.has(key)) return false
    if (name === undefined) return key === LOG_KEY || siteKindOf(key) !== null || listing(key) !== undefined
    return MONTH.test(name) || (RELEASE_ID.test(name) && isOld(name, writtenMs))
  }
  return [...objects].filter(goes).map(([key]) => key)
}
