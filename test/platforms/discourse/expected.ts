// Worked out by hand from seed.sql, where each row has its reason.
import { ideasBut, ideasOf, notOurs, type ExpectedIdea, type ExpectedRead, type PlatformCase } from '../platform.ts'

const ideas = ideasOf(`
  209 | Fresh | 2024-05-31T13:00:00 | - | open | 2 2 | 1 1 | Feature requests | /t/fresh/209
  208 | Soon | 2024-05-01T00:00:30 | undated | launched | 1 0 | 1 1 | - | /t/soon/208
  207 | Plan | 2024-04-30T23:59:30 | - | closed | 0 0 | 0 0 | Web | /t/207
  206 | Imported from mail | 2024-03-10T08:00:00 | 2024-05-31T23:55:00 | launched | 1 0 | 0 0 | Feature requests | /t/206
  205 | Plug-ins | 2024-02-15T08:00:00 | - | open | 0 0 | 0 0 | Feature requests | /t/plug-ins/205
  204 | Import | 2024-02-10T08:00:00 | 2024-02-28T23:59:50 | launched | 2 0 | 0 0 | Mobile | /t/import/204
  203 | Export | 2024-02-01T00:00:10 | 2024-03-01T09:00:00 | launched | 3 1 | 2 1 | Feature requests | /t/export/203
  202 | "\\"Dark\\" mode 🌙" | 2024-01-31T23:59:50 | - | closed | 2 0 | 0 0 | Mobile | /t/dark-mode/202
  201 | "=HYPERLINK(\\"http://x\\";\\"y\\")\\nsecond line" | 2024-01-10T08:00:00 | - | open | 4 0 | 6 0 | Feature requests | /t/hyperlink/201`)
const CLOSED: Partial<ExpectedIdea> = { status: 'closed', launched: false }
const onlyIn = (category: string, all = ideas) => all.filter(({ categories }) => categories.includes(category))

const right: ExpectedRead = {
  totals: { users: 7, ideas: 9, votes: 15, comments: 10, launched: 4 },
  ideas,
  months: {
    // New: Ada, Ben. Authors: 1, 2. Voters: 1, 2.
    '2024-01': { newUsers: 2, active: 2, authors: 2, voters: 2, commenters: 0 },
    // New: Cyd. Authors: 5, 3 and somebody who is gone. Voters: 3, 5, 1, 4 and nobody, twice. Commenters: 2, 5.
    '2024-02': { newUsers: 1, active: 5, authors: 2, voters: 4, commenters: 2 },
    // New: Dan. Authors: the system, which is no user. Voter: 11. Commenter: 1, besides a bot and a deleted user.
    '2024-03': { newUsers: 1, active: 2, authors: 0, voters: 1, commenters: 1 },
    // New: Fay. Author: 11.
    '2024-04': { newUsers: 1, active: 1, authors: 1, voters: 0, commenters: 0 },
    // New: Hal, Lea. Authors: 2, 13. Voters: 6, 13, 2, 1. Commenters: 3, 4, 8, 1.
    '2024-05': { newUsers: 2, active: 7, authors: 2, voters: 4, commenters: 4 },
  },
  // 1, 2, 3, 4, 5, 6, 8, 11, 13: also those who are suspended or anonymous.
  active: 9,
  listed: ['Empty', 'Feature requests', 'Mobile', 'Web'],
  skipped: {
    'users: dated at or after dataAsOf': 1,
    'ideas: dated at or after dataAsOf': 1,
    'ideas: launched at or after dataAsOf: undated': 1,
    'votes: the idea is dated at or after dataAsOf': 1,
    'votes: dated at or after dataAsOf': 1,
    'comments: the idea is dated at or after dataAsOf': 1,
    'comments: dated at or after dataAsOf': 1,
    // The categories are those of 100, 101, 220, 221, 222, 225, 226, 227.
    ...notOurs(6, 4, 8),
    'idea_categories: blank, or the reserved name Uncategorized': 1,
  },
}

/** By month, who joined where nobody did anything. */
const JOINED: ExpectedRead['months'] = Object.fromEntries(
  [2, 1, 1, 1, 2].map((newUsers, i) => [
    `2024-0${i + 1}`,
    { newUsers, active: 0, authors: 0, voters: 0, commenters: 0 },
  ]),
)

/** Migration 20240707170311_rename_voting_tables and those of the settings, the other way round. */
const BEFORE_JULY_2024 = `
  ALTER TABLE topic_voting_votes RENAME TO discourse_voting_votes;
  ALTER TABLE topic_voting_category_settings RENAME TO discourse_voting_category_settings;
  ALTER TABLE topic_voting_topic_vote_count RENAME TO discourse_voting_topic_vote_count;
  UPDATE site_settings SET name = 'voting_enabled' WHERE name = 'topic_voting_enabled'`

