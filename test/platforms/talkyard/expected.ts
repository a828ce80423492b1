// Worked out by hand from seed.sql, where each row has its reason.
import { ideasOf, NOTHING, notOurs, type ExpectedIdea, type ExpectedRead, type PlatformCase } from '../platform.ts'

const ideas: ExpectedIdea[] = ideasOf(`
  109 | Fresh | 2024-05-31T13:00:00 | - | new | 1 1 | 2 2 | Mobile | /-109
  106 | Rewrite it | 2024-02-28T23:59:50 | - | closed | 0 0 | 0 0 | Quiet | /-106
  108 | Flagged | 2024-02-15T08:00:00 | - | new | 0 0 | 1 0 | Ideas | /-108
  107 | "" | 2024-02-01T00:00:05 | - | new | 0 0 | 0 0 | Ideas | /-107
  110 | Just done | 2024-01-18T09:00:00 | undated | done | 0 0 | 0 0 | Ideas | /-110
  105 | It's "done" | 2024-01-14T08:00:00 | 2024-04-01T00:01:00 | done | 1 0 | 0 0 | Ideas | /-105
  104 | Import | 2024-01-13T08:00:00 | 2024-03-31T23:58:00 | done | 4 0 | 0 0 | Ideas | /-104
  103 | Export | 2024-01-12T08:00:00 | - | started | 2 0 | 1 0 | Mobile | /-103
  102 | Dark mode 🌙 | 2024-01-11T08:00:00 | - | planned | 2 0 | 1 0 | Ideas | /-102
  101 | "=HYPERLINK(\\"http://x\\";\\"y\\")\\nsecond line" | 2024-01-10T08:00:00 | - | new | 3 1 | 3 0 | Ideas | /-101`)

const right: ExpectedRead = {
  totals: { users: 6, ideas: 10, votes: 13, comments: 8, launched: 3 },
  ideas,
  months: {
    // Authors: 100, 101, 106, 108, -11, 110. Voters: 101, 102, 108, 106.
    '2024-01': { newUsers: 2, active: 7, authors: 6, voters: 4, commenters: 0 },
    // Authors: -12, 104 and nobody. Voters: 100, -11, -12 and nobody, twice. Commenters: 101, 106, 100, 108.
    '2024-02': { newUsers: 1, active: 7, authors: 2, voters: 3, commenters: 4 },
    // Voter: 104. Commenter: -11.
    '2024-03': { newUsers: 2, active: 2, authors: 0, voters: 1, commenters: 1 },
    // Author: 103. Voters: 103, 100. Commenters: -12, 100 and nobody.
    '2024-05': { newUsers: 1, active: 3, authors: 1, voters: 2, commenters: 2 },
  },
  // 100, 101, 102, 103, 104, 106, 108, 110, -11, -12.
  active: 10,
  listed: ['Ideas', 'Later', 'Mobile', 'Quiet'],
  skipped: {
    'ideas: dated at or after dataAsOf': 1,
    'ideas: launched at or after dataAsOf: undated': 1,
    'votes: the idea is dated at or after dataAsOf': 1,
    'votes: dated at or after dataAsOf': 1,
    'comments: the idea is dated at or after dataAsOf': 1,
    'comments: dated at or after dataAsOf': 1,
    // The categories are those of 111 to 122.
    ...notOurs(2, 2, 12),
  },
}

export const platform: PlatformCase = {
  mapping: 'talkyard',
  params: { site: '1' },
  right,
  variants: {
    'a read-only site, where addresses need not be verified': {
      params: { site: '2' },
      right: {
        totals: { users: 2, ideas: 2, votes: 2, comments: 1, launched: 1 },
        ideas: ideasOf(`
          102 | Export    | 2024-01-21T08:00:00 | -                   | new  | 0 0 | 0 0 | Theirs | /-102
          101 | Elsewhere | 2024-01-20T08:00:00 | 2024-02-06T09:00:00 | done | 2 0 | 1 0 | Ideas  | /-101`),
        months: {
          '2024-01': { newUsers: 2, active: 2, authors: 2, voters: 2, commenters: 0 },
          '2024-02': { newUsers: 0, active: 1, authors: 0, voters: 0, commenters: 1 },
        },
        active: 2,
        listed: ['Elsewhere', 'Ideas', 'Theirs'],
        skipped: {},
      },
    },
    'a site that wants a login': {
      params: { site: '3' },
      right: {
        ...NOTHING,
        skipped: {
          ...notOurs(1, 1, 1),
        },
      },
    },
    'a site that does not exist': { params: { site: '9' }, right: NOTHING },
  },
  versions: {
    'migration v417, before anonymous users and bookmarks': `
      DELETE FROM posts3 WHERE post_nr < 0;
      ALTER TABLE posts3 DROP COLUMN private_status_c, ADD COLUMN owners_id_c int, ADD COLUMN authors_id_c int;
      ALTER TABLE users3 DROP COLUMN true_id_c, DROP COLUMN anonym_status_c;
      ALTER TABLE perms_on_pages3 DROP COLUMN can_see_others_priv_c;
      ALTER TABLE post_actions3 DROP COLUMN as_pat_id_c`,
  },
  closed: {
    'open to those who log in':
      'UPDATE settings3 SET user_must_be_auth = true WHERE site_id = 1 AND category_id IS NULL',
    'open to approved accounts':
      'UPDATE settings3 SET user_must_be_approved = true WHERE site_id = 1 AND category_id IS NULL',
    'hidden, but from the staff': 'UPDATE sites3 SET status = 4 WHERE id = 1',
    'hidden, but from the administrators': 'UPDATE sites3 SET status = 5 WHERE id = 1',
    deleted: 'UPDATE sites3 SET status = 6 WHERE id = 1',
    purged: 'UPDATE sites3 SET status = 7 WHERE id = 1',
  },
  reasons: {
    'open to those who log in': 'user_must_be_auth',
    'open to approved accounts': 'user_must_be_approved',
    'hidden, but from the staff': 'status 4',
    'hidden, but from the administrators': 'status 5',
    deleted: 'status 6',
    purged: 'status 7',
  },
  open: {
    'without an administrator yet': 'UPDATE sites3 SET status = 1 WHERE id = 1',
    'read-only': 'UPDATE sites3 SET status = 3 WHERE id = 1',
    'without a row of settings': 'DELETE FROM settings3 WHERE site_id = 1',
    'next to a closed one': 'UPDATE sites3 SET status = 6 WHERE id <> 1',
  },
  nowhere: { site: '9' },
  survivors: {},
}
