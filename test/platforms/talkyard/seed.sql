-- Three sites in one database. Each row says whether it counts on site 1 (site = 1); dataAsOf is 2024-06-01 00:00 UTC. All
-- times are UTC without saying so.
INSERT INTO sites3 (id, publ_id, name, status) VALUES
  (1, 'abc1234567', 'main', 2),
  (2, 'def1234567', 'other', 3),               -- read-only, which visitors may read
  (3, 'ghi1234567', NULL, 2);                  -- wants a login

INSERT INTO settings3 (site_id, user_must_be_auth, user_must_be_approved, require_verified_email) VALUES
  (1, NULL, false, NULL),                      -- the defaults: no login, addresses must be verified
  (2, NULL, NULL, false),                      -- addresses need not be verified
  (3, true, NULL, true);
INSERT INTO settings3 (site_id, category_id) VALUES (1, 2); -- of a category: these three settings have no value there

-- Ids: from 100 on accounts, 10 to 19 groups of Talkyard, 1 and 2 the system, -3 the unknown user, -10 and lower guests
-- and anonymous users.
INSERT INTO users3 (site_id, user_id, username, is_group, is_owner, is_admin, is_moderator, is_approved, email_verified_at, suspended_till, deactivated_at, deleted_at, created_at) VALUES
  (1, 100, 'ada',    false, NULL, true, NULL, NULL, NULL,               NULL,         NULL,         NULL,         '2024-01-05 10:00'),    -- 1: staff is free of verifying
  (1, 101, 'ben',    false, NULL, NULL, true, NULL, NULL,               NULL,         NULL,         NULL,         '2024-01-31 23:59:30'), -- 2: January in UTC; a moderator
  (1, 102, 'cyd',    false, true, NULL, NULL, NULL, NULL,               NULL,         NULL,         NULL,         '2024-02-01 00:00:20'), -- 3: February in UTC; the owner
  (1, 103, 'dan',    false, NULL, NULL, NULL, NULL, '2024-05-31 12:01', NULL,         NULL,         NULL,         '2024-05-31 12:00'),    -- 4
  (1, 104, 'eve',    false, NULL, NULL, NULL, true, '2024-03-01 00:01', '2024-04-01', NULL,         NULL,         '2024-03-01 00:00:30'), -- 5: March, just; was suspended once
  (1, 105, 'fay',    false, NULL, NULL, NULL, NULL, NULL,               NULL,         NULL,         NULL,         '2024-01-06 10:00'),    -- no: never verified the address
  (1, 106, 'gone',   false, NULL, NULL, NULL, NULL, '2024-01-07 10:00', NULL,         NULL,         '2024-05-01', '2024-01-07 10:00'),    -- no: deleted
  (1, 107, 'off',    false, NULL, NULL, NULL, NULL, '2024-01-08 10:00', NULL,         '2024-05-01', NULL,         '2024-01-08 10:00'),    -- no: deactivated
  (1, 108, 'spam',   false, NULL, NULL, NULL, NULL, '2024-01-09 10:00', '9999-01-01', NULL,         NULL,         '2024-01-09 10:00'),    -- no: suspended
  (1, 109, 'design', true,  NULL, NULL, NULL, NULL, '2024-01-10 10:00', NULL,         NULL,         NULL,         '2024-01-10 10:00'),    -- no: a group
  (1, 110, 'hal',    false, NULL, NULL, NULL, NULL, '2024-03-15 10:00', NULL,         NULL,         NULL,         '2024-03-15 10:00'),    -- 6
  (1, 1,   'system', false, NULL, true, NULL, NULL, NULL,               NULL,         NULL,         NULL,         '2024-01-01 10:00'),    -- no, down to 17: of Talkyard itself
  (1, 2,   'sysbot', false, NULL, true, NULL, NULL, NULL,               NULL,         NULL,         NULL,         '2024-01-01 10:00'),
  (1, 10,  'everyone', true, NULL, NULL, NULL, NULL, NULL,              NULL,         NULL,         NULL,         '2024-01-01 10:00'),
  (1, 17,  'staff',  true,  NULL, NULL, NULL, NULL, NULL,               NULL,         NULL,         NULL,         '2024-01-01 10:00'),
  (1, -3,  NULL,     false, NULL, NULL, NULL, NULL, NULL,               NULL,         NULL,         NULL,         '2024-01-01 10:00'),    -- no: the unknown user
  (1, -11, NULL,     false, NULL, NULL, NULL, NULL, NULL,               NULL,         NULL,         NULL,         '2024-01-11 10:00'),    -- no: a guest
  (1, -12, NULL,     false, NULL, NULL, NULL, NULL, NULL,               NULL,         NULL,         NULL,         '2024-01-12 10:00'),    -- no: an anonymous user
  (2, 10,  'everyone', true, NULL, NULL, NULL, NULL, NULL,              NULL,         NULL,         NULL,         '2024-01-01 10:00'),
  (2, 100, 'ada',    false, NULL, NULL, NULL, NULL, '2024-01-02 11:00', NULL,         NULL,         NULL,         '2024-01-02 10:00'),    -- no: Ada again, other site
  (2, 101, 'kim',    false, NULL, NULL, NULL, NULL, NULL,               NULL,         NULL,         NULL,         '2024-01-03 10:00'),    -- no: the other site
  (3, 10,  'everyone', true, NULL, NULL, NULL, NULL, NULL,              NULL,         NULL,         NULL,         '2024-01-01 10:00'),
  (3, 100, 'lea',    false, NULL, NULL, NULL, NULL, '2024-01-04 11:00', NULL,         NULL,         NULL,         '2024-01-04 10:00');    -- no: the site that wants a login
