-- mapping: open-polis
-- The open data of Polis (github.com/compdemocracy/openData). A statement is an idea, its conversation the category,
-- agreeing is voting.
-- The five questions:
--   Which rows can a logged-out visitor not see?  Statements that the moderators rejected: mod = -1.
--   Which status means launched, and when?        None: nothing is ever launched.
--   One category or many?                         Exactly one: the conversation.
--   Are times UTC without zone?                   Neither: they are whole milliseconds since 1970.
--   Several sites in one database?                Several conversations, all of them public.
-- requires polis.conversations(zid, topic)
-- requires polis.comments(zid, tid, pid, created, mod, txt)
-- requires polis.votes(zid, tid, pid, created, vote)

-- section users
-- There is no table of accounts. Whoever takes part in two conversations has two pids, and is two people. They arrived when
-- they first wrote or voted. 1000.0 and not 1000: whole numbers would lose the milliseconds.
SELECT zid || '-' || pid AS id, to_timestamp(min(created) / 1000.0) AS created_at
  FROM (SELECT zid, pid, created FROM polis.votes
        UNION ALL
        SELECT zid, pid, created FROM polis.comments) AS action
 GROUP BY zid, pid

-- section ideas
-- mod is 1 for accepted and 0 for not moderated yet, which Polis shows. tid counts from 0 in every conversation. The data
-- lacks the code of the conversation that an address needs.
SELECT zid || '-' || tid AS id, txt AS title, to_timestamp(created / 1000.0) AS created_at,
       false AS launched, NULL::timestamptz AS launched_at, NULL::text AS url,
       zid || '-' || pid AS author_id, CASE mod WHEN 1 THEN 'accepted' ELSE 'unmoderated' END AS status
  FROM polis.comments
 WHERE mod <> -1

-- section idea_categories
SELECT c.zid || '-' || c.tid AS idea_id, v.topic AS category
  FROM polis.comments c JOIN polis.conversations v ON v.zid = c.zid

-- section votes
-- The table is a history: the last row holds, and "vote DESC" decides among rows of the same millisecond. Here 1 agrees, -1
-- disagrees, 0 passes. Polis's own database stores agreement as -1: there, write -vote.
SELECT DISTINCT ON (zid, tid, pid)
       zid || '-' || tid AS idea_id, zid || '-' || pid AS user_id, vote::int AS value,
       to_timestamp(created / 1000.0) AS created_at
  FROM polis.votes
 ORDER BY zid, tid, pid, created DESC, vote DESC

-- section comments
-- Polis has none, but the columns are needed, with their types.
SELECT NULL::text AS id, NULL::text AS idea_id, NULL::text AS user_id, NULL::timestamptz AS created_at WHERE false

-- section categories
SELECT topic AS name FROM polis.conversations
