// What a release of the open Polis data must say, by SQL written by hand on the polis.* tables. Owns nothing of the
// product: neither its mapping, nor its windows, nor its rounding. Times are whole milliseconds throughout, as in the data.
import type { ClientBase } from 'pg'

export type Json = string | number | boolean | null | readonly Json[] | { readonly [key: string]: Json }
export type Row = Readonly<Record<string, Json>>

export const PERIODS = ['24h', '7d', '30d', '90d', 'all'] as const
export type Period = (typeof PERIODS)[number]
export const EXPORT_TYPES = [
  'overview',
  'ideas',
  'users',
  'categories',
  'timeline',
  'outcomes',
  'history',
  'revisions',
] as const
export type ExportType = (typeof EXPORT_TYPES)[number]

const DAY_MS = 86_400_000
/** The width of a bucket. */
const UNIT: Readonly<Record<Period, string>> = { '24h': 'hour', '7d': 'day', '30d': 'day', '90d': 'day', all: 'month' }
const LENGTH_MS: Readonly<Record<Period, number | null>> = {
  '24h': DAY_MS,
  '7d': 7 * DAY_MS,
  '30d': 30 * DAY_MS,
  '90d': 90 * DAY_MS,
  all: null,
}

// A vote that was taken back later does not hold; that is so whether or not the later one is dated before the release.
const TABLES = `
  CREATE TEMP TABLE person AS
    SELECT * FROM (
      SELECT zid || '-' || pid AS id, least(min(v.created), min(c.created)) AS seen
        FROM polis.votes v FULL JOIN polis.comments c USING (zid, pid) GROUP BY zid, pid) AS everybody
     WHERE seen < :asOf;

  CREATE TEMP TABLE idea AS
    SELECT zid || '-' || tid AS id, topic, txt AS title, CASE WHEN mod = 1 THEN 'accepted' ELSE 'unmoderated' END AS status,
           zid || '-' || pid AS author, created
      FROM polis.comments JOIN polis.conversations USING (zid) WHERE mod IN (0, 1) AND created < :asOf;

  CREATE TEMP TABLE agreement AS
    SELECT idea.id AS idea, topic, zid || '-' || pid AS person, last_vote[1] AS created
      FROM (SELECT zid, tid, pid, max(ARRAY[created, vote]) AS last_vote FROM polis.votes GROUP BY zid, tid, pid) AS held
      JOIN idea ON idea.id = zid || '-' || tid
     WHERE last_vote[2] = 1 AND last_vote[1] < :asOf;

  CREATE TEMP TABLE action AS
    SELECT person, created, 'vote' AS kind FROM agreement UNION ALL SELECT author, created, 'idea' FROM idea;

  CREATE INDEX ON person (seen);
  CREATE INDEX ON action (created);
  CREATE INDEX ON agreement (idea);
  CREATE INDEX ON agreement (created);
  ANALYZE person; ANALYZE idea; ANALYZE agreement; ANALYZE action;`

function within(column: string, fromMs: number | null, toMs: number): string {
  return `(${column} < ${toMs}${fromMs === null ? '' : ` AND ${column} >= ${fromMs}`})`
}

function iso(ms: string): string {
  return `to_char(to_timestamp((${ms}) / 1000.0) AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`
}

// numeric: exact, and round() goes half away from zero.
function ratio(part: string, whole: string, factor = 1): string {
  return `coalesce(round(${factor} * (${part})::numeric / nullif(${whole}, 0), 2), 0)`
}

