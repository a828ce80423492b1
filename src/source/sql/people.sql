-- Distinct people per bucket and per window, counted where the rows are. An activity is a vote, a comment or an idea of
-- a known person (kinds 2, 4, 1) that counts; a cell is a piece of time that no bucket or window cuts, so every one of
-- them is a run of cells. width_bucket finds the cell by binary search; undated votes have cell NULL and count in
-- `all` only.
WITH cells AS MATERIALIZED (
  SELECT person, width_bucket(at, :edges) AS cell, bit_or(kind) AS kinds
    FROM (SELECT user_id::{person_key} AS person, created_at::timestamptz AS at, 2 AS kind, idea_id::{idea_key} AS idea
            FROM {votes} WHERE value > 0 AND user_id IS NOT NULL
          UNION ALL
          SELECT user_id::{person_key}, created_at::timestamptz, 4, idea_id::{idea_key}
            FROM {comments} WHERE user_id IS NOT NULL) event
   WHERE (at IS NULL OR at < :as_of)
     AND EXISTS (SELECT FROM {ideas} WHERE id::{idea_key} = idea AND created_at::timestamptz < :as_of)
   GROUP BY 1, 2
  UNION ALL
  SELECT author_id::{person_key}, width_bucket(created_at::timestamptz, :edges), 1
    FROM {ideas} WHERE author_id IS NOT NULL AND created_at::timestamptz < :as_of
   GROUP BY 1, 2
), spans AS (
  SELECT 'month' AS span, (:month_of)[cell] AS bucket, person, bit_or(kinds) AS kinds
    FROM cells WHERE cell > 0 GROUP BY 2, 3
  UNION ALL
  SELECT 'hour', (:hour_of)[cell], person, bit_or(kinds) FROM cells WHERE cell >= :from_24h GROUP BY 2, 3
  UNION ALL
  SELECT 'day', (:day_of)[cell], person, bit_or(kinds) FROM cells WHERE cell >= :from_90d GROUP BY 2, 3
  UNION ALL
  SELECT 'first day of 30d', 1, person, bit_or(kinds)
    FROM cells WHERE cell >= :from_30d AND cell < :second_of_30d GROUP BY 3
  UNION ALL
  SELECT 'first day of 7d', 1, person, bit_or(kinds)
    FROM cells WHERE cell >= :from_7d AND cell < :second_of_7d GROUP BY 3
  UNION ALL
  SELECT 'window', w.index, person, 0
    FROM cells, (VALUES (1, :from_24h, NULL), (2, :from_7d, NULL), (3, :from_30d, NULL), (4, :from_90d, NULL),
                        (5, :before_24h, :from_24h), (6, :before_7d, :from_7d), (7, :before_30d, :from_30d),
                        (8, :before_90d, :from_90d)) AS w (index, first, beyond)
   WHERE cell >= w.first AND (w.beyond IS NULL OR cell < w.beyond) GROUP BY 2, 3
  UNION ALL
  SELECT 'all', 1, person, 0 FROM cells GROUP BY 3
)
SELECT span, bucket, count(*)::float8 AS active,
       count(*) FILTER (WHERE kinds & 1 <> 0)::float8 AS authors,
       count(*) FILTER (WHERE kinds & 2 <> 0)::float8 AS voters,
       count(*) FILTER (WHERE kinds & 4 <> 0)::float8 AS commenters
  FROM spans GROUP BY 1, 2
