// Reports a document of a release, whichever it is: an export with its rows at once.
import type { Combination } from '../../src/contract/kinds/register.ts'
import type { ExportRow } from '../../src/contract/kinds/tables.ts'
import { ROWS } from '../../src/release/checks/kinds/register.ts'
import type { ReportedTotals } from '../../src/release/checks/reported-totals.ts'

export function takeDocument(reported: ReportedTotals, combination: Combination, document: object): void {
  if (combination.endpoint !== 'export') return reported.take(combination, document)
  const { data, dataAsOf } = document as { readonly data: readonly ExportRow[]; readonly dataAsOf: string }
  const rows = ROWS[combination.type]()
  rows.add(data)
  reported.takeRows(combination, rows, dataAsOf)
}
