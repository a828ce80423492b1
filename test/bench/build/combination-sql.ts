// Owns what one would otherwise run: one plain query per combination, on the native schema with its own indexes. Each
// scans only what it needs and gives the rows of the document in its order. Knows nothing of the product's SQL.
import { escapeLiteral } from 'pg'
import { windowOf, type BoundedPeriod, type Period } from '../../../src/contract/windows.ts'

/** The windows of a period as SQL conditions on a time. */
interface When {
  readonly inside: (at: string) => string
  readonly before: (at: string) => string
  /** What rows must fulfil to be of either. */
  readonly either: (at: string) => string
  readonly to: string
}

export function literal(timeMs: number): string {
  return `timestamptz '${new Date(timeMs).toISOString()}'`
}

export function when(period: Period, asOfMs: number): When {
  const { fromMs } = windowOf(period, asOfMs)
  const to = literal(asOfMs)
  if (fromMs === null) {
    const all = (at: string): string => `(${at} IS NULL OR ${at} < ${to})`
    return { inside: all, before: () => 'false', either: all, to }
  }
  const [from, previous] = [literal(fromMs), literal(2 * fromMs - asOfMs)]
  return {
    inside: (at) => `(${at} >= ${from} AND ${at} < ${to})`,
    before: (at) => `(${at} >= ${previous} AND ${at} < ${from})`,
    either: (at) => `(${at} >= ${previous} AND ${at} < ${to})`,
    to,
  }
}

export function iso(at: string): string {
  return `to_char(${at} AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`
}

export function ratio(part: string, whole: string, factor = 1): string {
  return `CASE WHEN ${whole} = 0 THEN 0 ELSE round(${factor}.0 * ${part} / ${whole}, 2) END`
}

const NAMES = `(SELECT array_agg(category ORDER BY category COLLATE "C") FROM idea_categories WHERE idea_id = best.id)`

export function trendingSql(period: BoundedPeriod, category: string | null, asOfMs: number): string {
  const { inside, before, either } = when(period, asOfMs)
  const name = category === null ? null : escapeLiteral(category)
  const only = name === null ? '' : `AND idea_id IN (SELECT idea_id FROM idea_categories WHERE category = ${name})`
  const counts = (table: string, rows: string): string => `
    SELECT idea_id, count(*) FILTER (WHERE ${inside('created_at')}) AS n,
           count(*) FILTER (WHERE ${before('created_at')}) AS before
      FROM ${table} WHERE ${rows} AND ${either('created_at')} ${only} GROUP BY idea_id`
  return `
    WITH v AS (${counts('votes', 'value > 0')}), c AS (${counts('comments', 'true')}),
    best AS (
      SELECT i.*, coalesce(v.n, 0) AS votes, coalesce(c.n, 0) AS comments,
             5 * coalesce(v.n, 0) + 3 * coalesce(c.n, 0) AS score,
             5 * coalesce(v.before, 0) + 3 * coalesce(c.before, 0) AS previous
        FROM v FULL JOIN c USING (idea_id) JOIN ideas i ON i.id = idea_id
       WHERE coalesce(v.n, 0) + coalesce(c.n, 0) > 0
       ORDER BY score DESC, votes DESC, date_trunc('milliseconds', i.created_at) DESC, i.id::text COLLATE "C" LIMIT 100),
    vs AS (SELECT idea_id, count(*) AS n FROM votes WHERE value > 0 AND idea_id IN (SELECT id FROM best) GROUP BY idea_id),
    cs AS (SELECT idea_id, count(*) AS n FROM comments WHERE idea_id IN (SELECT id FROM best) GROUP BY idea_id),
    listed AS (
      SELECT row_number() OVER (ORDER BY score DESC, votes DESC, date_trunc('milliseconds', created_at) DESC,
                                         id::text COLLATE "C") AS rank, best.*, ${NAMES} AS names FROM best)
    SELECT rank, id::text AS id, title, ${name ?? `array_to_string(names, '; ')`} AS category, names AS categories,
           status, url, score, votes, comments, previous AS "previousScore",
           coalesce(vs.n, 0) AS "totalVotes", coalesce(cs.n, 0) AS "totalComments",
           ${iso('created_at')} AS "createdAt", ${iso('launched_at')} AS "launchedAt"
      FROM listed LEFT JOIN vs ON vs.idea_id = id LEFT JOIN cs ON cs.idea_id = id ORDER BY rank`
}

