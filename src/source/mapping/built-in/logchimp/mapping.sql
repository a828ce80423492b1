-- mapping: logchimp
-- LogChimp (logchimp.app). An idea is a post, its category is its board, its status is its roadmap column.
-- The five questions, answered for LogChimp:
--   Which rows can a logged-out visitor not see?  Boards that are not displayed (a new board is not), comments that are
--                                                 internal or spam.
--   Which status means launched, and when?        The roadmap columns named in `launched`, displayed or not: LogChimp
--                                                 has no default ones. The time of a move is not kept: launched
--                                                 without a date.
--   One category or many?                         One at most: the board.
--   Are times UTC without zone?                   No: timestamptz.
--   Several sites in one database?                No.
-- LogChimp hides less than this mapping. It keeps the page of a hidden board from visitors, yet shows the board's posts
-- in the list of all posts, and comments marked as spam. Hiding a board is meant to hide its posts: they are left out
-- here, with their votes and comments. A column that is not displayed is left out of the roadmap only: its name is with
-- each of its posts for everybody (packages/server/src/controllers/post/filterPost.ts, 0254ad8b, and postBySlug.ts, 18dcd49b,
-- read the column without asking for display). So it is the status here, too, and launches the post if it is one of `launched`.
-- LogChimp has no private site. The closest is a site that shows neither a board nor a post without a board: it
-- counts as closed. Deleting a hidden board leaves its posts without one, and therefore public.
-- LogChimp votes for the author of a new post, and lets the staff vote for others: these are votes like any other.
-- Its own number of votes may be higher: nothing in the database keeps a double click from counting twice.
-- Before 0.9 comments could be switched off for the whole site. Later versions ignore that setting and show the
-- comments, so it is not used here: old comments count.
-- param launched : text[] = Released, Launched, Shipped, Completed, Done -- names of roadmap columns, in any case
-- requires users("userId", "isBlocked", "createdAt")
-- requires boards("boardId", name, display)
-- requires posts("postId", title, slug, "userId", "createdAt")
-- requires posts("boardId") -- LogChimp's migration 20200913090914
-- requires posts(roadmap_id) -- LogChimp's migration 20201224143827
-- requires roadmaps(id, name, display) -- LogChimp's migration 20201224104136
-- requires votes("postId", "userId", "createdAt")
-- requires posts_comments(id, activity_id, is_internal, is_spam, created_at) -- LogChimp's migration 20210619173428
-- requires posts_activity(id, post_id, author_id) -- LogChimp's migration 20210619173759

-- choices launched
SELECT name AS value, CASE WHEN display THEN name ELSE name || ' (not displayed)' END AS label FROM roadmaps

-- section users
-- A blocked user cannot sign in; posts, votes and comments stay. Nothing needs a confirmed e-mail address.
-- The last condition: the site shows something, be it a board or a post without one.
SELECT u."userId" AS id, u."createdAt" AS created_at
  FROM users u
 WHERE u."isBlocked" IS NOT TRUE
   AND (EXISTS (SELECT FROM boards WHERE display) OR EXISTS (SELECT FROM posts WHERE "boardId" IS NULL))

-- section ideas
-- display may be NULL: not displayed.
SELECT p."postId" AS id, p.title, p."createdAt" AS created_at,
       coalesce(lower(trim(r.name)) IN (SELECT lower(n) FROM unnest(:launched) AS n), false) AS launched,
       NULL::timestamptz AS launched_at,
       '/posts/' || p.slug AS url,
       p."userId" AS author_id,
       r.name AS status
  FROM posts p
  LEFT JOIN boards b ON b."boardId" = p."boardId"
  LEFT JOIN roadmaps r ON r.id = p.roadmap_id
 WHERE p."boardId" IS NULL OR b.display

-- section idea_categories
SELECT p."postId" AS idea_id, b.name AS category
  FROM posts p
  JOIN boards b ON b."boardId" = p."boardId"

-- section votes
-- No key keeps a person from having two votes on a post: the first counts.
SELECT v."postId" AS idea_id, v."userId" AS user_id, 1 AS value, min(v."createdAt") AS created_at
  FROM votes v
 GROUP BY v."postId", v."userId"

-- section comments
-- A comment has its post and its author through an activity. is_internal may be NULL, which LogChimp does not show.
SELECT c.id, a.post_id AS idea_id, a.author_id AS user_id, c.created_at
  FROM posts_comments c
  JOIN posts_activity a ON a.id = c.activity_id
 WHERE NOT c.is_internal AND c.is_spam IS NOT TRUE

-- section categories
SELECT b.name
  FROM boards b
 WHERE b.display

-- section closed
-- LogChimp has no setting for it (its table "settings" of migration 20201004110523 and later ones): allowSignup is about
-- new accounts only. A site is closed by hiding every board, as long as no post is without one. Where no board is, none is hidden.
SELECT EXISTS (SELECT FROM boards)
       AND NOT EXISTS (SELECT FROM boards b WHERE b.display)
       AND NOT EXISTS (SELECT FROM posts p WHERE p."boardId" IS NULL) AS closed,
       'no board is displayed' AS reason

-- section page
-- LogChimp's migration 20201004110523. The language is each reader's own choice (pull request 1954).
SELECT title FROM settings
