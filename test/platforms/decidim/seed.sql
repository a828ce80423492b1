-- Two organisations in one database. Each row says whether it counts for organisation 1 (root taxonomy 10);
-- dataAsOf is 2024-06-01 00:00 UTC. Times are UTC without saying so.
INSERT INTO decidim_organizations (id, host, default_locale, available_locales, force_users_to_authenticate_before_access_organization) VALUES
  (1, 'participa.example.org', 'ca', '{ca,es,en}', false),
  (2, 'other.example.org',     'en', '{en}',       NULL);

INSERT INTO decidim_users (id, decidim_organization_id, type, name, email, admin, managed, blocked, confirmed_at, deleted_at, created_at) VALUES
  (1,  1, 'Decidim::User',         'Ada',  'ada@example.org', true,  false, false, '2024-01-05 11:00', NULL, '2024-01-05 10:00'),    -- 1: an administrator is a user like any other
  (2,  1, 'Decidim::User',         'Ben',  'ben@example.org', false, false, false, '2024-02-01 11:00', NULL, '2024-01-31 23:59:57'), -- 2: January, by three seconds
  (3,  1, 'Decidim::User',         'Cyd',  'cyd@example.org', false, false, false, '2024-02-01 11:00', NULL, '2024-02-01 00:00:03'), -- 3: February, by three seconds
  (4,  1, 'Decidim::User',         'Dan',  'dan@example.org', false, false, false, '2024-05-31 12:01', NULL, '2024-05-31 12:00'),    -- 4: within the last day
  (5,  1, 'Decidim::User',         '',     '',                false, false, false, '2024-01-06 11:00', '2024-03-01 10:00', '2024-01-06 10:00'), -- no: deleted; what they wrote stays
  (6,  1, 'Decidim::User',         'Eli',  NULL,              false, true,  false, '2024-01-07 11:00', NULL, '2024-01-07 10:00'),    -- no: managed by the staff
  (7,  1, 'Decidim::User',         'Fay',  'fay@example.org', false, false, false, NULL,               NULL, '2024-01-08 10:00'),    -- no: never confirmed
  (8,  1, 'Decidim::User',         'Spam', 'spam@example.org', false, false, true, '2024-01-09 11:00', NULL, '2024-01-09 10:00'),    -- no: blocked
  (9,  1, 'Decidim::UserGroup',    'Club', 'club@example.org', false, false, false, '2024-01-10 11:00', NULL, '2024-01-10 10:00'),   -- no: a group
  (10, 1, 'Decidim::Api::ApiUser', 'App',  '',                false, false, false, '2024-01-11 11:00', NULL, '2024-01-11 10:00'),    -- no: a program
  (11, 2, 'Decidim::User',         'Ada',  'ada@example.org', false, false, false, '2024-01-02 11:00', NULL, '2024-01-02 10:00'),    -- no: Ada again, elsewhere
  (12, 2, 'Decidim::User',         'Eve',  'eve@example.org', false, false, false, '2024-01-03 11:00', NULL, '2024-01-03 10:00');    -- no: elsewhere

INSERT INTO decidim_participatory_processes (id, decidim_organization_id, slug, published_at, deleted_at, private_space) VALUES
  (1, 1, 'budget',   '2024-01-01', NULL,         false),
  (2, 1, 'draft',    NULL,         NULL,         false),  -- no: not published
  (3, 1, 'deleted',  '2024-01-01', '2024-02-01', false),  -- no: deleted
  (4, 1, 'members',  '2024-01-01', NULL,         true),   -- no: for members only
  (5, 1, 'unknown',  '2024-01-01', NULL,         NULL),   -- no: Decidim lists those whose flag is false
  (6, 1, 'no-phase', '2024-01-01', NULL,         false),  -- has steps, and none is active
  (7, 2, 'budget',   '2024-01-01', NULL,         false);  -- the other organisation's, of the same name

INSERT INTO decidim_participatory_process_steps (id, decidim_participatory_process_id, active) VALUES
  (101, 1, true), (102, 1, false), (601, 6, false), (602, 6, NULL);

