// Owns what is published of how the past changed: the rows of earlier releases, and those of this one. Pure, but for reading
// the rows that were published.
import type { RevisionRow } from '../../contract/kinds/revisions.ts'
import type { PeopleMode } from '../../contract/people.ts'
import type { Log } from '../../process/log.ts'
import { revisionsFault } from '../../release/checks/kinds/revisions.ts'
import type { ReleasePaths } from '../../release/format/paths.ts'
import { onReleaseError } from '../../release/format/release-error.ts'
import { membersOf, objectsOf } from '../../release/quantities/numbers.ts'
import type { JournalState } from '../../release/past/journal.ts'
import { publishedRevisions } from '../../release/past/rollback.ts'
import { ALL_MONTHS, type Revision } from './revision.ts'

/** The newest: a site where 50 months change every day fills them in a year. */
export const MAX_ROWS = 20_000

/** What was published by now. */
export interface Earlier {
  /** Of the release whose history goes on. */
  readonly current: readonly RevisionRow[]
  /** Of the last one that a rollback took back, if that is later. */
  readonly taken: readonly RevisionRow[]
}

const NOT_COMPARED = { relation: null, months: [{ month: null, was: null, is: null }] } as const

/**
 * The rows with those of a build. Nothing that was published goes, but for numbers of people that no longer are. What a rollback
 * took back was public, too: the change back is one of the day.
 * @param revisions null = it is not compared
 * @param isByMonth false = only sums are compared, which are of no month
 */
export function withRevisions(
  { current, taken }: Earlier,
  revisions: readonly Revision[] | null,
  { date, accepted, isByMonth }: Pick<RevisionRow, 'date' | 'accepted'> & { readonly isByMonth: boolean },
  mode: PeopleMode,
): RevisionRow[] {
  const known = [...new Map([...current, ...taken].map((row) => [keyOf(row), row])).values()]
  // From the current release to what was published last; the way back begins at the numbers of that.
  const since = merged([...current.map(undone), ...known].map((row) => ({ ...row, date, accepted: false })))
  const back = since.map(undone).filter(({ was, is }) => was !== is)
  const compared = [...(isByMonth && revisions !== null ? [] : [NOT_COMPARED]), ...(revisions ?? [])]
  const now = compared.flatMap(({ relation, months }) =>
    months.map(({ month, was, is }): RevisionRow => ({ date, relation, month: dayIn(month), was, is, accepted })),
  )
  const isPublished = ({ relation, month }: RevisionRow): boolean =>
    (mode === 'exact' || relation !== 'users') && relation !== 'activeUsers' && month !== ALL_MONTHS
  return merged([...known, ...back, ...now].filter(isPublished)).slice(-MAX_ROWS)
}

/** `2026-05` as documents name a month: by its first day. */
const dayIn = (month: string | null): string | null => (month === null || month === ALL_MONTHS ? month : `${month}-01`)

/**
 * One row for each day, relation and month. Between two builds of a day a month may also grow, so it is the last number, and
 * what that would have been without the changes; or higher, so that none is below 0: after a rollback changes of several cuts
 * are added.
 */
function merged(rows: readonly RevisionRow[]): RevisionRow[] {
  const byKey = new Map<string, RevisionRow>()
  for (const row of rows) {
    const known = byKey.get(keyOf(row))
    const accepted = row.accepted || known?.accepted === true
    const change = changeOf(row) + (known === undefined ? 0 : changeOf(known))
    const was = row.is === null ? null : Math.max(0, row.is - change)
    byKey.set(keyOf(row), { ...row, was, is: was === null ? null : was + change, accepted })
  }
  return [...byKey.values()].sort((a, b) => (a.date < b.date ? -1 : Number(a.date > b.date)))
}

function undone(row: RevisionRow): RevisionRow {
  return { ...row, was: row.is, is: row.was }
}

function keyOf({ date, relation, month }: RevisionRow): string {
  return `${date} ${relation} ${month}`
}

function changeOf({ was, is }: RevisionRow): number {
  return (is ?? 0) - (was ?? 0)
}

/**
 * @param from the release whose history goes on; null = it begins
 * @throws ReleaseError (unreadable): the rows may be there
 */
export async function earlierRevisions(
  paths: ReleasePaths,
  { taken }: Pick<JournalState, 'taken'>,
  from: string | null,
  log: Log,
): Promise<Earlier> {
  if (from === null) return { current: [], taken: [] }
  const without = (error: Error): void =>
    log.warn({}, `what changed in past numbers is not carried on from ${from}: ${error.message}`)
  const rowsOf = (found: readonly unknown[] = []): readonly RevisionRow[] => {
    const rows = found as readonly RevisionRow[]
    const fault = revisionsFault(rows)
    if (fault === null) return rows
    without(new Error(fault))
    return []
  }
  const { data } = membersOf(await publishedRevisions(paths, from).catch(onReleaseError(without, 'damaged', 'absent')))
  const current = rowsOf(objectsOf(data))
  return { current, taken: taken !== null && taken.id > from ? rowsOf(taken.revisions) : [] }
}
