// Owns what is to be done so that a bucket shows the release that is current here: which objects, in which order, with which
// headers, and which go. Pure: sends nothing, reads no file.
import { siteKindOf } from '../../contract/site-paths.ts'
import { combinationAt } from '../../contract/snapshot-paths.ts'
import { LOG_NAME } from '../format/day-log.ts'
import { filesOf, MANIFEST_NAME, MONTH, RELEASE_ID, type FileBytes, type Manifest } from '../format/manifest.ts'
import { cacheControlOf, mediaTypeOf } from '../format/served-files.ts'
import type { Fields, Listed } from './s3-client.ts'

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
  /** What is there, and when that was, by the clock of the store. */
  readonly objects: readonly Listed[]
  readonly nowMs: number
  readonly pointer: Pointer | null
  readonly program: string
  /** Nothing else stays, however young. */
  readonly atOnce: boolean
  /** How long a release stays when it is no longer current: caches keep its files for as long. */
  readonly graceMs: number
}

export interface Put {
  /** The folder that has the file. */
  readonly name: string
  readonly file: FileBytes
  readonly key: string
  readonly headers: Fields
  /** The ETag of what is there: nothing is sent if it is that of the bytes. Null = it is to be sent. */
  readonly there: string | null
}

export interface Copy {
  readonly from: string
  readonly key: string
  readonly headers: Fields
  /** The same: nothing is copied if its source has it, too. */
  readonly there: string | null
}

export interface Plan {
  /** One after the other; what is in one may go at the same time. */
  readonly steps: readonly (readonly (Put | Copy)[])[]
  /** The last one of all, with conditions; null = it says so already. */
  readonly pointer: Put | null
  readonly removals: readonly string[]
  /** To be removed if this program has put it there. */
  readonly removalsIfOurs: readonly string[]
}

const LOG_KEY = `snapshots/${LOG_NAME}`
/** From the releases: it is beside them. */
const LOG_FOLDER = '..'
export const POINTER_KEY = `snapshots/current/${MANIFEST_NAME}`
/** There for a moment: whether the store knows conditions is tried with it. */
export const PROBE_KEY = 'snapshots/.probe'
/** On every object of this program. */
export const MARK = 'x-amz-meta-analytics-sha256'

const RELEASES = 'snapshots/releases/'
export const keyOf = (name: string, path: string): string => `${RELEASES}${name}/${path}`

export function planOf(situation: Situation): Plan {
  const { current, months, log, pointer, program, objects } = situation
  const there = new Map(objects.map(({ key, etag }) => [key, etag]))
  const put = (name: string, file: FileBytes, key = keyOf(name, file.path), place: string | null = name): Put => ({
    name,
    file,
    key,
    headers: headersOf(file, place),
    there: there.get(key) ?? null,
  })
  const shown = pointer !== null && pointer.sha256 === current.file.sha256 && pointer.program === program
  // Another version may give its files other headers.
  const known = pointer?.program === program
  const copies = current.manifest.files.map((file): Copy => ({
    from: keyOf(current.name, file.path),
    key: file.path,
    headers: headersOf(file, null),
    there: (known && there.get(file.path)) || null,
  }))
  const isPage = ({ key }: Copy): boolean => key.endsWith('.html')
  const manifests = [put(current.name, current.file), put(current.name, current.file, MANIFEST_NAME, null)]
  return {
    steps: [
      [current, ...months].flatMap(({ name, manifest, isThere }) => {
        const puts = Array.from(filesOf(manifest), (file) => put(name, file))
        return isThere ? puts.filter((one) => one.there === null) : puts
      }),
      months.filter(({ isThere }) => !isThere).map(({ name, file }) => put(name, file)),
      copies.filter((copy) => !isPage(copy)),
      // After what they use.
      copies.filter(isPage),
      // That of a release which becomes current again is written again: its time says when.
      shown ? manifests.slice(current.isThere ? 1 : 0) : manifests.map((one) => ({ ...one, there: null })),
      log === null ? [] : [put(LOG_FOLDER, log, LOG_KEY, null)],
    ],
    pointer: shown ? null : put(current.name, current.file, POINTER_KEY, null),
    ...removalsOf(situation),
  }
}

/** @param name null = where another release will be */
function headersOf({ path, sha256 }: FileBytes, name: string | null): Fields {
  // Without Content-Encoding: its bytes are what the manifest says of them.
  const coded = path.endsWith('.gz') ? 'application/gzip' : path.endsWith('.br') ? 'application/octet-stream' : null
  return {
    'content-type': coded ?? mediaTypeOf(path),
    'cache-control': cacheControlOf(path, name),
    [MARK]: sha256,
  }
}

function removalsOf(situation: Situation): Pick<Plan, 'removals' | 'removalsIfOurs'> {
  const { current, months, log, objects } = situation
  const named = new Set(
    [current, ...months].flatMap(({ name, manifest, file }) =>
      [...filesOf(manifest), file].map(({ path }) => keyOf(name, path)),
    ),
  )
  const shown = new Set([MANIFEST_NAME, ...current.manifest.files.map(({ path }) => path)])
  const stays = releasesThatStay(situation)
  const removals: string[] = []
  const removalsIfOurs: string[] = []
  for (const { key } of objects) {
    const [, name = ''] = /^snapshots\/releases\/([^/]+)\/./.exec(key) ?? []
    const isOld = MONTH.test(name) || (RELEASE_ID.test(name) && !stays.has(name))
    if (key === PROBE_KEY || (isOld && !named.has(key))) removals.push(key)
    else if (key === LOG_KEY ? log === null : name === '' && !shown.has(key) && isOfRelease(key))
      removalsIfOurs.push(key)
  }
  return { removals, removalsIfOurs }
}

function isOfRelease(path: string): boolean {
  return siteKindOf(path) !== null || combinationAt(path, (key) => key) !== null
}

/** Besides the current one, of which only what its manifest names stays. */
function releasesThatStay({
  current,
  local,
  objects,
  nowMs,
  pointer,
  atOnce,
  graceMs,
}: Situation): ReadonlySet<string> {
  const newestMs = new Map<string, number>()
  const becameMs = new Map<string, number>()
  for (const { key, modifiedMs } of objects) {
    const [, id = '', path] = /^snapshots\/releases\/([^/]+)\/(.+)$/.exec(key) ?? []
    newestMs.set(id, Math.max(modifiedMs, newestMs.get(id) ?? 0))
    if (path === MANIFEST_NAME && RELEASE_ID.test(id)) becameMs.set(id, modifiedMs)
  }
  /** When the next one became current; of what never did, when it was written. */
  const leftMs = (id: string): number => {
    const since = becameMs.get(id)
    if (since === undefined) return newestMs.get(id) ?? 0
    return Math.min(...[...becameMs.values()].filter((ms) => ms > since))
  }
  const stays = [...newestMs.keys()].filter((id) => {
    if (id === current.name || atOnce) return false
    const isWhole = becameMs.has(id)
    return (isWhole && local.includes(id)) || id === pointer?.id || nowMs - leftMs(id) <= graceMs
  })
  return new Set(stays)
}
