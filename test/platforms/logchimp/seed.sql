-- One site. Each row says whether it counts; dataAsOf is 2024-06-01 00:00 UTC.
-- Ids are uuids; psql puts those of people, boards, columns and posts in place of these names.
\set ada         aaaaaaaa-0000-4000-8000-000000000001
\set ben         aaaaaaaa-0000-4000-8000-000000000002
\set cyd         aaaaaaaa-0000-4000-8000-000000000003
\set spam        aaaaaaaa-0000-4000-8000-000000000004
\set dan         aaaaaaaa-0000-4000-8000-000000000005
\set eve         aaaaaaaa-0000-4000-8000-000000000006
\set bot         aaaaaaaa-0000-4000-8000-000000000007
\set mobile      bbbbbbbb-0000-4000-8000-000000000001
\set web         bbbbbbbb-0000-4000-8000-000000000002
\set internal    bbbbbbbb-0000-4000-8000-000000000003
\set limbo       bbbbbbbb-0000-4000-8000-000000000004
\set unused      bbbbbbbb-0000-4000-8000-000000000005
\set mobile_2    bbbbbbbb-0000-4000-8000-000000000006
\set web_2       bbbbbbbb-0000-4000-8000-000000000007
\set planned     cccccccc-0000-4000-8000-000000000001
\set released    cccccccc-0000-4000-8000-000000000002
\set in_progress cccccccc-0000-4000-8000-000000000003
\set secret_bet  cccccccc-0000-4000-8000-000000000004
\set released_2  cccccccc-0000-4000-8000-000000000005
\set completed   cccccccc-0000-4000-8000-000000000006
\set shipped     cccccccc-0000-4000-8000-000000000007
\set post_1      dddddddd-0000-4000-8000-000000000001
\set post_2      dddddddd-0000-4000-8000-000000000002
\set post_3      dddddddd-0000-4000-8000-000000000003
\set post_4      dddddddd-0000-4000-8000-000000000004
\set post_5      dddddddd-0000-4000-8000-000000000005
\set post_6      dddddddd-0000-4000-8000-000000000006
\set post_7      dddddddd-0000-4000-8000-000000000007
\set post_8      dddddddd-0000-4000-8000-000000000008
\set post_9      dddddddd-0000-4000-8000-000000000009
\set post_10     dddddddd-0000-4000-8000-000000000010
\set post_11     dddddddd-0000-4000-8000-000000000011

INSERT INTO users ("userId", name, email, password, username, "isVerified", "isOwner", "isBlocked", "createdAt") VALUES
  -- 1: the owner is a user like any other
  (:'ada',  'Ada',  'ada@example.org',  'x',  'ada',  true,  true,  false, '2024-01-05 10:00+00'),
  -- 2: ten seconds before February in UTC
  (:'ben',  'Ben',  'ben@example.org',  'x',  'ben',  true,  false, false, '2024-01-31 23:59:50+00'),
  -- 3: ten seconds later it is February; blocked is NULL, which is not blocked
  (:'cyd',  'Cyd',  'cyd@example.org',  'x',  'cyd',  true,  false, NULL,  '2024-02-01 00:00:10+00'),
  -- no: blocked; its post, votes and comments stay
  (:'spam', 'Spam', 'spam@example.org', 'x',  'spam', true,  false, true,  '2024-02-01 10:00+00'),
  -- 4: has not confirmed the e-mail address, on which LogChimp does not insist; signs in elsewhere, without a password
  (:'dan',  'Dan',  'dan@example.org',  NULL, 'dan',  false, false, false, '2024-05-31 12:00+00'),
  -- 5: no name; neither verified nor owner is known
  (:'eve',  NULL,   'eve@example.org',  'x',  'eve',  NULL,  NULL,  false, '2024-03-01 10:00+00'),
  -- no: blocked, and active only where nobody looks
  (:'bot',  'Bot',  'bot@example.org',  'x',  'bot',  false, false, true,  '2024-02-02 10:00+00');

INSERT INTO boards ("boardId", name, url, color, display, view_voters) VALUES
  (:'mobile',   'Mobile',   'mobile',   '4a90e2', true,  true),
  (:'web',      'Web',      'web',      '4a90e2', true,  false),  -- hides who voted, not how many
  (:'internal', 'Internal', 'internal', '4a90e2', false, true),   -- hidden
  (:'limbo',    'Limbo',    'limbo',    '4a90e2', NULL,  true),   -- hidden: never displayed
  (:'unused',   'Unused',   'unused',   '4a90e2', true,  true),   -- listed, though no idea is on it
  (:'mobile_2', 'Mobile',   'mobile-2', '4a90e2', false, true),   -- hidden, called as one that is not
  (:'web_2',    ' Web ',    'web-2',    '4a90e2', true,  true);   -- another board, the same category

