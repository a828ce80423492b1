// Owns which day gets a line in the log of days, and log.csv, which shows the days of the journal to everybody. Knows no page.
import { timeZoneOf } from '../../contract/time-zone.ts'
import { linesOfDays, loggedDay, logLines, withDay, type LoggedDay } from '../format/day-log.ts'
import type { Manifest, NamedRelease } from '../format/manifest.ts'
import type { ReleasePaths } from '../format/paths.ts'
import { nullIfAbsent, ReleaseError } from '../format/release-error.ts'
import { readLog } from '../reading/folder-reader.ts'
import { replaceState } from '../writing/state.ts'
import type { Line } from './journal.ts'
import { readJournal, type KnownJournal } from './past.ts'

type Dated = Pick<Manifest, 'id' | 'dataAsOf' | 'closed' | 'options' | 'rows'> & Pick<NamedRelease, 'sha256'>

export function dayOf({ id, sha256, rows: { ideas, votes, comments } }: Dated, date: string): LoggedDay {
  return { date, id, sha256, rows: { ideas, votes, comments } }
}

/** The day of a release, in its own time zone, if it is over at an instant; null = it goes on, or there is none. */
export function endedDay(release: Dated | null, ms: number): LoggedDay | null {
  if (release === null || release.closed === true) return null
  const zone = timeZoneOf(release.options)
  const date = zone.dayOf(Date.parse(release.dataAsOf))
  return date < zone.dayOf(ms) ? dayOf(release, date) : null
}

const isBeginningOf = (some: readonly string[], all: readonly string[]): boolean =>
  some.every((line, i) => line === all[i])

/**
 * Where somebody put another log there, as that
 * of a bucket or of a page, it is gone on with; one that is damaged, or gone, is made again from the journal.
 * @returns the past with all days that the log has, and the lines that the log has now, its header first
 * @throws ReleaseError (write) where the log is another file, or damaged and nothing else is known
 */
export async function readLogged(paths: ReleasePaths) {
  const past: KnownJournal = await readJournal(paths)
  const there = logLines((await readLog(paths, 'write').catch(nullIfAbsent)) ?? '')
  if (isBeginningOf(there, linesOfDays(past.days))) return { past, there }
  const days = there.slice(1).flatMap((line) => loggedDay(line) ?? [])
  if (isBeginningOf(there, linesOfDays(days))) return { past: { ...past, days, isWhole: false }, there }
  if (past.days.length > 0) return { past, there }
  throw new ReleaseError(
    'write',
    `${paths.log} is damaged: analytics-build verify names the line; put a copy of it there, or move it away to begin a new one`,
  )
}

/** What a line of the journal says of days: nothing, or those that are added. */
export function daysOfLine({ days: before }: KnownJournal, ...days: readonly (LoggedDay | null)[]): Pick<Line, 'days'> {
  const added = days.reduce(withDay, before).slice(before.length)
  return added.length === 0 ? {} : { days: added }
}

/** Makes log.csv show the days of the journal. Only for the holder of the lock. @throws ReleaseError with the log as it was */
export async function showDays(paths: ReleasePaths): Promise<void> {
  const { past, there } = await readLogged(paths)
  const lines = linesOfDays(past.days)
  if (there.length === lines.length && isBeginningOf(there, lines)) return
  await replaceState(paths, 'log', `${lines.join('\n')}\n`)
}
