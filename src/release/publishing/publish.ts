// Owns making a bucket show the release that is current in a folder: looks at both, and does what the plan says, in its order.
// What fails is left as it is: the next call goes on from what is there.
import { createHash, randomUUID } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import pMap from 'p-map'
import { programVersion } from '../../process/package-root.ts'
import { LOG_NAME } from '../format/day-log.ts'
import { fileBytesOf, MANIFEST_NAME, MONTH } from '../format/manifest.ts'
import type { ReleasePaths } from '../format/paths.ts'
import { nullIfAbsent, readingOfRelease, ReleaseError } from '../format/release-error.ts'
import { manifestFile, readLog, readManifest } from '../reading/folder-reader.ts'
import { headerText } from '../reading/http-fetch.ts'
import { listReleases } from '../reading/release-list.ts'
import type { Bucket } from './bucket.ts'
import { ABOUT, keyOf, MARK, planOf, POINTER_KEY, RELEASES, type LocalRelease, type Pointer, type Put } from './plan.ts'
import { S3, type Content, type Fields, type S3Effects } from './s3-client.ts'

/** Requests. */
const AT_ONCE = { concurrency: 16 }
export interface Publication {
  /** Whether the pointer was replaced on condition that nobody else had; null = it was not replaced. */
  readonly guarded: boolean | null
  /** All else had to go at once, and the bucket keeps it. */
  readonly keepsVersions: boolean
}

/**
 * Only for the holder of the lock.
 * @param id what is current
 * @param atOnce nothing but the current release stays, as when a site closes
 * @throws ReleaseError that names the key, or the file, and why
 */
export async function publish(
  paths: ReleasePaths,
  id: string,
  bucket: Bucket,
  atOnce: boolean,
  effects: S3Effects,
): Promise<Publication> {
  const over = new AbortController()
  const s3 = new S3(bucket, { ...effects, signal: AbortSignal.any([effects.signal, over.signal]) })
  try {
    const situation = await situationOf(s3, paths, id, atOnce)
    const { steps, pointer, probe, removals } = planOf(situation)
    for (const step of steps) await pMap(step, (one) => upload(s3, paths, one), AT_ONCE)
    const guarded = pointer === null ? null : await point(s3, paths, pointer, probe, situation.pointer)
    const kept = await pMap(removals, async (key) => (await isOurs(s3, key)) && s3.remove(key), AT_ONCE)
    return { guarded, keepsVersions: situation.atOnce && kept.includes(true) }
  } finally {
    // What is still tried again after a failure must not come after what the next call puts there.
    over.abort()
  }
}

/** Does nothing where it is there. */
async function upload(s3: S3, paths: ReleasePaths, one: Put): Promise<void> {
  const { name, file, key, headers, anew } = one
  const there = anew ? undefined : s3.etags.get(key)
  if (key === file.path) {
    const from = keyOf(name, file.path)
    // Some store may tell none.
    if (!there || s3.etags.get(from) !== there) await s3.copy(from, key, headers)
    return
  }
  const content = await contentOf(paths, one)
  if (there !== content.md5) await s3.put(key, content, headers)
}

/** With a condition also that it does not hold (404, 412), or that the store knows none (501). */
const CONDITIONAL: readonly number[] = [200, 404, 412, 501]

