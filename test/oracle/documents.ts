// Every document as definitions.sql, over-time.sql and documents.sql compute it, without generatedAt and version: a second
// opinion that shares nothing with src/ but the definitions of the API. One query per combination.
import { readFileSync } from 'node:fs'
import type { ClientBase } from 'pg'
import type { Combination } from '../../src/contract/kinds/register.ts'

export type TrendingPeriod = '24h' | '7d' | '30d' | '90d'
export type Period = TrendingPeriod | 'all'
export type Interval = 'hour' | 'day' | 'month'
export type ExportType = 'overview' | 'ideas' | 'users' | 'categories' | 'timeline' | 'outcomes' | 'history'

export const PERIODS: readonly Period[] = ['24h', '7d', '30d', '90d', 'all']

export interface OracleOptions {
  /** ISO 8601 UTC with milliseconds: dataAsOf of the release. */
  asOf: string
  /** Without a trailing slash. */
  siteUrl: string | null
  voteWeight?: number
  commentWeight?: number
  topCategories?: number
  /** sha256 of the mapping: the history names it. */
  mapping?: string
  people?: 'exact' | 'rounded' | 'off'
  timeZone?: string
}

export type Cell = string | number | null
export type Row = Record<string, Cell>

export interface OracleStats {
  stats: Record<string, number>
  metrics: Record<string, number>
  topCategories: { category: string; count: number }[]
}
export interface OracleTrending {
  period: TrendingPeriod
  category: string | null
  from: string
  to: string
  limit: number
  count: number
  ideas: Record<string, Cell | string[]>[]
  dataAsOf: string
}
export interface OracleCategories {
  period: Period
  from: string | null
  to: string
  count: number
  categories: Row[]
  totals: Row
  dataAsOf: string
}
export interface OracleTimeline {
  period: Period
  interval: Interval
  category: string | null
  from: string | null
  to: string
  count: number
  buckets: Row[]
  undated: Record<string, number>
  dataAsOf: string
}
export interface OracleOutcomes {
  category: string | null
  statuses: Row[]
  launched: Row
  cohorts: Row[]
  firstYear: Row
  years: Row[]
  dataAsOf: string
}
export interface OracleCategoryFile {
  timelines: Record<string, Omit<OracleTimeline, 'dataAsOf'>>
  outcomes: Omit<OracleOutcomes, 'dataAsOf'>
  dataAsOf: string
}
export interface OracleExport {
  type: ExportType
  period: Period
  from: string | null
  to: string
  data: Row[]
  rowCount: number
  dataAsOf: string
}

/** What the snapshot of a combination holds. */
export function oracleDocument(client: ClientBase, options: OracleOptions, combination: Combination): Promise<object> {
  const ask = { ...options, ...combination }
  switch (ask.endpoint) {
    case 'stats':
      return oracleStats(client, options)
    case 'trending':
      return oracleTrending(client, { ...ask, limit: 100 })
    case 'categories':
      return oracleCategories(client, ask)
    case 'timeline':
      return oracleTimeline(client, ask)
    case 'outcomes':
      return oracleOutcomes(client, options)
    case 'category':
      return oracleCategoryFile(client, ask)
    case 'export':
      if (ask.type === 'revisions') return nothingRevised(client, { ...ask, type: 'history' })
      return oracleExport(client, { ...ask, type: ask.type })
  }
}

/** Of a first build: nothing was published before it. */
async function nothingRevised(client: ClientBase, ask: Parameters<typeof oracleExport>[1]): Promise<object> {
  return { ...(await oracleExport(client, ask)), type: 'revisions', data: [], rowCount: 0 }
}

/** Once per database, after the native tables exist: creates the schema `oracle`. */
export async function installOracle(client: ClientBase): Promise<void> {
  for (const part of ['definitions.sql', 'over-time.sql', 'documents.sql']) {
    await client.query(readFileSync(new URL(part, import.meta.url), 'utf8'))
  }
}

