// Owns estimating what a build asks of the database, from EXPLAIN; runs none of the build's questions.
import type pg from 'pg'
import type { CatalogTable } from '../catalog.ts'
import type { Finding } from '../finding.ts'
import { factsQuestion } from '../instant.ts'
import type { Fill } from '../question.ts'
import { peopleQuestions } from '../read-people.ts'
import { indexLine, planCost, type IndexAdvice, type PlanNode, type PlanRead } from './plan-cost.ts'

export interface BuildCost {
  /** In the planner's units, over all questions of a build. */
  readonly plannerCost: number
  /** What the questions read from tables, from end to end, as the planner expects; the page cache may hold it. */
  readonly bytes: number
  /** Tables and how often each is read, the largest share first. */
  readonly tables: readonly PlanRead[]
}

export async function estimateCost(
  client: pg.Client,
  fill: Fill,
  asOfMs: number,
  catalog: readonly CatalogTable[],
): Promise<{ cost: BuildCost; findings: Finding[] }> {
  const advice: IndexAdvice[] = []
  const byTable = new Map<string, PlanRead>()
  let plannerCost = 0
  for (const sql of [factsQuestion(fill, asOfMs), ...peopleQuestions(fill, asOfMs)]) {
    const { rows } = await client.query<{ 'QUERY PLAN': { Plan: PlanNode }[] }>(`EXPLAIN (FORMAT JSON) ${sql}`)
    const plan = rows[0]?.['QUERY PLAN'][0]?.Plan
    if (plan === undefined) throw new Error('the server gave no plan')
    const found = planCost(plan, catalog)
    plannerCost += found.cost
    advice.push(...found.advice)
    for (const { table, times, bytes } of found.reads) {
      const before = byTable.get(table)
      byTable.set(table, { table, times: (before?.times ?? 0) + times, bytes })
    }
  }
  const tables = [...byTable.values()].sort((a, b) => b.bytes * b.times - a.bytes * a.times)
  return {
    cost: {
      plannerCost: Math.round(plannerCost),
      bytes: tables.reduce((sum, { bytes, times }) => sum + bytes * times, 0),
      tables,
    },
    findings: [...indexFindings(advice), ...neverCounted(tables, catalog)],
  }
}

function indexFindings(advice: readonly IndexAdvice[]): Finding[] {
  const byLine = new Map<string, IndexAdvice>()
  for (const one of advice) {
    const known = byLine.get(indexLine(one))
    if (known === undefined || known.times < one.times) byLine.set(indexLine(one), one)
  }
  return [...byLine].map(([line, { table, times }]) => ({
    level: 'warning',
    about: 'index',
    problem: `the mapping reads ${table} from end to end about ${Math.round(times).toLocaleString('en')} times`,
    fix: line,
  }))
}

/** Without statistics the planner guesses, and so does this estimate. */
function neverCounted(tables: readonly PlanRead[], catalog: readonly CatalogTable[]): Finding[] {
  const names = tables.map(({ table }) => table)
  const uncounted = catalog.filter(({ name, rows }) => rows < 0 && names.includes(name)).map(({ name }) => name)
  if (uncounted.length === 0) return []
  return [
    {
      level: 'warning',
      about: 'statistics',
      problem: `the planner has no statistics of ${uncounted.join(', ')}: it guesses, and so does the estimate of the cost`,
      fix: `ANALYZE ${uncounted.map((name) => name).join(', ')};`,
    },
  ]
}
