-- One forum. Each row says whether it counts; dataAsOf is 2024-06-01 00:00 UTC, but for
-- suspensions, which Discourse and the mapping hold against the clock. Times are UTC without a zone. What is too late
-- is so by a thousand years: the program, too, is run on these rows, by the clock.
INSERT INTO site_settings (name, data_type, value) VALUES
  ('title', 1, 'Acme forum'),
  ('login_required', 5, 'f'),
  ('topic_voting_enabled', 5, 't'),
  ('must_approve_users', 5, 't'),            -- who is not approved does not count
  ('github_client_secret', 1, 'f00');        -- what the role should rather not read

INSERT INTO users (id, username, active, approved, created_at) VALUES
  (-2, 'discobot', true, true, '2023-12-01 10:00'),            -- no: a bot
  (-1, 'system',   true, true, '2023-12-01 10:00'),            -- no: the system
  (1,  'ada',      true, true, '2024-01-05 10:00'),            -- 1
  (2,  'ben',      true, true, '2024-01-31 23:59:50'),         -- 2: January in UTC, February east of it
  (3,  'cyd',      true, true, '2024-02-01 00:00:10'),         -- 3: February in UTC, January west of it
  (4,  'dan',      true, true, '2024-03-01 10:00'),            -- 4: suspended once, which is over
  (5,  'eve',      true, true, '2024-01-06 10:00'),            -- no: suspended, for another hour
  (6,  'fay',      true, true, '2024-04-30 23:59:30'),         -- 5: suspended until an hour ago
  (7,  'gil',      true, true, '2024-01-07 10:00'),            -- no: silenced, for another hour
  (8,  'hal',      true, true, '2024-05-01 00:00:30'),         -- 6: silenced until an hour ago
  (9,  'ida',      false, true, '2024-01-08 10:00'),           -- no: has not confirmed the address
  (10, 'jon',      true, true, '2024-01-09 10:00'),            -- no: staged, though an administrator made it active
  (11, 'anon11',   true, true, '2024-01-10 10:00'),            -- no: Ada's anonymous account
  (12, 'kim',      true, false, '2024-01-11 10:00'),           -- no: waits for approval
  (13, 'lea',      true, true, '2024-05-31 12:00'),            -- 7
  (14, 'max',      true, true, '2024-01-12 10:00'),            -- no: suspended for good
  (15, 'new',      true, true, '3026-06-01 00:00:10');         -- no: ignored, in the future

UPDATE users SET suspended_till = '2024-04-01 10:00' WHERE id = 4;
UPDATE users SET suspended_till = now() AT TIME ZONE 'UTC' + interval '1 day' WHERE id = 5;
UPDATE users SET suspended_till = now() AT TIME ZONE 'UTC' - interval '1 hour' WHERE id = 6;
UPDATE users SET silenced_till = now() AT TIME ZONE 'UTC' + interval '1 day' WHERE id = 7;
UPDATE users SET silenced_till = now() AT TIME ZONE 'UTC' - interval '1 hour' WHERE id = 8;
UPDATE users SET staged = true WHERE id = 10;
UPDATE users SET suspended_till = '3026-01-12 10:00' WHERE id = 14;
INSERT INTO anonymous_users (user_id, master_user_id, active) VALUES (11, 1, true);
INSERT INTO user_emails (user_id, email) VALUES (1, 'ada@example.org');

INSERT INTO categories (id, name, slug, topic_id, parent_category_id, read_restricted) VALUES
  (1, 'Uncategorized', 'uncategorized', NULL, NULL, false),          -- its ideas count, its name is no category
  (2, 'Feature requests', 'feature-requests', 100, NULL, false),
  (3, 'Mobile', 'mobile', 101, 2, false),
  (4, 'Staff ideas', 'staff-ideas', NULL, NULL, true),               -- not open to everyone
  (5, 'Lounge', 'lounge', NULL, NULL, false),                        -- no voting
  (6, 'Web', 'web', NULL, 4, false),                                 -- open, as Discourse looks at this row only
  (7, 'Empty', 'empty', NULL, NULL, false),                          -- listed, though no idea is in it
  (8, 'Mobile', 'mobile', NULL, 5, false);                           -- the same name again: one category
INSERT INTO topic_voting_category_settings (category_id) VALUES (1), (2), (3), (4), (6), (7), (8), (NULL);

