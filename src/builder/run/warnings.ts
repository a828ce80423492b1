// Owns what is logged of a build that may publish, but whose result an operator may not expect. Decides nothing.
import type { HistoryRow } from '../../contract/kinds/history.ts'
import { formatTimestamp } from '../../contract/timestamp.ts'
import type { CountedPast } from '../../model/rows-by-month.ts'
import { orLog, type Log } from '../../process/log.ts'
import { count, countOf } from '../../process/printable.ts'
import { LOG_NAME } from '../../release/format/day-log.ts'
import { isDemo, type Manifest } from '../../release/format/manifest.ts'
import type { ReleasePaths } from '../../release/format/paths.ts'
import { showDays } from '../../release/past/day-log.ts'
import type { Pin } from '../../release/past/journal.ts'
import { categoriesOfPeople } from '../../source/read/category-names.ts'
import type { SkippedRows, SuspectRows } from '../../source/read/skipped-rows.ts'
import type { ConsistentRead } from '../../source/read/consistent-read.ts'
import { clockWarning, type ReleaseSummary } from '../past/gate.ts'
import type { Base } from '../past/current.ts'
import { haveSameMonths } from '../past/revision.ts'

/** The journal has the days; so the next build tries again. */
export async function showLog(paths: ReleasePaths, log: Log): Promise<void> {
  await orLog(log, 'warn', `${LOG_NAME} does not show the last days yet`, () => showDays(paths))
}

/** What is known before a row is read. */
export function warnOfSource(source: ConsistentRead, rowSecurity: 'off' | 'apply', log: Log): void {
  for (const warning of source.warnings) log.warn({}, warning)
  if (source.standby && source.replayLagMs === null)
    log.warn(
      {},
      'the standby does not stream from its primary: how far it is behind is unknown; see pg_stat_wal_receiver and its log',
    )
  if (rowSecurity === 'apply') log.warn({}, 'row-level security is applied: only rows that the role may see count')
}

/** What is known when all rows were read. */
export function warnOfRows(
  faults: readonly SkippedRows[],
  suspects: readonly SuspectRows[],
  droppedUrls: number,
  log: Log,
): void {
  const texts = faults.map(({ rows, relation, reason }) => `${countOf(rows, relation)}: ${reason}`).join('; ')
  if (faults.length > 0) log.warn({}, `rows that break a rule are left out or count without what is wrong: ${texts}`)
  const many = suspects.map(({ rows, of, relation, reason }) => `${count(rows)} of ${countOf(of, relation)}: ${reason}`)
  if (many.length > 0) log.warn({}, `is the mapping right? ${many.join('; ')}; analytics-build check says more`)
  if (droppedUrls > 0)
    log.warn({ ideas: droppedUrls }, 'urls that are neither a path nor http(s) are published as null')
}

/** Of names that are about to be public. */
export function warnOfNames(categories: Manifest['categories'], log: Log): void {
  const problem = categoriesOfPeople(categories.map(({ name }) => name))
  if (problem !== null) log.warn({}, `${problem}; see section idea_categories of the mapping, then build again`)
}

/** Of a history that was published while a clock was ahead. */
export function warnOfLaterDays(rows: readonly HistoryRow[], { asOfMs, zone }: ConsistentRead, log: Log): void {
  const later = rows.filter(({ date }) => date > zone.dayOf(asOfMs)).map(({ date }) => date)
  if (later.length > 0)
    log.warn(
      { days: later },
      `the history of later days than ${formatTimestamp(asOfMs)} is left out: a clock was ahead, or is behind`,
    )
}

/** A site may stay closed for long: it is a warning only once, because cron sends a mail for each. */
function newsLevel(current: ReleaseSummary | null): 'info' | 'warn' {
  return current?.closed === true ? 'info' : 'warn'
}

/** What the gate accepts, but an operator wants to know. */
export function warnOfSurprises(
  judged: Readonly<{ manifest: Manifest; closed: object | null; past: CountedPast | null; notes: readonly string[] }>,
  base: Base,
  log: Log,
): void {
  const { manifest, closed, past, notes } = judged
  const clock = clockWarning(manifest)
  if (clock !== null) log.warn({}, clock)
  if (closed !== null)
    return log[newsLevel(base.current)](
      closed,
      'the site is closed to visitors: this release is empty, and every other one is removed',
    )
  // In another time zone the same row may be of another day.
  const isSameDay = haveSameMonths(base.kept?.past.own, past?.earlier)
  const restored = isSameDay ? restoredWarning(base.kept?.past, past) : null
  if (restored !== null) log.warn({}, restored)
  for (const note of notes) log.warn({}, note)
  if (manifest.rows.ideas === 0)
    log.warn({}, 'the release has no idea: is a parameter wrong? See analytics-build check')
  // Of one that is damaged a warning was logged; of the demo everybody expects it.
  if (base.without !== null && base.current !== null && !isDemo(manifest))
    log.warn({ last: base.current.rows, now: manifest.rows }, `${base.without}: the past was not compared`)
}

/** Days, not instants: somebody who takes back the last vote is no news, yesterday's copy of the database is. */
function restoredWarning(last: CountedPast | undefined, now: CountedPast | null): string | null {
  const [lastDay, nowDay] = [last?.newestDay ?? null, now?.newestDay ?? null]
  if (lastDay === null || (nowDay !== null && nowDay >= lastDay)) return null
  return `the newest idea, vote or comment is of ${nowDay ?? 'no day'}; in the current release it was of ${lastDay}: was an older copy of the database restored, or is this another one? If the newest rows were deleted, nothing is to be done`
}

/** A pin does not keep a closed site public. */
export function warnOfPinnedPast(pin: Pin, current: ReleaseSummary | null, log: Log): void {
  log[newsLevel(current)](
    pin,
    `published although builds are pinned (since ${pin.since}), because the site is closed; the pin stays and applies again when it opens`,
  )
}
