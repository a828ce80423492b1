-- Four sites in one database. Each row says whether it counts on site 1 (tenant = 1, launched = Completed);
-- dataAsOf is 2024-06-01 00:00 UTC. All times are UTC without saying so.
INSERT INTO tenants (id, site_name, subdomain, status) VALUES
  (1, 'Acme', 'default', NULL),              -- older than the column, and shown
  (2, 'Other', 'other', 0),                  -- without a row of settings
  (3, 'Shy', 'shy', 0),                      -- hides its vote counts
  (4, 'Club', 'club', 0);                    -- private

INSERT INTO tenant_settings (id, tenant_id, show_vote_count, is_private) VALUES
  (1, 1, true, false),
  (2, 1, true, false),                       -- a second row, made by two first requests at once: nobody counts twice
  (3, 3, false, false),
  (4, 4, true, true);

-- Roles: 0 user, 1 moderator, 2 admin, 3 owner. Each is an account like any other. Ben is older than the column status.
-- An account that is deleted or blocked leaves its posts, votes and comments behind.
INSERT INTO users (id, tenant_id, email, full_name, role, status, confirmed_at, created_at) VALUES
  (1, 1, 'ada@example.org',  'Ada',  3, 0,    '2024-01-05 10:01', '2024-01-05 10:00'), -- 1
  (2, 1, 'ben@example.org',  'Ben',  0, NULL, '2024-02-01 10:00', '2024-01-31 23:59:30'), -- 2: January in UTC
  (3, 1, 'x3@deleted.com',   'Gone', 0, 2,    '2024-01-06 10:00', '2024-01-06 10:00'), -- no: deleted
  (4, 1, 'spam@example.org', 'Spam', 0, 1,    '2024-01-07 10:00', '2024-01-07 10:00'), -- no: blocked
  (5, 1, 'cyd@example.org',  'Cyd',  1, 0,    '2024-05-31 00:05', '2024-05-31 00:04'), -- 3
  (6, 1, 'dan@example.org',  'Dan',  2, 0,    '2024-03-01 00:01', '2024-03-01 00:00:30'), -- 4: March, just
  (7, 1, 'new@example.org',  'New',  NULL, 0, NULL,               '2024-02-02 10:00'), -- no: never confirmed
  (8, 2, 'ada@example.org',  'Ada',  3, 0,    '2024-01-01 10:00', '2024-01-01 10:00'), -- no: Ada again, other site
  (9, 2, 'fay@example.org',  'Fay',  0, NULL, '2024-01-02 10:00', '2024-01-02 10:00'), -- no: the other site
  (10, 2, 'x10@deleted.com', 'Gone', 0, 2,    '2024-01-02 10:00', '2024-01-02 10:00'), -- no: on neither site
  (11, 3, 'gus@example.org', 'Gus',  3, 0,    '2024-01-03 10:00', '2024-01-03 10:00'), -- no: the shy site
  (12, 4, 'hal@example.org', 'Hal',  3, 0,    '2024-01-04 10:00', '2024-01-04 10:00'); -- no: the private site

INSERT INTO boards (id, tenant_id, name, "order", slug) VALUES
  (1, 1, 'Feature Requests', 0, 'feature-requests'),
  (2, 1, 'Bug Reports', 1, 'bug-reports'),
  (3, 1, 'Unused', 2, NULL),                 -- listed, though it has no idea
  (4, 2, 'Feature Requests', 0, 'feature-requests'),
  (5, 2, 'Theirs', 1, 'theirs'),
  (6, 3, 'Quiet', 0, 'quiet'),
  (7, 4, 'Members', 0, 'members');

