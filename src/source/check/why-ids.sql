-- Ids of rows whose idea is not among the ideas beside ids that ideas have, up to 1,000 of them; and what makes most of
-- them meet. A line of text each.
WITH known AS (SELECT id::text AS id FROM {ideas} WHERE id IS NOT NULL),
lost AS (
  SELECT DISTINCT r.id
    FROM (SELECT idea_id::text AS id FROM {rows} WHERE idea_id IS NOT NULL) AS r
   WHERE NOT EXISTS (SELECT FROM known k WHERE k.id = r.id)
   LIMIT 1000
),
-- From the smallest change on.
form (n, called, written) AS (
  VALUES (1, 'lower()', 'lower(%s::text)'),
         (2, 'btrim()', 'btrim(%s::text)'),
         (3, 'lower() and btrim()', 'lower(btrim(%s::text))'),
         (4, 'the text of a whole number', '%s::numeric::bigint'),
         (5, 'letters and digits only', 'regexp_replace(lower(%s::text), ''\W|_'', '''', ''g'')'),
         (6, 'the number at the end', 'substring(%s::text FROM ''\d+$'')')
),
plain AS (
  SELECT is_lost, id, n,
         CASE n WHEN 1 THEN lower(id)
                WHEN 2 THEN btrim(id, E' \t\r\n\u00a0')
                WHEN 3 THEN lower(btrim(id, E' \t\r\n\u00a0'))
                WHEN 4 THEN CASE WHEN id ~ '^\s*\d+(\.0*)?\s*$' THEN regexp_replace(btrim(id), '^0+(?=\d)|\.0*$', '', 'g') END
                WHEN 5 THEN regexp_replace(lower(id), '\W|_', '', 'g')
                ELSE substring(id FROM '\d+$') END AS plain
    FROM (SELECT true AS is_lost, id FROM lost UNION ALL SELECT false, id FROM known) AS both_sides, form
),
meet AS (
  SELECT n, a.id AS has, min(b.id) AS idea
    FROM plain a JOIN plain b USING (n, plain)
   WHERE a.is_lost AND NOT b.is_lost AND plain <> ''
   GROUP BY n, a.id
),
best AS (
  SELECT n, called, written, count(*) AS ids
    FROM meet JOIN form USING (n)
   GROUP BY n, called, written
  HAVING 2 * count(*) >= (SELECT count(*) FROM lost)
   ORDER BY count(*) DESC, n
   LIMIT 1
),
pair AS (
  SELECT row_number() OVER (ORDER BY length(has), has) AS nth, has, idea FROM meet JOIN best USING (n)
  UNION ALL
  SELECT nth, a.id, b.id
    FROM (SELECT row_number() OVER (ORDER BY length(id), id) AS nth, id FROM lost) AS a
    FULL JOIN (SELECT row_number() OVER (ORDER BY length(id), id) AS nth, id FROM known) AS b USING (nth)
   WHERE NOT EXISTS (SELECT FROM best)
)
SELECT format('idea_id %s beside ideas.id %s', coalesce(quote_literal(left(has, 40)), '(none)'),
              coalesce(quote_literal(left(idea, 40)), '(none)')) AS text
  FROM pair
 WHERE nth <= 3
UNION ALL
SELECT format('%s makes %s of %s such ids meet: write %s AS idea_id and, in section ideas, %s AS id, where each is not so already',
              called, ids, (SELECT count(*) FROM lost), replace(written, '%s', 'idea_id'), replace(written, '%s', 'id'))
  FROM best
UNION ALL
SELECT 'neither lower(), btrim() nor the text of a number makes most of them meet: is it the column that names the idea, and does section ideas return all ideas that visitors see?'
 WHERE NOT EXISTS (SELECT FROM best)
