// Owns the rules of the history export: what a row is, their order, and how they agree with their release. Pure: rows in,
// sentences out.
import { EXPORT_COLUMNS } from '../../../contract/columns.ts'
import { historyIn, mappingMark, type HistoryRow } from '../../../contract/kinds/history.ts'
import { snapshotPath } from '../../../contract/snapshot-paths.ts'
import type { PeopleMode } from '../../../contract/people.ts'
import { isTimestamp } from '../../../contract/timestamp.ts'
import { timeZoneOf, UTC, type TimeZone } from '../../../contract/time-zone.ts'
import { DAY_MS, PERIODS, type Period } from '../../../contract/windows.ts'
import { recordOf } from '../../../model/record-of.ts'
import * as json from '../../format/json-check.ts'
import type { Manifest } from '../../format/manifest.ts'
import { isPublished, membersOf, objectsOf, type Members } from '../../quantities/numbers.ts'
import { fewRows } from '../../quantities/rules.ts'
import { stateTotals, TOTALS } from './stats.ts'

const COUNTS = ['totalIdeas', 'totalVotes', 'totalComments', 'launchedIdeas', 'activeCategories'] as const

/** Its last row is that of its release. */
export const historyChecks = fewRows((rows, into, path, { period }) => {
  into.histories.set(period, rows)
  const own = rows.at(-1)
  if (own !== undefined && period === 'all') stateTotals(into, TOTALS, path, own)
})

/** What is wrong with rows as such: no row of a history, or days that do not ascend. null = nothing. */
export function historyFault(rows: readonly Members[]): string | null {
  let last = ''
  for (const [i, row] of rows.entries()) {
    const wrong = wrongColumn(row)
    if (wrong !== null) return `row ${i + 1}: its ${wrong} is ${JSON.stringify(row[wrong])}`
    const date = row['date'] as string
    if (date <= last) return `row ${i + 1}: ${date} does not come after ${last}`
    last = date
  }
  return null
}

const COUNTED = recordOf(COUNTS, () => json.isCount)
/** An earlier release may have published its people in another mode. */
const REST = { mapping: json.matching(/^[0-9a-f]{8}$/), totalUsers: json.nullOr(json.isCount), ...COUNTED }

function wrongColumn(row: Members): string | null {
  const { date, dataAsOf } = row
  if (!isTimestamp(dataAsOf)) return 'dataAsOf'
  // Of another time zone, where an earlier release had one: nowhere are clocks a day off.
  const isDay = [-DAY_MS, 0, DAY_MS].some((byMs) => date === UTC.dayOf(Date.parse(dataAsOf) + byMs))
  return isDay ? json.wrongKey(row, REST) : 'date'
}

/** The rows of a JSON with the columns that this version knows; null = it is no history. */
export function historyRowsOf(document: unknown): HistoryRow[] | null {
  const { data } = membersOf(document)
  const rows = objectsOf(data).map((row) =>
    Object.fromEntries(EXPORT_COLUMNS.history.map((column) => [column, row[column]])),
  )
  return Array.isArray(data) && historyFault(rows) === null ? (rows as unknown as HistoryRow[]) : null
}

/** @param histories of the documents that could be read, by period */
export function* historyFaults(
  histories: ReadonlyMap<Period, readonly Members[]>,
  { dataAsOf, mapping, closed, options }: Pick<Manifest, 'dataAsOf' | 'mapping' | 'closed' | 'options'>,
): Generator<string> {
  // That it is empty is a rule of the whole release.
  if (closed === true) return
  const zone = timeZoneOf(options)
  const all = histories.get('all') ?? null
  const whole = all !== null && historyFault(all) === null ? (all as readonly (Members & { date: string })[]) : null
  for (const period of PERIODS) {
    const rows = histories.get(period)
    if (rows === undefined) continue
    const fault =
      historyFault(rows) ??
      peopleFault(rows, options.people) ??
      ownRowFault(rows.at(-1), dataAsOf, mappingMark(mapping.sha256), zone) ??
      (whole === null ? null : otherThan(historyIn(whole, period, Date.parse(dataAsOf), zone), rows))
    if (fault !== null)
      yield `${snapshotPath({ endpoint: 'export', type: 'history', period, format: 'json' })}: ${fault}`
  }
}

/** Rows of an earlier release are published again in the mode of this one. */
function peopleFault(rows: readonly Members[], mode: PeopleMode): string | null {
  // That of the release itself is compared with all documents.
  const at = mode === 'exact' ? -1 : rows.slice(0, -1).findIndex(({ totalUsers }) => !isPublished(totalUsers, mode))
  if (at < 0) return null
  return `row ${at + 1}: its totalUsers is ${String(rows[at]?.['totalUsers'])}, which is not how --people ${mode} publishes`
}

/** Earlier rows may be of another time zone. */
function ownRowFault(last: Members | undefined, dataAsOf: string, mark: string, zone: TimeZone): string | null {
  if (last === undefined) return 'it has no row of its own release'
  if (last['dataAsOf'] !== dataAsOf) return `its last row is of ${String(last['dataAsOf'])}, its release of ${dataAsOf}`
  if (last['date'] !== zone.dayOf(Date.parse(dataAsOf)))
    return `its last row is of ${String(last['date'])}, which is not the day of its release in ${zone.name}`
  return last['mapping'] === mark
    ? null
    : `its last row is of mapping ${String(last['mapping'])}, its release of ${mark}`
}

function otherThan(expected: readonly Members[], rows: readonly Members[]): string | null {
  const at = Array.from({ length: Math.max(expected.length, rows.length) }, (_, i) => i).find(
    (i) => JSON.stringify(expected[i]) !== JSON.stringify(rows[i]),
  )
  if (at === undefined) return null
  const date = (rows[at] ?? expected[at])?.['date']
  return `row ${at + 1}, of ${String(date)}, is not as in the history of all time`
}
