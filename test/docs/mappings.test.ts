// The whole example of docs/mappings.md, and that of docs/examples for Polis, are run.
// long test: builds what the text says
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { loadMapping } from '../../src/source/mapping/mapping.ts'
import { run } from '../builder/build-program.ts'
import { ideasOf, type ExpectedRead } from '../platforms/platform.ts'
import { readPlatform } from '../platforms/read-platform.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'
import { documentedSql, exampleMapping } from '../support/documented-mapping.ts'
import type { CheckReport } from '../../src/source/check/check.ts'
import { describeWithPostgres } from '../support/postgres.ts'
import { buildAsRole } from './build-as-role.ts'

const PRISMA = `
CREATE TYPE "IdeaStatus" AS ENUM ('OPEN', 'PLANNED', 'SHIPPED');
CREATE TABLE "User" (
  id text PRIMARY KEY, email text NOT NULL, banned boolean NOT NULL DEFAULT false, "createdAt" timestamp(3) NOT NULL);
CREATE TABLE "Idea" (
  id text PRIMARY KEY, title text NOT NULL, slug text NOT NULL, status "IdeaStatus" NOT NULL DEFAULT 'OPEN',
  tags text[] NOT NULL DEFAULT '{}', upvotes integer NOT NULL DEFAULT 0, "isPublic" boolean NOT NULL,
  "authorId" text REFERENCES "User", "createdAt" timestamp(3) NOT NULL, "shippedAt" timestamp(3), "deletedAt" timestamp(3));
CREATE TABLE "Comment" (
  id text PRIMARY KEY, "ideaId" text NOT NULL REFERENCES "Idea", "userId" text REFERENCES "User",
  hidden boolean NOT NULL DEFAULT false, "createdAt" timestamp(3) NOT NULL);

INSERT INTO "User" VALUES
  ('clu1', 'ada@example.org', false, '2024-01-31 23:30'),       -- counts; January in UTC
  ('clu2', 'ben@example.org', false, '2024-05-31 10:00'),       -- counts; in the last day
  ('clu3', 'spam@example.org', true, '2024-02-01 10:00');       -- banned
INSERT INTO "Idea" VALUES
  ('cli1', 'Dark mode', 'dark-mode', 'SHIPPED', '{UX,Mobile}', 3, true, 'clu1', '2024-02-01 10:00', '2024-03-01 10:00', NULL),
  ('cli2', 'Offline', 'offline', 'OPEN', '{Mobile,Mobile,"",NULL}', 2, true, NULL, '2024-02-02 10:00', NULL, NULL),
  ('cli3', 'Plain', 'plain', 'PLANNED', '{}', 0, true, 'clu2', '2024-05-31 10:00', '2024-03-01 10:00', NULL),
  ('cli4', 'Draft', 'draft', 'SHIPPED', '{UX}', 7, false, 'clu1', '2024-02-04 10:00', '2024-03-01 10:00', NULL),
  ('cli5', 'Deleted', 'deleted', 'OPEN', '{UX}', 9, true, 'clu1', '2024-02-05 10:00', NULL, '2024-02-06 10:00');
INSERT INTO "Comment" VALUES
  ('clc1', 'cli1', 'clu2', false, '2024-05-31 00:10'),          -- counts; in the last day, by ten minutes
  ('clc2', 'cli1', NULL, false, '2024-02-10 10:00'),            -- counts
  ('clc3', 'cli1', 'clu1', true, '2024-02-11 10:00'),           -- hidden
  ('clc4', 'cli4', 'clu1', false, '2024-02-12 10:00');          -- on a draft
`

const PRISMA_RIGHT: ExpectedRead = {
  totals: { users: 2, ideas: 3, votes: 5, comments: 2, launched: 1 },
  ideas: ideasOf(
    `
    cli3 | Plain     | 2024-05-31T10:00:00 | -                   | planned | 0 0 | 0 0 | -           | /ideas/plain
    cli2 | Offline   | 2024-02-02T10:00:00 | -                   | open    | 2 0 | 0 0 | Mobile      | /ideas/offline
    cli1 | Dark mode | 2024-02-01T10:00:00 | 2024-03-01T10:00:00 | shipped | 3 0 | 2 1 | Mobile + UX | /ideas/dark-mode`,
  ),
  months: {
    '2024-01': { newUsers: 1, active: 0, authors: 0, voters: 0, commenters: 0 },
    '2024-02': { newUsers: 0, active: 1, authors: 1, voters: 0, commenters: 0 },
    '2024-05': { newUsers: 1, active: 1, authors: 1, voters: 0, commenters: 1 },
  },
  active: 2,
  listed: [],
  skipped: {
    // 7 of the draft, 9 of the deleted idea.
    'votes: the idea is not among the ideas': 16,
    'votes: undated: in totals and the period all only': 5,
    'comments: the idea is not among the ideas': 1,
    'idea_categories: the idea is not among the ideas': 2,
    'idea_categories: blank, or the reserved name Uncategorized': 1,
    'idea_categories: category is NULL': 1,
  },
}

