-- One id that the mapping's `ideas` returns more than once (a join that fans out): counting it twice would be wrong.
-- By the key that votes and comments are joined on: the id's own type may be one without equality (json).
SELECT key::text AS id, count(*)::float8 AS rows
  FROM (SELECT id::{idea_key} AS key FROM {ideas}) idea
 GROUP BY key HAVING count(*) > 1 ORDER BY 1 LIMIT 1
