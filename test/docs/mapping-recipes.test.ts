// What docs/mappings.md says of weighted votes, and docs/examples/one-project.sql, are run.
// long test: builds what the text says
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { loadMapping } from '../../src/source/mapping/mapping.ts'
import { run } from '../builder/build-program.ts'
import { readPlatform } from '../platforms/read-platform.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'
import { documentedSql, exampleMapping } from '../support/documented-mapping.ts'
import { describeWithPostgres } from '../support/postgres.ts'
import { buildAsRole } from './build-as-role.ts'

/** What the page changes to count each member once. */
const POINTS = 'FROM ballots b, generate_series(1, least(coalesce(b.points, 0), 10))'

const WEIGHTED_BUT_VOTES = `-- mapping: weighted-votes
-- requires members(id, joined_at)
-- requires proposals(id, title, theme, state, member_id, proposed_at)
-- requires ballots(proposal_id, member_id, points, cast_at)
-- section users
SELECT id, joined_at AS created_at FROM members
-- section ideas
SELECT id, title, proposed_at AS created_at, state = 'built' AS launched, NULL::timestamptz AS launched_at,
       '/proposals/' || id AS url, member_id AS author_id, state AS status
  FROM proposals WHERE state <> 'draft'
-- section idea_categories
SELECT id AS idea_id, theme AS category FROM proposals
-- section comments
SELECT NULL::text AS id, NULL::text AS idea_id, NULL::text AS user_id, NULL::timestamptz AS created_at WHERE false
`

const WEIGHTED = `
CREATE TABLE members (id int PRIMARY KEY, joined_at timestamptz NOT NULL, email text);
CREATE TABLE proposals (id int PRIMARY KEY, title text NOT NULL, theme text, state text NOT NULL,
  member_id int REFERENCES members, proposed_at timestamptz NOT NULL);
CREATE TABLE ballots (proposal_id int NOT NULL REFERENCES proposals, member_id int NOT NULL REFERENCES members, points int,
  cast_at timestamptz NOT NULL, PRIMARY KEY (proposal_id, member_id));
INSERT INTO members SELECT id, '2024-02-01 10:00Z' FROM generate_series(1, 5) id;
INSERT INTO proposals VALUES
  (1, 'Fountain', 'Water', 'open', 1, '2024-03-01 10:00Z'),
  (2, 'Benches', 'Parks', 'built', 2, '2024-03-02 10:00Z'),
  (3, 'Not yet', 'Parks', 'draft', 2, '2024-03-03 10:00Z');
INSERT INTO ballots VALUES
  (1, 1, 3, '2024-04-01 10:00Z'),     -- 3
  (1, 2, 1, '2024-05-31 10:00Z'),     -- 1, in the last day
  (1, 3, 0, '2024-04-01 10:00Z'),     -- none, and its member did nothing
  (1, 4, NULL, '2024-04-01 10:00Z'),  -- none
  (2, 1, 1000000, '2024-04-01 10:00Z'), -- 10: an error in the data does not decide the ranking
  (2, 5, -2, '2024-04-01 10:00Z'),    -- none
  (3, 3, 0, '2024-04-01 10:00Z');
`

const PROJECTS = `
CREATE TABLE projects (id int PRIMARY KEY, slug text UNIQUE NOT NULL, name text NOT NULL, public boolean NOT NULL, budget int);
CREATE TABLE members (id int PRIMARY KEY, joined_at timestamptz NOT NULL, blocked boolean NOT NULL, email text);
CREATE TABLE posts (id int PRIMARY KEY, project_id int REFERENCES projects, title text NOT NULL, state text, member_id int,
  posted_at timestamptz NOT NULL, hidden boolean NOT NULL, body text);
CREATE TABLE topics (project_id int REFERENCES projects, name text NOT NULL, color text);
CREATE TABLE post_topics (post_id int REFERENCES posts, name text NOT NULL);
CREATE TABLE hearts (post_id int REFERENCES posts, member_id int, given_at timestamptz NOT NULL, ip inet);
CREATE TABLE replies (id int PRIMARY KEY, post_id int REFERENCES posts, member_id int, written_at timestamptz NOT NULL,
  hidden boolean NOT NULL, body text);
INSERT INTO projects VALUES (1, 'park', 'The park', true), (2, 'harbour', 'The harbour', true), (3, 'secret', 'Secret', false);
INSERT INTO members SELECT id, '2024-02-01 10:00Z', id = 5 FROM generate_series(1, 7) id;
INSERT INTO posts VALUES
  (1, 1, 'Trees', 'done', 1, '2024-03-01 10:00Z', false),
  (2, 1, 'Swings', 'open', 2, '2024-03-02 10:00Z', false),
  (3, 1, 'Spam', 'open', 5, '2024-03-03 10:00Z', true),         -- hidden
  (4, 2, 'Cranes', 'open', 1, '2024-03-04 10:00Z', false),      -- another project, the same member
  (5, 3, 'Plans', 'open', 6, '2024-03-05 10:00Z', false);       -- a project that is not public
INSERT INTO topics VALUES (1, 'Green'), (1, 'Play'), (2, 'Ships'), (3, 'Hush');
INSERT INTO post_topics VALUES (1, 'Green'), (2, 'Play'), (3, 'Green'), (4, 'Ships'), (5, 'Hush');
INSERT INTO hearts VALUES
  (1, 2, '2024-04-01 10:00Z'), (1, 3, '2024-05-31 10:00Z'), (1, 5, '2024-04-01 10:00Z'),  -- that of a blocked member, too
  (3, 4, '2024-04-01 10:00Z'), (4, 4, '2024-04-01 10:00Z'), (4, 3, '2024-04-01 10:00Z'), (5, 6, '2024-04-01 10:00Z');
INSERT INTO replies VALUES
  (1, 1, 4, '2024-04-02 10:00Z', false), (2, 2, 7, '2024-04-02 10:00Z', true), (3, 4, 7, '2024-04-02 10:00Z', false);
`

