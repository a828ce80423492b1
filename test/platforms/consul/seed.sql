-- The main site, in schema public. Each row says whether it counts; dataAsOf is 2024-06-01 00:00 UTC. Times are UTC without
-- saying so.
INSERT INTO tenants (id, name, schema, hidden_at, created_at, updated_at) VALUES
  (1, 'South', 'south', '2024-02-01', '2024-01-01', '2024-02-01'), -- hidden, which is nothing to the main site
  (2, 'North', 'north', NULL,         '2024-01-01', '2024-01-01');

INSERT INTO settings (key, value) VALUES
  ('process.debates',     NULL),
  ('process.proposals',   'true'),
  ('feature.sdg',         'true'),
  ('mailer_from_address', 'noreply@example.org');

INSERT INTO users (id, email, username, created_from_signature, confirmed_at, hidden_at, erased_at, created_at) VALUES
  (1, 'ada@example.org', 'Ada',  false, '2024-01-05 11:00', NULL, NULL, '2024-01-05 10:00'),    -- 1
  (2, 'ben@example.org', 'Ben',  false, '2024-02-01 11:00', NULL, NULL, '2024-01-31 23:59:57'), -- 2: January, by three seconds
  (3, 'club@example.org', NULL,  false, '2024-02-01 11:00', NULL, NULL, '2024-02-01 00:00:03'), -- 3: February, by three seconds; an organisation
  (4, 'dan@example.org', 'Dan',  false, '2024-05-31 12:01', NULL, NULL, '2024-05-31 12:00'),    -- 4: within the last day
  (5, NULL,              NULL,   false, '2024-01-06 11:00', NULL, '2024-03-01 10:00', '2024-01-06 10:00'), -- no: erased; what they wrote stays
  (6, 'spam@example.org', 'Spam', false, '2024-01-07 11:00', '2024-02-01 10:00', NULL, '2024-01-07 10:00'), -- no: hidden
  (7, 'fay@example.org', 'Fay',  false, NULL,               NULL, NULL, '2024-01-08 10:00'),    -- no: never confirmed
  (8, '',                NULL,   true,  NULL,               NULL, '2024-02-03 08:00', '2024-02-03 08:00'); -- no: made by a signature sheet

INSERT INTO organizations (user_id, name) VALUES (3, 'Club');

INSERT INTO proposals (id, author_id, hidden_at, flags_count, retired_at, retired_reason, published_at, selected, created_at) VALUES
  (1,  1, NULL, 0, NULL, NULL, '2024-01-10 08:00', false, '2024-01-09 08:00'),
  (2,  2, NULL, 0, NULL, NULL, '2024-01-11 08:00', true,  '2024-01-11 07:00'),    -- selected
  (3,  5, NULL, 0, NULL, NULL, '2024-01-12 08:00', false, '2024-01-12 07:00'),    -- by the erased user; launched
  (4,  1, NULL, 0, NULL, NULL, '2024-01-13 08:00', false, '2024-01-13 07:00'),    -- was executed, is not any more
  (5,  2, NULL, 0, NULL, NULL, '2024-01-14 08:00', false, '2024-01-14 07:00'),    -- will be executed
  (6,  3, NULL, 0, '2024-02-01 08:00', 'done', '2024-01-15 08:00', true, '2024-01-15 07:00'), -- retired: to be read behind a filter
  (7,  3, NULL, 0, NULL, NULL, '2024-01-16 08:00', false, '2024-01-16 07:00'),    -- its last status was deleted
  (8,  6, NULL, 0, NULL, NULL, '2024-01-17 08:00', true,  '2024-01-17 07:00'),    -- by the hidden user; launched, selected before
  (9,  1, NULL, 0, NULL, NULL, '2022-01-01 08:00', NULL,  '2022-01-01 07:00'),    -- so old that it is archived
  (10, 4, NULL, 3, NULL, NULL, '2024-05-31 13:00', false, '2024-04-01 07:00'),    -- the newest, within the last day; flagged; a draft for two months
  (11, 2, NULL, 0, NULL, NULL, '2024-02-28 23:59:58', false, '2024-02-28 07:00'), -- February, by two seconds
  (12, 3, NULL, 0, NULL, NULL, '2024-03-01 00:00:02', false, '2024-02-29 07:00'), -- March, by two seconds; launched
  -- no: drafts, and one that is hidden
  (51, 1, NULL, 0, NULL, NULL, NULL, false, '2024-01-17 07:00'),
  (52, 6, '2024-01-18 08:00', 5, NULL, NULL, '2024-01-17 08:00', false, '2024-01-17 07:00'),
  (53, 2, NULL, 0, NULL, NULL, NULL, false, '2024-01-17 07:00');

