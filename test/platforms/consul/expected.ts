// Worked out by hand from seed.sql, where each row has its reason.
import { ideasOf, launchedAre, notOurs, type ExpectedIdea, type ExpectedRead, type PlatformCase } from '../platform.ts'

const ideas: readonly ExpectedIdea[] = ideasOf(`
  10 | Fresh | 2024-05-31T13:00:00 | - | open | 2 2 | 1 1 | - | /proposals/10
  12 | Mercado | 2024-03-01T00:00:02 | 2024-05-01T00:00:00 | executed | 0 0 | 0 0 | - | /proposals/12
  11 | "" | 2024-02-28T23:59:58 | - | open | 0 0 | 0 0 | - | /proposals/11
  8 | Parque | 2024-01-17T08:00:00 | 2024-02-20T00:00:00 | Executed | 0 0 | 0 0 | - | /proposals/8
  7 | Carril | 2024-01-16T08:00:00 | - | open | 0 0 | 0 0 | - | /proposals/7
  6 | Retirada | 2024-01-15T08:00:00 | - | retired | 1 0 | 1 0 | - | /proposals/6
  5 | Plaza | 2024-01-14T08:00:00 | - | Bidding | 0 0 | 0 0 | - | /proposals/5
  4 | Fuente | 2024-01-13T08:00:00 | - | Bidding | 0 0 | 0 0 | - | /proposals/4
  3 | Bancos 🌳 | 2024-01-12T08:00:00 | 2024-03-31T23:59:58 | Executed | 1 0 | 0 0 | Culture | /proposals/3
  2 | Shade | 2024-01-11T08:00:00 | - | selected | 2 1 | 2 1 | Environment | /proposals/2
  1 | "=HYPERLINK(\\"http://x\\";\\"y\\")\\nsegunda línea" | 2024-01-10T08:00:00 | - | open | 3 0 | 3 0 | Environment + Mobility | /proposals/1
  9 | Old square | 2022-01-01T08:00:00 | - | open | 1 0 | 0 0 | - | /proposals/9`)

const right: ExpectedRead = {
  totals: { users: 4, ideas: 12, votes: 10, comments: 7, launched: 3 },
  ideas,
  months: {
    // Author and voter: 1, long before the account, whose dates an import may have changed.
    '2022-01': { newUsers: 0, active: 1, authors: 1, voters: 1, commenters: 0 },
    // New: Ada, Ben. Authors: 1, 2, 3, 5, 6. Voters: 1, 2, 7. Commenter: 6.
    '2024-01': { newUsers: 2, active: 6, authors: 5, voters: 3, commenters: 1 },
    // New: the organisation. Author: 2. Voters: 5, 8. Commenters: 2, 5.
    '2024-02': { newUsers: 1, active: 3, authors: 1, voters: 2, commenters: 2 },
    // Author and commenter: 3. The second vote of 2 is none.
    '2024-03': { newUsers: 0, active: 1, authors: 1, voters: 0, commenters: 1 },
    // New: Dan. Author: 4. Voters: 1, 2, 4. Commenters: 1, 2, 3.
    '2024-05': { newUsers: 1, active: 4, authors: 1, voters: 3, commenters: 3 },
  },
  // 1 to 8: also those who are erased, hidden or not confirmed.
  active: 8,
  listed: ['Culture', 'Environment', 'Mobility', 'Unused'],
  skipped: {
    // On 51 and 52, of 52.
    ...notOurs(2, 2, 1),
  },
}

/** Schema north with the rows of the main site, as Apartment has it; what stays in public has no rows. */
const IN_A_SCHEMA = `
  CREATE SCHEMA north;
  DO $$
  DECLARE name text;
  BEGIN
    FOR name IN SELECT relname FROM pg_class WHERE relkind = 'r' AND relnamespace = 'public'::regnamespace LOOP
      IF name = 'tenants' THEN
        CREATE TABLE north.tenants (LIKE public.tenants);
      ELSE
        EXECUTE format('ALTER TABLE public.%I SET SCHEMA north', name);
        EXECUTE format('CREATE TABLE public.%I (LIKE north.%I)', name, name);
      END IF;
    END LOOP;
    EXECUTE format('ALTER DATABASE %I SET search_path = north, public', current_database());
  END $$`

export const platform: PlatformCase = {
  mapping: 'consul',
  params: {},
  right,
  variants: {
    'other statuses launched, in capitals': {
      params: { launched: 'BIDDING' },
      right: launchedAre({ 5: '2024-02-01T00:00:00.000Z', 4: '2024-02-15T00:00:00.000Z' }, right),
    },
    'what the staff selected': { params: { launched: 'Selected' }, right: launchedAre({ 2: true }, right) },
    'no status launched': { params: { launched: '' }, right: launchedAre({}, right) },
    'in English': {
      params: { locale: 'en' },
      right: { ...right, ideas: ideas.map((idea) => (idea.id === '1' ? { ...idea, title: 'Link' } : idea)) },
    },
  },
  versions: { 'a tenant, in a schema of its own': IN_A_SCHEMA },
  closed: {
    'without proposals': `UPDATE settings SET value = ' ' WHERE key = 'process.proposals'`,
    'without a value for them': `UPDATE settings SET value = NULL WHERE key = 'process.proposals'`,
    'without the setting for them': `DELETE FROM settings WHERE key = 'process.proposals'`,
    'a hidden tenant': `${IN_A_SCHEMA}; UPDATE public.tenants SET hidden_at = '2024-03-01' WHERE schema = 'north'`,
  },
  reasons: {
    'without proposals': 'process.proposals',
    'without a value for them': 'process.proposals',
    'a hidden tenant': 'tenants.hidden_at',
  },
  open: {
    'with the older name of the setting':
      "UPDATE settings SET key = 'feature.proposals' WHERE key = 'process.proposals'",
    'a tenant, next to a hidden one': IN_A_SCHEMA,
  },
  nowhere: null,
  survivors: {},
}
