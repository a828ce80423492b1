// What a platform does to its tables while a read begins, between the snapshot and the locks, or between two passes; what the
// read must then be: refused, naming what was done to what, or of the instant before.
// A small town: idea 3 is hidden, vote 4 is on it; one comment on each idea.

export interface Scene {
  readonly name: string
  /** Committed before the read begins. */
  readonly before?: string
  /** Committed by the platform after the snapshot; statements that take no transaction are sent one by one. */
  readonly event: string | readonly string[]
  /** When: before the tables are locked, or before the pass over a relation. */
  readonly at?: 'ideas' | 'votes' | 'comments' | 'users'
  readonly sections?: Readonly<Record<string, string>>
  readonly rowSecurity?: 'apply'
  /** What the message begins with; null = the read is of the instant before. */
  readonly seen: string | null
}

const TABLES = `
  CREATE TABLE settings (name text PRIMARY KEY, value text);
  INSERT INTO settings VALUES ('login_required', 'f');
  CREATE TYPE state AS ENUM ('open', 'done');
  CREATE TABLE users (id int PRIMARY KEY, created_at timestamptz NOT NULL DEFAULT '2026-01-01Z');
  CREATE TABLE ideas (id int PRIMARY KEY, title text, created_at timestamptz NOT NULL DEFAULT '2026-01-02Z', state state DEFAULT 'open', kept boolean DEFAULT true, gone int);
  ALTER TABLE ideas DROP gone;
  CREATE TABLE moderation (idea_id int, hidden boolean);
  CREATE TABLE tags (idea_id int, name text);
  CREATE TABLE names (name text);
  CREATE TABLE votes (id int PRIMARY KEY, idea_id int, user_id int, created_at timestamptz NOT NULL DEFAULT '2026-01-03Z');
  CREATE TABLE comments (id int, idea_id int, user_id int, created_at timestamptz NOT NULL DEFAULT '2026-01-03Z') PARTITION BY RANGE (id);
  CREATE TABLE comments_1 PARTITION OF comments FOR VALUES FROM (1) TO (10);
  CREATE TABLE comments_2 PARTITION OF comments FOR VALUES FROM (10) TO (20);
  INSERT INTO users SELECT generate_series(1, 5);
  INSERT INTO ideas SELECT g, 'Idea ' || g FROM generate_series(1, 3) g;
  UPDATE ideas SET title = 'PRIVATE' WHERE id = 3;
  INSERT INTO moderation VALUES (3, true);
  INSERT INTO tags VALUES (1, 'Parks'), (2, 'Roads');
  INSERT INTO names VALUES ('Parks'), ('Roads'), ('Water');
  INSERT INTO votes SELECT g, 1 + (g - 1) % 3, g FROM generate_series(1, 5) g;
  INSERT INTO comments SELECT g, 1 + (g - 1) % 2, g FROM generate_series(1, 4) g;
  INSERT INTO comments SELECT g, 1 + g % 2, 1 FROM generate_series(10, 12) g;
  CREATE FUNCTION is_public(int) RETURNS boolean LANGUAGE sql STABLE AS $$ SELECT NOT EXISTS (SELECT FROM moderation m WHERE m.idea_id = $1 AND m.hidden) $$;
  CREATE FUNCTION unrelated() RETURNS int LANGUAGE sql AS $$ SELECT 1 $$;
  CREATE VIEW seen AS SELECT i.* FROM ideas i WHERE NOT EXISTS (SELECT FROM moderation m WHERE m.idea_id = i.id AND m.hidden);
  CREATE VIEW seen_twice AS SELECT * FROM seen;
  CREATE VIEW seen_by_function AS SELECT * FROM ideas WHERE is_public(id);
  CREATE MATERIALIZED VIEW counted AS SELECT * FROM votes;
  CREATE UNIQUE INDEX ON counted (id);
`
export const PLATFORM = `CREATE SCHEMA door; CREATE TABLE door.gate (id int); CREATE SCHEMA staging; CREATE SCHEMA first; ${TABLES}`

