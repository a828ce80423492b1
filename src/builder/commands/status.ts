// Owns `status`: what is read of a folder of releases to say whether all is well. Changes nothing, decides nothing.
import { access, constants, stat } from 'node:fs/promises'
import { calledAs } from '../../process/called-as.ts'
import { isOurVariable } from '../../process/env-file.ts'
import type { WithEnvFile } from '../../process/command-line.ts'
import { thisProgram } from '../../process/package-root.ts'
import { REJECTED_PREFIX, type ReleasePaths } from '../../release/format/paths.ts'
import { currentId, listReleases, namesBelow } from '../../release/reading/release-list.ts'
import { totalBytes, DEMO_MAPPING, MONTH, type Manifest } from '../../release/format/manifest.ts'
import { readManifest } from '../../release/reading/folder-reader.ts'
import { noReleaseIn } from '../../release/reading/no-release.ts'
import { readKeptPast } from '../../release/writing/kept-past.ts'
import { holderOf } from '../../release/writing/lock.ts'
import { readPin } from '../../release/past/past.ts'
import { readPublished } from '../../release/writing/published.ts'
import { onlyReleaseError, ReleaseError } from '../../release/format/release-error.ts'
import { addressOf, type S3Bucket } from '../../release/publishing/bucket.ts'
import { healthOf, type Found, type InBucket, type HealthProblem, type Reported } from '../report/health.ts'
import { readLastBuild } from '../report/last-build.ts'
import { readLastTold } from '../run/after-publish.ts'
import { statusText } from '../report/status-report.ts'
import type { BuilderContext } from '../run/context.ts'
import type { Values } from '../options/build-options.ts'
import { withRelease } from './which-release.ts'

export async function status(values: Values<'status'> & WithEnvFile, context: BuilderContext): Promise<number> {
  const { json } = values
  const found = await readFolder(values, context)
  const health = healthOf(found)
  const { problems, notes } = health
  const { current, hold, lastBuild, lastTold, bucket, unfinished, rejected, months } = found
  const releases = found.rows.map(({ generatedAt: _made, isUnread: _unread, ...row }) => row)
  const afterPublish = typeof lastTold === 'string' ? null : lastTold
  const { programVersion, programCommit } = found
  const about = { programVersion, programCommit, lastBuild, bucket, afterPublish, unfinished, rejected }
  const asJson = { ok: problems.length === 0, problems, notes, current, hold, releases, months, ...about }
  context.out(
    json
      ? `${JSON.stringify(asJson)}\n`
      : statusText(found, health, await commandPrefix(found.snapshots, problems[0]?.next)),
  )
  return exitCodeOf(problems)
}

function exitCodeOf(problems: readonly HealthProblem[]): number {
  const kinds = problems.map(({ kind }) => kind)
  // The exit code of a release that was published, but is not where others read it.
  if (kinds.includes('publish') || kinds.includes('afterPublish')) return 6
  if (kinds.includes('unreadable')) return 7
  return kinds.length === 0 ? 0 : 1
}

/** How the next command is started, as the user who owns the folder: that user could not change what others make there. */
async function commandPrefix(snapshots: string, next = ''): Promise<string> {
  const typed = calledAs('analytics-build')
  if (next.startsWith('analytics-build check')) return typed
  const [uid, owner] = [process.geteuid?.() ?? 0, await stat(snapshots).catch(() => null)]
  if (owner === null || owner.uid === uid) return typed
  // The variables that count go with the command: without them another release would be made, or none.
  if (uid === 0) return `setpriv --reuid=${owner.uid} --regid=${owner.gid} --clear-groups ${typed}`
  const fault = await access(snapshots, constants.W_OK).catch((error: unknown) => error)
  if (fault === undefined) return typed
  const kept = Object.keys(process.env).filter(isOurVariable).join()
  return `sudo -u '#${owner.uid}' ${kept && `--preserve-env=${kept} `}${typed}`
}

async function readFolder(
  { snapshots: paths, publish: to, envFile }: Values<'status'> & WithEnvFile,
  { nowMs }: BuilderContext,
): Promise<Found> {
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
    snapshots: paths.root,
    isPrivate: folder !== null && (folder.mode & 0o055) === 0,
    envFile: envFile ?? null,
    nothing: current === null && rows.length === 0 ? await noReleaseIn(paths) : null,
    current,
    hold,
    rows,
    months: await namesBelow(paths, MONTH),
    rejected: await namesBelow(paths, REJECTED_PREFIX),
    lastBuild: typeof lastBuild === 'string' ? null : lastBuild,
    unread: typeof lastBuild === 'string' ? lastBuild : null,
    lastTold,
    bucket: to === null || current === null ? null : await readBucket(paths, current, to),
    ...underWay,
    ...thisProgram(),
    nowMs: nowMs(),
  }
}

/** The time for all that a bucket is asked: a store that is busy for a moment is asked again. */
const LOOK_MS = 30_000

/** What is at `to` and, where the site is read, at its public address. */
async function readBucket(paths: ReleasePaths, id: string, to: S3Bucket): Promise<InBucket> {
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
  const found = await ask().then(
    (there) => ({ ...there, unread: null }),
    (error: Error) => ({ id: null, left: 0, stranger: null, unread: error.message }),
  )
  return { to: to.shown, ...found, publicId: await publicId }
}

/** The command that holds the lock; null = there is none, or this user may not know. */
async function readHolder(paths: ReleasePaths): Promise<Pick<Found, 'unfinished' | 'busy'>> {
  const seen = await holderOf(paths.lock).catch(onlyReleaseError)
  if (seen === null || typeof seen === 'string') return { unfinished: null, busy: false }
  const { startedAt, pid, host } = seen.holder
  return seen.dead ? { unfinished: { startedAt, pid, host }, busy: false } : { unfinished: null, busy: true }
}

async function readRow(paths: ReleasePaths, id: string, current: boolean, nowMs: number): Promise<Reported> {
  const manifest = await readManifest(paths, id).catch((error: unknown) => {
    if (error instanceof ReleaseError) return error
    throw error
  })
  const kept = await readKeptPast(paths, id).then((past) => typeof past !== 'string', onlyReleaseError)
  const past = typeof kept === 'string' ? null : kept
  if (manifest instanceof ReleaseError)
    return { ...NOTHING_KNOWN, id, current, past, problem: manifest.message, isUnread: manifest.code === 'unreadable' }
  return { ...rowOf(manifest, nowMs), id, current, past, problem: null, isUnread: false }
}

type Known = Omit<Reported, 'id' | 'current' | 'past' | 'problem' | 'isUnread'>

const NOTHING_KNOWN: Known = {
  ageMs: 0,
  everyMs: 0,
  generatedAt: '',
  files: 0,
  bytes: 0,
  mapping: '',
  demo: false,
  closed: false,
  programVersion: null,
}

function rowOf(manifest: Manifest, nowMs: number): Known {
  const dataAsOfMs = Date.parse(manifest.dataAsOf)
  return {
    ageMs: Math.max(0, nowMs - dataAsOfMs),
    everyMs: Date.parse(manifest.nextUpdateAt) - dataAsOfMs,
    generatedAt: manifest.generatedAt,
    files: manifest.files.length,
    bytes: totalBytes(manifest.files),
    mapping: manifest.mapping.name,
    demo: manifest.mapping.name === DEMO_MAPPING,
    closed: manifest.closed === true,
    programVersion: manifest.programVersion,
    programCommit: manifest.programCommit,
    timeZoneDatabase: manifest.timeZoneDatabase,
  }
}
