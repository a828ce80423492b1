// Owns reading EXPLAIN's plan: which tables it reads how often, and which index would save reading one again and again.
import type { CatalogTable } from '../catalog.ts'
import { written } from '../sql-names.ts'

/** A node of EXPLAIN (FORMAT JSON); PostgreSQL manual, "Using EXPLAIN". */
export interface PlanNode {
  readonly 'Node Type': string
  readonly 'Total Cost': number
  readonly 'Plan Rows': number
  readonly 'Parent Relationship'?: string
  readonly 'Subplan Name'?: string
  readonly 'Relation Name'?: string
  readonly Schema?: string
  readonly Alias?: string
  readonly Filter?: string
  readonly 'Join Filter'?: string
  readonly Plans?: readonly PlanNode[]
}

export interface PlanRead {
  readonly table: string
  /** How often the planner expects to read it from end to end. */
  readonly times: number
  readonly bytes: number
}

export interface IndexAdvice {
  readonly table: string
  readonly columns: readonly string[]
  readonly times: number
}

export interface PlanCost {
  /** In the planner's units: one page read in sequence is 1. */
  readonly cost: number
  readonly reads: readonly PlanRead[]
  readonly advice: readonly IndexAdvice[]
}

/** Fewer repetitions, or a smaller table, are no fault of a missing index: the planner would not use it. */
const OFTEN = 50
const SMALL_BYTES = 64 * 1024

export function planCost(plan: PlanNode, catalog: readonly CatalogTable[]): PlanCost {
  const reads: PlanRead[] = []
  const advice: IndexAdvice[] = []
  const visit = (node: PlanNode, times: number, conditions: readonly string[]): void => {
    const table = node['Relation Name']
    const known = catalog.find((one) => one.name === table && (node.Schema === undefined || one.schema === node.Schema))
    if (table !== undefined && node['Node Type'] === 'Seq Scan') {
      reads.push({ table, times, bytes: known?.bytes ?? 0 })
      const columns = equalColumns(node.Alias ?? table, [node.Filter ?? '', ...conditions])
      if (times >= OFTEN && (known?.bytes ?? 0) > SMALL_BYTES && columns.length > 0)
        advice.push({ table, columns, times })
    }
    for (const child of node.Plans ?? [])
      visit(child, times * repetitions(node, child, known), passedDown(node, child, conditions))
  }
  visit(plan, 1, [])
  return { cost: plan['Total Cost'], reads, advice: distinct(advice) }
}

/** How often a child runs for one run of its parent. */
function repetitions(parent: PlanNode, child: PlanNode, parentTable: CatalogTable | undefined): number {
  const name = child['Subplan Name'] ?? ''
  const filter = parent.Filter ?? ''
  if (child['Parent Relationship'] === 'SubPlan') {
    // A hashed one runs once; in a filter it runs for every row that is looked at, else for every row that is returned.
    if (filter.includes(`hashed ${name}`)) return 1
    return Math.max(1, filter.includes(name) ? (parentTable?.rows ?? 0) : parent['Plan Rows'])
  }
  if (parent['Node Type'] !== 'Nested Loop' || child['Parent Relationship'] !== 'Inner') return 1
  return Math.max(1, parent.Plans?.find((one) => one['Parent Relationship'] === 'Outer')?.['Plan Rows'] ?? 1)
}

/** A nested loop's own filter is what an index on its inner side could answer, also through a copy in memory. */
function passedDown(parent: PlanNode, child: PlanNode, conditions: readonly string[]): readonly string[] {
  if (parent['Node Type'] === 'Nested Loop')
    return child['Parent Relationship'] === 'Inner' ? [parent['Join Filter'] ?? ''] : []
  return ['Materialize', 'Memoize'].includes(parent['Node Type']) ? conditions : []
}

const SIDE = String.raw`\(?(?:(\w+|"[^"]+")\.)?(\w+|"[^"]+")\)?(?:::[\w ]+?)?`
const EQUAL = new RegExp(String.raw`${SIDE} = ${SIDE}(?=[\s)]|$)`, 'g')

/** The columns of `alias` that a condition holds equal to something of another table. */
function equalColumns(alias: string, conditions: readonly string[]): string[] {
  const found = new Set<string>()
  for (const condition of conditions)
    for (const [, leftTable, left, rightTable, right] of condition.matchAll(EQUAL)) {
      const mine = (table: string | undefined): boolean => table?.replaceAll('"', '') === alias
      if (mine(leftTable) && rightTable !== undefined && !mine(rightTable)) found.add(unquoted(left))
      if (mine(rightTable) && leftTable !== undefined && !mine(leftTable)) found.add(unquoted(right))
      // A table that is alone in its sub-select stands without its name.
      if (leftTable === undefined && rightTable !== undefined && !mine(rightTable)) found.add(unquoted(left))
      if (rightTable === undefined && leftTable !== undefined && !mine(leftTable)) found.add(unquoted(right))
    }
  return [...found]
}

function unquoted(name: string | undefined): string {
  return (name ?? '').replaceAll('"', '')
}

function distinct(advice: readonly IndexAdvice[]): IndexAdvice[] {
  const best = new Map<string, IndexAdvice>()
  for (const one of advice) {
    const key = JSON.stringify([one.table, one.columns])
    if ((best.get(key)?.times ?? 0) < one.times) best.set(key, one)
  }
  return [...best.values()]
}

export function indexLine({ table, columns }: IndexAdvice): string {
  return `CREATE INDEX CONCURRENTLY ON ${written(table)} (${columns.map(written).join(', ')});`
}
