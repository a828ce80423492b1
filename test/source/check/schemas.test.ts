// A mapping of a platform with a schema per tenant, and with shared SQL: check, grants and init on a real server.
// requires-line.ts, shared-sql.ts.
// long test: a database for each case
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { escapeIdentifier } from 'pg'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { readClosedOf, readPlatform } from '../../platforms/read-platform.ts'
import { loadMapping } from '../../../src/source/mapping/mapping.ts'
import { run } from '../../builder/build-program.ts'
import { temporaryFolder } from '../../support/temporary-folder.ts'
import { describeWithPostgres } from '../../support/postgres.ts'
import { as } from '../../support/session.ts'
import { about, check, errorsOf, sourceOf } from './checking.ts'

const MAPPING = `-- mapping: towns
-- param town : identifier -- the schema of the town
-- param open : boolean = true
-- requires :town.people(id, joined)
-- requires :town."Idea"(id, title, made, person_id, "public")
-- requires :town.hidden(idea_id)
-- section with
visible AS (
  SELECT i.* FROM (SELECT id, title, made, person_id FROM :town."Idea" WHERE "public" = :open) AS i
   WHERE NOT EXISTS (SELECT FROM :town.hidden h WHERE h.idea_id = i.id)
)
-- section users
SELECT id, joined AS created_at FROM :town.people
-- section ideas
SELECT id, title, made AS created_at, false AS launched, NULL::timestamptz AS launched_at, NULL AS url,
       person_id AS author_id, NULL AS status
  FROM visible
-- section idea_categories
SELECT id AS idea_id, left(title, 1) AS category FROM visible
-- section votes
SELECT NULL::int AS idea_id, NULL::int AS user_id, 1 AS value, NULL::timestamptz AS created_at WHERE false
-- section comments
SELECT NULL::int AS id, NULL::int AS idea_id, NULL::int AS user_id, NULL::timestamptz AS created_at WHERE false
-- section closed
SELECT NOT EXISTS (SELECT FROM visible) AS closed
`
/** Whatever may be the name of a schema, with the number of its visible ideas. */
const TOWNS: Readonly<Record<string, number>> = {
  north: 1,
  North: 2,
  'a.b"c': 3,
  select: 4,
  'Größe 😀': 5,
  [`pg' --`]: 6,
  ['x'.repeat(63)]: 7,
}

const townSql = (town: string, ideas: number): string => {
  const schema = escapeIdentifier(town)
  return `
CREATE SCHEMA ${schema};
CREATE TABLE ${schema}.people (id int, joined timestamptz, secret text);
CREATE TABLE ${schema}."Idea" (id int, title text, made timestamptz, person_id int, "public" boolean, secret text);
CREATE TABLE ${schema}.hidden (idea_id int, secret text);
INSERT INTO ${schema}.people VALUES (1, '2024-01-01Z', 'x');
INSERT INTO ${schema}."Idea" SELECT n, 'Idea ' || n, '2024-01-02Z', 1, true, 'x' FROM generate_series(1, ${ideas} + 1) AS n;
INSERT INTO ${schema}."Idea" VALUES (99, 'Draft', '2024-01-02Z', 1, false, 'x');
INSERT INTO ${schema}.hidden VALUES (1, 'x');`
}

