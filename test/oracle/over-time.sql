-- The oracle, part two: buckets, timelines and outcomes. What has a date is counted bucket by bucket and month by month, and
-- every total from the beginning.

-- "all begins with the month of the earliest dated account, idea, vote, comment or launch of the whole site, also under a
-- filter; without any there are no buckets". (The export of users, which is older, leaves launches out.)
CREATE FUNCTION oracle.first_month() RETURNS timestamptz STABLE LANGUAGE sql AS $$
  SELECT oracle.start_of('month', least((SELECT min(created_at) FROM oracle.users),
                                   (SELECT min(oracle.dated(created_at)) FROM oracle.ideas),
                                   (SELECT min(created_at) FROM oracle.votes),
                                   (SELECT min(created_at) FROM oracle.comments),
                                   (SELECT min(launched_at) FROM oracle.ideas)))
$$;

-- "Buckets … full hours for 24h, days for 7d 30d 90d, months for all"; "with all it may be month or day"
CREATE FUNCTION oracle.bucket_unit() RETURNS text STABLE LANGUAGE sql AS $$
  SELECT coalesce(oracle.setting('interval'),
                  CASE oracle.setting('period') WHEN '24h' THEN 'hour' WHEN 'all' THEN 'month' ELSE 'day' END)
$$;

CREATE FUNCTION oracle.buckets() RETURNS TABLE (from_ timestamptz, to_ timestamptz) STABLE LANGUAGE sql AS $$
  SELECT * FROM oracle.units(oracle.bucket_unit(), coalesce(oracle.window_from(), oracle.first_month()), oracle.as_of())
$$;

------------------------------------------------------------------------------------------------------------ timelines

-- The ideas of a category; without one, all.
CREATE FUNCTION oracle.ideas_of(category text) RETURNS text[] STABLE LANGUAGE sql AS $$
  SELECT CASE WHEN ideas_of.category IS NULL THEN ARRAY(SELECT id FROM oracle.ideas)
              ELSE ARRAY(SELECT idea_id FROM oracle.idea_categories g WHERE g.category = ideas_of.category) END
$$;

-- "ideas created, votes/comments cast; launchedIdeas launched inside window and bucket (a launch before its idea's creation
-- counts where it is dated)"
CREATE FUNCTION oracle.happened(idea_ids text[]) RETURNS TABLE (kind text, at timestamptz) STABLE LANGUAGE sql AS $$
  SELECT 'idea', oracle.dated(created_at) FROM oracle.ideas WHERE id IN (SELECT unnest(idea_ids))
   UNION ALL
  SELECT 'vote', created_at FROM oracle.votes WHERE idea_id IN (SELECT unnest(idea_ids))
   UNION ALL
  SELECT 'comment', created_at FROM oracle.comments WHERE idea_id IN (SELECT unnest(idea_ids))
   UNION ALL
  SELECT 'launch', launched_at FROM oracle.ideas WHERE launched AND id IN (SELECT unnest(idea_ids))
$$;

CREATE FUNCTION oracle.timeline_buckets(idea_ids text[])
RETURNS TABLE (from_ timestamptz, ideas bigint, votes bigint, comments bigint, "launchedIdeas" bigint,
               "totalIdeas" numeric, "totalVotes" numeric, "totalComments" numeric, "totalLaunchedIdeas" numeric)
STABLE LANGUAGE sql AS $$
  WITH
  -- A row is in the bucket of the hour, day or month of its date; one without a date is in none: from_ is null.
  event AS (
    SELECT kind, at, oracle.start_of(oracle.bucket_unit(), at) AS from_,
           -- "only rows inside the window count"
           at IS NOT NULL AND oracle.in_window(at) AS inside
      FROM oracle.happened(idea_ids)),
  n AS MATERIALIZED (
    SELECT from_, count(*) FILTER (WHERE kind = 'idea' AND inside) AS ideas,
           count(*) FILTER (WHERE kind = 'vote' AND inside) AS votes,
           count(*) FILTER (WHERE kind = 'comment' AND inside) AS comments,
           count(*) FILTER (WHERE kind = 'launch' AND inside) AS launches,
           count(*) FILTER (WHERE kind = 'idea') AS ever_ideas, count(*) FILTER (WHERE kind = 'vote') AS ever_votes,
           count(*) FILTER (WHERE kind = 'comment') AS ever_comments,
           count(*) FILTER (WHERE kind = 'launch') AS ever_launches
      FROM event GROUP BY from_)
  SELECT b.from_, coalesce(n.ideas, 0), coalesce(n.votes, 0), coalesce(n.comments, 0), coalesce(n.launches, 0), until.*
    FROM oracle.buckets() b LEFT JOIN n ON n.from_ = b.from_,
         -- "total… = at the bucket's end (the last one at `to`), from the rows that exist now, undated rows included"
         LATERAL (SELECT coalesce(sum(ever_ideas), 0), coalesce(sum(ever_votes), 0), coalesce(sum(ever_comments), 0),
                         coalesce(sum(ever_launches), 0)
                    FROM n WHERE n.from_ IS NULL OR n.from_ < b.to_) until
