-- What the session's role may do beyond reading.
SELECT r.rolsuper AS superuser,
       array_remove(ARRAY[CASE WHEN r.rolcreaterole THEN 'create roles' END,
                          CASE WHEN r.rolcreatedb THEN 'create databases' END,
                          CASE WHEN r.rolreplication THEN 'replicate' END,
                          CASE WHEN has_database_privilege(current_database(), 'CREATE') THEN 'create schemas' END],
                    NULL) AS powers,
       ARRAY(SELECT g.rolname::text
               FROM pg_catalog.pg_roles g
              WHERE g.rolname IN ('pg_write_all_data', 'pg_read_server_files', 'pg_write_server_files',
                                  'pg_execute_server_program')
                AND pg_has_role(r.oid, g.oid, 'MEMBER')
              ORDER BY 1) AS groups,
       ARRAY(SELECT n.nspname::text
               FROM pg_catalog.pg_namespace n
              WHERE n.nspname NOT LIKE 'pg\_%' AND n.nspname <> 'information_schema'
                AND has_schema_privilege(n.oid, 'CREATE')
              ORDER BY 1) AS creates_in,
       ARRAY(SELECT c.relname::text
               FROM pg_catalog.pg_class c
               JOIN pg_catalog.pg_namespace n ON n.oid = c.relnamespace
              WHERE c.relkind IN ('r', 'p', 'v', 'm', 'f')
                AND n.nspname NOT LIKE 'pg\_%' AND n.nspname <> 'information_schema'
                AND (has_table_privilege(c.oid, 'INSERT, UPDATE, DELETE, TRUNCATE')
                     OR has_any_column_privilege(c.oid, 'INSERT, UPDATE'))
              ORDER BY 1) AS writes
  FROM pg_catalog.pg_roles r
 WHERE r.rolname = current_user
