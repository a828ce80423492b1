-- No idea is launched although a status reads as if some were: a name is compared in another case or language, or is not the
-- one that this site uses.
SELECT 'section ideas' AS about,
       format('no idea is launched, and statuses are: %s', string_agg(format('%s (%s)', status, ideas), ', ' ORDER BY ideas DESC, status)) AS problem,
       'compare names as they are written here, or lower(…) on both sides' AS fix
  FROM (SELECT left(coalesce(status::text, 'none'), 40) AS status, count(*) AS ideas, bool_or(launched) AS launched
          FROM {ideas} GROUP BY 1 ORDER BY 2 DESC LIMIT 12) AS s
HAVING bool_or(launched) IS NOT TRUE AND sum(ideas) >= 5
   AND bool_or(status ~* '\m(complete|done|launch|ship|implement|release|deliver|realised|realized|live)')
