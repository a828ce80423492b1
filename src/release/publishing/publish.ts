// Owns making a bucket show the release that is current in a folder: looks at both, and does what the plan says, in its order.
// What fails is left as it is: the next call goes on from what is there.
import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import pMap from 'p-map'
import type { Log } from '../../process/log.ts'
import { LOG_NAME } from '../format/day-log.ts'
import { fileBytesOf, MANIFEST_NAME, MONTH } from '../format/manifest.ts'
import type { ReleasePaths } from '../format/paths.ts'
import type { Published } from '../format/published.ts'
import { nullIfAbsent, readingOfRelease, ReleaseError } from '../format/release-error.ts'
import { manifestFile, readLog, readManifest } from '../reading/folder-reader.ts'
import { listReleases, namesBelow } from '../reading/release-list.ts'
import type { HeaderFields, S3Bucket } from './bucket.ts'
import { isOurObject, isOwnSite, keysBeside, refuseToReplace, remembered, strangerText } from './ownership.ts'
import { keyOf, MARK, planOf, pointerOf, POINTER_KEY, releaseIn } from './plan.ts'
import type { LocalRelease, Pointer, Put, Situation } from './plan.ts'
import { reproved } from './reproved.ts'
import { REQUESTS, S3, type HashedFile, type S3Effects } from './s3-client.ts'

export interface Publication extends S3Effects {
  /** Whether older releases are removed at once, as when a site closes. */
  readonly atOnce: boolean
  /** Whether this site replaces whatever is there. */
  readonly acceptSite: boolean
  /** What the folder has put there. */
  readonly published: Published
  /** Keeps `published` durably, before anything is put there. */
  readonly note: (published: Published) => Promise<void>
  /** Whether the lock of the folder is still ours. */
  readonly owned: () => Promise<boolean>
  readonly nowMs?: () => number
  readonly log: Log
}

/**
 * Only for the holder of the lock.
 * @param id what is current
 * @throws ReleaseError that names the key, or the file, and why; of somebody else's site before anything is changed there
 */
export async function publish(
  paths: ReleasePaths,
  id: string,
  bucket: S3Bucket,
  { atOnce, acceptSite, published, note, owned, nowMs = Date.now, log, ...effects }: Publication,
): Promise<void> {
  const over = new AbortController()
  const s3 = new S3(bucket, { ...effects, signal: AbortSignal.any([effects.signal, over.signal]) })
  const remove = (keys: readonly string[]): Promise<readonly boolean[]> =>
    pMap(
      keys,
      async (key) =>
        (Object.hasOwn(published.releases, releaseIn(key)) || (await isOurObject(s3, key))) && s3.remove(key),
      REQUESTS,
    )
  try {
    const situation = await situationOf(s3, paths, id, atOnce)
    const { current } = situation
    let { pointer } = situation
    const prove = async (): Promise<void> => {
      if (!(await owned())) throw new ReleaseError('write', `another command took over the lock of ${paths.root}`)
      const found = pointerOf(await s3.head(POINTER_KEY, pointer.isThere ? [404] : [403, 404]))
      if (found.sha256 !== current.file.sha256 && !isSame(found, pointer)) throw replacedMeanwhile(found)
    }
    // A process that was paused must not go on with what another one has done meanwhile.
    const proof = reproved(prove, nowMs)
    s3.beforeChange = proof.ask
    const { steps, probe, removals } = planOf(situation)
    const rights = { acceptSite, published }
    if (current.manifest.closed === true) await remove(await keysBeside(s3, situation, rights))
    await refuseToReplace(s3, paths.log, situation, steps.flat(), rights)
    const releases = remembered(situation, published)
    // A site closes also where there is no room for what is remembered of it.
    const noted = note({ ...published, releases })
    await (current.manifest.closed === true ? noted.catch(({ message }: Error) => log.warn({}, message)) : noted)
    let guarded: boolean | null = null
    for (const step of steps) {
      const [first] = step
      proof.forget()
      if (first?.key !== POINTER_KEY) await pMap(step, (one) => put(s3, paths, one), REQUESTS)
      else {
        guarded ??= await keepsConditions(s3, paths, probe)
        pointer = await point(s3, paths, first, guarded ? pointer.condition : null)
      }
    }
    proof.forget()
    const kept = await remove(removals)
    await note({ releases, logIsOver: false })
    const more = guarded === false ? '; the store ignores conditions: publish to it from one machine only' : ''
    log.info({ id }, `${bucket.shown} shows the current release${more}`)
    if (situation.atOnce && kept.includes(true))
      log.warn({}, `${bucket.shown} keeps versions of what is deleted: let a rule of its life cycle remove them`)
  } finally {
    // What is still tried again after a failure must not come after what the next call puts there.
    over.abort()
    s3.close()
  }
}

/** Does nothing where it is there. */
async function put(s3: S3, paths: ReleasePaths, one: Put): Promise<void> {
  const { key, from, headers, anew, file } = one
  const found = s3.there.get(key)
  const there = anew || found?.bytes !== file.bytes ? undefined : found.etag
  if (from !== null) {
    // Some store may tell none.
    if (!there || s3.there.get(from)?.etag !== there) await s3.copy(from, key, headers)
    return
  }
  const content = await contentOf(paths, one)
  if (there !== content.md5) await s3.put(key, content, headers)
}

