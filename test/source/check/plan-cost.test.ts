// Reading plans: the rules on plans written by hand. Those of PostgreSQL's planner are in planner.test.ts.
import { describe, expect, test } from 'vitest'
import { indexLine, planCost, type PlanCost, type PlanNode } from '../../../src/source/check/plan-cost.ts'
import { catalogTable } from '../../support/catalog-table.ts'

type Hand = Partial<PlanNode> & Pick<PlanNode, 'Node Type'>
const node = (given: Hand): PlanNode => ({ 'Total Cost': 1, 'Plan Rows': 1, ...given })
const scan = (table: string, filter: string, more: Partial<PlanNode> = {}): PlanNode =>
  node({ 'Node Type': 'Seq Scan', 'Relation Name': table, Alias: table, Filter: filter, ...more })
const inner = { 'Parent Relationship': 'Inner' }
const outer = (rows: number): PlanNode =>
  node({ 'Node Type': 'Index Scan', 'Relation Name': 'ideas', 'Parent Relationship': 'Outer', 'Plan Rows': rows })
const loop = (rows: number, child: PlanNode, more: Partial<PlanNode> = {}): PlanNode =>
  node({ 'Node Type': 'Nested Loop', Plans: [outer(rows), child], ...more })
const CATALOG = [
  catalogTable({ name: 'ideas', rows: 2000, bytes: 8_000_000 }),
  catalogTable({ name: 'votes', rows: 50_000, bytes: 4_000_000 }),
]
const adviceOf = (plan: PlanNode): PlanCost['advice'] => planCost(plan, CATALOG).advice
const columnsOf = (plan: PlanNode): (readonly string[])[] => adviceOf(plan).map(({ columns }) => columns)
/** How often `votes` is read, below a node of the plan. */
const timesOf = (plan: PlanNode): number[] =>
  planCost(plan, CATALOG).reads.flatMap((read) => (read.table === 'votes' ? [read.times] : []))

describe('what a plan reads', () => {
  test('is its sequential scans, with the size that the catalogue knows', () => {
    const plan = node({
      'Node Type': 'Hash Join',
      'Total Cost': 1234.5,
      Plans: [
        scan('votes', ''),
        node({ 'Node Type': 'Hash', Plans: [scan('ideas', '')] }),
        node({ 'Node Type': 'Index Scan', 'Relation Name': 'tags' }),
        scan('unknown', ''),
      ],
    })
    expect(planCost(plan, CATALOG)).toEqual({
      cost: 1234.5,
      reads: [
        { table: 'votes', times: 1, bytes: 4_000_000 },
        { table: 'ideas', times: 1, bytes: 8_000_000 },
        { table: 'unknown', times: 1, bytes: 0 },
      ],
      advice: [],
    })
  })

  test('is of the schema that the plan names', () => {
    const elsewhere = catalogTable({ schema: 'archive', name: 'votes', rows: 1, bytes: 77 })
    expect(planCost(scan('votes', '', { Schema: 'archive' }), [...CATALOG, elsewhere]).reads[0]?.bytes).toBe(77)
  })

  const votes = scan('votes', '')
  test.each([
    ['the inner side of a nested loop, for each row of the outer one', loop(300, { ...votes, ...inner }), 300],
    [
      'the outer side, once',
      node({ 'Node Type': 'Nested Loop', Plans: [{ ...votes, 'Parent Relationship': 'Outer' }] }),
      1,
    ],
    ['nested loops within each other', loop(30, { ...loop(20, { ...votes, ...inner }), ...inner }), 600],
    ['never less than once', loop(0, { ...votes, ...inner }), 1],
    ['an InitPlan, once', { ...outer(300), Plans: [{ ...votes, 'Parent Relationship': 'InitPlan' }] }, 1],
    [
      'both sides of a hash join, once',
      node({ 'Node Type': 'Hash Join', 'Plan Rows': 900, Plans: [{ ...votes, ...inner }] }),
      1,
    ],
  ])('%s', (_, plan, times) => {
    expect(timesOf(plan)).toEqual([times])
  })

  describe('below a sub-plan', () => {
    const subPlan = (name = 'SubPlan 1'): PlanNode => ({
      ...votes,
      'Parent Relationship': 'SubPlan',
      'Subplan Name': name,
    })
    const parent = (more: Partial<PlanNode>): PlanNode =>
      node({ 'Node Type': 'Index Scan', 'Relation Name': 'ideas', 'Plan Rows': 40, Plans: [subPlan()], ...more })
    test.each([
      ['for every row that is returned', parent({}), 40],
      ['for every row that is looked at, if it is in the filter', parent({ Filter: '((SubPlan 1) > 0)' }), 2000],
      ['once, if it is hashed', parent({ Filter: '(NOT (hashed SubPlan 1))' }), 1],
      [
        'once, if it is hashed, as PostgreSQL 17 says it',
        parent({ Filter: '(ANY (id = (hashed SubPlan 1).col1))' }),
        1,
      ],
    ])('%s', (_, plan, times) => {
      expect(timesOf(plan)).toEqual([times])
    })

    test.each([
      ['hashed is another one', parent({ Filter: '((SubPlan 1) AND (hashed SubPlan 12))' }), 2000],
      ['in the filter is another one', parent({ Filter: '((SubPlan 12) > 0)' }), 40],
    ])('%s', (_, plan, times) => {
      expect(timesOf(plan)).toEqual([times])
    })

    test('once, if it is hashed in the filter of a join', () => {
      expect(timesOf(parent({ 'Node Type': 'Hash Join', 'Join Filter': '(NOT (hashed SubPlan 1))' }))).toEqual([1])
    })
  })
})

