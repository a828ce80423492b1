-- The oracle, part three: one function per document, without generatedAt and version. The aliases are the published keys,
-- in the published order.

CREATE FUNCTION oracle.stats() RETURNS json STABLE LANGUAGE sql AS $$
  WITH n AS (
    SELECT (SELECT oracle.published_total(count(*)) FROM oracle.users) AS "totalUsers",
           (SELECT count(*) FROM oracle.ideas) AS "totalIdeas",
           (SELECT count(*) FROM oracle.votes) AS "totalVotes",
           (SELECT count(*) FROM oracle.comments) AS "totalComments",
           (SELECT count(*) FROM oracle.ideas WHERE launched) AS "launchedIdeas",
           -- "categories with at least one idea"; "activeCategories and topCategories leave it [Uncategorized] out"
           (SELECT count(DISTINCT category) FROM oracle.idea_categories WHERE category <> 'Uncategorized') AS "activeCategories"),
  -- "the 3 categories with most ideas, count descending, then name"
  top AS (
    SELECT category, count(*) AS count FROM oracle.idea_categories WHERE category <> 'Uncategorized'
     GROUP BY category ORDER BY count(*) DESC, category LIMIT 3)
  SELECT json_build_object(
    'stats', row_to_json(n),
    'metrics', json_build_object('avgVotesPerIdea', oracle.ratio("totalVotes", "totalIdeas"),
                                 'avgCommentsPerIdea', oracle.ratio("totalComments", "totalIdeas"),
                                 'launchSuccessRate', oracle.percent("launchedIdeas", "totalIdeas")),
    'topCategories', (SELECT coalesce(json_agg(top ORDER BY count DESC, category), '[]') FROM top))
  FROM n
$$;

-- Every idea with what the two windows and all time gave it.
CREATE VIEW oracle.idea_counts AS
SELECT i.*,
       (SELECT count(*) FROM oracle.votes v WHERE v.idea_id = i.id AND oracle.in_window(v.created_at)) AS votes,
       (SELECT count(*) FROM oracle.comments c WHERE c.idea_id = i.id AND oracle.in_window(c.created_at)) AS comments,
       (SELECT count(*) FROM oracle.votes v WHERE v.idea_id = i.id AND oracle.in_previous(v.created_at)) AS previous_votes,
       (SELECT count(*) FROM oracle.comments c WHERE c.idea_id = i.id AND oracle.in_previous(c.created_at)) AS previous_comments,
       (SELECT count(*) FROM oracle.votes v WHERE v.idea_id = i.id) AS total_votes,
       (SELECT count(*) FROM oracle.comments c WHERE c.idea_id = i.id) AS total_comments,
       -- "categories is the idea's list in name order"
       ARRAY(SELECT category FROM oracle.idea_categories g WHERE g.idea_id = i.id ORDER BY category) AS categories
  FROM oracle.ideas i;

-- "score = 5 × votes + 3 × comments … weights are options"
CREATE FUNCTION oracle.score(votes bigint, comments bigint) RETURNS bigint STABLE LANGUAGE sql AS $$
  SELECT oracle.setting('vote_weight')::bigint * votes + oracle.setting('comment_weight')::bigint * comments
$$;

-- The setting category is a published name, or text that no category matches, or nothing.
CREATE FUNCTION oracle.trending() RETURNS json STABLE LANGUAGE sql AS $$
  WITH counted AS MATERIALIZED (SELECT * FROM oracle.idea_counts),
  ranked AS (
    SELECT i.*, oracle.score(votes, comments) AS score,
           -- "Total order: score desc, votes desc, createdAt desc, id"
           row_number() OVER (ORDER BY oracle.score(votes, comments) DESC, votes DESC, created_at DESC, id) AS rank
      FROM counted i
     -- "Ideas with score 0 are not listed"
     WHERE oracle.score(votes, comments) > 0
       AND (oracle.setting('category') IS NULL OR oracle.setting('category') = ANY (categories))),
  listed AS (
    SELECT rank, id, title,
           -- "category is the name that was asked for, or without a filter the list joined with `; `"
           coalesce(oracle.setting('category'), array_to_string(categories, '; ')) AS category,
           categories, status, url, score, votes, comments,
           oracle.score(previous_votes, previous_comments) AS "previousScore",
           total_votes AS "totalVotes", total_comments AS "totalComments",
           oracle.iso(created_at) AS "createdAt", oracle.iso(launched_at) AS "launchedAt"
      FROM ranked WHERE rank <= 100)
  SELECT json_build_object(
    'period', oracle.setting('period'), 'category', oracle.setting('category'),
    'from', oracle.iso(oracle.window_from()), 'to', oracle.iso(oracle.window_to()),
    'limit', 100, 'count', (SELECT count(*) FROM listed),
    'ideas', (SELECT coalesce(json_agg(listed ORDER BY rank), '[]') FROM listed),
    'dataAsOf', oracle.iso(oracle.as_of()))
