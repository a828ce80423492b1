// Owns the data set of the scale benchmark: fills the native schema by hash arithmetic inside the server, so that the
// same size and instant give the same rows on every machine. Knows nothing of the product but its schema.
import type { ClientBase } from 'pg'

export interface DatasetSize {
  readonly users: number
  readonly ideas: number
  readonly votes: number
  readonly comments: number
  readonly categories: number
  /** Multiplies users, ideas, votes and comments; a larger platform does not have more categories. */
  readonly scale: number
}

export const SIZE_1X: DatasetSize = {
  users: 200_000,
  ideas: 200_000,
  votes: 5_000_000,
  comments: 1_000_000,
  categories: 200,
  scale: 1,
}

/** The rows each table gets but idea_categories, which has about 1.4 per idea. */
export function rowsOf(size: DatasetSize): Omit<DatasetSize, 'scale'> {
  const times = (rows: number): number => Math.round(rows * size.scale)
  return {
    users: times(size.users),
    ideas: times(size.ideas),
    votes: times(size.votes),
    comments: times(size.comments),
    categories: size.categories,
  }
}

/**
 * Everything happens in the three years before `asOf`. Of a table's rows the share younger than `age` (a fraction of
 * those years) is age^0.9215: (90 / 1095)^0.9215 = 10 % in the last 90 days, 0.16 % in the last day, and growing.
 * The years are written in hours, which unlike days are the same in every session time zone.
 */
const GROWTH = 0.9215

/** No vote or comment in the platform's first weeks: the first idea and the first account are older than all of them. */
const FIRST_EVENT_AGE = 0.98

/** Coprime to every size in use, so rank → id is a permutation: what is popular has nothing to do with how old it is. */
const SCATTER = 2_654_435_761

/** Rows are numbered oldest first, as an append-only table holds them; each falls at a random place in its own slot. */
function ageOfRow(rows: number, seed: number): string {
  return `power((${rows} - i + pg_temp.unit(i, ${seed})) / ${rows}, 1 / ${GROWTH}::float8)`
}

/** How many of `rows` rows numbered by age are older than `age`. */
function olderThanAge(rows: number): string {
  return `greatest(1, floor(${rows} * (1 - power(age, ${GROWTH}))))::bigint`
}

/** A 0-based id below `alive`, by a power law over all `rows`: rank r is drawn as often as r^(1/exponent - 1). */
function popular(rows: number, exponent: number, seed: number, alive: string): string {
  return `(floor(${rows} * power(pg_temp.unit(i, ${seed}), ${exponent}))::bigint * ${SCATTER} % ${rows}) % ${alive}`
}

/**
 * One row per vote or comment: idea and person existed at that time. Two thirds go by popularity (the first of 200,000
 * ideas gets 0.5 % of all events), one third to what is new at that time: the burst that trending is made of.
 */
function events(rows: number, ideas: number, users: number, seed: number): string {
  return `
    SELECT i, $1::timestamptz - age * interval '26280 hours' AS at,
           1 + CASE WHEN pg_temp.unit(i, ${seed + 1}) < 1 / 3.0
                    THEN floor(ideas_alive * (1 - power(pg_temp.unit(i, ${seed + 2}), 5)))::bigint % ideas_alive
                    ELSE ${popular(ideas, 2.5, seed + 3, 'ideas_alive')} END AS idea_id,
           CASE WHEN pg_temp.unit(i, ${seed + 4}) >= 0.03
                THEN 1 + ${popular(users, 2, seed + 5, 'users_alive')} END AS user_id
      FROM (SELECT i, age, ${olderThanAge(ideas)} AS ideas_alive, ${olderThanAge(users)} AS users_alive
              FROM (SELECT i, ${FIRST_EVENT_AGE} * ${ageOfRow(rows, seed)} AS age
                      FROM generate_series(1, ${rows}::bigint) AS i) AS dated) AS placed`
}

function categoryStatements(size: DatasetSize): readonly string[] {
  const { ideas, categories } = rowsOf(size)
  return [
    `INSERT INTO categories (name) SELECT 'Category ' || i FROM generate_series(1, ${categories}) AS i`,

    // 70 % of the ideas have one category, 20 % two, 10 % three: fewer where the same one is drawn again.
    `INSERT INTO idea_categories (idea_id, category)
     SELECT i, 'Category ' || 1 + floor(${categories} * power(pg_temp.unit(i, 301 + nth), 2))::int
       FROM generate_series(1, ${ideas}::bigint) AS i,
            generate_series(1, CASE WHEN pg_temp.unit(i, 301) < 0.7 THEN 1
                                    WHEN pg_temp.unit(i, 301) < 0.9 THEN 2 ELSE 3 END) AS nth
         ON CONFLICT DO NOTHING`,
  ]
}

