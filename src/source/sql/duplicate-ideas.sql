-- One id that the mapping's `ideas` returns more than once (a join that fans out): counting it twice would be wrong.
SELECT id::text AS id, count(*)::float8 AS rows FROM {ideas} GROUP BY id HAVING count(*) > 1 ORDER BY 1 LIMIT 1
