// Owns making a bucket show the release that is current in a folder: looks at both, and does what the plan says, in its order.
// What fails is left as it is: the next call goes on from what is there.
import { createHash, randomUUID } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { join } from 'node:path'
import pMap from 'p-map'
import { programVersion } from '../../process/package-root.ts'
import { LOG_NAME } from '../format/day-log.ts'
import { MANIFEST_NAME, MONTH, type FileBytes } from '../format/manifest.ts'
import type { ReleasePaths } from '../format/paths.ts'
import { readingOfRelease, ReleaseError } from '../format/release-error.ts'
import { readLog, readManifest } from '../reading/folder-reader.ts'
import { currentId, listReleases } from '../reading/release-list.ts'
import type { Bucket } from './bucket.ts'
import {
  keyOf,
  MARK,
  planOf,
  POINTER_KEY,
  PROBE_KEY,
  type Copy,
  type LocalRelease,
  type Pointer,
  type Put,
} from './plan.ts'
import { NOTHING, S3, type Content, type Fields, type S3Effects } from './s3-client.ts'

/** Requests. */
const AT_ONCE = { concurrency: 16 }
/** As long as `max-age` of what is below releases/, which SECURITY.md promises. */
const GRACE_MS = 3_600_000

export interface Publication {
  readonly id: string
  readonly sent: number
  readonly copied: number
  readonly removed: number
  /** Whether the pointer was replaced on condition that nobody else had; null = it was not replaced. */
  readonly guarded: boolean | null
  /** All else had to go at once, and the bucket keeps it. */
  readonly keepsVersions: boolean
}

/**
 * Only for the holder of the lock.
 * @param atOnce nothing but the current release stays, as when a site closes
 * @returns null = nothing is current
 * @throws ReleaseError that names the key, or the file, and why
 */
export async function publish(
  paths: ReleasePaths,
  bucket: Bucket,
  atOnce: boolean,
  effects: S3Effects & { readonly graceMs?: number },
): Promise<Publication | null> {
  const id = await currentId(paths)
  if (id === null) return null
  const over = new AbortController()
  const s3 = new S3(bucket, { ...effects, signal: AbortSignal.any([effects.signal, over.signal]) })
  try {
    const current = await localRelease(paths, id, s3)
    const isAllToGo = atOnce || current.manifest.closed === true
    const months = await listReleases(paths, MONTH)
    const before = await readPointer(s3)
    const { objects, nowMs } = await s3.list()
    const { steps, pointer, removals, removalsIfOurs } = planOf({
      current,
      months: await pMap(months, (month) => localRelease(paths, month, s3), { concurrency: 2 }),
      log: await localLog(paths),
      local: await listReleases(paths),
      objects,
      nowMs,
      pointer: before,
      program: programVersion(),
      atOnce: isAllToGo,
      graceMs: effects.graceMs ?? GRACE_MS,
    })
    const guarded = pointer === null ? null : await knowsConditions(s3)
    const upload = new Upload(s3, paths, new Map(objects.map(({ key, etag }) => [key, etag])))
    for (const step of steps) await pMap(step, (one) => upload.do(one), AT_ONCE)
    if (pointer !== null) await upload.point(pointer, id, before, guarded === true)
    const isOurs = async (key: string): Promise<boolean> => (await s3.head(key))?.headers[MARK] !== undefined
    const ours = await pMap(removalsIfOurs, isOurs, AT_ONCE)
    const old = [...removals, ...removalsIfOurs.filter((_, i) => ours[i])]
    const gone = await pMap(old, (key) => s3.remove(key), AT_ONCE)
    const { sent, copied } = upload
    return { id, sent, copied, removed: gone.length, guarded, keepsVersions: isAllToGo && gone.includes(true) }
  } finally {
    // What is still tried again after a failure must not come after what the next call puts there.
    over.abort()
  }
}

/** The id that proxies read there; null = there is no pointer, or another program wrote it. */
export async function publishedId(bucket: Bucket, effects: S3Effects): Promise<string | null> {
  return (await readPointer(new S3(bucket, effects)))?.id ?? null
}

/**
 * By a condition that does not hold: who replaces the object all the same ignores it. On an object that is there, because MinIO
 * ignored If-Match on one that is not (minio/minio #21526).
 */
async function knowsConditions(s3: S3): Promise<boolean> {
  await s3.put(PROBE_KEY, NOTHING, {})
  const { status } = await s3.put(PROBE_KEY, NOTHING, { 'if-match': `"${'0'.repeat(32)}"` })
  await s3.remove(PROBE_KEY)
  return status === 412
}

