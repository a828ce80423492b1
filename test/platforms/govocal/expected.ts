// Worked out by hand from seed.sql, where each row has its reason.
import { ideasBut, ideasOf, notOurs, type PlatformCase } from '../platform.ts'

const id = (number: number | string): string => `ffffffff-0000-4000-8000-0000000000${String(number).padStart(2, '0')}`

/** The oldest version that has them: what comes with them must not count. */
const UNLISTED = `
  SET search_path = ideas_town_org;
  ALTER TABLE projects ADD listed boolean NOT NULL DEFAULT true;
  INSERT INTO projects (id, listed) VALUES (:'cyd', false);
  INSERT INTO admin_publications (publication_id) VALUES (:'cyd');
  INSERT INTO ideas (id, slug, publication_status, published_at, project_id) VALUES
    (gen_random_uuid(), 'unlisted', 'published', '2024-04-01', :'cyd');
  INSERT INTO topics (id, title_multiloc) VALUES (:'ada', '{"en": "Unlisted"}');
  INSERT INTO projects_allowed_input_topics (project_id, topic_id) VALUES (:'cyd', :'ada');
  RESET search_path`

/** The newest: the topics are those of projects, in two levels, and what is marked as deleted must not count. */
const LATEST = `${UNLISTED};
  SET search_path = ideas_town_org;
  DROP TABLE ideas_topics, projects_allowed_input_topics;
  ALTER TABLE topics RENAME TO global_topics;
  ALTER TABLE projects ADD deleted_at timestamp;
  ALTER TABLE ideas ADD deleted_at timestamp;
  ALTER TABLE reactions ADD deleted_at timestamp;
  ALTER TABLE comments ADD deleted_at timestamp;
  CREATE TABLE input_topics (
    id uuid PRIMARY KEY, project_id uuid NOT NULL, parent_id uuid, title_multiloc jsonb NOT NULL, depth int DEFAULT 0);
  CREATE TABLE ideas_input_topics (idea_id uuid NOT NULL, input_topic_id uuid NOT NULL, deleted_at timestamp);
  INSERT INTO projects (id, deleted_at) VALUES (:'dan', '2024-04-01');
  INSERT INTO admin_publications (publication_id) VALUES (:'dan');
  INSERT INTO input_topics (id, project_id, parent_id, title_multiloc) VALUES
    (:'mobility', :'streets', NULL, '{"en": "Mobility", "nl-BE": "Mobiliteit"}'),
    (:'zoe', :'streets', :'mobility', '{"en": "Cycling"}'),
    (:'parks', :'streets', NULL, '{"en": "Parks"}'),
    (:'ben', :'archive', NULL, '{"en": "Parks"}'),
    (:'unused', :'streets', NULL, '{"fr-BE": "Divers"}'),
    (:'hidden', :'draft', NULL, '{"en": "Hidden"}'),
    (:'members', :'groups', NULL, '{"en": "Members"}'),
    (:'ada', :'cyd', NULL, '{"en": "Unlisted"}'),
    (:'dan', :'dan', NULL, '{"en": "Deleted"}');
  INSERT INTO ideas_input_topics VALUES
    (:'idea_1', :'zoe'), (:'idea_1', :'parks'), (:'idea_2', :'parks'), (:'idea_4', :'ben'), (:'idea_9', :'hidden');
  INSERT INTO ideas_input_topics VALUES (:'idea_5', :'unused', '2024-05-31 16:00');
  INSERT INTO ideas (id, slug, publication_status, published_at, project_id, deleted_at) VALUES
    (gen_random_uuid(), 'of-deleted', 'published', '2024-04-01', :'dan', NULL),
    (gen_random_uuid(), 'deleted', 'published', '2024-04-01', :'streets', '2024-04-02');
  INSERT INTO reactions (reactable_type, reactable_id, user_id, mode, created_at, deleted_at) VALUES
    ('Idea', :'idea_1', :'ada', 'up', '2024-04-01', '2024-04-02');
  INSERT INTO comments (id, idea_id, author_id, created_at, deleted_at) VALUES
    (:'zoe', :'idea_1', :'ada', '2024-04-01', '2024-04-02');
  RESET search_path`

const CLOSE = `UPDATE public.tenants SET deleted_at = '2024-05-01' WHERE host = 'ideas.town.org'`

