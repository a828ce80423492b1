// Worked out by hand from seed.sql, where each row has its reason.
import type { PlatformCase } from '../platform.ts'

export const platform: PlatformCase = {
  mapping: 'fider',
  params: { tenant: '1' },
  naive: {
    sql: {
      users: 'SELECT count(*) FROM users',
      ideas: 'SELECT count(*) FROM posts',
      votes: 'SELECT count(*) FROM post_votes',
      comments: 'SELECT count(*) FROM comments',
      launched: 'SELECT count(*) FROM posts WHERE status = 2',
    },
    totals: { users: 9, ideas: 12, votes: 15, comments: 8, launched: 4 },
  },
  right: {
    totals: { users: 4, ideas: 7, votes: 10, comments: 4, launched: 2 },
    ideas: [
      {
        id: '11',
        title: 'Fresh',
        createdAt: '2024-05-31T13:00:00.000Z',
        status: 'open',
        launched: false,
        url: '/posts/11/fresh',
        categories: [],
        votes: [1, 1],
        comments: [1, 1],
      },
      {
        id: '6',
        title: 'Plan',
        createdAt: '2024-01-15T08:00:00.000Z',
        status: 'planned',
        launched: false,
        url: '/posts/6/plan',
        categories: [],
        votes: [1, 0],
        comments: [0, 0],
      },
      {
        id: '5',
        title: 'Rewrite it',
        createdAt: '2024-01-14T08:00:00.000Z',
        status: 'declined',
        launched: false,
        url: '/posts/5/rewrite-it',
        categories: [],
        votes: [0, 0],
        comments: [0, 0],
      },
      {
        id: '4',
        title: 'Import',
        createdAt: '2024-01-13T08:00:00.000Z',
        status: 'completed',
        launched: true,
        url: '/posts/4/import',
        categories: [],
        votes: [0, 0],
        comments: [0, 0],
      },
      {
        id: '3',
        title: 'Export',
        createdAt: '2024-01-12T08:00:00.000Z',
        status: 'completed',
        launched: '2024-03-01T09:00:00.000Z',
        url: '/posts/3/export',
        categories: ['Data'],
        votes: [3, 1],
        comments: [1, 0],
      },
      {
        id: '2',
        title: 'Dark mode 🌙',
        createdAt: '2024-01-11T08:00:00.000Z',
        status: 'started',
        launched: false,
        url: '/posts/2/dark-mode',
        categories: ['UX'],
        votes: [2, 0],
        comments: [0, 0],
      },
      {
        id: '1',
        title: '=HYPERLINK("http://x";"y")\nsecond line',
        createdAt: '2024-01-10T08:00:00.000Z',
        status: 'open',
        launched: false,
        url: '/posts/1/hyperlink',
        categories: ['Data', 'UX'],
        votes: [3, 0],
        comments: [2, 0],
      },
    ],
    months: {
      // New: Ada, Ben. Authors: 1, 2 (three posts), 3, 4. Voters: 1, 2, 4.
      '2024-01': { newUsers: 2, active: 4, authors: 4, voters: 3, commenters: 0 },
      // The vote copied by the merge (6); comments by 2 and 3.
      '2024-02': { newUsers: 0, active: 3, authors: 0, voters: 1, commenters: 2 },
      // New: Dan. A comment by 1.
      '2024-03': { newUsers: 1, active: 1, authors: 0, voters: 0, commenters: 1 },
      // New: Cyd. Author: 5. Voters: 1, 2, 5. Commenter: 1.
      '2024-05': { newUsers: 1, active: 3, authors: 1, voters: 3, commenters: 1 },
    },
    // 1, 2, 3, 4, 5, 6: also those who are deleted or blocked by now.
    active: 6,
    listed: ['Data', 'UX', 'Unused'],
    skipped: {
      'votes: the idea is not among the ideas': 3,
      'comments: the idea is not among the ideas': 1,
      'idea_categories: the idea is not among the ideas': 1,
      'ideas: launched without a date': 1,
    },
  },
  variants: {
    'the other site': {
      params: { tenant: '2' },
      right: {
        totals: { users: 2, ideas: 1, votes: 2, comments: 1, launched: 1 },
        ideas: [
          {
            id: '12',
            title: 'Elsewhere',
            createdAt: '2024-01-20T08:00:00.000Z',
            status: 'completed',
            launched: '2024-02-06T09:00:00.000Z',
            url: '/posts/1/elsewhere',
            categories: ['Theirs'],
            votes: [2, 0],
            comments: [1, 0],
          },
        ],
        months: {
          '2024-01': { newUsers: 2, active: 2, authors: 1, voters: 2, commenters: 0 },
          '2024-02': { newUsers: 0, active: 1, authors: 0, voters: 0, commenters: 1 },
        },
        active: 2,
        listed: ['Theirs'],
        skipped: {},
      },
    },
    'a site that does not exist': {
      params: { tenant: '3' },
      right: {
        totals: { users: 0, ideas: 0, votes: 0, comments: 0, launched: 0 },
        ideas: [],
        months: {},
        active: 0,
        listed: [],
        skipped: {},
      },
    },
  },
  versions: {
    // What waits for approval in the seed is deleted here, in Fider's own way: nothing else hides it.
    'Fider before 0.33, without content moderation': `
      UPDATE posts SET status = 6 WHERE NOT is_approved;
      UPDATE comments SET deleted_at = '2024-02-14 09:00+00' WHERE NOT is_approved;
      ALTER TABLE posts DROP COLUMN is_approved;
      ALTER TABLE comments DROP COLUMN is_approved`,
  },
  closed: {
    private: 'UPDATE tenants SET is_private = true WHERE id = 1',
    pending: 'UPDATE tenants SET status = 2 WHERE id = 1',
    disabled: 'UPDATE tenants SET status = 4 WHERE id = 1',
  },
  reasons: { private: 'is_private', pending: 'status 2', disabled: 'status 4' },
  open: {
    'locked: visitors read on': 'UPDATE tenants SET status = 3 WHERE id = 1',
    'next to a closed one': 'UPDATE tenants SET is_private = true, status = 4 WHERE id = 2',
  },
  nowhere: { tenant: '3' },
  survivors: {},
}
