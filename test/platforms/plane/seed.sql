-- Four projects of two workspaces in one database. Each row says whether it counts on the board of project 1;
-- dataAsOf is 2024-06-01 00:00 UTC.
-- Ids are uuids: a letter or digit for what it is (1 workspace, 2 project, 3 board, 4 state, 5 label, 6 module, a account,
-- c comment, e work item), and a number.
CREATE FUNCTION pg_temp.id(what text, nr int) RETURNS uuid LANGUAGE sql IMMUTABLE AS
$$ SELECT (what || '0000000-0000-4000-8000-' || lpad(nr::text, 12, '0'))::uuid $$;

INSERT INTO users (id, username, email, is_active, is_bot, created_at) VALUES
  (pg_temp.id('a', 1),  'ada',  'ada@example.org',  true,  false, '2022-01-05 10:00+00'),
  (pg_temp.id('a', 2),  'ben',  'ben@example.org',  true,  false, '2022-01-06 10:00+00'),
  (pg_temp.id('a', 3),  'cyd',  'cyd@example.org',  true,  false, '2022-01-07 10:00+00'),
  (pg_temp.id('a', 4),  'dan',  'dan@example.org',  true,  false, '2024-05-31 11:59+00'),
  (pg_temp.id('a', 5),  'eve',  'eve@example.org',  true,  false, '2022-01-08 10:00+00'),
  (pg_temp.id('a', 6),  'off',  'off@example.org',  false, false, '2022-01-09 10:00+00'), -- no: deactivated
  (pg_temp.id('a', 7),  'bot',  NULL,               true,  true,  '2022-01-10 10:00+00'), -- no: a bot
  (pg_temp.id('a', 8),  'left', 'left@example.org', true,  false, '2022-01-11 10:00+00'),
  (pg_temp.id('a', 9),  'out',  'out@example.org',  true,  false, '2022-01-12 10:00+00'),
  (pg_temp.id('a', 10), 'away', 'away@example.org', true,  false, '2022-01-13 10:00+00'),
  (pg_temp.id('a', 11), 'fay',  'fay@example.org',  true,  false, '2022-01-14 10:00+00'),
  (pg_temp.id('a', 12), 'gus',  'gus@example.org',  true,  false, '2022-01-15 10:00+00'),
  (pg_temp.id('a', 13), 'hal',  'hal@example.org',  true,  false, '2022-01-16 10:00+00'); -- no: in no project

INSERT INTO workspaces (id, name, slug, created_at) VALUES
  (pg_temp.id('1', 1), 'Acme',  'acme',  '2022-01-01 10:00+00'),
  (pg_temp.id('1', 2), 'Other', 'other', '2022-01-01 10:00+00');

INSERT INTO projects (id, workspace_id, name, identifier, network, created_at) VALUES
  (pg_temp.id('2', 1), pg_temp.id('1', 1), 'Feedback', 'FB',  0, '2023-01-01 10:00+00'), -- secret, which is about members; published all the same
  (pg_temp.id('2', 2), pg_temp.id('1', 2), 'Quiet',    'QU',  2, '2023-01-01 10:00+00'), -- its board shows no votes and no comments
  (pg_temp.id('2', 3), pg_temp.id('1', 1), 'Internal', 'INT', 2, '2023-01-01 10:00+00'), -- public within the workspace, not published
  (pg_temp.id('2', 4), pg_temp.id('1', 1), 'Third',    'TH',  2, '2023-01-01 10:00+00'); -- published

