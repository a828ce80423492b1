// Owns one consistent read of a source: the transaction, its settings, the checked sections. Knows no documents.
import type pg from 'pg'
import { compareCodePoints } from '../contract/code-point-order.ts'
import type { IdeaFacts, PeopleFacts } from '../contract/facts.ts'
import { EDGES_MS } from '../contract/windows.ts'
import { Ignored, type IgnoredRows } from './ignored.ts'
import type { Mapping } from './mapping.ts'
import { asTable, question, timeLiteral, TIME_BOUNDS, type Fill } from './question.ts'
import { MAX_CATEGORIES, publishedName, readFacts, tooManyCategories, type FactsTotals } from './read-facts.ts'
import { readPeople } from './read-people.ts'
import { checkColumns, commonKeyType, type DescribedColumn, type Relation } from './relations.ts'
import { explain, SourceError } from './source-error.ts'

export interface InstantOptions {
  readonly statementTimeoutMs: number
  readonly lockTimeoutMs: number
  /** `off` = row-level security is an error; `apply` = read through the role's policies. */
  readonly rowSecurity: 'off' | 'apply'
  /** The instant to describe, epoch ms; null = the server's clock, as always but in rebuilding a known instant. */
  readonly asOfMs: number | null
}

/** An open read-only transaction: everything asked of it describes the same instant. */
export interface Instant {
  readonly asOfMs: number
  readonly serverVersion: string
  /** How far a standby lags behind its primary; null on a primary. */
  readonly replayLagMs: number | null
  readonly warnings: readonly string[]
  /** Published names that the mapping lists by themselves, in name order. */
  readonly listedCategories: readonly string[]
  /** The ideas, newest first, in batches. Read once, to the end, before people(). */
  facts(): AsyncGenerator<IdeaFacts[]>
  people(): Promise<PeopleFacts>
  ignored(): IgnoredRows[]
  /** Ends the transaction. */
  end(): Promise<void>
}

interface Beginning {
  readonly as_of_ms: number
  readonly server_version: string
  readonly server_encoding: string
  readonly standby: boolean
  readonly replay_lag_ms: number | null
}

/** @throws SourceError */
export async function beginInstant(client: pg.Client, mapping: Mapping, options: InstantOptions): Promise<Instant> {
  const where = `mapping ${mapping.name}`
  try {
    await client.query(beginning(options))
    const { rows } = await client.query<Beginning>(question('instant'))
    await client.query(NOTICE_A_LOST_CLIENT)
    const begun = rows[0]
    if (begun === undefined) throw new Error('the server gave no time')
    if (begun.server_encoding !== 'UTF8')
      throw new SourceError('source', `the database's encoding is ${begun.server_encoding}, must be UTF8`)
    const described = await describeSections(client, mapping)
    return await open(client, mapping, options.asOfMs ?? begun.as_of_ms, begun, described)
  } catch (error) {
    throw explain(error, where)
  }
}

/**
 * One statement a setting, all SET LOCAL (a pooler such as PgBouncer hands the session to others afterwards). None of
 * them takes a snapshot: the first SELECT does (PostgreSQL manual, "SET TRANSACTION").
 */
function beginning(options: InstantOptions): string {
  return [
    'BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY',
    `SET LOCAL timezone = 'UTC'`,
    `SET LOCAL standard_conforming_strings = on`,
    `SET LOCAL row_security = ${options.rowSecurity === 'off' ? 'off' : 'on'}`,
    `SET LOCAL statement_timeout = ${options.statementTimeoutMs}`,
    `SET LOCAL lock_timeout = ${options.lockTimeoutMs}`,
    // The consumer may be slower than the server: a full disk queue must not look idle to it.
    `SET LOCAL idle_in_transaction_session_timeout = 0`,
    `SET LOCAL extra_float_digits = 1`,
  ].join('; ')
}

/**
 * A builder that is killed or gives up must not leave its query running, and its locks held, until statement_timeout:
 * the server looks every few seconds whether anybody is still there. The setting exists from PostgreSQL 14 on and only
 * where the system can tell; elsewhere this does nothing. After the first SELECT, because DO would take the snapshot.
 */
