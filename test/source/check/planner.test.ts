// plan-cost.ts on plans of PostgreSQL's own planner.
import { Client } from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { readCatalog, type CatalogTable } from '../../../src/source/database/catalog.ts'
import { indexLine, planCost, type PlanCost, type PlanNode } from '../../../src/source/check/plan-cost.ts'
import { describeWithPostgres } from '../../support/postgres.ts'

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

  const COUNT = '(SELECT count(*) FROM changes c WHERE c."ideaId" = i.id)'
  const lateral = (name: string): string => `
    SELECT i.id, x.at FROM ideas i
     CROSS JOIN LATERAL (SELECT c.at FROM ${name} c WHERE c."ideaId" = i.id ORDER BY c.at DESC LIMIT 1) x`
  test.each<[what: string, sql: string, advised: boolean]>([
    [
      'repeats a sub-select of a condition for every row that it looks at',
      `SELECT i.id FROM ideas i WHERE i.status = 1 AND ${COUNT} > 2`,
      true,
    ],
    ['repeats what is LATERAL', lateral('changes'), true],
    ['repeats what is LATERAL, by an index', lateral('indexed'), false],
    [
      'repeats a sub-select in the filter of a join',
      `SELECT i.id FROM ideas i LEFT JOIN hidden h ON h.idea_id = i.id WHERE coalesce(h.idea_id, ${COUNT}) > 2`,
      true,
    ],
    ['looks through a view to its table', `SELECT i.id, ${COUNT.replace('changes', 'seen')} AS n FROM ideas i`, true],
    [
      'is not given advice that does not help',
      `SELECT i.id, (SELECT max(c.at) FROM changes c WHERE lower(c.name) = i.name) AS at FROM ideas i`,
      false,
    ],
  ])('%s', async (_, sql, advised) => {
    const expected = advised ? [{ table: 'changes', columns: ['ideaId'], times: 2000 }] : []
    expect((await costOf(sql)).advice).toEqual(expected)
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

  test('reads a partitioned table as its partitions', async () => {
    const cost = await costOf('SELECT count(*) FROM parted')
    expect(cost.reads.map(({ table: name, times, bytes }) => [name, times, bytes > 0])).toEqual([
      ['parted_low', 1, true],
      ['parted_high', 1, true],
    ])
  })

  test.each([
    ['a partitioned table', 'parted', 'idea_id'],
    ['a table in another schema', 'polis.ballots', 'idea_id'],
    ['names that are reserved words', '"user"', '"order"'],
    ['several columns', 'changes', '"ideaId" = i.id AND i.status = x.kind AND x."ideaId"'],
  ])('can take the advice for %s: then there is none', async (_, name, column) => {
    const sql = `SELECT i.id, (SELECT count(*) FROM ${name} x WHERE x.${column} = i.id) AS n FROM ideas i`
    const before = await costOf(sql)
    expect(before.advice).not.toEqual([])
    await client.query('BEGIN')
    try {
      for (const line of lines(before)) await client.query(line.replace(' CONCURRENTLY', ''))
      const after = await costOf(sql)
      expect(after.advice).toEqual([])
      expect(after.cost).toBeLessThan(before.cost)
    } finally {
      await client.query('ROLLBACK')
    }
  })
})