/** The rows of a category list and of its export; the last row, without a category, is the totals. */
export function categoriesSql(period: Period, asOfMs: number): string {
  const { inside, before, either, to } = when(period, asOfMs)
  const counts = (table: string, rows: string): string => `
    SELECT idea_id, count(*) FILTER (WHERE ${inside('created_at')}) AS n,
           count(*) FILTER (WHERE ${before('created_at')}) AS before
      FROM ${table} WHERE ${rows} AND ${either('created_at')} GROUP BY idea_id`
  const previous = (count: string): string => (period === 'all' ? 'NULL' : count)
  return `
    WITH v AS (${counts('votes', 'value > 0')}), c AS (${counts('comments', 'true')}),
    idea AS (
      SELECT id, ${inside('created_at')} AS fresh, ${before('created_at')} AS earlier, launched,
             launched AND ${inside('launched_at')} AS launched_in,
             coalesce(v.n, 0) AS votes, coalesce(v.before, 0) AS votes_before,
             coalesce(c.n, 0) AS comments, coalesce(c.before, 0) AS comments_before
        FROM ideas LEFT JOIN v ON v.idea_id = id LEFT JOIN c ON c.idea_id = id WHERE created_at < ${to}),
    named AS (SELECT name, idea.* FROM categories LEFT JOIN idea_categories ON category = name LEFT JOIN idea ON id = idea_id),
    n AS (
      SELECT name, count(*) FILTER (WHERE fresh) AS ideas, coalesce(sum(votes), 0) AS votes,
             coalesce(sum(comments), 0) AS comments, count(*) FILTER (WHERE launched_in) AS launched,
             count(*) FILTER (WHERE fresh AND launched) AS fresh_launched, count(id) AS total,
             count(*) FILTER (WHERE earlier) AS ideas_before, coalesce(sum(votes_before), 0) AS votes_before,
             coalesce(sum(comments_before), 0) AS comments_before
        FROM (SELECT * FROM named UNION ALL SELECT NULL, idea.* FROM idea) AS rows GROUP BY name)
    SELECT name AS category, ideas, votes, comments, launched AS "launchedIdeas",
           ${ratio('fresh_launched', 'ideas', 100)} AS "launchSuccessRate",
           ${ratio('votes', 'ideas')} AS "avgVotesPerIdea", ${ratio('comments', 'ideas')} AS "avgCommentsPerIdea",
           ${ratio('ideas', 'whole', 100)} AS "shareOfIdeas", total AS "totalIdeas",
           ${previous('ideas_before')} AS "previousIdeas", ${previous('votes_before')} AS "previousVotes",
           ${previous('comments_before')} AS "previousComments"
      FROM n, (SELECT ideas AS whole FROM n WHERE name IS NULL) AS totals
     ORDER BY name IS NULL, ideas DESC, n.votes DESC, name COLLATE "C"`
}

export function ideasSql(period: Period, asOfMs: number): string {
  const { inside, to } = when(period, asOfMs)
  const counts = (table: string, rows: string): string => `
    SELECT idea_id, count(*) FILTER (WHERE ${inside('created_at')}) AS n, count(*) AS total
      FROM ${table} WHERE ${rows} AND (created_at IS NULL OR created_at < ${to})
       AND idea_id IN (SELECT id FROM fresh) GROUP BY idea_id`
  return `
    WITH fresh AS (SELECT * FROM ideas WHERE ${inside('created_at')}),
    v AS (${counts('votes', 'value > 0')}), c AS (${counts('comments', 'true')}),
    g AS (SELECT idea_id, string_agg(category, '; ' ORDER BY category COLLATE "C") AS names
            FROM idea_categories WHERE idea_id IN (SELECT id FROM fresh) GROUP BY idea_id)
    SELECT id::text AS id, title, names AS category, status, ${iso('created_at')} AS "createdAt",
           ${iso('launched_at')} AS "launchedAt", coalesce(v.n, 0) AS votes, coalesce(c.n, 0) AS comments,
           coalesce(v.total, 0) AS "totalVotes", coalesce(c.total, 0) AS "totalComments", url
      FROM fresh LEFT JOIN v ON v.idea_id = id LEFT JOIN c ON c.idea_id = id LEFT JOIN g ON g.idea_id = id
     ORDER BY date_trunc('milliseconds', created_at) DESC, id::text COLLATE "C"`
}

const ACTIVITY = `
  SELECT user_id AS person, 'v' AS kind, created_at AS at FROM votes WHERE value > 0 AND user_id IS NOT NULL
  UNION ALL SELECT user_id, 'c', created_at FROM comments WHERE user_id IS NOT NULL
  UNION ALL SELECT author_id, 'i', created_at FROM ideas WHERE author_id IS NOT NULL`

export const UNIT: Readonly<Record<Period, string>> = {
  '24h': 'hour',
  '7d': 'day',
  '30d': 'day',
  '90d': 'day',
  all: 'month',
}

