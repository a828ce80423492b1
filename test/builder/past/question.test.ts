// What a build says when the question changed and not the data (another tenant, a lost condition, a join, an emptied column, a
// blank), and that the next right build passes. real test: it builds from a database.
import { readFileSync, readlinkSync, rmSync, truncateSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { tellOutcome } from '../../../src/builder/report/build-report.ts'
import type { BuildRequest } from '../../../src/builder/run/context.ts'
import { runBuild } from '../../../src/builder/run/run-build.ts'
import type { Log } from '../../../src/process/log.ts'
import { loadMapping } from '../../../src/source/mapping/mapping.ts'
import { temporaryFolder } from '../../support/temporary-folder.ts'
import { describeWithPostgres } from '../../support/postgres.ts'
import { effectsAt, requestOf } from '../../support/library-build.ts'

/**
 * Two tenants of 60 and 50 ideas; a fifth of the first one's are hidden; each idea has two labels. All times are counted back from
 * yesterday's noon: two hours later is the same day at whatever hour the test runs.
 */
const ROWS = `
CREATE FUNCTION noon() RETURNS timestamptz STABLE LANGUAGE sql AS $$ SELECT date_trunc('day', now(), 'UTC') - interval '12 hours' $$;
CREATE TABLE people (id int, tenant int, joined timestamptz);
CREATE TABLE posts (id int, tenant int, title text, title_de text, hidden boolean, at timestamptz, author int);
CREATE TABLE topics (post int, name text);
CREATE TABLE likes (post int, person int, at timestamptz);
CREATE TABLE remarks (id int, post int, person int, at timestamptz);
CREATE TABLE labels (post int, label text);
INSERT INTO people SELECT i, 1 + i % 2, noon() - i * interval '1 day' FROM generate_series(1, 200) i;
INSERT INTO posts SELECT i, 1 + (i > 60)::int, 'Post ' || i, 'Beitrag ' || i, i % 5 = 0, noon() - i * interval '2 days 3 hours', i
  FROM generate_series(1, 110) i;
INSERT INTO topics SELECT i, (ARRAY['Roads', 'Parks', 'Schools', 'NA', 'None'])[1 + i % 5] FROM generate_series(1, 110) i;
INSERT INTO likes SELECT 1 + i % 110, 1 + i % 200, noon() - i * interval '5 hours' FROM generate_series(1, 900) i;
INSERT INTO remarks SELECT i, 1 + i % 110, 1 + i % 190, noon() - i * interval '9 hours' FROM generate_series(1, 400) i;
INSERT INTO labels SELECT i, label FROM generate_series(1, 110) i, unnest(ARRAY['a', 'b']) label;
`

const MAPPING = `-- mapping: town
-- param tenant : int
-- param language : text = en

-- section users
SELECT id, joined AS created_at FROM people WHERE tenant = :tenant

-- section ideas
SELECT id, CASE :language WHEN 'en' THEN title ELSE title_de END AS title, at AS created_at, author AS author_id,
       id % 7 = 0 AS launched, at + interval '1 day' AS launched_at, '/posts/' || id AS url, 'open' AS status
  FROM posts WHERE tenant = :tenant AND NOT hidden

-- section idea_categories
SELECT post AS idea_id, name AS category FROM topics

-- section votes
SELECT post AS idea_id, person AS user_id, 1 AS value, at AS created_at FROM likes

-- section comments
SELECT id, post AS idea_id, person AS user_id, at AS created_at FROM remarks
`

const ACCEPTED = { acceptRevision: true }
const SECTION_OF_THE_CURRENT = (name: string): string =>
  `; ${name} is not that of the current release: if this is what you changed, build once with --accept-revision`

describeWithPostgres('a build whose question changed', (postgres) => {
  const folder = temporaryFolder(afterAll)
  let [url, snapshots] = ['', '']
  const sql = (text: string): Promise<string> => postgres().psql(text, 'question')
  const mapping = join(folder, 'town.sql')

  const build = async (
    text: string,
    given: Readonly<Record<string, string>> = {},
    change: Partial<BuildRequest> = {},
  ): Promise<{ readonly code: number; readonly said: string; readonly out: string }> => {
    writeFileSync(mapping, text)
    const said: string[] = []
    const out: string[] = []
    const say = (_: object, message: string): void => void said.push(message)
    const log: Log = { info: say, warn: say, error: say }
    const loaded = loadMapping(mapping, { tenant: '1', ...given })
    const request = requestOf(url, snapshots, { mapping: loaded, site: null, ...change })
    const outcome = await runBuild({ ...request, siblings: false }, { ...effectsAt(Date.now), log })
    const code = tellOutcome(outcome, { json: false, quiet: false }, log, (one) => void out.push(one))
    return { code, said: said.join('\n'), out: out.join('') }
  }
  const right = async (): Promise<void> => {
    expect(await build(MAPPING)).toMatchObject({ code: 0, said: '' })
  }
  const changed = (from: string, to: string): string => {
    expect(MAPPING).toContain(from)
    return MAPPING.replace(from, to)
  }

  beforeAll(async () => {
    url = await postgres().createDatabase('question')
    await sql(ROWS)
    snapshots = join(folder, 'snapshots')
    await right()
  })

  it('passes with a blank or a remark more, and is the same mapping', async () => {
    const markOf = (): unknown =>
      (JSON.parse(readFileSync(join(snapshots, 'current/manifest.json'), 'utf8')) as { mapping: unknown }).mapping
    const before = markOf()
    for (const likes of ['   FROM \n likes', ' /* all /* of */ them */ FROM likes -- every one']) {
      expect(await build(changed(' FROM likes', likes))).toMatchObject({ code: 0, said: '' })
      expect(markOf()).toEqual(before)
    }
    await right()
  })

  const EDITS: readonly [
    what: string,
    text: string,
    given: Readonly<Record<string, string>>,
    said: readonly (string | RegExp)[],
  ][] = [
    [
      'a lost condition',
      changed(' AND NOT hidden', ''),
      {},
      [/ideas: the past changed by 12 of 48 rows|votes: the past changed by/, SECTION_OF_THE_CURRENT('section ideas')],
    ],
    [
      'a join that fans out',
      changed('FROM likes', 'FROM likes JOIN labels USING (post)'),
      {},
      [
        /votes: the past changed by (\d+) of \1 rows \(100\.0 %, allowed 10 %\)/,
        SECTION_OF_THE_CURRENT('section votes'),
      ],
    ],
    [
      'emptied titles',
      changed("CASE :language WHEN 'en' THEN title ELSE title_de END", "'' || left(:language, 0)"),
      {},
      [
        'titles: 48 of 48 ideas compared have another title or id (100.0 %, allowed 10 %), which is empty, or that of all',
        SECTION_OF_THE_CURRENT('section ideas'),
      ],
    ],
    [
      'another tenant',
      MAPPING,
      { tenant: '2' },
      [
        /titles: 48 of 48 ideas compared have another title or id \(100\.0 %, allowed 10 %\), because other ideas are there/,
        SECTION_OF_THE_CURRENT('parameter tenant'),
      ],
    ],
    [
      'titles in another language',
      MAPPING,
      { language: 'de' },
      [
        /^rejected: titles: 48 of 48 .*, under their old ids, as of another language or column; parameter language is not/m,
      ],
    ],
    [
      'people who are nobody',
      changed('person AS user_id, 1 AS', 'NULL::int AS user_id, 1 AS'),
      {},
      [/active people: the past changed by/, SECTION_OF_THE_CURRENT('section votes')],
    ],
  ]
  it.each(EDITS)('is refused: %s', async (_, text, given, said) => {
    const wrong = await build(text, given)
    expect(wrong.code).toBe(4)
    for (const one of said)
      expect(wrong.said).toEqual(typeof one === 'string' ? expect.stringContaining(one) : expect.stringMatching(one))
  })

  it('passes when it is right again', right)

  // Votes, titles, parameters and people: what is kept of the past has each by itself.
  const KEPT = EDITS.filter(([what]) => !['a lost condition', 'titles in another language'].includes(what))
  it.each(KEPT)(
    'that was accepted is the past from then on, and so the right one a change back: %s',
    async (...edit) => {
      const [, text, given] = edit
      expect(await build(text, given, ACCEPTED)).toMatchObject({ code: 0 })
      expect(await build(text, given)).toMatchObject({ code: 0 })
      const back = await build(MAPPING)
      expect(back.code).toBe(4)
      expect(back.said).toMatch(/(?:section|parameter) \w+ is not that of the current release/)
      expect(await build(MAPPING, {}, ACCEPTED)).toMatchObject({ code: 0 })
    },
  )

  const VOTES = 'SELECT post AS idea_id, person AS user_id, 1 AS value, at AS created_at FROM likes'
  /** What else happens to mappings: refused with what it says, or null = it passes. */
  const OTHERS: readonly [what: string, from: string, to: string, said: RegExp | null][] = [
    [
      'the archive is counted, too',
      VOTES,
      `${VOTES} UNION ALL ${VOTES}`,
      /votes: .* rows \(100\.0 %.*; section votes is not/,
    ],
    [
      'the last change in place of the date',
      'at AS created_at FROM likes',
      "now() - interval '40 days' AS created_at FROM likes",
      /votes: the past changed by .*; section votes/,
    ],
    ['a vote is half of one', '1 AS value', '(person % 2) AS value', /votes: .*; section votes is not/],
    ['a limit from a trial', 'FROM likes', 'FROM likes ORDER BY at LIMIT 500', /votes: .*; section votes is not/],
    [
      'all are launched',
      'id % 7 = 0 AS launched',
      'true AS launched',
      /launched ideas: the past changed by .*; section ideas/,
    ],
    ['none has a status', "'open' AS status", 'NULL AS status', /statuses: 48 of 48 .*; section ideas is not/],
    [
      'other addresses',
      "'/posts/' || id",
      "'/p/' || id",
      /urls: 48 of 48 ideas compared have another url .*; section ideas/,
    ],
    [
      'each category in two languages',
      'FROM topics',
      "FROM topics UNION ALL SELECT post, 'fr: ' || name FROM topics",
      /categories of ideas: 48 of 48 .*; section idea_categories/,
    ],
    [
      'the key of another table',
      'SELECT post AS idea_id, name',
      'SELECT post % 7 AS idea_id, name',
      /categories of ideas: .*; section idea_categories/,
    ],
    [
      'votes of the idea before',
      VOTES,
      VOTES.replace('post AS', '1 + post % 60 AS'),
      /votes of ideas: .*; section votes|votes: /,
    ],
    [
      'removed accounts',
      'WHERE tenant = :tenant\n\n',
      'WHERE tenant = :tenant AND id % 4 <> 0\n\n',
      /users: .*; section users is not/,
    ],
    [
      'without comments',
      'FROM remarks',
      'FROM remarks WHERE false',
      /comments: .* rows \(100\.0 %, .*; section comments/,
    ],
    ['two hours later', 'at AS created_at FROM likes', "at + interval '2 hours' AS created_at FROM likes", null],
    ['ids as text', 'SELECT id, CASE', 'SELECT id::text, CASE', null],
  ]
  it.each(OTHERS)('says of %s what it should', async (_, from, to, expected) => {
    const { code, said } = await build(changed(from, to))
    expect(code, said).toBe(expected === null ? 0 : 4)
    if (expected === null) await right()
    else expect(said).toMatch(expected)
  })

  it('says nothing of a question that changed where the numbers are as they were', async () => {
    expect(await build(changed('FROM likes', 'FROM likes WHERE true'))).toMatchObject({ code: 0, said: '' })
    await right()
  })

  it('names no section where only rows changed', async () => {
    await sql('INSERT INTO likes SELECT * FROM likes')
    const { code, said } = await build(MAPPING)
    expect(code).toBe(4)
    expect(said).toContain(
      '; is it an import, a purge, or a condition or join of the mapping? If it is correct, build once',
    )
    await sql(
      'CREATE TABLE once AS SELECT DISTINCT * FROM likes; TRUNCATE likes; INSERT INTO likes TABLE once; DROP TABLE once',
    )
    await right()
  })

  const kept = (): string => join(snapshots, '.state', `${basename(readlinkSync(join(snapshots, 'current')))}.json`)
  const LOST: readonly [what: string, lose: (path: string) => void, why: RegExp][] = [
    ['is lost', (path) => rmSync(path), /: cannot read \S+\.json: ENOENT/],
    ['is torn', (path) => truncateSync(path, 100), /: it is not JSON: /],
    [
      'is of an older form',
      (path) => writeFileSync(path, readFileSync(path, 'utf8').replace('"format":3', '"format":2')),
      /: its format is 2, this version of the program has 3/,
    ],
  ]
  it.each(LOST)('is refused where the kept past %s, until somebody accepts it', async (what, lose, why) => {
    const path = kept()
    const text = readFileSync(path)
    lose(path)
    const { code, said } = await build(MAPPING)
    expect(code).toBe(4)
    expect(said).toMatch(/nothing is known of the past of \w+-\w+: /)
    expect(said).toMatch(why)
    expect(said).toMatch(
      /: put it back from a backup, or look at the new numbers \(.* diff current \S+\) and, if .* --accept-revision/,
    )
    writeFileSync(path, text)
    if (what !== 'is lost') return
    await right()
    lose(kept())
    const accepted = await build(MAPPING, {}, ACCEPTED)
    expect(accepted.code).toBe(0)
    expect(accepted.out).toContain('past         not compared: nothing is known')
    await right()
  })
})