INSERT INTO deploy_boards (id, workspace_id, project_id, entity_identifier, entity_name, anchor, is_comments_enabled, is_reactions_enabled, is_votes_enabled, is_disabled, created_at, deleted_at) VALUES
  (pg_temp.id('3', 1), pg_temp.id('1', 1), pg_temp.id('2', 1), pg_temp.id('2', 1), 'project', 'f00d', true,  true,  true,  false, '2024-01-01 10:00+00', NULL),
  (pg_temp.id('3', 2), pg_temp.id('1', 2), pg_temp.id('2', 2), pg_temp.id('2', 2), 'project', 'cafe', false, false, false, false, '2024-01-01 10:00+00', NULL),
  (pg_temp.id('3', 3), pg_temp.id('1', 1), pg_temp.id('2', 1), pg_temp.id('2', 1), 'intake',  'beef', true,  true,  true,  false, '2024-01-01 10:00+00', NULL), -- of another kind
  (pg_temp.id('3', 4), pg_temp.id('1', 1), pg_temp.id('2', 1), pg_temp.id('2', 1), 'project', 'dead', true,  true,  true,  false, '2023-06-01 10:00+00', '2023-07-01 10:00+00'), -- was published once before
  (pg_temp.id('3', 5), pg_temp.id('1', 1), pg_temp.id('2', 4), pg_temp.id('2', 4), 'project', 'babe', true,  true,  true,  false, '2024-01-01 10:00+00', NULL);

INSERT INTO project_members (project_id, member_id, role, is_active, created_at, deleted_at) VALUES
  (pg_temp.id('2', 1), pg_temp.id('a', 1),  20, true,  '2024-01-05 10:00+00', NULL),                  -- 1: took part before, see below
  (pg_temp.id('2', 1), pg_temp.id('a', 4),  15, true,  '2024-05-31 12:00+00', NULL),                  -- 2
  (pg_temp.id('2', 1), pg_temp.id('a', 6),  15, true,  '2024-01-06 10:00+00', NULL),                  -- no: the account is deactivated
  (pg_temp.id('2', 1), pg_temp.id('a', 7),  15, true,  '2024-01-07 10:00+00', NULL),                  -- no: a bot
  (pg_temp.id('2', 1), pg_temp.id('a', 8),  15, false, '2024-01-08 10:00+00', NULL),                  -- no: left the project
  (pg_temp.id('2', 1), pg_temp.id('a', 9),  15, true,  '2024-01-09 10:00+00', '2024-02-09 10:00+00'), -- no: was removed
  (pg_temp.id('2', 2), pg_temp.id('a', 11), 20, true,  '2024-01-02 10:00+00', NULL),                  -- no: of the other project
  (pg_temp.id('2', 3), pg_temp.id('a', 1),  20, true,  '2023-01-02 10:00+00', NULL);                  -- of the project that is not published
INSERT INTO project_public_members (project_id, member_id, created_at, deleted_at) VALUES
  (pg_temp.id('2', 1), pg_temp.id('a', 1),  '2024-01-04 10:00+00', NULL),
  (pg_temp.id('2', 1), pg_temp.id('a', 2),  '2024-01-31 23:59:30+00', NULL),                          -- 3: January in UTC
  (pg_temp.id('2', 1), pg_temp.id('a', 3),  '2024-02-01 00:00:20+00', NULL),                          -- 4: February in UTC
  (pg_temp.id('2', 1), pg_temp.id('a', 5),  '2024-03-01 00:00:30+00', NULL),                          -- 5: March, just
  (pg_temp.id('2', 1), pg_temp.id('a', 10), '2024-01-10 10:00+00', '2024-02-10 10:00+00'),            -- no: was removed
  (pg_temp.id('2', 2), pg_temp.id('a', 12), '2024-01-03 10:00+00', NULL);                             -- no: of the other project

INSERT INTO states (id, project_id, name, "group", is_triage) VALUES
  (pg_temp.id('4', 1),  pg_temp.id('2', 1), 'Backlog',       'backlog',   false),
  (pg_temp.id('4', 2),  pg_temp.id('2', 1), 'In Progress',   'started',   false),
  (pg_temp.id('4', 3),  pg_temp.id('2', 1), 'Done',          'completed', false),
  (pg_temp.id('4', 4),  pg_temp.id('2', 1), 'Shipped',       'completed', false),
  (pg_temp.id('4', 5),  pg_temp.id('2', 1), 'Cancelled',     'cancelled', false),
  (pg_temp.id('4', 6),  pg_temp.id('2', 1), 'Intake Triage', 'triage',    false),  -- no: as migration 0112 makes them
  (pg_temp.id('4', 7),  pg_temp.id('2', 1), 'Triage',        'triage',    true),   -- no: as later versions make them
  (pg_temp.id('4', 8),  pg_temp.id('2', 1), 'Old Triage',    'backlog',   true),   -- no: older than the group
  (pg_temp.id('4', 11), pg_temp.id('2', 2), 'Todo',          'unstarted', false),
  (pg_temp.id('4', 12), pg_temp.id('2', 2), 'Done',          'completed', false),
  (pg_temp.id('4', 13), pg_temp.id('2', 3), 'Todo',          'unstarted', false),
  (pg_temp.id('4', 14), pg_temp.id('2', 4), 'Todo',          'unstarted', false);