describeWithPostgres('a schema per tenant', (postgres) => {
  let url: string
  const file = join(temporaryFolder(afterAll), 'towns.sql')
  beforeAll(async () => {
    url = await postgres().createDatabase('towns')
    await postgres().psql(
      `${Object.entries(TOWNS)
        .map(([town, ideas]) => townSql(town, ideas))
        .join('')} ANALYZE;
      CREATE SCHEMA half; CREATE TABLE half.people (id int, joined timestamptz);`,
      'towns',
    )
    writeFileSync(file, MAPPING)
  })

  describe.each(Object.entries(TOWNS))('%j', (town, ideas) => {
    const role = `reader of ${town}`.slice(0, 30)
    const asRole = (): string => as(role, url)

    test('is read by a role that has its grants and no other', async () => {
      const { code, stdout } = await run(['grants', '--source', file, '--param', `town=${town}`, '--role', role])
      expect(code).toBe(0)
      await postgres().psql(stdout, 'towns')
      const mapping = loadMapping(file, { town })
      expect(await readClosedOf(asRole(), mapping)).toBe(null)
      expect((await readPlatform(asRole(), mapping)).totals).toMatchObject({ users: 1, ideas })
      const report = await check(asRole(), sourceOf(MAPPING), { params: { town } })
      expect(report.findings).toEqual([])
      expect(report.totals).toMatchObject({ ideas, categories: 1 })
    })
  })

  test('that is not there is named in check, with those that are, and its tables in a build', async () => {
    const report = await check(url, sourceOf(MAPPING), { params: { town: 'NORTH' } })
    expect(errorsOf(report)).toContain('param town: --param town: the database has no NORTH')
    const [finding] = about(report, 'param town')
    expect(finding?.fix).toMatch(/^one of: --param town=x{63}, --param town='pg'\\'' --', .*--param town=north$/)
    await expect(readPlatform(url, loadMapping(file, { town: 'NORTH' }))).rejects.toThrow(
      /mapping towns: table "NORTH"\.people does not exist, .* right here, with its parameters\?/,
    )
  })

  test('that lacks a table is told which', async () => {
    const report = await check(url, sourceOf(MAPPING), { params: { town: 'half' } })
    expect(errorsOf(report).filter((text) => text.startsWith('requires'))).toEqual([
      'requires: table half."Idea" does not exist',
      'requires: table half.hidden does not exist',
    ])
  })

  test('that is not given is asked for, with a list that needs no choices', async () => {
    const report = await check(url, sourceOf(MAPPING))
    expect(errorsOf(report)).toEqual([
      'param town: --param town=VALUE is required (identifier: the schema of the town)',
    ])
    expect(report.params[0]?.choices?.map(({ value }) => value).sort()).toEqual(Object.keys(TOWNS).sort())
  })

  test('that is not given has no grants either', async () => {
    const { code, stderr } = await run(['grants', '--source', file])
    expect(code).toBe(2)
    expect(stderr).toContain('--param town=VALUE is required by mapping towns (identifier: the schema of the town)')
  })

  test('is in the requires lines that are proposed as the parameter, also what only shared SQL reads', async () => {
    const bare = sourceOf(MAPPING.replaceAll(/^-- requires .*\n/gm, ''))
    const report = await check(url, bare, { params: { town: 'a.b"c' } })
    expect(report.proposedRequires.map(({ table, columns }) => `${table}(${columns.join(', ')})`).sort()).toEqual([
      ':town."Idea"(id, title, made, person_id, public)',
      ':town.hidden(idea_id)',
      ':town.people(id, joined)',
    ])
  })

  test('an error quotes the line in which it is, also of shared SQL', async () => {
    const wrong = MAPPING.replace('SELECT FROM :town.hidden h', 'SELECT nothing FROM :town.hidden h')
    const places = async (text: string): Promise<string[]> =>
      (await check(url, sourceOf(text), { params: { town: 'north' } })).findings.map((one) => one.about)
    expect(await places(wrong)).toContainEqual(expect.stringMatching(/^section ideas, in ".*SELECT nothing FROM .* h/))
    const own = await places(MAPPING.replace('person_id AS author_id', 'nobody AS author_id'))
    expect(own).toContainEqual(expect.stringMatching(/^section ideas, in ".*nobody AS author_id/))
  })
})

describeWithPostgres('shared SQL whose part is called like a table', (postgres) => {
  test('is an error of check, which says what a section would read', async () => {
    const url = await postgres().createDatabase('shadow')
    await postgres().psql('CREATE TABLE visible (id int); CREATE SCHEMA t; CREATE TABLE t.visible (id int)', 'shadow')
    const text = `-- mapping: shadow
-- section with
visible AS (SELECT 1 AS id)
-- section users
SELECT id, now() AS created_at FROM visible
-- section ideas
SELECT 1 AS id, 'x' AS title, now() AS created_at, false AS launched, NULL::timestamptz AS launched_at, NULL AS url, 1 AS author_id, NULL AS status
-- section idea_categories
SELECT 1 AS idea_id, 'x' AS category
-- section votes
SELECT 1 AS idea_id, 1 AS user_id, 1 AS value, now() AS created_at
-- section comments
SELECT 1 AS id, 1 AS idea_id, 1 AS user_id, now() AS created_at
`
    const report = await check(url, sourceOf(text))
    expect(errorsOf(report)).toEqual([
      'section with: visible is also a table of this database: the sections read the part, not the table',
    ])
    expect(about(report, 'section with')[0]?.fix).toBe(
      'give the part another name, or write public.visible where the table is meant',
    )
  })
})
