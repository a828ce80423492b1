// Owns the commands about releases: verify, diff, rollback, resume, prune. Reads no database.
import type { Stoppable } from '../../process/stop-signal.ts'
import { calledAs } from '../../process/called-as.ts'
import { countedOn } from '../../process/progress.ts'
import { showSize } from '../../process/value-syntax.ts'
import { CliError, usageError } from '../../process/cli-error.ts'
import { finishClosing } from '../../release/past/forget.ts'
import { GRACE_MINUTES, keepCurrentOnly, prune, type Pruned } from '../../release/writing/prune.ts'
import { STAGING_PREFIX, type ReleasePaths } from '../../release/format/paths.ts'
import { totalBytes } from '../../release/format/manifest.ts'
import { readCurrent } from '../../release/reading/folder-reader.ts'
import { MAX_LOG_BYTES } from '../../release/format/day-log.ts'
import { readBounded } from '../../release/reading/bounded-text.ts'
import type { FoundRelease } from '../../release/reading/release-reader.ts'
import { readKeptPast } from '../../release/writing/kept-past.ts'
import { refuseForeign, takeLock, type Lock } from '../../release/writing/lock.ts'
import { resume, rollback } from '../../release/past/rollback.ts'
import { readPin } from '../../release/past/past.ts'
import { removeLeftovers } from '../../release/writing/staging.ts'
import { verifyRelease, type Verification } from '../../release/verify/verify.ts'
import type { Values } from '../options/build-options.ts'
import { diffText } from '../report/diff-report.ts'
import { diff, type Side } from '../report/diff.ts'
import { lockedText, oneScreen } from '../report/build-report.ts'
import { warnOfForgotten } from '../report/last-build.ts'
import { tellOf } from '../run/after-publish.ts'
import { publishTo } from '../run/publish-to.ts'
import { showLog } from '../run/warnings.ts'
import type { BuilderContext } from '../run/context.ts'
import { withRelease } from './which-release.ts'

const CURRENT = 'current'

/** Compares two releases. */
export async function diffCommand(
  { snapshots: paths, json }: Values<'diff'>,
  { out, progress }: BuilderContext,
  a: string = CURRENT,
  b: string = CURRENT,
): Promise<number> {
  const side = (which: string): Promise<Side> =>
    withRelease(paths, which, async ({ name, manifest }) => {
      // Only the builder's user may read what was kept; for others the rest is compared.
      const kept = await readKeptPast(paths, name).catch(() => 'unreadable')
      return { manifest, kept: typeof kept === 'string' ? null : kept }
    })
  progress.show(`reading ${a} and ${b}`)
  const found = diff(await side(a), await side(b))
  out(json ? `${JSON.stringify(found)}\n` : diffText(found))
  return 0
}

/** How long the command of --after-publish may take: as long as a build by default. */
const TOLD_MS = 15 * 60_000

/** Makes an older release current, and pins it. */
export function rollbackCommand(
  { snapshots: paths, json, publish, afterPublish, acceptSite }: Values<'rollback'>,
  { stop, umask, nowMs, sleep, out, log }: BuilderContext,
  id: string | null = null,
): Promise<number> {
  return withLock(paths, stop, async (lock) => {
    const { pin, months } = await rollback(paths, id, nowMs())
    await showLog(paths, log)
    const removed = months.map((month) => `removed the archive of ${month}, which had later numbers\n`)
    const text = `current is ${pin.id}; builds do not publish until: ${calledAs('analytics-build')} resume\n${removed.join('')}`
    out(json ? `${JSON.stringify({ ...pin, removedMonths: months })}\n` : text)
    const signal = AbortSignal.any([stop.signal, AbortSignal.timeout(TOLD_MS)])
    await warnOfForgotten(paths, publish?.shown, log)
    const failed = await publishTo(paths, publish, { atOnce: false, acceptSite }, { signal, sleep, log, lock })
    await tellOf(paths, pin.id, afterPublish, { signal, umask, nowMs, log })
    if (failed !== null) throw failed
    return 0
  })
}

/** Lets builds publish again after a rollback. */
export async function resumeCommand(
  { snapshots: paths, json }: Values<'resume'>,
  { stop, nowMs, out }: BuilderContext,
): Promise<number> {
  const print = (held: boolean): number => {
    out(json ? `${JSON.stringify({ held })}\n` : held ? 'builds publish again\n' : 'nothing was pinned\n')
    return 0
  }
  // Without a pin there is nothing to wait for, and no folder to make.
  if ((await readPin(paths)) === null) {
    // The folder must have a release: in one that was not meant, the answer would be about nothing.
    await withRelease(paths, CURRENT, () => Promise.resolve())
    return print(false)
  }
  return withLock(paths, stop, async () => print(await resume(paths, nowMs())))
}

