-- From when to when rows are dated that are too early or too late, and what unit, or zone, half of them look like. A line
-- of text.
WITH odd AS (
  SELECT created_at
    FROM (SELECT created_at::timestamptz AS created_at FROM {rows}) AS r
   WHERE isfinite(created_at) AND (created_at < '1990-01-01' OR created_at >= now())
),
span AS (
  SELECT min(created_at) AS first, max(created_at) AS last, percentile_disc(0.5) WITHIN GROUP (ORDER BY created_at) AS half
    FROM odd
)
SELECT format('created_at is from %s to %s%s', to_char(first, 'YYYY-MM-DD HH24:MI'), to_char(last, 'YYYY-MM-DD HH24:MI'),
              CASE WHEN half = 'epoch' THEN ': 0 was taken for a time; write nullif(…, 0)'
                   WHEN half BETWEEN 'epoch' AND '1970-03-01'
                   THEN ': seconds were taken for milliseconds; write to_timestamp(…) without a division'
                   WHEN half > '3000-01-01' THEN ': milliseconds were taken for seconds; write to_timestamp(… / 1000.0)'
                   WHEN first >= now() AND last < now() + interval '15 hours'
                   THEN ': a local time was taken for UTC; write AT TIME ZONE with its zone'
                   ELSE '' END) AS text
  FROM span
 WHERE first IS NOT NULL
