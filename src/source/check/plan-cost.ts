// Owns reading EXPLAIN's plan: which tables it reads how often, and which index would save reading one again and again.
import { tableText, type CatalogTable } from '../database/catalog.ts'
import { written } from '../sql/names.ts'

/** A node of EXPLAIN (VERBOSE, FORMAT JSON); PostgreSQL manual, "Using EXPLAIN". */
export interface PlanNode {
  readonly 'Node Type': string
  readonly 'Total Cost': number
  readonly 'Plan Rows': number
  readonly 'Parent Relationship'?: string
  readonly 'Subplan Name'?: string
  readonly 'Relation Name'?: string
  readonly Schema?: string
  readonly Alias?: string
  readonly Output?: readonly string[]
  readonly Filter?: string
  readonly 'Join Filter'?: string
  readonly Plans?: readonly PlanNode[]
}

export interface PlanRead {
  /** As it must be written. */
  readonly table: string
  /** How often the planner expects to read it from end to end. */
  readonly times: number
  readonly bytes: number
}

export interface IndexAdvice {
  /** As it must be written. */
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

/** With fewer repetitions, or a smaller table, the planner would not use an index. */
const OFTEN = 50
const SMALL_BYTES = 64 * 1024

export function planCost(plan: PlanNode, catalog: readonly CatalogTable[]): PlanCost {
  const reads: PlanRead[] = []
  const advice: IndexAdvice[] = []
  const visit = (node: PlanNode, times: number, conditions: readonly string[]): void => {
    const table = node['Relation Name']
    const known = catalog.find((one) => one.name === table && (node.Schema === undefined || one.schema === node.Schema))
    if (table !== undefined && node['Node Type'] === 'Seq Scan') {
      const text = known === undefined ? written(table) : tableText(known)
      reads.push({ table: text, times, bytes: known?.bytes ?? 0 })
      const columns = equalColumns(node.Alias ?? table, [node.Filter ?? '', ...conditions])
      if (times >= OFTEN && (known?.bytes ?? 0) > SMALL_BYTES && columns.length > 0)
        advice.push({ table: text, columns, times })
    }
    for (const child of node.Plans ?? [])
      visit(child, times * repetitions(node, child, known), passedDown(node, child, conditions))
  }
  visit(plan, 1, [])
  return { cost: plan['Total Cost'], reads, advice: distinct(advice) }
}

/** How often a child runs for one run of its parent. */
function repetitions(parent: PlanNode, child: PlanNode, parentTable: CatalogTable | undefined): number {
  if (child['Parent Relationship'] === 'SubPlan') return subPlanRuns(parent, child, parentTable)
  if (parent['Node Type'] !== 'Nested Loop' || child['Parent Relationship'] !== 'Inner') return 1
  return Math.max(1, inputs(parent).find((one) => one['Parent Relationship'] === 'Outer')?.['Plan Rows'] ?? 1)
}

/** A hashed one runs once; in a filter it runs for every row that is scanned, else for every row that is returned. */
function subPlanRuns(parent: PlanNode, child: PlanNode, parentTable: CatalogTable | undefined): number {
  const name = new RegExp(String.raw`\b${child['Subplan Name'] ?? 'none'}\b`)
  const hashed = new RegExp(`hashed ${name.source}`)
  const filters = [parent.Filter ?? '', parent['Join Filter'] ?? '']
  if ([...filters, ...(parent.Output ?? [])].some((text) => hashed.test(text))) return 1
  const lookedAt = parentTable?.rows ?? Math.max(0, ...inputs(parent).map((one) => one['Plan Rows']))
  return Math.max(1, filters.some((text) => name.test(text)) ? lookedAt : parent['Plan Rows'])
}

function inputs(node: PlanNode): readonly PlanNode[] {
  return (node.Plans ?? []).filter((one) => one['Parent Relationship'] !== 'SubPlan')
}

/** A nested loop's own filter is what an index on its inner side could answer, also through a copy in memory. */
function passedDown(parent: PlanNode, child: PlanNode, conditions: readonly string[]): readonly string[] {
  if (parent['Node Type'] === 'Nested Loop')
    return child['Parent Relationship'] === 'Inner' ? [parent['Join Filter'] ?? ''] : []
  return ['Materialize', 'Memoize'].includes(parent['Node Type']) ? conditions : []
}

const NAME = String.raw`(?!true\b|false\b|NULL\b)[a-z_][\w$]*|"(?:[^"]|"")+"`
const SIDE = String.raw`\(?(?:(${NAME})\.)?(${NAME})\)?(?:::[\w ]+?)?`
const EQUAL = new RegExp(String.raw`^\(*${SIDE} = ${SIDE}\)*$`)

/** The parts of a condition that must all be true: an index cannot serve one that is optional. */
function parts(condition: string): string[] {
  const plain = condition.replaceAll(/'(?:[^']|'')*'/g, "''")
  return / OR |NOT /.test(plain) ? [] : plain.split(' AND ')
}

/** The columns of `alias` that a condition holds equal to something of another table. */
function equalColumns(alias: string, conditions: readonly string[]): string[] {
  const found = new Set<string>()
  for (const part of conditions.flatMap(parts)) {
    const [, leftTable, left, rightTable, right] = EQUAL.exec(part) ?? []
    const mine = (table: string | undefined): boolean => table?.replaceAll('"', '') === alias
    // The plan omits the name of a table that is alone in its sub-select.
    if (rightTable !== undefined && !mine(rightTable) && (leftTable === undefined || mine(leftTable)))
      found.add(unquoted(left))
    if (leftTable !== undefined && !mine(leftTable) && (rightTable === undefined || mine(rightTable)))
      found.add(unquoted(right))
  }
  return [...found]
}

function unquoted(name: string | undefined): string {
  return (name ?? '').replaceAll('"', '')
}

/** Each index once, with the most times. */
export function distinct(advice: readonly IndexAdvice[]): IndexAdvice[] {
  const best = new Map<string, IndexAdvice>()
  for (const one of advice) {
    const key = JSON.stringify([one.table, one.columns])
    if ((best.get(key)?.times ?? 0) < one.times) best.set(key, one)
  }
  return [...best.values()]
}

export function indexLine({ table, columns }: IndexAdvice): string {
  return `CREATE INDEX CONCURRENTLY ON ${table} (${columns.map(written).join(', ')});`
}
