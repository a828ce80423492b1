-- Accounts by month and by cell of the fine edges (hours, days, windows): every bucket is a union of such groups.
SELECT round(extract(epoch FROM date_trunc('month', at)) * 1000)::float8 AS month_ms,
       width_bucket(at, :edges) AS cell,
       count(*)::float8 AS accounts,
       count(*) FILTER (WHERE id IS NULL OR at IS NULL OR at < :min_time OR at >= :max_time)::float8 AS bad,
       count(*) FILTER (WHERE at >= :as_of)::float8 AS future
  FROM (SELECT id, created_at::timestamptz AS at FROM {users}) account
 GROUP BY 1, 2
