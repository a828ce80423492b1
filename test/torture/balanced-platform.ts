// A platform that changes all the time and of which every instant is alike: a transaction adds a person who publishes,
// votes for and comments on one idea, and takes the oldest such person away with all that is theirs. Whatever adds two
// instants up has unequal sums. Injects no fault.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Client } from 'pg'
import { PERIODS, type Period } from '../../src/contract/windows.ts'
import { packagePath } from '../../src/process/package-root.ts'
import { verifyAt } from '../release/sample-release.ts'
import type { Postgres } from '../support/postgres.ts'

const SCHEMA = readFileSync(packagePath('src', 'source', 'mapping', 'built-in', 'native', 'schema.sql'), 'utf8')

const PEOPLE = 1000
/** Row changes of one transaction: five rows come, five go. */
const CHANGES = 10

const TABLES = `
CREATE INDEX ON votes (user_id);
CREATE TABLE last_person (id bigint NOT NULL, transactions bigint NOT NULL);

CREATE FUNCTION add_person(person bigint, at timestamptz) RETURNS void LANGUAGE sql AS $$
  INSERT INTO users VALUES (person, at);
  INSERT INTO ideas VALUES (person, repeat('A title. ', 30) || person, at, true, at, '/ideas/' || person, person, 'open');
  INSERT INTO idea_categories VALUES (person, CASE person % 2 WHEN 0 THEN 'Product' ELSE 'Design' END);
  INSERT INTO votes VALUES (person, person, 1, at);
  INSERT INTO comments VALUES (person, person, person, at);
$$;

CREATE FUNCTION remove_person(person bigint) RETURNS void LANGUAGE sql AS $$
  DELETE FROM users WHERE id = person;
  DELETE FROM ideas WHERE id = person;
  DELETE FROM votes WHERE user_id = person;
  DELETE FROM comments WHERE id = person;
$$;

CREATE PROCEDURE write_for_ever() LANGUAGE plpgsql AS $$
DECLARE
  person bigint;
BEGIN
  LOOP
    UPDATE last_person SET id = id + 1, transactions = transactions + 1 RETURNING id INTO person;
    PERFORM add_person(person, clock_timestamp());
    PERFORM remove_person(person - ${PEOPLE});
    COMMIT;
    PERFORM pg_sleep(0.0005);
  END LOOP;
END
$$;

INSERT INTO last_person VALUES (${PEOPLE}, 0);
SELECT count(add_person(i, now() - (${PEOPLE} - i) * interval '2 hours')) FROM generate_series(1, ${PEOPLE}) i;
ANALYZE;
`

export async function createBalancedPlatform(postgres: Postgres): Promise<string> {
  const url = await postgres.createDatabase()
  await postgres.psql(`${SCHEMA}\n${TABLES}`, databaseOf(url))
  return url
}

function databaseOf(url: string): string {
  return new URL(url).pathname.slice(1)
}

export interface Writer {
  /** Row changes since the start, a second. */
  perSecond(): Promise<number>
  stop(): Promise<void>
}

/** Writes until it is stopped. */
export async function startWriter(postgres: Postgres, url: string): Promise<Writer> {
  const client = new Client({ connectionString: url, application_name: 'writer' })
  // It is ended by its server.
  client.on('error', () => undefined)
  await client.connect()
  const written = async (): Promise<number> =>
    Number(await postgres.psql('SELECT transactions FROM last_person', databaseOf(url)))
  const before = await written()
  const startMs = performance.now()
  const ended = client.query('CALL write_for_ever()').then(
    () => undefined,
    () => undefined,
  )
  return {
    perSecond: async () => (((await written()) - before) * CHANGES) / ((performance.now() - startMs) / 1000),
    async stop() {
      await postgres.psql(`SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'writer'`)
      await ended
      await client.end().catch(() => undefined)
    },
  }
}

/** People of the last millisecond, who are dated at or after dataAsOf and count nowhere. */
const JUST_COME = 20

/** The parsed document at a path of a release. */
type Read = (path: string) => unknown

function readerOf(snapshots: string, id: string): Read {
  return (path) => JSON.parse(readFileSync(join(snapshots, 'releases', id, `${path}.json`), 'utf8'))
}

/** The release must be whole, and every figure of it of one instant. */
export async function expectOneInstant(snapshots: string, id: string): Promise<void> {
  const { faults } = await verifyAt(snapshots, id)
  if (faults.length > 0) throw new Error(`${id} is torn: ${faults.slice(0, 3).join('; ')}`)
  expectEqualSums(readerOf(snapshots, id))
}

function expectEqualSums(read: Read): void {
  const { stats } = read('public/stats') as { stats: Figures }
  const totals = pick(stats, ['totalUsers', 'totalIdeas', 'totalVotes', 'totalComments', 'launchedIdeas'])
  expectAlike('stats', totals)
  const total = totals['totalUsers'] ?? 0
  if (total > PEOPLE || total < PEOPLE - JUST_COME) throw new Error(`${total} people, there are always ${PEOPLE}`)
  for (const period of PERIODS) expectAlike(period, figuresOf(period, read))
}

type Figures = Readonly<Record<string, number>>
type Rows = { readonly data: readonly Readonly<Record<string, number | string | null>>[] }

/** How many came within the period, by every way in which the release says it. */
function figuresOf(period: Period, read: Read): Figures {
  const rows = (type: string): Rows['data'] => (read(`analytics/export/${type}/${period}`) as Rows).data
  const sum = (type: string, column: string): number => rows(type).reduce((all, row) => all + Number(row[column]), 0)
  const overview = Object.fromEntries(rows('overview').map(({ metric, value }) => [String(metric), Number(value)]))
  return {
    ...pick(overview, ['newUsers', 'activeUsers', 'ideas', 'votes', 'comments', 'launchedIdeas']),
    rowsOfIdeas: rows('ideas').length,
    votesOfIdeas: sum('ideas', 'votes'),
    commentsOfIdeas: sum('ideas', 'comments'),
    newUsersOfBuckets: sum('users', 'newUsers'),
    ideasOfCategories: sum('categories', 'ideas'),
    votesOfCategories: sum('categories', 'votes'),
    commentsOfCategories: sum('categories', 'comments'),
  }
}

function pick(from: Figures, names: readonly string[]): Figures {
  return Object.fromEntries(names.map((name) => [name, from[name] ?? Number.NaN]))
}

function expectAlike(what: string, figures: Figures): void {
  if (new Set(Object.values(figures)).size > 1)
    throw new Error(`instants are mixed: ${what}: ${JSON.stringify(figures)}`)
}
