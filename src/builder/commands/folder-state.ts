// Owns what is read of a folder of releases, and of its bucket, to say whether all is well. Changes nothing, decides nothing.
import { stat } from 'node:fs/promises'
import type { WithEnvFile } from '../../process/command-line.ts'
import { thisProgram } from '../../process/package-root.ts'
import { REJECTED_PREFIX, type ReleasePaths } from '../../release/format/paths.ts'
import { currentId, listReleases, namesBelow } from '../../release/reading/release-list.ts'
import { totalBytes, isDemo, MONTH, type Manifest } from '../../release/format/manifest.ts'
import { readManifest } from '../../release/reading/folder-reader.ts'
import { noReleaseIn } from '../../release/reading/no-release.ts'
import { readKeptPast } from '../../release/writing/kept-past.ts'
import { holderOf } from '../../release/writing/lock.ts'
import { readPin } from '../../release/past/past.ts'
import { readPublished } from '../../release/writing/published.ts'
import { onlyReleaseError, onReleaseError, ReleaseError } from '../../release/format/release-error.ts'
import { addressOf, type S3Bucket } from '../../release/publishing/bucket.ts'
import { readLastBuild } from '../report/last-build.ts'
import { readLastTold } from '../run/after-publish.ts'
import type { BuilderContext } from '../run/context.ts'
import type { Values } from '../options/build-options.ts'
import { withRelease } from './which-release.ts'

/** What `status` found. */
export type Found = Awaited<ReturnType<typeof readFolder>>

/** What it found of one release. */
export type Reported = Awaited<ReturnType<typeof readRow>>

export async function readFolder(
  { snapshots: paths, publish: to, envFile }: Values<'status'> & WithEnvFile,
  { nowMs }: Pick<BuilderContext, 'nowMs'>,
) {
  // This is read before the rest: if a build ends meanwhile, what it has done is then known.
  const underWay = await readHolder(paths)
  const current = await currentId(paths)
  const lastTold = await readLastTold(paths)
  const lastBuild = await readLastBuild(paths).catch(onlyReleaseError)
  const hold = await readPin(paths)
  const folder = await stat(paths.root).catch(() => null)
  const rows: Reported[] = []
  for (const id of await listReleases(paths)) rows.push(await readRow(paths, id, id === current, nowMs()))
  return {
    /** The folder, as it was given. */
    snapshots: paths.root,
    /** Whether neither group nor others may read it. */
    isPrivate: folder !== null && (folder.mode & 0o055) === 0,
    /** The file of variables, as it was given. */
    envFile: envFile ?? null,
    /** What was found instead where nothing is current and no release is there; otherwise null. */
    nothing: current === null && rows.length === 0 ? await noReleaseIn(paths) : null,
    /** What `current` names. */
    current,
    hold,
    rows,
    /** The months that have an archive, oldest first. */
    months: await namesBelow(paths, MONTH),
    /** Names of rejected candidates. */
    rejected: await namesBelow(paths, REJECTED_PREFIX),
    /** How the last build ended; null = nothing is known of it. */
    lastBuild: typeof lastBuild === 'string' ? null : lastBuild,
    /** Why the note of the last build could not be read. */
    unread: typeof lastBuild === 'string' ? lastBuild : null,
    /** The note of --after-publish; null = nothing is known of it; a string = why it cannot be read. */
    lastTold,
    /** What is found in the bucket of --publish; null = that was not given, or nothing is current here. */
    bucket: to === null || current === null ? null : await readBucket(paths, current, to),
    ...underWay,
    ...thisProgram(),
    nowMs: nowMs(),
  }
}

/** The time for all that a bucket is asked: a store that is busy for a moment is asked again. */
const LOOK_MS = 30_000

async function readBucket(paths: ReleasePaths, id: string, to: S3Bucket) {
  const { inspectBucket } = await import('../../release/publishing/publish.ts')
  const here = await readManifest(paths, id).catch(() => null)
  const { publicUrl } = here?.options.site ?? {}
  const publicId = publicUrl
    ? withRelease(paths, `${publicUrl}/snapshots`, async ({ manifest }) => manifest.id).catch(() => null)
    : null
  const ask = async () => {
    const published = await readPublished(paths, addressOf(to))
    return inspectBucket(paths, id, to, { published, signal: AbortSignal.timeout(LOOK_MS) })
  }
  const [there, unread] = await ask().then(
    (found) => [found, null] as const,
    (error: Error) => [null, error.message] as const,
  )
  return {
    to: to.shown,
    /** What is current there. */
    id: there?.id ?? null,
    /** How many objects are still to be written there or, where the site is closed, to be removed. */
    left: there?.left ?? 0,
    /** Whose site is there, if it is not that of this folder. */
    stranger: there?.stranger ?? null,
    /** Why that could not be read. */
    unread,
    /** What is current at --public-url, which may come from a cache. */
    publicId: await publicId,
  }
}

/** The command that holds the lock, as far as there is one, and this user may know. */
async function readHolder(paths: ReleasePaths) {
  const seen = await holderOf(paths.lock).catch(onlyReleaseError)
  const found = typeof seen === 'string' ? null : seen
  const died = found?.dead === true ? found.holder : null
  return {
    /** Whether a build, or another command that changes the folder, is under way. */
    busy: found?.dead === false,
    /** The build (or rollback, resume, prune) that began after all that ended, and died; null = there is none. */
    unfinished: died && { startedAt: died.startedAt, pid: died.pid, host: died.host },
  }
}

async function readRow(paths: ReleasePaths, id: string, current: boolean, nowMs: number) {
  const read = await readManifest(paths, id).catch(onReleaseError((error) => error))
  const kept = await readKeptPast(paths, id).then((past) => typeof past !== 'string', onlyReleaseError)
  const [manifest, fault] = read instanceof ReleaseError ? [null, read] : [read, null]
  const known: Partial<Manifest> = manifest ?? {}
  const { files = [], generatedAt = '', programVersion = null, programCommit, timeZoneDatabase } = known
  const dataAsOfMs = manifest === null ? nowMs : Date.parse(manifest.dataAsOf)
  return {
    ageMs: Math.max(0, nowMs - dataAsOfMs),
    /** How often releases are to come; 0 = not known. */
    everyMs: manifest === null ? 0 : Date.parse(manifest.nextUpdateAt) - dataAsOfMs,
    generatedAt,
    files: files.length,
    bytes: totalBytes(files),
    mapping: known.mapping?.name ?? '',
    /** Whether its numbers are invented. */
    demo: isDemo(manifest),
    /** Whether the site is closed to visitors, so that the release is empty. */
    closed: known.closed === true,
    /** The version of the program that made it; null = the release cannot be read. */
    programVersion,
    programCommit,
    timeZoneDatabase,
    id,
    current,
    /** Whether its past is kept: while it is current, builds are compared with it. Null = unknown, for this user or on this disk. */
    past: typeof kept === 'string' ? null : kept,
    problem: fault?.message ?? null,
    /** Whether the problem is one of the disk, or of who may read it: the release may be whole. */
    isUnread: fault?.code === 'unreadable',
  }
}