const ideasOf = (from: string): string =>
  `SELECT i.id, title, created_at, false AS launched, NULL::timestamptz AS launched_at, '/ideas/' || i.id AS url, NULL::int AS author_id, i.state::text AS status FROM ${from}`
const NOT_HIDDEN = 'WHERE NOT EXISTS (SELECT FROM moderation m WHERE m.idea_id = i.id AND m.hidden)'
const votesOf = (from: string): string => `SELECT idea_id, user_id, 1 AS value, created_at FROM ${from}`

/** Section `closed` reads the table that the test locks, so that the read stands after its snapshot and before its locks. */
export const SECTIONS: Readonly<Record<string, string>> = {
  users: 'SELECT id, created_at FROM users',
  ideas: ideasOf(`ideas i ${NOT_HIDDEN}`),
  idea_categories: 'SELECT idea_id, name AS category FROM tags',
  votes: votesOf('votes'),
  comments: 'SELECT id, idea_id, user_id, created_at FROM comments',
  categories: 'SELECT name FROM names',
  closed: `SELECT count(*) > 0 OR EXISTS (SELECT FROM settings WHERE name = 'login_required' AND value = 't') AS closed FROM door.gate`,
}

const LOGIN_REQUIRED = `UPDATE settings SET value = 't'`
/** The form in which a missing row closes: right is open here. */
const CLOSED_WITHOUT = `SELECT count(*) > 0 OR NOT EXISTS (SELECT FROM settings WHERE name = 'login_required') AS closed FROM door.gate`
const reload = (table: string): string =>
  `BEGIN; CREATE TEMP TABLE kept AS SELECT * FROM ${table}; TRUNCATE ${table}; INSERT INTO ${table} SELECT * FROM kept; DROP TABLE kept; COMMIT`
const rewritten = (table: string): string => `public.${table} was emptied, rewritten or replaced`
const HIDDEN_AS_JSON = {
  ideas: ideasOf(`ideas i ${NOT_HIDDEN} AND NOT coalesce((to_jsonb(i) ->> 'hidden')::boolean, false)`),
}
/** Policies hide idea 3 from the reader. */
const HIDDEN_BY_POLICY = `ALTER TABLE ideas ENABLE ROW LEVEL SECURITY; CREATE POLICY only_public ON ideas USING (is_public(id))`
const throughPolicies = { sections: { ideas: ideasOf('ideas i') }, rowSecurity: 'apply' } as const
const CHILD = `CREATE TABLE votes_old () INHERITS (votes); INSERT INTO votes_old VALUES (9, 1, 1)`
/** What stands behind a function, an operator, a cast or an aggregate: of an int whether it is below 3. */
const STEP = `CREATE FUNCTION step(int) RETURNS boolean LANGUAGE sql AS 'SELECT $1 < 3'`
const OTHER_STEP = `CREATE OR REPLACE FUNCTION step(int) RETURNS boolean LANGUAGE sql AS 'SELECT true'`
const VIEW_WITHOUT_TABLE = `BEGIN; ALTER TABLE ideas ADD COLUMN hidden boolean DEFAULT false;
  UPDATE ideas SET hidden = true WHERE id = 3; DELETE FROM moderation;
  CREATE OR REPLACE VIEW seen AS SELECT id, title, created_at, state, kept FROM ideas WHERE NOT hidden; COMMIT`

