-- Columns that are to meet, and do so as text only, because one is of another type. Those that are NULL everywhere are
-- left out: the type of NULL says nothing.
WITH key (nth, of, relation, name, type) AS (
  (SELECT 1, 'idea', 'ideas', 'id', pg_typeof(id)::text FROM {ideas} WHERE id IS NOT NULL LIMIT 1)
  UNION ALL
  (SELECT 2, 'idea', 'idea_categories', 'idea_id', pg_typeof(idea_id)::text FROM {idea_categories} WHERE idea_id IS NOT NULL LIMIT 1)
  UNION ALL
  (SELECT 3, 'idea', 'votes', 'idea_id', pg_typeof(idea_id)::text FROM {votes} WHERE idea_id IS NOT NULL LIMIT 1)
  UNION ALL
  (SELECT 4, 'idea', 'comments', 'idea_id', pg_typeof(idea_id)::text FROM {comments} WHERE idea_id IS NOT NULL LIMIT 1)
  UNION ALL
  (SELECT 5, 'user', 'ideas', 'author_id', pg_typeof(author_id)::text FROM {ideas} WHERE author_id IS NOT NULL LIMIT 1)
  UNION ALL
  (SELECT 6, 'user', 'votes', 'user_id', pg_typeof(user_id)::text FROM {votes} WHERE user_id IS NOT NULL LIMIT 1)
  UNION ALL
  (SELECT 7, 'user', 'comments', 'user_id', pg_typeof(user_id)::text FROM {comments} WHERE user_id IS NOT NULL LIMIT 1)
),
kind AS (
  SELECT *, CASE WHEN type IN ('smallint', 'integer', 'bigint') THEN 'bigint'
                 WHEN type IN ('text', 'character varying', 'character', 'name') THEN 'text' ELSE type END AS kind
    FROM key
),
pair AS (
  SELECT *, first_value(kind) OVER one AS first_kind, first_value(type) OVER one AS first_type,
         first_value(relation || '.' || name) OVER one AS first_name
    FROM kind WINDOW one AS (PARTITION BY of ORDER BY nth)
)
SELECT 'section ' || relation AS about,
       format('%s is %s, and %s is %s: they meet only where their texts are the same', name, type, first_name, first_type) AS problem,
       CASE WHEN first_kind IN ('bigint', 'uuid') THEN format('write %s::%s AS %s', name, first_kind, name)
            ELSE format('write %s::text AS %s, and see that it is written as in %s', name, name, first_name) END AS fix
  FROM pair
 WHERE kind <> first_kind
 ORDER BY nth