$$;

-- One row of category analytics for any set of ideas: those of a category, or all of them for the totals.
CREATE FUNCTION oracle.analytics_of(idea_ids text[])
RETURNS TABLE (ideas bigint, votes bigint, comments bigint, "launchedIdeas" bigint, "launchSuccessRate" numeric,
               "avgVotesPerIdea" numeric, "avgCommentsPerIdea" numeric, "shareOfIdeas" numeric, "totalIdeas" bigint,
               "previousIdeas" numeric, "previousVotes" numeric, "previousComments" numeric)
STABLE LANGUAGE sql AS $$
  WITH
  idea AS (SELECT * FROM oracle.ideas WHERE id IN (SELECT unnest(idea_ids))),
  vote AS (SELECT * FROM oracle.votes WHERE idea_id IN (SELECT unnest(idea_ids))),
  comment AS (SELECT * FROM oracle.comments WHERE idea_id IN (SELECT unnest(idea_ids))),
  n AS (
    -- "ideas created in the window; votes/comments cast in it … whatever their age; launchedIdeas launched in it …;
    --  launchSuccessRate = percentage of the ideas created in it that are launched now"
    SELECT (SELECT count(*) FROM idea WHERE oracle.in_window(created_at)) AS ideas,
           (SELECT count(*) FROM vote WHERE oracle.in_window(created_at)) AS votes,
           (SELECT count(*) FROM comment WHERE oracle.in_window(created_at)) AS comments,
           (SELECT count(*) FROM idea WHERE launched AND oracle.in_window(launched_at)) AS launched,
           (SELECT count(*) FROM idea WHERE launched AND oracle.in_window(created_at)) AS created_and_launched,
           (SELECT count(*) FROM oracle.ideas WHERE oracle.in_window(created_at)) AS ideas_of_all)
  SELECT n.ideas, n.votes, n.comments, n.launched,
         oracle.percent(n.created_and_launched, n.ideas),
         oracle.ratio(n.votes, n.ideas),
         oracle.ratio(n.comments, n.ideas),
         oracle.percent(n.ideas, n.ideas_of_all),
         (SELECT count(*) FROM idea),
         oracle.previous((SELECT count(*) FROM idea WHERE oracle.in_previous(created_at))),
         oracle.previous((SELECT count(*) FROM vote WHERE oracle.in_previous(created_at))),
         oracle.previous((SELECT count(*) FROM comment WHERE oracle.in_previous(created_at)))
    FROM n
$$;

-- "Order: ideas desc, votes desc, name"; "An idea with several categories counts once in each; totals counts it once"
CREATE FUNCTION oracle.category_rows() RETURNS json STABLE LANGUAGE sql AS $$
  WITH r AS (
    SELECT c.name AS category, a.*
      FROM oracle.category_names c,
           oracle.analytics_of(ARRAY(SELECT idea_id FROM oracle.idea_categories g WHERE g.category = c.name)) a)
  SELECT coalesce(json_agg(r ORDER BY ideas DESC, votes DESC, category), '[]') FROM r
$$;

CREATE FUNCTION oracle.categories() RETURNS json STABLE LANGUAGE sql AS $$
  SELECT json_build_object(
    'period', oracle.setting('period'), 'from', oracle.iso(oracle.window_from()), 'to', oracle.iso(oracle.window_to()),
    'count', (SELECT count(*) FROM oracle.category_names),
    'categories', oracle.category_rows(),
    'totals', (SELECT row_to_json(a) FROM oracle.analytics_of(ARRAY(SELECT id FROM oracle.ideas)) a),
    'dataAsOf', oracle.iso(oracle.as_of()))
$$;

CREATE FUNCTION oracle.category_name_list() RETURNS json STABLE LANGUAGE sql AS $$
  SELECT coalesce(json_agg(name ORDER BY name), '[]') FROM oracle.category_names