INSERT INTO roadmaps (id, name, url, index, color, display) VALUES
  (:'planned',     'Planned',     'planned',     1, '4a90e2', true),
  (:'released',    'Released',    'released',    2, '4a90e2', true),
  (:'in_progress', 'In progress', 'in-progress', 3, '4a90e2', true),
  (:'secret_bet',  'Secret bet',  'secret-bet',  4, '4a90e2', false),  -- not on the roadmap; a post shows the name all the same
  (:'released_2',  'Released',    'released-2',  5, '4a90e2', false),  -- the same, called as one that is on it
  (:'completed',   'Completed',   'completed',   6, '4a90e2', NULL),   -- the same: never displayed
  (:'shipped',     'SHIPPED ',    'shipped',     7, '4a90e2', true);   -- LogChimp does not trim the names of columns

INSERT INTO posts ("postId", title, slug, "slugId", "userId", "boardId", roadmap_id, "createdAt") VALUES
  -- 1: in no column; a formula and a line break, which stay as they are
  (:'post_1', E'=HYPERLINK("http://x";"y")\nsecond line', 'hyperlink-x1', 'x1', :'ada', :'mobile', NULL, '2024-01-10 08:00+00'),
  -- 2: planned
  (:'post_2', 'Dark mode 🌙', 'dark-mode-x2', 'x2', :'ben', :'web', :'planned', '2024-01-11 08:00+00'),
  -- 3: launched
  (:'post_3', 'Export', 'export-x3', 'x3', :'cyd', :'web', :'released', '2024-01-12 08:00+00'),
  -- 4: launched; on no board, hence public; by a blocked user, whose posts LogChimp keeps
  (:'post_4', 'It''s "quoted"', 'its-quoted-x4', 'x4', :'spam', NULL, :'shipped', '2024-01-13 08:00+00'),
  -- 5: launched, in a column that is not on the roadmap: LogChimp tells everybody its name with the post
  (:'post_5', 'Quiet release', 'quiet-release-x5', 'x5', :'ben', :'mobile', :'released_2', '2024-01-14 08:00+00'),
  -- 6: the same, in one that never was; five seconds before February in UTC
  (:'post_6', 'Finished?', 'finished-x6', 'x6', :'ada', :'web_2', :'completed', '2024-01-31 23:59:55+00'),
  -- 7: ten seconds later
  (:'post_7', 'New month', 'new-month-x7', 'x7', :'eve', NULL, :'in_progress', '2024-02-01 00:00:05+00'),
  -- no: a hidden board; launched
  (:'post_8', 'Staff only', 'staff-only-x8', 'x8', :'ada', :'internal', :'released', '2024-01-15 08:00+00'),
  -- no: a board that was never displayed
  (:'post_9', 'In limbo', 'in-limbo-x9', 'x9', :'ben', :'limbo', NULL, '2024-01-16 08:00+00'),
  -- no: the hidden one of two boards that are called Mobile
  (:'post_10', 'Hidden twin', 'hidden-twin-x10', 'x10', :'dan', :'mobile_2', :'planned', '2024-05-31 09:00+00'),
  -- 8: the newest, within the last day; in a column that is not on the roadmap, which is its status
  (:'post_11', 'Fresh', 'fresh-x11', 'x11', :'dan', NULL, :'secret_bet', '2024-05-31 13:00+00');

-- Counted votes: 3 on post 1, 2 on post 2, 3 on post 3, 1 on post 4, 1 on post 5, 1 on post 7, 2 on post 11: 13.
INSERT INTO votes ("voteId", "userId", "postId", "createdAt") VALUES
  (md5('v1')::uuid,  :'ada',  :'post_1',  '2024-01-10 08:00+00'),     -- LogChimp votes for the author
  (md5('v2')::uuid,  :'ben',  :'post_1',  '2024-05-31 10:00+00'),     -- no: Ben's second; the first is not of the last day
  (md5('v3')::uuid,  :'ben',  :'post_1',  '2024-01-20 08:00+00'),     -- Ben's first, though it is further down
  (md5('v4')::uuid,  :'spam', :'post_1',  '2024-01-21 08:00+00'),     -- by the blocked user: LogChimp keeps it
  (md5('v5')::uuid,  :'ben',  :'post_2',  '2024-01-11 08:00+00'),
  (md5('v6')::uuid,  :'ada',  :'post_2',  '2024-01-31 23:59:58+00'),  -- January in UTC, by two seconds
  (md5('v7')::uuid,  :'cyd',  :'post_3',  '2024-01-12 08:00+00'),
  (md5('v8')::uuid,  :'dan',  :'post_3',  '2024-05-31 00:00:05+00'),  -- the last day, by five seconds
  (md5('v9')::uuid,  :'eve',  :'post_3',  '2024-05-30 23:59:55+00'),  -- not the last day, by five seconds
  (md5('v10')::uuid, :'cyd',  :'post_4',  '2024-03-31 23:59:59+00'),  -- March in UTC, by a second; Spam took back the own vote
  (md5('v11')::uuid, :'ben',  :'post_5',  '2024-01-14 08:00+00'),
  (md5('v12')::uuid, :'eve',  :'post_7',  '2024-02-01 00:00:05+00'),  -- February in UTC, by five seconds
  (md5('v13')::uuid, :'ada',  :'post_8',  '2024-01-15 08:00+00'),     -- on hidden boards: 2 on post 8, 1 on post 9
  (md5('v14')::uuid, :'ben',  :'post_8',  '2024-01-26 08:00+00'),
  (md5('v15')::uuid, :'ben',  :'post_9',  '2024-01-16 08:00+00'),
  (md5('v16')::uuid, :'dan',  :'post_10', '2024-05-31 09:00+00'),     -- and 1 on post 10, twice
  (md5('v17')::uuid, :'dan',  :'post_10', '2024-05-31 09:00+00'),
  (md5('v18')::uuid, :'dan',  :'post_11', '2024-05-31 13:00+00'),     -- the last day
  (md5('v19')::uuid, :'ada',  :'post_11', '2024-05-31 23:59:50+00');  -- the last day, by ten seconds

