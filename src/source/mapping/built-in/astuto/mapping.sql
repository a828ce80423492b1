-- mapping: astuto
-- Astuto (astuto.io). An idea is a post, its category is its board.
-- The five questions, answered for Astuto:
--   Which rows can a logged-out visitor not see?  Posts that wait for approval or were rejected; everything of a
--                                                 private, pending or blocked site.
--   Which status means launched, and when?        Those named in `launched`: every site names its own. The date is that
--                                                 of the last change to the status that the post has now.
--   One category or many?                         One: the board. There are no boards for the staff only.
--   Are times UTC without zone?                   Yes.
--   Several sites in one database?                Yes: tenants. The same person is one user in each. A self-hosted
--                                                 Astuto has one, as a rule number 1.
-- A site that hides its vote counts (tenant_settings.show_vote_count) has no votes here either. Hidden was the default
-- until Astuto's migration 20240227110058, which did not change existing sites.
-- A post is dated at its submission: when it was approved is not kept. A post whose status
-- was set outside Astuto (an import, SQL) is launched without a date; one that changed between launched statuses has the
-- later date.
-- A status whose name has a comma cannot be given in `launched`.
-- param tenant : bigint -- the site: tenants.id
-- param launched : text[] = Completed -- names of the statuses that mean launched, in any case
-- requires tenants(id, site_name)
-- requires tenants(status) -- Astuto's migration 20220715092725
-- requires tenant_settings(tenant_id) -- Astuto's migration 20230131194858
-- requires tenant_settings(show_vote_count) -- Astuto's migration 20230204145211
-- requires tenant_settings(is_private) -- Astuto's migration 20240821122349
-- requires users(id, tenant_id, status, confirmed_at, created_at)
-- requires boards(id, tenant_id, name)
-- requires post_statuses(id, tenant_id, name)
-- requires posts(id, tenant_id, board_id, user_id, post_status_id, title, created_at)
-- requires posts(slug) -- Astuto's migration 20240404141611
-- requires posts(approval_status) -- Astuto's migration 20240708191529
-- requires post_status_changes(post_id, post_status_id, created_at)
-- requires likes(tenant_id, post_id, user_id, created_at)
-- requires comments(id, tenant_id, post_id, user_id, created_at)

-- choices tenant
SELECT id AS value, site_name AS label FROM tenants

-- choices launched
SELECT trim(name) AS value, trim(name) AS label FROM post_statuses WHERE tenant_id = :tenant

-- section users
-- tenants.status: 0 active, 1 pending, 2 blocked, NULL = older than the column, shown as an active one.
-- tenant_settings may have no row for a site, which means the defaults (public, counts shown), or two: nothing in the
-- schema forbids it. A join would count everybody twice; one row that says private is enough. Compared with :tenant it
-- is asked once; compared with each row it makes the planner expect a single row to be left, and join accordingly.
-- users.status: 0 active, 1 blocked, 2 deleted (posts, votes and comments stay), NULL = older than the column.
SELECT u.id, u.created_at AT TIME ZONE 'UTC' AS created_at
  FROM users u
  JOIN tenants t ON t.id = u.tenant_id AND coalesce(t.status, 0) = 0
 WHERE u.tenant_id = :tenant AND coalesce(u.status, 0) = 0 AND u.confirmed_at IS NOT NULL
   AND NOT EXISTS (SELECT FROM tenant_settings ts WHERE ts.tenant_id = :tenant AND ts.is_private)

-- section ideas
-- posts.approval_status: 0 approved, 1 pending, 2 rejected: by the moderators, that is. A post whose status is called
-- "Rejected" is public. user_id is NULL for anonymous feedback, slug for posts older than slugs, post_status_id for
-- posts without a status, which are not launched.
SELECT p.id, p.title, p.created_at AT TIME ZONE 'UTC' AS created_at,
       EXISTS (SELECT FROM unnest(:launched) l WHERE lower(l) = lower(trim(s.name))) AS launched,
       (SELECT max(c.created_at) FROM post_status_changes c
         WHERE c.post_id = p.id AND c.post_status_id = p.post_status_id) AT TIME ZONE 'UTC' AS launched_at,
       '/posts/' || coalesce(p.slug, p.id::text) AS url,
       p.user_id AS author_id,
       trim(s.name) AS status
  FROM posts p
  JOIN tenants t ON t.id = p.tenant_id AND coalesce(t.status, 0) = 0
  LEFT JOIN post_statuses s ON s.id = p.post_status_id
 WHERE p.tenant_id = :tenant AND p.approval_status = 0
   AND NOT EXISTS (SELECT FROM tenant_settings ts WHERE ts.tenant_id = :tenant AND ts.is_private)

-- section idea_categories
SELECT p.id AS idea_id, b.name AS category
  FROM posts p
  JOIN boards b ON b.id = p.board_id
 WHERE p.tenant_id = :tenant

-- section votes
SELECT l.post_id AS idea_id, l.user_id, 1 AS value, l.created_at AT TIME ZONE 'UTC' AS created_at
  FROM likes l
 WHERE l.tenant_id = :tenant
   AND NOT EXISTS (SELECT FROM tenant_settings ts WHERE ts.tenant_id = :tenant AND NOT ts.show_vote_count)

-- section comments
-- Replies and the staff's "post updates" stand among the comments that visitors see, and in Astuto's own count.
SELECT c.id, c.post_id AS idea_id, c.user_id, c.created_at AT TIME ZONE 'UTC' AS created_at
  FROM comments c
 WHERE c.tenant_id = :tenant

-- section categories
SELECT b.name
  FROM boards b
  JOIN tenants t ON t.id = b.tenant_id AND coalesce(t.status, 0) = 0
 WHERE b.tenant_id = :tenant
   AND NOT EXISTS (SELECT FROM tenant_settings ts WHERE ts.tenant_id = :tenant AND ts.is_private)

-- section closed
-- As app/controllers/application_controller.rb (02b24eab) treats a visitor: pending and blocked sites lead to a page that
-- says so, a private one to the login; NULL leads nowhere else. Where a site has no settings it
-- makes a row of the defaults (TenantSetting.first_or_create), which is public; of two one that is private is enough.
SELECT coalesce(t.status, 0) <> 0 OR s.is_private AS closed,
       CASE WHEN s.is_private THEN 'is_private' ELSE 'status ' || t.status END AS reason
  FROM tenants t
 CROSS JOIN (SELECT coalesce(bool_or(ts.is_private), false) AS is_private
               FROM tenant_settings ts
              WHERE ts.tenant_id = :tenant) s
 WHERE t.id = :tenant

-- section page
-- Both are there since Astuto's migration 20220701090736.
SELECT site_name AS title, locale AS language FROM tenants WHERE id = :tenant
