-- Accounts by month and by slice of the fine edges (hours, days, windows): every bucket is a union of such groups. Those
-- without a date (or with one that counts as none), those at or after :people_as_of (`later`) and those of the future are
-- one group: month and slice are NULL. So the number of groups is bounded by the months since the earliest date, whatever
-- the dates are.
SELECT round(extract(epoch FROM date_trunc('month', CASE WHEN at < :people_as_of THEN at END)) * 1000)::float8 AS month_ms,
       width_bucket(CASE WHEN at < :people_as_of THEN at END, :edges) AS slice,
       count(*) FILTER (WHERE NOT no_id)::float8 AS accounts,
       count(*) FILTER (WHERE no_id)::float8 AS no_id,
       count(*) FILTER (WHERE NOT no_id AND at >= :people_as_of AND at < :as_of)::float8 AS later,
       count(*) FILTER (WHERE NOT no_id AND at >= :as_of)::float8 AS future
  FROM (SELECT id IS NULL AS no_id,
               CASE WHEN created_at::timestamptz >= :earliest_date THEN created_at::timestamptz END AS at
          FROM {users}) account
 GROUP BY 1, 2
