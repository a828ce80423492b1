// Worked out by hand from seed.sql, where each row has its reason.
import { ideasOf, launchedAre, NOTHING, notOurs, type ExpectedRead, type PlatformCase } from '../platform.ts'

const right: ExpectedRead = {
  totals: { users: 4, ideas: 10, votes: 10, comments: 7, launched: 4 },
  ideas: ideasOf(`
    11 | Fresh | 2024-05-31T00:05:00 | - | - | 1 1 | 1 1 | Feature Requests | /posts/fresh
    6 | Plan | 2024-02-28T23:59:50 | - | Planned | 1 0 | 0 0 | Feature Requests | /posts/plan
    12 | Just done | 2024-01-18T09:00:00 | undated | Completed | 0 0 | 0 0 | Bug Reports | /posts/just-done
    8 | Rewrite it | 2024-01-17T08:00:00 | - | Rejected | 0 0 | 1 0 | Feature Requests | /posts/rewrite-it
    7 | Ship | 2024-01-16T08:00:00 | - | Shipped | 0 0 | 0 0 | Bug Reports | /posts/shipped
    5 | It's "done" | 2024-01-14T08:00:00 | 2024-02-10T09:00:00 | Completed | 1 0 | 0 0 | Feature Requests | /posts/twice
    4 | Import | 2024-01-13T08:00:00 | undated | Completed | 0 0 | 0 0 | Bug Reports | /posts/import
    3 | Export | 2024-01-12T08:00:00 | 2024-03-31T23:58:00 | Completed | 2 0 | 1 0 | Bug Reports | /posts/3
    2 | Dark mode 🌙 | 2024-01-11T08:00:00 | - | In Progress | 2 0 | 1 0 | Feature Requests | /posts/dark-mode
    1 | "=HYPERLINK(\\"http://x\\";\\"y\\")\\nsecond line" | 2024-01-10T08:00:00 | - | - | 3 1 | 3 0 | Feature Requests | /posts/hyperlink`),
  months: {
    // New: Ada, Ben. Authors: 1 and 2 (two posts each), 3, 4, 6. Voters: 1, 2, 3, 4.
    '2024-01': { newUsers: 2, active: 5, authors: 5, voters: 4, commenters: 0 },
    // Author: 2. Voters: 1, 7. Commenters: 1, 2, 3, 4.
    '2024-02': { newUsers: 0, active: 5, authors: 1, voters: 2, commenters: 4 },
    // New: Dan. Voter: 2. Commenter: 1.
    '2024-03': { newUsers: 1, active: 2, authors: 0, voters: 1, commenters: 1 },
    // New: Cyd. Author: 5. Voters: 1 (twice), 6. Commenters: 1, 2.
    '2024-05': { newUsers: 1, active: 4, authors: 1, voters: 2, commenters: 2 },
  },
  // 1 to 7: also those who are deleted, blocked or not confirmed.
  active: 7,
  listed: ['Bug Reports', 'Feature Requests', 'Unused'],
  skipped: {
    ...notOurs(2, 2, 2),
    'ideas: launched without a date': 1,
    'ideas: launched at or after dataAsOf: undated': 1,
  },
}

export const platform: PlatformCase = {
  mapping: 'astuto',
  params: { tenant: '1' },
  right,
  variants: {
    'other names, in another case': {
      params: { tenant: '1', launched: 'SHIPPED, in progress' },
      right: launchedAre({ 7: '2024-03-05T09:00:00.000Z', 2: '2024-02-01T09:00:00.000Z' }, right),
    },
    'no name at all': { params: { tenant: '1', launched: '' }, right: launchedAre({}, right) },
    'the other site, which has no settings': {
      params: { tenant: '2' },
      right: {
        totals: { users: 2, ideas: 2, votes: 2, comments: 1, launched: 1 },
        ideas: ideasOf(`
          21 | Export    | 2024-01-21T08:00:00 | -                   | Erledigt  | 0 0 | 0 0 | Theirs           | /posts/export
          20 | Elsewhere | 2024-01-20T08:00:00 | 2024-02-06T09:00:00 | COMPLETED | 2 0 | 1 0 | Feature Requests | /posts/elsewhere`),
        months: {
          '2024-01': { newUsers: 2, active: 2, authors: 1, voters: 2, commenters: 0 },
          '2024-02': { newUsers: 0, active: 1, authors: 0, voters: 0, commenters: 1 },
        },
        active: 2,
        listed: ['Feature Requests', 'Theirs'],
        skipped: {},
      },
    },
    'a site that hides its vote counts': {
      params: { tenant: '3' },
      right: {
        totals: { users: 1, ideas: 1, votes: 0, comments: 1, launched: 1 },
        ideas: ideasOf(`
          30 | Quiet | 2024-01-22T08:00:00 | 2024-02-07T09:00:00 | Completed | 0 0 | 1 0 | Quiet | /posts/quiet`),
        months: {
          '2024-01': { newUsers: 1, active: 1, authors: 1, voters: 0, commenters: 0 },
          '2024-02': { newUsers: 0, active: 1, authors: 0, voters: 0, commenters: 1 },
        },
        active: 1,
        listed: ['Quiet'],
        skipped: {},
      },
    },
    'a private site': {
      params: { tenant: '4' },
      right: {
        ...NOTHING,
        skipped: {
          ...notOurs(1, 1, 1),
        },
      },
    },
    'a site that does not exist': { params: { tenant: '3000000000' }, right: NOTHING },
  },
  closed: {
    private: 'UPDATE tenant_settings SET is_private = true WHERE id = 1',
    'private by its second row of settings': 'UPDATE tenant_settings SET is_private = true WHERE id = 2',
    pending: 'UPDATE tenants SET status = 1 WHERE id = 1',
    blocked: 'UPDATE tenants SET status = 2 WHERE id = 1',
  },
  reasons: {
    private: 'is_private',
    'private by its second row of settings': 'is_private',
    pending: 'status 1',
    blocked: 'status 2',
  },
  open: {
    'without a row of settings': 'DELETE FROM tenant_settings WHERE tenant_id = 1',
    'next to a closed one':
      'UPDATE tenants SET status = 2 WHERE id <> 1; UPDATE tenant_settings SET is_private = true WHERE tenant_id <> 1',
  },
  nowhere: { tenant: '3000000000' },
  survivors: {},
}
