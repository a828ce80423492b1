-- Accounts by UTC month, dated before each of two instants; those without a date (or with one that counts as none) are one
-- group, whose month is NULL, and count before every instant.
SELECT to_char(at, 'YYYY-MM') AS month,
       count(*) FILTER (WHERE at IS NULL OR at < :own_cut)::float8 AS own,
       count(*) FILTER (WHERE at IS NULL OR at < :earlier_cut)::float8 AS earlier
  FROM (SELECT CASE WHEN created_at::timestamptz >= :earliest_date THEN created_at::timestamptz END AS at
          FROM {users}
         WHERE id IS NOT NULL) account
 WHERE at IS NULL OR at < :as_of
 GROUP BY 1
