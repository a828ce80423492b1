// Owns the exact numbers of people of a candidate that publishes others: only the gate sees them. Writes nothing.
import type { Categories } from '../../analytics/categories.ts'
import { overviewRows, statsDocument } from '../../analytics/overview.ts'
import { publishPeople } from '../../analytics/people.ts'
import { UTC, type TimeZone } from '../../contract/time-zone.ts'
import type { UserFacts } from '../../model/facts.ts'
import { PERIODS } from '../../contract/windows.ts'
import { ReportedTotals } from '../../release/checks/reported-totals.ts'

/** The number of accounts, and what the documents with numbers of people would report if those were exact. */
export function exactPeople(
  categories: Categories,
  facts: UserFacts,
  zone: TimeZone = UTC,
): { readonly users: number; readonly reported: ReportedTotals } {
  const people = publishPeople(facts, 'exact')
  const reported = new ReportedTotals('exact', zone)
  reported.take({ endpoint: 'stats' }, statsDocument(categories, people.inStats))
  for (const period of PERIODS) {
    const about = { endpoint: 'export', period, format: 'json' } as const
    reported.take({ ...about, type: 'overview' }, { data: overviewRows(period, categories, people) })
    reported.take({ ...about, type: 'users' }, { data: people.userRows(period, zone) })
  }
  return { users: facts.accounts.total, reported }
}