INSERT INTO issues (id, project_id, parent_id, state_id, name, created_by_id, created_at, completed_at, archived_at, is_draft, deleted_at) VALUES
  -- 1: a formula and a line break, which stay as they are
  (pg_temp.id('e', 101), pg_temp.id('2', 1), NULL, pg_temp.id('4', 1), E'=HYPERLINK("http://x";"y")\nsecond line', pg_temp.id('a', 2), '2024-01-10 08:00+00', NULL, NULL, false, NULL),
  -- 2: started
  (pg_temp.id('e', 102), pg_temp.id('2', 1), NULL, pg_temp.id('4', 2), 'Dark mode 🌙', pg_temp.id('a', 1), '2024-01-11 08:00+00', NULL, NULL, false, NULL),
  -- 3: done, in March by two minutes; by the deactivated account
  (pg_temp.id('e', 103), pg_temp.id('2', 1), NULL, pg_temp.id('4', 3), 'Export', pg_temp.id('a', 6), '2024-01-12 08:00+00', '2024-03-31 23:58+00', NULL, false, NULL),
  -- 4: in another state of the group completed, by an import: no date; by a bot, so by nobody
  (pg_temp.id('e', 104), pg_temp.id('2', 1), NULL, pg_temp.id('4', 4), 'Import', pg_temp.id('a', 7), '2024-01-13 08:00+00', NULL, NULL, false, NULL),
  -- 5: was completed, then cancelled by a change of many at once, which keeps the date: not launched
  (pg_temp.id('e', 105), pg_temp.id('2', 1), NULL, pg_temp.id('4', 5), 'It''s "done"', pg_temp.id('a', 3), '2024-01-14 08:00+00', '2024-02-10 09:00+00', NULL, false, NULL),
  -- 6: below another one; from the intake, accepted; by nobody; February in UTC, March east of it
  (pg_temp.id('e', 106), pg_temp.id('2', 1), pg_temp.id('e', 101), pg_temp.id('4', 1), 'Links, too', NULL, '2024-02-28 23:59:50+00', NULL, NULL, false, NULL),
  -- 7: done tomorrow, by two minutes: launched, without a date; from the intake, a duplicate
  (pg_temp.id('e', 107), pg_temp.id('2', 1), NULL, pg_temp.id('4', 3), 'Just done', pg_temp.id('a', 5), '2024-01-18 09:00+00', '2024-06-01 00:02+00', NULL, false, NULL),
  -- 8: from the intake, rejected; by somebody who was removed
  (pg_temp.id('e', 108), pg_temp.id('2', 1), NULL, pg_temp.id('4', 5), 'Rewrite it', pg_temp.id('a', 10), '2024-02-01 00:00:05+00', NULL, NULL, false, NULL),
  -- 9: the newest
  (pg_temp.id('e', 109), pg_temp.id('2', 1), NULL, pg_temp.id('4', 1), 'Fresh', pg_temp.id('a', 4), '2024-05-31 13:00+00', NULL, NULL, false, NULL),
  (pg_temp.id('e', 110), pg_temp.id('2', 1), NULL, pg_temp.id('4', 3), 'Deleted', pg_temp.id('a', 1), '2024-01-20 08:00+00', '2024-02-20 08:00+00', NULL, false, '2024-03-20 08:00+00'), -- no: deleted
  (pg_temp.id('e', 111), pg_temp.id('2', 1), NULL, pg_temp.id('4', 3), 'Long ago', pg_temp.id('a', 1), '2024-01-21 08:00+00', '2024-02-21 08:00+00', '2024-04-21', false, NULL), -- no: archived
  (pg_temp.id('e', 112), pg_temp.id('2', 1), NULL, pg_temp.id('4', 1), 'Draft', pg_temp.id('a', 1), '2024-01-22 08:00+00', NULL, NULL, true, NULL), -- no: a draft
  (pg_temp.id('e', 113), pg_temp.id('2', 1), NULL, pg_temp.id('4', 6), 'Buy pills', pg_temp.id('a', 9), '2024-01-23 08:00+00', NULL, NULL, false, NULL), -- no, down to 117: in triage
  (pg_temp.id('e', 114), pg_temp.id('2', 1), NULL, pg_temp.id('4', 7), 'More pills', pg_temp.id('a', 9), '2024-01-24 08:00+00', NULL, NULL, false, NULL),
  (pg_temp.id('e', 115), pg_temp.id('2', 1), NULL, pg_temp.id('4', 8), 'Old pills', pg_temp.id('a', 9), '2024-01-25 08:00+00', NULL, NULL, false, NULL),
  (pg_temp.id('e', 116), pg_temp.id('2', 1), NULL, pg_temp.id('4', 1), 'Waiting', pg_temp.id('a', 3), '2024-01-26 08:00+00', NULL, NULL, false, NULL),
  (pg_temp.id('e', 117), pg_temp.id('2', 1), NULL, pg_temp.id('4', 1), 'Snoozed', pg_temp.id('a', 3), '2024-01-27 08:00+00', NULL, NULL, false, NULL),
  (pg_temp.id('e', 118), pg_temp.id('2', 1), NULL, NULL, 'Without a state', pg_temp.id('a', 1), '2024-01-28 08:00+00', NULL, NULL, false, NULL), -- no: on no board
  (pg_temp.id('e', 119), pg_temp.id('2', 1), NULL, pg_temp.id('4', 1), 'Later on', pg_temp.id('a', 4), '2999-06-01 00:01+00', NULL, NULL, false, NULL), -- no: in the future
  (pg_temp.id('e', 201), pg_temp.id('2', 2), NULL, pg_temp.id('4', 12), 'Elsewhere', pg_temp.id('a', 11), '2024-01-20 08:00+00', '2024-02-06 09:00+00', NULL, false, NULL), -- no: of other projects
  (pg_temp.id('e', 202), pg_temp.id('2', 2), NULL, pg_temp.id('4', 11), 'Export', pg_temp.id('a', 12), '2024-01-21 08:00+00', NULL, NULL, false, NULL),
  (pg_temp.id('e', 301), pg_temp.id('2', 3), NULL, pg_temp.id('4', 13), 'Members only', pg_temp.id('a', 1), '2024-01-22 08:00+00', NULL, NULL, false, NULL),
  (pg_temp.id('e', 401), pg_temp.id('2', 4), NULL, pg_temp.id('4', 14), 'Third', pg_temp.id('a', 11), '2024-01-23 08:00+00', NULL, NULL, false, NULL);

