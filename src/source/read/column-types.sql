-- Of each column of a SELECT, by what RowDescription tells (PostgreSQL manual, "Message Formats"): its type, a numeric one
-- with its scale, if it has any; and the column of a table that it is.
SELECT CASE WHEN t.typname = 'numeric' AND f.modifier > 0 AND (f.modifier - 4) & 2047 > 0
            THEN format_type(t.oid, f.modifier) ELSE coalesce(t.typname, 'unknown') END AS type,
       coalesce(t.typcategory::text, 'X') AS category,
       CASE WHEN a.attname IS NOT NULL
            THEN json_build_object('table', a.attrelid::regclass, 'column', quote_ident(a.attname)) END AS "from"
  FROM unnest($1::oid[], $2::int[], $3::oid[], $4::int[]) WITH ORDINALITY AS f (type, modifier, relation, number, nth)
  LEFT JOIN pg_catalog.pg_type t ON t.oid = f.type
  LEFT JOIN pg_catalog.pg_attribute a ON a.attrelid = f.relation AND a.attnum = f.number AND a.attnum > 0
 ORDER BY f.nth
