-- A group and another one. Each row says whether it counts for path Acme; dataAsOf is 2024-06-01 00:00 UTC. Times are UTC without
-- saying so, but for closed_at.
INSERT INTO namespaces (id, type, name, path, parent_id, visibility_level, traversal_ids) VALUES
  (10,  'Group',   'Acme',    'Acme',    NULL, 20, '{10}'),
  (11,  'Group',   'Tools',   'tools',   10,   20, '{10,11}'),
  (12,  'Group',   'Inner',   'inner',   10,   0,  '{10,12}'), -- private
  (20,  'Group',   'Other',   'other',   NULL, 20, '{20}'),
  (30,  'User',    'Ada',     'ada',     NULL, 20, '{30}'),
  (101, 'Project', 'App',     'app',     10,   20, '{10,101}'),
  (102, 'Project', 'CLI',     'cli',     11,   20, '{10,11,102}'),
  (103, 'Project', 'Wiki',    'wiki',    10,   20, '{10,103}'),
  (104, 'Project', 'Team',    'team',    10,   20, '{10,104}'),
  (105, 'Project', 'Secret',  'secret',  10,   20, '{10,105}'), -- not in step with the project, which is private
  (106, 'Project', 'Intern',  'intern',  10,   10, '{10,106}'),
  (107, 'Project', 'Leaving', 'leaving', 10,   20, '{10,107}'),
  (108, 'Project', 'Taken',   'taken',   10,   20, '{10,108}'),
  (109, 'Project', 'Plan',    'plan',    12,   20, '{10,12,109}'),
  (110, 'Project', 'App',     'app',     20,   20, '{20,110}');

INSERT INTO projects (id, name, path, namespace_id, project_namespace_id, visibility_level, archived, pending_delete, hidden) VALUES
  (1,  'App',     'app',     10, 101, 20, false, false, false),
  (2,  'CLI',     'cli',     11, 102, 20, true,  NULL,  false), -- in a subgroup; archived, still to be read
  (3,  'Wiki',    'wiki',    10, 103, 20, false, false, false), -- no: issues are off
  (4,  'Team',    'team',    10, 104, 20, false, false, false), -- no: issues are for members only
  (5,  'Secret',  'secret',  10, 105, 0,  false, false, false), -- no: private
  (6,  'Intern',  'intern',  10, 106, 10, false, false, false), -- no: for those who log in
  (7,  'Leaving', 'leaving', 10, 107, 20, false, true,  false), -- no: waits for its deletion
  (8,  'Taken',   'taken',   10, 108, 20, false, false, true),  -- no: taken down
  (9,  'Plan',    'plan',    12, 109, 20, false, false, false), -- no: in a private group
  (10, 'App',     'app',     20, 110, 20, false, false, false); -- no: elsewhere; it has the number of the group

INSERT INTO project_features (project_id, issues_access_level) VALUES
  (1, NULL), (2, 30), (3, 0), (4, 10), (5, 20), (6, 20), (7, 20), (8, 20), (9, 20), (10, 20);

INSERT INTO routes (source_type, source_id, path, namespace_id) VALUES
  ('Namespace', 10, 'Acme', 10), ('Namespace', 11, 'Acme/tools', 11), ('Namespace', 12, 'Acme/inner', 12),
  ('Namespace', 20, 'other', 20), ('Namespace', 30, 'ada', 30),
  ('Project', 1, 'Acme/app', 101), ('Project', 2, 'Acme/tools/cli', 102), ('Project', 3, 'Acme/wiki', 103),
  ('Project', 4, 'Acme/team', 104), ('Project', 5, 'Acme/secret', 105), ('Project', 6, 'Acme/intern', 106),
  ('Project', 7, 'Acme/leaving', 107), ('Project', 8, 'Acme/taken', 108), ('Project', 9, 'Acme/inner/plan', 109),
  ('Project', 10, 'other/app', 110);

INSERT INTO users (id, username, state, user_type, created_at) VALUES
  (1, 'ada',   'active',      0, '2024-01-05 10:00'),
  (2, 'ben',   'active',      0, '2024-01-31 23:59:57'), -- January, by three seconds
  (3, 'cyd',   'active',      0, '2024-02-01 00:00:03'), -- February, by three seconds
  (4, 'dan',   'deactivated', 0, '2024-05-31 12:00'),    -- within the last day; will log in again some day
  (5, 'eli',   'blocked',     0, '2024-01-06 10:00'),    -- no: blocked; what they wrote stays
  (6, 'spam',  'banned',      0, '2024-01-07 10:00'),    -- no: banned
  (7, 'bot',   'active',      6, '2024-01-08 10:00'),    -- no: a project's bot
  (8, 'ghost', 'active',      5, '2024-01-01 10:00'),    -- no: everybody who deleted an account
  (9, 'fay',   'active',      0, '2024-01-09 10:00'),    -- no: never did anything here
  -- no: did only what does not count
  (201, 'on-merge-request', 'active', 0, '2024-01-09 10:00'),
  (202, 'thumbs-down',      'active', 0, '2024-01-09 10:00'),
  (203, 'system-note',      'active', 0, '2024-01-09 10:00'),
  (204, 'internal-note',    'active', 0, '2024-01-09 10:00'),
  (205, 'confidential',     'active', 0, '2024-01-09 10:00'),
  (206, 'merge-note',       'active', 0, '2024-01-09 10:00');