-- -2 pending, -1 rejected, 0 snoozed, 1 accepted, 2 duplicate.
INSERT INTO intake_issues (project_id, issue_id, status) VALUES
  (pg_temp.id('2', 1), pg_temp.id('e', 106), 1),
  (pg_temp.id('2', 1), pg_temp.id('e', 107), 2),
  (pg_temp.id('2', 1), pg_temp.id('e', 108), -1),
  (pg_temp.id('2', 1), pg_temp.id('e', 116), -2),
  (pg_temp.id('2', 1), pg_temp.id('e', 117), 0);

INSERT INTO labels (id, project_id, name, deleted_at) VALUES
  (pg_temp.id('5', 1), pg_temp.id('2', 1), 'Mobile', NULL),
  (pg_temp.id('5', 2), pg_temp.id('2', 1), 'Web', NULL),
  (pg_temp.id('5', 3), pg_temp.id('2', 1), 'Unused', NULL),                  -- listed, though it has no idea
  (pg_temp.id('5', 4), pg_temp.id('2', 1), 'Gone', '2024-03-01 10:00+00'),   -- no: deleted
  (pg_temp.id('5', 5), NULL, 'Everywhere', NULL),                            -- no: of the workspace
  (pg_temp.id('5', 6), pg_temp.id('2', 2), 'Theirs', NULL),                  -- no: of other projects
  (pg_temp.id('5', 7), pg_temp.id('2', 3), 'Secret', NULL);
