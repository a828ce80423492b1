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

  test('repeats a sub-select in the filter of a join', async () => {
    const sql = `
      SELECT i.id FROM ideas i LEFT JOIN hidden h ON h.idea_id = i.id
       WHERE coalesce(h.idea_id, (SELECT count(*) FROM changes c WHERE c."ideaId" = i.id)) > 2`
    expect((await explained(sql))['Node Type']).toMatch(/Join|Loop/)
    expect((await costOf(sql)).advice).toEqual([{ table: 'changes', columns: ['ideaId'], times: 2000 }])
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