INSERT INTO topics (id, title, slug, user_id, category_id, archetype, created_at) VALUES
  -- no: what the categories are about
  (100, 'About the Feature requests category', 'about-features', -1, 2, 'regular', '2023-12-01 10:00'),
  (101, 'About the Mobile category', 'about-mobile', -1, 3, 'regular', '2023-12-01 10:00'),
  -- 1: a formula and a line break, which stay as they are
  (201, E'=HYPERLINK("http://x";"y")\nsecond line', 'hyperlink', 1, 2, 'regular', '2024-01-10 08:00'),
  -- 2: closed, without a tag: not launched
  (202, '"Dark" mode 🌙', 'dark-mode', 2, 3, 'regular', '2024-01-31 23:59:50'),
  -- 3: launched, by two tags: the first of them has the date
  (203, 'Export', 'export', 5, 2, 'regular', '2024-02-01 00:00:10'),
  -- 4: launched, by the tag that "shipped" is a synonym of; the author's account is gone
  (204, 'Import', 'import', NULL, 8, 'regular', '2024-02-10 08:00'),
  -- 5: has a tag that would mean launched, which visitors do not see
  (205, 'Plug-ins', 'plug-ins', 3, 2, 'regular', '2024-02-15 08:00'),
  -- 6: launched, by a tag that one group hides and another one shows; archived; by the system; without a slug
  (206, 'Imported from mail', NULL, -1, 2, 'regular', '2024-03-10 08:00'),
  -- 7: archived; planned; by Ada under her anonymous account; an empty slug
  (207, 'Plan', '', 11, 6, 'regular', '2024-04-30 23:59:30'),
  -- 8: launched in the future: undated
  (208, 'Soon', 'soon', 2, 1, 'regular', '2024-05-01 00:00:30'),
  -- 9: the newest; was tagged as completed and is no longer, which leaves no row
  (209, 'Fresh', 'fresh', 13, 2, 'regular', '2024-05-31 13:00'),
  (220, 'Unlisted', 'unlisted', 1, 2, 'regular', '2024-01-13 08:00'),            -- no: unlisted
  (221, 'Buy pills', 'buy-pills', 4, 2, 'regular', '2024-01-14 08:00'),          -- no: deleted
  (222, 'For the staff', 'for-the-staff', 1, 4, 'regular', '2024-01-15 08:00'),  -- no: its category is not for everyone
  (223, 'Just talk', 'just-talk', 2, 5, 'regular', '2024-01-16 08:00'),          -- no: its category has no voting
  (224, 'Hello Ben', 'hello-ben', 1, NULL, 'private_message', '2024-01-17 08:00'), -- no: a private message
  (225, 'Read this', 'read-this', 1, 2, 'banner', '2024-01-18 08:00'),           -- no: made the banner of the site
  (226, 'Draft', 'draft', 1, 2, 'regular', '2024-01-19 08:00'),                  -- no: a draft that the staff shares
  (227, 'Never mind', 'never-mind', 4, 2, 'regular', '2024-01-20 08:00'),        -- no: taken back by its author
  (228, 'Too late', 'too-late', 2, 2, 'regular', '3026-06-01 00:00:05'),         -- no: ignored, in the future
  (229, 'Nowhere', 'nowhere', 2, NULL, 'regular', '2024-01-21 08:00');           -- no: without a category

UPDATE topics SET closed = true WHERE id IN (202, 203, 227);
UPDATE topics SET archived = true WHERE id IN (206, 207);
UPDATE topics SET slow_mode_seconds = 3600 WHERE id = 201;   -- visible as before
UPDATE topics SET visible = false WHERE id = 220;
UPDATE topics SET deleted_at = '2024-01-14 09:00' WHERE id = 221;
INSERT INTO shared_drafts (topic_id, category_id) VALUES (226, 3);

INSERT INTO tags (id, name, target_tag_id) VALUES
  (1, 'Completed', NULL),                    -- written in another way than the parameter; in group 1
  (2, 'done', NULL),                         -- not named by the parameter, but a synonym of it is
  (3, 'shipped', 2),                         -- topics bear 2 instead
  (4, 'released', NULL),                     -- in group 2: hidden
  (5, 'planned', NULL),
  (6, 'implemented', NULL),                  -- in group 3
  (7, 'launched', NULL);                     -- in groups 1 and 2: shown
-- Group 1 is shown to everyone (0) and used by the staff (3); group 2 is for the staff; group 3 has no permissions.
INSERT INTO tag_group_permissions (tag_group_id, group_id, permission_type) VALUES (1, 0, 3), (1, 3, 1), (2, 3, 1);
INSERT INTO tag_group_memberships (tag_id, tag_group_id) VALUES (1, 1), (4, 2), (6, 3), (7, 1), (7, 2);

INSERT INTO topic_tags (topic_id, tag_id, created_at) VALUES
  (203, 1, '2024-03-01 09:00'),              -- launched here,
  (203, 6, '2024-03-05 09:00'),              -- not again
  (204, 2, '2024-02-28 23:59:50'),           -- February in UTC
  (205, 4, '2024-03-02 09:00'),              -- hidden
  (206, 7, '2024-05-31 23:55'),              -- five minutes before the instant
  (207, 5, '2024-05-31 23:59:50'),
  (208, 1, '3026-06-01 00:10'),              -- in the future
  (220, 1, '2024-03-03 09:00'),              -- on topics that do not count
  (221, 1, '2024-01-14 08:30'),
  (222, 1, '2024-03-03 09:00'),
  (223, 1, '2024-03-03 09:00');