$$;

CREATE FUNCTION oracle.timeline() RETURNS json STABLE LANGUAGE sql AS $$
  WITH
  asked AS MATERIALIZED (SELECT oracle.ideas_of(oracle.setting('category')) AS idea_ids),
  bucket AS MATERIALIZED (SELECT b.* FROM asked, oracle.timeline_buckets(idea_ids) b),
  undated AS MATERIALIZED (SELECT kind FROM asked, oracle.happened(idea_ids) WHERE at IS NULL)
  SELECT json_build_object(
    'period', oracle.setting('period'), 'interval', oracle.bucket_unit(), 'timeZone', oracle.zone(), 'category', oracle.setting('category'),
    'from', oracle.iso(oracle.window_from()), 'to', oracle.iso(oracle.window_to()),
    'count', (SELECT count(*) FROM bucket),
    'buckets', (SELECT coalesce(json_agg(json_build_object(
                  'bucket', oracle.label(oracle.bucket_unit(), from_), 'ideas', ideas, 'votes', votes, 'comments', comments,
                  'launchedIdeas', "launchedIdeas", 'totalIdeas', "totalIdeas", 'totalVotes', "totalVotes",
                  'totalComments', "totalComments", 'totalLaunchedIdeas', "totalLaunchedIdeas") ORDER BY from_), '[]')
                  FROM bucket),
    -- "undated is the same for every period; under a filter the category's own"
    'undated', json_build_object(
      'ideas', (SELECT count(*) FROM undated WHERE kind = 'idea'), 'votes', (SELECT count(*) FROM undated WHERE kind = 'vote'),
      'comments', (SELECT count(*) FROM undated WHERE kind = 'comment'),
      'launchedIdeas', (SELECT count(*) FROM undated WHERE kind = 'launch')),
    'dataAsOf', oracle.iso(oracle.as_of()))
$$;

-- The ideas of each category.
CREATE VIEW oracle.filters AS SELECT name AS category, oracle.ideas_of(name) AS idea_ids FROM oracle.category_names;

-- "buckets of all ideas, also those with zeros"
CREATE FUNCTION oracle.timeline_rows() RETURNS json STABLE LANGUAGE sql AS $$
  SELECT coalesce(json_agg(json_build_object(
           'bucket', oracle.label(oracle.bucket_unit(), from_), 'ideas', ideas, 'votes', votes, 'comments', comments,
           'launchedIdeas', "launchedIdeas")
         ORDER BY from_), '[]')
    FROM oracle.timeline_buckets(oracle.ideas_of(NULL))
$$;

-- "by name of the category, its buckets that are not all zeros; in `all` then, with `bucket` empty, what has no date, if anything"
CREATE FUNCTION oracle.timeline_rows_by_category() RETURNS json STABLE LANGUAGE sql AS $$
  WITH
  filter AS MATERIALIZED (SELECT * FROM oracle.filters),
  counted AS (
    SELECT category, from_, ideas, votes, comments, "launchedIdeas" FROM filter, oracle.timeline_buckets(idea_ids)
     UNION ALL
    SELECT category, NULL, count(*) FILTER (WHERE kind = 'idea'), count(*) FILTER (WHERE kind = 'vote'),
           count(*) FILTER (WHERE kind = 'comment'), count(*) FILTER (WHERE kind = 'launch')
      FROM filter, oracle.happened(idea_ids) WHERE at IS NULL AND oracle.setting('period') = 'all' GROUP BY category)
  SELECT coalesce(json_agg(json_build_object(
           'bucket', oracle.label(oracle.bucket_unit(), from_), 'category', category, 'ideas', ideas, 'votes', votes,
           'comments', comments, 'launchedIdeas', "launchedIdeas")
         ORDER BY category, from_ NULLS LAST), '[]')
    FROM counted WHERE ideas > 0 OR votes > 0 OR comments > 0 OR "launchedIdeas" > 0
$$;