$$;

------------------------------------------------------------------------------------------------------------------ export

CREATE FUNCTION oracle.overview_rows() RETURNS json STABLE LANGUAGE sql AS $$
  WITH n AS (
    SELECT (SELECT count(*) FROM oracle.users) AS total_users,
           (SELECT count(*) FROM oracle.users WHERE oracle.in_people_window(created_at)) AS users,
           (SELECT count(*) FROM oracle.users WHERE oracle.in_previous_people_window(created_at)) AS previous_users,
           (SELECT count(DISTINCT person) FROM oracle.activity WHERE oracle.in_people_window(at)) AS active,
           (SELECT count(DISTINCT person) FROM oracle.activity WHERE oracle.in_previous_people_window(at)) AS previous_active,
           (SELECT count(*) FROM oracle.users WHERE oracle.in_people_year_ago(created_at)) AS ago_users,
           (SELECT count(DISTINCT person) FROM oracle.activity WHERE oracle.in_people_year_ago(at)) AS ago_active,
           (SELECT count(*) FROM oracle.ideas WHERE oracle.in_year_ago(oracle.dated(created_at))) AS ago_ideas,
           (SELECT count(*) FROM oracle.votes WHERE oracle.in_year_ago(created_at)) AS ago_votes,
           (SELECT count(*) FROM oracle.comments WHERE oracle.in_year_ago(created_at)) AS ago_comments,
           (SELECT count(*) FROM oracle.ideas WHERE launched AND oracle.in_year_ago(launched_at)) AS ago_launched,
           -- "there was no idea before that window": then nobody knows what was there
           EXISTS (SELECT FROM oracle.ideas WHERE oracle.dated(created_at) < oracle.window_from() - interval '24 hours' * 365) AS is_old,
           (SELECT count(*) FROM oracle.ideas) AS total_ideas,
           (SELECT count(*) FROM oracle.ideas WHERE oracle.in_window(created_at)) AS ideas,
           (SELECT count(*) FROM oracle.ideas WHERE oracle.in_previous(created_at)) AS previous_ideas,
           (SELECT count(*) FROM oracle.votes) AS total_votes,
           (SELECT count(*) FROM oracle.votes WHERE oracle.in_window(created_at)) AS votes,
           (SELECT count(*) FROM oracle.votes WHERE oracle.in_previous(created_at)) AS previous_votes,
           (SELECT count(*) FROM oracle.comments) AS total_comments,
           (SELECT count(*) FROM oracle.comments WHERE oracle.in_window(created_at)) AS comments,
           (SELECT count(*) FROM oracle.comments WHERE oracle.in_previous(created_at)) AS previous_comments,
           (SELECT count(*) FROM oracle.ideas WHERE launched) AS total_launched,
           (SELECT count(*) FROM oracle.ideas WHERE launched AND oracle.in_window(launched_at)) AS launched,
           (SELECT count(*) FROM oracle.ideas WHERE launched AND oracle.in_previous(launched_at)) AS previous_launched,
           (SELECT count(*) FROM oracle.ideas WHERE launched AND oracle.in_window(created_at)) AS ideas_launched,
           (SELECT count(*) FROM oracle.ideas WHERE launched AND oracle.in_previous(created_at)) AS previous_ideas_launched,
           -- "activeCategories = categories with an idea created in the window"
           (SELECT count(DISTINCT category) FROM oracle.idea_categories JOIN oracle.ideas ON id = idea_id
             WHERE category <> 'Uncategorized' AND oracle.in_window(created_at)) AS categories,
           (SELECT count(DISTINCT category) FROM oracle.idea_categories JOIN oracle.ideas ON id = idea_id
             WHERE category <> 'Uncategorized' AND oracle.in_previous(created_at)) AS previous_categories),
  -- "total… rows: value at `to`, previousValue at `from`, computed from the rows that exist now";
  -- "a total's previousValue = value − what the window added"
  r (position, metric, value, previous, ago) AS (
    SELECT v.* FROM n, LATERAL (VALUES
      ( 1, 'newUsers',           oracle.published(n.users), oracle.published(n.previous_users), CASE WHEN n.is_old THEN oracle.published(n.ago_users) END),
      ( 2, 'activeUsers',        oracle.published(n.active), oracle.published(n.previous_active), CASE WHEN n.is_old THEN oracle.published(n.ago_active) END),
      ( 3, 'ideas',              n.ideas, n.previous_ideas, CASE WHEN n.is_old THEN n.ago_ideas END),
      ( 4, 'votes',              n.votes, n.previous_votes, CASE WHEN n.is_old THEN n.ago_votes END),
      ( 5, 'comments',           n.comments, n.previous_comments, CASE WHEN n.is_old THEN n.ago_comments END),
      ( 6, 'launchedIdeas',      n.launched, n.previous_launched, CASE WHEN n.is_old THEN n.ago_launched END),
      ( 7, 'activeCategories',   n.categories, n.previous_categories, NULL),
      ( 8, 'avgVotesPerIdea',    oracle.ratio(n.votes, n.ideas), oracle.ratio(n.previous_votes, n.previous_ideas), CASE WHEN n.is_old THEN oracle.ratio(n.ago_votes, n.ago_ideas) END),
      ( 9, 'avgCommentsPerIdea', oracle.ratio(n.comments, n.ideas), oracle.ratio(n.previous_comments, n.previous_ideas), CASE WHEN n.is_old THEN oracle.ratio(n.ago_comments, n.ago_ideas) END),
      (10, 'launchSuccessRate',  oracle.percent(n.ideas_launched, n.ideas), oracle.percent(n.previous_ideas_launched, n.previous_ideas), NULL),
      (11, 'totalUsers',         oracle.published(n.total_users), oracle.published(n.total_users - n.users), NULL),
      (12, 'totalIdeas',         n.total_ideas, n.total_ideas - n.ideas, NULL),
      (13, 'totalVotes',         n.total_votes, n.total_votes - n.votes, NULL),
      (14, 'totalComments',      n.total_comments, n.total_comments - n.comments, NULL),
      (15, 'totalLaunchedIdeas', n.total_launched, n.total_launched - n.launched, NULL)) v)
  -- "changePercent from the two published values; null where previousValue is null or 0, and of the rate"
  SELECT json_agg(json_build_object(
           'metric', metric, 'value', value, 'previousValue', oracle.previous(previous),
           'changePercent', CASE WHEN metric <> 'launchSuccessRate' AND oracle.previous(previous) <> 0 THEN oracle.percent(value - previous, previous) END,
           'yearAgoValue', ago)
         ORDER BY position)
    FROM r
