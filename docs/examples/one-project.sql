-- mapping: one-project
-- Publishes one project of a platform that has many: section "with" names its ideas once. For several projects as one:
-- "param project : text[]" and slug = ANY(:project).
-- param project : text -- the short name of the project
-- choices project
SELECT slug AS value, name AS label FROM projects WHERE public
-- requires projects(id, slug, name, public)
-- requires members(id, joined_at, blocked)
-- requires posts(id, project_id, title, state, member_id, posted_at, hidden)
-- requires topics(project_id, name)
-- requires post_topics(post_id, name)
-- requires hearts(post_id, member_id, given_at)
-- requires replies(id, post_id, member_id, written_at, hidden)

-- section with
-- Columns by name and not p.*: the role may read those of the "requires" lines only. The last two parts only keep other
-- projects' votes and replies out of the skipped rows of the log.
project AS (SELECT id FROM projects WHERE slug = :project),
scope AS (SELECT p.id, p.title, p.state, p.member_id, p.posted_at
            FROM posts p JOIN project ON project.id = p.project_id WHERE NOT p.hidden),
given AS (SELECT h.post_id, h.member_id, h.given_at FROM hearts h JOIN scope ON scope.id = h.post_id),
written AS (SELECT r.id, r.post_id, r.member_id, r.written_at
              FROM replies r JOIN scope ON scope.id = r.post_id WHERE NOT r.hidden)

-- section users
-- All accounts would be the size of the platform, so these are the people who took part. A table of memberships is better,
-- with the date of joining. Leave out an account that counts as nobody (an import, a shared one) by its id: for its name, the
-- role would have to read everybody's.
SELECT id, joined_at AS created_at FROM members
 WHERE NOT blocked AND id IN (SELECT member_id FROM scope UNION ALL SELECT member_id FROM given UNION ALL SELECT member_id FROM written)

-- section ideas
SELECT id, title, posted_at AS created_at, state = 'done' AS launched, NULL::timestamptz AS launched_at,
       '/posts/' || id AS url, member_id AS author_id, state AS status
  FROM scope

-- section idea_categories
SELECT t.post_id AS idea_id, t.name AS category FROM post_topics t JOIN scope ON scope.id = t.post_id

-- section votes
SELECT post_id AS idea_id, member_id AS user_id, 1 AS value, given_at AS created_at FROM given

-- section comments
SELECT id, post_id AS idea_id, member_id AS user_id, written_at AS created_at FROM written

-- section categories
SELECT t.name FROM topics t JOIN project ON project.id = t.project_id

-- section closed
-- A project that becomes private is taken down. One that is not there has no row: the build fails and publishes nothing.
SELECT NOT public AS closed FROM projects WHERE slug = :project