---------------------------------------------------------------------------------------------------------------- outcomes

-- Every idea with its votes and comments, ever, and how long it took to launch it. "Days = (launchedAt - createdAt) / 24 h";
-- "a launch before its creation counts as 0 days"; without one of the two dates nobody knows.
CREATE FUNCTION oracle.idea_outcomes(idea_ids text[])
RETURNS TABLE (status text, created_at timestamptz, votes bigint, comments bigint, launched boolean, launched_at timestamptz,
               age interval)
STABLE LANGUAGE sql AS $$
  SELECT i.status, oracle.dated(i.created_at),
         (SELECT count(*) FROM oracle.votes v WHERE v.idea_id = i.id),
         (SELECT count(*) FROM oracle.comments c WHERE c.idea_id = i.id),
         i.launched, i.launched_at,
         CASE WHEN i.launched_at < oracle.dated(i.created_at) THEN interval '0' ELSE i.launched_at - oracle.dated(i.created_at) END
    FROM oracle.ideas i WHERE i.id IN (SELECT unnest(idea_ids))
$$;

CREATE FUNCTION oracle.milliseconds(span interval) RETURNS double precision IMMUTABLE LANGUAGE sql AS $$
  SELECT round(1000 * extract(epoch FROM span))::double precision
$$;

-- "two decimals; median and p90 as PostgreSQL's percentile_cont over the dated launches, null without one". Of whole
-- milliseconds they are whole tenths of one, which a double may miss by less.
CREATE FUNCTION oracle.days(ms double precision) RETURNS numeric IMMUTABLE LANGUAGE sql AS $$
  SELECT round(round(ms::numeric, 1) / (24 * 3600 * 1000), 2)
$$;

-- "A cohort is the ideas created in one month, empty months present; undated ideas are a last cohort with month null"
CREATE FUNCTION oracle.cohorts(idea_ids text[])
RETURNS TABLE (month timestamptz, month_end timestamptz, ideas bigint, "votedIdeas" bigint, "discussedIdeas" bigint,
               "launchedIdeas" bigint, "launchedWithin30Days" bigint, "launchedWithin90Days" bigint,
               "launchedWithin365Days" bigint, "launchedUndated" bigint, "knownWithin30Days" bigint,
               "knownWithin90Days" bigint, "knownWithin365Days" bigint)
STABLE LANGUAGE sql AS $$
  WITH
  idea AS MATERIALIZED (SELECT * FROM oracle.idea_outcomes(idea_ids)),
  month (from_, to_) AS (
    SELECT * FROM oracle.units('month', (SELECT min(created_at) FROM idea), oracle.as_of())
     UNION ALL
    SELECT NULL, NULL WHERE EXISTS (SELECT FROM idea WHERE created_at IS NULL)),
  cohort AS (
    SELECT from_, to_, idea.*
      FROM month LEFT JOIN idea ON (created_at >= from_ AND created_at < to_) OR (created_at IS NULL AND from_ IS NULL)),
  counted AS (
    SELECT from_, to_, count(votes) AS ideas, count(*) FILTER (WHERE votes > 0) AS voted,
           count(*) FILTER (WHERE comments > 0) AS discussed, count(*) FILTER (WHERE launched) AS launched,
           -- "null wherever an idea of the cohort is launched without a date", but for the known ones
           count(*) FILTER (WHERE launched AND launched_at IS NULL) AS undated,
           -- "launched at most N x 24 h after creation"
           count(*) FILTER (WHERE launched AND age <= interval '24 hours' * 30) AS within30,
           count(*) FILTER (WHERE launched AND age <= interval '24 hours' * 90) AS within90,
           count(*) FILTER (WHERE launched AND age <= interval '24 hours' * 365) AS within365
      FROM cohort GROUP BY from_, to_)
  -- "null until N days after the month's end"; what has no month has no such day
  SELECT from_, to_, ideas, voted, discussed, launched,
         CASE WHEN undated = 0 AND oracle.as_of() >= to_ + interval '24 hours' * 30 THEN within30 END,
         CASE WHEN undated = 0 AND oracle.as_of() >= to_ + interval '24 hours' * 90 THEN within90 END,
         CASE WHEN undated = 0 AND oracle.as_of() >= to_ + interval '24 hours' * 365 THEN within365 END,
         undated, CASE WHEN oracle.as_of() >= to_ + interval '24 hours' * 30 THEN within30 END,
         CASE WHEN oracle.as_of() >= to_ + interval '24 hours' * 90 THEN within90 END,
         CASE WHEN oracle.as_of() >= to_ + interval '24 hours' * 365 THEN within365 END
    FROM counted
