-- Users who have more than one counting vote on an idea that counts: each such row is a vote, unless the mapping
-- groups them.
SELECT 'section votes' AS about,
       format('%s times a user has several votes on an idea (such as on %s): %s votes too many, if one counts',
              to_char(count(*), 'FM999,999,999,999'), min(idea), to_char(sum(rows - 1), 'FM999,999,999,999')) AS problem,
       'if one counts, keep the first: … min(created_at) … GROUP BY idea_id, user_id' || E'\n' ||
       'or, of a history, the last: SELECT DISTINCT ON (idea_id, user_id) … ORDER BY idea_id, user_id, created_at DESC NULLS LAST'
         AS fix
  FROM (SELECT idea_id::{idea_key}::text AS idea, count(*) AS rows
          FROM {votes}
         WHERE value > 0 AND user_id IS NOT NULL
           AND idea_id::{idea_key} IN (SELECT id::{idea_key} FROM {ideas})
         GROUP BY idea_id::{idea_key}, user_id::{user_key} HAVING count(*) > 1) AS again
HAVING count(*) > 0
