-- Two sites, each a schema. Each row says whether it counts; dataAsOf is 2024-06-01 00:00 UTC.
-- Ids are uuids; psql puts them in place of these names.
\set town      00000000-0000-4000-8000-000000000001
\set village   00000000-0000-4000-8000-000000000002
\set ada       aaaaaaaa-0000-4000-8000-000000000001
\set ben       aaaaaaaa-0000-4000-8000-000000000002
\set cyd       aaaaaaaa-0000-4000-8000-000000000003
\set dan       aaaaaaaa-0000-4000-8000-000000000004
\set spam      aaaaaaaa-0000-4000-8000-000000000005
\set invited   aaaaaaaa-0000-4000-8000-000000000006
\set zoe       aaaaaaaa-0000-4000-8000-000000000009
\set streets   bbbbbbbb-0000-4000-8000-000000000001
\set archive   bbbbbbbb-0000-4000-8000-000000000002
\set draft     bbbbbbbb-0000-4000-8000-000000000003
\set groups    bbbbbbbb-0000-4000-8000-000000000004
\set admins    bbbbbbbb-0000-4000-8000-000000000005
\set theirs    bbbbbbbb-0000-4000-8000-000000000009
\set folder    bbbbbbbb-0000-4000-8000-000000000010
\set proposals cccccccc-0000-4000-8000-000000000001
\set survey    cccccccc-0000-4000-8000-000000000002
\set ground    cccccccc-0000-4000-8000-000000000003
\set proposed  dddddddd-0000-4000-8000-000000000001
\set accepted  dddddddd-0000-4000-8000-000000000002
\set done      dddddddd-0000-4000-8000-000000000003
\set rejected  dddddddd-0000-4000-8000-000000000004
\set building  dddddddd-0000-4000-8000-000000000005
\set waiting   dddddddd-0000-4000-8000-000000000006
\set mobility  eeeeeeee-0000-4000-8000-000000000001
\set parks     eeeeeeee-0000-4000-8000-000000000002
\set unused    eeeeeeee-0000-4000-8000-000000000003
\set hidden    eeeeeeee-0000-4000-8000-000000000004
\set members   eeeeeeee-0000-4000-8000-000000000005
\set idea_1    ffffffff-0000-4000-8000-000000000001
\set idea_2    ffffffff-0000-4000-8000-000000000002
\set idea_3    ffffffff-0000-4000-8000-000000000003
\set idea_4    ffffffff-0000-4000-8000-000000000004
\set idea_5    ffffffff-0000-4000-8000-000000000005
\set idea_6    ffffffff-0000-4000-8000-000000000006
\set idea_7    ffffffff-0000-4000-8000-000000000007
\set idea_8    ffffffff-0000-4000-8000-000000000008
\set idea_9    ffffffff-0000-4000-8000-000000000009
\set idea_10   ffffffff-0000-4000-8000-000000000010
\set idea_11   ffffffff-0000-4000-8000-000000000011
\set idea_12   ffffffff-0000-4000-8000-000000000012
\set idea_13   ffffffff-0000-4000-8000-000000000013
\set idea_14   ffffffff-0000-4000-8000-000000000014
\set comment_1 99999999-0000-4000-8000-000000000001
\set comment_2 99999999-0000-4000-8000-000000000002
\set comment_3 99999999-0000-4000-8000-000000000003
\set comment_4 99999999-0000-4000-8000-000000000004
\set comment_5 99999999-0000-4000-8000-000000000005
\set comment_6 99999999-0000-4000-8000-000000000006

INSERT INTO public.tenants (id, name, host) VALUES
  (:'town', 'Town', 'ideas.town.org'),
  (:'village', 'Village', 'ideas.village.org');

SET search_path = ideas_town_org;
-- A tenant and its configuration have the same id.
INSERT INTO app_configurations (id, name, host) VALUES (:'town', 'Town', 'ideas.town.org');
INSERT INTO users (id, email, roles, invite_status, created_at, registration_completed_at, block_start_at, block_end_at) VALUES
  -- 1: staff is among the people, as in Go Vocal's own count
  (:'ada', 'ada@example.org', '[{"type":"admin"}]', NULL, '2024-01-05 10:00', '2024-01-05 10:00', NULL, NULL),
  -- 2: the registration was completed ten seconds before February
  (:'ben', 'ben@example.org', '[]', 'accepted', '2024-01-20 10:00', '2024-01-31 23:59:50', NULL, NULL),
  -- 3: ten seconds later it is February; was blocked, and is no longer
  (:'cyd', 'cyd@example.org', '[]', NULL, '2024-02-01 00:00:00', '2024-02-01 00:00:10', '2024-02-20 10:00', '2024-03-01 10:00'),
  -- 4
  (:'dan', 'dan@example.org', '[]', NULL, '2024-05-31 12:00', '2024-05-31 12:00', NULL, NULL),
  -- no: blocked until a day to come
  (:'spam', 'spam@example.org', '[]', NULL, '2024-02-02 10:00', '2024-02-02 10:00', '2024-02-03 10:00', '2999-01-01'),
  -- no: invited, and did not come
  (:'invited', NULL, '[]', 'pending', '2024-02-03 10:00', NULL, NULL, NULL);
