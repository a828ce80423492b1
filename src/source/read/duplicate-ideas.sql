-- One id that the mapping returns more than once (a join that fans out), with how often: counting it twice would be wrong.
-- By the key that votes and comments are joined on: the id's own type may be one without equality (json).
SELECT key::text AS id, count(*)::float8 AS times
  FROM (SELECT id::{idea_key} AS key FROM {ideas}) idea
 GROUP BY key
HAVING count(*) > 1
 ORDER BY key::text
 LIMIT 1