INSERT INTO issue_labels (project_id, issue_id, label_id, deleted_at) VALUES
  (pg_temp.id('2', 1), pg_temp.id('e', 101), pg_temp.id('5', 1), NULL),
  (pg_temp.id('2', 1), pg_temp.id('e', 102), pg_temp.id('5', 1), NULL),
  (pg_temp.id('2', 1), pg_temp.id('e', 102), pg_temp.id('5', 2), NULL),
  (pg_temp.id('2', 1), pg_temp.id('e', 103), pg_temp.id('5', 2), '2024-02-01 10:00+00'), -- no: taken off
  (pg_temp.id('2', 1), pg_temp.id('e', 103), pg_temp.id('5', 4), NULL),                  -- no: the label is deleted
  (pg_temp.id('2', 1), pg_temp.id('e', 104), pg_temp.id('5', 5), NULL),                  -- no: a label of the workspace
  (pg_temp.id('2', 1), pg_temp.id('e', 105), pg_temp.id('5', 2), NULL),                  -- once
  (pg_temp.id('2', 1), pg_temp.id('e', 105), pg_temp.id('5', 2), NULL),
  (pg_temp.id('2', 1), pg_temp.id('e', 116), pg_temp.id('5', 1), NULL),                  -- on one in triage
  (pg_temp.id('2', 1), pg_temp.id('e', 119), pg_temp.id('5', 1), NULL),                  -- on one of the future
  (pg_temp.id('2', 2), pg_temp.id('e', 201), pg_temp.id('5', 6), NULL),
  (pg_temp.id('2', 3), pg_temp.id('e', 301), pg_temp.id('5', 7), NULL);

INSERT INTO modules (id, project_id, name, archived_at, deleted_at) VALUES
  (pg_temp.id('6', 1), pg_temp.id('2', 1), 'Apps', NULL, NULL),
  (pg_temp.id('6', 2), pg_temp.id('2', 1), 'Last year', '2024-01-31 10:00+00', NULL), -- no: archived
  (pg_temp.id('6', 3), pg_temp.id('2', 1), 'Gone', NULL, '2024-03-01 10:00+00'),      -- no: deleted
  (pg_temp.id('6', 4), pg_temp.id('2', 1), 'Next year', NULL, NULL),                  -- listed, though it has no idea
  (pg_temp.id('6', 5), pg_temp.id('2', 2), 'Theirs', NULL, NULL);                     -- no: of the other project
INSERT INTO module_issues (project_id, issue_id, module_id, deleted_at) VALUES
  (pg_temp.id('2', 1), pg_temp.id('e', 101), pg_temp.id('6', 1), NULL),
  (pg_temp.id('2', 1), pg_temp.id('e', 102), pg_temp.id('6', 2), NULL),
  (pg_temp.id('2', 1), pg_temp.id('e', 103), pg_temp.id('6', 3), NULL),
  (pg_temp.id('2', 1), pg_temp.id('e', 104), pg_temp.id('6', 1), '2024-02-01 10:00+00'), -- no: taken out
  (pg_temp.id('2', 1), pg_temp.id('e', 105), pg_temp.id('6', 1), NULL),
  (pg_temp.id('2', 1), pg_temp.id('e', 116), pg_temp.id('6', 1), NULL),                  -- one in triage
  (pg_temp.id('2', 2), pg_temp.id('e', 201), pg_temp.id('6', 5), NULL);