describeWithPostgres('the recipes of docs/mappings.md', (postgres) => {
  const folder = temporaryFolder(afterAll)

  function written(name: string, sql: string): string {
    const file = join(folder, `${name}.sql`)
    writeFileSync(file, sql)
    return file
  }

  /** Writes rows to a database of the mapping's name. */
  async function documented(name: string, file: string, rows: string): Promise<{ file: string; url: string }> {
    const url = await postgres().createDatabase(name)
    await postgres().psql(`${rows} ANALYZE;`, name)
    return { file, url }
  }

  describe('votes with a weight', () => {
    let file: string
    let url: string
    beforeAll(async () => {
      const mapping = `${WEIGHTED_BUT_VOTES}-- section votes\n${documentedSql(POINTS)}`
      ;({ file, url } = await documented('weighted-votes', written('weighted-votes', mapping), WEIGHTED))
    })

    it('counts points as votes, and a member as one person', async () => {
      const read = await readPlatform(url, loadMapping(file, {}))
      expect(read.totals).toEqual({ users: 5, ideas: 2, votes: 14, comments: 0, launched: 1 })
      expect(read.ideas.map(({ title, votes }) => [title, votes])).toEqual([
        ['Benches', [10, 0]],
        ['Fountain', [4, 1]],
      ])
      expect(read.months['2024-04']).toMatchObject({ voters: 1 })
      expect(read.months['2024-05']).toMatchObject({ voters: 1 })
      // 1 and 2; 3, 4 and 5 gave no point.
      expect(read.active).toBe(2)
    })

    it('takes nothing but the warning of check that the page names, and the role', async () => {
      const checked = await run(['check', '--source', file, '--database-url', url, '--json'])
      expect(checked.code).toBe(0)
      const { findings } = JSON.parse(checked.stdout) as { findings: { about: string; problem: string }[] }
      expect(findings.filter(({ about }) => about === 'section votes').map(({ problem }) => problem)).toEqual([
        expect.stringContaining('a user has several votes on an idea'),
      ])
      await buildAsRole(postgres(), { name: 'weighted-votes', file, folder })
    })

    it('counts each member once with the other SELECT of the page', async () => {
      const other = written('each-once', readFileSync(file, 'utf8').replace(POINTS, 'FROM ballots b WHERE points > 0'))
      expect((await readPlatform(url, loadMapping(other, {}))).totals.votes).toBe(3)
    })
  })

  describe('one project of several', () => {
    let file: string
    let url: string
    beforeAll(async () => {
      ;({ file, url } = await documented('one-project', exampleMapping('one-project'), PROJECTS))
    })

    it('counts what the hand counts, and skips nothing', async () => {
      const read = await readPlatform(url, loadMapping(file, { project: 'park' }))
      // Members 1 and 2 wrote, 3 gave a heart, 4 replied; 5 is blocked, but the heart counts.
      expect(read.totals).toEqual({ users: 4, ideas: 2, votes: 3, comments: 1, launched: 1 })
      expect(read.ideas).toMatchObject([
        { title: 'Swings', categories: ['Play'], votes: [0, 0], comments: [0, 0] },
        { title: 'Trees', categories: ['Green'], votes: [3, 1], comments: [1, 0] },
      ])
      expect(read).toMatchObject({ active: 5, listed: ['Green', 'Play'], skipped: {} })
    })

    it('counts the other project by itself', async () => {
      const { totals } = await readPlatform(url, loadMapping(file, { project: 'harbour' }))
      expect(totals).toEqual({ users: 4, ideas: 1, votes: 2, comments: 1, launched: 0 })
    })

    it('passes check, which lists the projects that are public', async () => {
      const checked = await run(['check', '--source', file, '--database-url', url, '--param', 'project=park'])
      expect(checked).toMatchObject({ code: 0, stderr: '' })
      expect(checked.stdout).toContain('harbour')
      expect(checked.stdout).not.toContain('secret')
    })

    it('builds as its role, takes down a project that becomes private, and fails for one that is not there', async () => {
      const name = 'one-project'
      const again = await buildAsRole(postgres(), { name, file, folder, params: ['--param', 'project=park'] })
      await postgres().psql(`UPDATE projects SET public = false WHERE slug = 'park'`, name)
      expect(await again()).toMatchObject({ code: 0 })
      const manifest: unknown = JSON.parse(readFileSync(join(folder, name, 'current/manifest.json'), 'utf8'))
      expect(manifest).toMatchObject({ closed: true })
      await postgres().psql(`UPDATE projects SET slug = 'parks', public = true WHERE slug = 'park'`, name)
      expect(await again()).toMatchObject({ code: 3 })
    })
  })
})
