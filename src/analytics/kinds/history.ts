// Owns the making of the table of what earlier releases published.
import type { HistoryRow } from '../../contract/kinds/history.ts'
import { historyIn } from '../../contract/history.ts'
import { historyRow, publishAgain, withRow } from '../history.ts'
import type { Counted, TableMaking } from './making.ts'

export const historyTable: TableMaking<'history'> = {
  when: 'last',
  rows: ({ period }, counted) => [historyIn(allRows(counted), period, counted.asOfMs)],
}

function allRows({ history: past, people, stats, asOfMs, mode }: Counted): readonly HistoryRow[] {
  if (past === null) return []
  const own = historyRow(stats, people.accounts, asOfMs, past.mappingSha256)
  return withRow(publishAgain(past.earlier, mode), own)
}
