// Worked out by hand from seed.sql, where each row has its reason.
import { ideasOf, launchedAre, NOTHING, type ExpectedIdea, type ExpectedRead, type PlatformCase } from '../platform.ts'

const ideas: readonly ExpectedIdea[] = ideasOf(`
  8 | Fresh | 2024-05-31T13:00:00 | - | opened | 2 2 | 1 1 | - | /Acme/app/-/issues/6
  7 | Import | 2024-03-01T00:00:02 | undated | closed | 1 0 | 0 0 | - | /Acme/tools/cli/-/issues/2
  6 | Colours 🌈 | 2024-02-28T23:59:58 | - | opened | 2 1 | 1 0 | area::cli | /Acme/tools/cli/-/issues/1
  5 | Big | 2024-01-14T08:00:00 | - | promoted | 0 0 | 0 0 | - | /Acme/app/-/issues/5
  4 | Again | 2024-01-13T08:00:00 | - | duplicate | 0 0 | 0 0 | - | /Acme/app/-/issues/4
  3 | Rewrite | 2024-01-12T08:00:00 | - | closed | 0 0 | 0 0 | Wontfix | /Acme/app/-/issues/3
  2 | Export | 2024-01-11T08:00:00 | 2024-03-31T23:59:58 | closed | 2 1 | 2 1 | type::feature | /Acme/app/-/issues/2
  1 | "=HYPERLINK(\\"http://x\\";\\"y\\")\\nsecond line" | 2024-01-10T08:00:00 | - | opened | 5 0 | 4 0 | bug + type::feature | /Acme/app/-/issues/1`)

const NO_DATE = { 'ideas: launched without a date': 1 }

const right: ExpectedRead = {
  totals: { users: 4, ideas: 8, votes: 12, comments: 8, launched: 2 },
  ideas,
  months: {
    // New: Ada, Ben. Authors and voters: 1, 2. The ghost user is nobody.
    '2024-01': { newUsers: 2, active: 2, authors: 2, voters: 2, commenters: 0 },
    // New: Cyd. Author: 3. Voter: 5. Commenters: 2, 5.
    '2024-02': { newUsers: 1, active: 3, authors: 1, voters: 1, commenters: 2 },
    // Author: 5. Voters: 2, 6. Commenter: 3.
    '2024-03': { newUsers: 0, active: 4, authors: 1, voters: 2, commenters: 1 },
    // The bot.
    '2024-04': { newUsers: 0, active: 1, authors: 0, voters: 0, commenters: 1 },
    // New: Dan. Author: the bot. Voters: 1, 2, 3, 4. Commenters: 1, 2, 3.
    '2024-05': { newUsers: 1, active: 5, authors: 1, voters: 4, commenters: 3 },
  },
  // 1 to 7: also who is blocked, banned or a bot.
  active: 7,
  listed: [],
  skipped: NO_DATE,
}

/** One of those that have a vote and a comment by somebody of their own. */
const small = (id: string, title: string, url: string): ExpectedIdea => ({
  id,
  title,
  createdAt: '2024-01-20T08:00:00.000Z',
  status: 'opened',
  launched: false,
  url,
  categories: ['bug'],
  votes: [1, 0],
  comments: [1, 0],
})

const app: ExpectedRead = {
  totals: { users: 3, ideas: 6, votes: 9, comments: 7, launched: 1 },
  ideas: ideas.filter(({ id }) => id !== '6' && id !== '7'),
  months: {
    '2024-01': { newUsers: 2, active: 2, authors: 2, voters: 2, commenters: 0 },
    // Voter: 5. Commenters: 2, 5.
    '2024-02': { newUsers: 1, active: 2, authors: 0, voters: 1, commenters: 2 },
    '2024-04': { newUsers: 0, active: 1, authors: 0, voters: 0, commenters: 1 },
    // Author: the bot. Voters: 1, 2, 3. Commenters: 1, 2, 3.
    '2024-05': { newUsers: 0, active: 4, authors: 1, voters: 3, commenters: 3 },
  },
  // 1, 2, 3, 5, 7.
  active: 5,
  listed: [],
  skipped: {},
}