UPDATE users3 SET true_id_c = 102, anonym_status_c = 65535 WHERE (site_id, user_id) = (1, -12);

-- Category 1 is the root. Those whose types have 15 (Idea) are listed, if they are public.
INSERT INTO categories3 (site_id, id, page_id, parent_id, name, slug, new_topic_types, unlist_category, unlist_topics, deleted_at) VALUES
  (1, 1,  '1', NULL, '(root)',       '__root_cat_1', '15',    false, false, NULL),         -- no: has no permissions, and no pages that somebody sees
  (1, 2,  '1', 1,    'Ideas',        'ideas',        '15',    false, false, NULL),         -- public
  (1, 3,  '1', 1,    'Questions',    'questions',    '10',    false, false, NULL),         -- public; its new pages are questions, so it is not listed
  (1, 4,  '1', 1,    'Staff',        'staff',        '15',    false, false, NULL),         -- no: only the staff sees it
  (1, 5,  '1', 2,    'Mobile',       'mobile',       '12,15', false, false, NULL),         -- public
  (1, 6,  '1', 4,    'Roadmap',      'roadmap',      '15',    false, false, NULL),         -- no: Everyone may see it, but not the one above it
  (1, 7,  '1', 1,    'Hidden',       'hidden',       '15',    true,  false, NULL),         -- no: not listed
  (1, 8,  '1', 1,    'Old',          'old',          '15',    false, false, '2024-04-01'), -- no: deleted
  (1, 9,  '1', 8,    'Below old',    'below-old',    '15',    false, false, NULL),         -- no: below a deleted one
  (1, 10, '1', 7,    'Below hidden', 'below-hidden', '15',    false, false, NULL),         -- no: below one that is not listed
  (1, 11, '1', 1,    'Quiet',        'quiet',        '15',    false, true,  NULL),         -- public: its topics are listed in the category itself
  (1, 12, '1', 3,    'Ideas',        'more-ideas',   '15',    false, false, NULL),         -- public; of the name of another one
  (1, 13, '1', 1,    'Own only',     'own-only',     '15',    false, false, NULL),         -- no: Everyone may create, and see what is their own
  (1, 15, '1', 1,    'Later',        'later',        '15',    false, false, NULL),         -- listed, though it has no idea
  (2, 4,  '1', NULL, '(root)',       '__root_cat_4', NULL,    false, false, NULL),         -- the other site's, whose ids are those of others here
  (2, 2,  '1', 4,    'Ideas',        'ideas',        '15',    false, false, NULL),
  (2, 13, '1', 4,    'Theirs',       'theirs',       '15',    false, false, NULL),
  (2, 8,  '1', 2,    'Elsewhere',    'elsewhere',    '15',    false, false, NULL),
  (3, 1,  '1', NULL, '(root)',       '__root_cat_1', NULL,    false, false, NULL),
  (3, 2,  '1', 1,    'Members',      'members',      '15',    false, false, NULL);

