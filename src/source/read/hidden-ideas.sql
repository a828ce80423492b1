-- Of rows whose idea is not among the ideas, up to 1,000: which part has one that is in the table of the ideas, from which
-- section ideas leaves it out, as it does with what visitors cannot see. All of them, where there is no idea at all.
WITH known AS (SELECT id::{idea_key} AS key FROM {ideas} WHERE id IS NOT NULL),
lost AS (
  SELECT r.key
    FROM (SELECT idea_id::{idea_key} AS key FROM {rows}) AS r
   WHERE r.key IS NOT NULL AND NOT EXISTS (SELECT FROM known k WHERE k.key = r.key)
   LIMIT 1000
),
hidden AS (
  SELECT FROM lost WHERE EXISTS (SELECT FROM {ideas_table} t WHERE t.{ideas_column}::{idea_key} = lost.key)
)
SELECT CASE WHEN NOT EXISTS (SELECT FROM known) THEN 1
            ELSE (SELECT count(*) FROM hidden)::float8 / greatest(1, (SELECT count(*) FROM lost)) END AS hidden
