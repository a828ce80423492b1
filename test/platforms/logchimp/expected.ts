// Worked out by hand from seed.sql, where each row has its reason.
import type { ExpectedRead, PlatformCase } from '../platform.ts'

const idOf = (post: number): string => `dddddddd-0000-4000-8000-${String(post).padStart(12, '0')}`

const right: ExpectedRead = {
  totals: { users: 5, ideas: 8, votes: 13, comments: 7, launched: 4 },
  ideas: [
    {
      id: idOf(11),
      title: 'Fresh',
      createdAt: '2024-05-31T13:00:00.000Z',
      status: 'Secret bet',
      launched: false,
      url: '/posts/fresh-x11',
      categories: [],
      votes: [2, 2],
      comments: [1, 1],
    },
    {
      id: idOf(7),
      title: 'New month',
      createdAt: '2024-02-01T00:00:05.000Z',
      status: 'In progress',
      launched: false,
      url: '/posts/new-month-x7',
      categories: [],
      votes: [1, 0],
      comments: [0, 0],
    },
    {
      id: idOf(6),
      title: 'Finished?',
      createdAt: '2024-01-31T23:59:55.000Z',
      status: 'Completed',
      launched: true,
      url: '/posts/finished-x6',
      categories: ['Web'],
      votes: [0, 0],
      comments: [0, 0],
    },
    {
      id: idOf(5),
      title: 'Quiet release',
      createdAt: '2024-01-14T08:00:00.000Z',
      status: 'Released',
      launched: true,
      url: '/posts/quiet-release-x5',
      categories: ['Mobile'],
      votes: [1, 0],
      comments: [0, 0],
    },
    {
      id: idOf(4),
      title: 'It\'s "quoted"',
      createdAt: '2024-01-13T08:00:00.000Z',
      status: 'SHIPPED ',
      launched: true,
      url: '/posts/its-quoted-x4',
      categories: [],
      votes: [1, 0],
      comments: [0, 0],
    },
    {
      id: idOf(3),
      title: 'Export',
      createdAt: '2024-01-12T08:00:00.000Z',
      status: 'Released',
      launched: true,
      url: '/posts/export-x3',
      categories: ['Web'],
      votes: [3, 1],
      comments: [4, 1],
    },
    {
      id: idOf(2),
      title: 'Dark mode 🌙',
      createdAt: '2024-01-11T08:00:00.000Z',
      status: 'Planned',
      launched: false,
      url: '/posts/dark-mode-x2',
      categories: ['Web'],
      votes: [2, 0],
      comments: [0, 0],
    },
    {
      id: idOf(1),
      title: '=HYPERLINK("http://x";"y")\nsecond line',
      createdAt: '2024-01-10T08:00:00.000Z',
      status: null,
      launched: false,
      url: '/posts/hyperlink-x1',
      categories: ['Mobile'],
      votes: [3, 0],
      comments: [2, 0],
    },
  ],
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
    'votes: the idea is not among the ideas': 4,
    'comments: the idea is not among the ideas': 1,
    'idea_categories: the idea is not among the ideas': 3,
    'ideas: launched without a date': 4,
  },
}

/** Other columns mean launched: nothing else changes. */
function launchedAre(...posts: readonly number[]): ExpectedRead {
  const { 'ideas: launched without a date': _, ...skipped } = right.skipped
  return {
    ...right,
    totals: { ...right.totals, launched: posts.length },
    ideas: right.ideas.map((idea) => ({ ...idea, launched: posts.some((post) => idOf(post) === idea.id) })),
    skipped: posts.length === 0 ? skipped : { ...skipped, 'ideas: launched without a date': posts.length },
  }
}

const EVERY_POST_ON_A_HIDDEN_BOARD = `
  UPDATE posts SET "boardId" = (SELECT "boardId" FROM boards WHERE url = 'internal') WHERE "boardId" IS NULL;`

export const platform: PlatformCase = {
  mapping: 'logchimp',
  params: {},
  naive: {
    sql: {
      users: 'SELECT count(*) FROM users',
      ideas: 'SELECT count(*) FROM posts',
      votes: 'SELECT count(*) FROM votes',
      comments: 'SELECT count(*) FROM posts_comments',
      launched: `SELECT count(*) FROM posts p JOIN roadmaps r ON r.id = p.roadmap_id
                  WHERE lower(trim(r.name)) IN ('released', 'shipped', 'completed')`,
    },
    totals: { users: 7, ideas: 11, votes: 19, comments: 11, launched: 5 },
  },
  right,
  variants: {
    'other columns, in another case': { params: { launched: 'PLANNED, in Progress' }, right: launchedAre(2, 7) },
    'a column that is not on the roadmap, and the name of one that is and one that is not': {
      params: { launched: 'Secret bet,Released' },
      right: launchedAre(3, 5, 11),
    },
    'no column': { params: { launched: '' }, right: launchedAre() },
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