$$;

-- "ideas created in the window, createdAt desc, then id; categories joined with `; `. votes and comments are the window's"
CREATE FUNCTION oracle.idea_rows() RETURNS json STABLE LANGUAGE sql AS $$
  SELECT coalesce(json_agg(json_build_object(
           'id', id, 'title', title, 'category', array_to_string(categories, '; '), 'status', status,
           'createdAt', oracle.iso(created_at), 'launchedAt', oracle.iso(launched_at), 'votes', votes, 'comments', comments,
           'totalVotes', total_votes, 'totalComments', total_comments, 'url', url, 'launched', launched)
         ORDER BY created_at DESC, id), '[]')
    FROM oracle.idea_counts WHERE oracle.in_window(created_at)
$$;

CREATE FUNCTION oracle.user_rows() RETURNS json STABLE LANGUAGE sql AS $$
  WITH
  account AS MATERIALIZED (SELECT created_at FROM oracle.users),
  activity AS MATERIALIZED (SELECT * FROM oracle.activity WHERE oracle.in_people_window(at)),
  -- "all begins with the month of the earliest dated account, idea, vote or comment, no rows when there is none"
  begin AS (
    SELECT coalesce(oracle.people_from(), least((SELECT min(created_at) FROM oracle.users), (SELECT min(oracle.dated(created_at)) FROM oracle.ideas),
                                                (SELECT min(created_at) FROM oracle.votes), (SELECT min(created_at) FROM oracle.comments))) AS at),
  -- "the full hour (24h), day (7d 30d 90d) or month (all)"; "buckets are full days or months; 24h has one row of 24 hours"
  unit AS (SELECT CASE oracle.setting('period') WHEN '24h' THEN CASE oracle.people_mode() WHEN 'exact' THEN 'hour' ELSE 'midnight' END WHEN 'all' THEN 'month' ELSE 'day' END AS name),
  bucket AS (
    SELECT made.* FROM unit, begin, oracle.units(unit.name, begin.at, oracle.people_to()) AS made WHERE unit.name <> 'midnight'
     UNION ALL
    SELECT oracle.people_from(), oracle.people_to() FROM unit WHERE unit.name = 'midnight')
  SELECT coalesce(json_agg(json_build_object(
           -- "`24h` has one bucket, the last full day, which is a date"
           'bucket', CASE unit.name WHEN 'midnight' THEN oracle.label('day', to_ - interval '1 millisecond') ELSE oracle.label(unit.name, from_) END,
           -- "only rows inside the window count"
           'newUsers', (SELECT oracle.published(count(*)) FROM account WHERE created_at >= from_ AND created_at < to_ AND oracle.in_people_window(created_at)),
           -- "accounts created before the bucket's end"; undated ones "are older than every window"
           'totalUsers', (SELECT oracle.published(count(*)) FROM account WHERE created_at IS NULL OR created_at < to_),
           'activeUsers', (SELECT oracle.published(count(DISTINCT person)) FROM activity WHERE at >= from_ AND at < to_),
           'ideaAuthors', (SELECT oracle.published(count(DISTINCT person)) FROM activity WHERE kind = 'idea' AND at >= from_ AND at < to_),
           'voters', (SELECT oracle.published(count(DISTINCT person)) FROM activity WHERE kind = 'vote' AND at >= from_ AND at < to_),
           'commenters', (SELECT oracle.published(count(DISTINCT person)) FROM activity WHERE kind = 'comment' AND at >= from_ AND at < to_))
         ORDER BY from_), '[]')
    FROM unit, bucket
