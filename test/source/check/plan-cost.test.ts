// Reading plans: the rules on plans written by hand, and on plans of PostgreSQL's planner.
import { Client } from 'pg'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { readCatalog, type CatalogTable } from '../../../src/source/database/catalog.ts'
import { indexLine, planCost, type PlanCost, type PlanNode } from '../../../src/source/check/plan-cost.ts'
import { describeWithPostgres } from '../../support/postgres.ts'

type Hand = Partial<PlanNode> & Pick<PlanNode, 'Node Type'>
const node = (given: Hand): PlanNode => ({ 'Total Cost': 1, 'Plan Rows': 1, ...given })
const scan = (table: string, filter: string, more: Partial<PlanNode> = {}): PlanNode =>
  node({ 'Node Type': 'Seq Scan', 'Relation Name': table, Alias: table, Filter: filter, ...more })
const inner = { 'Parent Relationship': 'Inner' }
const outer = (rows: number): PlanNode =>
  node({ 'Node Type': 'Index Scan', 'Relation Name': 'ideas', 'Parent Relationship': 'Outer', 'Plan Rows': rows })
const loop = (rows: number, child: PlanNode, more: Partial<PlanNode> = {}): PlanNode =>
  node({ 'Node Type': 'Nested Loop', Plans: [outer(rows), child], ...more })
const table = (name: string, rows: number, bytes: number): CatalogTable => ({
  schema: 'public',
  name,
  visible: true,
  usable: true,
  rowSecurity: false,
  bytes,
  rows,
  columns: [],
})
const CATALOG = [table('ideas', 2000, 8_000_000), table('votes', 50_000, 4_000_000)]
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
    const elsewhere = { ...table('votes', 1, 77), schema: 'archive' }
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