INSERT INTO banned_users (user_id, created_at, updated_at) VALUES (6, '2024-03-10', '2024-03-10');

INSERT INTO issues (id, iid, project_id, namespace_id, author_id, title, state_id, closed_at, moved_to_id, duplicated_to_id, promoted_to_epic_id, confidential, work_item_type_id, created_at) VALUES
  (1,  1, 1, 101, 1, E'=HYPERLINK("http://x";"y")\nsecond line', 1, NULL, NULL, NULL, NULL, false, 1, '2024-01-10 08:00'),
  (2,  2, 1, 101, 2, 'Export',    2, '2024-03-31 23:59:58+00', NULL, NULL, NULL, false, 1, '2024-01-11 08:00'), -- launched: March, by two seconds
  (3,  3, 1, 101, 8, 'Rewrite',   2, '2024-02-01 09:00+00', NULL, NULL, NULL, false, 1, '2024-01-12 08:00'), -- declined; by the ghost user
  (4,  4, 1, 101, 1, 'Again',     2, '2024-02-02 09:00+00', NULL, 1,    NULL, false, 1, '2024-01-13 08:00'), -- closed as a duplicate
  (5,  5, 1, 101, 2, 'Big',       2, '2024-02-03 09:00+00', NULL, NULL, 7,    false, 1, '2024-01-14 08:00'), -- an epic by now
  (6,  1, 2, 102, 3, 'Colours 🌈', 1, NULL, NULL, NULL, NULL, false, 1, '2024-02-28 23:59:58'),             -- February, by two seconds
  (7,  2, 2, 102, 5, 'Import',    2, NULL, NULL, NULL, NULL, false, 1, '2024-03-01 00:00:02'),              -- launched: an import, without a date; by the blocked user; March
  (8,  6, 1, 101, 7, 'Fresh',     1, NULL, NULL, NULL, NULL, false, 1, '2024-05-31 13:00'),                 -- the newest, within the last day; by the bot
  -- no: what they are in is not public, or elsewhere
  (31, 1, 3,  103, 131, 'Hidden 31', 1, NULL, NULL, NULL, NULL, false, 1, '2024-01-20 08:00'),
  (32, 1, 4,  104, 132, 'Hidden 32', 1, NULL, NULL, NULL, NULL, false, 1, '2024-01-20 08:00'),
  (33, 1, 5,  105, 133, 'Hidden 33', 1, NULL, NULL, NULL, NULL, false, 1, '2024-01-20 08:00'),
  (34, 1, 7,  107, 134, 'Hidden 34', 1, NULL, NULL, NULL, NULL, false, 1, '2024-01-20 08:00'),
  (35, 1, 8,  108, 135, 'Hidden 35', 1, NULL, NULL, NULL, NULL, false, 1, '2024-01-20 08:00'),
  (36, 1, 9,  109, 136, 'Hidden 36', 1, NULL, NULL, NULL, NULL, false, 1, '2024-01-20 08:00'),
  (37, 1, 10, 110, 137, 'Elsewhere', 1, NULL, NULL, NULL, NULL, false, 1, '2024-01-20 08:00'),
  -- no: confidential, moved to issue 1, a task, by the banned user, in an internal project, an epic of the group
  (38, 7, 1,  101, 138, 'Hidden 38', 1, NULL, NULL, NULL, NULL, true,  1, '2024-01-20 08:00'),
  (39, 8, 1,  101, 139, 'Hidden 39', 2, '2024-02-04 09:00+00', 1, NULL, NULL, false, 1, '2024-01-20 08:00'),
  (40, 9, 1,  101, 140, 'A task',    1, NULL, NULL, NULL, NULL, false, 5, '2024-01-20 08:00'),
  (41, 10, 1, 101, 6,   'Hidden 41', 1, NULL, NULL, NULL, NULL, false, 1, '2024-01-20 08:00'),
  (42, 1, 6,  106, 142, 'Hidden 42', 1, NULL, NULL, NULL, NULL, false, 1, '2024-01-20 08:00'),
  (43, 1, NULL, 10, 143, 'Hidden 43', 1, NULL, NULL, NULL, NULL, false, 8, '2024-01-20 08:00');

INSERT INTO labels (id, title, type, project_id, group_id) VALUES
  (1, 'bug',           'ProjectLabel', 1,    NULL),
  (2, 'type::feature', 'GroupLabel',   NULL, 10),
  (3, 'Wontfix',       'GroupLabel',   NULL, 10),
  (4, 'area::cli',     'GroupLabel',   NULL, 10),
  (5, 'Unused',        'GroupLabel',   NULL, 10);