-- 10 is the group Everyone, 17 the staff.
INSERT INTO perms_on_pages3 (site_id, perm_id, for_people_id, on_category_id, may_create_page, may_see, may_see_own) VALUES
  (1, 1,  10, 2,  true, true, true),
  (1, 2,  10, 3,  true, true, true),
  (1, 3,  17, 4,  true, true, true),
  (1, 4,  10, 5,  true, true, true),
  (1, 5,  10, 6,  true, true, true),
  (1, 6,  10, 7,  true, true, true),
  (1, 7,  10, 8,  true, true, true),
  (1, 8,  10, 9,  true, true, true),
  (1, 9,  10, 10, true, true, true),
  (1, 10, 10, 11, true, true, true),
  (1, 11, 10, 12, true, true, true),
  (1, 12, 10, 13, true, NULL, true),
  (1, 13, 17, 13, true, true, true),
  (1, 14, 10, 15, true, true, true),
  (1, 15, 17, 2,  true, true, true),           -- a second one on a public category: nothing counts twice
  (2, 1,  10, 2,  true, true, true),
  (2, 2,  10, 13, true, true, true),
  (2, 3,  10, 8,  true, true, true),
  (3, 1,  10, 2,  true, true, true);

-- page_role: 7 forum, 9 about a category, 10 question, 14 problem, 15 idea, 17 private message.
INSERT INTO pages3 (site_id, page_id, page_role, category_id, author_id, created_at, planned_at, started_at, done_at, closed_at, hidden_at, deleted_at) VALUES
  (1, '1',   7,  1,    1,   '2024-01-01 10:00', NULL, NULL, NULL, NULL, NULL, NULL),
  (1, '100', 9,  2,    2,   '2024-01-01 10:00', NULL, NULL, NULL, NULL, NULL, NULL),
  -- 1: new
  (1, '101', 15, 2,    100, '2024-01-10 08:00', NULL, NULL, NULL, NULL, NULL, NULL),
  -- 2: planned
  (1, '102', 15, 2,    101, '2024-01-11 08:00', '2024-02-01 09:00', NULL, NULL, NULL, NULL, NULL),
  -- 3: started, never planned; by the deleted user
  (1, '103', 15, 5,    106, '2024-01-12 08:00', NULL, '2024-02-02 09:00', NULL, NULL, NULL, NULL),
  -- 4: done, in March by two minutes; by the suspended user
  (1, '104', 15, 2,    108, '2024-01-13 08:00', '2024-02-03 09:00', '2024-02-04 09:00', '2024-03-31 23:58', '2024-03-31 23:58', NULL, NULL),
  -- 5: done without being planned or started, in April by a minute; by a guest
  (1, '105', 15, 12,   -11, '2024-01-14 08:00', NULL, NULL, '2024-04-01 00:01', '2024-04-01 00:01', NULL, NULL),
  -- 6: closed while it was planned and started: declined. February in UTC, March east of it; by an anonymous user
  (1, '106', 15, 11,   -12, '2024-02-28 23:59:50', '2024-03-01 09:00', '2024-03-01 10:00', NULL, '2024-03-02 09:00', NULL, NULL),
  -- 7: by the system, so by nobody; its title waits for approval
  (1, '107', 15, 2,    1,   '2024-02-01 00:00:05', NULL, NULL, NULL, NULL, NULL, NULL),
  -- 8: its original post is flagged and hidden, the page is not
  (1, '108', 15, 2,    104, '2024-02-15 08:00', NULL, NULL, NULL, NULL, NULL, NULL),
  -- 9: the newest
  (1, '109', 15, 5,    103, '2024-05-31 13:00', NULL, NULL, NULL, NULL, NULL, NULL),
  -- 10: done tomorrow, by two minutes: launched, without a date
  (1, '110', 15, 2,    110, '2024-01-18 09:00', NULL, NULL, '2024-06-01 00:02', '2024-06-01 00:02', NULL, NULL),
  (1, '111', 15, 2,    105, '2024-01-20 08:00', NULL, NULL, NULL, NULL, '2024-01-20 09:00', NULL), -- no: hidden, all that is on it was flagged
  (1, '112', 15, 2,    101, '2024-01-21 08:00', NULL, NULL, NULL, NULL, NULL, '2024-01-22 08:00'), -- no: deleted
  (1, '113', 15, 2,    105, '2024-01-22 08:00', NULL, NULL, NULL, NULL, NULL, NULL),               -- no: its original post is not approved
  (1, '114', 15, 2,    105, '2024-01-23 08:00', NULL, NULL, NULL, NULL, NULL, NULL),               -- no: its original post is deleted
  (1, '115', 15, 4,    100, '2024-01-24 08:00', NULL, NULL, NULL, NULL, NULL, NULL),               -- no: the staff's
  (1, '116', 15, 6,    100, '2024-01-25 08:00', NULL, NULL, NULL, NULL, NULL, NULL),               -- no, down to 123: the category
  (1, '117', 15, 7,    100, '2024-01-26 08:00', NULL, NULL, NULL, NULL, NULL, NULL),
  (1, '118', 15, 10,   100, '2024-01-27 08:00', NULL, NULL, NULL, NULL, NULL, NULL),
  (1, '119', 15, 8,    100, '2024-01-28 08:00', NULL, NULL, NULL, NULL, NULL, NULL),
  (1, '120', 15, 9,    100, '2024-01-29 08:00', NULL, NULL, NULL, NULL, NULL, NULL),
  (1, '121', 15, 13,   105, '2024-01-30 08:00', NULL, NULL, NULL, NULL, NULL, NULL),
  (1, '122', 15, 1,    100, '2024-01-31 08:00', NULL, NULL, NULL, NULL, NULL, NULL),
  (1, '123', 15, NULL, 100, '2024-02-01 08:00', NULL, NULL, NULL, NULL, NULL, NULL),
  (1, '124', 10, 2,    110, '2024-02-02 08:00', NULL, NULL, NULL, NULL, NULL, NULL),               -- no: a question
  (1, '125', 17, NULL, 100, '2024-02-03 08:00', NULL, NULL, NULL, NULL, NULL, NULL),               -- no: a private message
  (1, '126', 14, 2,    110, '2024-02-04 08:00', NULL, NULL, '2024-02-05 08:00', '2024-02-05 08:00', NULL, NULL), -- no: a problem
  (1, '127', 15, 2,    103, '2999-06-01 00:01', NULL, NULL, NULL, NULL, NULL, NULL),               -- no: in the future
  (2, '101', 15, 2,    100, '2024-01-20 08:00', NULL, NULL, '2024-02-06 09:00', '2024-02-06 09:00', NULL, NULL), -- no: the other site's
  (2, '102', 15, 13,   101, '2024-01-21 08:00', NULL, NULL, NULL, NULL, NULL, NULL),
  (3, '101', 15, 2,    100, '2024-01-22 08:00', NULL, NULL, NULL, NULL, NULL, NULL);               -- no: of the site that wants a login

