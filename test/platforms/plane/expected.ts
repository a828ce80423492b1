// Worked out by hand from seed.sql, where each row has its reason.
import { ideasOf, NOTHING, notOurs, type ExpectedIdea, type ExpectedRead, type PlatformCase } from '../platform.ts'

const idOf = (what: string, nr: number): string => `${what}0000000-0000-4000-8000-${String(nr).padStart(12, '0')}`
const project = (nr: number): string => idOf('2', nr)

/** Lines whose id is a number, and whose url the project's anchor. */
const published = (table: string): ExpectedIdea[] =>
  ideasOf(table).map(({ id, url, ...rest }) => {
    const issue = idOf('e', Number(id))
    return { id: issue, url: `/spaces/issues/${url}?peekId=${issue}`, ...rest }
  })

const ideas = published(`
  109 | Fresh                                              | 2024-05-31T13:00:00 | -                   | Backlog     | 1 1 | 2 2 | -            | f00d
  106 | Links, too                                         | 2024-02-28T23:59:50 | -                   | Backlog     | 0 0 | 0 0 | -            | f00d
  108 | Rewrite it                                         | 2024-02-01T00:00:05 | -                   | Cancelled   | 0 0 | 1 0 | -            | f00d
  107 | Just done                                          | 2024-01-18T09:00:00 | undated             | Done        | 0 0 | 0 0 | -            | f00d
  105 | It's "done"                                        | 2024-01-14T08:00:00 | -                   | Cancelled   | 0 0 | 0 0 | Web          | f00d
  104 | Import                                             | 2024-01-13T08:00:00 | undated             | Shipped     | 1 0 | 0 0 | -            | f00d
  103 | Export                                             | 2024-01-12T08:00:00 | 2024-03-31T23:58:00 | Done        | 2 0 | 1 0 | -            | f00d
  102 | Dark mode 🌙                                        | 2024-01-11T08:00:00 | -                   | In Progress | 2 0 | 1 0 | Mobile + Web | f00d
  101 | "=HYPERLINK(\\"http://x\\";\\"y\\")\\nsecond line" | 2024-01-10T08:00:00 | -                   | Backlog     | 3 1 | 3 0 | Mobile       | f00d`)

const right: ExpectedRead = {
  totals: { users: 5, ideas: 9, votes: 9, comments: 8, launched: 3 },
  ideas,
  months: {
    // Authors: 2, 1, 6, 3, 5 and nobody. Voters: 1, 3, 6, 10.
    '2024-01': { newUsers: 2, active: 6, authors: 5, voters: 4, commenters: 0 },
    // Author: 10 and nobody. Voter: 2. Commenters: 2, 6, 1 and nobody.
    '2024-02': { newUsers: 1, active: 4, authors: 1, voters: 1, commenters: 3 },
    // Voter: 5. Commenter: 3.
    '2024-03': { newUsers: 1, active: 2, authors: 0, voters: 1, commenters: 1 },
    // Author: 4. Voters: 4, 1. Commenters: 5, 1 and nobody.
    '2024-05': { newUsers: 1, active: 3, authors: 1, voters: 2, commenters: 2 },
  },
  // 1, 2, 3, 4, 5, 6, 10.
  active: 7,
  listed: ['Mobile', 'Unused', 'Web'],
  skipped: {
    'ideas: dated at or after dataAsOf': 1,
    'ideas: launched at or after dataAsOf: undated': 1,
    'ideas: launched without a date': 1,
    'votes: the idea is dated at or after dataAsOf': 1,
    'votes: dated at or after dataAsOf': 1,
    'comments: the idea is dated at or after dataAsOf': 1,
    'comments: dated at or after dataAsOf': 1,
    'votes: value is not above zero': 2,
    ...notOurs(2, 2, 1),
  },
}

const quiet: ExpectedRead = {
  totals: { users: 2, ideas: 2, votes: 0, comments: 0, launched: 1 },
  ideas: published(`
  202 | Export    | 2024-01-21T08:00:00 | -                   | Todo | 0 0 | 0 0 | -      | cafe
  201 | Elsewhere | 2024-01-20T08:00:00 | 2024-02-06T09:00:00 | Done | 0 0 | 0 0 | Theirs | cafe`),
  months: { '2024-01': { newUsers: 2, active: 2, authors: 2, voters: 0, commenters: 0 } },
  active: 2,
  listed: ['Theirs'],
  skipped: {},
}

export const platform: PlatformCase = {
  mapping: 'plane',
  params: { project: project(1) },
  right,
  variants: {
    'modules as categories': {
      params: { project: project(1), categories: 'modules' },
      right: {
        ...right,
        ideas: ideas.map((one) => ({
          ...one,
          categories: [idOf('e', 101), idOf('e', 105)].includes(one.id) ? ['Apps'] : [],
        })),
        listed: ['Apps', 'Next year'],
      },
    },
    'a board without votes and comments': { params: { project: project(2) }, right: quiet },
    'a project that is not published': {
      params: { project: project(3) },
      right: { ...NOTHING, skipped: { 'idea_categories: the idea is not among the ideas': 1 } },
    },
    'a project that does not exist': { params: { project: project(9) }, right: NOTHING },
  },
  versions: {
    'migration 0085, before a group for every triage state and replies to comments': `
      UPDATE states SET is_triage = true WHERE "group" = 'triage';
      ALTER TABLE issues RENAME COLUMN description_json TO description;
      ALTER TABLE issue_comments DROP COLUMN parent_id`,
  },
  closed: {
    'not published any more': `UPDATE deploy_boards SET deleted_at = '2024-05-01' WHERE anchor = 'f00d'`,
    'not published, and its board purged': `DELETE FROM deploy_boards WHERE anchor = 'f00d'`,
    disabled: `UPDATE deploy_boards SET is_disabled = true WHERE anchor = 'f00d'`,
    archived: `UPDATE projects SET archived_at = '2024-05-01' WHERE identifier = 'FB'`,
    deleted: `UPDATE projects SET deleted_at = '2024-05-01' WHERE identifier = 'FB'`,
    'in a workspace that is deleted': `UPDATE workspaces SET deleted_at = '2024-05-01' WHERE slug = 'acme'`,
  },
  reasons: {
    'not published any more': 'the project is not published',
    'not published, and its board purged': 'the project is not published',
    disabled: 'the project is not published',
    archived: 'the project is archived',
    deleted: 'the project is deleted',
    'in a workspace that is deleted': 'the workspace is deleted',
  },
  open: {
    'without votes and comments': 'UPDATE deploy_boards SET is_votes_enabled = false, is_comments_enabled = false',
    'next to a closed one': `UPDATE deploy_boards SET deleted_at = '2024-05-01' WHERE anchor <> 'f00d'`,
  },
  nowhere: { project: project(9) },
  survivors: {},
}