INSERT INTO label_links (label_id, target_type, target_id) VALUES
  (1, 'Issue', 1), (2, 'Issue', 1), (2, 'Issue', 2), (3, 'Issue', 3), (4, 'Issue', 6),
  (3, 'MergeRequest', 2), -- of something else that is a 2
  (1, 'MergeRequest', 5);

-- Counted votes: 5 on issue 1, 2 on 2, 2 on 6, 1 on 7, 2 on 8: 12.
INSERT INTO award_emoji (name, user_id, awardable_type, awardable_id, created_at) VALUES
  ('thumbsup',   1,   'Issue', 1, '2024-01-20 08:00'),
  ('thumbsup',   2,   'Issue', 1, '2024-01-31 23:59:59'), -- January, by a second
  ('thumbsup',   5,   'Issue', 1, '2024-02-01 00:00:01'), -- February, by a second; by the blocked user
  ('thumbsup',   8,   'Issue', 1, '2024-02-03 08:00'),    -- of two who are gone
  ('thumbsup',   NULL, 'Issue', 1, '2024-02-04 08:00'),
  ('thumbsdown', 202, 'Issue', 1, '2024-02-05 08:00'),    -- no: against it
  ('heart',      1,   'Issue', 1, '2024-02-05 08:00'),    -- no: another emoji
  ('thumbsup',   1,   'Issue', 2, '2024-05-31 00:09'),    -- the last day, by nine minutes
  ('thumbsup',   3,   'Issue', 2, '2024-05-30 23:51'),    -- not the last day, by nine minutes
  ('thumbsup',   2,   'Issue', 6, '2024-03-02 08:00'),
  ('thumbsup',   4,   'Issue', 6, '2024-05-31 12:30'),
  ('thumbsup',   6,   'Issue', 7, '2024-03-03 08:00'),    -- by the banned user: GitLab still counts it
  ('thumbsup',   1,   'Issue', 8, '2024-05-31 14:00'),
  ('thumbsup',   2,   'Issue', 8, '2024-05-31 23:59:59'), -- the last day, by a second
  ('thumbsup',   201, 'MergeRequest', 1, '2024-01-21 08:00'), -- no: on something else that is a 1, two
  ('thumbsup',   2,   'Note',  1, '2024-02-11 08:00');

-- Counted comments: 4 on issue 1, 2 on 2, 1 each on 6 and 8: 8.
INSERT INTO notes (id, noteable_type, noteable_id, author_id, system, internal, confidential, created_at) VALUES
  (1,  'Issue', 1, 2,   false, false, NULL,  '2024-02-10 08:00'),
  (2,  'Issue', 1, 5,   false, false, false, '2024-02-28 23:59:59'), -- by the blocked user; February
  (3,  'Issue', 1, 203, true,  false, NULL,  '2024-02-14 08:00'),    -- no: a system note
  (4,  'Issue', 1, 204, false, true,  NULL,  '2024-02-15 08:00'),    -- no: internal
  (5,  'Issue', 1, 205, false, false, true,  '2024-02-15 08:00'),    -- no: internal, in the older column
  (6,  'Issue', 1, 8,   false, false, NULL,  '2024-03-01 00:00:01'), -- of somebody who is gone; March
  (7,  'Issue', 2, 1,   false, false, NULL,  '2024-05-31 00:05'),    -- the last day, by five minutes
  (8,  'Issue', 2, 2,   false, false, NULL,  '2024-05-30 23:55'),    -- not the last day, by five minutes
  (9,  'Issue', 6, 3,   false, false, NULL,  '2024-03-05 08:00'),
  (10, 'Issue', 8, 3,   false, false, NULL,  '2024-05-31 15:00'),
  (11, 'Issue', 1, 6,   false, false, NULL,  '2024-03-06 08:00'),    -- no: by the banned user
  (12, 'MergeRequest', 1, 206, false, false, NULL, '2024-02-15 08:00'), -- no: on something else that is a 1
  (13, 'Issue', 1, 7,   false, false, NULL,  '2024-04-10 08:00');    -- by the bot

-- Each of 31 to 43 has somebody of its own, who votes and comments there and nowhere else, and the label bug.
INSERT INTO users (id, username, state, created_at)
  SELECT 100 + id, 'only-' || id, 'active', '2024-01-04 10:00' FROM issues WHERE id > 30;
INSERT INTO award_emoji (name, user_id, awardable_type, awardable_id, created_at)
  SELECT 'thumbsup', 100 + id, 'Issue', id, '2024-01-25 08:00' FROM issues WHERE id > 30;
INSERT INTO notes (id, noteable_type, noteable_id, author_id, created_at)
  SELECT 100 + id, 'Issue', id, 100 + id, '2024-01-26 08:00' FROM issues WHERE id > 30;
INSERT INTO label_links (label_id, target_type, target_id) SELECT 1, 'Issue', id FROM issues WHERE id > 30;