-- Titles (post 0) and original posts (post 1). Ids of posts are the page's with the post's number behind it.
INSERT INTO posts3 (site_id, unique_post_id, page_id, post_nr, created_by_id, created_at, approved_at, approved_source)
SELECT p.site_id, (p.page_id || nr)::int, p.page_id, nr, p.author_id, p.created_at, p.created_at,
       CASE WHEN nr = 0 THEN t.title ELSE 'Text of it' END
  FROM (VALUES (1, 101, E'=HYPERLINK("http://x";"y")\nsecond line'), -- a formula and a line break, which stay as they are
               (1, 102, 'Dark mode 🌙'), (1, 103, 'Export'), (1, 104, 'Import'), (1, 105, 'It''s "done"'), (1, 106, 'Rewrite it'),
               (1, 107, 'Not yet'), (1, 108, 'Flagged'), (1, 109, 'Fresh'), (1, 110, 'Just done'), (1, 111, 'Buy pills'),
               (1, 112, 'Deleted'), (1, 113, 'Waiting'), (1, 114, 'Taken back'), (1, 115, 'Hire'), (1, 116, 'Secret plan'),
               (1, 117, 'Not listed'), (1, 118, 'Below'), (1, 119, 'Old'), (1, 120, 'Older'), (1, 121, 'My own'),
               (1, 122, 'In the root'), (1, 123, 'Nowhere'), (1, 124, 'How?'), (1, 125, 'Between us'), (1, 126, 'Broken'),
               (1, 127, 'Later on'), (2, 101, 'Elsewhere'), (2, 102, 'Export'), (3, 101, 'Members only')) AS t (site_id, page, title)
  JOIN pages3 p ON p.site_id = t.site_id AND p.page_id = t.page::text
 CROSS JOIN (VALUES (0), (1)) AS n (nr);