class Upload {
  sent = 0
  copied = 0
  readonly #s3: S3
  readonly #paths: ReleasePaths
  readonly #etags: Map<string, string>
  /** Whether an ETag of this store is the MD5 of the bytes, as it is nearly everywhere. */
  #isMd5 = false

  /** @param etags by key, of what is there */
  constructor(s3: S3, paths: ReleasePaths, etags: Map<string, string>) {
    this.#s3 = s3
    this.#paths = paths
    this.#etags = etags
  }

  async do(one: Put | Copy): Promise<void> {
    if ('file' in one) return this.#put(one)
    if (one.there !== null && this.#etags.get(one.from) === one.there) return
    await this.#s3.copy(one.from, one.key, one.headers)
    this.copied += 1
  }

  async #put({ name, file, key, headers, there }: Put): Promise<void> {
    const content = await this.#content(name, file)
    if (there === content.md5) return
    const { headers: answered } = await this.#s3.put(key, content, headers)
    const etag = String(answered['etag'] ?? content.md5).replaceAll('"', '')
    // A store that does not compare the hashes that it is sent has taken what came.
    this.#isMd5 ||= etag === content.md5
    if (this.#isMd5 && etag !== content.md5)
      throw new ReleaseError('write', `${key} came as other bytes: its ETag is ${etag}, not ${content.md5}`)
    this.#etags.set(key, etag)
    this.sent += 1
  }

  /** The one object that says which release is current. */
  async point({ name, file, key, headers }: Put, id: string, before: Pointer | null, guarded: boolean): Promise<void> {
    const write = randomUUID()
    const about = Object.entries({ id, program: programVersion(), write }).map(([what, value]) => [ABOUT + what, value])
    const condition: Fields = before === null ? { 'if-none-match': '*' } : { 'if-match': before.etag ?? '' }
    const all = { ...headers, ...(Object.fromEntries(about) as Fields), ...(guarded ? condition : null) }
    if ((await this.#s3.put(key, await this.#content(name, file), all)).status === 200) return
    // After a lost reply the condition fails because of our own write.
    const found = await readPointer(this.#s3)
    if (found?.write !== write)
      throw new ReleaseError(
        'write',
        `${key} was written by somebody else meanwhile, and names ${found?.id ?? 'no release'}; publish from one machine only`,
      )
  }

  /** @throws ReleaseError (damaged) when it is not what the manifest says */
  async #content(name: string, { path: below, sha256 }: FileBytes): Promise<Content> {
    const path = join(this.#paths.releases, name, below)
    const content = await contentOf(path)
    if (content.sha256 === sha256) return content
    throw new ReleaseError('damaged', `${path} has sha256 ${content.sha256}, the manifest says ${sha256}; build again`)
  }
}

const ABOUT = 'x-amz-meta-analytics-'

async function readPointer(s3: S3): Promise<Pointer | null> {
  const found = await s3.head(POINTER_KEY)
  if (found === null) return null
  const said = (name: string): string | null => (found.headers[name] as string | undefined) ?? null
  const about = (what: string): string | null => said(ABOUT + what)
  const [id, program, sha256, write] = [about('id'), about('program'), said(MARK), about('write')]
  return { etag: said('etag'), id, program, sha256, write }
}

async function localRelease(paths: ReleasePaths, name: string, s3: S3): Promise<LocalRelease> {
  const path = join(paths.releases, name, MANIFEST_NAME)
  const { bytes, sha256 } = await contentOf(path)
  const isThere = (await s3.head(keyOf(name, MANIFEST_NAME)))?.headers[MARK] === sha256
  return { name, manifest: await readManifest(paths, name), file: { path: MANIFEST_NAME, bytes, sha256 }, isThere }
}

async function localLog(paths: ReleasePaths): Promise<FileBytes | null> {
  if ((await readLog(paths)) === null) return null
  const { bytes, sha256 } = await contentOf(paths.log)
  return { path: LOG_NAME, bytes, sha256 }
}

/** Read when it is sent, too: none is in memory. */
async function contentOf(path: string): Promise<Content> {
  const [sha256, md5] = [createHash('sha256'), createHash('md5')]
  let bytes = 0
  await readingOfRelease('read', path, async () => {
    for await (const piece of createReadStream(path) as AsyncIterable<Buffer>) {
      for (const hash of [sha256, md5]) hash.update(piece)
      bytes += piece.length
    }
  })
  return {
    bytes,
    sha256: sha256.digest('hex'),
    md5: md5.digest('hex'),
    // Its reader is told of an error; a request that failed before it read has none.
    open: () => createReadStream(path).on('error', () => {}),
  }
}
