// Owns what is published of how the past changed: the rows of earlier releases, and those of this one. Pure, but for reading
// the rows that were published.
import { REVISED, type RevisionRow } from '../../contract/kinds/revisions.ts'
import type { PeopleMode } from '../../contract/people.ts'
import type { Log } from '../../process/log.ts'
import { revisionRowsOf } from '../../release/checks/kinds/revisions.ts'
import type { ReleasePaths } from '../../release/format/paths.ts'
import { publishedRevisions, readTakenBack } from '../../release/writing/taken-back.ts'
import type { Revision } from './revision.ts'

/** The newest: a site where 50 months change every day fills them in a year. */
export const MAX_ROWS = 20_000

/** Of the build that asks. */
export interface OfBuild {
  /** In the time zone of the site. */
  readonly date: string
  /** null = it is not compared. */
  readonly revisions: readonly Revision[] | null
  /** By an operator. */
  readonly accepted: boolean
  readonly mode: PeopleMode
}

/** The rows with those of this build. Nothing that was published goes, but for numbers of people that no longer are. */
export function withRevisions(
  earlier: readonly RevisionRow[],
  { date, revisions, accepted, mode }: OfBuild,
): RevisionRow[] {
  const now: RevisionRow[] =
    revisions === null
      ? [{ date, relation: null, month: null, was: null, is: null, accepted }]
      : revisions.flatMap(({ relation, months }) =>
          REVISED.some((one) => one === relation)
            ? months.map(({ month, was, is }) => ({ date, relation, month, was, is, accepted }))
            : [],
        )
  const isPublished = ({ relation }: RevisionRow): boolean => mode === 'exact' || relation !== 'users'
  return merged([...earlier, ...now].filter(isPublished)).slice(-MAX_ROWS)
}

/**
 * One row for each day, relation and month. Between two builds of a day a month may also grow, so it is the last number, and
 * what that would have been without the changes.
 */
function merged(rows: readonly RevisionRow[]): RevisionRow[] {
  const byKey = new Map<string, RevisionRow>()
  for (const row of rows) {
    const known = byKey.get(keyOf(row))
    const accepted = row.accepted || known?.accepted === true
    const both = known === undefined || row.is === null ? row : changed(row, row.is, changeOf(known) + changeOf(row))
    byKey.set(keyOf(row), { ...both, accepted })
  }
  return [...byKey.values()].sort((a, b) => (a.date < b.date ? -1 : Number(a.date > b.date)))
}

/** A row that ends at a number, or higher: after a rollback changes of several cuts are added, and nothing is less than 0. */
function changed(row: RevisionRow, is: number, change: number): RevisionRow {
  const was = Math.max(0, -change, is - change)
  return { ...row, was, is: was + change }
}

function keyOf({ date, relation, month }: RevisionRow): string {
  return `${date} ${relation} ${month}`
}

function changeOf({ was, is }: RevisionRow): number {
  return (is ?? 0) - (was ?? 0)
}

/**
 * The rows up to the current release. What a rollback took back was public: its rows stay, and the change back is one of `date`.
 * @param current of the release that is current
 * @param taken of the last one that a rollback took back, if that is later
 */
export function afterRollback(
  current: readonly RevisionRow[],
  taken: readonly RevisionRow[],
  date: string,
): RevisionRow[] {
  const changes = new Map(current.map((row) => [keyOf(row), changeOf(row)]))
  const back = taken.flatMap((row): RevisionRow[] => {
    const change = changeOf(row) - (changes.get(keyOf(row)) ?? 0)
    return change === 0 ? [] : [changed({ ...row, date, accepted: false }, (row.is ?? 0) - change, -change)]
  })
  const kept = new Set(taken.map(keyOf))
  return merged([...current.filter((row) => !kept.has(keyOf(row))), ...taken, ...back])
}

/** What was published by now. @param from the release whose history goes on; null = it begins */
export async function earlierRevisions(
  paths: ReleasePaths,
  from: string | null,
  date: string,
  log: Log,
): Promise<readonly RevisionRow[]> {
  if (from === null) return []
  const unreadable = (error: Error): null => {
    log.warn({}, `what changed in past numbers is not carried on from ${from}: ${error.message}`)
    return null
  }
  const current = revisionRowsOf(await publishedRevisions(paths, from).catch(unreadable)) ?? []
  const taken = await readTakenBack(paths)
  const rows = taken === null || taken.id <= from ? null : revisionRowsOf(taken.document)
  return rows === null ? current : afterRollback(current, rows, date)
}