-- Counted votes: 3 for 101, 2 for 102, 2 for 103, 1 for 104, 1 for 109: 9.
INSERT INTO issue_votes (project_id, issue_id, actor_id, vote, created_at, deleted_at) VALUES
  (pg_temp.id('2', 1), pg_temp.id('e', 101), pg_temp.id('a', 1),  1,  '2024-01-20 08:00+00', NULL),
  (pg_temp.id('2', 1), pg_temp.id('e', 101), pg_temp.id('a', 3),  1,  '2024-01-31 23:59:30+00', NULL), -- January in UTC
  (pg_temp.id('2', 1), pg_temp.id('e', 101), pg_temp.id('a', 4),  1,  '2024-05-31 00:02+00', NULL),    -- the last day, by two minutes
  (pg_temp.id('2', 1), pg_temp.id('e', 101), pg_temp.id('a', 5),  -1, '2024-03-20 08:00+00', NULL),    -- no: against
  (pg_temp.id('2', 1), pg_temp.id('e', 102), pg_temp.id('a', 2),  1,  '2024-02-01 00:00:20+00', NULL), -- February in UTC
  (pg_temp.id('2', 1), pg_temp.id('e', 102), pg_temp.id('a', 6),  1,  '2024-01-23 08:00+00', NULL),    -- by the deactivated account
  (pg_temp.id('2', 1), pg_temp.id('e', 103), pg_temp.id('a', 1),  1,  '2024-05-30 23:58+00', NULL),    -- not the last day, by two minutes
  (pg_temp.id('2', 1), pg_temp.id('e', 103), pg_temp.id('a', 10), 1,  '2024-01-24 08:00+00', NULL),    -- by somebody who was removed
  (pg_temp.id('2', 1), pg_temp.id('e', 104), pg_temp.id('a', 5),  1,  '2024-03-01 00:00:10+00', NULL), -- March, by ten seconds
  (pg_temp.id('2', 1), pg_temp.id('e', 105), pg_temp.id('a', 2),  1,  '2024-01-25 08:00+00', '2024-01-26 08:00+00'), -- no: taken back
  (pg_temp.id('2', 1), pg_temp.id('e', 105), pg_temp.id('a', 2),  -1, '2024-01-27 08:00+00', NULL),    -- no: against
  (pg_temp.id('2', 1), pg_temp.id('e', 109), pg_temp.id('a', 1),  1,  '2024-05-31 14:00+00', NULL),    -- the last day
  (pg_temp.id('2', 1), pg_temp.id('e', 109), pg_temp.id('a', 5),  1,  '2999-06-01 00:01+00', NULL),    -- no: in the future
  (pg_temp.id('2', 1), pg_temp.id('e', 110), pg_temp.id('a', 1),  1,  '2024-01-26 08:00+00', NULL),    -- for a deleted one
  (pg_temp.id('2', 1), pg_temp.id('e', 116), pg_temp.id('a', 2),  1,  '2024-01-27 08:00+00', NULL),    -- for one in triage
  (pg_temp.id('2', 1), pg_temp.id('e', 119), pg_temp.id('a', 1),  1,  '2999-06-01 00:05+00', NULL),    -- for one of the future
  (pg_temp.id('2', 2), pg_temp.id('e', 201), pg_temp.id('a', 11), 1,  '2024-01-28 08:00+00', NULL),    -- from before votes were switched off
  (pg_temp.id('2', 3), pg_temp.id('e', 301), pg_temp.id('a', 1),  1,  '2024-01-29 08:00+00', NULL),
  (pg_temp.id('2', 4), pg_temp.id('e', 401), pg_temp.id('a', 12), 1,  '2024-01-30 08:00+00', NULL);

