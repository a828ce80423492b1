-- mapping: NAME
-- How this platform's tables become public statistics. Answer the five questions, change the SELECTs below until
-- "analytics-build check" has no error and its totals are those of the site, then build. Each SELECT can be tried in psql.
--
-- 1. Which rows can a logged-out visitor not see?  Drafts, hidden, deleted, merged, spam, private boards, closed sites:
--    leave them out of "ideas" (and accounts that do not count out of "users"). Votes, comments and categories of an
--    idea that "ideas" does not return never count, so they need no such conditions; hidden comments and votes that were
--    taken back do.
-- 2. Which status means launched, and where is its date?  "launched" decides; "launched_at" may be NULL (no date known).
-- 3. One category or many?  idea_categories has a row per idea and category; none is fine, too. Of a tree choose a level:
--    an idea counts once in each category that it has here.
-- 4. Are times UTC without zone?  timestamptz needs nothing; of a timestamp write: created_at AT TIME ZONE 'UTC'; of a
--    number of seconds: to_timestamp(created); of milliseconds: to_timestamp(created / 1000.0); of a date: the midnight
--    that is meant, done_on::timestamp AT TIME ZONE 'Europe/Paris'.
-- 5. Several sites in one database?  Then a parameter says which: take the two dashes before "param" for an example,
--    and write tenant_id = :tenant in users, ideas and categories (and where else it saves reading). "choices", with
--    the SELECT on the lines below it, lets check list them.
-- -- param tenant : int -- the site: tenants.id
-- -- choices tenant
-- SELECT id AS value, name AS label FROM tenants
--
-- Ids may be of any type. Quoted names stay quoted: "createdAt". Every column below must be there, and no other.
-- TABLES
-- Name what the SELECTs read, so that a build can tell what is missing and "analytics-build grants" what to grant; check
-- proposes these lines while there are none:
-- -- requires users(id, created_at)

-- section users
-- One row per account that counts.
SELECT id, created_at
  FROM users

-- section ideas
-- Every idea that an anonymous visitor can see, and no other. url: a path, joined to --site-url, or a whole address.
SELECT id, title, created_at,
       status = 'done' AS launched, done_at AS launched_at,
       '/ideas/' || id AS url, author_id, status
  FROM ideas
 WHERE published

-- section idea_categories
SELECT idea_id, category
  FROM idea_categories

-- section votes
-- value above zero is a vote; others are ignored. user_id and created_at may be NULL: NULL::int, NULL::timestamptz.
-- Of a history keep the row that holds: SELECT DISTINCT ON (idea_id, user_id) … ORDER BY idea_id, user_id, created_at
-- DESC NULLS LAST.
SELECT idea_id, user_id, 1 AS value, created_at
  FROM votes

-- section comments
-- No comments at all?  SELECT NULL::int AS id, NULL::int AS idea_id, NULL::int AS user_id, NULL::timestamptz AS created_at
--                       WHERE false
SELECT id, idea_id, user_id, created_at
  FROM comments

-- section categories
-- Lists categories that no idea has yet. The section may be left out.
SELECT name
  FROM categories

-- Can the whole site be closed to visitors (private, login required, blocked)?  Then take the first two dashes away from
-- these lines and say so: exactly one row of true or false. While it is true, every build publishes zeros at once and
-- removes the older releases. The reason, which may be left out, is for the log only.
-- -- section closed
-- SELECT is_private AS closed, 'is_private' AS reason
--   FROM settings

-- What does the platform call itself?  setup proposes it for the page if you take the first two dashes away from these
-- lines: at most one row, of which each column may be left out.
-- -- section page
-- SELECT name AS title, locale AS language, 'https://' || host AS url
--   FROM settings
