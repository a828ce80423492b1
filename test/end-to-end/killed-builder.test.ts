// Once a builder is killed, the server stops what it was asked, whatever that was; and one row dated in the year 1 makes
// no query that cannot be stopped.
import { join } from 'node:path'
import { beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { writeFileSync } from 'node:fs'
import { readManifest } from '../../src/release/reading/folder-reader.ts'
import { begin } from '../builder/build-program.ts'
import { temporaryFolder, wholeCurrent } from '../release/sample-release.ts'
import { describeWithPostgres } from '../support/postgres.ts'
import { releasePaths } from '../../src/release/format/paths.ts'

/** Busy for as long as a test lasts: asleep, or computing. Called immutable, so that only what needs the value asks. */
const FUNCTIONS = `
CREATE FUNCTION asleep(id int) RETURNS int IMMUTABLE LANGUAGE plpgsql AS 'BEGIN PERFORM pg_sleep(120); RETURN id; END';
CREATE VIEW computing AS
  WITH RECURSIVE number (n) AS (SELECT 1::int8 UNION ALL SELECT n + 1 FROM number WHERE n < 20000000000)
  SELECT count(*) AS n FROM number;
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
  beforeAll(() => postgres().psql(FUNCTIONS))

  const asked = (): Promise<string> =>
    postgres().psql(
      `SELECT count(*) FROM pg_stat_activity WHERE application_name = 'analytics-build' AND state = 'active' AND now() - query_start > interval '500 milliseconds'`,
    )
  const processes = (): Promise<string> =>
    postgres().psql(
      `SELECT string_agg(state || ' ' || left(query, 60), '; ') FROM pg_stat_activity
        WHERE application_name = 'analytics-build' OR backend_type = 'parallel worker'`,
    )

  describe('stops within 10 seconds of the death of its builder', () => {
    it.each<[string, Partial<typeof SECTIONS>]>([
      [
        'looking for an idea twice',
        { ideas: `${SECTIONS.ideas.replace('1 AS id', 'asleep(one) AS id')} FROM generate_series(1, 1) one` },
      ],
      [
        'listing categories',
        { categories: `SELECT 'Product' AS name FROM generate_series(1, 1) one WHERE asleep(one) = 1` },
      ],
      [
        'reading ideas, asleep',
        { votes: `${SECTIONS.votes.replace('1 AS value', 'asleep(one) AS value')} FROM generate_series(1, 1) one` },
      ],
      [
        'reading ideas, computing',
        { votes: SECTIONS.votes.replace('1 AS value', '(SELECT n::int FROM computing) AS value') },
      ],
      ['reading ideas, joining', { comments: `${SECTIONS.comments} FROM joining` }],
      [
        'counting accounts',
        { users: `${SECTIONS.users.replace('1 AS id', 'asleep(one) AS id')} FROM generate_series(1, 1) one` },
      ],
      [
        'counting people',
        {
          ideas: `${SECTIONS.ideas.replace('7 AS author_id', 'asleep(one) AS author_id')} FROM generate_series(1, 1) one`,
        },
      ],
    ])('%s', async (_, sections) => {
      const folder = temporaryFolder(onTestFinished)
      writeFileSync(join(folder, 'mapping.sql'), mappingText(sections))
      const { child, done } = begin(
        ['--source', join(folder, 'mapping.sql'), '--snapshots', join(folder, 'snapshots')],
        { DATABASE_URL: postgres().url() },
      )
      onTestFinished(() => void child.kill('SIGKILL'))
      await expect.poll(asked, { timeout: 20_000, interval: 50 }).toBe('1')
      child.kill('SIGKILL')
      await done
      await expect.poll(processes, { timeout: 10_000, interval: 100 }).toBe('')
    })

    it('sending to a builder that does not read', async () => {
      const folder = temporaryFolder(onTestFinished)
      writeFileSync(join(folder, 'mapping.sql'), mappingText({ ideas: MANY_IDEAS }))
      const { child, done } = begin(
        ['--source', join(folder, 'mapping.sql'), '--snapshots', join(folder, 'snapshots')],
        { DATABASE_URL: postgres().url() },
      )
      onTestFinished(() => void child.kill('SIGKILL'))
      const sending = (event: string): Promise<string> =>
        postgres().psql(
          `SELECT count(*) FROM pg_stat_activity WHERE application_name = 'analytics-build' AND wait_event = '${event}'`,
        )
      await expect.poll(() => sending('ClientWrite'), { timeout: 20_000, interval: 5 }).toBe('1')
      child.kill('SIGSTOP')
      await expect.poll(() => sending('ClientWrite'), { timeout: 20_000, interval: 50 }).toBe('1')
      child.kill('SIGKILL')
      await done
      await expect.poll(processes, { timeout: 10_000, interval: 100 }).toBe('')
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
    const also = (section: string): string => `${section} UNION ALL ${section.replaceAll(AT, ancient)}`
    writeFileSync(
      join(folder, 'mapping.sql'),
      mappingText({ users: also(SECTIONS.users), votes: also(SECTIONS.votes), comments: also(SECTIONS.comments) }),
    )
    const ran = await begin(['--source', join(folder, 'mapping.sql'), '--snapshots', snapshots, '--database-url', url])
      .done
    expect(ran, ran.stderr).toMatchObject({ code: 0 })
    const { rows, ignored } = await readManifest(releasePaths(snapshots), await wholeCurrent(snapshots))
    expect(rows).toMatchObject({ users: 2, ideas: 1, votes: 2, comments: 2 })
    expect(ignored).toEqual(
      ['comments', 'users', 'votes'].map((relation) => ({
        relation,
        reason: 'undated: in totals and the period all only',
        rows: 1,
      })),
    )
  })
})