$$;

-- "ideas that have had a year: created at least 365 x 24 h before dataAsOf"; "known to be launched within it"
CREATE FUNCTION oracle.first_year(idea_ids text[], from_ timestamptz, to_ timestamptz) RETURNS json STABLE LANGUAGE sql AS $$
  SELECT json_build_object(
           'ideas', count(*), 'launched', count(*) FILTER (WHERE launched AND age <= interval '24 hours' * 365),
           'launchedUndated', count(*) FILTER (WHERE launched AND launched_at IS NULL),
           'share', oracle.percent(count(*) FILTER (WHERE launched AND age <= interval '24 hours' * 365), count(*)))
    FROM oracle.idea_outcomes(idea_ids)
   WHERE created_at <= oracle.as_of() - interval '24 hours' * 365 AND created_at >= from_ AND created_at < to_
$$;

-- "by year of creation, from that of the first dated idea on"; "the median of the launches within the first year, null
-- until every idea of the year has had it"
CREATE FUNCTION oracle.outcome_years(idea_ids text[]) RETURNS json STABLE LANGUAGE sql AS $$
  WITH
  idea AS MATERIALIZED (SELECT * FROM oracle.idea_outcomes(idea_ids) WHERE created_at IS NOT NULL),
  year (from_, to_) AS (
    SELECT * FROM oracle.units('year', (SELECT min(created_at) FROM idea), oracle.as_of()))
  SELECT coalesce(json_agg(json_build_object(
           'year', oracle.label('year', from_),
           'ideas', (SELECT count(*) FROM idea WHERE created_at >= from_ AND created_at < to_),
           'launchedIdeas', (SELECT count(*) FROM idea WHERE created_at >= from_ AND created_at < to_ AND launched),
           'firstYear', oracle.first_year(idea_ids, from_, to_),
           'medianDays', (SELECT oracle.days(percentile_cont(0.5) WITHIN GROUP (ORDER BY oracle.milliseconds(age))) FROM idea
                           WHERE created_at >= from_ AND created_at < to_ AND launched AND age <= interval '24 hours' * 365
                             AND oracle.as_of() >= to_ + interval '24 hours' * 365))
         ORDER BY from_), '[]')
    FROM year
$$;

-- "activeUsers: only of all ideas"
CREATE FUNCTION oracle.with_active(years json) RETURNS json STABLE LANGUAGE sql AS $$
  SELECT coalesce(json_agg(
           (left(one::text, -1) || ', "activeUsers": ' || coalesce((
              SELECT oracle.published(count(DISTINCT person)) FROM oracle.activity
               WHERE at < oracle.people_to() AND oracle.label('year', oracle.start_of('year', at)) = one->>'year')::text, 'null') || '}')::json
           ORDER BY n), '[]')
    FROM json_array_elements(years) WITH ORDINALITY AS all_years (one, n)
$$;

