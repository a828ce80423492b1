// Owns the measurement of what a build asks of the database: each of its large questions by EXPLAIN (ANALYZE, BUFFERS),
// and what the server itself counted during a whole build.
import type { Client } from 'pg'
import { DaySlices } from '../../../src/model/day-slices.ts'
import { ideaAggregatesSql } from '../../../src/source/read/idea-aggregates-sql.ts'
import { loadMapping } from '../../../src/source/mapping/mapping.ts'
import type { TemplateParameters } from '../../../src/source/sql/template.ts'
import { userQueries } from '../../../src/source/read/active-users.ts'
import type { Row } from '../proxy/measurements.ts'
import { withClient } from './cluster.ts'
import { measureBuild } from './measured-build.ts'
import { releaseFolder, type Bench, type PartResult } from './part.ts'

const PAGE_MIB = 8 / 1024

interface PlanNode {
  readonly 'Node Type': string
  readonly 'Relation Name'?: string
  readonly 'Index Name'?: string
  readonly 'Shared Hit Blocks': number
  readonly 'Shared Read Blocks': number
  readonly 'Temp Written Blocks': number
  readonly Plans?: readonly PlanNode[]
}

interface Explained {
  readonly Plan: PlanNode
  readonly 'Execution Time': number
}

interface Counted {
  readonly pages: number
  readonly temporary_bytes: number
  readonly active_ms: number
}

/** Indexes that somebody may have, or may think of, beside those of the primary keys. */
const INDEXES = [
  'CREATE INDEX ON votes (created_at)',
  'CREATE INDEX ON comments (created_at)',
  'CREATE INDEX ON votes (idea_id, created_at, value)',
  'CREATE INDEX ON comments (idea_id, created_at)',
  'CREATE INDEX ON votes (user_id, created_at)',
  'CREATE INDEX ON comments (user_id, created_at)',
  'VACUUM ANALYZE',
]

export async function measureDatabaseCost(bench: Bench): Promise<PartResult> {
  const { cluster, base, settings } = bench
  const indexed = await cluster.copy('indexed', base)
  const plain = await withClient(base.url, (client) => explainAll(client, settings.longRounds))
  const withIndexes = await withClient(indexed, async (client) => {
    for (const statement of INDEXES) await client.query(statement)
    return explainAll(client, settings.longRounds)
  })
  await cluster.drop('indexed')
  const builds: Counted[] = []
  for (let round = 0; round < settings.longRounds; round++) builds.push(await countedBuild(bench))
  const line = (name: string, runs: readonly Explained[]): Row[] => {
    const temporary = runs.map(({ Plan }) => Plan['Temp Written Blocks'] * PAGE_MIB)
    return [
      { name, unit: 's', values: runs.map((run) => run['Execution Time'] / 1000) },
      { name, unit: 'MiB read', values: runs.map(({ Plan }) => pages(Plan) * PAGE_MIB) },
      ...(temporary.some((mib) => mib > 0) ? [{ name, unit: 'MiB of temporary files', values: temporary }] : []),
    ]
  }
  const each = (figure: keyof Counted, factor: number): number[] => builds.map((build) => build[figure] * factor)
  return {
    tables: [
      {
        title: 'What a build asks of the database',
        how: 'EXPLAIN (ANALYZE, BUFFERS, TIMING OFF), pages of 8 KiB from memory or disk; people: with the join that only hidden or future ideas make necessary; a whole build: pg_stat_database before and after',
        rows: [
          ...Object.entries(plain).flatMap(([name, runs]) => line(name, runs)),
          ...Object.entries(withIndexes).flatMap(([name, runs]) => line(`${name}, six indexes more`, runs)),
          {
            name: 'a whole build',
            unit: 's of active sessions, also waiting for the builder',
            values: each('active_ms', 1 / 1000),
          },
          { name: 'a whole build', unit: 'MiB read', values: each('pages', PAGE_MIB) },
          { name: 'a whole build', unit: 'MiB of temporary files', values: each('temporary_bytes', 2 ** -20) },
        ],
      },
    ],
    raw: { plain, indexed: withIndexes, builds },
  }
}

async function explainAll(client: Client, rounds: number): Promise<Record<string, Explained[]>> {
  const sections = loadMapping('native', {}).sections
  const fill: TemplateParameters = { sections, keys: { idea_key: 'int8', user_key: 'int8' } }
  const nowMs = Date.now()
  const [accounts = '', people = ''] = userQueries(fill, nowMs)
  const questions = { facts: ideaAggregatesSql(fill, new DaySlices(nowMs)), people, accounts }
  await client.query(`SET timezone = 'UTC'`)
  const results: Record<string, Explained[]> = { facts: [], people: [], accounts: [] }
  for (let round = 0; round < rounds; round++)
    for (const [name, sql] of Object.entries(questions)) results[name]?.push(await explain(client, sql))
  return results
}

async function explain(client: Client, sql: string): Promise<Explained> {
  const { rows } = await client.query<{ 'QUERY PLAN': Explained[] }>(
    `EXPLAIN (ANALYZE, BUFFERS, TIMING OFF, FORMAT JSON) ${sql}`,
  )
  const explained = rows[0]?.['QUERY PLAN'][0]
  if (explained === undefined) throw new Error('EXPLAIN gave no plan')
  return explained
}

function pages(plan: PlanNode): number {
  return plan['Shared Hit Blocks'] + plan['Shared Read Blocks']
}

async function countedBuild(bench: Bench): Promise<Counted> {
  const before = await counted(bench)
  await measureBuild(bench.base, releaseFolder(bench, 'release'))
  const after = await counted(bench)
  return {
    pages: after.pages - before.pages,
    temporary_bytes: after.temporary_bytes - before.temporary_bytes,
    active_ms: after.active_ms - before.active_ms,
  }
}

/** A session hands in what it counted when it ends, so it has been by the time that its client is gone. */
async function counted({ cluster, base }: Bench): Promise<Counted> {
  return withClient(cluster.postgres.url(), async (client) => {
    const { rows } = await client.query<Counted>(
      `SELECT (blks_hit + blks_read)::float8 AS pages, temp_bytes::float8 AS temporary_bytes, active_time AS active_ms
         FROM pg_stat_database WHERE datname = $1`,
      [base.name],
    )
    if (rows[0] === undefined) throw new Error(`no statistics of ${base.name}`)
    return rows[0]
  })
}