export const SCENES: readonly Scene[] = [
  // Emptied or rewritten: seen as empty by a snapshot that is older.
  ...['users', 'tags', 'votes', 'names', 'moderation', 'settings'].map((table) => ({
    name: `${table}: TRUNCATE and INSERT`,
    event: reload(table),
    seen: rewritten(table),
  })),
  {
    name: 'votes: a rewriting ALTER TYPE',
    before: 'DROP MATERIALIZED VIEW counted',
    event: 'ALTER TABLE votes ALTER idea_id TYPE bigint',
    seen: rewritten('votes'),
  },
  {
    name: 'ideas: a column with a volatile default',
    event: 'ALTER TABLE ideas ADD n float8 DEFAULT random()',
    seen: rewritten('ideas'),
  },
  {
    name: 'moderation: rewritten, hidden by NOT EXISTS',
    before: 'DROP VIEW seen CASCADE',
    event: 'ALTER TABLE moderation ALTER idea_id TYPE bigint',
    seen: rewritten('moderation'),
  },
  {
    name: 'settings: rewritten, a private site by a row that is there',
    before: LOGIN_REQUIRED,
    event: 'ALTER TABLE settings ALTER value TYPE varchar(9)',
    seen: rewritten('settings'),
  },
  {
    name: 'settings: rewritten, an open site by a row that is there',
    sections: { closed: CLOSED_WITHOUT },
    event: 'ALTER TABLE settings ALTER value TYPE varchar(9)',
    seen: rewritten('settings'),
  },
  { name: 'votes: TRUNCATE alone', event: 'TRUNCATE votes', seen: rewritten('votes') },
  { name: 'a partition: TRUNCATE and INSERT', event: reload('comments_2'), seen: rewritten('comments_2') },
  // Replaced: rows of another instant.
  {
    name: 'votes: swapped by rename, loaded in the same transaction',
    event: `BEGIN; CREATE TABLE new AS SELECT * FROM votes; ALTER TABLE votes RENAME TO old; ALTER TABLE new RENAME TO votes; COMMIT`,
    seen: rewritten('votes'),
  },
  {
    name: 'votes: swapped by rename, loaded before',
    before: `CREATE TABLE new AS SELECT * FROM votes; INSERT INTO new VALUES (9, 1, 1)`,
    event: `BEGIN; INSERT INTO users VALUES (6); ALTER TABLE votes RENAME TO old; ALTER TABLE new RENAME TO votes; COMMIT`,
    seen: rewritten('votes'),
  },
  {
    name: 'votes: moved into the schema',
    before: `CREATE TABLE staging.votes AS SELECT * FROM votes WHERE id < 3`,
    event: `BEGIN; ALTER TABLE votes RENAME TO old; ALTER TABLE staging.votes SET SCHEMA public; COMMIT`,
    seen: rewritten('votes'),
  },
  {
    name: 'the schema: swapped by rename',
    before: `CREATE TABLE staging.votes AS SELECT * FROM votes WHERE id < 3; CREATE SCHEMA app; CREATE TABLE app.votes AS SELECT * FROM votes`,
    sections: { votes: votesOf('app.votes') },
    event: `BEGIN; ALTER SCHEMA app RENAME TO old; ALTER SCHEMA staging RENAME TO app; COMMIT`,
    seen: 'app.votes was emptied, rewritten or replaced',
  },
  {
    name: 'votes: dropped and made anew',
    event: `BEGIN; CREATE TABLE new AS SELECT * FROM votes; DROP MATERIALIZED VIEW counted; DROP TABLE votes; CREATE TABLE votes AS SELECT * FROM new; COMMIT`,
    seen: rewritten('votes'),
  },
  {
    name: 'votes: gone from the schema that came first, so that another is read',
    before: `CREATE TABLE first.votes AS SELECT * FROM votes WHERE id < 3`,
    event: `DROP TABLE first.votes`,
    seen: 'first.votes was emptied, rewritten or replaced',
  },
  {
    name: 'votes: made in the schema that comes first',
    event: `CREATE TABLE first.votes AS SELECT * FROM votes WHERE id < 3`,
    seen: 'first.votes was emptied, rewritten or replaced',
  },
  {
    name: 'all: dropped and restored in one transaction',
    event: `BEGIN; DROP SCHEMA public CASCADE; CREATE SCHEMA public; ${TABLES}; COMMIT`,
    // Which of the tables is locked first is nobody's promise.
    seen: 'public.',
  },
  {
    name: 'a table whose name is quoted',
    before: `DROP MATERIALIZED VIEW counted; ALTER TABLE votes RENAME TO "Vote""s"`,
    sections: { votes: votesOf('"Vote""s"') },
    event: `ALTER TABLE "Vote""s" ALTER idea_id TYPE bigint`,
    seen: 'public."Vote""s" was emptied',
  },
  // Materialized views.
  {
    name: 'a materialized view: refreshed with new votes',
    sections: { votes: votesOf('counted') },
    event: `BEGIN; INSERT INTO ideas VALUES (4, 'New'); INSERT INTO votes VALUES (9, 1, 1); REFRESH MATERIALIZED VIEW counted; COMMIT`,
    seen: rewritten('counted'),
  },
  {
    name: 'a materialized view: refreshed CONCURRENTLY',
    sections: { votes: votesOf('counted') },
    event: [`INSERT INTO votes VALUES (9, 1, 1)`, `REFRESH MATERIALIZED VIEW CONCURRENTLY counted`],
    seen: null,
  },
  {
    name: 'a materialized view: swapped by rename',
    before: `CREATE MATERIALIZED VIEW newer AS SELECT * FROM votes WHERE id < 3`,
    sections: { votes: votesOf('counted') },
    event: `BEGIN; ALTER MATERIALIZED VIEW counted RENAME TO old; ALTER MATERIALIZED VIEW newer RENAME TO counted; COMMIT`,
    seen: rewritten('counted'),
  },
  // Views.
  {
    name: 'a table below a view below a view: reloaded',
    sections: { ideas: ideasOf('seen_twice i') },
    event: reload('moderation'),
    seen: rewritten('moderation'),
  },
  {
    name: 'a view: replaced with what its rows mean',
    sections: { ideas: ideasOf('seen i') },
    event: VIEW_WITHOUT_TABLE,
    seen: 'public.seen was replaced',
  },
  {
    name: 'a view below a view: replaced',
    sections: { ideas: ideasOf('seen_twice i') },
    event: VIEW_WITHOUT_TABLE,
    seen: 'public.seen was replaced',
  },
  {
    name: 'a view: dropped and made anew',
    sections: { ideas: ideasOf('seen i') },
    event: `BEGIN; DROP VIEW seen CASCADE; CREATE VIEW seen AS SELECT * FROM ideas WHERE kept; COMMIT`,
    seen: rewritten('seen'),
  },
  {
    name: 'a view: swapped by rename',
    before: `CREATE VIEW everything AS SELECT * FROM ideas`,
    sections: { ideas: ideasOf('seen i') },
    event: `BEGIN; ALTER VIEW seen RENAME TO old; ALTER VIEW everything RENAME TO seen; COMMIT`,
    seen: rewritten('seen'),
  },
  // Partitions: attaching waits for nobody who reads.
  ...([undefined, 'comments'] as const).map((at) => ({
    name: `a partition: attached ${at === undefined ? 'before the locks' : 'between two passes'}`,
    before: `CREATE TABLE comments_3 (LIKE comments); INSERT INTO comments_3 VALUES (21, 1, 1, '2026-01-03Z')`,
    event: `ALTER TABLE comments ATTACH PARTITION comments_3 FOR VALUES FROM (20) TO (30)`,
    ...(at === undefined ? {} : { at }),
    seen: 'public.comments had partitions or child tables attached or detached',
  })),
  {
    name: 'a partition: detached',
    event: 'ALTER TABLE comments DETACH PARTITION comments_2',
    seen: 'public.comments had partitions or child tables attached or detached',
  },
  {
    name: 'a partition: of the partition of a table',
    before: `DROP TABLE comments_2; CREATE TABLE comments_2 PARTITION OF comments FOR VALUES FROM (10) TO (20) PARTITION BY LIST (user_id);
             CREATE TABLE comments_2a (LIKE comments); INSERT INTO comments_2a VALUES (11, 1, 1, '2026-01-03Z')`,
    event: `ALTER TABLE comments_2 ATTACH PARTITION comments_2a FOR VALUES IN (1)`,
    seen: 'public.comments_2 had partitions or child tables attached or detached',
  },
  {
    name: 'a partition: swapped for one that was loaded before',
    before: `CREATE TABLE comments_3 (LIKE comments); INSERT INTO comments_3 VALUES (11, 1, 1, '2026-01-03Z')`,
    event: `BEGIN; ALTER TABLE comments DETACH PARTITION comments_2; ALTER TABLE comments ATTACH PARTITION comments_3 FOR VALUES FROM (10) TO (20); COMMIT`,
    seen: 'public.comments had partitions or child tables attached or detached',
  },
  // Tables that inherit in the old way.
  {
    name: 'a child table: filled before, and made one',
    before: `CREATE TABLE older (LIKE votes INCLUDING ALL); INSERT INTO older VALUES (9, 1, 1)`,
    event: `ALTER TABLE older INHERIT votes`,
    seen: 'public.votes had partitions or child tables attached or detached',
  },
  {
    name: 'a child table: kept out by ONLY',
    before: `CREATE TABLE older () INHERITS (votes); INSERT INTO older VALUES (9, 1, 1)`,
    sections: { votes: votesOf('ONLY votes') },
    event: `INSERT INTO votes VALUES (10, 1, 1)`,
    seen: null,
  },
  {
    name: 'a child table: that stays',
    before: `CREATE TABLE older () INHERITS (votes); INSERT INTO older VALUES (9, 1, 1)`,
    event: `INSERT INTO older VALUES (10, 1, 1)`,
    seen: null,
  },
  {
    name: 'a table of the same columns that a function reads',
    before: `CREATE TABLE older (LIKE votes INCLUDING ALL); INSERT INTO older VALUES (9, 1, 1);
             CREATE FUNCTION of_older() RETURNS SETOF votes LANGUAGE sql STABLE AS $$ SELECT * FROM older $$`,
    sections: { votes: `${votesOf('votes')} UNION ALL ${votesOf('of_older()')}` },
    event: `INSERT INTO older VALUES (10, 1, 1)`,
    seen: null,
  },
  // Columns: before one that is new the rows of the snapshot have its default.
  {
    name: 'a column: added and filled in one transaction, and named in a section',
    sections: HIDDEN_AS_JSON,
    event: `BEGIN; ALTER TABLE ideas ADD hidden boolean DEFAULT false; UPDATE ideas SET hidden = true WHERE id = 3; DELETE FROM moderation; COMMIT`,
    seen: 'public.ideas.hidden was added, renamed or removed',
  },
  {
    name: 'a column: filled in the transaction in which it takes the name of another',
    before: `ALTER TABLE ideas ADD title_new text DEFAULT ''`,
    event: `BEGIN; UPDATE ideas SET title_new = title; ALTER TABLE ideas RENAME title TO title_old; ALTER TABLE ideas RENAME title_new TO title; COMMIT`,
    seen: 'public.ideas.title was added, renamed or removed',
  },
  {
    name: 'a column: removed and added again',
    before: 'DROP VIEW seen CASCADE; DROP VIEW seen_by_function',
    event: `BEGIN; ALTER TABLE ideas DROP title; ALTER TABLE ideas ADD title text DEFAULT ''; COMMIT`,
    seen: 'public.ideas.title was added, renamed or removed',
  },
  {
    name: 'a column: that a natural join takes',
    before: 'ALTER TABLE tags ADD note text',
    sections: { idea_categories: `SELECT idea_id, t.name AS category FROM tags t NATURAL JOIN moderation` },
    event: `ALTER TABLE moderation ADD note text`,
    seen: 'public.moderation.note was added, renamed or removed',
  },
  {
    name: 'a column: of a constant default, which no section names',
    event: `ALTER TABLE ideas ADD extra int DEFAULT 7`,
    seen: null,
  },
  // What queries call.
  {
    name: 'a function: one that a section names reads a table that is reloaded',
    sections: { ideas: ideasOf('ideas i WHERE is_public(id)') },
    event: reload('moderation'),
    seen: rewritten('moderation'),
  },
  {
    name: 'a function: replaced, named in a section',
    sections: { ideas: ideasOf('ideas i WHERE is_public(id)') },
    event: `BEGIN; UPDATE ideas SET kept = false WHERE id = 3; DELETE FROM moderation; CREATE OR REPLACE FUNCTION is_public(int) RETURNS boolean LANGUAGE sql STABLE AS $$ SELECT kept FROM ideas WHERE id = $1 $$; COMMIT`,
    seen: 'function is_public was replaced or removed',
  },
  {
    name: 'a function: replaced, named in a view',
    sections: { ideas: ideasOf('seen_by_function i') },
    event: `BEGIN; UPDATE ideas SET kept = false WHERE id = 3; DELETE FROM moderation; CREATE OR REPLACE FUNCTION is_public(int) RETURNS boolean LANGUAGE sql STABLE AS $$ SELECT kept FROM ideas WHERE id = $1 $$; COMMIT`,
    seen: 'function is_public was replaced or removed',
  },
  {
    name: 'a function: replaced, which nothing names',
    event: `CREATE OR REPLACE FUNCTION unrelated() RETURNS int LANGUAGE sql AS $$ SELECT 2 $$`,
    seen: null,
  },
  {
    name: 'a value of an enum: renamed',
    event: `ALTER TYPE state RENAME VALUE 'open' TO 'private'`,
    seen: `value 'open' of type state was replaced or removed`,
  },
  ...[
    `ALTER POLICY only_public ON ideas USING (true)`,
    `BEGIN; DROP POLICY only_public ON ideas; CREATE POLICY other ON ideas USING (true); COMMIT`,
  ].map((event) => ({
    name: `a policy: ${event.includes('DROP') ? 'dropped' : 'altered'}`,
    before: HIDDEN_BY_POLICY,
    ...throughPolicies,
    event,
    seen: 'policy only_public on public.ideas was replaced or removed',
  })),
  {
    name: 'a function: replaced, named in a policy only',
    before: HIDDEN_BY_POLICY,
    ...throughPolicies,
    event: `CREATE OR REPLACE FUNCTION is_public(int) RETURNS boolean LANGUAGE sql STABLE AS 'SELECT true'`,
    seen: 'function is_public was replaced or removed',
  },
  ...[
    `ALTER TABLE ideas DISABLE ROW LEVEL SECURITY`,
    `ALTER TABLE ideas OWNER TO guest`,
    // It is a role of all databases.
    `ALTER ROLE guest BYPASSRLS`,
  ].map((event) => ({
    name: `policies: no more asked after ${event}`,
    before: HIDDEN_BY_POLICY,
    ...throughPolicies,
    event,
    seen: rewritten('ideas'),
  })),
  {
    name: 'a view: read as its owner',
    before: `CREATE ROLE author; GRANT SELECT ON ideas, moderation TO author; GRANT CREATE ON SCHEMA public TO author;
             ${HIDDEN_BY_POLICY}; CREATE VIEW of_author AS SELECT * FROM ideas; ALTER VIEW of_author OWNER TO author; GRANT SELECT ON of_author TO guest`,
    sections: { ideas: ideasOf('of_author i') },
    rowSecurity: 'apply',
    event: `ALTER VIEW of_author OWNER TO postgres`,
    seen: 'public.of_author was replaced or removed',
  },
  // What a function, an operator, a cast or an aggregate calls.
  ...[
    ['a function', `CREATE FUNCTION f(int) RETURNS boolean LANGUAGE sql AS 'SELECT step($1)'`, 'f(id)'],
    ['an operator', `CREATE OPERATOR ### (rightarg = int, procedure = step)`, '### id'],
    [
      'a cast',
      `CREATE TYPE number AS (n int); CREATE FUNCTION is_low(number) RETURNS boolean LANGUAGE sql AS 'SELECT step($1.n)'; CREATE CAST (number AS boolean) WITH FUNCTION is_low(number)`,
      'row(id)::number::boolean',
    ],
    [
      'an aggregate',
      `CREATE FUNCTION joined(boolean, int) RETURNS boolean LANGUAGE sql AS 'SELECT step($2)'; CREATE AGGREGATE all_low(int) (sfunc = joined, stype = boolean)`,
      '(SELECT all_low(i.id + 0 * g) FROM generate_series(1, 1) g)',
    ],
  ].map(([name, before = '', condition]) => ({
    name: `a function: replaced, called by ${name}`,
    before: `${STEP}; ${before}`,
    sections: { ideas: ideasOf(`ideas i WHERE ${condition}`) },
    event: OTHER_STEP,
    seen: 'function step was replaced or removed',
  })),
  {
    name: 'a column: that the body of a function names, takes the name of another',
    before: `UPDATE ideas SET kept = id < 3; ALTER TABLE ideas ADD kept_new boolean DEFAULT true;
             CREATE FUNCTION is_kept(int) RETURNS boolean LANGUAGE sql STABLE AS 'SELECT kept FROM ideas WHERE id = $1'`,
    sections: { ideas: ideasOf('ideas i WHERE is_kept(id)') },
    event: `BEGIN; UPDATE ideas SET kept_new = kept; ALTER TABLE ideas RENAME kept TO kept_old; ALTER TABLE ideas RENAME kept_new TO kept; COMMIT`,
    seen: 'public.ideas.kept was added, renamed or removed',
  },
  {
    name: 'a column: that * returns, takes the name of another',
    before: `CREATE TABLE listed AS ${ideasOf('ideas i WHERE id < 3')}`,
    sections: { ideas: 'SELECT * FROM listed' },
    event: `BEGIN; UPDATE listed SET url = title, title = url; ALTER TABLE listed RENAME title TO other; ALTER TABLE listed RENAME url TO title; ALTER TABLE listed RENAME other TO url; COMMIT`,
    seen: 'public.listed.title was added, renamed or removed',
  },
  {
    name: 'a column: of a partition that is read by its own name, renamed by its parent',
    before: `ALTER TABLE comments ADD idea_new int`,
    sections: { comments: 'SELECT id, idea_id, user_id, created_at FROM comments_1' },
    event: `BEGIN; UPDATE comments SET idea_new = idea_id; ALTER TABLE comments RENAME idea_id TO idea_old; ALTER TABLE comments RENAME idea_new TO idea_id; COMMIT`,
    seen: 'public.comments_1.idea_id was added, renamed or removed',
  },
  {
    name: 'an attribute: of a type, renamed',
    before: `CREATE TYPE titles AS (shown text, internal text); ALTER TABLE ideas ADD titles titles; UPDATE ideas SET titles = row(title, 'PRIVATE')`,
    sections: { ideas: ideasOf(`ideas i ${NOT_HIDDEN}`).replace('title,', '(titles).shown AS title,') },
    event: `BEGIN; ALTER TYPE titles RENAME ATTRIBUTE shown TO other; ALTER TYPE titles RENAME ATTRIBUTE internal TO shown; COMMIT`,
    seen: 'attribute shown of type titles was replaced or removed',
  },
  ...['DROP TABLE votes_old', 'ALTER TABLE votes_old NO INHERIT votes', 'TRUNCATE votes_old'].map((event) => ({
    name: `a child table: ${event}`,
    before: CHILD,
    event,
    seen: rewritten('votes_old'),
  })),
  {
    name: 'a child table: another column of its own, and a GRANT',
    before: `${CHILD}; ALTER TABLE votes_old ADD own int`,
    event: `ALTER TABLE votes_old RENAME own TO mine; GRANT SELECT ON votes, votes_old TO PUBLIC`,
    seen: null,
  },
  ...['ALTER SCHEMA first RENAME TO second', 'DROP SCHEMA first CASCADE'].map((event) => ({
    name: `the schema that comes first: ${event}`,
    before: `CREATE TABLE first.votes AS SELECT * FROM votes WHERE id < 3`,
    event,
    seen: 'first.votes was emptied, rewritten or replaced',
  })),
  // What changes the files of a table, but no row: it costs a retry.
  { name: 'votes: VACUUM FULL', event: ['VACUUM FULL votes'], seen: rewritten('votes') },
  { name: 'votes: CLUSTER', event: ['CLUSTER votes USING votes_pkey'], seen: rewritten('votes') },
  { name: 'votes: SET UNLOGGED', event: ['ALTER TABLE votes SET UNLOGGED'], seen: rewritten('votes') },
  { name: 'an empty table: TRUNCATE', before: 'DELETE FROM names', event: 'TRUNCATE names', seen: rewritten('names') },
  // What is safe: the read is of the instant before.
  {
    name: 'rights of PUBLIC, a dropped column, a natural join',
    before:
      'GRANT ALL ON ALL TABLES IN SCHEMA public TO PUBLIC; ALTER TABLE tags ADD gone int; ALTER TABLE tags DROP gone',
    sections: { idea_categories: `SELECT idea_id, t.name AS category FROM tags t NATURAL LEFT JOIN moderation` },
    event: 'INSERT INTO users VALUES (6)',
    seen: null,
  },
  {
    name: 'a view that was made of a table by a rule, as PostgreSQL before 16 takes it',
    before: `CREATE TABLE made (LIKE ideas);
             DO $$ BEGIN CREATE RULE "_RETURN" AS ON SELECT TO made DO INSTEAD SELECT * FROM ideas;
             EXCEPTION WHEN OTHERS THEN DROP TABLE made; CREATE VIEW made AS SELECT * FROM ideas; END $$`,
    sections: { ideas: ideasOf(`made i ${NOT_HIDDEN}`) },
    event: 'INSERT INTO users VALUES (6)',
    seen: null,
  },
  {
    name: 'policies, of which the reader owns, bypasses or obeys some',
    before: `ALTER TABLE votes OWNER TO guest; ALTER TABLE votes ENABLE ROW LEVEL SECURITY;
             ALTER TABLE users ENABLE ROW LEVEL SECURITY; ALTER TABLE users FORCE ROW LEVEL SECURITY; CREATE POLICY all_users ON users USING (true);
             ALTER TABLE users OWNER TO guest; ${HIDDEN_BY_POLICY}`,
    ...throughPolicies,
    event: 'INSERT INTO tags VALUES (1, $$Later$$)',
    seen: null,
  },
  {
    name: 'functions and tables of a session, and a change that is rolled back',
    before: `CREATE FUNCTION pg_temp.step() RETURNS int LANGUAGE sql AS 'SELECT 1'`,
    event: [
      'DROP FUNCTION pg_temp.step()',
      'CREATE TEMP TABLE votes (id int)',
      'BEGIN; TRUNCATE public.tags; ALTER TABLE public.users ADD n int; ROLLBACK',
    ],
    seen: null,
  },
  {
    name: 'votes: DELETE and INSERT',
    event: `BEGIN; DELETE FROM votes; INSERT INTO votes VALUES (9, 1, 1); COMMIT`,
    seen: null,
  },
  {
    name: 'rows: new, other and gone',
    event: `BEGIN; INSERT INTO ideas VALUES (4, 'New'); UPDATE moderation SET hidden = false; DELETE FROM comments; COMMIT`,
    seen: null,
  },
  { name: 'indexes: made', event: ['CREATE INDEX ON votes (idea_id)'], seen: null },
  { name: 'indexes: made anew', event: ['REINDEX TABLE votes'], seen: null },
  {
    name: 'VACUUM and ANALYZE',
    before: 'DELETE FROM votes WHERE id = 5',
    event: ['VACUUM votes', 'ANALYZE votes'],
    seen: null,
  },
  {
    name: 'GRANT, COMMENT and statistics',
    event: `GRANT SELECT ON votes TO PUBLIC; COMMENT ON TABLE votes IS 'x'; ALTER TABLE votes ALTER idea_id SET STATISTICS 10`,
    seen: null,
  },
  {
    name: 'a foreign key and a trigger',
    event: `ALTER TABLE tags ADD FOREIGN KEY (idea_id) REFERENCES ideas; CREATE FUNCTION t() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN RETURN NEW; END'; CREATE TRIGGER t AFTER INSERT ON tags FOR EACH ROW EXECUTE FUNCTION t()`,
    seen: null,
  },
  {
    name: 'another table: made, loaded, emptied',
    event: `CREATE TABLE other AS SELECT 1 AS id; TRUNCATE other; DROP TABLE other`,
    seen: null,
  },
]