INSERT INTO projects (id, slug, visible_to) VALUES
  (:'streets', 'streets', 'public'),  -- shown
  (:'archive', 'archive', 'public'),  -- shown: archived is closed to new inputs only
  (:'draft',   'draft',   'public'),  -- not shown
  (:'groups',  'groups',  'groups'),  -- not shown
  (:'admins',  'admins',  'admins');  -- not shown
INSERT INTO admin_publications (publication_type, publication_id, publication_status) VALUES
  ('Project', :'streets', 'published'),
  ('Project', :'archive', 'archived'),
  ('Project', :'draft',   'draft'),
  ('Project', :'groups',  'published'),
  ('Project', :'admins',  'published'),
  ('ProjectFolders::Folder', :'folder', 'published');
INSERT INTO phases (id, project_id, participation_method) VALUES
  (:'proposals', :'streets', 'proposals'),
  (:'survey',    :'streets', 'native_survey'),
  (:'ground',    :'streets', 'common_ground');
INSERT INTO idea_statuses (id, code, title_multiloc) VALUES
  (:'proposed', 'proposed',     '{"en": "Proposed"}'),
  (:'accepted', 'accepted',     '{"en": "Accepted"}'),
  (:'done',     'implemented',  '{"en": "Done"}'),
  (:'rejected', 'rejected',     '{"en": "No"}'),
  (:'building', 'custom',       '{"en": "Being built", "nl-BE": "In aanbouw"}'),
  (:'waiting',  'prescreening', '{"en": "Waiting"}');
INSERT INTO ideas (id, slug, title_multiloc, publication_status, created_at, published_at, project_id, author_id, idea_status_id, creation_phase_id) VALUES
  -- 1: implemented; was a draft for two days
  (:'idea_1', 'bike-lanes', '{"en": "Bike lanes", "nl-BE": "Fietspaden"}', 'published', '2024-01-08 08:00', '2024-01-10 08:00', :'streets', :'ada', :'done', NULL),
  -- 2
  (:'idea_2', 'a-park', '{"en": "A park"}', 'published', '2024-01-11 08:00', '2024-01-11 08:00', :'streets', :'ben', :'accepted', NULL),
  -- 3: a proposal, without an English title, with a status of the site's own
  (:'idea_3', 'speeltuin', '{"en": "", "nl-BE": "Speeltuin"}', 'published', '2024-01-12 08:00', '2024-01-12 08:00', :'streets', :'cyd', :'building', :'proposals'),
  -- 4: imported as implemented: no date of it; the author was deleted
  (:'idea_4', 'benches', '{"en": "Benches"}', 'published', '2024-01-13 08:00', '2024-01-13 08:00', :'archive', NULL, :'done', NULL),
  -- 5: anonymous
  (:'idea_5', 'less-noise', '{"en": "Less noise"}', 'published', '2024-05-31 13:00', '2024-05-31 13:00', :'streets', NULL, :'rejected', NULL),
  -- 6: older than statuses and dates of publication
  (:'idea_6', 'trees', '{"en": "Trees"}', 'published', '2024-01-15 08:00', NULL, :'streets', :'dan', NULL, NULL),
  -- no: a draft
  (:'idea_7', 'sketch', '{"en": "Sketch"}', 'draft', '2024-01-16 08:00', NULL, :'streets', :'ben', :'proposed', NULL),
  -- no: waits for the review
  (:'idea_8', 'waiting', '{"en": "Waiting"}', 'submitted', '2024-01-17 08:00', NULL, :'streets', :'ben', :'waiting', :'proposals'),
  -- no: the project is a draft
  (:'idea_9', 'secret', '{"en": "Secret"}', 'published', '2024-01-18 08:00', '2024-01-18 08:00', :'draft', :'ada', :'done', NULL),
  -- no: the project is for groups
  (:'idea_10', 'club', '{"en": "Club"}', 'published', '2024-01-19 08:00', '2024-01-19 08:00', :'groups', :'ada', :'proposed', NULL),
  -- no: an answer of a survey
  (:'idea_11', NULL, '{}', 'published', '2024-01-20 08:00', '2024-01-20 08:00', :'streets', :'ben', NULL, :'survey'),
  -- no: a statement of a common ground phase
  (:'idea_12', 'statement', '{"en": "Statement"}', 'published', '2024-01-21 08:00', '2024-01-21 08:00', :'streets', :'ben', NULL, :'ground'),
  -- no: the project is for admins
  (:'idea_13', 'plan', '{"en": "Plan"}', 'published', '2024-01-22 08:00', '2024-01-22 08:00', :'admins', :'ada', :'done', NULL);
