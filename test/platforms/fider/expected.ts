// Worked out by hand from seed.sql, where each row has its reason.
import { ideasOf, NOTHING, notOurs, type PlatformCase } from '../platform.ts'

export const platform: PlatformCase = {
  mapping: 'fider',
  params: { tenant: '1' },
  right: {
    totals: { users: 4, ideas: 7, votes: 10, comments: 4, launched: 2 },
    ideas: ideasOf(`
      11 | Fresh | 2024-05-31T13:00:00 | - | open | 1 1 | 1 1 | - | /posts/11/fresh
      6 | Plan | 2024-01-15T08:00:00 | - | planned | 1 0 | 0 0 | - | /posts/6/plan
      5 | Rewrite it | 2024-01-14T08:00:00 | - | declined | 0 0 | 0 0 | - | /posts/5/rewrite-it
      4 | Import | 2024-01-13T08:00:00 | undated | completed | 0 0 | 0 0 | - | /posts/4/import
      3 | Export | 2024-01-12T08:00:00 | 2024-03-01T09:00:00 | completed | 3 1 | 1 0 | Data | /posts/3/export
      2 | Dark mode 🌙 | 2024-01-11T08:00:00 | - | started | 2 0 | 0 0 | UX | /posts/2/dark-mode
      1 | "=HYPERLINK(\\"http://x\\";\\"y\\")\\nsecond line" | 2024-01-10T08:00:00 | - | open | 3 0 | 2 0 | Data + UX | /posts/1/hyperlink`),
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
      ...notOurs(3, 1, 1),
      'ideas: launched without a date': 1,
    },
  },
  variants: {
    'the other site': {
      params: { tenant: '2' },
      right: {
        totals: { users: 2, ideas: 1, votes: 2, comments: 1, launched: 1 },
        ideas: ideasOf(`
          12 | Elsewhere | 2024-01-20T08:00:00 | 2024-02-06T09:00:00 | completed | 2 0 | 1 0 | Theirs | /posts/1/elsewhere`),
        months: {
          '2024-01': { newUsers: 2, active: 2, authors: 1, voters: 2, commenters: 0 },
          '2024-02': { newUsers: 0, active: 1, authors: 0, voters: 0, commenters: 1 },
        },
        active: 2,
        listed: ['Theirs'],
        skipped: {},
      },
    },
    'a site that does not exist': { params: { tenant: '3' }, right: NOTHING },
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
