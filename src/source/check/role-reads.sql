-- What the session's role may read beyond the columns that the mapping reads. What extensions bring is not counted.
SELECT format('%I.%I', n.nspname, c.relname) AS name,
       array_agg(a.attname::text ORDER BY a.attnum) AS columns
  FROM pg_catalog.pg_class c
  JOIN pg_catalog.pg_namespace n ON n.oid = c.relnamespace
  JOIN pg_catalog.pg_attribute a ON a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped
 WHERE c.relkind IN ('r', 'p', 'v', 'm', 'f')
   AND n.nspname NOT LIKE 'pg\_%' AND n.nspname <> 'information_schema'
   AND has_schema_privilege(n.oid, 'USAGE')
   AND has_any_column_privilege(c.oid, 'SELECT')
   AND has_column_privilege(c.oid, a.attnum, 'SELECT')
   AND NOT EXISTS (SELECT FROM pg_catalog.pg_depend d
                    WHERE d.classid = 'pg_catalog.pg_class'::regclass AND d.objid = c.oid AND d.deptype = 'e')
   AND NOT EXISTS (SELECT FROM json_array_elements(:requires::json) r,
                               json_array_elements_text(r -> 'columns') named
                    WHERE to_regclass(r ->> 'table') = c.oid AND named = a.attname)
 GROUP BY n.nspname, c.relname
 -- What is of people first: only some tables are shown.
 ORDER BY bool_or(a.attname ~* 'mail|passw|token|secret|phone') DESC, 1