function statements(size: DatasetSize): readonly string[] {
  const { users, ideas, votes, comments } = rowsOf(size)
  return [
    `INSERT INTO users (id, created_at)
     SELECT i, $1::timestamptz - ${ageOfRow(users, 100)} * interval '26280 hours'
       FROM generate_series(1, ${users}::bigint) AS i`,

    // 8 % are launched, one in twenty of those without a date. Titles are of ordinary length, some need CSV quotes.
    `INSERT INTO ideas (id, title, created_at, launched, launched_at, url, author_id, status)
     SELECT i,
            (ARRAY['Allow', 'Speed up', 'Translate', 'Simplify', 'Bring back', 'Explain', 'Automate', 'Redesign'])
              [1 + floor(8 * pg_temp.unit(i, 201))::int] || ' the ' ||
            (ARRAY['search', '"dark" mode', 'monthly report', 'mobile app', 'login', 'calendar, week view', 'import'])
              [1 + floor(7 * pg_temp.unit(i, 202))::int] || ' for ' ||
            (ARRAY['teams', 'schools', 'new members', 'volunteers', 'administrators', 'everybody'])
              [1 + floor(6 * pg_temp.unit(i, 203))::int] || ' (' || i || ')',
            $1::timestamptz - age * interval '26280 hours',
            launched,
            CASE WHEN launched AND pg_temp.unit(i, 205) >= 0.05
                 THEN $1::timestamptz - age * pg_temp.unit(i, 206) * interval '26280 hours' END,
            '/ideas/' || i,
            CASE WHEN pg_temp.unit(i, 207) >= 0.03
                 THEN 1 + ${popular(users, 2, 208, olderThanAge(users))} END,
            CASE WHEN launched THEN 'completed'
                 ELSE (ARRAY['open', 'open', 'open', 'planned', 'started', 'declined'])
                        [1 + floor(6 * pg_temp.unit(i, 209))::int] END
       FROM (SELECT i, ${ageOfRow(ideas, 200)} AS age, pg_temp.unit(i, 204) < 0.08 AS launched
               FROM generate_series(1, ${ideas}::bigint) AS i) AS dated`,

    // 1 % are down-votes, 0.5 % have no time.
    `INSERT INTO votes (idea_id, user_id, value, created_at)
     SELECT idea_id, user_id, CASE WHEN pg_temp.unit(i, 410) < 0.01 THEN -1 ELSE 1 END,
            CASE WHEN pg_temp.unit(i, 411) >= 0.005 THEN at END
       FROM (${events(votes, ideas, users, 400)}) AS event`,

    `INSERT INTO comments (id, idea_id, user_id, created_at)
     SELECT i, idea_id, user_id, at FROM (${events(comments, ideas, users, 500)}) AS event`,
  ]
}

/** Fills the empty tables `categories` and `idea_categories` alone, beside the ideas of that size. */
export function generateCategories(client: ClientBase, size: DatasetSize): Promise<void> {
  return runAll(client, categoryStatements(size), [])
}

/**
 * Fills the empty tables of an existing native schema.
 * @param asOf the instant towards which the platform grows: nothing is dated after it
 */
export async function generateDataset(client: ClientBase, size: DatasetSize, asOf: Date): Promise<void> {
  await runAll(client, statements(size), [asOf.toISOString()])
  await generateCategories(client, size)
}

/** In one transaction. @param values of the statements that name them */
async function runAll(client: ClientBase, sql: readonly string[], values: readonly string[]): Promise<void> {
  // A number in [0, 1) that depends on nothing but (row, seed): not on the plan, as random() would. 52 bits of the hash.
  await client.query(
    `CREATE OR REPLACE FUNCTION pg_temp.unit(bigint, bigint) RETURNS float8 LANGUAGE sql IMMUTABLE AS
     'SELECT ((hashint8extended($1, $2) >> 12) + 2251799813685248) / 4503599627370496::float8'`,
  )
  await client.query('BEGIN')
  try {
    for (const statement of sql) await client.query(statement, statement.includes('$1') ? [...values] : [])
    await client.query('COMMIT')
  } catch (error) {
    await client.query('ROLLBACK')
    throw error
  }
}