INSERT INTO decidim_assemblies (id, decidim_organization_id, slug, parent_id, published_at, deleted_at, private_space, is_transparent) VALUES
  (1, 1, 'council',       NULL, '2024-01-01', NULL,         false, false), -- public: without members "transparent" says nothing
  (2, 1, 'glass',         NULL, '2024-01-01', NULL,         true,  true),  -- public to read: only members take part
  (3, 1, 'closed',        NULL, '2024-01-01', NULL,         true,  false), -- no: for members only
  (4, 1, 'draft',         NULL, NULL,         NULL,         false, true),  -- no: not published
  (5, 1, 'deleted',       NULL, '2024-01-01', '2024-02-01', false, true),  -- no: deleted
  (6, 1, 'unknown',       NULL, '2024-01-01', NULL,         NULL,  true),  -- no: neither false nor true
  (7, 1, 'working-group', 3,    '2024-01-01', NULL,         false, true);  -- public, though the one above it is not

INSERT INTO decidim_components (id, manifest_name, participatory_space_type, participatory_space_id, published_at, deleted_at, visible, settings) VALUES
  -- votes show: the active step, 101, says so; the other step and the default do not matter
  (10, 'proposals', 'Decidim::ParticipatoryProcess', 1, '2024-01-01', NULL, true,
   '{"global": {"comments_enabled": true}, "steps": {"101": {"votes_hidden": false}, "102": {"votes_hidden": true}}, "default_step": {"votes_hidden": true}}'),
  -- votes are hidden in the active step
  (11, 'proposals', 'Decidim::ParticipatoryProcess', 1, '2024-01-01', NULL, true, '{"steps": {"101": {"votes_hidden": true}}}'),
  -- votes show: nothing is set for the active step. It is left out of the menus, and can be visited
  (12, 'proposals', 'Decidim::ParticipatoryProcess', 1, '2024-01-01', NULL, false,
   '{"steps": {"102": {"votes_hidden": true}}, "default_step": {"votes_hidden": true}}'),
  -- votes are hidden: no step is active, so the default decides, which is a string here
  (13, 'proposals', 'Decidim::ParticipatoryProcess', 6, '2024-01-01', NULL, true,
   '{"steps": {"601": {"votes_hidden": false}}, "default_step": {"votes_hidden": "true"}}'),
  -- votes show: an assembly has no steps, even if something is left over
  (14, 'proposals', 'Decidim::Assembly', 1, '2024-01-01', NULL, true, '{"steps": {"101": {"votes_hidden": true}}, "default_step": {}}'),
  (15, 'proposals', 'Decidim::Assembly', 2, '2024-01-01', NULL, true, NULL),
  -- comments are switched off
  (16, 'proposals', 'Decidim::Assembly', 7, '2024-01-01', NULL, true, '{"global": {"comments_enabled": false}}'),
  (20, 'proposals', 'Decidim::ParticipatoryProcess', 1, NULL,         NULL,         true, '{}'), -- no: not published
  (21, 'proposals', 'Decidim::ParticipatoryProcess', 1, '2024-01-01', '2024-02-01', true, '{}'), -- no: deleted
  (22, 'proposals', 'Decidim::ParticipatoryProcess', 2, '2024-01-01', NULL, true, '{}'),         -- no, down to 30: the space
  (23, 'proposals', 'Decidim::ParticipatoryProcess', 3, '2024-01-01', NULL, true, '{}'),
  (24, 'proposals', 'Decidim::ParticipatoryProcess', 4, '2024-01-01', NULL, true, '{}'),
  (25, 'proposals', 'Decidim::ParticipatoryProcess', 5, '2024-01-01', NULL, true, '{}'),
  (26, 'proposals', 'Decidim::Assembly', 3, '2024-01-01', NULL, true, '{}'),
  (27, 'proposals', 'Decidim::Assembly', 4, '2024-01-01', NULL, true, '{}'),
  (28, 'proposals', 'Decidim::Assembly', 5, '2024-01-01', NULL, true, '{}'),
  (29, 'proposals', 'Decidim::Assembly', 6, '2024-01-01', NULL, true, '{}'),
  (30, 'proposals', 'Decidim::Conference', 1, '2024-01-01', NULL, true, '{}'),                   -- an optional gem's space
  (40, 'proposals', 'Decidim::ParticipatoryProcess', 7, '2024-01-01', NULL, true, '{}');         -- the other organisation's

