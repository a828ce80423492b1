-- How many ideas the mapping returns, and one id that it returns more than once (a join that fans out), with how often:
-- counting it twice would be wrong.
-- By the key that votes and comments are joined on: the id's own type may be one without equality (json).
SELECT count(key)::float8 AS ideas,
       min(ARRAY[key::text, rows::text]) FILTER (WHERE rows > 1 AND key IS NOT NULL) AS twice
  FROM (SELECT key, count(*) AS rows FROM (SELECT id::{idea_key} AS key FROM {ideas}) idea GROUP BY key) counted