-- Counted comments: 2 on post 1, 4 on post 3, 1 on post 11: 7.
INSERT INTO posts_comments (id, parent_id, activity_id, body, is_spam, is_internal, created_at, updated_at) VALUES
  (md5('c1')::uuid,  NULL,            md5('a1')::uuid,  'Yes',          false, false, '2024-02-10 08:00+00',    '2024-02-10 08:00+00'),
  (md5('c2')::uuid,  md5('c1')::uuid, md5('a2')::uuid,  'A reply',      NULL,  false, '2024-02-11 08:00+00',    '2024-02-11 08:00+00'),
  (md5('c3')::uuid,  NULL,            md5('a3')::uuid,  'Staff talk',   false, true,  '2024-02-12 08:00+00',    '2024-02-12 08:00+00'),     -- no: internal
  (md5('c4')::uuid,  NULL,            md5('a4')::uuid,  'Buy pills',    true,  false, '2024-02-13 08:00+00',    '2024-02-13 08:00+00'),     -- no: spam
  (md5('c5')::uuid,  NULL,            md5('a5')::uuid,  'Who knows',    false, NULL,  '2024-02-14 08:00+00',    '2024-02-14 08:00+00'),     -- no: may be internal
  (md5('c6')::uuid,  NULL,            md5('a6')::uuid,  'Nearly March', false, false, '2024-02-28 23:59:50+00', '2024-03-05 08:00+00'),
  (md5('c7')::uuid,  NULL,            md5('a7')::uuid,  'March',        false, false, '2024-03-01 00:00:10+00', '2024-03-01 00:00:10+00'),
  (md5('c8')::uuid,  NULL,            md5('a8')::uuid,  'Now',          false, false, '2024-05-31 15:00+00',    '2024-05-31 15:00+00'),
  (md5('c9')::uuid,  NULL,            md5('a9')::uuid,  'Hidden',       false, false, '2024-02-15 08:00+00',    '2024-02-15 08:00+00'),     -- ignored with its post
  (md5('c10')::uuid, NULL,            md5('a10')::uuid, 'From a bot',   false, false, '2024-05-30 23:55+00',    '2024-05-30 23:55+00'),     -- not the last day
  (md5('c11')::uuid, NULL,            md5('a11')::uuid, 'Last day',     false, false, '2024-05-31 00:04+00',    '2024-05-31 00:04+00');

INSERT INTO posts_activity (id, type, posts_comments_id, post_id, author_id, created_at) VALUES
  (md5('a1')::uuid,  'comment',        md5('c1')::uuid,  :'post_1',  :'ben',  '2024-02-10 08:00+00'),
  (md5('a2')::uuid,  'comment',        md5('c2')::uuid,  :'post_1',  :'ada',  '2024-02-11 08:00+00'),
  (md5('a3')::uuid,  'comment',        md5('c3')::uuid,  :'post_1',  :'ada',  '2024-02-12 08:00+00'),
  (md5('a4')::uuid,  'comment',        md5('c4')::uuid,  :'post_1',  :'spam', '2024-02-13 08:00+00'),
  (md5('a5')::uuid,  'comment',        md5('c5')::uuid,  :'post_2',  :'ada',  '2024-02-14 08:00+00'),
  (md5('a6')::uuid,  'comment',        md5('c6')::uuid,  :'post_3',  :'ada',  '2024-02-28 23:59:50+00'),
  (md5('a7')::uuid,  'comment',        md5('c7')::uuid,  :'post_3',  :'ben',  '2024-03-01 00:00:10+00'),
  (md5('a8')::uuid,  'comment',        md5('c8')::uuid,  :'post_11', :'ada',  '2024-05-31 15:00+00'),
  (md5('a9')::uuid,  'comment',        md5('c9')::uuid,  :'post_8',  :'bot',  '2024-02-15 08:00+00'),
  (md5('a10')::uuid, 'comment',        md5('c10')::uuid, :'post_3',  :'spam', '2024-05-30 23:55+00'),
  (md5('a11')::uuid, 'comment',        md5('c11')::uuid, :'post_3',  :'eve',  '2024-05-31 00:04+00'),
  -- an activity that is no comment
  (md5('a12')::uuid, 'status_changed', NULL,             :'post_2',  :'eve',  '2024-04-01 08:00+00');
