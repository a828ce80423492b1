-- What of the tables that this transaction has locked differs between its snapshot and now. Rows of pg_catalog are of the
-- snapshot; pg_identify_object(), pg_relation_filenode(), pg_partition_tree() and the privilege functions look things up in the
-- server's caches, which are of now; currtid2() follows a row to its newest committed version.
WITH RECURSIVE locks AS MATERIALIZED (
  SELECT locktype, relation, classid, objid, objsubid
    FROM pg_catalog.pg_locks
   WHERE pid = pg_backend_pid() AND granted
     AND database = (SELECT oid FROM pg_catalog.pg_database WHERE datname = current_database())
), used AS MATERIALIZED (
  -- Catalogues, indexes and TOAST are left out: CREATE INDEX and REINDEX change no row.
  SELECT l.relation AS oid, now.schema, now.name, now.identity, c.relnatts, c.relispartition, c.relkind, c.relname,
         c.oid IS NULL
         -- A view that was made of a table by a rule keeps the number of a file (before PostgreSQL 16).
         OR CASE WHEN c.relkind IN ('r', 'm') THEN nullif(c.relfilenode, 0) END
            IS DISTINCT FROM pg_relation_filenode(l.relation)
         -- Whether policies hide rows from the role (manual, CREATE POLICY); a role that bypasses them is asked for none.
         OR (c.relrowsecurity AND (c.relforcerowsecurity OR NOT pg_has_role(c.relowner, 'USAGE'))
             AND (SELECT NOT (rolsuper OR rolbypassrls) FROM pg_catalog.pg_roles WHERE rolname = current_user))
            IS DISTINCT FROM row_security_active(l.relation)
         OR (quote_ident(n.nspname), quote_ident(c.relname)) IS DISTINCT FROM (now.schema, now.name) AS other
    FROM (SELECT DISTINCT relation FROM locks WHERE locktype = 'relation' AND relation >= 16384) AS l
   CROSS JOIN LATERAL pg_identify_object('pg_catalog.pg_class'::regclass, l.relation, 0) AS now
    LEFT JOIN pg_catalog.pg_class c ON c.oid = l.relation
    LEFT JOIN pg_catalog.pg_namespace n ON n.oid = c.relnamespace
   WHERE now.type IN ('table', 'view', 'materialized view', 'foreign table')
), called (oid, proname, prosrc, ctid) AS (
  -- Functions that a section, a view or a policy names, those of operators and casts, and those that these call.
  SELECT p.oid, p.proname, p.prosrc, p.ctid
    FROM pg_catalog.pg_proc p
   WHERE p.oid >= 16384
     AND (p.proname = ANY (:words::name[])
          OR p.oid IN (SELECT oprcode FROM pg_catalog.pg_operator WHERE oid >= 16384)
          OR p.oid IN (SELECT castfunc FROM pg_catalog.pg_cast WHERE oid >= 16384)
          OR p.oid IN (SELECT d.refobjid
                         FROM (SELECT 'pg_catalog.pg_rewrite'::regclass AS catalog, oid, ev_class AS relation
                                 FROM pg_catalog.pg_rewrite
                                UNION ALL
                               SELECT 'pg_catalog.pg_policy'::regclass, oid, polrelid FROM pg_catalog.pg_policy) AS of
                         JOIN used u ON u.oid = of.relation
                         JOIN pg_catalog.pg_depend d ON d.classid = of.catalog AND d.objid = of.oid
                        WHERE d.refclassid = 'pg_catalog.pg_proc'::regclass))
  UNION
  SELECT p.oid, p.proname, p.prosrc, p.ctid
    FROM called c
   CROSS JOIN LATERAL (SELECT oid
                         FROM pg_catalog.pg_proc
                        WHERE proname = ANY (regexp_split_to_array(c.prosrc || ' ' || lower(c.prosrc), '[^[:alnum:]_$]+')::name[])
                        UNION ALL
                       -- Of an aggregate, and of a body that the server has parsed (BEGIN ATOMIC).
                       SELECT refobjid
                         FROM pg_catalog.pg_depend
                        WHERE classid = 'pg_catalog.pg_proc'::regclass AND objid = c.oid
                          AND refclassid = 'pg_catalog.pg_proc'::regclass) AS named
    JOIN pg_catalog.pg_proc p ON p.oid = named.oid AND p.oid >= 16384
), words AS MATERIALIZED (
  SELECT :words::name[]::text[]
         || (SELECT array_agg(DISTINCT word)
               FROM called, regexp_split_to_table(prosrc || ' ' || lower(prosrc), '[^[:alnum:]_$]+') AS word) AS list
), definitions AS (
  SELECT 'pg_catalog.pg_rewrite' AS catalog, r.oid, r.ctid, u.identity AS name
    FROM pg_catalog.pg_rewrite r JOIN used u ON u.oid = r.ev_class
  UNION ALL
  SELECT 'pg_catalog.pg_policy', p.oid, p.ctid, format('policy %I on %s', p.polname, u.identity)
    FROM pg_catalog.pg_policy p JOIN used u ON u.oid = p.polrelid
  UNION ALL
  SELECT 'pg_catalog.pg_enum', e.oid, e.ctid, format('value %L of type %s', e.enumlabel, e.enumtypid::regtype)
    FROM pg_catalog.pg_enum e
   WHERE e.oid >= 16384
  UNION ALL
  SELECT 'pg_catalog.pg_attribute', a.attrelid, a.ctid, format('attribute %I of type %s', a.attname, c.reltype::regtype)
    FROM pg_catalog.pg_attribute a JOIN pg_catalog.pg_class c ON c.oid = a.attrelid
   WHERE c.relkind = 'c' AND c.oid >= 16384 AND NOT a.attisdropped
  UNION ALL
  -- As whom a view reads: its owner, its options.
  SELECT 'pg_catalog.pg_class', c.oid, c.ctid, u.identity
    FROM pg_catalog.pg_class c JOIN used u ON u.oid = c.oid
   WHERE c.relkind = 'v'
  UNION ALL
  SELECT 'pg_catalog.pg_proc', oid, ctid, format('function %I', proname) FROM called
)
SELECT 'server' AS what, '' AS name
 WHERE :traces <> (SELECT count(*) FROM locks
                    WHERE locktype = 'advisory' AND classid = :read::oid AND objid <= :traces AND objsubid = 2)