UPDATE ideas SET anonymous = true, author_hash = 'h' WHERE id = :'idea_5';
INSERT INTO activities (item_type, item_id, action, acted_at) VALUES
  ('Idea', :'idea_1', 'published',      '2024-01-10 08:00'),
  ('Idea', :'idea_1', 'changed_status', '2024-02-10 09:00'),  -- accepted
  ('Idea', :'idea_1', 'changed_status', '2024-03-01 09:00'),  -- implemented: this is the date
  ('Idea', :'idea_1', 'changed',        '2024-04-01 09:00'),  -- the text
  ('Idea', :'idea_2', 'changed_status', '2024-02-11 09:00'),  -- accepted
  ('Idea', :'idea_4', 'published',      '2024-01-13 08:00');  -- no status
INSERT INTO reactions (reactable_type, reactable_id, user_id, mode, created_at) VALUES
  ('Idea',    :'idea_1',    :'ben', 'up',      '2024-01-20 08:00'),  -- 1
  ('Idea',    :'idea_1',    :'cyd', 'up',      '2024-02-01 08:00'),  -- 2
  ('Idea',    :'idea_1',    :'dan', 'down',    '2024-02-02 08:00'),  -- no: a dislike
  ('Idea',    :'idea_2',    :'ada', 'up',      '2024-01-12 08:00'),  -- 3
  ('Idea',    :'idea_2',    NULL,   'up',      '2024-02-02 08:00'),  -- 4: of somebody who was deleted
  ('Idea',    :'idea_2',    :'cyd', 'neutral', '2024-02-02 08:00'),  -- no
  ('Idea',    :'idea_3',    :'ben', 'up',      '2024-02-03 08:00'),  -- 5
  ('Idea',    :'idea_5',    :'dan', 'up',      '2024-05-31 14:00'),  -- 6: in the last day
  ('Idea',    :'idea_9',    :'ada', 'up',      '2024-01-18 08:00'),  -- no: the idea is not shown
  ('Comment', :'comment_1', :'ada', 'up',      '2024-02-06 08:00');  -- no: of a comment
INSERT INTO comments (id, idea_id, author_id, parent_id, publication_status, anonymous, created_at) VALUES
  (:'comment_1', :'idea_1', :'ben', NULL,         'published', false, '2024-02-05 08:00'),  -- 1
  (:'comment_2', :'idea_1', :'dan', NULL,         'deleted',   false, '2024-02-04 08:00'),  -- no
  (:'comment_3', :'idea_1', :'ada', :'comment_2', 'published', false, '2024-02-06 08:00'),  -- 2: the reply to it stays
  (:'comment_4', :'idea_5', NULL,   NULL,         'published', true,  '2024-05-31 15:00'),  -- 3: anonymous
  (:'comment_5', :'idea_9', :'ada', NULL,         'published', false, '2024-01-19 08:00');  -- no: the idea is not shown
INSERT INTO topics (id, title_multiloc) VALUES
  (:'mobility', '{"en": "Mobility", "nl-BE": "Mobiliteit"}'),
  (:'parks',    '{"en": "Parks"}'),
  (:'unused',   '{"fr-BE": "Divers"}'),      -- listed, in the only language that it has
  (:'members',  '{"en": "Members"}'),
  (:'hidden',   '{"en": "Hidden"}');         -- in a draft only: not listed
INSERT INTO ideas_topics (idea_id, topic_id) VALUES
  (:'idea_1', :'mobility'), (:'idea_1', :'parks'), (:'idea_2', :'parks'), (:'idea_4', :'parks'),
  (:'idea_9', :'mobility');                  -- no: the idea is not shown
INSERT INTO projects_allowed_input_topics (project_id, topic_id) VALUES
  (:'streets', :'mobility'), (:'streets', :'parks'), (:'streets', :'unused'), (:'archive', :'parks'), (:'draft', :'hidden'),
  (:'groups', :'members');                   -- for a group only: not listed

-- The other site.
SET search_path = ideas_village_org;
INSERT INTO app_configurations (id, name, host) VALUES (:'village', 'Village', 'ideas.village.org');
INSERT INTO users (id, email, created_at, registration_completed_at) VALUES (:'zoe', 'zoe@example.org', '2024-01-01', '2024-01-01 10:00');
INSERT INTO projects (id, slug) VALUES (:'theirs', 'theirs');
INSERT INTO admin_publications (publication_type, publication_id) VALUES ('Project', :'theirs');
INSERT INTO idea_statuses (id, code) VALUES (:'proposed', 'proposed');
INSERT INTO ideas (id, slug, title_multiloc, publication_status, created_at, published_at, project_id, author_id, idea_status_id) VALUES
  (:'idea_14', 'elsewhere', '{"en": "Elsewhere"}', 'published', '2024-01-20 08:00', '2024-01-20 08:00', :'theirs', :'zoe', :'proposed');
INSERT INTO reactions (reactable_type, reactable_id, user_id, mode, created_at) VALUES ('Idea', :'idea_14', :'zoe', 'up', '2024-01-20 08:00');
INSERT INTO comments (id, idea_id, author_id, created_at) VALUES (:'comment_6', :'idea_14', :'zoe', '2024-01-21 08:00');
RESET search_path;
