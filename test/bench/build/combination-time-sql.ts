// Owns the plain queries of the combinations over time: a timeline, outcomes, and their exports, each alone, on the native
// schema. Knows nothing of the product's SQL.
import { escapeLiteral } from 'pg'
import { PERIODS, windowOf, type Interval, type Period } from '../../../src/contract/windows.ts'
import { iso, literal, ratio, UNIT, when } from './combination-sql.ts'

const DAY = `interval '24 hours'`

/** Ideas of a category, or all: a condition on the id of an idea. */
function ofCategory(id: string, category: string | null): string {
  if (category === null) return 'true'
  return `${id} IN (SELECT idea_id FROM idea_categories WHERE category = ${escapeLiteral(category)})`
}

/** What is counted: the idea, the time and the kind of each row before dataAsOf. */
function eventsSql(category: string | null, to: string): string {
  const parts = [
    `SELECT 'ideas' AS kind, id AS idea_id, created_at AS at FROM ideas WHERE created_at < ${to}`,
    `SELECT 'votes', idea_id, created_at FROM votes WHERE value > 0 AND (created_at IS NULL OR created_at < ${to})`,
    `SELECT 'comments', idea_id, created_at FROM comments WHERE created_at < ${to}`,
    `SELECT 'launches', id, launched_at FROM ideas WHERE launched AND created_at < ${to}`,
  ]
  return parts
    .map((part) => `${part} AND ${ofCategory(part.includes('FROM ideas') ? 'id' : 'idea_id', category)}`)
    .join(' UNION ALL ')
}

function bucketOf(unit: string, at: string): string {
  return `date_trunc('${unit}', ${at} AT TIME ZONE 'UTC')`
}

function seriesSql(period: Period, unit: string, asOfMs: number): string {
  const { fromMs } = windowOf(period, asOfMs)
  const earliest = ['users', 'ideas', 'votes', 'comments'].map((table) => `(SELECT min(created_at) FROM ${table})`)
  const all = `date_trunc('month', least(${[...earliest, '(SELECT min(launched_at) FROM ideas WHERE launched)'].join(', ')}) AT TIME ZONE 'UTC')`
  const first = fromMs === null ? all : bucketOf(unit, literal(fromMs))
  return `SELECT generate_series(${first}, (${literal(asOfMs)} - interval '1 millisecond') AT TIME ZONE 'UTC', interval '1 ${unit}') AS bucket`
}

const KINDS = ['ideas', 'votes', 'comments', 'launches'] as const
const KEYS = { ideas: 'ideas', votes: 'votes', comments: 'comments', launches: 'launchedIdeas' } as const

/** The buckets of one timeline. */
export function timelineSql(period: Period, category: string | null, asOfMs: number, interval?: Interval): string {
  const unit = interval ?? UNIT[period]
  const { inside, to } = when(period, asOfMs)
  const counts = KINDS.map(
    (kind) => `count(*) FILTER (WHERE kind = '${kind}' AND at IS NOT NULL AND ${inside('at')}) AS ${kind},
               count(*) FILTER (WHERE kind = '${kind}') AS ever_${kind}`,
  )
  const until = (kind: string): string => `sum(coalesce(n.ever_${kind}, 0)) OVER (ORDER BY b.bucket) + before.${kind}`
  return `
    WITH b AS (${seriesSql(period, unit, asOfMs)}),
    n AS (SELECT ${bucketOf(unit, 'at')} AS bucket, ${counts.join(', ')} FROM (${eventsSql(category, to)}) AS event GROUP BY 1),
    before AS (SELECT ${KINDS.map((kind) => `coalesce(sum(ever_${kind}), 0) AS ${kind}`).join(', ')}
                 FROM n WHERE bucket IS NULL OR bucket < (SELECT min(bucket) FROM b))
    SELECT ${iso(`b.bucket AT TIME ZONE 'UTC'`)} AS bucket,
           ${KINDS.map((kind) => `coalesce(n.${kind}, 0) AS "${KEYS[kind]}"`).join(', ')},
           ${until('ideas')} AS "totalIdeas", ${until('votes')} AS "totalVotes", ${until('comments')} AS "totalComments",
           ${until('launches')} AS "totalLaunchedIdeas"
      FROM b LEFT JOIN n USING (bucket), before ORDER BY b.bucket`
}

