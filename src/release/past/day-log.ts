// Owns which day gets a line in the log of days, and writes it, durably. Knows no page.
import { timeZoneOf } from '../../contract/time-zone.ts'
import { logLines, withDay, type LoggedDay } from '../format/day-log.ts'
import type { Manifest } from '../format/manifest.ts'
import type { ReleasePaths } from '../format/paths.ts'
import { nullIfAbsent, onDisk } from '../format/release-error.ts'
import { manifestFile, readLog } from '../reading/folder-reader.ts'
import { syncFolder } from '../writing/fsync-folder.ts'
import { replaceFile } from '../writing/state.ts'

type Dated = Omit<LoggedDay, 'date'> & Pick<Manifest, 'dataAsOf' | 'closed' | 'options'>

/** The day of a release, in its own time zone, if it is over at an instant; null = it goes on, or there is none. */
export function endedDay(release: Dated | null, ms: number): LoggedDay | null {
  if (release === null || release.closed === true) return null
  const zone = timeZoneOf(release.options)
  const date = zone.dayOf(Date.parse(release.dataAsOf))
  return date < zone.dayOf(ms) ? { ...release, date } : null
}

/** @throws ReleaseError (write) where the log is another file: no line can be added to it */
export async function readLogLines(paths: ReleasePaths): Promise<readonly string[]> {
  return logLines((await readLog(paths, 'write').catch(nullIfAbsent)) ?? '')
}

/** Before the release of another day is current. Only for the holder of the lock. @throws ReleaseError with the log as it was */
export async function logDays(paths: ReleasePaths, ...days: readonly (LoggedDay | null)[]): Promise<void> {
  const before = await readLogLines(paths)
  const lines = days.reduce(withDay, before)
  if (lines === before) return
  await onDisk('write', paths.log, () => replaceFile(paths.log, `${lines.join('\n')}\n`))
  await syncFolder(paths.root)
}

/** What a rollback does at an instant: the day of the release that it takes back may have ended; then its own line. */
export async function logRollback(paths: ReleasePaths, from: Manifest | null, to: Manifest, ms: number): Promise<void> {
  const dated = async (one: Manifest): Promise<Dated> => ({ ...one, ...(await manifestFile(paths, one.id)) })
  const ended = endedDay(from && (await dated(from)), ms)
  await logDays(paths, ended, { ...(await dated(to)), date: timeZoneOf(to.options).dayOf(ms) })
}