-- Every component has states of its own; the staff may add to them, as "built" here.
INSERT INTO decidim_proposals_proposal_states (id, decidim_component_id, token) VALUES
  (1, 10, 'not_answered'), (2, 10, 'evaluating'), (3, 10, 'accepted'), (4, 10, 'rejected'), (5, 10, 'built'),
  (6, 11, 'accepted'), (7, 14, 'accepted'), (8, 40, 'accepted'), (9, 24, 'accepted');

INSERT INTO decidim_proposals_proposals (id, decidim_component_id, title, decidim_proposals_proposal_state_id, state_published_at, answered_at, published_at, withdrawn_at, deleted_at, created_at) VALUES
  -- 1: a formula and a line break, which stay as they are; not answered
  (1, 10, '{"ca": "=HYPERLINK(\"http://x\";\"y\")\nsegona línia", "es": "Enlace"}', 1, NULL, NULL, '2024-01-10 08:00', NULL, NULL, '2024-01-09 08:00'),
  -- 2: one language, which is not the default; translations by machine do not count. Evaluating
  (2, 10, '{"es": "Sombra", "machine_translations": {"ca": "Ombra", "en": "Shade"}}', 2, '2024-02-01 09:00', '2024-02-01 09:00', '2024-01-11 08:00', NULL, NULL, '2024-01-11 07:00'),
  -- 3: the default is empty, so English comes next, although "de" comes before it; by the organisation; reported only
  (3, 10, '{"ca": "", "de": "Bänke", "en": "Benches 🌳", "es": "Bancos"}', NULL, NULL, NULL, '2024-01-12 08:00', NULL, NULL, '2024-01-12 07:00'),
  -- 4: accepted; without a title; by the deleted user
  (4, 10, NULL, 3, '2024-03-01 09:00', '2024-02-20 09:00', '2024-01-13 08:00', NULL, NULL, '2024-01-13 07:00'),
  -- 5: accepted, which nobody is to know yet; by a meeting
  (5, 10, '{"ca": "Secret", "machine_translations": {"es": "Secreto"}}', 3, NULL, '2024-02-21 09:00', '2024-01-14 08:00', NULL, NULL, '2024-01-14 07:00'),
  -- 6: rejected; by the blocked user
  (6, 10, '{"ca": "Una altra"}', 4, '2024-02-02 09:00', '2024-02-02 09:00', '2024-01-15 08:00', NULL, NULL, '2024-01-15 07:00'),
  -- 7: was accepted, is "built" by now: April, by two seconds
  (7, 10, '{"ca": "Font"}', 5, '2024-04-30 23:59:58', '2024-02-03 09:00', '2024-01-16 08:00', NULL, NULL, '2024-01-16 07:00'),
  -- 8: accepted, with hidden votes
  (8, 11, '{"ca": "Vots amagats"}', 6, '2024-03-02 09:00', '2024-03-02 09:00', '2024-02-10 08:00', NULL, NULL, '2024-02-10 07:00'),
  -- 9: February, by two seconds; any language that there is
  (9, 12, '{"pt-BR": "Praça", "machine_translations": {}}', NULL, NULL, NULL, '2024-02-28 23:59:58', NULL, NULL, '2024-02-28 07:00'),
  -- 10: March, by two seconds; hidden votes
  (10, 13, '{"ca": "Sense fase"}', NULL, NULL, NULL, '2024-03-01 00:00:02', NULL, NULL, '2024-02-27 07:00'),
  -- 11: accepted, in an assembly
  (11, 14, '{"ca": "Consell"}', 7, '2024-04-01 09:00', '2024-04-01 09:00', '2024-03-10 08:00', NULL, NULL, '2024-03-10 07:00'),
  -- 12: in the transparent one; its state was taken back
  (12, 15, '{"ca": "Vidre"}', NULL, '2024-04-01 09:00', '2024-04-01 09:00', '2024-03-11 08:00', NULL, NULL, '2024-03-11 07:00'),
  -- 13: in the nested one
  (13, 16, '{"ca": "Grup"}', NULL, NULL, NULL, '2024-03-12 08:00', NULL, NULL, '2024-03-12 07:00'),
  -- 14: the newest, within the last day; a draft for two months
  (14, 10, '{"ca": "Fresc"}', NULL, NULL, NULL, '2024-05-31 13:00', NULL, NULL, '2024-04-01 07:00'),
  -- no: a draft, withdrawn, deleted, hidden by moderation (54), an amendment of 1 (55)
  (51, 10, '{"ca": "Esborrany"}', NULL, NULL, NULL, NULL, NULL, NULL, '2024-01-17 07:00'),
  (52, 10, '{"ca": "Retirada"}', NULL, NULL, NULL, '2024-01-17 08:00', '2024-01-18 08:00', NULL, '2024-01-17 07:00'),
  (53, 10, '{"ca": "Eliminada"}', NULL, NULL, NULL, '2024-01-17 08:00', NULL, '2024-01-18 08:00', '2024-01-17 07:00'),
  (54, 10, '{"ca": "Amagada"}', 3, '2024-02-04 09:00', '2024-02-04 09:00', '2024-01-17 08:00', NULL, NULL, '2024-01-17 07:00'),
  (55, 10, '{"ca": "Esmena"}', 3, '2024-02-05 09:00', '2024-02-05 09:00', '2024-01-17 08:00', NULL, NULL, '2024-01-17 07:00'),
  -- no: what they are in is not public, or not a space that counts
  (56, 20, '{"ca": "56"}', NULL, NULL, NULL, '2024-01-17 08:00', NULL, NULL, '2024-01-17 07:00'),
  (57, 21, '{"ca": "57"}', NULL, NULL, NULL, '2024-01-17 08:00', NULL, NULL, '2024-01-17 07:00'),
  (58, 22, '{"ca": "58"}', NULL, NULL, NULL, '2024-01-17 08:00', NULL, NULL, '2024-01-17 07:00'),
  (59, 23, '{"ca": "59"}', NULL, NULL, NULL, '2024-01-17 08:00', NULL, NULL, '2024-01-17 07:00'),
  (60, 24, '{"ca": "60"}', 9, '2024-02-06 09:00', '2024-02-06 09:00', '2024-01-17 08:00', NULL, NULL, '2024-01-17 07:00'),
  (61, 25, '{"ca": "61"}', NULL, NULL, NULL, '2024-01-17 08:00', NULL, NULL, '2024-01-17 07:00'),
  (62, 26, '{"ca": "62"}', NULL, NULL, NULL, '2024-01-17 08:00', NULL, NULL, '2024-01-17 07:00'),
  (63, 27, '{"ca": "63"}', NULL, NULL, NULL, '2024-01-17 08:00', NULL, NULL, '2024-01-17 07:00'),
  (64, 28, '{"ca": "64"}', NULL, NULL, NULL, '2024-01-17 08:00', NULL, NULL, '2024-01-17 07:00'),
  (65, 29, '{"ca": "65"}', NULL, NULL, NULL, '2024-01-17 08:00', NULL, NULL, '2024-01-17 07:00'),
  (66, 30, '{"ca": "66"}', NULL, NULL, NULL, '2024-01-17 08:00', NULL, NULL, '2024-01-17 07:00'),
  -- no: the other organisation's
  (90, 40, '{"en": "Elsewhere"}', 8, '2024-02-06 09:00', '2024-02-06 09:00', '2024-01-20 08:00', NULL, NULL, '2024-01-20 07:00');

