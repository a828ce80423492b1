// Owns the oracle on a database of millions of rows: every definition of test/oracle as it stands, but each relation is
// computed once for the instant and kept, and the settings of a question are constants, so that the server can plan.
import { readFileSync } from 'node:fs'
import { escapeLiteral, type Client } from 'pg'
import { packagePath } from '../../../src/process/package-root.ts'
import type { Combination } from '../../../src/contract/kinds/register.ts'
import { PERIODS, type Period } from '../../../src/contract/windows.ts'

/** In the order in which definitions.sql makes them. */
const RELATIONS = ['users', 'ideas', 'votes', 'comments', 'idea_categories', 'category_names', 'activity']

/** The join of text with text is by the collation of ideas.id; what a list of ids is looked up by is the default. */
const INDEXES = ['votes', 'comments', 'idea_categories']
  .flatMap((table) => [
    `CREATE INDEX ON oracle.${table} (idea_id COLLATE "C")`,
    `CREATE INDEX ON oracle.${table} (idea_id)`,
  ])
  .concat('CREATE INDEX ON oracle.ideas (id)', 'CREATE INDEX ON oracle.idea_categories (category)', 'ANALYZE')

const DEFAULTS = { site_url: '', vote_weight: '5', comment_weight: '3', top_categories: '3' }

export async function installLargeOracle(client: Client, asOf: string): Promise<void> {
  await plainSession(client)
  await client.query(oracleText('definitions.sql'))
  await client.query(
    `CREATE OR REPLACE FUNCTION oracle.as_of() RETURNS timestamptz IMMUTABLE LANGUAGE sql AS
     $$ SELECT timestamptz ${escapeLiteral(asOf)} $$`,
  )
  await set(client, { period: 'all' })
  await client.query('CREATE SCHEMA kept')
  for (const name of RELATIONS) await client.query(`CREATE TABLE kept.${name} AS SELECT * FROM oracle.${name}`)
  await client.query(`DROP VIEW ${RELATIONS.map((name) => `oracle.${name}`).join(', ')}`)
  for (const name of RELATIONS) await client.query(`ALTER TABLE kept.${name} SET SCHEMA oracle`)
  for (const index of INDEXES) await client.query(index)
  await client.query(oracleText('over-time.sql'))
  await client.query(oracleText('documents.sql'))
  // What several documents of a period share is computed once (beginPeriod); how stays at hand in `kept`.
  await client.query(`DO $$ BEGIN
    EXECUTE 'CREATE VIEW kept.idea_counts AS ' || pg_get_viewdef('oracle.idea_counts'::regclass);
    EXECUTE replace(pg_get_functiondef('oracle.category_rows'::regproc), 'oracle.category_rows', 'kept.category_rows');
  END $$`)
}

/** Counts the ideas and categories of a period once, for all of its documents. */
export async function beginPeriod(client: Client, period: Period): Promise<void> {
  if (!PERIODS.includes(period)) throw new RangeError(period)
  await plainSession(client)
  await set(client, { period })
  await client.query(`CREATE TABLE kept.idea_counts_${period} AS SELECT * FROM kept.idea_counts`)
  await client.query(`CREATE OR REPLACE VIEW oracle.idea_counts AS SELECT * FROM kept.idea_counts_${period}`)
  await client.query(`CREATE TABLE kept.category_rows_${period} AS SELECT kept.category_rows() AS rows`)
  await client.query(
    `CREATE OR REPLACE FUNCTION oracle.category_rows() RETURNS json STABLE LANGUAGE sql AS
     $$ SELECT rows FROM kept.category_rows_${period} $$`,
  )
}

/** The document of a combination of the period that was begun, or of none, without generatedAt and version. */
export async function oracleDocument(client: Client, combination: Combination): Promise<unknown> {
  if (combination.endpoint === 'category') return categoryFile(client, combination.category)
  const { endpoint, ...parameters } = { period: 'all', ...combination }
  return answer(client, endpoint, endpoint === 'trending' ? { ...parameters, limit: '100' } : parameters)
}

/** As oracleCategoryFile() of test/oracle: the answers without the key that ends them. */
async function categoryFile(client: Client, category: string): Promise<unknown> {
  const timelines: Record<string, unknown> = {}
  for (const period of PERIODS) {
    const { dataAsOf: _, ...timeline } = await answer(client, 'timeline', { period, category })
    timelines[period] = timeline
  }
  const { dataAsOf, ...outcomes } = await answer(client, 'outcomes', { period: 'all', category })
  return { timelines, outcomes, dataAsOf }
}

async function answer(
  client: Client,
  document: string,
  settings: Readonly<Record<string, string | null>>,
): Promise<Record<string, unknown>> {
  await set(client, settings)
  const call = `oracle.${document.replaceAll('-', '_')}()`
  const { rows } = await client.query<{ document: Record<string, unknown> }>(`SELECT ${call} AS document`)
  return rows[0]?.document ?? {}
}

function plainSession(client: Client): Promise<unknown> {
  // Compiling takes longer than most of these run.
  return client.query(`SET timezone = 'UTC'; SET jit = off`)
}

/** Where the oracle reads its settings from is all that is changed. */
async function set(client: Client, settings: Readonly<Record<string, string | null>>): Promise<void> {
  const cases = Object.entries({ ...DEFAULTS, ...settings }).map(
    ([name, value]) => `WHEN '${name}' THEN ${value === null ? 'NULL' : escapeLiteral(value)}`,
  )
  await client.query(
    `CREATE OR REPLACE FUNCTION oracle.setting(name text) RETURNS text IMMUTABLE LANGUAGE sql AS
     $$ SELECT nullif(CASE name ${cases.join(' ')} END, '') $$`,
  )
}

function oracleText(name: string): string {
  return readFileSync(packagePath('test', 'oracle', name), 'utf8')
}
