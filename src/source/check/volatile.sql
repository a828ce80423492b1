-- Sections that call what PostgreSQL or an extension says may differ from call to call, whatever the arguments are.
WITH call AS (SELECT relation, name FROM json_to_recordset(:calls::json) AS c (relation text, name text)),
volatile AS (
  SELECT p.proname::text AS name
    FROM pg_catalog.pg_proc p
   WHERE p.proname IN (SELECT name FROM call)
     AND (p.oid < 16384
          OR EXISTS (SELECT FROM pg_catalog.pg_depend d
                      WHERE d.classid = 'pg_catalog.pg_proc'::regclass AND d.objid = p.oid AND d.deptype = 'e'))
   GROUP BY 1
  HAVING bool_and(p.provolatile = 'v')
  UNION ALL SELECT 'TABLESAMPLE'
)
SELECT 'section ' || relation AS about,
       format('it uses %s, which gives something else each time: two builds of the same rows differ, and one build may contradict itself',
              string_agg(name, ', ' ORDER BY name)) AS problem,
       'let it depend on nothing but the rows; now() is the same for the whole of a build' AS fix
  FROM call JOIN volatile USING (name)
 GROUP BY relation
 ORDER BY relation