export function oracleStats(client: ClientBase, options: OracleOptions): Promise<OracleStats> {
  return answer(client, 'stats', options, { period: 'all' })
}

export async function oracleTrending(
  client: ClientBase,
  options: OracleOptions & { period: TrendingPeriod; category: string | null; limit: number },
): Promise<OracleTrending> {
  const { period, limit } = options
  const category =
    options.category === null ? null : publishedName(options.category, await oracleCategoryNames(client, options.asOf))
  return answer(client, 'trending', options, { period, limit, category })
}

export function oracleCategories(
  client: ClientBase,
  options: OracleOptions & { period: Period },
): Promise<OracleCategories> {
  return answer(client, 'categories', options, { period: options.period })
}

/** @param options `category` is a published name, or text that no category matches; `interval` null = the period's own */
export function oracleTimeline(
  client: ClientBase,
  options: OracleOptions & { period: Period; interval?: Interval | null; category?: string | null },
): Promise<OracleTimeline> {
  const { period, interval = null, category = null } = options
  return answer(client, 'timeline', options, { period, interval, category })
}

export function oracleOutcomes(
  client: ClientBase,
  options: OracleOptions & { category?: string | null },
): Promise<OracleOutcomes> {
  return answer(client, 'outcomes', options, { period: 'all', category: options.category ?? null })
}

/** "one file, with its five timelines and its outcomes as members", "without its last keys" */
export async function oracleCategoryFile(
  client: ClientBase,
  options: OracleOptions & { category: string },
): Promise<OracleCategoryFile> {
  const timelines: OracleCategoryFile['timelines'] = {}
  for (const period of PERIODS) {
    const { dataAsOf: _, ...timeline } = await oracleTimeline(client, { ...options, period })
    timelines[period] = timeline
  }
  const { dataAsOf, ...outcomes } = await oracleOutcomes(client, options)
  return { timelines, outcomes, dataAsOf }
}

export function oracleExport(
  client: ClientBase,
  options: OracleOptions & { type: ExportType; period: Period; interval?: Interval | null },
): Promise<OracleExport> {
  const { type, period, interval = null } = options
  return answer(client, 'export', options, { type, period, interval })
}

/** The published names in name order. */
export function oracleCategoryNames(client: ClientBase, asOf: string): Promise<string[]> {
  return answer(client, 'category_name_list', { asOf, siteUrl: null }, { period: 'all' })
}

/**
 * "equal code points match; failing that, the first name in name order with equal toLowerCase()"; else the trimmed
 * text. The one definition that is not SQL: the API names JavaScript's toLowerCase(), and lower() differs with locale.
 */
function publishedName(asked: string, namesInOrder: readonly string[]): string {
  const text = asked.replace(/^\p{White_Space}+|\p{White_Space}+$/gu, '').normalize('NFC')
  if (namesInOrder.includes(text)) return text
  return namesInOrder.find((name) => name.toLowerCase() === text.toLowerCase()) ?? text
}

async function answer<Document>(
  client: ClientBase,
  document: string,
  options: OracleOptions,
  question: Record<string, string | number | null>,
): Promise<Document> {
  const settings = {
    as_of: options.asOf,
    site_url: options.siteUrl,
    vote_weight: options.voteWeight ?? 5,
    comment_weight: options.commentWeight ?? 3,
    top_categories: options.topCategories ?? 3,
    mapping: options.mapping ?? null,
    people: options.people ?? 'exact',
    zone: options.timeZone ?? 'UTC',
    // One question must not see what another one set on the same session.
    interval: null,
    category: null,
    ...question,
  }
  const sql = 'SELECT oracle.answer($1, $2) AS document'
  const { rows } = await client.query<{ document: Document & { timeZone?: string } }>(sql, [
    JSON.stringify(settings),
    document,
  ])
  const made = rows[0]!.document
  // "of UTC documents do not say"
  if (made.timeZone === 'UTC') delete made.timeZone
  return made
}
