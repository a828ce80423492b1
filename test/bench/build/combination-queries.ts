// Owns the question to the database that answers one combination alone, and what of a snapshot it must give.
import type { Combination } from '../../../src/contract/kinds/register.ts'
import { categorySql, outcomeRowsSql, outcomesSql, timelineRowsSql, timelineSql } from './combination-time-sql.ts'
import { categoriesSql, ideasSql, overviewSql, statsSql, trendingSql, usersSql } from './combination-sql.ts'

type Document = Readonly<Record<string, unknown>>
type Rows = readonly Readonly<Record<string, unknown>>[]

export interface Query {
  readonly sql: string
  /** The rows that it must give, out of the document with the same answer. */
  readonly rowsOf: (document: Document) => Rows
}

export function queryOf(combination: Combination, asOfMs: number): Query {
  switch (combination.endpoint) {
    case 'stats':
      return {
        sql: statsSql(asOfMs),
        rowsOf: ({ stats, topCategories }) => [{ ...(stats as object), top: topCategories }],
      }
    case 'trending':
      return {
        sql: trendingSql(combination.period, combination.category, asOfMs),
        rowsOf: ({ ideas }) => ideas as Rows,
      }
    case 'categories':
      return {
        sql: categoriesSql(combination.period, asOfMs),
        rowsOf: ({ categories, totals }) => [...(categories as Rows), { category: null, ...(totals as object) }],
      }
    case 'timeline':
      return {
        sql: timelineSql(combination.period, null, asOfMs, combination.interval),
        rowsOf: ({ buckets }) => buckets as Rows,
      }
    case 'outcomes':
      return { sql: outcomesSql(null, asOfMs), rowsOf: (document) => [membersOf(document)] }
    case 'category':
      return {
        sql: categorySql(combination.category, asOfMs),
        rowsOf: ({ timelines, outcomes }) => [
          { ...bucketsIn(timelines as Readonly<Record<string, Document>>), outcomes: membersOf(outcomes as Document) },
        ],
      }
    case 'export':
      return exportOf(combination, asOfMs)
  }
}

/** What is counted of outcomes; a query names neither category nor time. */
function membersOf({ statuses, launched, cohorts }: Document): Document {
  return { statuses, launched, cohorts }
}

function bucketsIn(timelines: Readonly<Record<string, Document>>): Document {
  return Object.fromEntries(Object.entries(timelines).map(([period, { buckets }]) => [period, buckets]))
}

/** Of the categories' export, the totals are asked for, too: it is the same query. */
function exportOf({ type, period, interval }: Extract<Combination, { endpoint: 'export' }>, asOfMs: number): Query {
  const data = (document: Document): Rows => document['data'] as Rows
  switch (type) {
    case 'ideas':
      return { sql: ideasSql(period, asOfMs), rowsOf: data }
    case 'users':
      return { sql: usersSql(period, asOfMs), rowsOf: data }
    case 'categories':
      return { sql: categoriesSql(period, asOfMs), rowsOf: data }
    case 'overview':
      return {
        sql: overviewSql(period, asOfMs),
        rowsOf: (document) =>
          data(document)
            .filter(({ metric }) => !/^avg|Rate$/.test(String(metric)))
            .map(({ metric, value, previousValue }) => ({ metric, value, previousValue })),
      }
    case 'timeline':
      return { sql: timelineRowsSql(period, asOfMs, interval), rowsOf: data }
    case 'outcomes':
      return { sql: outcomeRowsSql(period, asOfMs), rowsOf: data }
    case 'history':
      throw new TypeError('no query says what earlier releases published')
  }
}
