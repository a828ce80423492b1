-- mapping: talkyard
-- Talkyard (talkyard.io), from its migration v417 (2022) to v427 (2025). An idea is a page of the type Idea in a public
-- category. Its original post is the idea itself: the Likes of that post are the votes, the other posts of the page are
-- the comments.
-- The five questions, answered for Talkyard:
--   Which rows can a logged-out visitor not see?  Pages that are deleted, hidden (also while they wait for approval), in
--                                                 no category, or in one that the group Everyone may not see, that is
--                                                 deleted or not listed, or that is below such a one; posts that are
--                                                 deleted, hidden, private or not approved; everything of a site that
--                                                 wants a login, or is hidden or deleted.
--   Which status means launched, and when?        Done, since done_at, which is emptied when the status changes back.
--   One category or many?                         One at most. Sub-categories of the same name become one category.
--   Are times UTC without zone?                   Yes.
--   Several sites in one database?                Yes. The same person is one user in each. A self-hosted Talkyard has
--                                                 one, as a rule number 1.
-- A category is public as appsv/server/talkyard/server/authz/Authz.scala (checkPermsOnPages) says: Everyone may see it and
-- each one above it but the root, which has no permissions. Pages directly in the root are shown to nobody. A category
-- that is not listed can be visited by those who know its address; so can one whose topics are left out of the main list
-- only (unlist_topics), but that one lists its topics to everybody, and counts.
-- The other votes are none: Disagree, Bury, Unwanted and the Do-It votes, which Talkyard does not have yet.
-- Guests and anonymous users are people, but no accounts: their ids are -10 and lower. Who an anonymous user is (true_id_c)
-- is not read; the same person is another anonymous user on each page. Ids from -9 to 99 are the system, bots, groups and
-- the unknown user: what they did counts, and nobody did it.
-- A page whose title waits for approval has none.
-- Until v417 the columns of post_actions3 had other names (type, unique_post_id, created_by_id).
-- param site : int -- the site: sites3.id
-- requires sites3(id, name, status)
-- requires settings3(site_id, user_must_be_auth, user_must_be_approved, require_verified_email)
-- requires users3(site_id, user_id, is_group, created_at, email_verified_at, suspended_till)
-- requires users3(is_owner, is_admin, is_moderator, deactivated_at, deleted_at)
-- requires categories3(site_id, id, parent_id, name, new_topic_types, unlist_category, deleted_at)
-- requires perms_on_pages3(site_id, for_people_id, on_category_id, may_see)
-- requires pages3(site_id, page_id, page_role, category_id, author_id, created_at)
-- requires pages3(planned_at, started_at, done_at, closed_at, hidden_at, deleted_at)
-- requires posts3(site_id, unique_post_id, page_id, post_nr, type, created_by_id, created_at)
-- requires posts3(approved_at, approved_source, hidden_at, deleted_status)
-- requires post_actions3(site_id, created_at, deleted_at)
-- requires post_actions3(to_post_id_c, from_pat_id_c, rel_type_c) -- Talkyard's migration v417

-- choices site
SELECT id AS value, coalesce(name, '') AS label FROM sites3

-- section users
-- As Talkyard lists its enabled users, less those that are deactivated, deleted or suspended. Whether an address must be
-- verified is a setting, which the staff is free of; where it has no value it must be.
-- sites3.status: 1 without an administrator yet, 2 active, 3 read-only, 4 and 5 hidden, 6 deleted, 7 purged.
SELECT u.user_id AS id, u.created_at AT TIME ZONE 'UTC' AS created_at
  FROM users3 u
  JOIN sites3 s ON s.id = u.site_id AND s.status IN (1, 2, 3)
 WHERE u.site_id = :site AND u.user_id >= 100 AND NOT u.is_group
   AND u.deleted_at IS NULL AND u.deactivated_at IS NULL
   AND (u.suspended_till > now() AT TIME ZONE 'UTC') IS NOT TRUE
   AND (u.email_verified_at IS NOT NULL OR u.is_owner OR u.is_admin OR u.is_moderator
        OR EXISTS (SELECT FROM settings3 x WHERE x.site_id = :site AND NOT x.require_verified_email))
   AND NOT EXISTS (SELECT FROM settings3 x
                    WHERE x.site_id = :site AND (x.user_must_be_auth OR x.user_must_be_approved))

-- section ideas
-- page_role: 15 Idea. for_people_id: 10 Everyone. may_see is true or NULL. UNION, not UNION ALL, ends a circle of categories.
-- A page of which all posts are flagged is hidden; where only the original post is, page and title are still shown.
WITH RECURSIVE shown AS (
  SELECT c.id, c.parent_id, c.name
    FROM categories3 c
   WHERE c.site_id = :site AND c.parent_id IS NULL
  UNION
  SELECT c.id, c.parent_id, c.name
    FROM categories3 c
    JOIN shown above ON above.id = c.parent_id
   WHERE c.site_id = :site AND c.deleted_at IS NULL AND NOT c.unlist_category
     AND EXISTS (SELECT FROM perms_on_pages3 m
                  WHERE m.site_id = c.site_id AND m.on_category_id = c.id AND m.for_people_id = 10 AND m.may_see)
)
SELECT p.page_id AS id, coalesce(title.approved_source, '') AS title, p.created_at AT TIME ZONE 'UTC' AS created_at,
       p.done_at IS NOT NULL AS launched, p.done_at AT TIME ZONE 'UTC' AS launched_at,
       '/-' || p.page_id AS url,
       CASE WHEN p.author_id >= 100 OR p.author_id <= -10 THEN p.author_id END AS author_id,
       CASE WHEN p.done_at IS NOT NULL THEN 'done'
            WHEN p.closed_at IS NOT NULL THEN 'closed'
            WHEN p.started_at IS NOT NULL THEN 'started'
            WHEN p.planned_at IS NOT NULL THEN 'planned'
            ELSE 'new' END AS status
  FROM pages3 p
  JOIN sites3 s ON s.id = p.site_id AND s.status IN (1, 2, 3)
  JOIN shown c ON c.id = p.category_id AND c.parent_id IS NOT NULL
  JOIN posts3 body ON body.site_id = p.site_id AND body.page_id = p.page_id AND body.post_nr = 1
                  AND body.approved_at IS NOT NULL AND body.deleted_status = 0
  LEFT JOIN posts3 title ON title.site_id = p.site_id AND title.page_id = p.page_id AND title.post_nr = 0
 WHERE p.site_id = :site AND p.page_role = 15 AND p.hidden_at IS NULL AND p.deleted_at IS NULL
   AND NOT EXISTS (SELECT FROM settings3 x
                    WHERE x.site_id = :site AND (x.user_must_be_auth OR x.user_must_be_approved))