INSERT INTO proposal_translations (id, proposal_id, locale, title, hidden_at) VALUES
  (1,  1,  'es', E'=HYPERLINK("http://x";"y")\nsegunda línea', NULL),
  (2,  1,  'en', 'Link', NULL),
  (3,  2,  'en', 'Shade', NULL),
  (4,  2,  'es', 'Sombra', NULL),
  (5,  3,  'es', 'Bancos 🌳', NULL),
  (6,  4,  'es', 'Fuente', NULL),
  (7,  5,  'es', 'Plaza', NULL),
  (8,  6,  'es', 'Retirada', NULL),
  (9,  7,  'es', 'Carril', NULL),
  (10, 8,  'es', 'Parque', NULL),
  (11, 9,  'es', 'Borrada', '2024-02-01 08:00'), -- no: this translation was removed
  (12, 9,  'en', 'Old square', NULL),
  (13, 10, 'es', '', NULL),                      -- no: empty, so the next one
  (14, 10, 'en', 'Fresh', NULL),
  (15, 12, 'es', 'Mercado', NULL),               -- 11 has none at all
  (16, 51, 'es', 'Borrador', NULL),
  (17, 52, 'es', 'Oculta', '2024-01-18 08:00'),
  (18, 53, 'es', 'Otro borrador', NULL);

INSERT INTO milestone_statuses (id, name, hidden_at) VALUES
  (1, 'Bidding',    NULL),
  (2, 'Executed',   NULL),
  (3, ' executed ', NULL),         -- a second one, typed differently
  (4, 'Cancelled',  '2024-03-01'); -- deleted by the staff

INSERT INTO milestones (milestoneable_type, milestoneable_id, publication_date, status_id, created_at) VALUES
  ('Proposal', 3,  '2024-02-01',          1,    '2024-02-01 08:00'),
  ('Proposal', 3,  '2024-03-31 23:59:58', 2,    '2024-03-31 08:00'), -- launched: March, by two seconds
  ('Proposal', 3,  '2024-04-10',          2,    '2024-04-10 08:00'), -- pictures of it: still the same status
  ('Proposal', 4,  '2024-02-01',          2,    '2024-02-01 08:00'),
  ('Proposal', 4,  '2024-02-15',          1,    '2024-02-15 08:00'), -- not executed after all
  ('Proposal', 5,  '2024-02-01',          1,    '2024-02-01 08:00'),
  ('Proposal', 5,  '2999-01-01',          2,    '2024-02-01 08:00'), -- nobody is to see it yet
  ('Proposal', 7,  '2024-02-01',          2,    '2024-02-01 08:00'),
  ('Proposal', 7,  '2024-02-20',          4,    '2024-02-20 08:00'), -- the last one has no status any more
  ('Proposal', 8,  '2024-02-20',          2,    '2024-02-20 08:00'), -- launched
  ('Proposal', 8,  '2024-03-05',          NULL, '2024-03-05 08:00'), -- news, without a status
  ('Proposal', 12, '2024-05-01',          1,    '2024-05-01 08:00'),
  ('Proposal', 12, '2024-05-01',          3,    '2024-05-01 09:00'), -- launched: of one day the last one counts
  ('Proposal', 52, '2024-02-01',          2,    '2024-02-01 08:00'), -- no: hidden
  ('Proposal', 53, '2024-02-01',          2,    '2024-02-01 08:00'), -- no: a draft
  ('Budget::Investment', 1, '2024-02-02', 2,    '2024-02-02 08:00'), -- of something else that is a 1
  ('Budget::Investment', 3, '2024-01-20', 2,    '2024-01-20 08:00'), -- and a 3
  ('Legislation::Process', 3, '2024-05-20', 1,  '2024-05-20 08:00');

INSERT INTO tags (id, name, kind) VALUES
  (1, 'Mobility',    'category'),
  (2, 'Environment', 'category'),
  (3, 'bikes',       NULL),
  (4, 'Unused',      'category'), -- listed, though no idea has it
  (5, 'Culture',     'category'),
  (6, 'Centre',      'district');

INSERT INTO taggings (tag_id, taggable_type, taggable_id, context) VALUES
  (1, 'Proposal', 1,  'tags'),
  (2, 'Proposal', 1,  'tags'),
  (3, 'Proposal', 1,  'tags'),          -- no: a free word
  (6, 'Proposal', 1,  'tags'),          -- no: a place
  (2, 'Proposal', 2,  'tags'),
  (5, 'Proposal', 3,  'tags'),
  (1, 'Proposal', 8,  'ml_tags'),       -- no: proposed by a program
  (1, 'Debate',   4,  'tags'),          -- no: of something else that is a 4
  (1, 'Proposal', 52, 'tags');          -- of a hidden one: ignored, 1

