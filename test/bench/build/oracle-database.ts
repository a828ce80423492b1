// Owns the oracle on a database of millions of rows: every definition of test/oracle as it stands, but each relation is
// computed once for the instant and kept, and the settings of a question are constants, so that the server can plan.
import { readFileSync } from 'node:fs'
import { escapeLiteral, type Client } from 'pg'
import { packagePath } from '../../../src/process/package-root.ts'
import { PERIODS, type Period } from '../../../src/contract/windows.ts'

/** In the order in which definitions.sql makes them. */
const RELATIONS = ['users', 'ideas', 'votes', 'comments', 'idea_categories', 'category_names', 'activity']

/** The join of text with text is by the collation of ideas.id; what a list of ids is looked up by is the default. */
const INDEXES = ['votes', 'comments', 'idea_categories']
  .flatMap((table) => [
    `CREATE INDEX ON oracle.${table} (idea_id COLLATE "C")`,
    `CREATE INDEX ON oracle.${table} (idea_id)`,
  ])
  .concat('CREATE INDEX ON oracle.ideas (id)', 'CREATE INDEX ON oracle.idea_categories (category)', 'ANALYZE')

/** What is asked is put into the setting's own definition: where the oracle reads its settings from is all that is changed. */
const CONSTANT_SETTINGS = `
  CREATE FUNCTION kept.set(settings json) RETURNS void LANGUAGE plpgsql AS $set$
  BEGIN
    EXECUTE format('CREATE OR REPLACE FUNCTION oracle.setting(name text) RETURNS text IMMUTABLE LANGUAGE sql AS %L', (
      SELECT 'SELECT nullif(CASE name ' || string_agg(format('WHEN %L THEN %L', key, value), ' ') || ' END, '''')'
        FROM json_each_text(settings)));
  END $set$;
  SELECT kept.set('{"period": "all"}')`

/** In two statements, so that the second is planned with the constants of the first. */
const ANSWER = `
  CREATE OR REPLACE FUNCTION oracle.answer(settings json, document text) RETURNS json LANGUAGE plpgsql SET jit = off AS $answer$
  DECLARE result json;
  BEGIN
    PERFORM kept.set(settings);
    EXECUTE format('SELECT oracle.%I()', document) INTO STRICT result;
    RETURN result;
  END $answer$`

export async function installLargeOracle(client: Client, asOf: string): Promise<void> {
  await plainSession(client)
  await client.query(oracleText('definitions.sql'))
  await client.query(
    `CREATE OR REPLACE FUNCTION oracle.as_of() RETURNS timestamptz IMMUTABLE LANGUAGE sql AS
     $$ SELECT timestamptz ${escapeLiteral(asOf)} $$`,
  )
  await client.query('CREATE SCHEMA kept')
  await client.query(CONSTANT_SETTINGS)
  for (const name of RELATIONS) await client.query(`CREATE TABLE kept.${name} AS SELECT * FROM oracle.${name}`)
  await client.query(`DROP VIEW ${RELATIONS.map((name) => `oracle.${name}`).join(', ')}`)
  for (const name of RELATIONS) await client.query(`ALTER TABLE kept.${name} SET SCHEMA oracle`)
  for (const index of INDEXES) await client.query(index)
  await client.query(oracleText('over-time.sql'))
  await client.query(oracleText('documents.sql'))
  await client.query(ANSWER)
  // What several documents of a period share is computed once (beginPeriod); how stays at hand in `kept`.
  await client.query(`DO $$ BEGIN
    EXECUTE 'CREATE VIEW kept.idea_counts AS ' || pg_get_viewdef('oracle.idea_counts'::regclass);
    EXECUTE replace(pg_get_functiondef('oracle.category_rows'::regproc), 'oracle.category_rows', 'kept.category_rows');
  END $$`)
}

/** Counts the ideas and categories of a period once, for all of its documents. */
export async function beginPeriod(client: Client, period: Period): Promise<void> {
  if (!PERIODS.includes(period)) throw new RangeError(period)
  await plainSession(client)
  await client.query('SELECT kept.set($1)', [JSON.stringify({ period })])
  await client.query(`CREATE TABLE kept.idea_counts_${period} AS SELECT * FROM kept.idea_counts`)
  await client.query(`CREATE OR REPLACE VIEW oracle.idea_counts AS SELECT * FROM kept.idea_counts_${period}`)
  await client.query(`CREATE TABLE kept.category_rows_${period} AS SELECT kept.category_rows() AS rows`)
  await client.query(
    `CREATE OR REPLACE FUNCTION oracle.category_rows() RETURNS json STABLE LANGUAGE sql AS
     $$ SELECT rows FROM kept.category_rows_${period} $$`,
  )
}

function plainSession(client: Client): Promise<unknown> {
  // Compiling takes longer than most of these run.
  return client.query(`SET timezone = 'UTC'; SET jit = off`)
}

function oracleText(name: string): string {
  return readFileSync(packagePath('test', 'oracle', name), 'utf8')
}
