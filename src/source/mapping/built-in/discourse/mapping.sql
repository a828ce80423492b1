-- mapping: discourse
-- Discourse (discourse.org) with its plugin Topic Voting. An idea is a topic of a category in which voting is switched
-- on: its first post is the idea itself, the replies are its comments. Users are those of the whole forum.
-- The five questions, answered for Discourse:
--   Which rows can a logged-out visitor not see?  Topics that are deleted, unlisted, shared drafts, private messages or
--                                                 in a category that is not open to everyone; whispers; hidden posts;
--                                                 everything of a site that wants a login. Topics deleted by their
--                                                 author and the "About" topic of a category are no ideas either.
--   Which status means launched, and when?        None: a tag does, from the time when the topic got it. A tag that
--                                                 is removed and added again has the later date; a hidden tag does
--                                                 not count. Closing a topic does not launch it: declined topics
--                                                 are closed, too.
--   One category or many?                         One. Subcategories of the same name become one category.
--   Are times UTC without zone?                   Yes.
--   Several sites in one database?                No: each has its own database.
-- THE ROLE CAN READ SECRETS. Only the table site_settings knows whether the site wants a login (login_required), and a
-- grant is for all of its rows: API keys, client secrets and mail passwords are there as well. To avoid this, copy
-- this mapping and delete the line "requires site_settings", section closed and every condition that reads
-- site_settings. Then
-- a build does not notice if the site becomes private, or voting is switched off: its statistics stay public until you stop.
-- A setting that comes from the environment (DISCOURSE_LOGIN_REQUIRED in app.yml) overrides the table and is not
-- kept in it: a site that is closed in this way looks open to this mapping. Do not build it.
-- A merge moves the votes, each with its date, if it closes the topic they come from. That topic stays a visible idea,
-- closed and without votes, until Discourse deletes it (delete_merged_stub_topics_after_days, by default 7).
-- Until July 2024 the names of the plugin's tables began with discourse_voting_ instead of topic_voting_, and its setting was called
-- voting_enabled. The older tables stayed beside the new ones, and are no longer written, until December 2024
-- (20241203125523_drop_old_discourse_voting_tables): where there are both, the new ones are read.
-- param launched_tags : text[] = completed,implemented,launched,released,shipped -- tags that mean launched
-- param voting_categories : text[] = -- names or ids of categories; none = all public ones that have voting
-- requires users(id, created_at, active, approved, staged, suspended_till, silenced_till)
-- requires anonymous_users(user_id)
-- requires site_settings(name, value)
-- requires categories(id, name, topic_id, read_restricted)
-- requires topics(id, title, slug, user_id, category_id, archetype, visible, closed, archived, deleted_at, created_at)
-- requires shared_drafts(topic_id)
-- requires posts(id, topic_id, user_id, post_number, post_type, action_code, created_at)
-- requires posts(deleted_at, hidden, user_deleted)
-- requires tags(id, name, target_tag_id)
-- requires topic_tags(topic_id, tag_id, created_at)
-- requires tag_group_memberships(tag_id, tag_group_id)
-- requires tag_group_permissions(tag_group_id, group_id)
-- requires topic_voting_category_settings(category_id) where present -- Topic Voting's migration 20240707170311_rename_voting_tables
-- requires topic_voting_votes(topic_id, user_id, created_at) where present -- Topic Voting's migration 20240707170311_rename_voting_tables
-- requires discourse_voting_category_settings(category_id) where present -- until 20240707170311_rename_voting_tables
-- requires discourse_voting_votes(topic_id, user_id, created_at) where present -- until 20240707170311_rename_voting_tables

-- choices launched_tags
SELECT g.name AS value, 'topics: ' || count(*) AS label
  FROM tags g
  JOIN topic_tags x ON x.tag_id = g.id
  JOIN topics t ON t.id = x.topic_id
  JOIN discourse_voting_category_settings s ON s.category_id = t.category_id
 GROUP BY g.name
 ORDER BY count(*) DESC, g.name