const UNDER_ACME = 'WHERE id <> 10'
const CLOSED = {
  private: `UPDATE projects SET visibility_level = 0 ${UNDER_ACME}`,
  'for those who log in': `UPDATE projects SET visibility_level = 10 ${UNDER_ACME}`,
  'a private group': 'UPDATE namespaces SET visibility_level = 0 WHERE id = 10',
  'without issues': 'UPDATE project_features SET issues_access_level = 0 WHERE project_id <> 10',
  'with issues for members only': 'UPDATE project_features SET issues_access_level = 10 WHERE project_id <> 10',
  'waiting for its deletion': `UPDATE projects SET pending_delete = true ${UNDER_ACME}`,
  'taken down': `UPDATE projects SET hidden = true ${UNDER_ACME}`,
}

export const platform: PlatformCase = {
  mapping: 'gitlab',
  params: { path: 'Acme' },
  right,
  variants: {
    'one project, in capitals': { params: { path: 'ACME/APP' }, right: app },
    'another group': {
      params: { path: 'other' },
      right: {
        totals: { users: 1, ideas: 1, votes: 1, comments: 1, launched: 0 },
        ideas: [small('37', 'Elsewhere', '/other/app/-/issues/1')],
        months: { '2024-01': { newUsers: 1, active: 1, authors: 1, voters: 1, commenters: 1 } },
        active: 1,
        listed: [],
        skipped: {},
      },
    },
    'a path that does not exist': { params: { path: 'nobody/nothing' }, right: NOTHING },
    'with tasks': {
      params: { path: 'Acme', types: '1,5' },
      right: {
        ...right,
        totals: { users: 5, ideas: 9, votes: 13, comments: 9, launched: 2 },
        ideas: [...ideas.slice(0, 3), small('40', 'A task', '/Acme/app/-/issues/9'), ...ideas.slice(3)],
        months: {
          ...right.months,
          '2024-01': { newUsers: 3, active: 3, authors: 3, voters: 3, commenters: 1 },
        },
        active: 8,
      },
    },
    'other labels declined, in capitals': {
      params: { path: 'Acme', declined: 'TYPE::Feature' },
      right: launchedAre({ 7: true, 3: '2024-02-01T09:00:00.000Z' }, right),
    },
    'no label declined': {
      params: { path: 'Acme', declined: '' },
      right: launchedAre({ 7: true, 3: '2024-02-01T09:00:00.000Z', 2: '2024-03-31T23:59:58.000Z' }, right),
    },
    'by a scope and a label, in another case': {
      params: { path: 'Acme', categories: 'Type, BUG' },
      right: {
        ...right,
        ideas: ideas.map((idea) => (idea.id === '6' || idea.id === '3' ? { ...idea, categories: [] } : idea)),
      },
    },
  },
  versions: {
    'a later GitLab, where internal is the only name': `
      UPDATE notes SET internal = true WHERE confidential;
      ALTER TABLE notes DROP COLUMN confidential`,
    'GitLab 18, with the table of work item types': `
      CREATE TABLE work_item_types (id bigint PRIMARY KEY, base_type smallint NOT NULL, name text NOT NULL);
      INSERT INTO work_item_types VALUES (1, 0, 'Issue'), (5, 4, 'Task'), (8, 7, 'Epic')`,
  },
  closed: { ...CLOSED, 'without a project': `DELETE FROM projects ${UNDER_ACME}` },
  reasons: Object.fromEntries(Object.keys(CLOSED).map((how) => [how, 'no public project with issues'])),
  open: {
    'with the default of issues everywhere': 'UPDATE project_features SET issues_access_level = NULL',
    'with one public project left': 'UPDATE projects SET visibility_level = 0 WHERE id = 1',
    'next to a private group': 'UPDATE namespaces SET visibility_level = 0 WHERE id = 20',
  },
  nowhere: { path: 'nobody/nothing' },
  survivors: {},
}