export const platform: PlatformCase = {
  mapping: 'discourse',
  params: {},
  right,
  variants: {
    'other launched tags, in another case': {
      params: { launched_tags: 'PLANNED, Done' },
      right: {
        ...right,
        totals: { ...right.totals, launched: 2 },
        ideas: ideasBut(ideas, {
          208: { status: 'open', launched: false },
          207: { status: 'launched', launched: '2024-05-31T23:59:50.000Z' },
          206: CLOSED,
          203: CLOSED,
        }),
        skipped: Object.fromEntries(
          Object.entries(right.skipped).filter(([what]) => what !== 'ideas: launched at or after dataAsOf: undated'),
        ),
      },
    },
    'one category by its name, in another case, and no launched tag': {
      params: { voting_categories: 'feature Requests', launched_tags: '' },
      right: {
        totals: { users: 7, ideas: 5, votes: 10, comments: 9, launched: 0 },
        ideas: onlyIn('Feature requests', ideasBut(ideas, { 206: CLOSED, 203: CLOSED })),
        months: {
          ...JOINED,
          // Author: 1. Voters: 1, 2.
          '2024-01': { newUsers: 2, active: 2, authors: 1, voters: 2, commenters: 0 },
          // Authors: 5, 3. Voters: 3, 5, 1. Commenters: 2, 5.
          '2024-02': { newUsers: 1, active: 4, authors: 2, voters: 3, commenters: 2 },
          '2024-03': { newUsers: 1, active: 2, authors: 0, voters: 1, commenters: 1 },
          // Author: 13. Voters: 13, 2, 1. Commenters: 3, 4, 1.
          '2024-05': { newUsers: 2, active: 5, authors: 1, voters: 3, commenters: 3 },
        },
        // 1, 2, 3, 4, 5, 11, 13.
        active: 7,
        listed: ['Feature requests'],
        skipped: {
          'users: dated at or after dataAsOf': 1,
          'ideas: dated at or after dataAsOf': 1,
          'votes: the idea is dated at or after dataAsOf': 1,
          'votes: dated at or after dataAsOf': 1,
          'comments: the idea is dated at or after dataAsOf': 1,
          'comments: dated at or after dataAsOf': 1,
          // Besides: votes of 202, 204 and 208 (2, 2 and 1), the comment of 208, categories of 202, 204, 207 and 208.
          ...notOurs(11, 5, 12),
        },
      },
    },
    'one category by its id': {
      params: { voting_categories: '3' },
      right: {
        totals: { users: 7, ideas: 1, votes: 2, comments: 0, launched: 0 },
        ideas: onlyIn('Mobile').filter(({ id }) => id === '202'),
        months: {
          ...JOINED,
          '2024-01': { newUsers: 2, active: 1, authors: 1, voters: 0, commenters: 0 },
          // Voters: 1, 4.
          '2024-02': { newUsers: 1, active: 2, authors: 0, voters: 2, commenters: 0 },
        },
        active: 3,
        listed: ['Mobile'],
        skipped: {
          'users: dated at or after dataAsOf': 1,
          // All 24 votes but the two of 202 and the one on no topic; 10 comments that count, 4 on hidden topics, 2 in the
          // future; of 9 topics that count, 8 that are hidden, 1 in the future: all but 202.
          ...notOurs(21, 16, 17),
        },
      },
    },
    'categories by name: two of one name, one that is not public, one without voting': {
      params: { voting_categories: 'MOBILE, staff ideas, Lounge' },
      right: {
        totals: { users: 7, ideas: 2, votes: 4, comments: 0, launched: 1 },
        ideas: onlyIn('Mobile'),
        months: {
          ...JOINED,
          '2024-01': { newUsers: 2, active: 1, authors: 1, voters: 0, commenters: 0 },
          // An author who is gone. Voters: 1, 4 and nobody, twice.
          '2024-02': { newUsers: 1, active: 2, authors: 0, voters: 2, commenters: 0 },
        },
        active: 3,
        listed: ['Mobile'],
        skipped: {
          'users: dated at or after dataAsOf': 1,
          ...notOurs(19, 16, 16),
        },
      },
    },
    'a category that does not exist': {
      params: { voting_categories: 'nowhere' },
      right: {
        totals: { users: 7, ideas: 0, votes: 0, comments: 0, launched: 0 },
        ideas: [],
        months: JOINED,
        active: 0,
        listed: [],
        skipped: {
          'users: dated at or after dataAsOf': 1,
          ...notOurs(23, 16, 18),
        },
      },
    },
  },
  versions: {
    'Topic Voting before July 2024': BEFORE_JULY_2024,
    // Read on, they would give one category, and no vote.
    'Topic Voting from July to December 2024, beside its older tables': `
      CREATE TABLE discourse_voting_votes AS SELECT * FROM topic_voting_votes WHERE false;
      CREATE TABLE discourse_voting_category_settings AS SELECT * FROM topic_voting_category_settings WHERE category_id = 5`,
  },
  closed: {
    'open to members only': `UPDATE site_settings SET value = 't' WHERE name = 'login_required'`,
    'open to members only, in a word': `UPDATE site_settings SET value = 'true' WHERE name = 'login_required'`,
    'without voting': `UPDATE site_settings SET value = 'f' WHERE name = 'topic_voting_enabled'`,
    'without voting, before July 2024': `${BEFORE_JULY_2024}; UPDATE site_settings SET value = 'f' WHERE name = 'voting_enabled'`,
    'open to members only, before July 2024': `${BEFORE_JULY_2024}; UPDATE site_settings SET value = 't' WHERE name = 'login_required'`,
  },
  reasons: {
    'open to members only': 'login_required',
    'open to members only, in a word': 'login_required',
    'open to members only, before July 2024': 'login_required',
  },
  open: {
    'as one that never changed the setting': `DELETE FROM site_settings WHERE name = 'login_required'`,
    'with the setting changed back': `UPDATE site_settings SET value = 'false' WHERE name = 'login_required'`,
    'with another setting switched on': `UPDATE site_settings SET value = 't' WHERE name <> 'login_required'`,
  },
  nowhere: null,
  survivors: {},
}
