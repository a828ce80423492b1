-- The platform's tables with their columns, and what the session's role may do with them. Every role may
-- read the names, so a role without privileges can still be told what to grant.
SELECT n.nspname AS schema, c.relname AS name,
       pg_table_is_visible(c.oid) AS visible,
       has_schema_privilege(n.oid, 'USAGE') AS usable,
       row_security_active(c.oid) AS "rowSecurity",
       greatest(0, c.reltuples)::float8 AS rows,
       (SELECT coalesce(json_agg(json_build_object(
                 'name', a.attname,
                 'type', format_type(a.atttypid, a.atttypmod),
                 'readable', has_column_privilege(c.oid, a.attnum, 'SELECT')) ORDER BY a.attnum), '[]')
          FROM pg_catalog.pg_attribute a
         WHERE a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped) AS columns,
       c.relispartition AS "isPartition"
  FROM pg_catalog.pg_class c
  JOIN pg_catalog.pg_namespace n ON n.oid = c.relnamespace
 WHERE c.relkind IN ('r', 'p', 'v', 'm', 'f')
   AND n.nspname <> 'information_schema' AND n.nspname NOT LIKE 'pg\_%'
   AND (:names IS NULL OR c.relname = ANY (:names))
 ORDER BY 1, 2
