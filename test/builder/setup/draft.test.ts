// A draft for a platform that nobody knows, from a real database with the answers that are proposed: src/source/mapping/draft.ts,
// src/builder/setup/draft-question.ts. It starts a real PostgreSQL.
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, test } from 'vitest'
import type { Ask } from '../../../src/builder/setup/ask.ts'
import { draftMapping } from '../../../src/builder/setup/draft-question.ts'
import { lookAt } from '../../../src/builder/setup/look.ts'
import { parseDatabaseUrl } from '../../../src/source/database/parse-target.ts'
import { openMapping } from '../../../src/source/mapping/mapping.ts'
import { packagePath } from '../../../src/process/package-root.ts'
import { temporaryFolder } from '../../release/sample-release.ts'
import { describeWithPostgres } from '../../support/postgres.ts'

const SCHEMA = `
  CREATE TABLE members (id int, email text, joined_on date, tenant_id int);
  CREATE TABLE wishes (id int, tenant_id int, title text, state text, theme text, member_id int, hidden boolean,
                       deleted_at timestamp, created_at timestamp, finished_at timestamp);
  CREATE TABLE wish_likes (wish_id int, member_id int, created_at timestamptz);
  CREATE TABLE remarks (id int, wish_id int, member_id int, body text, created_at bigint);
  CREATE TABLE audit_log (id int, what text);
  INSERT INTO members VALUES (1, 'a', '2024-01-01', 1), (2, 'b', '2024-02-01', 1), (3, 'c', '2024-02-01', 2);
  INSERT INTO wishes VALUES
    (1, 1, 'A bench', 'finished', 'parks', 1, false, NULL, '2024-03-01', '2024-04-01'),
    (2, 1, 'A tree', 'new', NULL, 2, false, NULL, '2024-03-02', NULL),
    (3, 1, 'Hidden', 'new', NULL, 2, true, NULL, '2024-03-03', NULL),
    (4, 1, 'Deleted', 'new', NULL, 2, false, '2024-03-05', '2024-03-03', NULL),
    (5, 2, 'Of another site', 'new', NULL, 3, false, NULL, '2024-03-03', NULL);
  INSERT INTO wish_likes VALUES (1, 2, '2024-03-05'), (2, 1, '2024-03-06'), (3, 1, '2024-03-07'), (5, 3, '2024-03-07');
  INSERT INTO remarks VALUES (1, 1, 2, 'yes', 1709700000);
  ANALYZE;`

/** Takes what is proposed first, but for some answers. */
function proposals(asked: string[], other: Readonly<Record<string, unknown>>): Ask {
  const answer = <T>(message: string, proposed: T): T => {
    asked.push(message)
    const key = Object.keys(other).find((start) => message.startsWith(start))
    return key === undefined ? proposed : (other[key] as T)
  }
  return {
    again: true,
    text: async ({ message, byDefault }) => answer(message, byDefault ?? ''),
    secret: async () => '',
    choose: async ({ message, options, byDefault }) => answer(message, byDefault ?? options[0]?.value ?? ('' as never)),
    several: async ({ message, byDefault }) => answer(message, byDefault),
    confirm: async ({ message, byDefault }) => answer(message, byDefault),
    say() {},
    show() {},
    warn() {},
  }
}