INSERT INTO post_statuses (id, tenant_id, name, color, "order", show_in_roadmap) VALUES
  (1, 1, 'Planned', '#0096ff', 0, true),
  (2, 1, 'In Progress', '#9437ff', 1, true),
  (3, 1, 'Completed', '#6ac47c', 2, true),
  (4, 1, 'Rejected', '#ff2600', 3, false),
  (5, 1, 'Shipped ', '#00ff00', 4, true),    -- a blank that nobody sees, so that nobody would type it
  (6, 2, 'COMPLETED', '#6ac47c', 0, true),
  (7, 2, 'Erledigt', '#00ff00', 1, true),
  (8, 3, 'Completed', '#6ac47c', 0, true),
  (9, 4, 'Completed', '#6ac47c', 0, true);

INSERT INTO posts (id, tenant_id, board_id, user_id, post_status_id, approval_status, slug, title, created_at) VALUES
  -- 1: without a status; a formula and a line break, which stay as they are
  (1, 1, 1, 1, NULL, 0, 'hyperlink', E'=HYPERLINK("http://x";"y")\nsecond line', '2024-01-10 08:00'),
  -- 2: in progress, with the date of that: not launched
  (2, 1, 1, 2, 2, 0, 'dark-mode', 'Dark mode 🌙', '2024-01-11 08:00'),
  -- 3: completed, in March by two minutes; by the deleted user; older than slugs
  (3, 1, 2, 3, 3, 0, NULL, 'Export', '2024-01-12 08:00'),
  -- 4: planned by hand, completed by an import: no date; by the blocked user
  (4, 1, 2, 4, 3, 0, 'import', 'Import', '2024-01-13 08:00'),
  -- 5: completed, reset and completed again: the second time counts; anonymous
  (5, 1, 1, NULL, 3, 0, 'twice', 'It''s "done"', '2024-01-14 08:00'),
  -- 6: completed, then planned again: not launched; February in UTC, March east of it
  (6, 1, 1, 2, 1, 0, 'plan', 'Plan', '2024-02-28 23:59:50'),
  -- 7: shipped, after it was completed: not launched as long as nobody names that status
  (7, 1, 2, 1, 5, 0, 'shipped', 'Ship', '2024-01-16 08:00'),
  -- 8: its status is called Rejected, and everybody sees it
  (8, 1, 1, 2, 4, 0, 'rewrite-it', 'Rewrite it', '2024-01-17 08:00'),
  -- no: waits for approval; anonymous
  (9, 1, 1, NULL, NULL, 1, 'waiting', 'Waiting', '2024-01-18 08:00'),
  -- no: completed, and rejected by the moderators
  (10, 1, 2, 4, 3, 2, 'pills', 'Buy pills', '2024-01-19 08:00'),
  -- 9: the newest, of the last day by five minutes
  (11, 1, 1, 5, NULL, 0, 'fresh', 'Fresh', '2024-05-31 00:05'),
  -- 10: completed tomorrow, by two minutes: launched, without a date
  (12, 1, 2, 6, 3, 0, 'just-done', 'Just done', '2024-01-18 09:00'),
  -- no: the other site's, the shy one's, the private one's
  (20, 2, 4, 8, 6, 0, 'elsewhere', 'Elsewhere', '2024-01-20 08:00'),
  (21, 2, 5, NULL, 7, 0, 'export', 'Export', '2024-01-21 08:00'),
  (30, 3, 6, 11, 8, 0, 'quiet', 'Quiet', '2024-01-22 08:00'),
  (40, 4, 7, 12, 9, 0, 'members', 'Members only', '2024-01-23 08:00');

