// Worked out by hand from seed.sql, where each row has its reason.
import { ideasBut, ideasOf, launchedAre, NOTHING, type ExpectedRead, type PlatformCase } from '../platform.ts'

const ideas = ideasOf(`
  14 | Fresc | 2024-05-31T13:00:00 | - | - | 2 2 | 1 1 | - | /processes/budget/f/10/proposals/14
  13 | Grup | 2024-03-12T08:00:00 | - | - | 1 0 | 0 0 | - | /assemblies/working-group/f/16/proposals/13
  12 | Vidre | 2024-03-11T08:00:00 | - | - | 1 0 | 1 0 | - | /assemblies/glass/f/15/proposals/12
  11 | Consell | 2024-03-10T08:00:00 | 2024-04-01T09:00:00 | accepted | 1 0 | 0 0 | - | /assemblies/council/f/14/proposals/11
  10 | Sense fase | 2024-03-01T00:00:02 | - | - | 0 0 | 0 0 | - | /processes/no-phase/f/13/proposals/10
  9 | Praça | 2024-02-28T23:59:58 | - | - | 1 0 | 0 0 | - | /processes/budget/f/12/proposals/9
  8 | Vots amagats | 2024-02-10T08:00:00 | 2024-03-02T09:00:00 | accepted | 0 0 | 0 0 | Mobilitat | /processes/budget/f/11/proposals/8
  7 | Font | 2024-01-16T08:00:00 | - | built | 1 0 | 0 0 | - | /processes/budget/f/10/proposals/7
  6 | Una altra | 2024-01-15T08:00:00 | - | rejected | 0 0 | 0 0 | - | /processes/budget/f/10/proposals/6
  5 | Secret | 2024-01-14T08:00:00 | - | - | 0 0 | 0 0 | - | /processes/budget/f/10/proposals/5
  4 | "" | 2024-01-13T08:00:00 | 2024-03-01T09:00:00 | accepted | 1 0 | 0 0 | - | /processes/budget/f/10/proposals/4
  3 | Benches 🌳 | 2024-01-12T08:00:00 | - | - | 0 0 | 1 0 | - | /processes/budget/f/10/proposals/3
  2 | Sombra | 2024-01-11T08:00:00 | - | evaluating | 2 1 | 3 1 | Culture | /processes/budget/f/10/proposals/2
  1 | "=HYPERLINK(\\"http://x\\";\\"y\\")\\nsegona línia" | 2024-01-10T08:00:00 | - | - | 3 0 | 4 0 | Green + Mobilitat | /processes/budget/f/10/proposals/1`)

const NOT_OURS = 'the idea is not among the ideas'
const BLANK = 'idea_categories: blank, or the reserved name Uncategorized'

const right: ExpectedRead = {
  totals: { users: 4, ideas: 14, votes: 13, comments: 10, launched: 3 },
  ideas,
  months: {
    // New: Ada, Ben. Authors: 1 (not the second author of 1), 2, 3, 5, 8. Voters: 1, 2.
    '2024-01': { newUsers: 2, active: 5, authors: 5, voters: 2, commenters: 0 },
    // New: Cyd. Authors: 2, 3. Voters: 5, 8. Commenters: 2, 5.
    '2024-02': { newUsers: 1, active: 4, authors: 2, voters: 2, commenters: 2 },
    // Authors and voters: 1, 2, 3. Commenters: 1, 2, 3, 4.
    '2024-03': { newUsers: 0, active: 4, authors: 3, voters: 3, commenters: 4 },
    // April: a comment by the organisation, which is nobody.
    // New: Dan. Author: 4. Voters: 1, 2. Commenters: 1, 2, 3.
    '2024-05': { newUsers: 1, active: 4, authors: 1, voters: 2, commenters: 3 },
  },
  // 1, 2, 3, 4, 5, 8: also those who are deleted or blocked by now.
  active: 6,
  listed: ['Culture', 'Green', 'Mobilitat', 'Sense ús'],
  skipped: {
    // On 52, 54, 55, 60, 66, and two on 90; on 55, 60, 90; of 54.
    [`votes: ${NOT_OURS}`]: 7,
    [`comments: ${NOT_OURS}`]: 3,
    [`idea_categories: ${NOT_OURS}`]: 1,
    [BLANK]: 1,
  },
}