describe('an index is advised', () => {
  const often = (filter: string, more: Partial<PlanNode> = {}): PlanNode =>
    loop(2000, scan('votes', filter, { ...inner, ...more }))
  test.each([
    ['on the column that is compared', often('(votes.idea_id = i.id)'), ['idea_id']],
    ['whichever side it is on', often('(i.id = votes.idea_id)'), ['idea_id']],
    ['by the alias', often('((v.idea_id = i.id) AND (v.value > 0))', { Alias: 'v' }), ['idea_id']],
    ['by a name in quotes', often('(v."ideaId" = i.id)', { Alias: 'v' }), ['ideaId']],
    ['by an alias in quotes', often('("V".idea_id = i.id)', { Alias: 'V' }), ['idea_id']],
    [
      'through a cast',
      often(`(((v.kind)::text = (i.kind)::text) AND (v.on_id = i.id))`, { Alias: 'v' }),
      ['kind', 'on_id'],
    ],
    ['where the plan omits the name of the table', often('(idea_id = i.id)'), ['idea_id']],
    [
      'where the loop filters',
      loop(2000, scan('votes', '', inner), { 'Join Filter': '(votes.idea_id = i.id)' }),
      ['idea_id'],
    ],
    [
      'through a copy in memory',
      loop(2000, node({ 'Node Type': 'Materialize', ...inner, Plans: [scan('votes', '')] }), {
        'Join Filter': '(i.id = votes.idea_id)',
      }),
      ['idea_id'],
    ],
  ])('%s', (_, plan, columns) => {
    expect(adviceOf(plan)).toEqual([{ table: 'votes', columns, times: 2000 }])
  })

  test.each([
    ['when it is read fewer than 50 times', loop(49, scan('votes', '(votes.idea_id = i.id)', inner))],
    ['for a comparison with a constant', often('(votes.status = 1)')],
    ['for a comparison with its own columns', often('(votes.a = votes.b)')],
    ['for anything but equality', often('((votes.at > i.at) AND (votes.idea_id <> i.id))')],
    ['without a condition', often('')],
    ['when there is one', loop(2000, node({ 'Node Type': 'Index Scan', 'Relation Name': 'votes', ...inner }))],
  ])('not %s', (_, plan) => {
    expect(adviceOf(plan)).toEqual([])
  })

  test('from 50 times on', () => {
    expect(adviceOf(loop(50, scan('votes', '(votes.idea_id = i.id)', inner)))).toHaveLength(1)
  })

  test('once, with the most times', () => {
    const plan = node({
      'Node Type': 'Append',
      Plans: [60, 900, 70].map((rows) => loop(rows, scan('votes', '(votes.idea_id = i.id)', inner))),
    })
    expect(adviceOf(plan)).toEqual([{ table: 'votes', columns: ['idea_id'], times: 900 }])
  })

  test.each(['((i.kind = 1) AND (votes.idea_id = i.id))', '((i.open = true) AND (votes.idea_id = i.id))'])(
    'on columns only: %s',
    (filter) => {
      expect(columnsOf(loop(2000, scan('votes', '', inner), { 'Join Filter': filter }))).toEqual([['idea_id']])
    },
  )

  test('on what is compared, not on what a string says', () => {
    const filter = `((votes.note = 'where a = i.b or so'::text) AND (votes.idea_id = i.id))`
    expect(columnsOf(often(filter))).toEqual([['idea_id']])
  })

  test.each(['(lower(votes.name) = i.name)', '(i.n = (votes.n + 1))', '((votes.n + 1) = i.n)'])(
    'not on the column of an expression: %s',
    (filter) => {
      expect(columnsOf(often(filter))).toEqual([])
    },
  )

  test('not as one index for either of two columns', () => {
    expect(columnsOf(often('((votes.a_id = i.id) OR (votes.b_id = i.id))'))).not.toContainEqual(['a_id', 'b_id'])
  })
})

test.each([
  ['votes', ['idea_id'], 'CREATE INDEX CONCURRENTLY ON votes (idea_id);'],
  ['"userVotes"', ['ideaId', 'kind'], 'CREATE INDEX CONCURRENTLY ON "userVotes" ("ideaId", kind);'],
])('the index on %s %j is a line of SQL', (name, columns, line) => {
  expect(indexLine({ table: name, columns, times: 1 })).toBe(line)
})
