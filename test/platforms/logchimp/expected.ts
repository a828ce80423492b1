// Worked out by hand from seed.sql, where each row has its reason.
import { ideasOf, launchedAre, notOurs, type ExpectedRead, type PlatformCase } from '../platform.ts'

const idOf = (post: number | string): string => `dddddddd-0000-4000-8000-${String(post).padStart(12, '0')}`

const right: ExpectedRead = {
  totals: { users: 5, ideas: 8, votes: 13, comments: 7, launched: 4 },
  ideas: ideasOf(
    `
    11 | Fresh | 2024-05-31T13:00:00 | - | Secret bet | 2 2 | 1 1 | - | /posts/fresh-x11
    7 | New month | 2024-02-01T00:00:05 | - | In progress | 1 0 | 0 0 | - | /posts/new-month-x7
    6 | Finished? | 2024-01-31T23:59:55 | undated | Completed | 0 0 | 0 0 | Web | /posts/finished-x6
    5 | Quiet release | 2024-01-14T08:00:00 | undated | Released | 1 0 | 0 0 | Mobile | /posts/quiet-release-x5
    4 | It's "quoted" | 2024-01-13T08:00:00 | undated | "SHIPPED " | 1 0 | 0 0 | - | /posts/its-quoted-x4
    3 | Export | 2024-01-12T08:00:00 | undated | Released | 3 1 | 4 1 | Web | /posts/export-x3
    2 | Dark mode 🌙 | 2024-01-11T08:00:00 | - | Planned | 2 0 | 0 0 | Web | /posts/dark-mode-x2
    1 | "=HYPERLINK(\\"http://x\\";\\"y\\")\\nsecond line" | 2024-01-10T08:00:00 | - | - | 3 0 | 2 0 | Mobile | /posts/hyperlink-x1`,
    idOf,
  ),
  months: {
    // New: Ada, Ben. Authors and voters: Ada, Ben, Cyd, Spam.
    '2024-01': { newUsers: 2, active: 4, authors: 4, voters: 4, commenters: 0 },
    // New: Cyd. Author and voter: Eve. Commenters: Ada, Ben.
    '2024-02': { newUsers: 1, active: 3, authors: 1, voters: 1, commenters: 2 },
    // New: Eve. Voter: Cyd. Commenter: Ben.
    '2024-03': { newUsers: 1, active: 2, authors: 0, voters: 1, commenters: 1 },
    // New: Dan. Author: Dan. Voters: Ada, Dan, Eve. Commenters: Ada, Eve, Spam.
    '2024-05': { newUsers: 1, active: 4, authors: 1, voters: 3, commenters: 3 },
  },
  // All but Bot, who commented on a hidden board only; Spam, too, though blocked by now.
  active: 6,
  listed: ['Mobile', 'Unused', 'Web'],
  skipped: {
    ...notOurs(4, 1, 3),
    'ideas: launched without a date': 4,
  },
}

/** Other columns mean launched: nothing else changes. */
const undated = (...posts: readonly number[]): ExpectedRead =>
  launchedAre(Object.fromEntries(posts.map((post) => [idOf(post), true])), right)

const EVERY_POST_ON_A_HIDDEN_BOARD = `
  UPDATE posts SET "boardId" = (SELECT "boardId" FROM boards WHERE url = 'internal') WHERE "boardId" IS NULL;`

export const platform: PlatformCase = {
  mapping: 'logchimp',
  params: {},
  right,
  variants: {
    'other columns, in another case': { params: { launched: 'PLANNED, in Progress' }, right: undated(2, 7) },
    'a column that is not on the roadmap, and the name of one that is and one that is not': {
      params: { launched: 'Secret bet,Released' },
      right: undated(3, 5, 11),
    },
    'no column': { params: { launched: '' }, right: undated() },
  },
  closed: {
    'hidden board by board': `UPDATE boards SET display = false;${EVERY_POST_ON_A_HIDDEN_BOARD}`,
    'never displayed': `UPDATE boards SET display = NULL;${EVERY_POST_ON_A_HIDDEN_BOARD}`,
    'without boards and posts': 'DELETE FROM posts_activity; DELETE FROM posts; DELETE FROM boards;',
  },
  reasons: {
    'hidden board by board': 'no board is displayed',
    'never displayed': 'no board is displayed',
  },
  open: {
    'with one board left': `UPDATE boards SET display = name = 'Web'; UPDATE posts SET "boardId" = (SELECT "boardId" FROM boards WHERE name = 'Web') WHERE "boardId" IS NULL`,
    'with posts that are on no board': 'UPDATE boards SET display = false',
  },
  nowhere: null,
  survivors: {
    // Each of the two opens a site. The seed has both, and a site that is closed has neither.
    'users: EXISTS (SELECT FROM boards WHERE display)': 'a post without a board opens the site, too',
    'users: EXISTS (SELECT FROM posts WHERE "boardId" IS NULL)': 'a displayed board opens the site, too',
  },
}