describeWithPostgres('the planner', (postgres) => {
  let client: Client
  let catalog: CatalogTable[]
  beforeAll(async () => {
    client = new Client({ connectionString: await postgres().createDatabase('plans') })
    await client.connect()
    await client.query(`
      SET max_parallel_workers_per_gather = 0; SET jit = off;
      CREATE TABLE ideas (id int PRIMARY KEY, name text NOT NULL, status int NOT NULL);
      INSERT INTO ideas SELECT n, 'idea ' || n, n % 5 FROM generate_series(1, 2000) n;
      CREATE TABLE changes (id int, "ideaId" int NOT NULL, kind int NOT NULL, name text NOT NULL, at timestamptz NOT NULL);
      INSERT INTO changes SELECT n, n % 2000 + 1, n % 7, 'idea ' || n, now() FROM generate_series(1, 6000) n;
      CREATE TABLE indexed AS SELECT * FROM changes; CREATE INDEX ON indexed ("ideaId");
      CREATE TABLE hidden AS SELECT id AS idea_id FROM ideas WHERE id % 10 = 0;
      CREATE TABLE "user" AS SELECT id AS "order" FROM ideas;
      CREATE SCHEMA polis; CREATE TABLE polis.ballots AS SELECT id AS idea_id FROM ideas;
      CREATE TABLE parted (idea_id int NOT NULL) PARTITION BY RANGE (idea_id);
      CREATE TABLE parted_low PARTITION OF parted FOR VALUES FROM (0) TO (1000);
      CREATE TABLE parted_high PARTITION OF parted FOR VALUES FROM (1000) TO (9000);
      INSERT INTO parted SELECT n % 2000 + 1 FROM generate_series(1, 4000) n;
      CREATE VIEW seen AS SELECT * FROM changes WHERE kind > 0;
      ANALYZE;`)
    catalog = await readCatalog(client, null, true)
  })
  afterAll(() => client.end())

  const explained = async (sql: string): Promise<PlanNode> => {
    const { rows } = await client.query<{ 'QUERY PLAN': [{ Plan: PlanNode }] }>(`EXPLAIN (VERBOSE, FORMAT JSON) ${sql}`)
    return rows[0]!['QUERY PLAN'][0].Plan
  }
  const costOf = async (sql: string): Promise<PlanCost> => planCost(await explained(sql), catalog)
  const nodeTypes = (plan: PlanNode): string[] => [plan['Node Type'], ...(plan.Plans ?? []).flatMap(nodeTypes)]
  const read = ({ reads }: PlanCost, name: string): number[] =>
    reads.flatMap(({ table: one, times }) => (one === name ? [times] : []))
  const lines = ({ advice }: PlanCost): string[] => advice.map(indexLine)

  const latest = (name: string): string =>
    `SELECT i.id, (SELECT max(c.at) FROM ${name} c WHERE c."ideaId" = i.id AND c.kind = i.status) AS at FROM ideas i`

  test('reads a table for every idea in a sub-select: an index on what it is asked by is advised', async () => {
    const cost = await costOf(
      `SELECT i.id, (SELECT max(c.at) FROM changes c WHERE c."ideaId" = i.id) AS launched_at FROM ideas i`,
    )
    expect(cost.advice).toEqual([{ table: 'changes', columns: ['ideaId'], times: 2000 }])
    expect(lines(cost)).toEqual(['CREATE INDEX CONCURRENTLY ON changes ("ideaId");'])
    const bytes = catalog.find(({ name }) => name === 'changes')?.bytes
    expect(cost.reads).toContainEqual({ table: 'changes', times: 2000, bytes })
    expect(read(cost, 'ideas')).toEqual([1])
  })

  test('takes the advice: with the index there is nothing to advise, and the cost falls', async () => {
    const [without, withIndex] = [await costOf(latest('changes')), await costOf(latest('indexed'))]
    expect(without.advice).toEqual([{ table: 'changes', columns: ['ideaId', 'kind'], times: 2000 }])
    expect(withIndex.advice).toEqual([])
    expect(read(withIndex, 'indexed')).toEqual([])
    expect(withIndex.cost * 5).toBeLessThan(without.cost)
    await client.query('BEGIN')
    try {
      for (const line of lines(without)) await client.query(line.replace(' CONCURRENTLY', ''))
      expect((await costOf(latest('changes'))).advice).toEqual([])
    } finally {
      await client.query('ROLLBACK')
    }
  })

  test('repeats a sub-select of a condition for every row that it looks at', async () => {
    const cost = await costOf(
      `SELECT i.id FROM ideas i WHERE i.status = 1 AND (SELECT count(*) FROM changes c WHERE c."ideaId" = i.id) > 2`,
    )
    expect(cost.advice).toEqual([{ table: 'changes', columns: ['ideaId'], times: 2000 }])
  })

  test('repeats what is LATERAL', async () => {
    const lateral = (name: string): string => `
      SELECT i.id, x.at FROM ideas i
       CROSS JOIN LATERAL (SELECT c.at FROM ${name} c WHERE c."ideaId" = i.id ORDER BY c.at DESC LIMIT 1) x`
    expect((await costOf(lateral('changes'))).advice).toEqual([{ table: 'changes', columns: ['ideaId'], times: 2000 }])
    expect((await costOf(lateral('indexed'))).advice).toEqual([])
  })

  test('makes a NOT EXISTS a hash anti join: each table is read once, and nothing is advised', async () => {
    const sql = 'SELECT i.id FROM ideas i WHERE NOT EXISTS (SELECT FROM hidden h WHERE h.idea_id = i.id)'
    const plan = await explained(sql)
    expect([plan['Node Type'], (plan as { 'Join Type'?: string })['Join Type']]).toEqual(['Hash Join', 'Anti'])
    const cost = planCost(plan, catalog)
    expect([read(cost, 'ideas'), read(cost, 'hidden')]).toEqual([[1], [1]])
    expect(cost.advice).toEqual([])
  })

  test('hashes a NOT IN: the table is read once, and nothing is advised', async () => {
    const plan = await explained('SELECT i.id FROM ideas i WHERE i.id NOT IN (SELECT h.idea_id FROM hidden h)')
    expect(plan.Filter).toContain('hashed SubPlan 1')
    const cost = planCost(plan, catalog)
    expect(read(cost, 'hidden')).toEqual([1])
    expect(cost.advice).toEqual([])
  })

  // the estimate asks for that, explained() above has to ask for it, too.
  test('hashes an IN among the columns: the table is read once', async () => {
    const cost = await costOf('SELECT i.id, i.id IN (SELECT h.idea_id FROM hidden h) AS launched FROM ideas i')
    expect(cost.advice).toEqual([])
    expect(read(cost, 'hidden')).toEqual([1])
  })

  test('repeats a sub-select in the filter of a join', async () => {
    const sql = `
      SELECT i.id FROM ideas i LEFT JOIN hidden h ON h.idea_id = i.id
       WHERE coalesce(h.idea_id, (SELECT count(*) FROM changes c WHERE c."ideaId" = i.id)) > 2`
    expect((await explained(sql))['Node Type']).toMatch(/Join|Loop/)
    expect((await costOf(sql)).advice).toEqual([{ table: 'changes', columns: ['ideaId'], times: 2000 }])
  })

  test('reads plain joins of large tables once', async () => {
    const plan = await explained('SELECT i.id, c.id FROM ideas i JOIN changes c ON c."ideaId" = i.id')
    expect(nodeTypes(plan)).toContain('Hash Join')
    const cost = planCost(plan, catalog)
    expect([read(cost, 'ideas'), read(cost, 'changes'), cost.advice]).toEqual([[1], [1], []])
  })

  test('joins by loops what it cannot hash, and no index is advised for what is not equal', async () => {
    const sql = 'SELECT c.id FROM changes c JOIN hidden h ON h.idea_id < c."ideaId"'
    expect(nodeTypes(await explained(sql))).toContain('Nested Loop')
    const { reads, advice } = await costOf(sql)
    expect(advice).toEqual([])
    expect(Math.max(...reads.map(({ times }) => times))).toBeGreaterThanOrEqual(200)
  })

  test('does not advise an index on a number', async () => {
    const sql = 'SELECT i.id FROM ideas i LEFT JOIN changes c ON c."ideaId" < i.id AND i.status = 1'
    expect(nodeTypes(await explained(sql))).toContain('Nested Loop')
    expect((await costOf(sql)).advice).toEqual([])
  })

  test('looks through a view to its table', async () => {
    const cost = await costOf(`SELECT i.id, (SELECT max(c.at) FROM seen c WHERE c."ideaId" = i.id) AS at FROM ideas i`)
    expect(cost.advice).toEqual([{ table: 'changes', columns: ['ideaId'], times: 2000 }])
  })

  test('reads a partitioned table as its partitions', async () => {
    const cost = await costOf('SELECT count(*) FROM parted')
    expect(cost.reads.map(({ table: name, times, bytes }) => [name, times, bytes > 0])).toEqual([
      ['parted_low', 1, true],
      ['parted_high', 1, true],
    ])
  })

  /** Runs the advised lines, and says that nothing more is advised then. */
  const takesAdvice = async (sql: string): Promise<void> => {
    const cost = await costOf(sql)
    expect(cost.advice).not.toEqual([])
    await client.query('BEGIN')
    try {
      for (const line of lines(cost)) await client.query(line.replace(' CONCURRENTLY', ''))
      expect((await costOf(sql)).advice).toEqual([])
    } finally {
      await client.query('ROLLBACK')
    }
  }
  const counted = (name: string, column: string): string =>
    `SELECT i.id, (SELECT count(*) FROM ${name} x WHERE x.${column} = i.id) AS n FROM ideas i`

  test('can take the advice for a partitioned table', () => takesAdvice(counted('parted', 'idea_id')))

  test('can take the advice for a table in another schema', () => takesAdvice(counted('polis.ballots', 'idea_id')))

  test('can take the advice for names that are reserved words', () => takesAdvice(counted('"user"', '"order"')))

  test('is not given advice that does not help', async () => {
    const sql = `SELECT i.id, (SELECT max(c.at) FROM changes c WHERE lower(c.name) = i.name) AS at FROM ideas i`
    expect((await costOf(sql)).advice).toEqual([])
  })
})