/** Removes old releases. */
export function pruneCommand(
  { snapshots: paths, json, quiet, allButCurrent, publish, acceptSite, ...kept }: Values<'prune'>,
  { stop, nowMs, sleep, out, progress, log }: BuilderContext,
): Promise<number> {
  return withLock(paths, stop, async (lock) => {
    progress.show('removing old releases')
    await removeLeftovers(paths, STAGING_PREFIX)
    const { signal } = stop
    const pruned: Pruned = allButCurrent
      ? { removed: await keepCurrentOnly(paths, kept.keepMonths, signal), young: [] }
      : await prune(paths, kept, nowMs(), signal)
    signal.throwIfAborted()
    if (!quiet) out(json ? `${JSON.stringify(pruned)}\n` : prunedText(pruned))
    await warnOfForgotten(paths, publish?.shown, log)
    const failed = await publishTo(paths, publish, { atOnce: allButCurrent, acceptSite }, { signal, sleep, log, lock })
    if (failed !== null) throw failed
    return 0
  })
}

function prunedText({ removed, young }: Pruned): string {
  const lines = removed.map((id) => `removed ${id}\n`)
  if (young.length > 0)
    lines.push(
      `not removed, because they were made or replaced less than ${GRACE_MINUTES} minutes ago and may still be read: ${young.join(', ')}; prune again later\n`,
    )
  return lines.join('') || 'nothing to remove\n'
}

/** Works under the lock, which a signal makes it release first. Work that has begun to change something decides itself when to stop. */
function withLock(paths: ReleasePaths, stop: Stoppable, work: (lock: Lock) => Promise<number>): Promise<number> {
  return stop.during(async () => {
    if (!(await refuseForeign(paths)))
      throw usageError(`there is no folder ${paths.root}; give --snapshots with the one that has the releases`)
    const lock = await takeLock(paths)
    if (!('owned' in lock)) throw new CliError(5, `${lockedText(lock)}; try again when it is done`)
    try {
      stop.signal.throwIfAborted()
      await finishClosing(paths, await readCurrent(paths), stop.signal)
      return await work(lock)
    } finally {
      await lock.release()
    }
  })
}

/** Reads a release whole and compares it with its manifest. */
export async function verifyCommand(
  { snapshots, json, quiet, log }: Values<'verify'>,
  { out, progress }: BuilderContext,
  which: string = CURRENT,
): Promise<number> {
  const texts = await Promise.all(log.map(savedText))
  const saved = log.length === 0 ? null : texts.join('\n')
  const verifyIt = (release: FoundRelease): Promise<Verification> => {
    const expected = totalBytes(release.manifest.files)
    return verifyRelease(release, countedOn(progress, 'verifying', expected, { show: showSize }), saved)
  }
  const result = await withRelease(snapshots, which, verifyIt)
  const code = result.faults.length > 0 ? 1 : result.unread.length > 0 ? 7 : 0
  if (!quiet || code !== 0) out(json ? `${JSON.stringify(result)}\n` : verificationText(result))
  if (quiet || json || code !== 0) return code
  if (saved !== null) out(`the log has every line of ${log.join(', ')}: no day up to the last of them was changed\n`)
  out(`not proved:\n${oneScreen(result.notProved)}`)
  return code
}

function savedText(path: string): Promise<string> {
  return readBounded(path, MAX_LOG_BYTES, 'a log').catch((error: Error) => {
    throw usageError(
      `--log: cannot read "${path}": ${error.message}; allowed: a copy of log.csv, or a file with a line of it`,
    )
  })
}

function verificationText({ id, files, bytes, closed, faults, unread }: Verification): string {
  const left =
    unread.length === 0
      ? ''
      : `${unread.length} of its files could not be read, so nothing is known about them:\n${oneScreen(unread)}`
  if (faults.length > 0) return `${id} is damaged:\n${oneScreen(faults)}${left}`
  return left === ''
    ? `${id} is whole: ${files} files, ${showSize(bytes)}${closed ? '; the site is closed to visitors, and the release is empty' : ''}\n`
    : `${id} is not known to be whole: ${left}`
}