/** The overview's values for one window: the totals stand at its end. */
function overviewValues(fromMs: number | null, toMs: number): string {
  const people = `(SELECT count(*) FROM person WHERE ${within('seen', fromMs, toMs)})`
  const ideas = `(SELECT count(*) FROM idea WHERE ${within('created', fromMs, toMs)})`
  const votes = `(SELECT count(*) FROM agreement WHERE ${within('created', fromMs, toMs)})`
  return `(VALUES
    (1, 'newUsers', ${people}::numeric),
    (2, 'activeUsers', (SELECT count(DISTINCT person) FROM action WHERE ${within('created', fromMs, toMs)})),
    (3, 'ideas', ${ideas}),
    (4, 'votes', ${votes}),
    (5, 'comments', 0),
    (6, 'launchedIdeas', 0),
    (7, 'activeCategories', (SELECT count(DISTINCT topic) FROM idea WHERE ${within('created', fromMs, toMs)})),
    (8, 'avgVotesPerIdea', ${ratio(votes, ideas)}),
    (9, 'avgCommentsPerIdea', 0),
    (10, 'launchSuccessRate', 0),
    (11, 'totalUsers', (SELECT count(*) FROM person WHERE seen < ${toMs})),
    (12, 'totalIdeas', (SELECT count(*) FROM idea WHERE created < ${toMs})),
    (13, 'totalVotes', (SELECT count(*) FROM agreement WHERE created < ${toMs})),
    (14, 'totalComments', 0),
    (15, 'totalLaunchedIdeas', 0))`
}

function millisOf(time: string): string {
  return `(extract(epoch FROM ${time} AT TIME ZONE 'UTC') * 1000)::bigint`
}

/** Buckets as in the export of users, of the table `bucket (start, begins, ends)`. */
function bucketsOf(unit: string, firstMs: string, fromMs: string, toMs: number): string {
  return `
    SELECT start, greatest(${millisOf('start')}, ${fromMs}) AS begins,
           least(${millisOf(`(start + interval '1 ${unit}')`)}, ${toMs}) AS ends
      FROM generate_series(date_trunc('${unit}', to_timestamp(${firstMs} / 1000.0) AT TIME ZONE 'UTC'),
                           to_timestamp(${toMs - 1} / 1000.0) AT TIME ZONE 'UTC', interval '1 ${unit}') AS start`
}

const EARLIEST = '(SELECT least((SELECT min(seen) FROM person), (SELECT min(created) FROM action)))'
/** Where `all` begins, also by day. */
const FIRST_MONTH = millisOf(`date_trunc('month', to_timestamp(${EARLIEST} / 1000.0) AT TIME ZONE 'UTC')`)

/**
 * The documents of docs/api.md without `generatedAt` and `version`, keys in order, for a release of the instant `asOf`
 * through the mapping of this sha256. Makes temporary tables on `client`: call it once per connection.
 */
export async function polisExpected(client: ClientBase, asOf: string, mapping: string): Promise<PolisExpected> {
  const asOfMs = Date.parse(asOf)
  // Compiling these long plans takes longer than running them.
  await client.query(`SET jit = off; ${TABLES.replaceAll(':asOf', String(asOfMs))}`)
  return new PolisExpected(client, asOf, mapping)
}

export class PolisExpected {
  readonly #client: ClientBase
  readonly #asOf: string
  readonly #asOfMs: number
  readonly #mapping: string

  constructor(client: ClientBase, asOf: string, mapping: string) {
    this.#mapping = mapping
    this.#client = client
    this.#asOf = asOf
    this.#asOfMs = Date.parse(asOf)
  }