INSERT INTO decidim_coauthorships (id, coauthorable_type, coauthorable_id, decidim_author_type, decidim_author_id) VALUES
  (102, 'Decidim::Proposals::Proposal', 1, 'Decidim::UserBaseEntity', 2),     -- the second author
  (101, 'Decidim::Proposals::Proposal', 1, 'Decidim::UserBaseEntity', 1),     -- the first
  (103, 'Decidim::Proposals::Proposal', 2, 'Decidim::UserBaseEntity', 2),
  (104, 'Decidim::Proposals::Proposal', 3, 'Decidim::Organization', 1),       -- nobody
  (105, 'Decidim::Proposals::CollaborativeDraft', 3, 'Decidim::UserBaseEntity', 4), -- of something else that is a 3
  (106, 'Decidim::Proposals::Proposal', 4, 'Decidim::UserBaseEntity', 5),
  (107, 'Decidim::Proposals::Proposal', 5, 'Decidim::Meetings::Meeting', 77), -- nobody
  (108, 'Decidim::Proposals::Proposal', 6, 'Decidim::UserBaseEntity', 8),
  (109, 'Decidim::Proposals::Proposal', 7, 'Decidim::UserBaseEntity', 3),
  (110, 'Decidim::Proposals::Proposal', 8, 'Decidim::UserBaseEntity', 2),
  (111, 'Decidim::Proposals::Proposal', 9, 'Decidim::UserBaseEntity', 3),
  (112, 'Decidim::Proposals::Proposal', 10, 'Decidim::UserBaseEntity', 1),
  (113, 'Decidim::Proposals::Proposal', 11, 'Decidim::UserBaseEntity', 1),
  (114, 'Decidim::Proposals::Proposal', 12, 'Decidim::UserBaseEntity', 2),
  (115, 'Decidim::Proposals::Proposal', 13, 'Decidim::UserBaseEntity', 3),
  (116, 'Decidim::Proposals::Proposal', 14, 'Decidim::UserBaseEntity', 4),
  (117, 'Decidim::Proposals::Proposal', 90, 'Decidim::UserBaseEntity', 11),
  (118, NULL, NULL, 'Decidim::UserBaseEntity', 4);