const platformInEnglish: PlatformCase = {
  mapping: 'govocal',
  params: { tenant: 'ideas_town_org' },
  right: {
    totals: { users: 4, ideas: 6, votes: 6, comments: 3, launched: 2 },
    ideas: ideasOf(
      `
      5 | Less noise | 2024-05-31T13:00:00 | -                   | rejected    | 1 1 | 1 1 | -                | /ideas/less-noise
      6 | Trees      | 2024-01-15T08:00:00 | -                   | -           | 0 0 | 0 0 | -                | /ideas/trees
      4 | Benches    | 2024-01-13T08:00:00 | undated             | implemented | 0 0 | 0 0 | Parks            | /ideas/benches
      3 | Speeltuin  | 2024-01-12T08:00:00 | -                   | Being built | 1 0 | 0 0 | -                | /ideas/speeltuin
      2 | A park     | 2024-01-11T08:00:00 | -                   | accepted    | 2 0 | 0 0 | Parks            | /ideas/a-park
      1 | Bike lanes | 2024-01-10T08:00:00 | 2024-03-01T09:00:00 | implemented | 2 0 | 2 0 | Mobility + Parks | /ideas/bike-lanes`,
      id,
    ),
    months: {
      // New: Ada, Ben. Authors: Ada (1), Ben (2), Cyd (3), Dan (6); nobody of 4. Voters: Ben, Ada.
      '2024-01': { newUsers: 2, active: 4, authors: 4, voters: 2, commenters: 0 },
      // New: Cyd. Voters: Cyd, Ben, and somebody who was deleted. Commenters: Ben, Ada.
      '2024-02': { newUsers: 1, active: 3, authors: 0, voters: 2, commenters: 2 },
      // New: Dan. Voter: Dan. The author of 5 and the commenter are anonymous.
      '2024-05': { newUsers: 1, active: 1, authors: 0, voters: 1, commenters: 0 },
    },
    active: 4,
    listed: ['Divers', 'Mobility', 'Parks'],
    skipped: {
      ...notOurs(1, 1, 1),
      'ideas: launched without a date': 1,
    },
  },
  variants: {
    'the other site': {
      params: { tenant: 'ideas_village_org' },
      right: {
        totals: { users: 1, ideas: 1, votes: 1, comments: 1, launched: 0 },
        ideas: ideasOf(
          `
          14 | Elsewhere | 2024-01-20T08:00:00 | - | proposed | 1 0 | 1 0 | - | /ideas/elsewhere`,
          id,
        ),
        months: { '2024-01': { newUsers: 1, active: 1, authors: 1, voters: 1, commenters: 1 } },
        active: 1,
        listed: [],
        skipped: {},
      },
    },
  },
  versions: {
    'Go Vocal with projects that are not listed': UNLISTED,
    'Go Vocal with topics of projects and marks of deletion': LATEST,
    'Go Vocal with topics of projects, before marks of deletion': `${LATEST}; SET search_path = ideas_town_org;
      ${['ideas_input_topics', 'comments', 'reactions', 'ideas', 'projects']
        .map(
          (table) => `DELETE FROM ${table} WHERE deleted_at IS NOT NULL; ALTER TABLE ${table} DROP COLUMN deleted_at;`,
        )
        .join(' ')}
      RESET search_path`,
  },
  closed: {
    'being deleted': CLOSE,
    'being deleted, with topics of projects': `${LATEST}; ${CLOSE}`,
  },
  reasons: { 'being deleted': 'deleted_at', 'being deleted, with topics of projects': 'deleted_at' },
  open: {
    'next to a closed one': `UPDATE public.tenants SET deleted_at = '2024-05-01' WHERE host = 'ideas.village.org'`,
  },
  // The model for new sites, which has every table.
  nowhere: { tenant: 'public' },
  survivors: { 'categories: deleted_at IS NULL': 'no version has both marks of deletion and topics of the whole site' },
}

const IN_DUTCH: Readonly<Record<string, object>> = {
  [id(1)]: { title: 'Fietspaden', launched: false, categories: ['Mobiliteit', 'Parks'] },
  [id(2)]: { launched: '2024-02-11T09:00:00.000Z' },
  [id(3)]: { status: 'In aanbouw', launched: true },
  [id(4)]: { launched: false },
}

export const platform: PlatformCase = {
  ...platformInEnglish,
  variants: {
    ...platformInEnglish.variants,
    'another language, and other launched statuses': {
      params: { tenant: 'ideas_town_org', locale: 'nl-BE', launched: 'accepted,custom' },
      right: {
        ...platformInEnglish.right,
        ideas: ideasBut(platformInEnglish.right.ideas, IN_DUTCH),
        listed: ['Divers', 'Mobiliteit', 'Parks'],
      },
    },
  },
}