const NOTICE_A_LOST_CLIENT = `DO $$ BEGIN
  SET LOCAL client_connection_check_interval = '3s';
EXCEPTION WHEN OTHERS THEN NULL;
END $$`

type Described = ReadonlyMap<Relation, readonly DescribedColumn[]>

/**
 * Sends every section alone, by the extended protocol, which takes one statement only: a section that hides a second
 * one (and could end the read-only transaction with it) is refused here, before it is part of anything else.
 */
async function describeSections(client: pg.Client, mapping: Mapping): Promise<Described> {
  const fields = new Map<Relation, readonly pg.FieldDef[]>()
  for (const [relation, sql] of mapping.sections) {
    try {
      const query = { text: `SELECT * FROM ${asTable(sql)} LIMIT 0`, queryMode: 'extended' }
      fields.set(relation, (await client.query(query)).fields)
    } catch (error) {
      throw explain(error, `mapping ${mapping.name}, section ${relation}`)
    }
  }
  const oids = [...new Set([...fields.values()].flat().map((field) => field.dataTypeID))]
  const types = await client.query<{ oid: number; typname: string; typcategory: string }>(
    'SELECT oid::int8::float8 AS oid, typname::text, typcategory::text FROM pg_catalog.pg_type WHERE oid = ANY ($1::oid[])',
    [oids],
  )
  const byOid = new Map(types.rows.map((type) => [type.oid, type]))
  return new Map(
    [...fields].map(([relation, list]) => [
      relation,
      list.map((field) => {
        const type = byOid.get(field.dataTypeID)
        return { name: field.name, type: type?.typname ?? 'unknown', category: type?.typcategory ?? 'X' }
      }),
    ]),
  )
}

async function open(
  client: pg.Client,
  mapping: Mapping,
  asOfMs: number,
  begun: Beginning,
  described: Described,
): Promise<Instant> {
  const warnings = columnWarnings(mapping, described)
  const keys = { idea_key: ideaKey(described), person_key: personKey(described) }
  const fill: Fill = { sections: mapping.sections, keys }
  const asking = async <T>(what: string, ask: () => Promise<T>): Promise<T> => {
    try {
      return await ask()
    } catch (error) {
      throw explain(error, `mapping ${mapping.name}, ${what}`)
    }
  }
  await asking('section ideas', () => refuseDuplicates(client, fill))
  const listedCategories = await asking('section categories', () => readCategories(client, mapping))
  const ignored = new Ignored()
  const totals: FactsTotals = { earliestMs: null, eventsOfOtherIdeas: 0 }
  const onBad = (relation: Relation): Promise<never> => reportBadRow(client, mapping, relation)
  return {
    asOfMs,
    serverVersion: begun.server_version,
    replayLagMs: begun.standby ? Math.max(0, Math.round(begun.replay_lag_ms ?? 0)) : null,
    warnings,
    listedCategories,
    async *facts() {
      const edges = Object.fromEntries(
        EDGES_MS.map((edgeMs) => [`d${edgeMs / 86_400_000}`, timeLiteral(asOfMs - edgeMs)]),
      )
      const sql = question('facts', { ...fill, values: { ...TIME_BOUNDS, ...edges, as_of: timeLiteral(asOfMs) } })
      try {
        yield* readFacts(client, sql, asOfMs, ignored, totals, onBad)
      } catch (error) {
        throw explain(error, `mapping ${mapping.name}, reading ideas, votes and comments`)
      }
    },
    people: () =>
      asking('reading users and counting people', () => readPeople(client, fill, asOfMs, totals, ignored, onBad)),
    ignored: () => ignored.list(),
    end: () =>
      asking('ending the read', async () => {
        await client.query('COMMIT')
      }),
  }
}

function columnWarnings(mapping: Mapping, described: Described): string[] {
  const warnings: string[] = []
  for (const [relation, columns] of described) {
    const findings = checkColumns(relation, columns)
    if (findings.errors.length > 0)
      throw new SourceError('source', `mapping ${mapping.name}, section ${relation}: ${findings.errors.join('; ')}`)
    warnings.push(...findings.warnings.map((text) => `mapping ${mapping.name}, section ${relation}: ${text}`))
  }
  return warnings
}