describeWithPostgres('a platform that nobody knows', (postgres) => {
  let url = ''
  beforeAll(async () => {
    url = await postgres().createDatabase('strange')
    await postgres().psql(SCHEMA, 'strange')
  })

  test('whose status is in another table, or not known, is launched by its name', async () => {
    const other = await postgres().createDatabase('other')
    await postgres().psql(
      `CREATE TABLE statuses (id int PRIMARY KEY, name text);
       CREATE TABLE ideas (id int, title text, status_id int REFERENCES statuses, created_at timestamptz);
       INSERT INTO statuses VALUES (1, 'Geplant'), (2, 'Umgesetzt');
       INSERT INTO ideas VALUES (1, 'A', 1, '2024-03-01'), (2, 'B', 2, '2024-03-01'), (3, 'C', NULL, '2024-03-01');
       ANALYZE`,
      'other',
    )
    const { file } = await draft({}, other)
    expect(await checked(file, {}, other)).toMatchObject({ ideas: 3, launched: 1, errors: [] })
    const text = readFileSync(file, 'utf8')
    expect(text).toContain(`coalesce((SELECT given.name::text FROM statuses AS given`)
    expect(text).toContain(`--       status_id: 'Geplant', 'Umgesetzt'\n`)
  })

  const draft = async (
    other: Readonly<Record<string, unknown>> = {},
    to = url,
  ): Promise<{ file: string; asked: string[] }> => {
    const look = lookAt(parseDatabaseUrl(to), new AbortController().signal)
    const file = join(temporaryFolder(), 'my-platform.sql')
    const asked: string[] = []
    await draftMapping(proposals(asked, other), await look.catalog(), look, file, async (path, text) =>
      writeFileSync(path, text),
    )
    return { file, asked }
  }
  const checked = async (file: string, given: Readonly<Record<string, string>>, to = url): Promise<object> => {
    const { totals, findings } = await lookAt(parseDatabaseUrl(to), new AbortController().signal).check(
      { mapping: openMapping(file), name: file },
      given,
    )
    return { ...totals, errors: findings.filter(({ level }) => level === 'error') }
  }

  test('gets a mapping that counts, with the tables that look like ours and the five answers', async () => {
    const { file, asked } = await draft()
    expect(asked.map((message) => message.slice(0, 18))).toEqual([
      'Which table has th',
      'Which table has th',
      'Which table has th',
      'Which table has th',
      '1. An idea is seen',
      '2. Which values of',
      '3. Is theme the ca',
      '4. Time zone of wi',
      '5. Does tenant_id ',
    ])
    expect(await checked(file, { site: '1' })).toEqual({
      users: 2,
      ideas: 2,
      launched: 1,
      votes: 2,
      comments: 1,
      categories: 2,
      ideasWithoutCategory: 1,
      errors: [],
    })
    expect(await checked(file, { site: '2' })).toMatchObject({ users: 1, ideas: 1, votes: 1, comments: 0, errors: [] })
    // The questions stay, for the review.
    expect(readFileSync(file, 'utf8')).toMatch(/^-- 1\. Which rows can a logged-out visitor not see\?/m)
  })

  test('other answers give other numbers, and what is not there counts nothing', async () => {
    const { file } = await draft({
      '1. ': ['NOT hidden'],
      '2. ': [],
      '3. ': false,
      '4. ': 'Europe/Paris',
      'Which table has the comments': 'none',
      'Which table has the accounts': 'none',
    })
    expect(await checked(file, { site: '1' })).toMatchObject({
      users: 0,
      ideas: 3,
      launched: 0,
      votes: 2,
      comments: 0,
      categories: 1,
    })
    expect(readFileSync(file, 'utf8')).toContain(`created_at AT TIME ZONE 'Europe/Paris' AS created_at`)
    // Several sites as one: the check says so.
    const { file: ofAll } = await draft({ '5. ': false })
    expect(await checked(ofAll, {})).toMatchObject({ errors: [{ about: 'tenants' }] })
  })
})

describeWithPostgres('another version of a platform', (postgres) => {
  test('gets a copy of its mapping, which says what must be changed, and no questions', async () => {
    const url = await postgres().createDatabase('older')
    const schema = readFileSync(packagePath('test', 'platforms', 'fider', 'schema.sql'), 'utf8')
    await postgres().psql(`${schema}; DROP TABLE post_tags`, 'older')
    const look = lookAt(parseDatabaseUrl(url), new AbortController().signal)
    const asked: string[] = []
    const written: string[] = []
    const path = await draftMapping(
      proposals(asked, {}),
      await look.catalog(),
      look,
      '/srv/my-platform.sql',
      async (...file) => void written.push(...file),
    )
    expect([path, asked, written[0]]).toEqual(['/srv/fider.sql', [], '/srv/fider.sql'])
    expect(written[1]).toMatch(/^-- mapping: fider\n-- Of what .*\n-- {3}not there: post_tags\n/)
  })
})

describe('without tables', () => {
  test('it is an error', async () => {
    await expect(draftMapping(proposals([], {}), [], {} as never, '/nowhere', async () => {})).rejects.toThrow(
      /no table/,
    )
  })
})