-- Counted comments: 3 on 101, 1 on 102, 1 on 103, 1 on 108, 2 on 109: 8.
INSERT INTO issue_comments (id, project_id, issue_id, parent_id, actor_id, access, created_at, deleted_at) VALUES
  (pg_temp.id('c', 1),  pg_temp.id('2', 1), pg_temp.id('e', 101), NULL, pg_temp.id('a', 2),  'EXTERNAL', '2024-02-10 08:00+00', NULL),
  (pg_temp.id('c', 2),  pg_temp.id('2', 1), pg_temp.id('e', 101), NULL, pg_temp.id('a', 6),  'EXTERNAL', '2024-02-11 08:00+00', NULL),    -- by the deactivated account
  (pg_temp.id('c', 3),  pg_temp.id('2', 1), pg_temp.id('e', 101), NULL, pg_temp.id('a', 4),  'INTERNAL', '2024-05-31 13:30+00', NULL),    -- no: for the members
  (pg_temp.id('c', 4),  pg_temp.id('2', 1), pg_temp.id('e', 101), pg_temp.id('c', 1), pg_temp.id('a', 1), 'EXTERNAL', '2024-02-28 23:59:45+00', NULL), -- February in UTC; a reply
  (pg_temp.id('c', 5),  pg_temp.id('2', 1), pg_temp.id('e', 101), NULL, pg_temp.id('a', 5),  'EXTERNAL', '2024-03-10 08:00+00', '2024-03-11 08:00+00'), -- no: deleted
  (pg_temp.id('c', 6),  pg_temp.id('2', 1), pg_temp.id('e', 102), NULL, pg_temp.id('a', 7),  'EXTERNAL', '2024-02-12 08:00+00', NULL),    -- by a bot, so by nobody
  (pg_temp.id('c', 7),  pg_temp.id('2', 1), pg_temp.id('e', 103), NULL, pg_temp.id('a', 3),  'EXTERNAL', '2024-03-31 23:58:30+00', NULL), -- March in UTC
  (pg_temp.id('c', 8),  pg_temp.id('2', 1), pg_temp.id('e', 108), NULL, pg_temp.id('a', 5),  'EXTERNAL', '2024-05-30 23:54+00', NULL),    -- not the last day, by six minutes
  (pg_temp.id('c', 9),  pg_temp.id('2', 1), pg_temp.id('e', 109), NULL, pg_temp.id('a', 1),  'EXTERNAL', '2024-05-31 00:06+00', NULL),    -- the last day, by six minutes
  (pg_temp.id('c', 10), pg_temp.id('2', 1), pg_temp.id('e', 109), NULL, NULL,                'EXTERNAL', '2024-05-31 13:30+00', NULL),    -- by nobody
  (pg_temp.id('c', 11), pg_temp.id('2', 1), pg_temp.id('e', 109), NULL, pg_temp.id('a', 4),  'EXTERNAL', '2999-06-01 00:03+00', NULL),    -- no: in the future
  (pg_temp.id('c', 12), pg_temp.id('2', 1), pg_temp.id('e', 110), NULL, pg_temp.id('a', 1),  'EXTERNAL', '2024-02-13 08:00+00', NULL),    -- on a deleted one
  (pg_temp.id('c', 13), pg_temp.id('2', 1), pg_temp.id('e', 116), NULL, pg_temp.id('a', 1),  'EXTERNAL', '2024-02-14 08:00+00', NULL),    -- on one in triage
  (pg_temp.id('c', 14), pg_temp.id('2', 1), pg_temp.id('e', 119), NULL, pg_temp.id('a', 1),  'EXTERNAL', '2999-06-01 00:04+00', NULL),    -- on one of the future
  (pg_temp.id('c', 15), pg_temp.id('2', 2), pg_temp.id('e', 201), NULL, pg_temp.id('a', 11), 'EXTERNAL', '2024-02-16 08:00+00', NULL),    -- from before comments were switched off
  (pg_temp.id('c', 16), pg_temp.id('2', 3), pg_temp.id('e', 301), NULL, pg_temp.id('a', 1),  'EXTERNAL', '2024-02-17 08:00+00', NULL),
  (pg_temp.id('c', 17), pg_temp.id('2', 4), pg_temp.id('e', 401), NULL, pg_temp.id('a', 12), 'EXTERNAL', '2024-02-18 08:00+00', NULL);