INSERT INTO decidim_amendments (decidim_user_id, decidim_amendable_type, decidim_amendable_id, decidim_emendation_type, decidim_emendation_id, state) VALUES
  (1, 'Decidim::Proposals::Proposal', 1, 'Decidim::Proposals::Proposal', 55, 1),
  (1, 'Decidim::Proposals::CollaborativeDraft', 9, 'Decidim::Proposals::CollaborativeDraft', 3, 1), -- of something else that is a 3
  (1, 'Decidim::Proposals::Proposal', 2, NULL, NULL, 0);

INSERT INTO decidim_moderations (decidim_reportable_type, decidim_reportable_id, report_count, hidden_at) VALUES
  ('Decidim::Proposals::Proposal', 54, 3, '2024-02-10 08:00'), -- proposal 54 is hidden, comment 54 is not
  ('Decidim::Proposals::Proposal', 3,  1, NULL),               -- reported, and left as it is
  ('Decidim::Comments::Comment',   4,  3, '2024-02-16 08:00'), -- comment 4 is hidden, proposal 4 is not
  ('Decidim::Comments::Comment',   6,  1, NULL);

-- Counted votes: 3 on proposal 1, 2 on 2, 1 each on 4, 7, 9, 11, 12 and 13, 2 on 14: 13.
INSERT INTO decidim_proposals_proposal_votes (decidim_proposal_id, decidim_author_id, temporary, created_at) VALUES
  (1, 1, false, '2024-01-20 08:00'),
  (1, 2, false, '2024-01-31 23:59:59'),      -- January, by a second
  (1, 5, false, '2024-02-01 00:00:01'),      -- February, by a second; by a user who is deleted now
  (1, 3, true,  '2024-02-02 08:00'),         -- no: waits for more votes of the same user
  (2, 1, false, '2024-05-31 00:09'),         -- the last day, by nine minutes
  (2, 2, false, '2024-05-30 23:51'),         -- not the last day, by nine minutes
  (4, 8, false, '2024-02-03 08:00'),         -- by the blocked user: Decidim keeps it
  (7, 3, false, '2024-03-31 23:59:58'),      -- March, by two seconds
  (8, 1, false, '2024-02-11 08:00'),         -- no: hidden in the active step, two
  (8, 2, false, '2024-02-11 09:00'),
  (9, 1, false, '2024-03-02 08:00'),
  (10, 2, false, '2024-03-03 08:00'),        -- no: hidden by default
  (11, 2, false, '2024-03-15 08:00'),
  (12, 3, false, '2024-03-16 08:00'),
  (13, 1, false, '2024-03-17 08:00'),
  (14, 1, false, '2024-05-31 14:00'),        -- the last day
  (14, 2, false, '2024-05-31 23:59:59'),     -- the last day, by a second
  (52, 1, false, '2024-01-17 09:00'),        -- no: withdrawn
  (54, 2, false, '2024-01-17 09:00'),        -- no: hidden
  (55, 1, false, '2024-01-17 09:00'),        -- no: an amendment
  (60, 2, false, '2024-01-17 09:00'),        -- no: members only
  (66, 1, false, '2024-01-17 09:00'),        -- no: in a conference
  (90, 11, false, '2024-01-28 08:00'),       -- no: the other organisation's, two
  (90, 12, false, '2024-01-29 08:00');