UPDATE posts3 SET approved_at = NULL, approved_source = NULL WHERE site_id = 1 AND unique_post_id IN (1070, 1131);
UPDATE posts3 SET hidden_at = '2024-02-16 08:00' WHERE site_id = 1 AND unique_post_id IN (1081, 1110, 1111);
UPDATE posts3 SET deleted_status = 1 WHERE site_id = 1 AND unique_post_id = 1141;

-- Counted comments: 3 on page 101, 1 on 102, 1 on 103, 1 on 108, 2 on 109: 8.
-- type: NULL and 1 normal, 4 about the progress, 12 wiki, 21 a form that was filled in, 31 a message of the system, 51 a bookmark.
INSERT INTO posts3 (site_id, unique_post_id, page_id, post_nr, parent_nr, type, created_by_id, created_at, approved_at, approved_source, hidden_at, collapsed_status, deleted_status) VALUES
  (1, 1012, '101', 2, 1, 1,     101, '2024-02-10 08:00',    '2024-02-10 08:00', 'Yes',       NULL, 0, 0),
  (1, 1013, '101', 3, 1, 12,    106, '2024-02-11 08:00',    '2024-02-11 08:00', 'From a deleted account', NULL, 0, 0),
  (1, 1014, '101', 4, 2, 4,     100, '2024-02-28 23:59:45', '2024-03-01 08:00', 'Soon',      NULL, 0, 0),              -- February in UTC; approved in March
  (1, 1015, '101', 5, NULL, 31, 1,   '2024-02-12 08:00',    '2024-02-12 08:00', 'Planned',   NULL, 0, 0),              -- no: the system says so
  (1, 1016, '101', 6, 1, 1,     105, '2024-02-13 08:00',    NULL,               NULL,        NULL, 0, 0),              -- no: not approved
  (1, 1017, '101', 7, 1, 1,     103, '2024-05-31 13:10',    '2024-05-31 13:10', 'Oops',      NULL, 0, 1),              -- no: deleted
  (1, 1018, '101', 8, 7, 1,     103, '2024-05-31 13:11',    '2024-05-31 13:11', 'Me too',    NULL, 0, 4),              -- no: the post above it was deleted with its replies
  (1, 1019, '101', 9, 1, 1,     103, '2024-05-31 13:12',    '2024-05-31 13:12', 'Pills',     '2024-05-31 14:00', 0, 0), -- no: flagged and hidden
  (1, 1022, '102', 2, 1, 1,     108, '2024-02-12 08:00',    '2024-02-12 08:00', 'Long',      NULL, 1, 0),              -- collapsed, which is still shown; by the suspended user
  (1, 1032, '103', 2, 1, NULL,  -11, '2024-03-31 23:58:30', '2024-03-31 23:59', 'As a guest', NULL, 0, 0),             -- March in UTC
  (1, 1042, '104', 2, NULL, 21, 110, '2024-03-20 08:00',    '2024-03-20 08:00', 'My answers', NULL, 0, 0),             -- no: a form, for the staff
  (1, 1082, '108', 2, 1, 1,     -12, '2024-05-30 23:54',    '2024-05-30 23:54', 'Anonymously', NULL, 0, 0),            -- not the last day, by six minutes
  (1, 1092, '109', 2, 1, 1,     100, '2024-05-31 00:06',    '2024-05-31 00:06', 'Now',       NULL, 0, 0),              -- the last day, by six minutes
  (1, 1093, '109', 3, 1, 1,     2,   '2024-05-31 13:30',    '2024-05-31 13:30', 'By the API', NULL, 0, 0),             -- by nobody
  (1, 1094, '109', 4, 1, 1,     103, '2999-06-01 00:03',    '2999-06-01 00:03', 'Later on',  NULL, 0, 0),              -- no: in the future
  (1, 1112, '111', 2, 1, 1,     100, '2024-01-20 09:00',    '2024-01-20 09:00', 'Spam',      NULL, 0, 0),              -- on a hidden page
  (1, 1152, '115', 2, 1, 1,     100, '2024-01-24 09:00',    '2024-01-24 09:00', 'Among us',  NULL, 0, 0),              -- on one of the staff
  (1, 1242, '124', 2, 1, 1,     103, '2024-05-31 14:00',    '2024-05-31 14:00', 'So',        NULL, 0, 0),              -- on a question
  (1, 1272, '127', 2, 1, 1,     100, '2999-06-01 00:04',    '2999-06-01 00:04', 'Soon',      NULL, 0, 0),              -- on one of the future
  (2, 1012, '101', 2, 1, 1,     101, '2024-02-16 08:00',    '2024-02-16 08:00', 'Theirs',    NULL, 0, 0),
  (3, 1012, '101', 2, 1, 1,     100, '2024-02-17 08:00',    '2024-02-17 08:00', 'Ours',      NULL, 0, 0);