const other: ExpectedRead = {
  totals: { users: 2, ideas: 1, votes: 2, comments: 1, launched: 1 },
  ideas: ideasOf(`
    90 | Elsewhere | 2024-01-20T08:00:00 | 2024-02-06T09:00:00 | accepted | 2 0 | 1 0 | Theirs | /processes/budget/f/40/proposals/90`),
  months: {
    '2024-01': { newUsers: 2, active: 2, authors: 1, voters: 2, commenters: 0 },
    '2024-02': { newUsers: 0, active: 1, authors: 0, voters: 0, commenters: 1 },
  },
  active: 2,
  listed: ['Theirs'],
  // The first organisation's: 13 + 5 votes, 10 + 2 comments.
  skipped: { [`votes: ${NOT_OURS}`]: 18, [`comments: ${NOT_OURS}`]: 12 },
}

const NO_CATEGORIES = { 8: { categories: [] }, 2: { categories: [] }, 1: { categories: [] } } as const

const withoutCategories = { [`votes: ${NOT_OURS}`]: 7, [`comments: ${NOT_OURS}`]: 3 }

/** db:migrate of 0.32. */
const ADDED = `
  ALTER TABLE decidim_participatory_processes ADD access_mode integer NOT NULL DEFAULT 0;
  ALTER TABLE decidim_assemblies ADD access_mode integer NOT NULL DEFAULT 0`
/** Its data:migrate. The flags of the time before are left behind and mean nothing any more: here they say the contrary. */
const FILLED = {
  processes: `
  UPDATE decidim_participatory_processes SET access_mode = 2 WHERE private_space IS NOT FALSE;
  UPDATE decidim_participatory_processes SET private_space = private_space IS FALSE`,
  assemblies: `
  UPDATE decidim_assemblies SET access_mode = CASE WHEN private_space AND is_transparent THEN 1 ELSE 2 END WHERE private_space IS NOT FALSE;
  UPDATE decidim_assemblies SET private_space = private_space IS FALSE, is_transparent = is_transparent IS FALSE`,
}

/** There is no root that would leave out what the other organisation's proposal has. */
const withCategories: ExpectedRead = { ...right, skipped: { ...right.skipped, [`idea_categories: ${NOT_OURS}`]: 2 } }

/** Nothing could be deleted yet: what is deleted in the seed is hidden in another way. */
const WITHOUT_DELETION = `
  UPDATE decidim_participatory_processes SET published_at = NULL WHERE deleted_at IS NOT NULL;
  UPDATE decidim_assemblies SET published_at = NULL WHERE deleted_at IS NOT NULL;
  UPDATE decidim_components SET published_at = NULL WHERE deleted_at IS NOT NULL;
  UPDATE decidim_proposals_proposals SET withdrawn_at = deleted_at WHERE deleted_at IS NOT NULL;
  ALTER TABLE decidim_participatory_processes DROP COLUMN deleted_at;
  ALTER TABLE decidim_assemblies DROP COLUMN deleted_at;
  ALTER TABLE decidim_components DROP COLUMN deleted_at;
  ALTER TABLE decidim_proposals_proposals DROP COLUMN deleted_at;`