-- Counted comments: 4 on proposal 1, 3 on 2, 1 each on 3, 12 and 14: 10.
INSERT INTO decidim_comments_comments (id, decidim_commentable_type, decidim_commentable_id, decidim_root_commentable_type, decidim_root_commentable_id, decidim_author_type, decidim_author_id, created_at, deleted_at) VALUES
  (1,  'Decidim::Proposals::Proposal', 1,  'Decidim::Proposals::Proposal', 1,  'Decidim::UserBaseEntity', 2, '2024-02-10 08:00', NULL),
  (2,  'Decidim::Comments::Comment',   1,  'Decidim::Proposals::Proposal', 1,  'Decidim::UserBaseEntity', 5, '2024-02-28 23:59:59', NULL), -- a reply; by the deleted user; February
  (3,  'Decidim::Proposals::Proposal', 1,  'Decidim::Proposals::Proposal', 1,  'Decidim::UserBaseEntity', 3, '2024-02-14 08:00', '2024-02-15 08:00'), -- no: deleted
  (4,  'Decidim::Proposals::Proposal', 1,  'Decidim::Proposals::Proposal', 1,  'Decidim::UserBaseEntity', 8, '2024-02-15 08:00', NULL), -- no: hidden
  (5,  'Decidim::Comments::Comment',   4,  'Decidim::Proposals::Proposal', 1,  'Decidim::UserBaseEntity', 3, '2024-03-01 00:00:01', NULL), -- a reply to the hidden one; March
  (6,  'Decidim::Proposals::Proposal', 1,  'Decidim::Proposals::Proposal', 1,  'Decidim::UserBaseEntity', 1, '2024-03-05 08:00', NULL), -- reported only
  (7,  'Decidim::Proposals::Proposal', 2,  'Decidim::Proposals::Proposal', 2,  'Decidim::Organization',   1, '2024-04-10 08:00', NULL), -- by nobody, who is not user 1
  (8,  'Decidim::Proposals::Proposal', 13, 'Decidim::Proposals::Proposal', 13, 'Decidim::UserBaseEntity', 1, '2024-03-13 08:00', NULL), -- no: comments are switched off
  (9,  'Decidim::Proposals::Proposal', 14, 'Decidim::Proposals::Proposal', 14, 'Decidim::UserBaseEntity', 3, '2024-05-31 15:00', NULL), -- the last day
  (10, 'Decidim::Proposals::Proposal', 2,  'Decidim::Proposals::Proposal', 2,  'Decidim::UserBaseEntity', 1, '2024-05-31 00:05', NULL), -- the last day, by five minutes
  (11, 'Decidim::Proposals::Proposal', 2,  'Decidim::Proposals::Proposal', 2,  'Decidim::UserBaseEntity', 2, '2024-05-30 23:55', NULL), -- not the last day, by five minutes
  (12, 'Decidim::Meetings::Meeting',   1,  'Decidim::Meetings::Meeting',   1,  'Decidim::UserBaseEntity', 4, '2024-02-15 08:00', NULL), -- no: on a meeting that is a 1
  (13, 'Decidim::Proposals::Proposal', 55, 'Decidim::Proposals::Proposal', 55, 'Decidim::UserBaseEntity', 1, '2024-01-18 08:00', NULL), -- no: on an amendment
  (14, 'Decidim::Proposals::Proposal', 60, 'Decidim::Proposals::Proposal', 60, 'Decidim::UserBaseEntity', 2, '2024-01-18 08:00', NULL), -- no: members only
  (15, 'Decidim::Proposals::Proposal', 90, 'Decidim::Proposals::Proposal', 90, 'Decidim::UserBaseEntity', 12, '2024-02-16 08:00', NULL), -- no: the other organisation's
  (16, 'Decidim::Proposals::Proposal', 12, 'Decidim::Proposals::Proposal', 12, 'Decidim::UserBaseEntity', 2, '2024-03-16 09:00', NULL),
  (54, 'Decidim::Proposals::Proposal', 3,  'Decidim::Proposals::Proposal', 3,  'Decidim::UserBaseEntity', 4, '2024-03-06 08:00', NULL);

