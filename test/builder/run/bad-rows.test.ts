// Whole builds over rows that break a rule: each is published without them, says so, and is found whole by verify.
// long test: starts the program, or builds, for each case
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import type { Manifest } from '../../../src/release/format/manifest.ts'
import { temporaryFolder } from '../../support/temporary-folder.ts'
import { describeWithPostgres } from '../../support/postgres.ts'
import { logOf, run } from '../build-program.ts'

const TABLES = `
CREATE TABLE u (id int, at timestamptz);
CREATE TABLE i (id int, title text, at timestamptz, launched boolean, author int);
CREATE TABLE t (idea int, tag text);
CREATE TABLE v (idea int, voter int, value int, at timestamptz);
CREATE TABLE c (id int, idea int, voter int, at timestamptz);
INSERT INTO u VALUES (1, '2024-03-01'), (2, '2024-03-02');
INSERT INTO i VALUES (1, 'One', '2024-03-03', false, 1), (2, 'Two', '2024-03-04', true, 2);
INSERT INTO v VALUES (1, 2, 1, '2024-03-05');
INSERT INTO c VALUES (1, 1, 2, '2024-03-05');
INSERT INTO t VALUES (1, 'Product')`
const MAPPING = `
-- mapping: bare
-- section users
SELECT id, at AS created_at FROM u
-- section ideas
SELECT id, title, at AS created_at, launched, NULL::timestamptz AS launched_at, NULL AS url, author AS author_id, NULL AS status FROM i
-- section idea_categories
SELECT idea AS idea_id, tag AS category FROM t
-- section votes
SELECT idea AS idea_id, voter AS user_id, value, at AS created_at FROM v
-- section comments
SELECT id, idea AS idea_id, voter AS user_id, at AS created_at FROM c`

describeWithPostgres('a build', (postgres) => {
  let databases = 0
  const built = async (
    rows: string,
  ): Promise<{
    code: number | null
    stderr: string
    warnings: string[]
    manifest: Manifest
    verified: number | null
    bytes: number
  }> => {
    const name = `bad_rows_${++databases}`
    const url = await postgres().createDatabase(name)
    await postgres().psql(`${TABLES};\n${rows}`, name)
    const folder = temporaryFolder()
    const mapping = join(folder, 'bare.sql')
    writeFileSync(mapping, MAPPING)
    const env = { DATABASE_URL: url, ANALYTICS_SNAPSHOTS: join(folder, 'snapshots'), ANALYTICS_SOURCE: mapping }
    const done = await run([], env)
    const current = join(folder, 'snapshots', 'current')
    const manifest = JSON.parse(readFileSync(join(current, 'manifest.json'), 'utf8')) as Manifest
    return {
      code: done.code,
      stderr: done.stderr,
      warnings: logOf(done)
        .filter(({ level }) => level === 'warn')
        .map(({ message }) => message),
      manifest,
      verified: (await run(['verify'], env)).code,
      bytes: manifest.files.reduce((sum, file) => sum + file.bytes, 0),
    }
  }

  it('publishes what is right, and warns of what is not', async () => {
    const { code, warnings, manifest, verified } = await built(`
      INSERT INTO u VALUES (NULL, '2024-03-01'), (3, NULL), (4, '-infinity');
      INSERT INTO i VALUES (3, 'Three', NULL, true, 3), (4, 'Four', '2024-03-04', NULL, 4);
      INSERT INTO t VALUES (1, NULL), (2, repeat('x', 201)), (NULL, 'Nobody');
      INSERT INTO v VALUES (1, 5, NULL, NULL), (NULL, 5, 1, NULL), (3, 5, 1, NULL);
      INSERT INTO c VALUES (2, 1, 2, NULL), (3, NULL, 2, '2024-03-05')`)
    expect({ code, verified }).toEqual({ code: 0, verified: 0 })
    expect(manifest.rows).toEqual({ users: 4, ideas: 3, votes: 1, comments: 2, launchedIdeas: 1, categories: 2 })
    const faults = [
      '1 comments: idea_id is NULL',
      '1 comments: undated: in totals and the period all only',
      '1 idea_categories: category is NULL',
      '1 idea_categories: idea_id is NULL',
      '1 idea_categories: over 200 characters',
      '1 ideas: created_at is NULL, or before the year 1',
      '1 ideas: launched is NULL: not launched',
      '1 users: dated before 1990-01-01: in totals and the period all only',
      '1 users: id is NULL',
      '1 votes: idea_id is NULL',
      '1 votes: the idea is left out',
      '1 votes: value is NULL',
    ]
    const inWords = faults.map((one) =>
      one.replace('1 idea_categories', '1 idea_category').replace(/^1 (\w+)s:/, '1 $1:'),
    )
    expect(warnings).toEqual([
      `rows that break a rule are left out or count without what is wrong: ${inWords.join('; ')}`,
    ])
    // Neither a launch nor an account without a date is a fault.
    const noted = manifest.ignored.map(({ relation, reason, rows }) => `${rows} ${relation}: ${reason}`)
    expect(noted.filter((one) => !faults.includes(one))).toEqual([
      '1 ideas: launched without a date',
      '1 users: undated: in totals and the period all only',
    ])
    expect(noted).toEqual(expect.arrayContaining(faults))
  })

  it('of nothing that has a date is published and whole', async () => {
    const { code, manifest, verified } = await built(`UPDATE u SET at = NULL; DELETE FROM i`)
    expect({ code, verified, rows: manifest.rows }).toMatchObject({
      code: 0,
      verified: 0,
      rows: { users: 2, ideas: 0 },
    })
  })

  it('is not filled by one row of 20 MB, whichever column it is in', async () => {
    const plain = await built('')
    const long = `repeat('x', 20000000)`
    const { code, manifest, bytes, verified } = await built(`
      INSERT INTO i VALUES (3, ${long}, '2024-03-04', false, NULL); INSERT INTO t VALUES (1, ${long})`)
    expect({ code, verified, ideas: manifest.rows.ideas }).toEqual({ code: 0, verified: 0, ideas: 3 })
    expect(manifest.categories.map(({ name }) => name)).toEqual(['Product', 'Uncategorized'])
    // A title of 10,000 is in a few dozen files.
    expect(bytes).toBeLessThan(plain.bytes + 2_000_000)
  })
  it('is not ended by one idea with 60,000 categories of 10,000 characters, 600 MB together', async () => {
    // A view: storing that much takes most of a minute.
    const { code, verified, manifest } = await built(
      `DROP TABLE t; CREATE VIEW t AS SELECT 1 AS idea, n || repeat('x', 10000) AS tag FROM generate_series(1, 60000) AS n`,
    )
    expect({ code, verified }).toEqual({ code: 0, verified: 0 })
    expect(manifest.categories.map(({ name }) => name)).toEqual(['Uncategorized'])
    expect(manifest.ignored).toContainEqual({
      relation: 'idea_categories',
      reason: 'over 200 characters',
      rows: 60_000,
    })
  })
})
