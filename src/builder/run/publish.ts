// Owns the third step of a build: a candidate that the gate accepted becomes current, older releases go, and whoever is to know is
// told; one that it rejected is kept aside. The order of these steps is what a kill or a power cut may interrupt anywhere.
import { orLog } from '../../process/log.ts'
import { forgetAllBut } from '../../release/past/forget.ts'
import { daysOfLine, endedDay, readLogged } from '../../release/past/day-log.ts'
import { note, readJournal } from '../../release/past/past.ts'
import { ReleaseError } from '../../release/format/release-error.ts'
import { REJECTED_PREFIX } from '../../release/format/paths.ts'
import { isWhole } from '../../release/verify/verify.ts'
import { keepPast } from '../../release/writing/kept-past.ts'
import { switchTo } from '../../release/writing/current-link.ts'
import { prune, type Pruned } from '../../release/writing/prune.ts'
import type { Staging } from '../../release/writing/staging.ts'
import type { Base } from '../past/current.ts'
import { tellOf } from './after-publish.ts'
import type { BuildContext } from './context.ts'
import type { JudgedCandidate } from './judge.ts'
import { publishTo } from './publish-to.ts'
import { showLog } from './warnings.ts'

export type AfterSwitch = Awaited<ReturnType<typeof publishCandidate>>

/** @throws ReleaseError, also after the switch: where a copy elsewhere, or what a closed site must not show, stays */
export async function publishCandidate(build: BuildContext, base: Base, judged: JudgedCandidate, staging: Staging) {
  const { request, lock, signal, log, nowMs } = build
  const { paths } = request
  const { id } = judged.manifest
  signal.throwIfAborted()
  if (!(await lock.owned())) throw new ReleaseError('write', 'the lock was taken over by another build; this one stops')
  await noteFirst(build, base, judged)
  await staging.promote(id, isWhole)
  await switchTo(paths, id, nowMs())
  if (judged.closed === null) await showLog(paths, log)
  // While nothing else may change the folder. The command may purge a cache of what is published before.
  const tell = async (): Promise<boolean | undefined> => {
    const { publish, acceptSite, afterPublish } = request
    const failed = await publishTo(paths, publish, { atOnce: false, acceptSite }, build)
    const told = await tellOf(paths, id, afterPublish, build)
    if (failed !== null) throw failed
    return told
  }
  const pruned = await removeOld(build, judged).catch(async (error: unknown) => {
    // A copy elsewhere must go all the same.
    await tell()
    throw error
  })
  return {
    pruned,
    /** When all was done here (performance.now()): what follows waits for others. */
    doneMs: performance.now(),
    /** Whether the command of --after-publish succeeded; undefined where none was run. */
    afterPublish: await tell(),
  }
}

/** Before the release can be found: one that is current without its past would be compared with nothing. */
async function noteFirst(
  { request: { paths }, nowMs, log }: BuildContext,
  { current }: Base,
  { manifest: { id, dataAsOf }, closed, carriedFrom, kept }: JudgedCandidate,
): Promise<void> {
  if (kept !== null) await keepPast(paths, id, kept)
  const at = new Date(nowMs()).toISOString()
  if (closed !== null) {
    // The journal begins anew when the site is closed; an error must not keep it open.
    await orLog(log, 'warn', 'the journal does not name the empty release yet', async () =>
      note(paths, await readJournal(paths), { at, id }),
    )
    return
  }
  const { past } = await readLogged(paths)
  // The same release again carries on what it carried on before.
  const from = id === carriedFrom ? {} : { from: carriedFrom }
  await note(paths, past, { at, id, ...from, ...daysOfLine(past, endedDay(current, Date.parse(dataAsOf))) })
}

/** @throws ReleaseError where what visitors may no longer see, with rejected releases, stays: it is removed at once */
async function removeOld(
  { request, signal, log, nowMs }: BuildContext,
  { manifest, closed, forgotten, needed }: JudgedCandidate,
): Promise<readonly string[]> {
  if (closed !== null) return [...forgotten, ...(await forgetAllBut(request.paths, [manifest.id], signal))]
  const old = (): Promise<Pruned> => prune(request.paths, request, nowMs(), signal, needed)
  // The release is published: a failure to remove old ones is not a failure of the build.
  return (await orLog(log, 'warn', 'old releases are not pruned', old))?.removed ?? []
}

/** Keeps what the gate rejected with its past, for `diff`. @returns where it is */
export async function rejectCandidate(
  { request: { paths }, log }: BuildContext,
  { manifest: { id }, kept }: JudgedCandidate,
  staging: Staging,
): Promise<string> {
  const rejected = await staging.reject(id, log)
  const failed = 'diff cannot show the rejected candidate by month'
  if (kept !== null) await orLog(log, 'warn', failed, () => keepPast(paths, `${REJECTED_PREFIX}${id}`, kept))
  return rejected
}
