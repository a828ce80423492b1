// Sections `where present` on a real server: which one is used, in check, grants and a build. mapping-file.ts
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { readClosedOf, readPlatform } from '../../platforms/read-platform.ts'
import { run } from '../../builder/build-program.ts'
import { loadMapping } from '../../../src/source/mapping/mapping.ts'
import { check, sourceOf } from '../check/checking.ts'
import { temporaryFolder } from '../../support/temporary-folder.ts'
import { describeWithPostgres } from '../../support/postgres.ts'
import { as } from '../../support/session.ts'

const MAPPING = `-- mapping: versions
-- param tenant : identifier = app
-- param topic : text =
-- requires :tenant.ideas(id, made)
-- requires :tenant.topics(idea_id, name) where present -- until 2
-- requires :tenant.input_topics(idea_id, title) where present -- 2
-- requires :tenant.input_topics(parent) where present -- 3
-- choices topic
SELECT name AS value, 'topic' AS label FROM :tenant.topics
-- choices topic where present
SELECT title AS value, 'input topic' AS label FROM :tenant.input_topics
-- section users
SELECT id, made AS created_at FROM :tenant.ideas WHERE false
-- section ideas
SELECT id, 'x' AS title, made AS created_at, false AS launched, NULL::timestamptz AS launched_at, NULL AS url,
       NULL::int AS author_id, NULL AS status FROM :tenant.ideas
-- section idea_categories
SELECT idea_id, name AS category FROM :tenant.topics
-- section idea_categories where present
SELECT idea_id, title AS category FROM :tenant.input_topics
-- section votes
SELECT NULL::int AS idea_id, NULL::int AS user_id, 1 AS value, NULL::timestamptz AS created_at WHERE false
-- section comments
SELECT NULL::int AS id, NULL::int AS idea_id, NULL::int AS user_id, NULL::timestamptz AS created_at WHERE false
-- section categories where present
SELECT title AS name FROM :tenant.input_topics
-- section closed
SELECT false AS closed
`
const IDEAS = `CREATE SCHEMA app; CREATE TABLE app.ideas (id int, made timestamptz); INSERT INTO app.ideas VALUES (1, '2024-01-01Z');`
const OLD = `CREATE TABLE app.topics (idea_id int, name text); INSERT INTO app.topics VALUES (1, 'Old');`
const NEW = `CREATE TABLE app.input_topics (idea_id int, title text); INSERT INTO app.input_topics VALUES (1, 'New'), (NULL, 'Unused');`
const ELSEWHERE = `CREATE SCHEMA other; CREATE TABLE other.input_topics (idea_id int, title text); CREATE TABLE input_topics (idea_id int, title text);`
const HALF = `CREATE TABLE app.input_topics (idea_id int);`

describeWithPostgres('a section where present', (postgres) => {
  const folder = temporaryFolder(afterAll)
  const file = join(folder, 'versions.sql')
  let grants: string
  beforeAll(async () => {
    writeFileSync(file, MAPPING)
    grants = (await run(['grants', '--source', file, '--role', 'reader_of_versions'])).stdout
  })

  const old = { categories: ['Old'], listed: [] }
  const fresh = { categories: ['New'], listed: ['New', 'Unused'] }
  test.each([
    ['is not used where its table is absent', OLD, old],
    ['is used where its table is there', NEW, fresh],
    ['is used where both tables are', OLD + NEW, fresh],
    ['is not used where the table is in other schemas only', OLD + ELSEWHERE, old],
    ['is not used where the table lacks a column', OLD + HALF, old],
  ])('%s', async (what, tables, expected) => {
    const database = what.replaceAll(' ', '_')
    const url = await postgres().createDatabase(database)
    await postgres().psql(`${IDEAS}${tables}ANALYZE; ${grants}`, database)
    const asRole = as('reader_of_versions', url)
    const mapping = loadMapping(file, {})
    const read = await readPlatform(asRole, mapping)
    const report = await check(asRole, sourceOf(MAPPING))
    expect(report.findings).toEqual([])
    expect(read).toMatchObject({ ideas: [{ categories: expected.categories }], listed: expected.listed })
    expect(report).toMatchObject({ site: { closed: false }, totals: { ideas: 1 } })
    expect(report.params.find(({ name }) => name === 'topic')?.choices?.[0]?.value).toBe(expected.categories[0])
    expect(await readClosedOf(asRole, mapping)).toBe(null)
  })

  test('changes the hash of the mapping, as any text does', () => {
    const other = join(folder, 'other.sql')
    writeFileSync(other, MAPPING.replace('title AS category', 'upper(title) AS category'))
    expect(loadMapping(other, {}).sha256).not.toBe(loadMapping(file, {}).sha256)
  })

  test('leaves the hash of the mapping as releases have it: section closed is hashed before it', () => {
    expect(loadMapping(file, {}).sha256).toBe('4968c28cc9891f5d86e359630d720508e0d23ad299dedffe8a4174c8b3b6d3a0')
  })
})
