// Owns which day gets a line in the log of days, and writes it, durably. Knows no page.
import { timeZoneOf } from '../../contract/time-zone.ts'
import { logLines, withDay } from '../format/day-log.ts'
import type { Manifest, NamedRelease } from '../format/manifest.ts'
import type { ReleasePaths } from '../format/paths.ts'
import { onDisk, ReleaseError } from '../format/release-error.ts'
import { manifestFile, readLog } from '../reading/folder-reader.ts'
import { syncFolder } from './fsync-folder.ts'
import { replaceFile } from './state.ts'

/** A release, and the day that it is noted for. */
export interface LoggedDay extends Pick<NamedRelease, 'sha256'>, Pick<Manifest, 'id' | 'rows'> {
  readonly date: string
}

type Dated = Pick<Manifest, 'id' | 'dataAsOf' | 'rows' | 'closed' | 'options'> & Pick<NamedRelease, 'sha256'>

/** The day of a release, in its own time zone, if a later one is of another day; null = its day goes on, or it has none. */
export function endedDay(release: Dated, asOfMs: number): LoggedDay | null {
  const { id, sha256, rows, closed, dataAsOf, options } = release
  const zone = timeZoneOf(options)
  const date = zone.dayOf(Date.parse(dataAsOf))
  return closed === true || date >= zone.dayOf(asOfMs) ? null : { date, id, sha256, rows }
}

/**
 * The lines of the log with that of a day. A release that is current on days without a build has one line, and so has one that
 * a rollback made current: whoever was killed meanwhile may have written it.
 */
export function logged(lines: readonly string[], day: LoggedDay | null): readonly string[] {
  const [date = '', id] = lines.at(-1)?.split(',', 2) ?? []
  return day === null || (id === day.id && date >= day.date) ? lines : withDay(lines, day.date, day, day.rows)
}

/** The header, then the lines of days. @throws ReleaseError (write) where the log is another file: no line can be added to it */
export async function readLogLines(paths: ReleasePaths): Promise<string[]> {
  const text = await readLog(paths).catch((error: ReleaseError) => {
    throw error.code === 'damaged' ? new ReleaseError('write', error.message, error) : error
  })
  return logLines(text ?? '')
}

/** Before the release of another day is current. Only for the holder of the lock. @throws ReleaseError with the log as it was */
export async function logDay(paths: ReleasePaths, day: LoggedDay | null): Promise<void> {
  const before = await readLogLines(paths)
  const lines = logged(before, day)
  if (lines === before) return
  await onDisk('write', paths.log, () => replaceFile(paths.log, `${lines.join('\n')}\n`))
  await syncFolder(paths.root)
}

/** What a rollback does at an instant: the day of the release that it takes back may have ended; then its own line. */
export async function logRollback(
  paths: ReleasePaths,
  from: Manifest | null,
  to: Manifest,
  nowMs: number,
): Promise<void> {
  const hashOf = async ({ id }: Manifest): Promise<string> => (await manifestFile(paths, id)).sha256
  if (from !== null) await logDay(paths, endedDay({ ...from, sha256: await hashOf(from) }, nowMs))
  if (to.closed === true) return
  const date = timeZoneOf(to.options).dayOf(nowMs)
  await logDay(paths, { date, id: to.id, sha256: await hashOf(to), rows: to.rows })
}
