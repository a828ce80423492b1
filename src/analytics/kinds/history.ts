// Owns the making of the table of what earlier releases published.
import type { HistoryRow } from '../../contract/kinds/history.ts'
import { historyIn } from '../../contract/history.ts'
import { historyRow, publishAgain, withRow } from '../history.ts'
import type { Counted, TableMaking } from './making.ts'

export const historyTable: TableMaking<'history'> = {
  when: 'after people',
  rows: async (period, counted) => historyIn(await allRows(counted), period, counted.asOfMs),
}

async function allRows({ history: past, people, stats, asOfMs, mode }: Counted): Promise<readonly HistoryRow[]> {
  if (past === null) return []
  const { accounts } = await people
  const own = historyRow(await stats(), accounts, asOfMs, past.mappingSha256)
  return withRow(publishAgain(past.earlier, mode), own)
}