/** Milliseconds since 1970. */
const ms = (iso: string): number => Date.parse(`${iso}:00Z`)

const POLIS = `
CREATE SCHEMA polis;
CREATE TABLE polis.conversations (zid int PRIMARY KEY, topic text NOT NULL);
CREATE TABLE polis.comments (zid int, tid int, pid int, created bigint NOT NULL, mod int NOT NULL, txt text NOT NULL);
CREATE TABLE polis.votes (zid int, tid int, pid int, created bigint NOT NULL, vote smallint NOT NULL);
INSERT INTO polis.conversations VALUES (1, 'Cycling'), (2, 'Nothing to see yet');
INSERT INTO polis.comments VALUES
  (1, 0, 0, ${ms('2024-01-31T23:59')}, 1, 'More lanes'),        -- counts
  (1, 1, 1, ${ms('2024-05-31T12:00')}, 0, 'Fewer cars'),        -- counts: not moderated yet
  (1, 2, 2, ${ms('2024-02-02T10:00')}, -1, 'Rejected');         -- rejected
INSERT INTO polis.votes VALUES
  (1, 0, 1, ${ms('2024-02-01T10:00')}, 1),                      -- agrees: counts
  (1, 0, 2, ${ms('2024-02-01T10:00')}, 1),                      -- agrees, and takes it back below
  (1, 0, 2, ${ms('2024-02-03T10:00')}, 0),
  (1, 0, 3, ${ms('2024-02-01T10:00')}, -1),                     -- disagrees, and changes that below: counts
  (1, 0, 3, ${ms('2024-05-31T00:10')}, 1),
  (1, 2, 0, ${ms('2024-02-04T10:00')}, 1);                      -- on the rejected one
`

const POLIS_RIGHT: ExpectedRead = {
  totals: { users: 4, ideas: 2, votes: 2, comments: 0, launched: 0 },
  ideas: ideasOf(
    `
    1-1 | Fewer cars | 2024-05-31T12:00:00 | - | unmoderated | 0 0 | 0 0 | Cycling | -
    1-0 | More lanes | 2024-01-31T23:59:00 | - | accepted    | 2 1 | 0 0 | Cycling | -`,
  ),
  months: {
    // Participant 0 wrote; 1, 2 and 3 arrived with their first vote, in February.
    '2024-01': { newUsers: 1, active: 1, authors: 1, voters: 0, commenters: 0 },
    '2024-02': { newUsers: 3, active: 1, authors: 0, voters: 1, commenters: 0 },
    // 1 wrote, and the last vote of 3 is of this month.
    '2024-05': { newUsers: 0, active: 2, authors: 1, voters: 1, commenters: 0 },
  },
  active: 3,
  listed: ['Cycling', 'Nothing to see yet'],
  skipped: {
    'votes: value is not above zero': 1,
    'votes: the idea is not among the ideas': 1,
    'idea_categories: the idea is not among the ideas': 1,
  },
}

const PRISMA_MAPPING = documentedSql('-- mapping: prisma-app')

describeWithPostgres('the mappings of docs/mappings.md', (postgres) => {
  const folder = temporaryFolder(afterAll)

  describe.each([
    ['prisma-app', PRISMA, PRISMA_RIGHT],
    ['open-polis', POLIS, POLIS_RIGHT],
  ])('%s', (name, rows, right) => {
    let file: string
    let url: string
    beforeAll(async () => {
      file = name === 'prisma-app' ? join(folder, `${name}.sql`) : exampleMapping(name)
      if (name === 'prisma-app') writeFileSync(file, PRISMA_MAPPING)
      url = await postgres().createDatabase(name)
      await postgres().psql(`${rows} ANALYZE;`, name)
    })

    test('counts what the hand counts', async () => {
      expect(await readPlatform(url, loadMapping(file, {}))).toEqual(right)
    })

    /** The file, with the lines that check proposes where it has none. */
    const withRequires = async (source: string, to: string): Promise<string> => {
      const { stdout } = await run(['check', '--source', source, '--database-url', to, '--json'])
      const { proposedRequires } = JSON.parse(stdout) as Pick<CheckReport, 'proposedRequires'>
      const lines = proposedRequires.map(({ table, columns }) => `-- requires ${table}(${columns.join(', ')})\n`)
      const copy = join(folder, `${name}-with-requires.sql`)
      writeFileSync(copy, readFileSync(source, 'utf8').replace(/^-- section /m, `${lines.join('')}-- section `))
      return copy
    }

    test('passes check, builds, and gets a role that suffices', async () => {
      const checked = await run(['check', '--source', file, '--database-url', url])
      expect(checked).toMatchObject({ code: 0, stderr: '' })
      expect(checked.stdout).toContain(`${right.totals.users} users, ${right.totals.ideas} ideas`)
      await buildAsRole(postgres(), { name, file: await withRequires(file, url), folder })
      expect(JSON.parse(readFileSync(join(folder, name, 'current/public/stats.json'), 'utf8'))).toMatchObject({
        stats: { totalUsers: right.totals.users, totalIdeas: right.totals.ideas, totalVotes: right.totals.votes },
      })
    })
  })
})