  /** Conversations, in name order: the published categories. */
  async topics(): Promise<readonly string[]> {
    const { rows } = await this.#client.query<{ topic: string }>(
      'SELECT topic FROM polis.conversations ORDER BY topic COLLATE "C"',
    )
    return rows.map((row) => row.topic)
  }

  async stats(): Promise<Row> {
    const [totals] = await this.#rows(`
      SELECT json_build_object(
        'stats', json_build_object(
          'totalUsers', (SELECT count(*) FROM person), 'totalIdeas', ideas, 'totalVotes', votes, 'totalComments', 0,
          'launchedIdeas', 0, 'activeCategories', (SELECT count(DISTINCT topic) FROM idea)),
        'metrics', json_build_object(
          'avgVotesPerIdea', ${ratio('votes', 'ideas')}, 'avgCommentsPerIdea', 0, 'launchSuccessRate', 0)) AS row
        FROM (SELECT count(*) AS ideas FROM idea) i, (SELECT count(*) AS votes FROM agreement) v`)
    const topCategories = await this.#rows(`
      SELECT json_build_object('category', topic, 'count', count(*)) AS row
        FROM idea GROUP BY topic ORDER BY count(*) DESC, topic COLLATE "C" LIMIT 3`)
    return { ...totals, topCategories }
  }

  /** @param topic null = every conversation */
  async trending(period: Exclude<Period, 'all'>, topic: string | null): Promise<Row> {
    const { fromMs, toMs, previousFromMs, from, to } = this.#window(period)
    const ideas = await this.#rows(
      `SELECT json_build_object(
          'rank', row_number() OVER (ORDER BY votes DESC, created DESC, id COLLATE "C"),
          'id', id, 'title', title, 'category', topic, 'categories', json_build_array(topic), 'status', status,
          'url', NULL, 'score', 5 * votes, 'votes', votes, 'comments', 0, 'previousScore', 5 * previous,
          'totalVotes', total, 'totalComments', 0, 'createdAt', ${iso('created')}, 'launchedAt', NULL) AS row
         FROM idea,
              LATERAL (SELECT count(*) FILTER (WHERE ${within('a.created', fromMs, toMs)}) AS votes,
                              count(*) FILTER (WHERE ${within('a.created', previousFromMs, fromMs ?? 0)}) AS previous,
                              count(*) AS total
                         FROM agreement a WHERE a.idea = idea.id) AS counted
        WHERE votes > 0 AND ($1::text IS NULL OR topic = $1)
        ORDER BY votes DESC, created DESC, id COLLATE "C" LIMIT 100`,
      [topic],
    )
    return { period, category: topic, from, to, limit: 100, count: ideas.length, ideas, dataAsOf: this.#asOf }
  }

  async categories(period: Period): Promise<Row> {
    const { from, to } = this.#window(period)
    const rows = await this.#categoryNumbers(period)
    const categories = rows.filter((row) => row['category'] !== null)
    const totals = Object.fromEntries(
      Object.entries(rows.find((row) => row['category'] === null) ?? {}).filter(([key]) => key !== 'category'),
    )
    return { period, from, to, count: categories.length, categories, totals, dataAsOf: this.#asOf }
  }

  async export(type: ExportType, period: Period): Promise<Row> {
    const { from, to } = this.#window(period)
    const data = await this.exportRows(type, period)
    return { type, period, from, to, data, rowCount: data.length, dataAsOf: this.#asOf }
  }

  async exportRows(type: ExportType, period: Period): Promise<readonly Row[]> {
    switch (type) {
      case 'overview':
        return this.#overview(period)
      case 'ideas':
        return this.#ideas(period)
      case 'users':
        return this.#users(period)
      case 'categories':
        return (await this.#categoryNumbers(period)).filter((row) => row['category'] !== null)
      case 'timeline':
        return this.timelineRows(period)
      case 'outcomes':
        return this.#outcomeRows(period)
      case 'history':
        return this.#history()
      case 'revisions':
        return [] // The first release of a folder has nothing before it that could have changed.
    }
  }

  /** @param topic null = every conversation */
  async timeline(period: Period, topic: string | null, interval = UNIT[period]): Promise<Row> {
    const { from, to } = this.#window(period)
    const buckets = await this.#buckets(period, topic, interval)
    const undated = { ideas: 0, votes: 0, comments: 0, launchedIdeas: 0 }
    const count = buckets.length
    return { period, interval, category: topic, from, to, count, buckets, undated, dataAsOf: this.#asOf }
  }

  /** Every bucket without a conversation; then, unless by day since the beginning, what is not zero of each. */
  async timelineRows(period: Period, interval = UNIT[period]): Promise<readonly Row[]> {
    const rows: Row[] = []
    const topics = period === 'all' && interval === 'day' ? [] : await this.topics()
    for (const category of [null, ...topics])
      for (const { bucket, ideas, votes, comments, launchedIdeas } of (await this.#buckets(
        period,
        category,
        interval,
      )) as readonly Record<string, Json>[])
        if (category === null || ideas !== 0 || votes !== 0)
          rows.push({
            bucket: bucket!,
            category,
            ideas: ideas!,
            votes: votes!,
            comments: comments!,
            launchedIdeas: launchedIdeas!,
          })
    return rows
  }

  #buckets(period: Period, topic: string | null, unit: string): Promise<readonly Row[]> {
    const { fromMs, toMs } = this.#window(period)
    const from = String(fromMs ?? FIRST_MONTH)
    const inside = (table: string) =>
      `(SELECT count(*) FROM ${table} WHERE created >= begins AND created < ends AND ($1::text IS NULL OR topic = $1))`
    // Nothing is without a date, so the total at a bucket's end is what was before the first one and the buckets until then.
    const total = (table: string, counted: string) =>
      `(SELECT count(*) FROM ${table} WHERE created < ${from} AND ($1::text IS NULL OR topic = $1)) + sum(${counted}) OVER (ORDER BY start)`
    return this.#rows(
      `SELECT json_build_object('bucket', ${iso(millisOf('start'))}, 'ideas', ideas, 'votes', votes, 'comments', 0,
                'launchedIdeas', 0, 'totalIdeas', ${total('idea', 'ideas')}, 'totalVotes', ${total('agreement', 'votes')},
                'totalComments', 0, 'totalLaunchedIdeas', 0) AS row
         FROM (SELECT start, ${inside('idea')} AS ideas, ${inside('agreement')} AS votes
                 FROM (${bucketsOf(unit, from, from, toMs)}) AS bucket) AS counted
        ORDER BY start`,
      [topic],
    )
  }

  /** Nothing is launched here. @param topic null = every conversation */
  async outcomes(topic: string | null): Promise<Row> {
    const statuses = await this.#rows(
      `SELECT json_build_object('status', status, 'ideas', count(*), 'votes', sum(votes), 'comments', 0,
                'shareOfIdeas', ${ratio('count(*)', 'sum(count(*)) OVER ()', 100)}) AS row
         FROM (SELECT status, (SELECT count(*) FROM agreement WHERE idea = idea.id) AS votes
                 FROM idea WHERE $1::text IS NULL OR topic = $1) AS counted
        GROUP BY status ORDER BY count(*) DESC, status COLLATE "C"`,
      [topic],
    )
    const launched = { ideas: 0, votes: 0, shareOfVotes: 0, dated: 0, medianDays: null, p90Days: null }
    const cohorts = await this.#cohorts(topic)
    const created = `SELECT json_build_object('created', created) AS row FROM idea WHERE $1::text IS NULL OR topic = $1`
    const times = (await this.#rows(created, [topic])).map((row) => Number(row['created']))
    const firstYearOf = (of: readonly number[]): Row => {
      const old = of.filter((ms) => ms <= this.#asOfMs - 365 * DAY_MS).length
      return { ideas: old, launched: 0, launchedUndated: 0, share: 0 }
    }
    const activeIn = (year: string): Promise<readonly Row[]> =>
      this.#rows(
        `SELECT json_build_object('activeUsers', count(DISTINCT person)) AS row FROM action
          WHERE created < ${this.#asOfMs} AND to_char(to_timestamp(created / 1000.0) AT TIME ZONE 'UTC', 'YYYY') = $1`,
        [year],
      )
    const names = [...new Set(cohorts.map(({ month }) => (month as string).slice(0, 4)))]
    const made = names.map(async (year) => {
      const own = times.filter((ms) => new Date(ms).toISOString().startsWith(year))
      const firstYear = firstYearOf(own)
      const row = {
        year: `${year}-01-01T00:00:00.000Z`,
        ideas: own.length,
        launchedIdeas: 0,
        firstYear,
        medianDays: null,
      }
      return topic === null ? { ...row, ...(await activeIn(year))[0] } : row
    })
    const years = await Promise.all(made)
    const ends = { firstYear: firstYearOf(times), years, dataAsOf: this.#asOf }
    return { category: topic, statuses, launched, cohorts, ...ends }
  }

  /** From the month of the first statement of the conversation on. */
  #cohorts(topic: string | null): Promise<readonly Row[]> {
    const first = '(SELECT min(created) FROM idea WHERE $1::text IS NULL OR topic = $1)'
    const none = (days: number) => `CASE WHEN ${this.#asOfMs} >= ends + ${days * DAY_MS} THEN 0 END`
    // `ends` of the last month is not cut at the release: what is not over is not known.
    return this.#rows(
      `SELECT json_build_object('month', ${iso('begins')}, 'ideas', count(id),
                'votedIdeas', count(id) FILTER (WHERE EXISTS (SELECT FROM agreement WHERE idea = idea.id)),
                'discussedIdeas', 0, 'launchedIdeas', 0, 'launchedWithin30Days', ${none(30)},
                'launchedWithin90Days', ${none(90)}, 'launchedWithin365Days', ${none(365)},
                'launchedUndated', 0, 'knownWithin365Days', ${none(365)}) AS row
         FROM (SELECT ${millisOf('start')} AS begins, ${millisOf(`(start + interval '1 month')`)} AS ends
                 FROM generate_series(date_trunc('month', to_timestamp(${first} / 1000.0) AT TIME ZONE 'UTC'),
                                      to_timestamp(${this.#asOfMs - 1} / 1000.0) AT TIME ZONE 'UTC', interval '1 month') AS start) AS month
         LEFT JOIN idea ON created >= begins AND created < ends AND ($1::text IS NULL OR topic = $1)
        GROUP BY begins, ends ORDER BY begins`,
      [topic],
    )
  }

  async #outcomeRows(period: Period): Promise<readonly Row[]> {
    const { fromMs } = this.#window(period)
    const rows: Row[] = []
    for (const category of [null, ...(await this.topics())])
      for (const cohort of await this.#cohorts(category)) {
        const begins = new Date(cohort['month'] as string)
        const endMs = Date.UTC(begins.getUTCFullYear(), begins.getUTCMonth() + 1)
        if (fromMs !== null && endMs <= fromMs) continue
        if (category === null || cohort['ideas'] !== 0) rows.push({ category, ...cohort })
      }
    return rows
  }

  /** The first release of a folder has one row. */
  async #history(): Promise<readonly Row[]> {
    const totals = (await this.stats())['stats'] as Row
    return [{ date: this.#asOf.slice(0, 10), dataAsOf: this.#asOf, mapping: this.#mapping.slice(0, 8), ...totals }]
  }

  /** One row per conversation in the published order, and one for all of them, whose category is null. */
  #categoryNumbers(period: Period): Promise<readonly Row[]> {
    const { fromMs, toMs, previousFromMs } = this.#window(period)
    const before = (column: string): string => (fromMs === null ? 'NULL' : within(column, previousFromMs, fromMs))
    const previous = (count: string): string => (fromMs === null ? 'NULL::bigint' : count)
    return this.#rows(`
      WITH conversation_ideas AS (
        SELECT v.topic, count(i.id) FILTER (WHERE ${within('i.created', fromMs, toMs)}) AS ideas, count(i.id) AS total,
               count(i.id) FILTER (WHERE ${before('i.created')}) AS previous
          FROM polis.conversations v LEFT JOIN idea i USING (topic) GROUP BY v.topic),
      conversation_votes AS (
        SELECT i.topic, count(*) FILTER (WHERE ${within('a.created', fromMs, toMs)}) AS votes,
               count(*) FILTER (WHERE ${before('a.created')}) AS previous
          FROM agreement a JOIN idea i ON i.id = a.idea GROUP BY i.topic),
      numbers AS (
        SELECT topic, sum(ideas) AS ideas, coalesce(sum(votes), 0) AS votes, sum(total) AS total,
               sum(i.previous) AS previous_ideas, coalesce(sum(v.previous), 0) AS previous_votes
          FROM conversation_ideas i LEFT JOIN conversation_votes v USING (topic)
         GROUP BY GROUPING SETS ((topic), ()))
      SELECT json_build_object(
        'category', topic, 'ideas', ideas, 'votes', votes, 'comments', 0, 'launchedIdeas', 0, 'launchSuccessRate', 0,
        'avgVotesPerIdea', ${ratio('votes', 'ideas')}, 'avgCommentsPerIdea', 0,
        'shareOfIdeas', ${ratio('ideas', '(SELECT ideas FROM numbers WHERE topic IS NULL)', 100)}, 'totalIdeas', total,
        'previousIdeas', ${previous('previous_ideas')}, 'previousVotes', ${previous('previous_votes')},
        'previousComments', ${previous('0')}) AS row
        FROM numbers ORDER BY ideas DESC, votes DESC, topic COLLATE "C"`)
  }

  #overview(period: Period): Promise<readonly Row[]> {
    const { fromMs, toMs, previousFromMs } = this.#window(period)
    const previous = fromMs === null ? 'NULL::numeric' : 'p.value'
    const [agoMs, agoToMs] = [fromMs === null ? 0 : fromMs - 365 * DAY_MS, toMs - 365 * DAY_MS]
    const isKept = `a.metric NOT LIKE 'total%' AND a.metric NOT IN ('activeCategories', 'launchSuccessRate')`
    const ago = `CASE WHEN ${isKept} AND (SELECT min(created) FROM idea) < ${agoMs} THEN a.value END`
    return this.#rows(`
      SELECT json_build_object('metric', v.metric, 'value', v.value, 'previousValue', ${previous},
               'changePercent', CASE WHEN v.metric <> 'launchSuccessRate'
                                     THEN round(100 * (v.value - ${previous}) / nullif(${previous}, 0), 2) END,
               'yearAgoValue', ${ago}) AS row
        FROM ${overviewValues(fromMs, toMs)} AS v (position, metric, value)
        JOIN ${overviewValues(previousFromMs, fromMs ?? 0)} AS p (position, metric, value) USING (position)
        JOIN ${overviewValues(agoMs, agoToMs)} AS a (position, metric, value) USING (position)
       ORDER BY position`)
  }

  #ideas(period: Period): Promise<readonly Row[]> {
    const { fromMs, toMs } = this.#window(period)
    return this.#rows(`
      SELECT json_build_object('id', id, 'title', title, 'category', idea.topic, 'status', status,
               'createdAt', ${iso('idea.created')}, 'launchedAt', NULL,
               'votes', count(a.idea) FILTER (WHERE ${within('a.created', fromMs, toMs)}), 'comments', 0,
               'totalVotes', count(a.idea), 'totalComments', 0, 'url', NULL, 'launched', false) AS row
        FROM idea LEFT JOIN agreement a ON a.idea = idea.id
       WHERE ${within('idea.created', fromMs, toMs)}
       GROUP BY id, title, idea.topic, status, idea.created
       ORDER BY idea.created DESC, id COLLATE "C"`)
  }

  #users(period: Period): Promise<readonly Row[]> {
    const { fromMs, toMs } = this.#window(period)
    const unit = UNIT[period]
    const people = (kind: string): string =>
      `(SELECT count(DISTINCT person) FROM action WHERE created >= begins AND created < ends AND ${kind})`
    return this.#rows(`
      SELECT json_build_object('bucket', ${iso(millisOf('start'))},
               'newUsers', (SELECT count(*) FROM person WHERE seen >= begins AND seen < ends),
               'totalUsers', (SELECT count(*) FROM person WHERE seen < ends),
               'activeUsers', ${people('true')}, 'ideaAuthors', ${people(`kind = 'idea'`)},
               'voters', ${people(`kind = 'vote'`)}, 'commenters', 0) AS row
        FROM (${bucketsOf(unit, String(fromMs ?? EARLIEST), String(fromMs ?? EARLIEST), toMs)}) AS bucket
       ORDER BY start`)
  }

  #window(period: Period): {
    readonly fromMs: number | null
    readonly toMs: number
    readonly previousFromMs: number | null
    readonly from: string | null
    readonly to: string
  } {
    const toMs = this.#asOfMs
    const lengthMs = LENGTH_MS[period]
    if (lengthMs === null) return { fromMs: null, toMs, previousFromMs: null, from: null, to: this.#asOf }
    const fromMs = toMs - lengthMs
    return { fromMs, toMs, previousFromMs: fromMs - lengthMs, from: new Date(fromMs).toISOString(), to: this.#asOf }
  }

  async #rows(sql: string, values: readonly unknown[] = []): Promise<readonly Row[]> {
    const { rows } = await this.#client.query<{ row: Row }>(sql, [...values])
    return rows.map(({ row }) => row)
  }
}