CREATE FUNCTION oracle.outcomes() RETURNS json STABLE LANGUAGE sql AS $$
  WITH
  asked AS MATERIALIZED (SELECT oracle.ideas_of(oracle.setting('category')) AS idea_ids),
  idea AS MATERIALIZED (SELECT o.* FROM asked, oracle.idea_outcomes(idea_ids) o),
  -- "ideas desc, then status; no status = null, last"
  status AS (
    SELECT status, count(*) AS ideas, sum(votes) AS votes, sum(comments) AS comments,
           oracle.percent(count(*), (SELECT count(*) FROM idea)) AS share,
           -- "those that are not launched": how many, how many of them created at least 365 x 24 h before dataAsOf, and half of them
           count(*) FILTER (WHERE NOT launched) AS open,
           count(*) FILTER (WHERE NOT launched AND created_at <= oracle.as_of() - interval '24 hours' * 365) AS old,
           ceil(percentile_disc(0.5) WITHIN GROUP (ORDER BY oracle.milliseconds(oracle.as_of() - created_at))
                  FILTER (WHERE NOT launched) / (24 * 3600 * 1000)) AS age
      FROM idea GROUP BY status),
  -- "shareOfVotes: of all votes, those on ideas that are launched now"
  launched AS (
    SELECT count(*) AS ideas, coalesce(sum(votes), 0) AS votes,
           oracle.percent(coalesce(sum(votes), 0), coalesce((SELECT sum(votes) FROM idea), 0)) AS share, count(age) AS dated,
           oracle.days(percentile_cont(0.5) WITHIN GROUP (ORDER BY oracle.milliseconds(age))) AS median,
           oracle.days(percentile_cont(0.9) WITHIN GROUP (ORDER BY oracle.milliseconds(age))) AS p90
      FROM idea WHERE launched)
  SELECT json_build_object(
    'category', oracle.setting('category'), 'timeZone', oracle.zone(),
    'statuses', (SELECT coalesce(json_agg(json_build_object(
                   'status', status, 'ideas', ideas, 'votes', votes, 'comments', comments, 'shareOfIdeas', share,
                   'notLaunched', json_build_object('ideas', open, 'yearOld', old, 'medianAgeDays', age))
                 ORDER BY status IS NULL, ideas DESC, status COLLATE "C"), '[]') FROM status),
    'launched', (SELECT json_build_object('ideas', ideas, 'votes', votes, 'shareOfVotes', share, 'dated', dated,
                                          'medianDays', median, 'p90Days', p90) FROM launched),
    'cohorts', (SELECT coalesce(json_agg(json_build_object(
                  'month', oracle.label('month', month), 'ideas', ideas, 'votedIdeas', "votedIdeas", 'discussedIdeas', "discussedIdeas",
                  'launchedIdeas', "launchedIdeas", 'launchedWithin30Days', "launchedWithin30Days",
                  'launchedWithin90Days', "launchedWithin90Days", 'launchedWithin365Days', "launchedWithin365Days",
                  'launchedUndated', "launchedUndated", 'knownWithin30Days', "knownWithin30Days",
           'knownWithin90Days', "knownWithin90Days", 'knownWithin365Days', "knownWithin365Days")
                ORDER BY month NULLS LAST), '[]') FROM asked, oracle.cohorts(idea_ids)),
    'firstYear', (SELECT oracle.first_year(idea_ids, '-infinity', 'infinity') FROM asked),
    'years', (SELECT CASE WHEN oracle.setting('category') IS NULL THEN oracle.with_active(oracle.outcome_years(idea_ids))
                          ELSE oracle.outcome_years(idea_ids) END FROM asked),
    'dataAsOf', oracle.iso(oracle.as_of()))
$$;

-- "cohorts of all ideas whose month touches the period"; of undated ideas in `all` only
CREATE FUNCTION oracle.touches(month_end timestamptz) RETURNS boolean STABLE LANGUAGE sql AS $$
  SELECT oracle.setting('period') = 'all' OR coalesce(month_end > oracle.window_from(), false)
$$;
CREATE FUNCTION oracle.outcome_rows() RETURNS json STABLE LANGUAGE sql AS $$
  SELECT coalesce(json_agg(json_build_object(
           'month', oracle.label('month', month), 'ideas', ideas, 'votedIdeas', "votedIdeas",
           'discussedIdeas', "discussedIdeas", 'launchedIdeas', "launchedIdeas",
           'launchedWithin30Days', "launchedWithin30Days", 'launchedWithin90Days', "launchedWithin90Days",
           'launchedWithin365Days', "launchedWithin365Days", 'launchedUndated', "launchedUndated",
           'knownWithin30Days', "knownWithin30Days",
           'knownWithin90Days', "knownWithin90Days", 'knownWithin365Days', "knownWithin365Days")
         ORDER BY month NULLS LAST), '[]')
    FROM oracle.cohorts(oracle.ideas_of(NULL)) WHERE oracle.touches(month_end)
$$;

-- "by name of the category, those of its cohorts that have ideas"
CREATE FUNCTION oracle.outcome_rows_by_category() RETURNS json STABLE LANGUAGE sql AS $$
  WITH filter AS MATERIALIZED (SELECT * FROM oracle.filters)
  SELECT coalesce(json_agg(json_build_object(
           'category', category, 'month', oracle.label('month', month), 'ideas', ideas, 'votedIdeas', "votedIdeas",
           'discussedIdeas', "discussedIdeas", 'launchedIdeas', "launchedIdeas",
           'launchedWithin30Days', "launchedWithin30Days", 'launchedWithin90Days', "launchedWithin90Days",
           'launchedWithin365Days', "launchedWithin365Days", 'launchedUndated', "launchedUndated",
           'knownWithin30Days', "knownWithin30Days",
           'knownWithin90Days', "knownWithin90Days", 'knownWithin365Days', "knownWithin365Days")
         ORDER BY category, month NULLS LAST), '[]')
    FROM filter, oracle.cohorts(idea_ids) WHERE oracle.touches(month_end) AND ideas > 0
$$;
