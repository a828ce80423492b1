-- Nobody votes, comments or registers tomorrow: where rows are dated some hours ahead, and none later, the hours are those
-- of a zone east of UTC. A clock that is a little ahead is left out.
WITH event (relation, at) AS (
  SELECT 'users', created_at::timestamptz FROM {users}
  UNION ALL
  SELECT 'votes', created_at::timestamptz FROM {votes}
  UNION ALL
  SELECT 'comments', created_at::timestamptz FROM {comments}
)
SELECT 'section ' || relation AS about,
       format('%s rows are dated up to %s hours from now, and none later: is created_at a local time that was taken for UTC?',
              to_char(count(*), 'FM999,999,999,999'), ceil(extract(epoch FROM max(at) - now()) / 3600)) AS problem,
       'write (…)::timestamp AT TIME ZONE ''Asia/Tokyo'' AS created_at, with the zone of the platform' AS fix
  FROM event
 WHERE at >= now()
 GROUP BY relation
HAVING count(*) > 1 AND max(at) BETWEEN now() + interval '10 minutes' AND now() + interval '15 hours'
 ORDER BY relation
