// Every document as definitions.sql, over-time.sql and documents.sql compute it, without generatedAt and version: a second
// opinion that shares nothing with src/ but the definitions of the API. One query per combination.
// depends on: test/oracle/*.sql
import { readFileSync } from 'node:fs'
import type { ClientBase } from 'pg'
import type { Combination } from '../../src/contract/kinds/register.ts'

const PERIODS = ['24h', '7d', '30d', '90d', 'all']

export interface OracleOptions {
  /** ISO 8601 UTC with milliseconds: dataAsOf of the release. */
  readonly asOf: string
  /** Without a trailing slash. */
  readonly siteUrl: string | null
  readonly voteWeight: number
  readonly commentWeight: number
  /** sha256 of the mapping: the history names it. */
  readonly mapping: string
  readonly people: 'exact' | 'rounded' | 'off'
  readonly timeZone: string
}

type Row = Readonly<Record<string, string | number | null>>

export interface OracleDocument {
  readonly stats?: Row
  /** Of an export. */
  readonly data?: readonly Row[]
  readonly [key: string]: unknown
}

/** Once per database, after the native tables exist: creates the schema `oracle`. */
export async function installOracle(client: ClientBase): Promise<void> {
  for (const part of ['definitions.sql', 'over-time.sql', 'documents.sql'])
    await client.query(readFileSync(new URL(part, import.meta.url), 'utf8'))
}

/**
 * Makes tables of what counts at one instant, with numbers of people as they are: of many rows each question would count
 * them anew.
 */
export async function keepCounted(client: ClientBase, { asOf }: OracleOptions): Promise<void> {
  const settings = { as_of: asOf, people: 'exact', zone: 'UTC', site_url: '' }
  for (const [name, value] of Object.entries(settings)) await client.query(`SET oracle.${name} = '${value}'`)
  for (const view of ['users', 'ideas', 'votes', 'comments', 'idea_categories', 'category_names', 'activity'])
    await client.query(
      `CREATE TABLE oracle.kept_${view} AS TABLE oracle.${view}; ANALYZE oracle.kept_${view};
       CREATE OR REPLACE VIEW oracle.${view} AS TABLE oracle.kept_${view}`,
    )
  // Asked for each row: constants are not.
  await client.query(
    `CREATE INDEX ON oracle.kept_votes (idea_id COLLATE "C");
     CREATE OR REPLACE FUNCTION oracle.as_of() RETURNS timestamptz IMMUTABLE LANGUAGE sql AS $$ SELECT timestamptz '${asOf}' $$;
     CREATE OR REPLACE FUNCTION oracle.zone() RETURNS text IMMUTABLE LANGUAGE sql AS $$ SELECT 'UTC' $$`,
  )
}

/** What the snapshot of a combination holds. */
export async function oracleDocument(
  client: ClientBase,
  options: OracleOptions,
  combination: Combination,
): Promise<OracleDocument> {
  const { endpoint, ...question } = combination
  if (combination.endpoint === 'category') return categoryFile(client, options, combination.category)
  if (combination.endpoint === 'export' && combination.type === 'revisions') {
    // Of a first build: nothing was published before it.
    const first = await oracleAnswer(client, options, endpoint, { ...question, type: 'history' })
    return { ...first, type: 'revisions', data: [], rowCount: 0 }
  }
  return oracleAnswer(client, options, endpoint, question)
}

/** "one file, with its five timelines and its outcomes as members", "without its last keys" */
async function categoryFile(client: ClientBase, options: OracleOptions, category: string): Promise<OracleDocument> {
  const timelines: Record<string, object> = {}
  for (const period of PERIODS) {
    const { dataAsOf: _, ...timeline } = await oracleAnswer(client, options, 'timeline', { period, category })
    timelines[period] = timeline
  }
  const { dataAsOf, ...outcomes } = await oracleAnswer(client, options, 'outcomes', { category })
  return { timelines, outcomes, dataAsOf }
}

/** @param question `category` is a published name, or text that no category matches; without `interval` the period's own */
export async function oracleAnswer<Document extends object = OracleDocument>(
  client: ClientBase,
  options: OracleOptions,
  document: string,
  question: object = {},
): Promise<Document> {
  const { asOf, siteUrl, voteWeight, commentWeight, mapping, people, timeZone } = options
  const settings = {
    as_of: asOf,
    site_url: siteUrl,
    vote_weight: voteWeight,
    comment_weight: commentWeight,
    mapping,
    people,
    zone: timeZone,
    // One question must not see what another one set on the same session.
    period: 'all',
    interval: null,
    category: null,
    ...question,
  }
  const { rows } = await client.query<{ document: Document & { timeZone?: string } }>(
    'SELECT oracle.answer($1, $2) AS document',
    [JSON.stringify(settings), document],
  )
  const made = rows[0]!.document
  // "of UTC documents do not say"
  if (made.timeZone === 'UTC') delete made.timeZone
  return made
}