INSERT INTO decidim_taxonomies (id, decidim_organization_id, parent_id, part_of, name) VALUES
  (10, 1, NULL, '{10}',       '{"ca": "Temes"}'),
  (11, 1, 10,   '{11,10}',    '{"ca": "Mobilitat", "en": "Mobility", "es": "Movilidad"}'),
  (12, 1, 11,   '{12,11,10}', '{"ca": "Bicicletes"}'),                                              -- a twig of 11
  (13, 1, 10,   '{13,10}',    '{"de": "Grün", "en": "Green", "es": "Verde", "machine_translations": {"ca": "Verd"}}'),
  (14, 1, 10,   '{14,10}',    '{"ca": "", "fr": "Culture ", "machine_translations": {"ca": "Cultura"}}'), -- the blank goes
  (15, 1, 10,   '{15,10}',    '{"ca": "Sense ús"}'),                                                -- listed, though no idea has it
  (16, 1, 10,   '{16,10}',    '{}'),                                                                -- no name at all: dropped
  (20, 1, NULL, '{20}',       '{"ca": "Districtes"}'),
  (21, 1, 20,   '{21,20}',    '{"ca": "Nord"}'),
  (30, 2, NULL, '{30}',       '{"en": "Topics"}'),
  (31, 2, 30,   '{31,30}',    '{"en": "Theirs"}');

INSERT INTO decidim_taxonomizations (taxonomizable_type, taxonomizable_id, taxonomy_id) VALUES
  ('Decidim::Proposals::Proposal', 1, 12), ('Decidim::Proposals::Proposal', 1, 11), -- one branch, twice
  ('Decidim::Proposals::Proposal', 1, 13),
  ('Decidim::Proposals::Proposal', 1, 21),                                          -- under the other root
  ('Decidim::Proposals::Proposal', 2, 14),
  ('Decidim::Proposals::Proposal', 4, 16),                                          -- no name: ignored, 1
  ('Decidim::Proposals::Proposal', 8, 11),
  ('Decidim::Proposals::Proposal', 54, 11),                                         -- of a hidden one: ignored, 1
  ('Decidim::Assembly', 3, 13),                                                     -- of something else that is a 3
  ('Decidim::Proposals::Proposal', 90, 31);