/** The taxonomies of root 10 as categories of a process, with their ids; some of spaces that nobody sees, and of the other organisation. */
const CATEGORIES = `
  CREATE TABLE decidim_categories (
    id serial PRIMARY KEY, name jsonb NOT NULL, parent_id int, decidim_participatory_space_type varchar,
    decidim_participatory_space_id int);
  CREATE TABLE decidim_categorizations (
    id bigserial PRIMARY KEY, decidim_category_id bigint NOT NULL, categorizable_type varchar NOT NULL, categorizable_id bigint NOT NULL);
  INSERT INTO decidim_categories (id, name, parent_id, decidim_participatory_space_type, decidim_participatory_space_id)
    SELECT id, name, nullif(parent_id, 10), 'Decidim::ParticipatoryProcess', 1
      FROM decidim_taxonomies WHERE 10 = ANY (part_of) AND id NOT IN (10, 15)
    UNION ALL SELECT 15, name, NULL, 'Decidim::Assembly', 2 FROM decidim_taxonomies WHERE id = 15
    UNION ALL SELECT 31, name, NULL, 'Decidim::ParticipatoryProcess', 7 FROM decidim_taxonomies WHERE id = 31
    UNION ALL SELECT 40 + n, '{"ca": "De ningú"}', NULL, 'Decidim::ParticipatoryProcess', n FROM generate_series(2, 5) AS n
    UNION ALL SELECT 50 + n, '{"ca": "De ningú"}', NULL, 'Decidim::Assembly', n FROM generate_series(3, 6) AS n;
  INSERT INTO decidim_categorizations (decidim_category_id, categorizable_type, categorizable_id)
    SELECT taxonomy_id, taxonomizable_type, taxonomizable_id FROM decidim_taxonomizations WHERE taxonomy_id <> 21;
  DROP TABLE decidim_taxonomies, decidim_taxonomizations;`
const DECIDIM_0_29 = `${WITHOUT_DELETION} ${CATEGORIES}`
/** A state is one of five numbers: "built" is being evaluated here. */
const DECIDIM_0_28 = `${DECIDIM_0_29}
  ALTER TABLE decidim_proposals_proposals ADD state int NOT NULL DEFAULT 0;
  UPDATE decidim_proposals_proposals p
     SET state = CASE s.token WHEN 'accepted' THEN 20 WHEN 'rejected' THEN -10 WHEN 'not_answered' THEN 0 ELSE 10 END
    FROM decidim_proposals_proposal_states s WHERE s.id = p.decidim_proposals_proposal_state_id;
  UPDATE decidim_proposals_proposals SET state = -20 WHERE withdrawn_at IS NOT NULL;
  ALTER TABLE decidim_proposals_proposals DROP COLUMN withdrawn_at, DROP COLUMN decidim_proposals_proposal_state_id;
  DROP TABLE decidim_proposals_proposal_states;`
/** The version after 0.32: its db:migrate, and its data:migrate. */
const PHASES = `${ADDED}; ${FILLED.processes}; ${FILLED.assemblies};
  ALTER TABLE decidim_participatory_process_steps RENAME TO decidim_participatory_process_phases`
const PHASES_IN_SETTINGS = `
  UPDATE decidim_components SET settings = settings - 'steps' || jsonb_build_object('phases', settings -> 'steps') WHERE settings ? 'steps';
  UPDATE decidim_components SET settings = settings - 'default_step' || jsonb_build_object('default_phase', settings -> 'default_step')
   WHERE settings ? 'default_step'`

const reason = (section: string, why: string, conditions: readonly string[]): Record<string, string> =>
  Object.fromEntries(conditions.map((condition) => [`${section}: ${condition}`, why]))

const CLOSE =
  'UPDATE decidim_organizations SET force_users_to_authenticate_before_access_organization = true WHERE id = 1'