$$;

-- "the totals as they were published … one row a day": of a first release its own row, which touches every period
CREATE FUNCTION oracle.history_rows() RETURNS json STABLE LANGUAGE sql AS $$
  SELECT json_build_array(json_build_object(
           'date', to_char(oracle.as_of() AT TIME ZONE oracle.zone(), 'YYYY-MM-DD'), 'dataAsOf', oracle.iso(oracle.as_of()),
           -- "the first 8 hex digits of the mapping's hash"
           'mapping', left(oracle.setting('mapping'), 8),
           'totalUsers', (SELECT oracle.published(count(*)) FROM oracle.users), 'totalIdeas', s->'totalIdeas', 'totalVotes', s->'totalVotes',
           'totalComments', s->'totalComments', 'launchedIdeas', s->'launchedIdeas', 'activeCategories', s->'activeCategories'))
    FROM (SELECT oracle.stats()->'stats' AS s) AS stats
$$;

CREATE FUNCTION oracle.export() RETURNS json STABLE LANGUAGE sql AS $$
  WITH d AS MATERIALIZED (
    SELECT CASE oracle.setting('type') WHEN 'overview' THEN oracle.overview_rows() WHEN 'ideas' THEN oracle.idea_rows()
                                       WHEN 'users' THEN oracle.user_rows() WHEN 'categories' THEN oracle.category_rows()
                                       WHEN 'timeline' THEN oracle.timeline_rows() WHEN 'outcomes' THEN oracle.outcome_rows()
                                       WHEN 'timeline-by-category' THEN oracle.timeline_rows_by_category()
                                       WHEN 'outcomes-by-category' THEN oracle.outcome_rows_by_category()
                                       WHEN 'history' THEN oracle.history_rows() END AS rows)
  SELECT json_build_object(
    'type', oracle.setting('type'), 'period', oracle.setting('period'),
    'from', oracle.iso(CASE oracle.setting('type') WHEN 'users' THEN oracle.people_from() ELSE oracle.window_from() END),
    'to', oracle.iso(CASE oracle.setting('type') WHEN 'users' THEN oracle.people_to() ELSE oracle.window_to() END),
    'timeZone', oracle.zone(), 'data', d.rows, 'rowCount', json_array_length(d.rows), 'dataAsOf', oracle.iso(oracle.as_of()))
  FROM d
$$;

-- The settings hold for the one statement that calls this. Compiling these long plans would take 200 ms, running them 5.
CREATE FUNCTION oracle.answer(settings json, document text) RETURNS json LANGUAGE plpgsql SET jit = off AS $$
DECLARE result json;
BEGIN
  PERFORM set_config('oracle.' || key, coalesce(value, ''), true) FROM json_each_text(settings);
  EXECUTE format('SELECT oracle.%I()', document) INTO STRICT result;
  RETURN result;
END
$$;