INSERT INTO post_status_changes (tenant_id, user_id, post_id, post_status_id, created_at) VALUES
  (1, 1, 2, 2, '2024-02-01 09:00'),
  (1, 1, 3, 1, '2024-02-02 09:00'),          -- planned first
  (1, 1, 3, 3, '2024-03-31 23:58'),
  (1, 1, 4, 1, '2024-02-01 09:00'),          -- to another status than the present one
  (1, 1, 5, 3, '2024-02-01 09:00'),
  (1, 1, 5, NULL, '2024-02-05 09:00'),       -- reset
  (1, 1, 5, 3, '2024-02-10 09:00'),
  (1, 1, 6, 3, '2024-03-02 09:00'),
  (1, 1, 6, 1, '2024-03-03 09:00'),
  (1, 1, 7, 3, '2024-03-04 09:00'),
  (1, 1, 7, 5, '2024-03-05 09:00'),
  (1, 1, 8, 4, '2024-02-06 09:00'),
  (1, 1, 10, 3, '2024-02-07 09:00'),
  (1, 1, 12, 3, '2024-06-01 00:02'),
  (2, 8, 20, 6, '2024-02-06 09:00'),
  (3, 11, 30, 8, '2024-02-07 09:00'),
  (4, 12, 40, 9, '2024-02-08 09:00');

-- Counted votes: 3 on post 1, 2 on post 2, 2 on post 3, 1 on post 5, 1 on post 6, 1 on post 11: 10.
INSERT INTO likes (tenant_id, user_id, post_id, created_at) VALUES
  (1, 1, 1, '2024-01-20 08:00'),
  (1, 2, 1, '2024-01-31 23:59:30'),          -- January in UTC
  (1, 6, 1, '2024-05-31 00:02'),             -- the last day, by two minutes
  (1, 1, 2, '2024-02-01 00:00:20'),          -- February in UTC
  (1, 4, 2, '2024-01-23 08:00'),             -- by the blocked user: Astuto keeps it
  (1, 1, 3, '2024-05-30 23:58'),             -- not the last day, by two minutes
  (1, 3, 3, '2024-01-24 08:00'),             -- by the deleted user: Astuto keeps it
  (1, 7, 5, '2024-02-15 08:00'),             -- by the one who never confirmed: Astuto counts it
  (1, 2, 6, '2024-03-01 00:00:10'),          -- March, by ten seconds
  (1, 1, 11, '2024-05-31 14:00'),            -- the last day
  (1, 1, 9, '2024-01-26 08:00'),             -- on one that waits
  (1, 2, 10, '2024-01-27 08:00'),            -- on a rejected one
  (2, 8, 20, '2024-01-28 08:00'),            -- the other site's, two
  (2, 9, 20, '2024-01-29 08:00'),
  (3, 11, 30, '2024-01-30 08:00'),           -- the shy site's
  (4, 12, 40, '2024-01-30 08:00');           -- the private site's

-- Counted comments: 3 on post 1, 1 on post 2, 1 on post 3, 1 on post 8, 1 on post 11: 7.
INSERT INTO comments (id, tenant_id, user_id, post_id, parent_id, body, is_post_update, created_at) VALUES
  (1, 1, 2, 1, NULL, 'Yes', false, '2024-02-10 08:00'),
  (2, 1, 3, 1, NULL, 'From a deleted account', false, '2024-02-11 08:00'),
  (3, 1, 1, 1, 1, 'A reply', false, '2024-02-28 23:59:45'),              -- February in UTC
  (4, 1, 1, 3, NULL, 'Done!', true, '2024-03-31 23:58:30'),              -- a post update; March in UTC
  (5, 1, 4, 2, NULL, NULL, false, '2024-02-12 08:00'),                   -- by the blocked user, who is still shown
  (6, 1, 1, 11, NULL, 'Now', false, '2024-05-31 00:06'),                 -- the last day, by six minutes
  (7, 1, 2, 8, NULL, 'Then not', false, '2024-05-30 23:54'),             -- not the last day, by six minutes
  (8, 1, 1, 9, NULL, 'Approve?', false, '2024-02-13 08:00'),             -- on one that waits
  (9, 1, 1, 10, NULL, 'No', false, '2024-02-14 08:00'),                  -- on a rejected one
  (10, 2, 9, 20, NULL, 'Theirs', false, '2024-02-16 08:00'),
  (11, 3, 11, 30, NULL, 'Quietly', false, '2024-02-17 08:00'),
  (12, 4, 12, 40, NULL, 'Among us', false, '2024-02-18 08:00');
