// Slips of a mapper that a check sees in the rows, on tables of no platform: src/source/check/rows.ts with its SELECTs, and
// src/source/read/skipped-rows.ts. Each is a class that reports of other systems have; what is right beside it is no alarm.
import { beforeAll, describe, expect, test } from 'vitest'
import { describeWithPostgres } from '../../support/postgres.ts'
import { errorsOf, shown, tableless, useCheck, type Sections } from './checking.ts'

/** Twenty ideas with one vote and one comment each. */
const TABLES = `
CREATE TABLE idea AS
  SELECT i AS id, md5(i::text)::uuid AS uuid, 'Idea ' || i AS title, now() - i * interval '10 days' AS at,
         CASE WHEN i % 4 = 0 THEN 'Completed' ELSE 'open' END AS state, i % 4 = 1 AS secret
    FROM generate_series(1, 20) i;
CREATE TABLE vote AS SELECT i + 700 AS id, i AS idea, 50 + i AS member, at, uuid FROM idea, LATERAL (SELECT id AS i) x;
CREATE TABLE note AS SELECT i + 900 AS id, i AS idea, 'Idea' AS kind, at FROM idea, LATERAL (SELECT id AS i) x;
CREATE TABLE member AS SELECT 50 + i AS id, now() - i * interval '10 days' AS at FROM generate_series(1, 20) i;
CREATE VIEW idea_view AS SELECT * FROM idea WHERE NOT secret;
CREATE EXTENSION citext; CREATE EXTENSION "uuid-ossp"`

const ideas = (id = 'id', more = ''): string =>
  `SELECT ${id} AS id, title, at AS created_at, state = 'Completed' AS launched, NULL::timestamptz AS launched_at,
          NULL AS url, NULL AS author_id, state AS status FROM idea ${more}`
const votes = (idea = 'idea', at = 'at', value = '1', more = ''): string =>
  `SELECT ${idea} AS idea_id, member AS user_id, ${value} AS value, ${at} AS created_at FROM vote ${more}`
const comments = (id = 'id', idea = 'idea', more = ''): string =>
  `SELECT ${id} AS id, ${idea} AS idea_id, NULL::int AS user_id, at AS created_at FROM note ${more}`
const users = (id = 'id', at = 'at', more = ''): string => `SELECT ${id} AS id, ${at} AS created_at FROM member ${more}`
const GOOD: Sections = {
  users: users(),
  ideas: ideas(),
  idea_categories: `SELECT id AS idea_id, 'C' || id % 3 AS category FROM idea`,
  votes: votes(),
  comments: comments(),
  categories: `SELECT 'C1' AS name`,
}