-- Counted votes: 4 on 201, 2 on 202, 3 on 203, 2 on 204, 1 on 206, 1 on 208, 2 on 209: 15.
INSERT INTO topic_voting_votes (topic_id, user_id, archive, created_at) VALUES
  (201, 1, false, '2024-01-20 08:00'),
  (201, 2, false, '2024-01-31 23:59:50'),    -- January in UTC
  (201, 3, false, '2024-02-01 00:00:10'),    -- February in UTC
  (201, 5, false, '2024-02-03 08:00'),       -- by somebody suspended: Discourse keeps it
  (202, 1, true, '2024-02-02 08:00'),        -- given back when the topic closed: counts all the same
  (202, 4, true, '2024-02-04 08:00'),
  (203, 1, true, '2024-02-05 08:00'),
  (203, 13, true, '2024-05-31 00:05'),       -- the last day, by five minutes
  (203, 2, true, '2024-05-30 23:55'),        -- not the last day, by five minutes
  (204, NULL, false, '2024-02-12 08:00'),    -- by nobody, twice: two votes, no voter
  (204, NULL, false, '2024-02-13 08:00'),
  (206, 11, true, '2024-03-12 08:00'),       -- by Ada's anonymous account
  (208, 6, false, '2024-05-02 08:00'),
  (209, 2, false, '2024-05-31 14:00'),
  (209, 1, false, '2024-05-31 23:59:50'),    -- ten seconds before the instant
  (209, 8, false, '3026-06-01 00:00:10'),    -- in the future: ignored
  (220, 1, false, '2024-01-22 08:00'),       -- on topics that do not count: ignored, six
  (221, 1, true, '2024-01-14 08:10'),
  (222, 1, false, '2024-01-22 08:00'),
  (223, 2, true, '2024-01-22 08:00'),
  (226, 1, false, '2024-01-22 08:00'),
  (227, 3, true, '2024-01-22 08:00'),
  (228, 2, false, '3026-06-01 00:00:20'),    -- ignored with its topic
  (NULL, 9, false, '2024-01-23 08:00');      -- on no topic at all: not even read

-- The first post of a topic is the idea itself.
INSERT INTO posts (topic_id, post_number, user_id, user_deleted, created_at)
SELECT id, 1, user_id, id = 227, created_at FROM topics;

-- Counted comments: 6 on 201, 2 on 203, 1 on 208, 1 on 209: 10.
INSERT INTO posts (topic_id, post_number, user_id, post_type, action_code, created_at) VALUES
  (201, 2, 2, 1, NULL, '2024-02-10 08:00'),              -- 1
  (201, 3, 5, 1, NULL, '2024-02-28 23:59:50'),           -- 2: February in UTC; by somebody suspended
  (201, 4, 1, 1, NULL, '2024-03-01 00:00:10'),           -- 3: March in UTC
  (201, 5, 2, 1, NULL, '2024-03-02 08:00'),              -- no: deleted
  (201, 6, 14, 1, NULL, '2024-03-03 08:00'),             -- no: hidden
  (201, 7, 6, 1, NULL, '2024-03-04 08:00'),              -- no: taken back
  (201, 8, 4, 4, NULL, '2024-03-05 08:00'),              -- no: a whisper
  (201, 9, 4, 3, 'closed.enabled', '2024-03-05 08:01'),  -- no: what happened, not what somebody said
  (201, 10, 1, 2, NULL, '2024-03-05 08:02'),             -- 4: a reply in the colour of the staff
  (201, 11, 3, 2, 'split_topic', '2024-03-05 08:03'),    -- no: a notice
  (201, 12, NULL, 1, NULL, '2024-03-06 08:00'),          -- 5: by an account that is gone
  (201, 13, -2, 1, NULL, '2024-03-07 08:00'),            -- 6: by a bot, who is nobody
  (203, 2, 3, 1, NULL, '2024-05-31 00:05'),              -- 1: the last day, by five minutes
  (203, 3, 4, 1, NULL, '2024-05-30 23:55'),              -- 2: not the last day, by five minutes
  (208, 2, 8, 1, NULL, '2024-05-31 20:00'),              -- 1
  (209, 2, 2, 1, NULL, '2024-05-31 14:00'),              -- no: taken back, which does not take back the idea
  (209, 3, 1, 1, NULL, '2024-05-31 23:59:50'),           -- 1
  (209, 4, 2, 1, NULL, '3026-06-01 00:00:10'),           -- no: ignored, in the future
  (220, 2, 2, 1, NULL, '2024-01-24 08:00'),              -- on topics that do not count: ignored, four
  (221, 2, 2, 1, NULL, '2024-01-14 08:20'),
  (222, 2, 2, 1, NULL, '2024-01-24 08:00'),
  (227, 2, 2, 1, NULL, '2024-01-24 08:00'),
  (223, 2, 1, 1, NULL, '2024-01-24 08:00'),              -- elsewhere in the forum: not even read
  (224, 2, 2, 1, NULL, '2024-01-24 08:00'),
  (228, 2, 1, 1, NULL, '3026-06-01 00:01');              -- ignored with its topic

UPDATE posts SET deleted_at = '2024-03-02 09:00' WHERE (topic_id, post_number) = (201, 5);
UPDATE posts SET hidden = true WHERE (topic_id, post_number) = (201, 6);
UPDATE posts SET user_deleted = true WHERE (topic_id, post_number) IN ((201, 7), (209, 2));