UNION ALL
SELECT 'table', identity FROM used WHERE other
UNION ALL
-- A name may lead to another table when one that stood before it in the search_path is gone.
SELECT DISTINCT 'table', format('%I.%I', n.nspname, c.relname)
  FROM used u
  JOIN pg_catalog.pg_class c ON c.relname = u.relname AND c.oid <> u.oid AND c.relkind IN ('r', 'p', 'v', 'm', 'f')
  JOIN pg_catalog.pg_namespace n ON n.oid = c.relnamespace
   AND (n.nspname = ANY (current_schemas(false)) OR to_regnamespace(quote_ident(n.nspname)) IS NULL)
 WHERE has_table_privilege(c.oid, 'SELECT') IS NULL
    OR (SELECT (schema, name) IS DISTINCT FROM (quote_ident(n.nspname), quote_ident(c.relname))
          FROM pg_identify_object('pg_catalog.pg_class'::regclass, c.oid, 0))
UNION ALL
SELECT 'partitions', identity
  FROM used u
 WHERE relkind = 'p'
   AND (SELECT array_agg(i.inhrelid ORDER BY i.inhrelid)
          FROM pg_catalog.pg_inherits i
         WHERE i.inhparent = u.oid AND NOT coalesce((to_jsonb(i) ->> 'inhdetachpending')::boolean, false))
       IS DISTINCT FROM
       (SELECT array_agg(relid::oid ORDER BY relid::oid) FROM pg_partition_tree(u.oid) WHERE parentrelid = u.oid)
