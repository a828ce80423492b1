// Owns the making of what became of the ideas, as a document and as tables.
import type { OutcomesDocument } from '../../contract/kinds/outcomes.ts'
import type { Combination } from '../../contract/kinds/register.ts'
import { formatTimestamp } from '../../contract/timestamp.ts'
import { monthAfter, windowOf } from '../../contract/windows.ts'
import type { DocumentMaking, TableMaking } from './making.ts'

export const outcomes: DocumentMaking<Extract<Combination, { endpoint: 'outcomes' }>> = {
  when: 'last',
  make: (_, { categories, asOfMs }): OutcomesDocument => ({
    ...categories.all.outcomes.document(null, asOfMs),
    dataAsOf: formatTimestamp(asOfMs),
  }),
}

/** The months that touch the period, of one set of ideas after the other; ideas without a date in `all` only. */
export const outcomesTable: TableMaking<'outcomes'> = {
  when: 'over time',
  *rows({ period }, { categories, asOfMs }) {
    const { fromMs } = windowOf(period, asOfMs)
    for (const category of [null, ...categories.names()])
      yield categories
        .of(category)
        .outcomes.cohorts(asOfMs)
        .filter(({ month, ideas }) => {
          if (category !== null && ideas === 0) return false
          if (fromMs === null) return true
          return month !== null && monthAfter(Date.parse(month)) > fromMs
        })
        .map((cohort) => ({ category, ...cohort }))
  },
}
