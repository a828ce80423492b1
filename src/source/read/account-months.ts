// Owns the accounts of the past by month: one query. Knows no windows and no documents.
import type pg from 'pg'
import type { MonthlyRows } from '../../model/rows-by-month.ts'
import { fillTemplate, timeLiteral, TIME_BOUNDS, type TemplateParameters } from '../sql/template.ts'

/** Accounts dated before a cut, of every cut. */
export interface AccountMonths {
  readonly own: MonthlyRows
  /** Null = there is no earlier cut. */
  readonly earlier: MonthlyRows | null
}

/** The instants before which rows are counted for the gate: the read's own, and that of the current release. */
export interface Cuts {
  readonly ownMs: number
  readonly earlierMs: number | null
}

export const NO_ACCOUNT_MONTHS: AccountMonths = { own: { undated: 0, months: {} }, earlier: null }

interface MonthRow {
  readonly month: string | null
  readonly own: number
  readonly earlier: number
}

export async function readAccountMonths(
  client: pg.Client,
  parameters: TemplateParameters,
  asOfMs: number,
  cuts: Cuts,
): Promise<AccountMonths> {
  const { rows } = await client.query<MonthRow>(accountMonthsSql(parameters, asOfMs, cuts))
  const of = (cut: 'own' | 'earlier'): MonthlyRows => {
    const dated = rows.filter((row) => row.month !== null && row[cut] > 0)
    return {
      undated: rows.find(({ month }) => month === null)?.[cut] ?? 0,
      months: Object.fromEntries(dated.map((row) => [row.month, row[cut]])),
    }
  }
  return { own: of('own'), earlier: cuts.earlierMs === null ? null : of('earlier') }
}

export function accountMonthsSql(parameters: TemplateParameters, asOfMs: number, { ownMs, earlierMs }: Cuts): string {
  const values = {
    ...TIME_BOUNDS,
    as_of: timeLiteral(asOfMs),
    own_cut: timeLiteral(ownMs),
    earlier_cut: timeLiteral(earlierMs ?? ownMs),
  }
  return fillTemplate('read/account-months', { ...parameters, values })
}
