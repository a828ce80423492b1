-- What of the tables that this transaction has locked differs between its snapshot and now. Rows of pg_catalog are of the
-- snapshot; pg_identify_object(), pg_relation_filenode(), pg_partition_tree() and the privilege functions look things up in the
-- server's caches, which are of now; currtid2() follows a row to its newest committed version.
WITH locks AS MATERIALIZED (
  SELECT locktype, relation, classid, objid, objsubid
    FROM pg_catalog.pg_locks
   WHERE pid = pg_backend_pid() AND granted
     AND database = (SELECT oid FROM pg_catalog.pg_database WHERE datname = current_database())
), used AS MATERIALIZED (
  -- Catalogues, indexes and TOAST are left out: CREATE INDEX and REINDEX change no row.
  SELECT l.relation AS oid, now.schema, now.name, now.identity, c.relnatts, c.relispartition, c.relkind, c.relname,
         c.oid IS NULL
         OR nullif(c.relfilenode, 0) IS DISTINCT FROM pg_relation_filenode(l.relation)
         OR (quote_ident(n.nspname), quote_ident(c.relname)) IS DISTINCT FROM (now.schema, now.name) AS other
    FROM (SELECT DISTINCT relation FROM locks WHERE locktype = 'relation' AND relation >= 16384) AS l
   CROSS JOIN LATERAL pg_identify_object('pg_catalog.pg_class'::regclass, l.relation, 0) AS now
    LEFT JOIN pg_catalog.pg_class c ON c.oid = l.relation
    LEFT JOIN pg_catalog.pg_namespace n ON n.oid = c.relnamespace
   WHERE now.type IN ('table', 'view', 'materialized view', 'foreign table')
), words AS MATERIALIZED (
  SELECT :words::text[] AS list
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
  -- Those that a section or a view names, not those that these call.
  SELECT 'pg_catalog.pg_proc', p.oid, p.ctid, format('function %I', p.proname)
    FROM pg_catalog.pg_proc p
   WHERE p.oid >= 16384
     AND (p.proname = ANY ((SELECT list FROM words)::name[])
          OR p.oid IN (SELECT d.refobjid
                         FROM pg_catalog.pg_depend d
                         JOIN pg_catalog.pg_rewrite r ON d.objid = r.oid AND d.classid = 'pg_catalog.pg_rewrite'::regclass
                         JOIN used u ON u.oid = r.ev_class
                        WHERE d.refclassid = 'pg_catalog.pg_proc'::regclass))
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
  JOIN pg_catalog.pg_namespace n ON n.oid = c.relnamespace AND n.nspname = ANY (current_schemas(false))
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
-- Which tables inherit now, only the locks tell: one that nothing names, and has all columns of one that is read, is an heir.
(SELECT DISTINCT ON (heir.oid) 'partitions', parent.identity
  FROM used parent
  JOIN used heir ON heir.oid <> parent.oid AND heir.relkind = 'r' AND NOT heir.relispartition
 WHERE parent.relkind = 'r' AND NOT parent.relispartition
   AND heir.relname <> ALL ((SELECT list FROM words)::name[])
   AND NOT EXISTS (SELECT FROM pg_catalog.pg_inherits i JOIN used u ON u.oid = i.inhparent WHERE i.inhrelid = heir.oid)
   AND NOT EXISTS (SELECT FROM pg_catalog.pg_depend d
                    WHERE d.refobjid = heir.oid AND d.refclassid = 'pg_catalog.pg_class'::regclass
                      AND d.classid IN ('pg_catalog.pg_rewrite'::regclass, 'pg_catalog.pg_proc'::regclass))
   AND NOT EXISTS (SELECT FROM pg_catalog.pg_proc p WHERE p.oid >= 16384 AND strpos(p.prosrc, heir.relname) > 0)
   AND NOT EXISTS (SELECT attname FROM pg_catalog.pg_attribute WHERE attrelid = parent.oid AND attnum > 0 AND NOT attisdropped
                   EXCEPT
                   SELECT attname FROM pg_catalog.pg_attribute WHERE attrelid = heir.oid)
 ORDER BY heir.oid, parent.relnatts DESC)
UNION ALL
-- All heirs of a table are locked with it, but where ONLY keeps them out.
SELECT DISTINCT 'partitions', parent.identity
  FROM used parent
  JOIN pg_catalog.pg_inherits i ON i.inhparent = parent.oid AND i.inhrelid NOT IN (SELECT oid FROM used)
 WHERE parent.relkind = 'r' AND NOT parent.relispartition
   AND 'only' <> ALL ((SELECT list FROM words)::text[])
   AND NOT EXISTS (SELECT FROM pg_catalog.pg_rewrite r JOIN used u ON u.oid = r.ev_class
                    WHERE pg_get_viewdef(r.ev_class) ~ '\mONLY\M')
   AND NOT EXISTS (SELECT FROM pg_catalog.pg_proc p WHERE p.oid >= 16384 AND p.prosrc ~* '\monly\M')
UNION ALL
-- Before a column that is new the rows of the snapshot have its default value. The columns of partitions are their parent's.
SELECT 'column', format('%s.%s', u.identity, coalesce(quote_ident(a.attname), now.name))
  FROM used u
 CROSS JOIN generate_series(1, u.relnatts + 100) AS number
  LEFT JOIN pg_catalog.pg_attribute a ON a.attrelid = u.oid AND a.attnum = number AND NOT a.attisdropped
 CROSS JOIN LATERAL (
   -- NULL where there is none now: by a role that has no right on any table, since a right on the table would do for any number.
   SELECT CASE WHEN has_column_privilege('pg_signal_backend', u.oid, number::int2, 'REFERENCES') IS NOT NULL
               THEN substr((pg_identify_object('pg_catalog.pg_class'::regclass, u.oid, number)).identity,
                           length(u.identity) + 2) END AS name) AS now
 WHERE NOT u.relispartition
   AND now.name IS DISTINCT FROM quote_ident(a.attname)
   AND (SELECT :anyColumn OR quote_ident(a.attname) = ANY (list) OR now.name = ANY (list)
          FROM (SELECT array_agg(quote_ident(word)) AS list FROM words, unnest(list) AS word) AS quoted)
UNION ALL
SELECT 'definition', name
  FROM definitions
 WHERE currtid2(catalog, ctid) <> ctid
    OR (catalog <> 'pg_catalog.pg_enum' AND pg_describe_object(catalog::regclass, oid, 0) IS NULL)
