// Owns what is to be done so that a bucket shows the release that is current here: which objects, in which order, with which
// headers, and which go. Pure: sends nothing, reads no file.
import { extname } from 'node:path'
import { siteKindOf } from '../../contract/site-paths.ts'
import { listing } from '../../contract/snapshot-paths.ts'
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

/**
 * What the object says that proxies read: which of all writes it is of, and by which version of the program; null = another
 * program wrote it.
 */
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
  readonly program: string
  /** Nothing else stays, however young. */
  readonly atOnce: boolean
  /** How long a release stays when it is no longer current: caches keep its files for as long. */
  readonly graceMs: number
}

/** An object that is to be there. */
export interface Put {
  /** The folder that has the file. */
  readonly name: string
  readonly file: FileBytes
  readonly key: string
  readonly headers: Fields
  /** The object that it is a copy of; null = the file is sent. */
  readonly from: string | null
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

const LOG_KEY = `snapshots/${LOG_NAME}`
/** From the releases: it is beside them. */
const LOG_FOLDER = '..'
export const POINTER_KEY = `snapshots/current/${MANIFEST_NAME}`
export const ABOUT = 'x-amz-meta-analytics-'
/** Without Content-Encoding: their bytes are what the manifest says of them. */
const SIBLING_TYPES: Fields = { '.gz': 'application/gzip', '.br': 'application/octet-stream' }
/** On every object of this program. */
export const MARK = `${ABOUT}sha256`

export const RELEASES = 'snapshots/releases/'
export const keyOf = (name: string, path: string): string => `${RELEASES}${name}/${path}`

export function planOf(situation: Situation): Plan {
  const { current, months, log, pointer, program, objects } = situation
  const put = (name: string, file: FileBytes, key = keyOf(name, file.path), more: Partial<Put> = {}): Put => ({
    name,
    file,
    key,
    headers: {
      'content-type': SIBLING_TYPES[extname(file.path)] ?? mediaTypeOf(file.path),
      // Elsewhere another release will be.
      'cache-control': cacheControlOf(file.path, key.startsWith(RELEASES) ? name : null),
      [MARK]: file.sha256,
    },
    from: null,
    anew: false,
    ...more,
  })
  // Another version may give its files other headers.
  const isOfThisVersion = pointer?.program === program
  const shown = isOfThisVersion && pointer.sha256 === current.file.sha256 && current.isThere
  const copies = current.manifest.files.map((file) =>
    put(current.name, file, file.path, { from: keyOf(current.name, file.path), anew: !isOfThisVersion }),
  )
  const isPage = ({ key }: Put): boolean => key.endsWith('.html')
  const manifest = (key?: string): Put => put(current.name, current.file, key, { anew: true })
  return {
    steps: [
      [current, ...months].flatMap(({ name, manifest: { files }, isThere }) => {
        const puts = Array.from(filesOf({ files }), (file) => put(name, file))
        return isThere ? puts.filter(({ key }) => !objects.has(key)) : puts
      }),
      months.filter(({ isThere }) => !isThere).map(({ name, file }) => put(name, file)),
      copies.filter((copy) => !isPage(copy)),
      // After what they use.
      copies.filter(isPage),
      // That of a release which becomes current again is written again: its time says when.
      shown ? [put(current.name, current.file, MANIFEST_NAME)] : [manifest(), manifest(MANIFEST_NAME)],
      log === null ? [] : [put(LOG_FOLDER, log, LOG_KEY)],
    ],
    pointer: shown ? null : manifest(POINTER_KEY),
    probe: copies.toSorted((a, b) => a.file.bytes - b.file.bytes)[0] ?? manifest(),
    removals: removalsOf(situation),
  }
}

const BELOW_RELEASES = /^snapshots\/releases\/([^/]+)\/(.+)$/

function removalsOf(situation: Situation): string[] {
  const { current, months, log, local, objects, nowMs, pointer, atOnce, graceMs } = situation
  const named = new Set([
    ...[current, ...months].flatMap(({ name, manifest, file }) =>
      [...filesOf(manifest), file].map(({ path }) => keyOf(name, path)),
    ),
    ...current.manifest.files.map(({ path }) => path),
    ...(log === null ? [] : [LOG_KEY]),
  ])
  const becameMs = new Map<string, number>()
  for (const [key, ms] of objects) {
    const [, id = '', path] = BELOW_RELEASES.exec(key) ?? []
    if (path === MANIFEST_NAME && RELEASE_ID.test(id)) becameMs.set(id, ms)
  }
  const isOld = (id: string, writtenMs: number): boolean => {
    if (id === current.name || atOnce) return true
    const since = becameMs.get(id)
    if (id === pointer?.id || (since !== undefined && local.includes(id))) return false
    // When the next one became current; of what never did, when it was written.
    const leftMs = since === undefined ? writtenMs : Math.min(...[...becameMs.values()].filter((ms) => ms > since))
    return nowMs - leftMs > graceMs
  }
  const goes = ([key, writtenMs]: [string, number]): boolean => {
    const [, name] = BELOW_RELEASES.exec(key) ?? []
    if (named.has(key)) return false
    // Another site may have a folder of this one as its prefix, and then a pointer there.
    const [folder = ''] = key.split('/')
    if (objects.has(`${folder}/${POINTER_KEY}`)) return false
    if (name === undefined) return key === LOG_KEY || siteKindOf(key) !== null || listing(key) !== undefined
    return MONTH.test(name) || (RELEASE_ID.test(name) && isOld(name, writtenMs))
  }
  return [...objects].filter(goes).map(([key]) => key)
}