UNION ALL
-- Which tables inherit now, only the locks tell: one that nothing names, with all columns of one that is read, is its child.
(SELECT DISTINCT ON (child.oid) 'partitions', parent.identity
  FROM used parent
  JOIN used child ON child.oid <> parent.oid AND child.relkind = 'r' AND NOT child.relispartition
 WHERE parent.relkind = 'r' AND NOT parent.relispartition
   AND child.relname <> ALL ((SELECT list FROM words)::name[])
   AND NOT EXISTS (SELECT FROM pg_catalog.pg_inherits i JOIN used u ON u.oid = i.inhparent WHERE i.inhrelid = child.oid)
   AND NOT EXISTS (SELECT FROM pg_catalog.pg_depend d
                    WHERE d.refobjid = child.oid AND d.refclassid = 'pg_catalog.pg_class'::regclass
                      AND d.classid IN ('pg_catalog.pg_rewrite'::regclass, 'pg_catalog.pg_proc'::regclass))
   AND NOT EXISTS (SELECT FROM pg_catalog.pg_proc p WHERE p.oid >= 16384 AND strpos(p.prosrc, child.relname) > 0)
   AND NOT EXISTS (SELECT attname FROM pg_catalog.pg_attribute WHERE attrelid = parent.oid AND attnum > 0 AND NOT attisdropped
                   EXCEPT
                   SELECT attname FROM pg_catalog.pg_attribute WHERE attrelid = child.oid)
 ORDER BY child.oid, parent.relnatts DESC)
UNION ALL
-- A child table (INHERITS) that is gone, or that is a child no more: that counts the columns that it has of its parent anew.
SELECT 'table', format('%I.%I', n.nspname, c.relname)
  FROM used u
  JOIN pg_catalog.pg_inherits i ON i.inhparent = u.oid AND u.relkind = 'r'
  JOIN pg_catalog.pg_class c ON c.oid = i.inhrelid
  JOIN pg_catalog.pg_namespace n ON n.oid = c.relnamespace
 WHERE has_table_privilege(c.oid, 'SELECT') IS NULL
    OR EXISTS (SELECT FROM pg_catalog.pg_attribute a
                WHERE a.attrelid = c.oid AND a.attinhcount > 0 AND currtid2('pg_catalog.pg_attribute', a.ctid) <> a.ctid)
UNION ALL
-- Before a column that is new the rows of the snapshot have its default value. The columns of a partition or a child
-- are its parent's.
SELECT 'column', format('%s.%s', u.identity, coalesce(quote_ident(a.attname), now.name))
  FROM used u
 CROSS JOIN generate_series(1, u.relnatts + 100) AS number
  LEFT JOIN pg_catalog.pg_attribute a ON a.attrelid = u.oid AND a.attnum = number AND NOT a.attisdropped
 CROSS JOIN LATERAL (
   -- NULL where there is none now: of a right on the whole table, which would do for any number, nobody gives PUBLIC the
   -- grant option, and nobody a role of the server's own.
   SELECT CASE WHEN has_column_privilege('pg_signal_backend', u.oid, number::int2, 'REFERENCES WITH GRANT OPTION') IS NOT NULL
               THEN substr((pg_identify_object('pg_catalog.pg_class'::regclass, u.oid, number)).identity,
                           length(u.identity) + 2) END AS name) AS now
 WHERE u.oid NOT IN (SELECT inhrelid FROM pg_catalog.pg_inherits WHERE inhparent IN (SELECT oid FROM used))
   AND now.name IS DISTINCT FROM quote_ident(a.attname)
   AND (SELECT :anyColumn OR quote_ident(a.attname) = ANY (list) OR now.name = ANY (list)
          FROM (SELECT array_agg(quote_ident(word)) AS list FROM words, unnest(list) AS word) AS quoted)
UNION ALL
SELECT 'definition', name
  FROM definitions
 WHERE currtid2(catalog, ctid) <> ctid
    OR (catalog NOT IN ('pg_catalog.pg_enum', 'pg_catalog.pg_attribute') AND pg_describe_object(catalog::regclass, oid, 0) IS NULL)
