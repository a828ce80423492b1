// Owns estimating the cost of a build for the database, from EXPLAIN; runs none of the build's queries.
import type pg from 'pg'
import { readCatalog, tableText, type CatalogTable } from '../database/catalog.ts'
import { warning, type Finding } from '../mapping/finding.ts'
import { RawRows } from '../read/raw-rows.ts'
import type { TemplateParameters } from '../sql/template.ts'
import { distinct, indexLine, planCost, type IndexAdvice, type PlanNode, type PlanRead } from './plan-cost.ts'

export interface BuildCost {
  /** In the planner's units, over all queries of a build. */
  readonly plannerCost: number
  /** What the queries read from tables in sequential scans, as the planner expects; it may come from the page cache. */
  readonly bytes: number
  /** Tables and how often each is read, the largest share first. */
  readonly tables: readonly PlanRead[]
}

/** Waits for locks on the tables, as a build does: for up to the lock time-out. */
export async function estimateCost(
  client: pg.Client,
  parameters: TemplateParameters,
  asOfMs: number,
): Promise<{ cost: BuildCost; findings: Finding[] }> {
  const plans: PlanNode[] = []
  for (const { sql } of new RawRows(parameters, true).all(asOfMs)) plans.push(await planOf(client, sql))
  // Plans name the tables behind views and partitioned tables, so the names are those of the plans.
  const catalog = await readCatalog(client, [...new Set(plans.flatMap(relationsOf))], true)
  const costs = plans.map((plan) => planCost(plan, catalog))
  const byTable = new Map<string, PlanRead>()
  for (const { table, times, bytes } of costs.flatMap(({ reads }) => reads))
    byTable.set(table, { table, times: (byTable.get(table)?.times ?? 0) + times, bytes })
  const tables = [...byTable.values()].sort((a, b) => b.bytes * b.times - a.bytes * a.times)
  return {
    cost: {
      plannerCost: Math.round(costs.reduce((sum, { cost }) => sum + cost, 0)),
      bytes: tables.reduce((sum, { bytes, times }) => sum + bytes * times, 0),
      tables,
    },
    findings: [...indexFindings(costs.flatMap(({ advice }) => advice)), ...withoutStatistics(tables, catalog)],
  }
}

async function planOf(client: pg.Client, sql: string): Promise<PlanNode> {
  const { rows } = await client.query<{ 'QUERY PLAN': { Plan: PlanNode }[] }>(`EXPLAIN (VERBOSE, FORMAT JSON) ${sql}`)
  const plan = rows[0]?.['QUERY PLAN'][0]?.Plan
  if (plan === undefined) throw new Error('the server gave no plan')
  return plan
}

function relationsOf(plan: PlanNode): string[] {
  const own = plan['Relation Name']
  return [...(own === undefined ? [] : [own]), ...(plan.Plans ?? []).flatMap(relationsOf)]
}

function indexFindings(advice: readonly IndexAdvice[]): Finding[] {
  return distinct(advice).map((one) => {
    const times = Math.round(one.times).toLocaleString('en')
    return warning('index', `the mapping reads ${one.table} from end to end about ${times} times`, indexLine(one))
  })
}

/** Without statistics the planner guesses, and this estimate with it. */
function withoutStatistics(tables: readonly PlanRead[], catalog: readonly CatalogTable[]): Finding[] {
  const names = tables.map(({ table }) => table)
  const uncounted = catalog.filter((table) => table.rows < 0 && names.includes(tableText(table))).map(tableText)
  if (uncounted.length === 0) return []
  return [
    warning(
      'statistics',
      `the planner has no statistics of ${uncounted.join(', ')}: it guesses, and so does the estimate of the cost`,
      `ANALYZE ${uncounted.join(', ')};`,
    ),
  ]
}