export const platform: PlatformCase = {
  mapping: 'decidim',
  params: { organization: '1', root_taxonomy: '10' },
  right,
  variants: {
    'the other organisation': { params: { organization: '2', root_taxonomy: '30' }, right: other },
    'the other organisation, with a taxonomy that is not its own': {
      params: { organization: '2', root_taxonomy: '10' },
      right: {
        ...other,
        ideas: other.ideas.map((idea) => ({ ...idea, categories: [] })),
        listed: [],
        skipped: { ...other.skipped, [`idea_categories: ${NOT_OURS}`]: 7 },
      },
    },
    'an organisation that does not exist': {
      params: { organization: '3', root_taxonomy: '30' },
      right: {
        ...NOTHING,
        skipped: { [`votes: ${NOT_OURS}`]: 20, [`comments: ${NOT_OURS}`]: 13, [`idea_categories: ${NOT_OURS}`]: 1 },
      },
    },
    'other states launched, in capitals': {
      params: { organization: '1', root_taxonomy: '10', launched: 'BUILT, Rejected' },
      right: launchedAre({ 7: '2024-04-30T23:59:58.000Z', 6: '2024-02-02T09:00:00.000Z' }, right),
    },
    'no state launched': {
      params: { organization: '1', root_taxonomy: '10', launched: '' },
      right: launchedAre({}, right),
    },
    'in Spanish': {
      params: { organization: '1', root_taxonomy: '10', locale: 'es' },
      right: {
        ...right,
        ideas: ideasBut(ideas, {
          8: { categories: ['Movilidad'] },
          3: { title: 'Bancos' },
          1: { title: 'Enlace', categories: ['Movilidad', 'Verde'] },
        }),
        listed: ['Culture', 'Movilidad', 'Sense ús', 'Verde'],
      },
    },
    'by another root': {
      params: { organization: '1', root_taxonomy: '20' },
      right: {
        ...right,
        ideas: ideasBut(ideas, { ...NO_CATEGORIES, 1: { categories: ['Nord'] } }),
        listed: ['Nord'],
        skipped: withoutCategories,
      },
    },
    'without categories': {
      params: { organization: '1', root_taxonomy: '0' },
      right: { ...right, ideas: ideasBut(ideas, NO_CATEGORIES), listed: [], skipped: withoutCategories },
    },
  },
  versions: {
    'Decidim 0.28': {
      statements: DECIDIM_0_28,
      right: { ...withCategories, ideas: ideasBut(ideas, { 7: { status: 'evaluating' } }) },
    },
    'Decidim 0.29': { statements: DECIDIM_0_29, right: withCategories },
    'the version after Decidim 0.32': `${PHASES}; ${PHASES_IN_SETTINGS}`,
    'the version after Decidim 0.32 between db:migrate and data:migrate': PHASES,
    'Decidim 0.32, which has access_mode': `${ADDED}; ${FILLED.processes}; ${FILLED.assemblies}`,
    'Decidim 0.32 between db:migrate and data:migrate': ADDED,
    'Decidim 0.32 between the data of processes and those of assemblies': `${ADDED}; ${FILLED.processes}`,
    'Decidim 0.32 between the data of assemblies and those of processes': `${ADDED}; ${FILLED.assemblies}`,
  },
  closed: {
    'open to those who log in': CLOSE,
    'open to those who log in, Decidim 0.28': `${DECIDIM_0_28} ${CLOSE}`,
  },
  reasons: {
    'open to those who log in': 'force_users_to_authenticate_before_access_organization',
    'open to those who log in, Decidim 0.28': 'force_users_to_authenticate_before_access_organization',
  },
  open: {
    'as organisations from before the setting':
      'UPDATE decidim_organizations SET force_users_to_authenticate_before_access_organization = NULL WHERE id = 1',
    'next to a closed one':
      'UPDATE decidim_organizations SET force_users_to_authenticate_before_access_organization = true WHERE id = 2',
  },
  nowhere: { organization: '3', root_taxonomy: '30' },
  survivors: {
    ...reason('ideas', 'no version has this column and a state that is a number', [
      'EXISTS (SELECT FROM decidim_participatory_processes since_0_32 WHERE access_mode <> 0)',
      'EXISTS (SELECT FROM decidim_assemblies since_0_32 WHERE access_mode <> 0)',
      'access_mode <> 0',
      'access_mode <> 0 #2',
      'deleted_at IS NULL',
      'deleted_at IS NULL #2',
      'deleted_at IS NULL #3',
      'deleted_at IS NULL #4',
      'withdrawn_at IS NULL',
    ]),
    ...reason('categories', 'no version has this column and categories', [
      'EXISTS (SELECT FROM decidim_participatory_processes since_0_32 WHERE access_mode <> 0)',
      'EXISTS (SELECT FROM decidim_assemblies since_0_32 WHERE access_mode <> 0)',
      'access_mode <> 0',
      'access_mode <> 0 #2',
      'deleted_at IS NULL',
      'deleted_at IS NULL #2',
    ]),
  },
}
