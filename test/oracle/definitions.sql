-- The oracle, part one: what counts, and when. Each comment quotes the sentence of the API's definitions that the
-- statement below it spells out. Nothing here is clever or fast, and nothing is shared with the product.

CREATE SCHEMA oracle;

-- One question is asked at a time; its clock, period and options are settings that oracle.answer() sets for it.
CREATE FUNCTION oracle.setting(name text) RETURNS text STABLE LANGUAGE sql AS $$
  SELECT nullif(current_setting('oracle.' || name), '')
$$;

CREATE FUNCTION oracle.as_of() RETURNS timestamptz STABLE LANGUAGE sql AS $$ SELECT oracle.setting('as_of')::timestamptz $$;

-- "All times are ISO 8601 UTC with milliseconds and Z"
CREATE FUNCTION oracle.iso(at timestamptz) RETURNS text STABLE LANGUAGE sql AS $$
  SELECT to_char(at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')
$$;

-- "--time-zone …: hours, days, months, the history's date, the midnight of --people are cut in it"
CREATE FUNCTION oracle.zone() RETURNS text STABLE LANGUAGE sql AS $$ SELECT coalesce(oracle.setting('zone'), 'UTC') $$;

-- "buckets that are days or months, and every month and year, are dates of 10 characters, a month or a year by its first day";
-- "a bucket that is an hour is the instant at which it begins"
CREATE FUNCTION oracle.label(unit text, at timestamptz) RETURNS text STABLE LANGUAGE sql AS $$
  SELECT CASE unit WHEN 'hour' THEN oracle.iso(at) ELSE to_char(at AT TIME ZONE oracle.zone(), 'YYYY-MM-DD') END
$$;

-- "A unit begins at the first instant from which on clocks show nothing earlier"; "an hour begins with every full hour on the
-- clock, and where the offset changes"
CREATE FUNCTION oracle.start_of(unit text, at timestamptz) RETURNS timestamptz STABLE LANGUAGE plpgsql AS $$
  DECLARE
    local_time CONSTANT timestamp := at AT TIME ZONE oracle.zone();
    start timestamptz := date_trunc(unit, local_time) AT TIME ZONE oracle.zone();
  BEGIN
    IF unit = 'hour' THEN
      start := at - (local_time - date_trunc('hour', local_time));
      WHILE start AT TIME ZONE oracle.zone() - start AT TIME ZONE 'UTC' <> local_time - at AT TIME ZONE 'UTC' LOOP
        start := date_trunc('minute', start + interval '1 minute');
      END LOOP;
    ELSIF start > at THEN
      -- Clocks show the day before once more.
      RETURN oracle.start_of(unit, at - interval '1 hour');
    END IF;
    RETURN start;
  END
$$;

-- The units that [begin_at, end_at) touches; the last one holds the last millisecond. A day that the zone has skipped is none.
CREATE FUNCTION oracle.units(unit text, begin_at timestamptz, end_at timestamptz)
RETURNS TABLE (from_ timestamptz, to_ timestamptz) STABLE LANGUAGE sql AS $$
  SELECT unit_from, max(at) + interval '1 minute'
    FROM generate_series(date_trunc('minute', begin_at), end_at + interval '1 hour', interval '1 minute') AS at,
         LATERAL oracle.start_of(unit, at) AS unit_from
   WHERE unit = 'hour' AND unit_from < end_at
   GROUP BY unit_from
   UNION ALL
  SELECT unit_from, unit_to
    FROM generate_series(date_trunc(unit, begin_at AT TIME ZONE oracle.zone()), (end_at - interval '1 millisecond') AT TIME ZONE oracle.zone(),
                         ('1 ' || unit)::interval) AS start,
         LATERAL (SELECT start AT TIME ZONE oracle.zone(), (start + ('1 ' || unit)::interval) AT TIME ZONE oracle.zone()) AS made (unit_from, unit_to)
   WHERE unit <> 'hour' AND unit_from < unit_to
$$;

-- "Source times are truncated to the millisecond when read."; "a time before the year 1 is none"
CREATE FUNCTION oracle.ms(at timestamptz) RETURNS timestamptz STABLE LANGUAGE sql AS $$
  SELECT CASE WHEN at >= '0001-01-01 00:00:00+00' THEN date_trunc('milliseconds', at) END
$$;

-- "Ratios … at most two decimals, rounded half away from zero, exactly …; 0 where the divisor is zero"
-- PostgreSQL's round(numeric, 2) rounds half away from zero; twenty decimals of quotient keep it exact.
CREATE FUNCTION oracle.ratio(dividend numeric, divisor numeric) RETURNS numeric IMMUTABLE LANGUAGE sql AS $$
  SELECT CASE WHEN divisor = 0 THEN 0 ELSE round(dividend::numeric(60, 20) / divisor, 2) END
$$;

CREATE FUNCTION oracle.percent(part numeric, whole numeric) RETURNS numeric IMMUTABLE LANGUAGE sql AS $$
  SELECT oracle.ratio(100 * part, whole)
$$;

---------------------------------------------------------------------------------------------------------------- windows

-- "24h = 24 hours, 7d/30d/90d = that many times 24 hours; all = everything before dataAsOf"
CREATE FUNCTION oracle.period_length() RETURNS interval STABLE LANGUAGE sql AS $$
  SELECT CASE oracle.setting('period') WHEN '24h' THEN 1 WHEN '7d' THEN 7 WHEN '30d' THEN 30 WHEN '90d' THEN 90 END * interval '24 hours'
$$;

-- "to = dataAsOf, from = null for all"
CREATE FUNCTION oracle.window_from() RETURNS timestamptz STABLE LANGUAGE sql AS $$ SELECT oracle.as_of() - oracle.period_length() $$;
CREATE FUNCTION oracle.window_to() RETURNS timestamptz STABLE LANGUAGE sql AS $$ SELECT oracle.as_of() $$;

-- "the half-open window [dataAsOf - P, dataAsOf)"; "Undated votes and launches count in totals and all only"
CREATE FUNCTION oracle.in_window(at timestamptz) RETURNS boolean STABLE LANGUAGE sql AS $$
  SELECT CASE WHEN oracle.setting('period') = 'all' THEN at IS NULL OR at < oracle.window_to()
              ELSE at IS NOT NULL AND at >= oracle.window_from() AND at < oracle.window_to() END
$$;

-- "Previous is the window of equal length just before"
CREATE FUNCTION oracle.in_previous(at timestamptz) RETURNS boolean STABLE LANGUAGE sql AS $$
  SELECT at IS NOT NULL AND at >= oracle.window_from() - oracle.period_length() AND at < oracle.window_from()
$$;

-- "the window of equal length that ended 365 x 24 hours earlier"
CREATE FUNCTION oracle.in_year_ago(at timestamptz) RETURNS boolean STABLE LANGUAGE sql AS $$
  SELECT at IS NOT NULL AND at >= oracle.window_from() - interval '24 hours' * 365 AND at < oracle.window_to() - interval '24 hours' * 365
$$;

-- "for all previous values are null"
CREATE FUNCTION oracle.previous(value numeric) RETURNS numeric STABLE LANGUAGE sql AS $$
  SELECT CASE WHEN oracle.setting('period') = 'all' THEN NULL ELSE value END
$$;

------------------------------------------------------------------------------------------------------------------ people

-- "--people exact|rounded|off (default exact)"
CREATE FUNCTION oracle.people_mode() RETURNS text STABLE LANGUAGE sql AS $$ SELECT coalesce(oracle.setting('people'), 'exact') $$;

-- "0 stays 0; 1 to 7 becomes null; 8 and more goes to the nearest 5"; "off: null everywhere"
CREATE FUNCTION oracle.published(people numeric) RETURNS numeric STABLE LANGUAGE sql AS $$
  SELECT CASE oracle.people_mode() WHEN 'exact' THEN people
                                   WHEN 'rounded' THEN CASE WHEN people = 0 THEN 0 WHEN people >= 8 THEN 5 * floor((people + 2) / 5) END END
$$;

-- "stats.totalUsers is an integer: 1 to 7 becomes 5"; "off: stats.totalUsers as in rounded"
CREATE FUNCTION oracle.published_total(people numeric) RETURNS numeric STABLE LANGUAGE sql AS $$
  SELECT CASE WHEN oracle.people_mode() = 'exact' OR people = 0 THEN people WHEN people < 8 THEN 5 ELSE 5 * floor((people + 2) / 5) END
$$;

-- "Counted as of the last midnight <= dataAsOf, ends of windows included"
CREATE FUNCTION oracle.people_to() RETURNS timestamptz STABLE LANGUAGE sql AS $$
  SELECT CASE WHEN oracle.people_mode() = 'exact' THEN oracle.as_of()
              ELSE oracle.start_of('day', oracle.as_of()) END
$$;
CREATE FUNCTION oracle.people_from() RETURNS timestamptz STABLE LANGUAGE sql AS $$ SELECT oracle.people_to() - oracle.period_length() $$;

CREATE FUNCTION oracle.in_people_window(at timestamptz) RETURNS boolean STABLE LANGUAGE sql AS $$
  SELECT CASE WHEN oracle.setting('period') = 'all' THEN at IS NULL OR at < oracle.people_to()
              ELSE at IS NOT NULL AND at >= oracle.people_from() AND at < oracle.people_to() END
$$;

CREATE FUNCTION oracle.in_previous_people_window(at timestamptz) RETURNS boolean STABLE LANGUAGE sql AS $$
  SELECT at IS NOT NULL AND at >= oracle.people_from() - oracle.period_length() AND at < oracle.people_from()
$$;

CREATE FUNCTION oracle.in_people_year_ago(at timestamptz) RETURNS boolean STABLE LANGUAGE sql AS $$
  SELECT at IS NOT NULL AND at >= oracle.people_from() - interval '24 hours' * 365 AND at < oracle.people_to() - interval '24 hours' * 365
$$;

------------------------------------------------------------------------------------------------------- names, addresses

-- "Category names … are trimmed of Unicode white space and put into NFC"
CREATE FUNCTION oracle.clean_name(name text) RETURNS text IMMUTABLE LANGUAGE sql AS $$
  SELECT normalize(btrim(name, E'\u0009\u000A\u000B\u000C\u000D\u0020\u0085\u00A0\u1680\u2000\u2001\u2002\u2003\u2004'
                            || E'\u2005\u2006\u2007\u2008\u2009\u200A\u2028\u2029\u202F\u205F\u3000'), NFC)
$$;

-- "Uncategorized is reserved: a source category of that name, in any case, means no category"; "blank dropped", and so is one that is
-- NULL or longer than a request may name
CREATE FUNCTION oracle.is_category(clean_name text) RETURNS boolean IMMUTABLE LANGUAGE sql AS $$
  SELECT clean_name <> '' AND char_length(clean_name) <= 200 AND lower(clean_name COLLATE "C") <> 'uncategorized'
$$;

-- "a path is appended to the site URL, an absolute one passes only as http(s), anything else is null", "published as new
-- URL().href": of what that changes, the case of scheme and host, an empty path, and quotes.
CREATE FUNCTION oracle.public_url(url text) RETURNS text STABLE LANGUAGE sql AS $$
  SELECT CASE WHEN left(url, 1) = '/' AND left(url, 2) <> '//'
              THEN coalesce(oracle.setting('site_url'), '') || replace(url, '"', '%22')
              WHEN url ~* '^https?://[^/]'
              THEN lower(substring(url FROM '^[^/]+//[^/]+')) || coalesce(substring(url FROM '^[^/]+//[^/]+(/.*)$'), '/') END
$$;

------------------------------------------------------------------------------------------------------------- what counts

-- "A source time before 1990-01-01 is no time: the row counts as undated (an idea's createdAt is published as it is)"
CREATE FUNCTION oracle.dated(at timestamptz) RETURNS timestamptz STABLE LANGUAGE sql AS $$
  SELECT CASE WHEN oracle.ms(at) >= timestamptz '1990-01-01 00:00:00+00' THEN oracle.ms(at) END
$$;

-- "A user, idea, vote or comment dated at or after dataAsOf does not exist in this release"
-- A row without its id is none; an account without a date counts as an old one.
CREATE VIEW oracle.users AS
SELECT id::text AS id, oracle.dated(created_at) AS created_at
  FROM public.users WHERE id IS NOT NULL AND (oracle.ms(created_at) IS NULL OR oracle.ms(created_at) < oracle.people_to());

-- "launched: is launched now: this decides, never the date"; "launched_at: ignored unless launched";
-- "a launched_at there [at or after dataAsOf] counts as undated"
-- An idea without id or date cannot be shown; one of which nobody knows whether it is launched is not; a status over 10,000
-- characters is none.
CREATE VIEW oracle.ideas AS
SELECT id::text COLLATE "C" AS id, left(coalesce(title, ''), 10000) AS title, oracle.ms(created_at) AS created_at,
       coalesce(launched, false) AS launched,
       CASE WHEN launched AND oracle.ms(launched_at) < oracle.as_of() THEN oracle.dated(launched_at) END AS launched_at,
       author_id::text AS author_id, CASE WHEN char_length(status) <= 10000 THEN status END AS status,
       oracle.public_url(url) AS url
  FROM public.ideas WHERE id IS NOT NULL AND oracle.ms(created_at) < oracle.as_of();

-- "a vote, comment or category counts only through an idea"; "A vote is a row with value > 0, whatever its weight"
CREATE VIEW oracle.votes AS
SELECT v.idea_id::text AS idea_id, v.user_id::text AS user_id, oracle.dated(v.created_at) AS created_at
  FROM public.votes v
 WHERE v.value > 0 AND (oracle.ms(v.created_at) IS NULL OR oracle.ms(v.created_at) < oracle.as_of())
   AND v.idea_id::text IN (SELECT id FROM oracle.ideas);

CREATE VIEW oracle.comments AS
SELECT c.idea_id::text AS idea_id, c.user_id::text AS user_id, oracle.dated(c.created_at) AS created_at
  FROM public.comments c
 WHERE (oracle.ms(c.created_at) IS NULL OR oracle.ms(c.created_at) < oracle.as_of())
   AND c.idea_id::text IN (SELECT id FROM oracle.ideas);

-- "0..n per idea, DISTINCT after trim, blank dropped, case kept"; an idea without one is under Uncategorized
CREATE VIEW oracle.idea_categories AS
WITH given AS (
  SELECT DISTINCT c.idea_id::text AS idea_id, oracle.clean_name(c.category) AS category
    FROM public.idea_categories c
   WHERE oracle.is_category(oracle.clean_name(c.category)) AND c.idea_id::text IN (SELECT id FROM oracle.ideas))
SELECT idea_id, category COLLATE "C" AS category FROM given
 UNION ALL
SELECT id, 'Uncategorized' FROM oracle.ideas WHERE id NOT IN (SELECT idea_id FROM given);

-- "Every category is listed, also with zeros"; Uncategorized "only when some idea has none"
CREATE VIEW oracle.category_names AS
SELECT oracle.clean_name(name) COLLATE "C" AS name FROM public.categories WHERE oracle.is_category(oracle.clean_name(name))
 UNION
SELECT category FROM oracle.idea_categories;

-- "distinct known people (author_id, votes.user_id, comments.user_id are one id space …) who voted, commented or submitted"
CREATE VIEW oracle.activity AS
SELECT user_id AS person, 'vote' AS kind, created_at AS at FROM oracle.votes WHERE user_id IS NOT NULL
 UNION ALL
SELECT user_id, 'comment', created_at FROM oracle.comments WHERE user_id IS NOT NULL
 UNION ALL
SELECT author_id, 'idea', created_at FROM oracle.ideas WHERE author_id IS NOT NULL;
