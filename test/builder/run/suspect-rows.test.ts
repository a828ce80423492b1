// What a build does with the slips of a mapping that its rows show: it fails where an id comes twice, else it publishes, warns
// and says so in its metrics. Tests skipped-rows.ts and counting.ts of src/source/read, and src/builder/run/warnings.ts.
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, expect, test } from 'vitest'
import { temporaryFolder } from '../../support/temporary-folder.ts'
import { describeWithPostgres } from '../../support/postgres.ts'
import { NO_TABLES } from '../../source/check/checking.ts'
import { failureOf, logOf, run } from '../build-program.ts'

const SUSPECT = 'analytics_build_last_run_suspect_ratio'

describeWithPostgres('a build of a mapping with a slip', (postgres) => {
  let url: string
  beforeAll(async () => {
    url = await postgres().createDatabase('suspect')
  })

  const build = async (sections: Readonly<Record<string, string>>, ...more: readonly string[]) => {
    const folder = temporaryFolder()
    const texts = Object.entries({ ...NO_TABLES, ...sections }).map(([name, sql]) => `-- section ${name}\n${sql}`)
    const [source, metrics] = [join(folder, 'mine.sql'), join(folder, 'build.prom')]
    writeFileSync(source, ['-- mapping: mine', ...texts].join('\n'))
    const places = ['--source', source, '--snapshots', join(folder, 'snapshots'), '--metrics-file', metrics]
    const ran = await run(['--database-url', url, ...places, '--no-site', ...more])
    return { ran, metrics: readFileSync(metrics, 'utf8').split('\n') }
  }
  const votes = (idea: string): string =>
    `SELECT ${idea} AS idea_id, i AS user_id, 1 AS value, now() - interval '1 day' AS created_at FROM generate_series(1, 10) i`

  test.each([
    ['users', `VALUES (1, now() - interval '1 day'), (1, now() - interval '2 days')`, 'id, created_at'],
    ['users', `VALUES ('a', NULL::timestamptz), ('b', NULL), ('a', NULL)`, 'id, created_at'],
    ['comments', `VALUES (7, 1, 1, NULL::timestamptz), (7, 1, 2, NULL)`, 'id, idea_id, user_id, created_at'],
    ['comments', `VALUES ('x', 404, 1, NULL::timestamptz), ('x', 1, 2, NULL)`, 'id, idea_id, user_id, created_at'],
  ])('ends where section %s returns an id twice: %s', async (relation, values, columns) => {
    const { ran, metrics } = await build({ [relation]: `SELECT * FROM (${values}) AS v (${columns})` })
    expect([ran.code, failureOf(ran)]).toEqual([
      3,
      expect.stringContaining(`mapping mine, section ${relation}: it returns an id several times; return each once`),
    ])
    expect(metrics).toContain('analytics_build_last_run_result{result="source"} 1')
  })

  test('says what a section must not call where it returns other ideas when it is read again', async () => {
    const ideas = NO_TABLES.ideas.replace('1 AS id', '(random() * 1e9)::int AS id')
    const { ran } = await build({ ideas })
    expect([ran.code, failureOf(ran)]).toEqual([
      3,
      expect.stringMatching(
        /mapping mine, section ideas: read twice, the section returned other ideas .*no random\(\)/,
      ),
    ])
    expect(failureOf(ran)).not.toContain('mistake')
  })

  test('does not ask for the ids of people whose numbers are not published', async () => {
    const twice = { users: `SELECT 1 AS id, now() - interval '1 day' AS created_at FROM generate_series(1, 2)` }
    expect((await build(twice, '--people', 'off')).ran.code).toBe(0)
    expect((await build(twice, '--people', 'rounded')).ran.code).toBe(3)
  })

  test('counts comments without an id, each as one', async () => {
    const comments = `SELECT NULL::int AS id, 1 AS idea_id, 1 AS user_id, now() - interval '1 day' AS created_at FROM generate_series(1, 3)`
    const { ran } = await build({ comments }, '--json')
    expect(JSON.parse(ran.stdout)).toMatchObject({ rows: { comments: 3 } })
  })

  test('warns where a tenth of a relation or more is lost, and its metrics say which part', async () => {
    const { ran, metrics } = await build({ votes: votes('CASE WHEN i < 4 THEN 404 ELSE 1 END') })
    expect(ran.code).toBe(0)
    expect(logOf(ran)).toContainEqual(
      expect.objectContaining({
        message:
          'is the mapping right? 3 of 10 votes: the idea is not among the ideas; analytics-build check says more',
      }),
    )
    expect(metrics).toContain(`${SUSPECT}{relation="votes",reason="the idea is not among the ideas"} 0.3`)
  })

  test('says nothing where it is less', async () => {
    const { ran, metrics } = await build({ votes: votes('CASE WHEN i < 2 THEN 404 ELSE 1 END') })
    expect([ran.code, logOf(ran)]).toEqual([0, []])
    expect(metrics.filter((line) => line.startsWith(SUSPECT))).toEqual([])
  })

  test('does not tell metrics which part of all accounts is dated tomorrow, where their number is rounded', async () => {
    const users = `SELECT i AS id, now() + interval '1 day' AS created_at FROM generate_series(1, 9) i`
    const line = `${SUSPECT}{relation="users",reason="dated at or after dataAsOf"} 1`
    expect((await build({ users })).metrics).toContain(line)
    const rounded = await build({ users }, '--people', 'rounded')
    expect(rounded.metrics.filter((one) => one.startsWith(SUSPECT))).toEqual([])
    expect(logOf(rounded.ran)).toContainEqual(
      expect.objectContaining({
        message: expect.stringContaining('9 of 9 users: dated at or after dataAsOf') as string,
      }),
    )
  })
})
