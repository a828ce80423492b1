// Once a builder is killed, the server stops what it was asked, whatever that was; and one row dated in the year 1 makes
// no query that cannot be stopped.
import { join } from 'node:path'
import { Client } from 'pg'
import { afterAll, beforeAll, describe, expect, it, onTestFinished, type TestContext } from 'vitest'
import { writeFileSync } from 'node:fs'
import { readManifest } from '../../src/release/reading/folder-reader.ts'
import { begin, run } from '../builder/build-program.ts'
import { wholeCurrent } from '../release/sample-release.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'
import { describeWithPostgres } from '../support/postgres.ts'
import { releasePaths } from '../../src/release/format/paths.ts'

/** Busy for as long as a test lasts: asleep, or joining. Called immutable, so that only what needs the value asks. */
const FUNCTIONS = `
CREATE FUNCTION asleep(id int) RETURNS int IMMUTABLE LANGUAGE plpgsql AS 'BEGIN PERFORM pg_sleep(120); RETURN id; END';
CREATE VIEW joining AS
  SELECT count(*) AS n FROM generate_series(1, 300000) a, generate_series(1, 300000) b WHERE (a + b) % 7 = 8;
`
const AT = `'2026-05-01 12:00:00+00'::timestamptz`
const SECTIONS = {
  users: `SELECT 1 AS id, ${AT} AS created_at`,
  ideas: `SELECT 1 AS id, 'Dark mode' AS title, ${AT} AS created_at, false AS launched, NULL::timestamptz AS launched_at,
                 7 AS author_id, 'open' AS status, NULL::text AS url`,
  idea_categories: `SELECT 1 AS idea_id, 'Product' AS category`,
  votes: `SELECT 1 AS idea_id, 8 AS user_id, 1 AS value, ${AT} AS created_at`,
  comments: `SELECT 1 AS id, 1 AS idea_id, 9 AS user_id, ${AT} AS created_at`,
  categories: `SELECT 'Product' AS name`,
}
const mappingText = (sections: Partial<typeof SECTIONS>): string =>
  Object.entries({ ...SECTIONS, ...sections })
    .map(([name, sql]) => `\n-- section ${name}\n${sql}\n`)
    .reduce((text, section) => text + section, '-- mapping: busy\n')
const MANY_IDEAS = `SELECT i AS id, repeat('x', 1000) AS title, ${AT} AS created_at, false AS launched, NULL::timestamptz AS launched_at,
                 7 AS author_id, 'open' AS status, NULL::text AS url FROM generate_series(1, 300000) i`

describeWithPostgres('a server', (postgres) => {
  let client: Client
  beforeAll(async () => {
    await postgres().psql(FUNCTIONS)
    client = new Client({ connectionString: postgres().url() })
    await client.connect()
  })
  afterAll(() => client?.end())

  /** A builder of this mapping, whose session has the name; and how many of its queries are as asked. */
  function begun(
    name: string,
    sections: Partial<typeof SECTIONS>,
    { expect: own, onTestFinished: finished }: TestContext,
  ) {
    const folder = temporaryFolder(finished)
    writeFileSync(join(folder, 'mapping.sql'), mappingText(sections))
    const args = ['--source', join(folder, 'mapping.sql'), '--snapshots', join(folder, 'snapshots')]
    const { child, done } = begin(args, { DATABASE_URL: `${postgres().url()}?application_name=${name}` })
    finished(() => void child.kill('SIGKILL'))
    const sessions = async (condition: string): Promise<string[]> => {
      const asked = `SELECT state || ' ' || left(query, 60) AS doing FROM pg_stat_activity WHERE application_name = $1 AND ${condition}`
      return (await client.query<{ doing: string }>(asked, [name])).rows.map(({ doing }) => doing)
    }
    const is = async (condition: string, interval = 50): Promise<void> => {
      const asked = (): Promise<string[]> => sessions(`state = 'active' AND ${condition}`)
      await own.poll(asked, { timeout: 50_000, interval }).not.toEqual([])
    }
    const dies = async (): Promise<void> => {
      child.kill('SIGKILL')
      await done
      await own.poll(() => sessions('true'), { timeout: 10_000, interval: 100 }).toEqual([])
    }
    return { child, is, dies }
  }

  // Beside each other: most of each is a server that has not noticed yet.
  describe.concurrent('stops within 10 seconds of the death of its builder', () => {
    const ONCE = 'FROM generate_series(1, 1) one'
    it.for<[string, Partial<typeof SECTIONS>]>([
      ['listing categories', { categories: `SELECT 'Product' AS name ${ONCE} WHERE asleep(one) = 1` }],
      ['reading votes, asleep', { votes: `${SECTIONS.votes.replace('1 AS value', 'asleep(one) AS value')} ${ONCE}` }],
      ['reading comments, joining', { comments: `${SECTIONS.comments} FROM joining` }],
      ['reading ideas, asleep', { ideas: `${SECTIONS.ideas.replace('7 AS', 'asleep(one) AS')} ${ONCE}` }],
    ])('%s', { timeout: 120_000 }, async ([what, sections], context) => {
      const { is, dies } = begun(what.replaceAll(/\W/g, ''), sections, context)
      await is(`now() - query_start > interval '500 milliseconds'`)
      await dies()
    })

    it('sending to a builder that does not read', { timeout: 120_000 }, async (context) => {
      const { child, is, dies } = begun('sending', { ideas: MANY_IDEAS }, context)
      await is(`wait_event = 'ClientWrite'`, 5)
      child.kill('SIGSTOP')
      await is(`wait_event = 'ClientWrite'`)
      await dies()
    })
  })

  it('compiles no query of a build, however dear, and is asked for few columns by a row of the year 1', async () => {
    const url = await postgres().createDatabase('ancient')
    // Whatever it would compile for a large platform it would compile here.
    await postgres().psql(
      `ALTER DATABASE ancient SET jit = on; ALTER DATABASE ancient SET jit_above_cost = 0;
       ALTER DATABASE ancient SET jit_inline_above_cost = 0; ALTER DATABASE ancient SET jit_optimize_above_cost = 0;`,
    )
    const folder = temporaryFolder(onTestFinished)
    const snapshots = join(folder, 'snapshots')
    const ancient = `'0001-01-01 00:00:00+00'::timestamptz`
    const also = (section: string): string =>
      `${section} UNION ALL ${section.replaceAll(AT, ancient).replace('1 AS id,', '2 AS id,')}`
    writeFileSync(
      join(folder, 'mapping.sql'),
      mappingText({ users: also(SECTIONS.users), votes: also(SECTIONS.votes), comments: also(SECTIONS.comments) }),
    )
    const ran = await run(['--source', join(folder, 'mapping.sql'), '--snapshots', snapshots, '--database-url', url])
    expect(ran, ran.stderr).toMatchObject({ code: 0 })
    const { rows, ignored } = await readManifest(releasePaths(snapshots), await wholeCurrent(snapshots))
    expect(rows).toMatchObject({ users: 2, ideas: 1, votes: 2, comments: 2 })
    expect(ignored).toEqual(
      ['comments', 'users', 'votes'].map((relation) => ({
        relation,
        reason: 'dated before 1990-01-01: in totals and the period all only',
        rows: 1,
      })),
    )
  })
})