function typeOf(described: Described, relation: Relation, column: string): string {
  return described.get(relation)?.find(({ name }) => name === column)?.type ?? 'text'
}

function ideaKey(described: Described): string {
  const columns: [Relation, string][] = [
    ['ideas', 'id'],
    ['votes', 'idea_id'],
    ['comments', 'idea_id'],
    ['idea_categories', 'idea_id'],
  ]
  return commonKeyType(columns.map(([relation, column]) => typeOf(described, relation, column)))
}

function personKey(described: Described): string {
  const columns: [Relation, string][] = [
    ['ideas', 'author_id'],
    ['votes', 'user_id'],
    ['comments', 'user_id'],
  ]
  return commonKeyType(columns.map(([relation, column]) => typeOf(described, relation, column)))
}

async function refuseDuplicates(client: pg.Client, fill: Fill): Promise<void> {
  const { rows } = await client.query<{ id: string | null; rows: number }>(question('duplicate-ideas', fill))
  const found = rows[0]
  if (found !== undefined && found.id !== null)
    throw new SourceError(
      'source',
      `the mapping's ideas returns id ${found.id} ${found.rows} times; return every idea once`,
    )
}

async function readCategories(client: pg.Client, mapping: Mapping): Promise<string[]> {
  const section = mapping.sections.get('categories')
  if (section === undefined) return []
  // Twice the bound: several spellings may be one published name.
  const { rows } = await client.query<{ name: string | null }>(
    `SELECT DISTINCT name::text AS name FROM ${asTable(section)} LIMIT ${2 * MAX_CATEGORIES + 1}`,
  )
  const names = new Set<string>()
  for (const row of rows) {
    if (row.name === null)
      throw new SourceError(
        'source',
        `mapping ${mapping.name}, section categories: column name is NULL; mend or filter the row`,
      )
    const name = publishedName(row.name)
    if (name !== null) names.add(name)
  }
  if (rows.length > 2 * MAX_CATEGORIES || names.size > MAX_CATEGORIES) throw tooManyCategories()
  return [...names].sort(compareCodePoints)
}

/** Finds one row that breaks its relation's rules, in the same instant, so that the message can name it. */
async function reportBadRow(client: pg.Client, mapping: Mapping, relation: Relation): Promise<never> {
  const section = asTable(mapping.sections.get(relation) ?? '')
  for (const [column, condition] of BAD_ROWS[relation] ?? []) {
    const ofIdea = relation === 'votes' || relation === 'idea_categories'
    const { rows } = await client.query<{ id: string | null }>(
      `SELECT ${ofIdea ? 'idea_id' : 'id'}::text AS id FROM ${section} WHERE ${condition} LIMIT 1`,
    )
    if (rows[0] === undefined) continue
    const whose = `${ofIdea ? 'a row of idea' : 'id'} ${rows[0].id ?? 'NULL'}`
    const problem = condition.includes('IS NULL') ? 'is NULL' : 'is infinite or outside the years 1 to 9999'
    throw new SourceError(
      'source',
      `mapping ${mapping.name}, section ${relation}: column ${column} ${problem} (${whose}); mend or filter the row`,
    )
  }
  throw new SourceError('source', `mapping ${mapping.name}, section ${relation}: a row has NULL or an infinite time`)
}

const beyond = (column: string): [string, string] => [
  column,
  `(${column}::timestamptz < ${TIME_BOUNDS['min_time']} OR ${column}::timestamptz >= ${TIME_BOUNDS['max_time']})`,
]
const isNull = (column: string): [string, string] => [column, `${column} IS NULL`]

const BAD_ROWS: Partial<Record<Relation, readonly [string, string][]>> = {
  users: [isNull('id'), isNull('created_at'), beyond('created_at')],
  ideas: [
    isNull('id'),
    isNull('created_at'),
    isNull('launched'),
    beyond('created_at'),
    ['launched_at', `launched AND ${beyond('launched_at')[1]}`],
  ],
  idea_categories: [isNull('idea_id'), isNull('category')],
  votes: [isNull('idea_id'), isNull('value'), beyond('created_at')],
  comments: [isNull('idea_id'), isNull('created_at'), beyond('created_at')],
}
