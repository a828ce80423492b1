-- Accounts by month and by cell of the fine edges (hours, days, windows): every bucket is a union of such groups. Those
-- without a time, or with one before the year 1, are a group of their own: month and cell are NULL.
SELECT round(extract(epoch FROM date_trunc('month', at)) * 1000)::float8 AS month_ms,
       width_bucket(at, :edges) AS cell,
       count(*) FILTER (WHERE NOT no_id)::float8 AS accounts,
       count(*) FILTER (WHERE no_id)::float8 AS no_id,
       count(*) FILTER (WHERE NOT no_id AND at >= :as_of)::float8 AS future
  FROM (SELECT id IS NULL AS no_id,
               CASE WHEN created_at::timestamptz >= :min_time THEN created_at::timestamptz END AS at
          FROM {users}) account
 GROUP BY 1, 2
