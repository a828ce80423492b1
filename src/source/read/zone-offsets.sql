-- The first instant at which an offset is not that of the session's time zone: of 00:00 and 12:00 UTC of each day, of where an
-- offset begins, and of the last second before. AT TIME ZONE would take CET for an abbreviation, which has no summer; the
-- setting takes names only.
SELECT extract(epoch FROM at)::float8 * 1000 AS "atMs", ours / 3600000::float8 AS ours, theirs / 3600::float8 AS theirs
  FROM (SELECT at, ours, extract(timezone FROM at)::int AS theirs
          FROM (SELECT since, ours, lead(since, 1, :to) OVER (ORDER BY since) AS until
                  FROM (VALUES :rules) AS rule (since, ours)) AS rules,
               LATERAL (VALUES (since), (greatest(since, until - interval '1 second'))
                        UNION ALL
                        SELECT generate_series(to_timestamp(floor(extract(epoch FROM since) / 43200) * 43200) + interval '12 hours',
                                               until, interval '12 hours')) AS instants (at)
         WHERE at < until) AS offsets
 WHERE ours <> theirs * 1000
 ORDER BY at
 LIMIT 1
