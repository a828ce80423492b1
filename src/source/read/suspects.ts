// Owns telling rows that a slip of the mapping may lose from those that it leaves out on purpose. Knows no check and no build.
import type pg from 'pg'
import { attempt, queryOne } from '../database/attempt.ts'
import { fillTemplate, type TemplateParameters } from '../sql/template.ts'
import { isSuspect, NO_IDEA, type SkippedRowTally, type SuspectRows } from './skipped-rows.ts'

/** On some sites many rows belong to hidden ideas, which is no fault: where most of the rows do, nothing is suspect. */
export async function suspectsOf(
  client: pg.Client,
  tally: SkippedRowTally,
  parameters: TemplateParameters,
): Promise<SuspectRows[]> {
  const found: SuspectRows[] = []
  for (const one of tally.suspects()) {
    const sql = fillTemplate('read/hidden-ideas', { ...parameters, rows: one.relation })
    const of = one.reason === NO_IDEA ? await attempt(client, () => queryOne<{ hidden: number }>(client, sql)) : null
    const hidden = of?.ok === true ? (of.value[0]?.hidden ?? 0) : 0
    if (isSuspect({ rows: one.rows * (1 - hidden), of: one.of })) found.push(one)
  }
  return found
}