/** The answers to a request with a condition: also that it does not hold. */
const CONDITIONAL: readonly number[] = [200, 404, 412]
/** The answers to the probe: also that the store knows no conditions. */
const PROBED: readonly number[] = [...CONDITIONAL, 400, 501]

/**
 * Who replaces an object on a condition that does not hold ignores it. One that is there, because MinIO ignored If-Match on one that
 * is not (minio/minio #21526), and a small one, because who refuses a body may not read it.
 */
async function keepsConditions(s3: S3, paths: ReleasePaths, probe: Put): Promise<boolean> {
  const headers = { ...probe.headers, 'if-match': `"${'0'.repeat(32)}"` }
  return (await s3.put(probe.key, await contentOf(paths, probe), headers, PROBED)) === 412
}

/** Replaces the one object that says which release is current, and reads it back. @param condition null = the store ignores them */
async function point(s3: S3, paths: ReleasePaths, one: Put, condition: HeaderFields | null): Promise<Pointer> {
  const headers = { ...one.headers, ...condition }
  await s3.put(one.key, await contentOf(paths, one), headers, condition ? CONDITIONAL : undefined)
  // After a lost reply the condition fails because of our own write.
  const found = pointerOf(await s3.head(one.key))
  const wanted = pointerOf(one.headers)
  if (found.sha256 === wanted.sha256 && found.program === wanted.program) return found
  throw replacedMeanwhile(found)
}

const isSame = (a: Pointer, b: Pointer): boolean => a.id === b.id && a.sha256 === b.sha256 && a.program === b.program

function replacedMeanwhile({ id }: Pointer): ReleaseError {
  return new ReleaseError(
    'write',
    `${POINTER_KEY} was written by somebody else meanwhile, and names ${id ?? 'no release'}; publish from one machine only`,
  )
}

/**
 * The id that proxies read there, null = there is no pointer, or another program wrote it; how many objects are still to be
 * written, or of a closed site to go; and, where somebody else's site is there, whose.
 * @param id what is current
 */
export async function inspectBucket(
  paths: ReleasePaths,
  id: string,
  bucket: S3Bucket,
  { published, ...effects }: S3Effects & Pick<Publication, 'published'>,
): Promise<{ readonly id: string | null; readonly left: number; readonly stranger: string | null }> {
  const s3 = new S3(bucket, effects)
  try {
    const situation = await situationOf(s3, paths, id, false)
    const isOwn = isOwnSite(situation, published)
    const stranger = isOwn ? null : strangerText(situation)
    const { steps, removals } = planOf(situation)
    const ours = situation.atOnce ? await pMap(removals, (key) => isOurObject(s3, key), REQUESTS) : []
    // The log comes last, and is not known to be another before it is read; the pointer comes twice.
    const due = new Set(steps.slice(0, -1).flatMap((step) => step.map(({ key }) => key)))
    return { id: situation.pointer.id, left: due.size + ours.filter(Boolean).length, stranger }
  } finally {
    s3.close()
  }
}

/** Asks for the heads of what is listed only: of another key a store may say that nobody may see it. */
async function situationOf(s3: S3, paths: ReleasePaths, id: string, atOnce: boolean): Promise<Situation> {
  const there = await s3.list()
  const readHere = async (name: string): Promise<LocalRelease> => {
    const [manifest, file] = [await readManifest(paths, name), await manifestFile(paths, name)]
    const key = keyOf(name, MANIFEST_NAME)
    const isThere = there.objects.has(key) && (await s3.head(key))?.[MARK] === file.sha256
    return { name, manifest, file, isThere }
  }
  const current = await readHere(id)
  const log = await readLog(paths).then(async (text) => {
    const bytes = await readFile(paths.log)
    return { ...fileBytesOf(LOG_NAME, bytes), text, md5: createHash('md5').update(bytes).digest('hex') }
  }, nullIfAbsent)
  return {
    ...there,
    current,
    pointer: pointerOf(there.objects.has(POINTER_KEY) ? await s3.head(POINTER_KEY) : null),
    months: await pMap(await namesBelow(paths, MONTH), readHere, { concurrency: 2 }),
    log,
    local: await listReleases(paths),
    atOnce: atOnce || current.manifest.closed === true,
  }
}

/** Read here, and again when it is sent: none is in memory. @throws ReleaseError (damaged) if it is not as the manifest says */
async function contentOf({ releases }: ReleasePaths, { name, file }: Put): Promise<HashedFile> {
  const path = join(releases, name, file.path)
  const hashes = [createHash('sha256'), createHash('md5')]
  await readingOfRelease('read', path, async () => {
    for await (const piece of createReadStream(path)) for (const hash of hashes) hash.update(piece as Buffer)
  })
  const [sha256, md5 = ''] = hashes.map((hash) => hash.digest('hex'))
  if (sha256 === file.sha256) return { ...file, path, md5 }
  throw new ReleaseError('damaged', `${path} has sha256 ${sha256}, the manifest says ${file.sha256}; build again`)
}
