-- mapping: open-polis
-- A worked example: the open data of Polis (pol.is), where people write short statements into a conversation and agree
-- with, disagree with or pass on those of others. Here a statement is an idea, a conversation is its category and
-- agreeing is voting. Used like any mapping of your own:
--   analytics-build --source docs/examples/open-polis.sql --database-url postgresql://…
--
-- The five questions, answered for Polis:
--   Which rows can a logged-out visitor not see?  Statements that the moderators rejected: mod = -1.
--   Which status means launched, and when?        None: nothing is ever launched.
--   One category or many?                         Exactly one: the conversation.
--   Are times UTC without zone?                   Neither: they are whole milliseconds since 1970.
--   Several sites in one database?                Several conversations, all of them public.
-- requires polis.conversations(zid, topic)
-- requires polis.comments(zid, tid, pid, created, mod, txt)
-- requires polis.votes(zid, tid, pid, created, vote)

-- section users
-- There is no table of accounts. A participant (pid) exists within one conversation, so a person is zid-pid, and whoever
-- takes part in two conversations is two people: nothing in the data says otherwise. They arrived when they first
-- wrote or voted, whatever became of the statement. min(created) and not the vote that holds: changing one's mind
-- later does not move the day of arrival.
-- Divide by 1000.0, not by 1000: whole numbers would lose the milliseconds.
SELECT zid || '-' || pid AS id, to_timestamp(min(created) / 1000.0) AS created_at
  FROM (SELECT zid, pid, created FROM polis.votes
        UNION ALL
        SELECT zid, pid, created FROM polis.comments) AS action
 GROUP BY zid, pid

-- section ideas
-- mod: -1 rejected, 0 not moderated yet (shown by Polis unless a conversation is strictly moderated, which this data
-- does not tell), 1 accepted. tid counts from 0 in every conversation, so the id needs both.
SELECT zid || '-' || tid AS id, txt AS title, to_timestamp(created / 1000.0) AS created_at,
       false AS launched, NULL::timestamptz AS launched_at,
       NULL::text AS url,  -- the public address holds a code of the conversation that is not in the data
       zid || '-' || pid AS author_id,
       CASE mod WHEN 1 THEN 'accepted' ELSE 'unmoderated' END AS status
  FROM polis.comments
 WHERE mod <> -1

-- section idea_categories
-- Categories of rejected statements may stand here: what "ideas" did not return does not count.
SELECT c.zid || '-' || c.tid AS idea_id, v.topic AS category
  FROM polis.comments c JOIN polis.conversations v ON v.zid = c.zid

-- section votes
-- The table is a history: who votes on a statement again adds a row, and the last row holds, also when it takes back
-- an agreement. Among rows of the same millisecond agreeing wins over passing, passing over disagreeing: any fixed
-- rule would do, but without one two builds of the same data could differ.
-- In this export 1 agrees, -1 disagrees, 0 passes. Polis's own database stores agreement as -1: there, write -vote.
SELECT DISTINCT ON (zid, tid, pid)
       zid || '-' || tid AS idea_id, zid || '-' || pid AS user_id, vote::int AS value,
       to_timestamp(created / 1000.0) AS created_at
  FROM polis.votes
 ORDER BY zid, tid, pid, created DESC, vote DESC

-- section comments
-- Polis has no discussion below a statement. A relation without rows still needs its columns, with their types.
SELECT NULL::text AS id, NULL::text AS idea_id, NULL::text AS user_id, NULL::timestamptz AS created_at WHERE false

-- section categories
-- Also conversations in which nothing is to be seen yet.
SELECT topic AS name FROM polis.conversations