export function usersSql(period: Period, asOfMs: number): string {
  const { inside, to } = when(period, asOfMs)
  const { fromMs } = windowOf(period, asOfMs)
  const unit = UNIT[period]
  const bucketOf = (at: string): string => `date_trunc('${unit}', ${at} AT TIME ZONE 'UTC')`
  const earliest = ['users', 'ideas', 'votes', 'comments'].map(
    (table) => `(SELECT min(created_at) FILTER (WHERE created_at >= '1990-01-01 00:00:00+00') FROM ${table})`,
  )
  const begin = fromMs === null ? `least(${earliest.join(', ')})` : literal(fromMs)
  const people = (kind: string): string => `count(DISTINCT person) ${kind && `FILTER (WHERE kind = '${kind}')`}`
  return `
    WITH b AS (SELECT generate_series(${bucketOf(begin)}, (${to} - interval '1 millisecond') AT TIME ZONE 'UTC',
                                      interval '1 ${unit}') AS bucket),
    a AS (SELECT ${bucketOf('at')} AS bucket, ${people('')} AS active, ${people('i')} AS authors, ${people('v')} AS voters,
                 ${people('c')} AS commenters
            FROM (${ACTIVITY}) AS activity WHERE at IS NOT NULL AND ${inside('at')} GROUP BY 1),
    u AS (SELECT ${bucketOf('created_at')} AS bucket, count(*) AS n, count(*) FILTER (WHERE ${inside('created_at')}) AS fresh
            FROM users WHERE created_at < ${to} GROUP BY 1)
    SELECT ${iso(`bucket AT TIME ZONE 'UTC'`)} AS bucket, coalesce(u.fresh, 0) AS "newUsers",
           (SELECT coalesce(sum(n), 0) FROM u AS earlier WHERE earlier.bucket <= b.bucket) AS "totalUsers",
           coalesce(active, 0) AS "activeUsers", coalesce(authors, 0) AS "ideaAuthors", coalesce(voters, 0) AS voters,
           coalesce(commenters, 0) AS commenters
      FROM b LEFT JOIN a USING (bucket) LEFT JOIN u USING (bucket) ORDER BY 1`
}

/** The counts of the overview and those before; its averages, which follow from them, and changes are left out. */
export function overviewSql(period: Period, asOfMs: number): string {
  const { inside, before, either, to } = when(period, asOfMs)
  const both = (rows: string, at: string): string =>
    `SELECT count(*) AS total, count(*) FILTER (WHERE ${inside(at)}) AS now, count(*) FILTER (WHERE ${before(at)}) AS before
       FROM ${rows} AND (${at} IS NULL OR ${at} < ${to})`
  const distinct = (what: string, at: string, rows: string): string =>
    `SELECT count(DISTINCT ${what}) FILTER (WHERE ${inside(at)}) AS now,
            count(DISTINCT ${what}) FILTER (WHERE ${before(at)}) AS before FROM ${rows} AND ${either(at)}`
  const line = (metric: string, one: string): string =>
    `SELECT '${metric}' AS metric, now AS value, ${period === 'all' ? 'NULL::bigint' : 'before'} AS "previousValue" FROM ${one}`
  const total = (metric: string, one: string): string =>
    `SELECT '${metric}', total, ${period === 'all' ? 'NULL' : 'total - now'} FROM ${one}`
  return `
    WITH u AS (${both('users WHERE true', 'created_at')}), i AS (${both('ideas WHERE true', 'created_at')}),
    v AS (${both('votes WHERE value > 0', 'created_at')}), c AS (${both('comments WHERE true', 'created_at')}),
    l AS (${both('ideas WHERE launched', 'launched_at')}),
    p AS (${distinct('person', 'at', `(${ACTIVITY}) AS activity WHERE true`)}),
    g AS (${distinct('category', 'created_at', 'idea_categories JOIN ideas ON id = idea_id WHERE true')})
    ${[
      line('newUsers', 'u'),
      line('activeUsers', 'p'),
      line('ideas', 'i'),
      line('votes', 'v'),
      line('comments', 'c'),
      line('launchedIdeas', 'l'),
      line('activeCategories', 'g'),
      total('totalUsers', 'u'),
      total('totalIdeas', 'i'),
      total('totalVotes', 'v'),
      total('totalComments', 'c'),
      total('totalLaunchedIdeas', 'l'),
    ].join(' UNION ALL ')}`
}

export function statsSql(asOfMs: number): string {
  const to = literal(asOfMs)
  const count = (rows: string): string =>
    `(SELECT count(*) FROM ${rows} AND (created_at IS NULL OR created_at < ${to}))`
  return `
    WITH g AS (SELECT category, count(*) AS count FROM idea_categories JOIN ideas ON id = idea_id WHERE created_at < ${to}
                GROUP BY category),
    top AS (SELECT * FROM g ORDER BY count DESC, category COLLATE "C" LIMIT 3)
    SELECT ${count('users WHERE true')} AS "totalUsers", ${count('ideas WHERE true')} AS "totalIdeas",
           ${count('votes WHERE value > 0')} AS "totalVotes", ${count('comments WHERE true')} AS "totalComments",
           ${count('ideas WHERE launched')} AS "launchedIdeas", (SELECT count(*) FROM g) AS "activeCategories",
           (SELECT json_agg(top ORDER BY count DESC, category COLLATE "C") FROM top) AS top`
}