INSERT INTO posts3 (site_id, unique_post_id, page_id, post_nr, parent_nr, type, created_by_id, created_at, approved_at, approved_source, private_status_c) VALUES
  (1, 9001, '101', -1001, 1, 51, 100, '2024-02-14 08:00', NULL, NULL, NULL),                             -- no: a bookmark
  (1, 9002, '101', -1002, 1, 1,  100, '2024-02-14 08:00', '2024-02-14 08:00', 'Between moderators', 1);   -- no: private

-- Counted votes: 3 on page 101, 2 on 102, 2 on 103, 4 on 104, 1 on 105, 1 on 109: 13.
-- rel_type_c: 31 Do It, 41 Like, 42 Disagree, 43 Bury, 44 Unwanted, 51 flagged as spam.
INSERT INTO post_actions3 (site_id, to_post_id_c, page_id, post_nr, rel_type_c, from_pat_id_c, created_at, deleted_at) VALUES
  (1, 1011, '101', 1, 41, 101, '2024-01-20 08:00', NULL),
  (1, 1011, '101', 1, 41, 102, '2024-01-31 23:59:30', NULL),             -- January in UTC
  (1, 1011, '101', 1, 41, 103, '2024-05-31 00:02', NULL),                -- the last day, by two minutes
  (1, 1011, '101', 1, 41, 110, '2024-03-20 08:00', '2024-03-21 08:00'),  -- no: taken back
  (1, 1011, '101', 1, 42, 105, '2024-01-21 08:00', NULL),                -- no: Disagree
  (1, 1011, '101', 1, 43, 100, '2024-01-21 08:00', NULL),                -- no: Bury
  (1, 1011, '101', 1, 44, 101, '2024-01-21 08:00', NULL),                -- no: Unwanted
  (1, 1011, '101', 1, 51, 103, '2024-05-31 12:30', NULL),                -- no: a flag
  (1, 1011, '101', 1, 31, 102, '2024-02-21 08:00', NULL),                -- no: Do It, which Talkyard does not have yet
  (1, 1012, '101', 2, 41, 100, '2024-02-20 08:00', NULL),                -- no: likes a comment
  (1, 1021, '102', 1, 41, 100, '2024-02-01 00:00:20', NULL),             -- February in UTC
  (1, 1021, '102', 1, 41, 108, '2024-01-23 08:00', NULL),                -- by the suspended user
  (1, 1031, '103', 1, 41, 100, '2024-05-30 23:58', NULL),                -- not the last day, by two minutes
  (1, 1031, '103', 1, 41, 106, '2024-01-24 08:00', NULL),                -- by the deleted user
  (1, 1041, '104', 1, 41, -11, '2024-02-15 08:00', NULL),                -- by a guest
  (1, 1041, '104', 1, 41, -12, '2024-02-16 08:00', NULL),                -- by an anonymous user
  (1, 1041, '104', 1, 41, -3,  '2024-02-17 08:00', NULL),                -- by nobody
  (1, 1041, '104', 1, 41, 1,   '2024-02-18 08:00', NULL),                -- by nobody
  (1, 1051, '105', 1, 41, 104, '2024-03-01 00:00:10', NULL),             -- March, by ten seconds
  (1, 1091, '109', 1, 41, 100, '2024-05-31 14:00', NULL),                -- the last day
  (1, 1091, '109', 1, 41, 104, '2999-06-01 00:01', NULL),                -- no: in the future
  (1, 1111, '111', 1, 41, 100, '2024-01-26 08:00', NULL),                -- on a hidden page
  (1, 1151, '115', 1, 41, 100, '2024-01-27 08:00', NULL),                -- on one of the staff
  (1, 1241, '124', 1, 41, 100, '2024-02-22 08:00', NULL),                -- on a question
  (1, 1271, '127', 1, 41, 100, '2999-06-01 00:05', NULL),                -- on one of the future
  (2, 1011, '101', 1, 41, 101, '2024-01-28 08:00', NULL),                -- the other site's, two
  (2, 1011, '101', 1, 41, 100, '2024-01-29 08:00', NULL),
  (3, 1011, '101', 1, 41, 100, '2024-01-30 08:00', NULL);