-- choices launched_tags where present
SELECT g.name AS value, 'topics: ' || count(*) AS label
  FROM tags g
  JOIN topic_tags x ON x.tag_id = g.id
  JOIN topics t ON t.id = x.topic_id
  JOIN topic_voting_category_settings s ON s.category_id = t.category_id
 GROUP BY g.name
 ORDER BY count(*) DESC, g.name

-- choices voting_categories
SELECT c.id AS value, c.name AS label
  FROM categories c
  JOIN discourse_voting_category_settings s ON s.category_id = c.id
 WHERE NOT c.read_restricted
 ORDER BY c.id

-- choices voting_categories where present
SELECT c.id AS value, c.name AS label
  FROM categories c
  JOIN topic_voting_category_settings s ON s.category_id = c.id
 WHERE NOT c.read_restricted
 ORDER BY c.id

-- section with
-- Whatever has voting or not: the sections choose by the plugin's table.
listed_topics AS (
  SELECT t.id, t.title, t.created_at AT TIME ZONE 'UTC' AS created_at,
         l.topic_id IS NOT NULL AS launched, l.at AT TIME ZONE 'UTC' AS launched_at,
         concat_ws('/', '/t', nullif(t.slug, ''), t.id) AS url,
         CASE WHEN t.user_id > 0 THEN t.user_id END AS author_id,
         CASE WHEN l.topic_id IS NOT NULL THEN 'launched'
              WHEN t.closed OR t.archived THEN 'closed'
              ELSE 'open' END AS status,
         t.category_id
    FROM topics t
    JOIN categories c ON c.id = t.category_id AND NOT c.read_restricted AND c.topic_id IS DISTINCT FROM t.id
    -- Topics bear the tag that a synonym stands for. A tag is hidden if its groups have permissions and none of these is
    -- for everyone (0).
    LEFT JOIN (SELECT x.topic_id, min(x.created_at) AS at
                 FROM topic_tags x
                 JOIN tags g ON coalesce(g.target_tag_id, g.id) = x.tag_id
                WHERE lower(g.name) = ANY (lower(:launched_tags::text)::text[])
                  AND x.tag_id NOT IN (SELECT m.tag_id
                                         FROM tag_group_memberships m
                                         JOIN tag_group_permissions p ON p.tag_group_id = m.tag_group_id
                                        GROUP BY m.tag_id
                                       HAVING min(p.group_id) > 0)
                GROUP BY x.topic_id) l ON l.topic_id = t.id
   WHERE t.archetype = 'regular' AND t.visible AND t.deleted_at IS NULL
     AND NOT EXISTS (SELECT 1 FROM shared_drafts d WHERE d.topic_id = t.id)
     -- taken back by its author: Discourse deletes it some hours later
     AND NOT EXISTS (SELECT 1 FROM posts p WHERE p.topic_id = t.id AND p.post_number = 1 AND p.user_deleted)
     AND (:voting_categories = '{}' OR ARRAY[lower(c.name), c.id::text] && lower(:voting_categories::text)::text[])
     AND NOT EXISTS (SELECT 1 FROM site_settings x
                      WHERE (x.name, left(x.value, 1)) IN (('login_required', 't'), ('topic_voting_enabled', 'f'),
                                                    ('voting_enabled', 'f')))
),
-- posts.post_type: 1 regular, 2 by a moderator (of these, notices have an action code), 3 small action, 4 whisper.
replies AS (
  SELECT p.id, p.topic_id, CASE WHEN p.user_id > 0 THEN p.user_id END AS user_id,
         p.created_at AT TIME ZONE 'UTC' AS created_at, t.category_id
    FROM posts p
    JOIN topics t ON t.id = p.topic_id
   WHERE p.post_number > 1 AND p.post_type IN (1, 2) AND p.action_code IS NULL
     AND NOT p.hidden AND NOT p.user_deleted AND p.deleted_at IS NULL
),
open_categories AS (
  SELECT c.id, c.name
    FROM categories c
   WHERE NOT c.read_restricted
     AND (:voting_categories = '{}' OR ARRAY[lower(c.name), c.id::text] && lower(:voting_categories::text)::text[])
     AND NOT EXISTS (SELECT 1 FROM site_settings x
                      WHERE (x.name, left(x.value, 1)) IN (('login_required', 't'), ('topic_voting_enabled', 'f'),
                                                    ('voting_enabled', 'f')))
)