-- section idea_categories
SELECT p.page_id AS idea_id, c.name AS category
  FROM pages3 p
  JOIN categories3 c ON c.site_id = p.site_id AND c.id = p.category_id
 WHERE p.site_id = :site AND p.page_role = 15

-- section votes
-- rel_type_c: 41 Like. A person likes a post once: the key of the table.
SELECT p.page_id AS idea_id,
       CASE WHEN v.from_pat_id_c >= 100 OR v.from_pat_id_c <= -10 THEN v.from_pat_id_c END AS user_id,
       1 AS value, v.created_at AT TIME ZONE 'UTC' AS created_at
  FROM post_actions3 v
  JOIN posts3 p ON p.site_id = v.site_id AND p.unique_post_id = v.to_post_id_c AND p.post_nr = 1
  JOIN pages3 g ON g.site_id = p.site_id AND g.page_id = p.page_id AND g.page_role = 15
 WHERE v.site_id = :site AND v.rel_type_c = 41 AND v.deleted_at IS NULL

-- section comments
-- post_nr: 0 the title, 1 the original post, below zero what is private (bookmarks, private comments).
-- type: 21 a form that was filled in, 31 a message of the system; NULL is a normal post.
-- deleted_status is not 0, too, where a post above was deleted with its replies.
SELECT p.unique_post_id AS id, p.page_id AS idea_id,
       CASE WHEN p.created_by_id >= 100 OR p.created_by_id <= -10 THEN p.created_by_id END AS user_id,
       p.created_at AT TIME ZONE 'UTC' AS created_at
  FROM posts3 p
  JOIN pages3 g ON g.site_id = p.site_id AND g.page_id = p.page_id AND g.page_role = 15
 WHERE p.site_id = :site AND p.post_nr > 1 AND coalesce(p.type, 1) NOT IN (21, 31)
   AND p.approved_at IS NOT NULL AND p.hidden_at IS NULL AND p.deleted_status = 0

-- section categories
-- Those in which a new page is an idea.
WITH RECURSIVE shown AS (
  SELECT c.id, c.parent_id, c.name, c.new_topic_types
    FROM categories3 c
   WHERE c.site_id = :site AND c.parent_id IS NULL
  UNION
  SELECT c.id, c.parent_id, c.name, c.new_topic_types
    FROM categories3 c
    JOIN shown above ON above.id = c.parent_id
   WHERE c.site_id = :site AND c.deleted_at IS NULL AND NOT c.unlist_category
     AND EXISTS (SELECT FROM perms_on_pages3 m
                  WHERE m.site_id = c.site_id AND m.on_category_id = c.id AND m.for_people_id = 10 AND m.may_see)
)
SELECT c.name
  FROM shown c
 WHERE c.parent_id IS NOT NULL AND '15' = ANY (string_to_array(c.new_topic_types, ','))
   AND EXISTS (SELECT FROM sites3 s WHERE s.id = :site AND s.status IN (1, 2, 3))
   AND NOT EXISTS (SELECT FROM settings3 x
                    WHERE x.site_id = :site AND (x.user_must_be_auth OR x.user_must_be_approved))

-- section closed
-- As maySeePageImpl of AuthzSiteDaoMixin.scala (in the folder of Authz.scala) and PlainApiActions.scala treat a visitor:
-- hidden sites lead staff to a login, deleted ones are not there. Older versions ask whether an account is approved
-- only where a login is required; a site that asks for the one without the other is closed here. Without a row of settings
-- the defaults hold: open.
SELECT s.status NOT IN (1, 2, 3) OR x.must_be_auth OR x.must_be_approved AS closed,
       CASE WHEN x.must_be_auth THEN 'user_must_be_auth'
            WHEN x.must_be_approved THEN 'user_must_be_approved'
            ELSE 'status ' || s.status END AS reason
  FROM sites3 s
 CROSS JOIN (SELECT coalesce(bool_or(user_must_be_auth), false) AS must_be_auth,
                    coalesce(bool_or(user_must_be_approved), false) AS must_be_approved
               FROM settings3
              WHERE site_id = :site) x
 WHERE s.id = :site

-- section page
-- SettingsSiteDaoMixin.loadSiteSettings (1e611e6b) takes the row of the whole site; language_code is there since the migration v35.
-- The hosts are those of CreateSiteSystemDaoMixin.insertSiteHost (06b742c4): C is the canonical one.
SELECT s.org_full_name AS title, s.language_code AS language,
       (SELECT 'https://' || h.host FROM hosts3 h WHERE h.site_id = s.site_id AND h.canonical = 'C') AS url
  FROM settings3 s
 WHERE s.site_id = :site AND s.category_id IS NULL AND s.page_id IS NULL