-- Counted votes: 3 on proposal 1, 2 on 2, 1 each on 3, 6 and 9, 2 on 10: 10.
INSERT INTO votes (votable_type, votable_id, voter_type, voter_id, vote_flag, signature_id, created_at) VALUES
  ('Proposal', 1,  'User', 1, true,  NULL, '2024-01-20 08:00'),
  ('Proposal', 1,  'User', 2, true,  NULL, '2024-01-31 23:59:59'), -- January, by a second
  ('Proposal', 1,  'User', 5, true,  NULL, '2024-02-01 00:00:01'), -- February, by a second; by a user who is erased now
  ('Proposal', 1,  'User', 2, true,  NULL, '2024-03-01 08:00'),    -- no: taken over from an erased account, a second vote of 2
  ('Proposal', 1,  'User', 3, false, NULL, '2024-02-02 08:00'),    -- no: not a support, two
  ('Proposal', 1,  'User', 4, NULL,  NULL, '2024-02-02 08:00'),
  ('Proposal', 2,  'User', 1, true,  NULL, '2024-05-31 00:09'),    -- the last day, by nine minutes
  ('Proposal', 2,  'User', 4, true,  NULL, '2024-05-30 23:51'),    -- not the last day, by nine minutes
  ('Proposal', 3,  'User', 8, true,  7,    '2024-02-03 08:00'),    -- from a signature sheet
  ('Proposal', 6,  'User', 7, true,  NULL, '2024-01-16 08:00'),    -- by the one who is not confirmed
  ('Proposal', 9,  'User', 1, true,  NULL, '2022-01-02 08:00'),
  ('Proposal', 10, 'User', 1, true,  NULL, '2024-05-31 14:00'),    -- the last day
  ('Proposal', 10, 'User', 2, true,  NULL, '2024-05-31 23:59:59'), -- the last day, by a second
  ('Proposal', 51, 'User', 1, true,  NULL, '2024-01-17 09:00'),    -- no: a draft
  ('Proposal', 52, 'User', 2, true,  NULL, '2024-01-17 09:00'),    -- no: hidden
  ('Debate',   1,  'User', 4, true,  NULL, '2024-01-21 08:00'),    -- no: on something else that is a 1, a 2, a 1
  ('Budget::Investment', 2, 'User', 3, true, NULL, '2024-01-21 08:00'),
  ('Comment',  1,  'User', 3, true,  NULL, '2024-02-11 08:00');

-- Counted comments: 3 on proposal 1, 2 on 2, 1 each on 6 and 10: 7.
INSERT INTO comments (id, commentable_type, commentable_id, user_id, ancestry, hidden_at, valuation, created_at) VALUES
  (1,  'Proposal', 1,  2, NULL, NULL, false, '2024-02-10 08:00'),
  (2,  'Proposal', 1,  5, '1',  NULL, false, '2024-02-28 23:59:59'),            -- a reply; by the erased user; February
  (3,  'Proposal', 1,  3, NULL, '2024-02-15 08:00', false, '2024-02-14 08:00'), -- no: hidden
  (4,  'Proposal', 1,  3, NULL, NULL, true,  '2024-02-15 08:00'),               -- no: among valuators
  (5,  'Proposal', 1,  3, '3',  NULL, false, '2024-03-01 00:00:01'),            -- a reply to the hidden one; March
  (6,  'Proposal', 2,  1, NULL, NULL, false, '2024-05-31 00:05'),               -- the last day, by five minutes
  (7,  'Proposal', 2,  2, NULL, NULL, NULL,  '2024-05-30 23:55'),               -- not the last day, by five minutes; neither false nor true
  (8,  'Proposal', 10, 3, NULL, NULL, false, '2024-05-31 15:00'),               -- the last day
  (9,  'Debate',   1,  4, NULL, NULL, false, '2024-02-15 08:00'),               -- no: on something else that is a 1
  (10, 'Proposal', 51, 1, NULL, NULL, false, '2024-01-18 08:00'),               -- no: on a draft
  (11, 'Proposal', 52, 2, NULL, NULL, false, '2024-01-18 08:00'),               -- no: on a hidden one
  (12, 'Topic',    2,  4, NULL, NULL, false, '2024-02-15 08:00'),               -- no: in the forum of a proposal
  (13, 'Proposal', 6,  6, NULL, NULL, false, '2024-01-18 08:00');               -- by the hidden user