/** Replaces the one object that says which release is current. @returns whether on condition that nobody else has */
async function point(s3: S3, paths: ReleasePaths, pointer: Put, probe: Put, before: Pointer | null): Promise<boolean> {
  const put = async (one: Put, more: Fields, wanted?: readonly number[]): Promise<number> =>
    s3.put(one.key, await contentOf(paths, one), { ...one.headers, ...more }, wanted)
  // Who replaces an object on a condition that does not hold ignores it. One that is there, because MinIO ignored If-Match on one
  // that is not (minio/minio #21526), and a small one, because who refuses a body may not read it.
  const guarded = (await put(probe, { 'if-match': `"${'0'.repeat(32)}"` }, CONDITIONAL)) === 412
  const write = randomUUID()
  const about = { [`${ABOUT}id`]: pointer.name, [`${ABOUT}program`]: programVersion(), [`${ABOUT}write`]: write }
  const condition: Fields = before === null ? { 'if-none-match': '*' } : { 'if-match': before.etag ?? '' }
  const status = guarded ? await put(pointer, { ...about, ...condition }, CONDITIONAL) : await put(pointer, about)
  if (status === 200) return guarded
  // After a lost reply the condition fails because of our own write.
  const found = await readPointer(s3)
  if (found?.write === write) return guarded
  throw new ReleaseError(
    'write',
    `${pointer.key} was written by somebody else meanwhile, and names ${found?.id ?? 'no release'}; publish from one machine only`,
  )
}

/** What this program has not put there stays. */
async function isOurs(s3: S3, key: string): Promise<boolean> {
  return key.startsWith(RELEASES) || (await s3.head(key))?.[MARK] !== undefined
}

/**
 * The id that proxies read there, null = there is no pointer, or another program wrote it; and how many objects a closed site
 * still has to remove.
 * @param closed the id of its empty release; null = it is open
 */
export async function lookInto(paths: ReleasePaths, closed: string | null, bucket: Bucket, effects: S3Effects) {
  const s3 = new S3(bucket, effects)
  if (closed === null) return { id: (await readPointer(s3))?.id ?? null, others: 0 }
  const situation = await situationOf(s3, paths, closed, true)
  const ours = await pMap(planOf(situation).removals, (key) => isOurs(s3, key), AT_ONCE)
  return { id: situation.pointer?.id ?? null, others: ours.filter(Boolean).length }
}

async function situationOf(s3: S3, paths: ReleasePaths, id: string, atOnce: boolean) {
  const current = await localRelease(paths, id, s3)
  const log = await readLog(paths).catch(nullIfAbsent)
  return {
    current,
    pointer: await readPointer(s3),
    ...(await s3.list()),
    months: await pMap(await listReleases(paths, MONTH), (month) => localRelease(paths, month, s3), { concurrency: 2 }),
    log: log === null ? null : fileBytesOf(LOG_NAME, await readFile(paths.log)),
    local: await listReleases(paths),
    atOnce: atOnce || current.manifest.closed === true,
  }
}

async function readPointer(s3: S3): Promise<Pointer | null> {
  const found = await s3.head(POINTER_KEY)
  if (found === null) return null
  const said = (name: string): string | null => headerText(found, name) ?? null
  const about = (what: string): string | null => said(ABOUT + what)
  return { etag: said('etag'), sha256: said(MARK), id: about('id'), program: about('program'), write: about('write') }
}

async function localRelease(paths: ReleasePaths, name: string, s3: S3): Promise<LocalRelease> {
  const [manifest, file] = [await readManifest(paths, name), await manifestFile(paths, name)]
  const isThere = (await s3.head(keyOf(name, MANIFEST_NAME)))?.[MARK] === file.sha256
  return { name, manifest, file, isThere }
}

/** Read here, and again when it is sent: none is in memory. @throws ReleaseError (damaged) if it is not as the manifest says */
async function contentOf({ releases }: ReleasePaths, { name, file }: Put): Promise<Content> {
  const path = join(releases, name, file.path)
  const hashes = [createHash('sha256'), createHash('md5')]
  await readingOfRelease('read', path, async () => {
    for await (const piece of createReadStream(path)) for (const hash of hashes) hash.update(piece as Buffer)
  })
  const [sha256, md5 = ''] = hashes.map((hash) => hash.digest('hex'))
  if (sha256 === file.sha256) return { ...file, path, md5 }
  throw new ReleaseError('damaged', `${path} has sha256 ${sha256}, the manifest says ${file.sha256}; build again`)
}