/** All ideas in every bucket, then each category where something is counted. */
export function timelineRowsSql(period: Period, asOfMs: number, interval?: Interval): string {
  const unit = interval ?? UNIT[period]
  const { inside, to } = when(period, asOfMs)
  const counts = KINDS.map((kind) => `count(*) FILTER (WHERE kind = '${kind}') AS ${kind}`)
  const columns = KINDS.map((kind) => `coalesce(${kind}, 0) AS "${KEYS[kind]}"`).join(', ')
  const names = interval === undefined ? 'UNION ALL SELECT idea_id, category FROM idea_categories' : ''
  return `
    WITH b AS (${seriesSql(period, unit, asOfMs)}),
    g AS (SELECT id AS idea_id, NULL AS category FROM ideas ${names}),
    n AS (SELECT ${bucketOf(unit, 'at')} AS bucket, category, ${counts.join(', ')}
            FROM (${eventsSql(null, to)}) AS event JOIN g USING (idea_id)
           WHERE at IS NOT NULL AND ${inside('at')} GROUP BY 1, 2)
    SELECT ${iso(`bucket AT TIME ZONE 'UTC'`)} AS bucket, category, ${columns}
      FROM (SELECT bucket, NULL::text AS category, ${KINDS.join(', ')}
              FROM b LEFT JOIN (SELECT * FROM n WHERE category IS NULL) AS whole USING (bucket)
             UNION ALL SELECT * FROM n WHERE category IS NOT NULL) AS rows
     ORDER BY category COLLATE "C" NULLS FIRST, rows.bucket`
}

/** Every idea with what became of it. */
function ideasSql(category: string | null, to: string): string {
  const ms = (at: string): string => `date_trunc('milliseconds', ${at})`
  const launchedAt = `CASE WHEN launched AND launched_at < ${to} THEN ${ms('launched_at')} END`
  return `
    SELECT id, status, launched, ${launchedAt} AS launched_at, coalesce(v.n, 0) AS votes, coalesce(c.n, 0) AS comments,
           date_trunc('month', created_at AT TIME ZONE 'UTC') AS month,
           CASE WHEN ${launchedAt} < ${ms('created_at')} THEN 0
                ELSE 1000 * (extract(epoch FROM ${launchedAt}) - extract(epoch FROM ${ms('created_at')})) END AS age_ms
      FROM ideas
      LEFT JOIN (SELECT idea_id, count(*) AS n FROM votes WHERE value > 0 AND (created_at IS NULL OR created_at < ${to})
                  GROUP BY idea_id) AS v ON v.idea_id = id
      LEFT JOIN (SELECT idea_id, count(*) AS n FROM comments WHERE created_at < ${to} GROUP BY idea_id) AS c ON c.idea_id = id
     WHERE created_at < ${to} AND ${ofCategory('id', category)}`
}

function cohortColumns(to: string): string {
  const within = (days: number): string => `
    CASE WHEN unknown = 0 AND ${to} >= (month + interval '1 month') AT TIME ZONE 'UTC' + ${days} * ${DAY} THEN within${days} END
      AS "launchedWithin${days}Days"`
  return `${iso(`month AT TIME ZONE 'UTC'`)} AS month, ideas, voted AS "votedIdeas", discussed AS "discussedIdeas",
          launched AS "launchedIdeas", ${[30, 90, 365].map(within).join(', ')}`
}

