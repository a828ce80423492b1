-- Two sites in one database. Each row says whether it counts on site 1 (tenant = 1); dataAsOf is
-- 2024-06-01 00:00 UTC.
INSERT INTO tenants (id, name, subdomain, status, is_private) VALUES
  (1, 'Acme', 'acme', 1, false),
  (2, 'Other', 'other', 1, false);

INSERT INTO users (id, tenant_id, name, email, role, status, created_at) VALUES
  (1, 1, 'Ada',   'ada@example.org',  3, 1, '2024-01-05 10:00+00'),      -- 1: an administrator is a user like any other
  (2, 1, 'Ben',   'ben@example.org',  1, 1, '2024-01-31 23:30+00'),      -- 2: January in UTC, February east of it
  (3, 1, '',      '',                 1, 2, '2024-01-06 10:00+00'),      -- no: deleted; posts and comments stay
  (4, 1, 'Spam',  'spam@example.org', 1, 3, '2024-02-01 10:00+00'),      -- no: blocked
  (5, 1, 'Cyd',   'cyd@example.org',  1, 1, '2024-05-31 12:00+00'),      -- 3: within the last day
  (6, 1, 'Dan',   NULL,               1, 1, '2024-03-01 10:00+00'),      -- 4
  (7, 2, 'Ada',   'ada@example.org',  1, 1, '2024-01-01 10:00+00'),      -- no: Ada again, on the other site
  (8, 2, 'Eve',   'eve@example.org',  1, 1, '2024-01-02 10:00+00'),      -- no: the other site
  (9, 2, 'Gone',  '',                 1, 2, '2024-01-02 10:00+00');      -- no: neither site counts a deleted one

INSERT INTO posts (id, tenant_id, number, title, slug, user_id, status, original_id, response_date, is_approved, created_at) VALUES
  -- 1: open; a formula and a line break, which stay as they are
  (1, 1, 1, E'=HYPERLINK("http://x";"y")\nsecond line', 'hyperlink', 1, 0, NULL, NULL, true, '2024-01-10 08:00+00'),
  -- 2: started, with the date of that: not launched
  (2, 1, 2, 'Dark mode 🌙', 'dark-mode', 2, 1, NULL, '2024-02-01 09:00+00', true, '2024-01-11 08:00+00'),
  -- 3: completed with its date
  (3, 1, 3, 'Export', 'export', 3, 2, NULL, '2024-03-01 09:00+00', true, '2024-01-12 08:00+00'),
  -- 4: completed without one, as an import leaves it; written by the blocked user, whose posts Fider keeps
  (4, 1, 4, 'Import', 'import', 4, 2, NULL, NULL, true, '2024-01-13 08:00+00'),
  -- 5: declined
  (5, 1, 5, 'Rewrite it', 'rewrite-it', 2, 3, NULL, '2024-02-02 09:00+00', true, '2024-01-14 08:00+00'),
  -- 6: planned
  (6, 1, 6, 'Plan', 'plan', 2, 4, NULL, '2024-02-03 09:00+00', true, '2024-01-15 08:00+00'),
  -- no: merged into 1
  (7, 1, 7, 'Links', 'links', 2, 5, 1, '2024-02-04 09:00+00', true, '2024-01-16 08:00+00'),
  -- no: deleted
  (8, 1, 8, 'Buy pills', 'buy-pills', 4, 6, NULL, '2024-02-05 09:00+00', true, '2024-01-17 08:00+00'),
  -- no: not approved yet
  (9, 1, 9, 'Waiting', 'waiting', 6, 0, NULL, NULL, false, '2024-01-18 08:00+00'),
  -- no: completed, and not approved
  (10, 1, 10, 'Waiting, done', 'waiting-done', 6, 2, NULL, '2024-02-06 09:00+00', false, '2024-01-19 08:00+00'),
  -- 7: the newest, within the last day
  (11, 1, 11, 'Fresh', 'fresh', 5, 0, NULL, NULL, true, '2024-05-31 13:00+00'),
  -- no: the other site's
  (12, 2, 1, 'Elsewhere', 'elsewhere', 7, 2, NULL, '2024-02-06 09:00+00', true, '2024-01-20 08:00+00');

INSERT INTO tags (id, tenant_id, name, slug, is_public) VALUES
  (1, 1, 'UX', 'ux', true),
  (2, 1, 'Data', 'data', true),
  (3, 1, 'Unused', 'unused', true),          -- listed, though no idea has it
  (4, 1, 'Big customer', 'big', false),      -- for the staff only
  (5, 2, 'Theirs', 'theirs', true);

INSERT INTO post_tags (tag_id, post_id, tenant_id) VALUES
  (1, 1, 1), (2, 1, 1),                      -- two categories
  (1, 2, 1),
  (2, 3, 1), (4, 3, 1),                      -- the private one stays out
  (1, 7, 1),                                 -- of a merged post: ignored, 1
  (5, 12, 2);

-- Counted votes: 3 on post 1, 2 on post 2, 3 on post 3, 1 on post 6, 1 on post 11: 10.
INSERT INTO post_votes (user_id, post_id, tenant_id, created_at) VALUES
  (1, 1, 1, '2024-01-20 08:00+00'),
  (2, 1, 1, '2024-01-21 08:00+00'),
  (6, 1, 1, '2024-02-04 09:00+00'),          -- copied here by the merge of 7, dated then
  (1, 2, 1, '2024-01-22 08:00+00'),
  (4, 2, 1, '2024-01-23 08:00+00'),          -- by the blocked user: Fider keeps it
  (1, 3, 1, '2024-01-24 08:00+00'),
  (2, 3, 1, '2024-01-31 23:45+00'),          -- January in UTC
  (5, 3, 1, '2024-05-31 00:10+00'),          -- the last day, by ten minutes
  (1, 6, 1, '2024-05-30 23:50+00'),          -- not the last day, by ten minutes
  (2, 11, 1, '2024-05-31 14:00+00'),         -- the last day
  (6, 7, 1, '2024-01-25 08:00+00'),          -- the vote that the merge copied: counting it would count it twice
  (1, 8, 1, '2024-01-26 08:00+00'),          -- on a deleted post
  (1, 9, 1, '2024-01-27 08:00+00'),          -- on one that waits
  (7, 12, 2, '2024-01-28 08:00+00'),         -- the other site's, two
  (8, 12, 2, '2024-01-29 08:00+00');

-- Counted comments: 2 on post 1, 1 on post 3, 1 on post 11: 4.
INSERT INTO comments (id, tenant_id, content, post_id, user_id, created_at, deleted_at, is_approved) VALUES
  (1, 1, 'Yes', 1, 2, '2024-02-10 08:00+00', NULL, true),
  (2, 1, 'From a deleted account', 1, 3, '2024-02-11 08:00+00', NULL, true),
  (3, 1, 'Deleted', 1, 2, '2024-02-12 08:00+00', '2024-02-13 08:00+00', true),
  (4, 1, 'Waiting', 2, 6, '2024-02-14 08:00+00', NULL, false),
  (5, 1, 'Done', 3, 1, '2024-03-02 08:00+00', NULL, true),
  (6, 1, 'Now', 11, 1, '2024-05-31 15:00+00', NULL, true),
  (7, 1, 'On a merged post', 7, 1, '2024-02-15 08:00+00', NULL, true),   -- ignored with its post
  (8, 2, 'Theirs', 12, 8, '2024-02-16 08:00+00', NULL, true);
