// Worked out by hand from seed.sql, where each row has its reason.
import type { ExpectedIdea, ExpectedRead, PlatformCase } from '../platform.ts'

const ideas: ExpectedIdea[] = [
  {
    id: '109',
    title: 'Fresh',
    createdAt: '2024-05-31T13:00:00.000Z',
    status: 'new',
    launched: false,
    url: '/-109',
    categories: ['Mobile'],
    votes: [1, 1],
    comments: [2, 2],
  },
  {
    id: '106',
    title: 'Rewrite it',
    createdAt: '2024-02-28T23:59:50.000Z',
    status: 'closed',
    launched: false,
    url: '/-106',
    categories: ['Quiet'],
    votes: [0, 0],
    comments: [0, 0],
  },
  {
    id: '108',
    title: 'Flagged',
    createdAt: '2024-02-15T08:00:00.000Z',
    status: 'new',
    launched: false,
    url: '/-108',
    categories: ['Ideas'],
    votes: [0, 0],
    comments: [1, 0],
  },
  {
    id: '107',
    title: '',
    createdAt: '2024-02-01T00:00:05.000Z',
    status: 'new',
    launched: false,
    url: '/-107',
    categories: ['Ideas'],
    votes: [0, 0],
    comments: [0, 0],
  },
  {
    id: '110',
    title: 'Just done',
    createdAt: '2024-01-18T09:00:00.000Z',
    status: 'done',
    launched: true,
    url: '/-110',
    categories: ['Ideas'],
    votes: [0, 0],
    comments: [0, 0],
  },
  {
    id: '105',
    title: 'It\'s "done"',
    createdAt: '2024-01-14T08:00:00.000Z',
    status: 'done',
    launched: '2024-04-01T00:01:00.000Z',
    url: '/-105',
    categories: ['Ideas'],
    votes: [1, 0],
    comments: [0, 0],
  },
  {
    id: '104',
    title: 'Import',
    createdAt: '2024-01-13T08:00:00.000Z',
    status: 'done',
    launched: '2024-03-31T23:58:00.000Z',
    url: '/-104',
    categories: ['Ideas'],
    votes: [4, 0],
    comments: [0, 0],
  },
  {
    id: '103',
    title: 'Export',
    createdAt: '2024-01-12T08:00:00.000Z',
    status: 'started',
    launched: false,
    url: '/-103',
    categories: ['Mobile'],
    votes: [2, 0],
    comments: [1, 0],
  },
  {
    id: '102',
    title: 'Dark mode 🌙',
    createdAt: '2024-01-11T08:00:00.000Z',
    status: 'planned',
    launched: false,
    url: '/-102',
    categories: ['Ideas'],
    votes: [2, 0],
    comments: [1, 0],
  },
  {
    id: '101',
    title: '=HYPERLINK("http://x";"y")\nsecond line',
    createdAt: '2024-01-10T08:00:00.000Z',
    status: 'new',
    launched: false,
    url: '/-101',
    categories: ['Ideas'],
    votes: [3, 1],
    comments: [3, 0],
  },
]

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
    'votes: the idea is not among the ideas': 2,
    'votes: the idea is dated at or after dataAsOf': 1,
    'votes: dated at or after dataAsOf': 1,
    'comments: the idea is not among the ideas': 2,
    'comments: the idea is dated at or after dataAsOf': 1,
    'comments: dated at or after dataAsOf': 1,
    // 111 to 122.
    'idea_categories: the idea is not among the ideas': 12,
  },
}

const nothing: ExpectedRead = {
  totals: { users: 0, ideas: 0, votes: 0, comments: 0, launched: 0 },
  ideas: [],
  months: {},
  active: 0,
  listed: [],
  skipped: {},
}

export const platform: PlatformCase = {
  mapping: 'talkyard',
  params: { site: '1' },
  naive: {
    sql: {
      users: 'SELECT count(*) FROM users3',
      ideas: 'SELECT count(*) FROM pages3 WHERE page_role = 15',
      votes: 'SELECT count(*) FROM post_actions3',
      comments: 'SELECT count(*) FROM posts3',
      launched: 'SELECT count(*) FROM pages3 WHERE done_at IS NOT NULL',
    },
    // Posts: 60 titles and original posts, 21 others, 2 private ones.
    totals: { users: 23, ideas: 27, votes: 28, comments: 83, launched: 5 },
  },
  right,
  variants: {
    'a read-only site, where addresses need not be verified': {
      params: { site: '2' },
      right: {
        totals: { users: 2, ideas: 2, votes: 2, comments: 1, launched: 1 },
        ideas: [
          {
            id: '102',
            title: 'Export',
            createdAt: '2024-01-21T08:00:00.000Z',
            status: 'new',
            launched: false,
            url: '/-102',
            categories: ['Theirs'],
            votes: [0, 0],
            comments: [0, 0],
          },
          {
            id: '101',
            title: 'Elsewhere',
            createdAt: '2024-01-20T08:00:00.000Z',
            status: 'done',
            launched: '2024-02-06T09:00:00.000Z',
            url: '/-101',
            categories: ['Ideas'],
            votes: [2, 0],
            comments: [1, 0],
          },
        ],
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
        ...nothing,
        skipped: {
          'votes: the idea is not among the ideas': 1,
          'comments: the idea is not among the ideas': 1,
          'idea_categories: the idea is not among the ideas': 1,
        },
      },
    },
    'a site that does not exist': { params: { site: '9' }, right: nothing },
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
