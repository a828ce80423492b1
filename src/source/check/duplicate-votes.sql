-- Users who have more than one counting vote on an idea that counts: each such row is a vote, unless the mapping
-- groups them.
SELECT count(*)::float8 AS pairs, coalesce(sum(rows - 1), 0)::float8 AS extra, min(idea) AS example
  FROM (SELECT idea_id::{idea_key}::text AS idea, count(*) AS rows
          FROM {votes}
         WHERE value > 0 AND user_id IS NOT NULL
           AND idea_id::{idea_key} IN (SELECT id::{idea_key} FROM {ideas})
         GROUP BY idea_id::{idea_key}, user_id::{user_key} HAVING count(*) > 1) AS again