describeWithPostgres('a check of the rows', (postgres) => {
  const check = useCheck()
  let url: string
  beforeAll(async () => {
    url = await postgres().createDatabase('slips')
    await postgres().psql(TABLES, 'slips')
  })
  /** `error section votes: …`, each with what to do behind an arrow. */
  const said = async (sections: Sections): Promise<string[]> => {
    const { findings } = await check(url, tableless({ ...GOOD, ...sections }))
    return findings
      .filter(({ about }) => about !== 'role' && about !== 'requires')
      .map((one) => `${one.level} ${shown(one)} → ${one.fix}`)
  }
  const ALL = (relation: string, rows = 20): string =>
    `error section ${relation}: no row counts: ${rows} of ${rows} rows: `

  test('finds nothing where nothing is wrong', async () => {
    expect(await said({})).toEqual([])
  })

  test.each<[what: string, sections: Sections, parts: readonly string[]]>([
    [
      'uuids without dashes',
      {
        ideas: ideas('uuid'),
        idea_categories: 'SELECT uuid AS idea_id, title AS category FROM idea',
        comments: comments('id', 'md5(idea::text)::uuid'),
        votes: votes(`replace(uuid::text, '-', '')`),
      },
      [ALL('votes'), 'letters and digits only makes 20 of 20', 'write idea_id::uuid AS idea_id'],
    ],
    [
      'global ids',
      { votes: votes(`'gid://app/Idea/' || idea`) },
      [ALL('votes'), `'gid://app/Idea/1' beside ideas.id '1'`, 'the number at the end makes 20 of 20'],
    ],
    [
      'ids in JSON, with their quotes',
      { votes: votes('to_jsonb(idea::text)') },
      [ALL('votes'), 'letters and digits only makes 20 of 20', 'idea_id is jsonb, and ideas.id is integer'],
    ],
    ['ids with a blank at the end', { votes: votes(`idea || ' '`) }, [ALL('votes'), 'btrim() makes 20 of 20']],
    ['ids with a line break', { votes: votes(`idea || E'\\r\\n'`) }, [ALL('votes'), 'btrim() makes 20 of 20']],
    [
      'ids with leading zeros',
      { votes: votes(`lpad(idea::text, 6, '0')`) },
      [ALL('votes'), 'the text of a whole number makes 20 of 20'],
    ],
    ['numbers of a JSON document', { votes: votes('idea::float8') }, ['error section votes: column idea_id is float8']],
    [
      'a number with a scale',
      { votes: votes('idea::numeric(12, 2)') },
      [
        'error section votes: column idea_id is numeric(12,2), must be any type that casts to text, to one text for each value; write idea_id::bigint AS idea_id',
      ],
    ],
    [
      'a case-insensitive id',
      { users: users('id::text::citext') },
      ['error section users: column id is citext', 'write lower(id::text) AS id'],
    ],
    [
      'some ids in capitals',
      {
        ideas: ideas('uuid'),
        idea_categories: 'SELECT uuid AS idea_id, title AS category FROM idea',
        comments: comments('id', 'md5(idea::text)::uuid'),
        votes: votes('CASE WHEN idea < 6 THEN upper(uuid::text) ELSE uuid::text END'),
      },
      ['warning section votes: 5 of 20 rows: the idea is not among the ideas', 'lower() makes 5 of 5'],
    ],
    [
      'the id of the comment above, NULL for most',
      { comments: comments('id', 'CASE WHEN idea > 15 THEN id - 1 END') },
      [
        'error section comments: no row counts: 15 of 20 rows: idea_id is NULL; 5 of 20 rows: the idea is not among the ideas',
      ],
    ],
    [
      'comments of other things',
      {
        comments: comments(
          'id',
          'idea',
          `UNION ALL SELECT 5000 + i, 3000 + i, NULL, now() - interval '1 day' FROM generate_series(1, 10) i`,
        ),
      },
      ['warning section comments: 10 of 30 rows: the idea is not among the ideas'],
    ],
    [
      'comments of two tables with ids of their own',
      { comments: comments('id', 'idea', `UNION ALL SELECT id, idea, NULL, at FROM note`) },
      ['error rows: mapping mine, section comments: it returns an id several times', `'reply ' || id`],
    ],
    [
      'a value that is NULL',
      { votes: votes('idea', 'at', 'NULL::int') },
      [ALL('votes') + 'value is NULL', '1 AS value'],
    ],
    ['votes counted from zero', { votes: votes('idea', 'at', '0') }, [ALL('votes') + 'value is not above zero']],
    [
      'zero for an empty time',
      { users: users('id', `CASE WHEN id % 4 = 0 THEN 'epoch'::timestamptz ELSE at END`) },
      ['warning section users: 5 of 20 rows: dated before 1990-01-01', '0 was taken for a time; write nullif(…, 0)'],
    ],
    [
      'ideas in seconds for milliseconds',
      { ideas: ideas().replace('at AS created_at', 'to_timestamp(extract(epoch FROM at) / 1000) AS created_at') },
      [ALL('ideas'), 'seconds were taken for milliseconds'],
    ],
    [
      'local times of a zone east of UTC',
      {
        votes: votes(
          'idea',
          `CASE WHEN idea = 1 THEN now() + interval '5 hours' WHEN idea = 2 THEN now() + interval '8.5 hours' ELSE at END`,
        ),
      },
      ['warning section votes: 2 rows are dated up to 9 hours from now, and none later', 'AT TIME ZONE'],
    ],
    [
      'the name of a status in another case',
      { ideas: ideas().replace(`'Completed'`, `'completed'`) },
      ['warning section ideas: no idea is launched, and statuses are: open (15), Completed (5)'],
    ],
    [
      'a sample',
      { ideas: ideas('id', 'TABLESAMPLE BERNOULLI (100)') },
      ['warning section ideas: it uses TABLESAMPLE, which gives something else each time'],
    ],
    [
      'ids of an extension',
      { comments: comments('uuid_generate_v4()') },
      ['warning section comments: it uses uuid_generate_v4'],
    ],
    [
      'categories in two cases',
      { idea_categories: `SELECT id AS idea_id, CASE WHEN id > 9 THEN 'ÖPNV' ELSE 'Öpnv' END AS category FROM idea` },
      ['warning section idea_categories: categories differ in case only: Öpnv and ÖPNV'],
    ],
    [
      'ids of people that are numbers here and text there',
      { ideas: ideas().replace('NULL AS author_id', `'m' || id AS author_id`) },
      ['warning section votes: user_id is integer, and ideas.author_id is text'],
    ],
    [
      'accounts joined to their votes',
      { users: users('member.id', 'member.at', 'JOIN vote v ON v.member > member.id') },
      [
        'error rows: mapping mine, section users: it returns an id several times; return each once: where a join has several rows of one, write EXISTS',
      ],
    ],
  ])('finds %s', async (_, sections, parts) => {
    const all = await said(sections)
    for (const part of parts) expect(all.join('\n')).toContain(part)
  })

  test.each<[what: string, sections: Sections]>([
    ['rows of ideas that are hidden', { ideas: ideas('id', 'WHERE NOT secret') }],
    [
      'rows of hidden ideas, read through shared SQL',
      {
        ideas: `WITH open AS (SELECT * FROM idea) SELECT * FROM (${ideas('id', 'WHERE NOT secret').replace('FROM idea', 'FROM open')}) AS i`,
      },
    ],
    [
      'all rows of a relation of hidden ideas',
      { ideas: ideas('id', 'WHERE NOT secret'), votes: votes('idea', 'at', '1', 'WHERE idea % 4 = 1') },
    ],
    ['comments without an id', { comments: comments('NULL::int') }],
    ['votes against, many of them', { votes: votes('idea', 'at', 'CASE WHEN idea > 5 THEN -1 ELSE 1 END') }],
    ['accounts without a date', { users: users('id', 'NULL::timestamptz') }],
    ['votes without a date', { votes: votes('idea', 'NULL::timestamptz') }],
    [
      'a type that no row has',
      {
        comments: `SELECT NULL::text AS id, NULL::text AS idea_id, NULL::text AS user_id, NULL::timestamptz AS created_at WHERE false`,
      },
    ],
    [
      'text beside varchar',
      {
        ideas: ideas('id::text'),
        votes: votes('idea::varchar'),
        comments: comments('id', 'idea::text'),
        idea_categories: `SELECT id::text AS idea_id, 'C' AS category FROM idea`,
      },
    ],
    ['smallint beside bigint', { ideas: ideas('id::bigint'), votes: votes('idea::smallint') }],
    ['numeric without a scale', { users: users('id::numeric(12)'), comments: comments('id::numeric') }],
    [
      'now(), and what a function gives for the same arguments',
      { votes: votes('idea', `least(at, now(), date_trunc('day', at))`) },
    ],
    ['a repeatable sample', { users: users('id', 'at', 'TABLESAMPLE SYSTEM (100) REPEATABLE (1)') }],
    ['four rows of no idea', { votes: votes('idea + 5000', 'at', '1', 'LIMIT 4') }],
    [
      'an idea that is to be published tomorrow',
      {
        ideas: ideas().replace(
          'at AS created_at',
          `CASE WHEN id = 7 THEN now() + interval '5 hours' ELSE at END AS created_at`,
        ),
      },
    ],
    [
      'two dates that are wrong, the later one by far',
      {
        votes: `${votes('idea', `CASE WHEN idea = 3 THEN now() + interval '5 hours' WHEN idea = 4 THEN '2999-01-01' ELSE at END`)}
                UNION ALL SELECT idea, member + 1000, 1, at FROM vote`,
      },
    ],
    [
      'one date that is wrong',
      { votes: votes('idea', `CASE WHEN idea = 3 THEN '2999-01-01'::timestamptz ELSE at END`) },
    ],
    [
      'no idea that is launched, of a site where none is',
      { ideas: ideas().replace('state AS status', `'open' AS status`).replace(`state = 'Completed'`, 'false') },
    ],
  ])('is silent about %s', async (_, sections) => {
    expect(await said(sections)).toEqual([])
  })

  test('says of an honest date that is missing how many there are, as no fault', async () => {
    const report = await check(url, tableless({ ...GOOD, users: users('id', 'NULL::timestamptz') }))
    expect(errorsOf(report)).toEqual([])
    expect(report.ignored).toContainEqual({
      relation: 'users',
      reason: 'undated: in totals and the period all only',
      rows: 20,
    })
  })

  describe('where what section ideas reads is a view', () => {
    test('its hidden ideas cannot be told from what is lost: a warning, which says so', async () => {
      const view = ideas().replace('FROM idea', 'FROM idea_view')
      expect((await said({ ideas: view })).join('\n')).toMatch(
        /warning section votes: 5 of 20 rows: the idea is not among the ideas → .*does section ideas return all ideas that visitors see\?/s,
      )
    })
  })
})
