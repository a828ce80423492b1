// What `check` says of a built-in mapping after a tired mapper has changed it: src/source/check/rows.ts, the twice of
// src/source/read/counting.ts, skipped-rows.ts. At e7d6f34e it said what is beside each row.
import { describe, expect, test } from 'vitest'
import { openMapping } from '../../src/source/mapping/mapping.ts'
import { asAdministrator, createPlatform, PLATFORMS } from './create-platform.ts'
import { describeWithPostgres } from '../support/postgres.ts'
import { check, shown, sourceOf } from '../source/check/checking.ts'

/** No error, and "ready to build". */
const READY = '0 errors'

interface Slip {
  readonly what: string
  readonly from: string
  readonly to: string
  readonly before: string
  /** The level, and the beginning of the finding; a part of what it says to do. */
  readonly now: readonly [finding: string, fix?: string]
}

const TWICE = (relation: string): string =>
  `error rows: mapping NAME, section ${relation}: it returns an id several times; return each once`

const SLIPS: Readonly<Record<string, readonly Slip[]>> = {
  fider: [
    {
      what: 'accounts are joined to their votes, of which they have several',
      from: 'SELECT u.id, u.created_at\n  FROM users u',
      to: 'SELECT u.id, u.created_at\n  FROM users u JOIN post_votes pv ON pv.user_id = u.id',
      before: READY,
      now: [TWICE('users')],
    },
    {
      what: 'comments are joined to the tags of their idea',
      from: ' WHERE c.tenant_id = :tenant AND c.deleted_at IS NULL',
      to: '  JOIN post_tags pt ON pt.post_id = c.post_id\n WHERE c.tenant_id = :tenant AND c.deleted_at IS NULL',
      before: READY,
      now: [TWICE('comments')],
    },
    {
      what: 'the id of the idea is the text of a number with a scale',
      from: 'SELECT v.post_id AS idea_id',
      to: 'SELECT v.post_id::numeric(10, 2)::text AS idea_id',
      before: READY,
      now: [
        'error section votes: no row counts: 13 of 13 rows: the idea is not among the ideas',
        "'1.00' beside ideas.id '1'",
      ],
    },
    {
      what: 'milliseconds were taken for seconds',
      from: '1 AS value, v.created_at',
      to: '1 AS value, to_timestamp(extract(epoch FROM v.created_at) * 1000) AS created_at',
      before: READY,
      now: [
        'error section votes: no row counts: ',
        'milliseconds were taken for seconds; write to_timestamp(… / 1000.0)',
      ],
    },
  ],
  discourse: [
    {
      what: 'comments are joined to the tags of their topic',
      from: '  FROM replies r\n  JOIN topic_voting_category_settings',
      to: '  FROM replies r\n  JOIN topic_tags g ON g.topic_id = r.topic_id\n  JOIN topic_voting_category_settings',
      before: READY,
      now: [TWICE('comments')],
    },
    {
      what: 'the id of the vote is taken for that of the topic',
      from: "SELECT v.topic_id AS idea_id, v.user_id, 1 AS value, v.created_at AT TIME ZONE 'UTC' AS created_at\n  FROM topic_voting_votes v",
      to: "SELECT v.id AS idea_id, v.user_id, 1 AS value, v.created_at AT TIME ZONE 'UTC' AS created_at\n  FROM topic_voting_votes v",
      before: READY,
      now: ['error section votes: no row counts: ', 'is it the column that names the idea'],
    },
    {
      what: 'seconds were taken for milliseconds',
      from: "SELECT v.topic_id AS idea_id, v.user_id, 1 AS value, v.created_at AT TIME ZONE 'UTC' AS created_at\n  FROM topic_voting_votes v",
      to: 'SELECT v.topic_id AS idea_id, v.user_id, 1 AS value, to_timestamp(extract(epoch FROM v.created_at) / 1000) AS created_at\n  FROM topic_voting_votes v',
      before: READY,
      now: [
        'error section votes: no row counts: ',
        'seconds were taken for milliseconds; write to_timestamp(…) without a division',
      ],
    },
    {
      what: 'one category is written in two ways',
      from: 'SELECT t.id AS idea_id, c.name AS category\n  FROM topics t\n  JOIN categories c ON c.id = t.category_id\n  JOIN topic_voting_category_settings',
      to: 'SELECT t.id AS idea_id, lower(c.name) AS category\n  FROM topics t\n  JOIN categories c ON c.id = t.category_id\n  JOIN topic_voting_category_settings',
      before: READY,
      now: ['warning section idea_categories: categories differ in case only: '],
    },
  ],
  plane: [
    {
      what: 'the id of the idea is a uuid in capitals',
      from: 'SELECT v.issue_id AS idea_id',
      to: 'SELECT upper(v.issue_id::text) AS idea_id',
      before: READY,
      now: ['error section votes: no row counts: ', 'lower() makes '],
    },
    {
      what: 'an account has a row for each of its memberships',
      from: ' GROUP BY u.id\n',
      to: ' GROUP BY u.id, m.created_at\n',
      before: READY,
      now: [TWICE('users')],
    },
    {
      what: 'a vote has half a weight',
      from: 'v.vote AS value',
      to: 'v.vote * 0.5 AS value',
      before: 'error section votes: column value is numeric, must be int; write value::int',
      now: ['error section votes: column value is numeric, must be int; write (value > 0)::int AS value'],
    },
    {
      what: 'a sample of the work items, to try it',
      from: ' WHERE i.deleted_at IS NULL AND i.archived_at IS NULL AND NOT i.is_draft',
      to: ' WHERE random() < 0.999999 AND i.deleted_at IS NULL AND i.archived_at IS NULL AND NOT i.is_draft',
      before: READY,
      now: ['warning section ideas: it uses random, which gives something else each time', 'now() is the same'],
    },
  ],
}

describeWithPostgres('a slip in a copy of the built-in mapping', (postgres) => {
  describe.each(Object.entries(SLIPS))('%s', (name, slips) => {
    const { params } = PLATFORMS.find(({ mapping }) => mapping === name)!
    let url: Promise<string> | null = null

    test.each(slips)('$what', async ({ from, to, now: [finding, fix = ''] }) => {
      url ??= createPlatform(postgres(), name, `slip_${name}`)
      const { text } = openMapping(name)
      expect(text.split(from)).toHaveLength(2)
      const report = await check(asAdministrator(await url), sourceOf(text.replace(from, () => to)), { params })
      const found = report.findings.find((one) =>
        `${one.level} ${shown(one)}`.startsWith(finding.replace('NAME', name)),
      )
      expect(found?.fix, JSON.stringify(report.findings)).toContain(fix)
    })
  })
})
