// Owns the rollback to an older release, and the pin that it leaves until it is resumed. Removes no release that is open.
import { snapshotPath } from '../../contract/snapshot-paths.ts'
import { timeZoneOf, UTC } from '../../contract/time-zone.ts'
import { DAY_MS } from '../../contract/timestamp.ts'
import { isDemo, MONTH, readAtMs, type Manifest } from '../format/manifest.ts'
import type { ReleasePaths } from '../format/paths.ts'
import { ReleaseError } from '../format/release-error.ts'
import { folderReader, manifestFile, readCurrent, readManifest } from '../reading/folder-reader.ts'
import { currentId, listReleases, namesBelow, releaseBefore, requireRelease } from '../reading/release-list.ts'
import { switchTo } from '../writing/current-link.ts'
import { hideAll } from '../writing/prune.ts'
import { dayOf, daysOfLine, endedDay, readLogged } from './day-log.ts'
import { forgetAllBut } from './forget.ts'
import type { Line, Pin } from './journal.ts'
import { note, readJournal, writeJournal, type KnownJournal } from './past.ts'

/**
 * Makes an older release current and pins it: later builds stage and report, but do not publish. Fails while the site is
 * closed. If the older release is of a closed site, every other release is removed.
 * @returns the pin, and the months whose archives were removed
 * @throws ReleaseError with `current` and the pin as they were
 */
export async function rollback(paths: ReleasePaths, wanted: string | null, nowMs: number) {
  const releases = await listReleases(paths)
  const current = await currentId(paths)
  const id = wanted ?? (current === null ? null : releaseBefore(current, releases))
  const from = await readCurrent(paths)
  if (from?.closed === true)
    throw new ReleaseError(
      'absent',
      `the current release ${current} says that the site is closed to visitors: no other one is made current; when the site is open again, the next build publishes it`,
    )
  if (id === null)
    throw new ReleaseError(
      'absent',
      `no release ${current === null ? 'is current' : `before ${current}`} in ${paths.root}`,
    )
  await requireRelease(paths, id)
  // A damaged release would make every answer an error.
  const manifest = await readManifest(paths, id)
  // A rollback never brings invented numbers back in place of real ones.
  if (current !== null && isDemo(manifest) && !isDemo(from))
    throw new ReleaseError('absent', `${id} is of the demo, whose numbers are invented; name another release`)
  const at = new Date(nowMs).toISOString()
  const pin: Pin = { since: at, id }
  const later = await monthsReadAfter(paths, readAtMs(id))
  const { past } = await readLogged(paths)
  const days = id === current ? {} : daysOfLine(past, ...(await rolledBack(paths, from, manifest, nowMs)))
  const line = { at, id, ...days, pin, ...(await takenBack(paths, from, past)) }
  try {
    // Pinned first: after a rollback that was killed in between, builds must not publish.
    await note(paths, past, line)
    // Their numbers may be those that are taken back. The next build archives a month again, from what is current then.
    await hideAll(paths, later)
    await switchTo(paths, id, nowMs)
  } catch (error) {
    await writeJournal(paths, past).catch(() => {})
    throw error
  }
  if (manifest.closed === true) await forgetAllBut(paths, [id])
  return { pin, months: later }
}

/** The day of the release that is taken back, if it has ended; then the day of the rollback. */
async function rolledBack(paths: ReleasePaths, from: Manifest | null, to: Manifest, ms: number) {
  const dated = async (one: Manifest) => ({ ...one, ...(await manifestFile(paths, one.id)) })
  const ended = endedDay(from && (await dated(from)), ms)
  return [ended, dayOf(await dated(to), timeZoneOf(to.options).dayOf(ms))]
}

const REVISIONS = snapshotPath({ endpoint: 'export', type: 'revisions', period: 'all', format: 'json' })

/** The document of what changed in past numbers, as a release has it; undefined = it has none. @throws ReleaseError */
export async function publishedRevisions(paths: ReleasePaths, id: string): Promise<unknown> {
  const { files } = await readManifest(paths, id)
  const file = files.find(({ path }) => path === REVISIONS)
  return file && JSON.parse((await folderReader(paths).read(id, file)).toString('utf8'))
}

/** The rows of `revisions` to keep of the release that is taken back: none if it is damaged, or a later one was taken back before. */
async function takenBack(paths: ReleasePaths, from: Manifest | null, { taken }: KnownJournal): Promise<Line> {
  if (from === null || (taken !== null && taken.id > from.id)) return {}
  const document = await publishedRevisions(paths, from.id).catch(() => undefined)
  const { data } = (document ?? {}) as { readonly data?: readonly unknown[] }
  return Array.isArray(data) ? { taken: { id: from.id, revisions: data } } : {}
}

/** The archives that may be of releases read later, in whatever time zone their months were named; also those that cannot be read. */
async function monthsReadAfter(paths: ReleasePaths, ms: number): Promise<string[]> {
  // An earlier month of every zone has no later release.
  const first = UTC.monthOf(ms - 2 * DAY_MS)
  const found: string[] = []
  for (const month of await namesBelow(paths, MONTH)) {
    if (month < first) continue
    const readMs = await readManifest(paths, month).then(
      (manifest) => readAtMs(manifest.id),
      () => Number.POSITIVE_INFINITY,
    )
    if (readMs > ms) found.push(month)
  }
  return found
}

/**
 * Lets builds publish again, also after a power cut. Only for the holder of the lock.
 * @returns false when nothing was pinned
 * @throws ReleaseError with the pin as it was
 */
export async function resume(paths: ReleasePaths, nowMs: number): Promise<boolean> {
  const past = await readJournal(paths)
  if (past.pin === null) return false
  await note(paths, past, { at: new Date(nowMs).toISOString(), pin: null })
  return true
}
