-- mapping: fider
-- Fider (fider.io), from its migration 201810152035_add_comment_deleted (October 2018) on. An idea is a post, its categories are
-- the public tags: Fider has no categories.
-- The five questions, answered for Fider:
--   Which rows can a logged-out visitor not see?  Posts that are deleted, merged into another one or not yet approved;
--                                                 everything of a private, pending or disabled site.
--   Which status means launched, and when?        2 (completed). response_date is set when the status changes and kept
--                                                 otherwise, so there it is the moment of completion.
--   One category or many?                         Many: tags. Those that are not public are for the staff.
--   Are times UTC without zone?                   No: timestamptz.
--   Several sites in one database?                Yes: tenants. The same person is one user in each.
-- A merge copies the votes of the merged post to the other one, dated at the merge: it shows as a burst in "trending",
-- which cannot be undone from the data. Counting the merged post, too, would count these votes twice.
-- Before 0.33 nothing waited for approval: every post and comment was shown at once.
-- param tenant : int -- the site: tenants.id
-- requires tenants(id, subdomain, status, is_private)
-- requires users(id, tenant_id, status, created_at)
-- requires posts(id, tenant_id, number, slug, title, status, user_id, response_date, created_at)
-- requires posts(is_approved) where present -- Fider's migration 202511041300_content_moderation
-- requires post_tags(tenant_id, post_id, tag_id)
-- requires tags(id, tenant_id, name, is_public)
-- requires post_votes(tenant_id, post_id, user_id, created_at)
-- requires comments(id, tenant_id, post_id, user_id, created_at)
-- requires comments(deleted_at) -- Fider's migration 201810152035_add_comment_deleted
-- requires comments(is_approved) where present -- Fider's migration 202511041300_content_moderation

-- choices tenant
SELECT id AS value, subdomain AS label FROM tenants

-- section users
-- users.status: 1 active, 2 deleted by the owner (posts and comments stay, votes go), 3 blocked.
-- tenants.status: 1 active, 2 pending, 3 locked (readable), 4 disabled.
SELECT u.id, u.created_at
  FROM users u
  JOIN tenants t ON t.id = u.tenant_id AND NOT t.is_private AND t.status IN (1, 3)
 WHERE u.tenant_id = :tenant AND u.status = 1

-- section ideas
-- Where a table has no such column, is_approved means the one of "earlier"; where it has, the table's own is the nearer one.
-- posts.status: 0 open, 1 started, 2 completed, 3 declined, 4 planned, 5 duplicate, 6 deleted.
SELECT p.id, p.title, p.created_at,
       p.status = 2 AS launched, p.response_date AS launched_at,
       '/posts/' || p.number || '/' || p.slug AS url,
       p.user_id AS author_id,
       (ARRAY['open', 'started', 'completed', 'declined', 'planned'])[p.status + 1] AS status
  FROM (SELECT true AS is_approved) AS earlier
 CROSS JOIN LATERAL (
   SELECT q.id, q.tenant_id, q.number, q.slug, q.title, q.status, q.user_id, q.response_date, q.created_at
     FROM posts q WHERE is_approved) AS p
  JOIN tenants t ON t.id = p.tenant_id AND NOT t.is_private AND t.status IN (1, 3)
 WHERE p.tenant_id = :tenant AND p.status NOT IN (5, 6)

-- section idea_categories
SELECT pt.post_id AS idea_id, g.name AS category
  FROM post_tags pt
  JOIN tags g ON g.id = pt.tag_id
 WHERE pt.tenant_id = :tenant AND g.is_public

-- section votes
SELECT v.post_id AS idea_id, v.user_id, 1 AS value, v.created_at
  FROM post_votes v
 WHERE v.tenant_id = :tenant

-- section comments
SELECT c.id, c.post_id AS idea_id, c.user_id, c.created_at
  FROM (SELECT true AS is_approved) AS earlier
 CROSS JOIN LATERAL (
   SELECT k.id, k.tenant_id, k.post_id, k.user_id, k.created_at, k.deleted_at FROM comments k WHERE is_approved) AS c
 WHERE c.tenant_id = :tenant AND c.deleted_at IS NULL

-- section categories
SELECT g.name
  FROM tags g
  JOIN tenants t ON t.id = g.tenant_id AND NOT t.is_private AND t.status IN (1, 3)
 WHERE g.tenant_id = :tenant AND g.is_public

-- section closed
-- As app/middlewares/tenant.go (02ef2d87) treats a visitor: a private site asks for a login, a pending one shows a note, a
-- disabled one is not there. A status that this mapping does not know is closed. Nothing deletes a tenant: without a row
-- the parameter is wrong, which is an error.
SELECT t.is_private OR t.status NOT IN (1, 3) AS closed,
       CASE WHEN t.is_private THEN 'is_private' ELSE 'status ' || t.status END AS reason
  FROM tenants t
 WHERE t.id = :tenant

-- section page
-- locale is there since Fider's migration 202107031320.
SELECT t.name AS title, to_jsonb(t) ->> 'locale' AS language FROM tenants t WHERE t.id = :tenant