-- section users
-- As Discourse counts its users, less those who are staged: known by their mail alone. Ids below zero are the system
-- and bots. Settings are text, t or f (also true, false). Where there is no row: no login, no approval, voting on.
SELECT u.id, u.created_at AT TIME ZONE 'UTC' AS created_at
  FROM users u
 WHERE u.id > 0 AND u.active AND NOT u.staged
   AND (u.suspended_till > now() AT TIME ZONE 'UTC') IS NOT TRUE
   AND (u.silenced_till > now() AT TIME ZONE 'UTC') IS NOT TRUE
   -- somebody's second account, for posting anonymously
   AND NOT EXISTS (SELECT 1 FROM anonymous_users a WHERE a.user_id = u.id)
   AND NOT EXISTS (SELECT 1 FROM site_settings x
                    WHERE (x.name, left(x.value, 1), u.approved) = ('must_approve_users', 't', false))
   AND NOT EXISTS (SELECT 1 FROM site_settings x
                    WHERE (x.name, left(x.value, 1)) IN (('login_required', 't'), ('topic_voting_enabled', 'f'),
                                                  ('voting_enabled', 'f')))

-- section ideas
SELECT t.id, t.title, t.created_at, t.launched, t.launched_at, t.url, t.author_id, t.status
  FROM listed_topics t
  JOIN discourse_voting_category_settings s ON s.category_id = t.category_id

-- section ideas where present
SELECT t.id, t.title, t.created_at, t.launched, t.launched_at, t.url, t.author_id, t.status
  FROM listed_topics t
  JOIN topic_voting_category_settings s ON s.category_id = t.category_id

-- section idea_categories
SELECT t.id AS idea_id, c.name AS category
  FROM topics t
  JOIN categories c ON c.id = t.category_id
  JOIN discourse_voting_category_settings s ON s.category_id = c.id

-- section idea_categories where present
SELECT t.id AS idea_id, c.name AS category
  FROM topics t
  JOIN categories c ON c.id = t.category_id
  JOIN topic_voting_category_settings s ON s.category_id = c.id

-- section votes
-- An archived vote (given back to the voter when the topic closes) still counts for the topic, as in Discourse.
SELECT v.topic_id AS idea_id, v.user_id, 1 AS value, v.created_at AT TIME ZONE 'UTC' AS created_at
  FROM discourse_voting_votes v
 WHERE v.topic_id IS NOT NULL

-- section votes where present
SELECT v.topic_id AS idea_id, v.user_id, 1 AS value, v.created_at AT TIME ZONE 'UTC' AS created_at
  FROM topic_voting_votes v
 WHERE v.topic_id IS NOT NULL

-- section comments
-- The join leaves out what is said in the rest of the forum.
SELECT r.id, r.topic_id AS idea_id, r.user_id, r.created_at
  FROM replies r
  JOIN discourse_voting_category_settings s ON s.category_id = r.category_id

-- section comments where present
SELECT r.id, r.topic_id AS idea_id, r.user_id, r.created_at
  FROM replies r
  JOIN topic_voting_category_settings s ON s.category_id = r.category_id

-- section categories
SELECT c.name
  FROM open_categories c
  JOIN discourse_voting_category_settings s ON s.category_id = c.id

-- section categories where present
SELECT c.name
  FROM open_categories c
  JOIN topic_voting_category_settings s ON s.category_id = c.id

-- section closed
-- As ApplicationController#redirect_to_login_if_required treats a visitor. The table has a row for a setting only when it
-- was changed: without one the default holds, which is no login. Switching voting off hides no topic: it closes nothing.
SELECT EXISTS (SELECT FROM site_settings x WHERE (x.name, left(x.value, 1)) = ('login_required', 't')) AS closed,
       'login_required' AS reason

-- section page
-- The defaults of config/site_settings.yml are in no table: title is Discourse, default_locale is English.
SELECT (SELECT value FROM site_settings WHERE name = 'title') AS title,
       (SELECT value FROM site_settings WHERE name = 'default_locale') AS language