const COHORT_COUNTS = [
  'count(id) AS ideas, count(id) FILTER (WHERE votes > 0) AS voted, count(id) FILTER (WHERE comments > 0) AS discussed',
  'count(id) FILTER (WHERE launched) AS launched, count(id) FILTER (WHERE launched AND launched_at IS NULL) AS unknown',
  ...[30, 90, 365].map((days) => `count(id) FILTER (WHERE age_ms <= ${days} * 86400000::bigint) AS within${days}`),
].join(', ')

function monthsSql(asOfMs: number): string {
  return `SELECT generate_series((SELECT min(month) FROM idea), (${literal(asOfMs)} - interval '1 millisecond') AT TIME ZONE 'UTC',
                                 interval '1 month') AS month`
}

/** One row: the three members of a document of outcomes. */
export function outcomesSql(category: string | null, asOfMs: number): string {
  const to = literal(asOfMs)
  const days = (fraction: string): string =>
    `round(round((percentile_cont(${fraction}) WITHIN GROUP (ORDER BY age_ms::float8))::numeric, 1) / 86400000, 2)`
  return `
    WITH idea AS (${ideasSql(category, to)}),
    status AS (
      SELECT status, count(*) AS ideas, sum(votes) AS votes, sum(comments) AS comments,
             ${ratio('count(*)', '(SELECT count(*) FROM idea)', 100)} AS "shareOfIdeas" FROM idea GROUP BY status),
    launched AS (
      SELECT count(*) AS ideas, coalesce(sum(votes), 0) AS votes,
             ${ratio('coalesce(sum(votes), 0)', '(SELECT coalesce(sum(votes), 0) FROM idea)', 100)} AS "shareOfVotes",
             count(age_ms) AS dated, ${days('0.5')} AS "medianDays", ${days('0.9')} AS "p90Days"
        FROM idea WHERE launched),
    cohort AS (SELECT m.month, ${COHORT_COUNTS} FROM (${monthsSql(asOfMs)}) AS m LEFT JOIN idea USING (month) GROUP BY 1),
    shown AS (SELECT ${cohortColumns(to)} FROM cohort)
    SELECT (SELECT coalesce(json_agg(s ORDER BY s.status IS NULL, ideas DESC, s.status COLLATE "C"), '[]') FROM status AS s) AS statuses,
           (SELECT row_to_json(l) FROM launched AS l) AS launched,
           (SELECT coalesce(json_agg(s ORDER BY month), '[]') FROM shown AS s) AS cohorts`
}

/** The months that touch a period: of all ideas from the first one on, of a category those with ideas. */
export function outcomeRowsSql(period: Period, asOfMs: number): string {
  const to = literal(asOfMs)
  const { fromMs } = windowOf(period, asOfMs)
  const touches = fromMs === null ? 'true' : `(month + interval '1 month') AT TIME ZONE 'UTC' > ${literal(fromMs)}`
  return `
    WITH idea AS (${ideasSql(null, to)}),
    cohort AS (
      SELECT NULL::text AS category, m.month, ${COHORT_COUNTS} FROM (${monthsSql(asOfMs)}) AS m LEFT JOIN idea USING (month) GROUP BY 2
      UNION ALL
      SELECT category, month, ${COHORT_COUNTS} FROM idea JOIN idea_categories ON idea_id = id GROUP BY 1, 2)
    SELECT category, ${cohortColumns(to)} FROM cohort WHERE ${touches}
     ORDER BY category COLLATE "C" NULLS FIRST, cohort.month`
}

/** One row: the buckets of each timeline of a category, and its outcomes. */
export function categorySql(category: string, asOfMs: number): string {
  const timelines = PERIODS.map(
    (period) => `(SELECT json_agg(b) FROM (${timelineSql(period, category, asOfMs)}) AS b) AS "${period}"`,
  )
  return `SELECT ${timelines.join(', ')}, (SELECT row_to_json(o) FROM (${outcomesSql(category, asOfMs)}) AS o) AS outcomes`
}
