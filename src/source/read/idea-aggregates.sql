-- One row per idea with every count, newest first. Rows that no idea of the mapping owns (votes, comments or categories
-- of hidden ideas, or of no idea) come as rows with `present` NULL: they are only counted as skipped.
-- A row that breaks a rule does not end the read: what is NULL, too early or too long is counted, and the reader notes what
-- it skipped. A text is cut one code point after the longest that is published, so that the reader notices.
-- Times are truncated to milliseconds before they become doubles, of which the year 9999 needs 48 bits. (extract is
-- numeric from PostgreSQL 14 on, which is slower.)
-- A date before :earliest_date counts as no date: the row is older than every window and in no bucket.
-- Each event table is scanned once and grouped before it is joined. Of each idea it gives the time slices of its dated rows
-- (src/model/day-slices.ts), two bytes each: days since 1990, finer since :fine_from. Every window and every bucket is a
-- run of slices, so the reader counts them all, by idea and by category, in this one pass. The comments number the columns
-- as the reader does.
SELECT i.present, i.id, i.title, -- 0 to 8: the idea
       round(date_part('epoch', date_trunc('milliseconds', i.created_at)) * 1000),
       i.launched,
       round(date_part('epoch', date_trunc('milliseconds', i.launched_at)) * 1000),
       i.url, i.status, k.names,
       -- 9 to 14: its votes
       v.total > 0 AND v.idea_id IS NULL, v.total, v.no_value, v.up, v.future, v.slices,
       -- 15 to 18: its comments
       c.total > 0 AND c.idea_id IS NULL, c.total, c.future, c.slices,
       -- 19, 20: its categories
       k.total > 0 AND k.idea_id IS NULL, k.total
  FROM (SELECT true AS present, id::{idea_key} AS key, left(id::text, :text_cut) AS id,
               left(title::text, :text_cut) AS title,
               CASE WHEN created_at::timestamptz >= :min_time THEN created_at::timestamptz END AS created_at,
               launched, CASE WHEN launched THEN launched_at::timestamptz END AS launched_at,
               left(url::text, :text_cut) AS url, left(status::text, :text_cut) AS status
          FROM {ideas}) i
  FULL JOIN (
       SELECT idea_id,
              count(*) AS total,
              count(*) FILTER (WHERE value IS NULL) AS no_value,
              count(*) FILTER (WHERE value > 0) AS up,
              count(*) FILTER (WHERE at >= :as_of AND value > 0) AS future,
              string_agg(int2send(:slice), ''::bytea)
                FILTER (WHERE at < :as_of AND at >= :earliest_date AND value > 0) AS slices
         FROM (SELECT idea_id::{idea_key} AS idea_id, value, created_at::timestamptz AS at FROM {votes}) vote
        GROUP BY idea_id) v ON v.idea_id = i.key
  FULL JOIN (
       SELECT idea_id,
              count(*) AS total,
              count(*) FILTER (WHERE at >= :as_of) AS future,
              string_agg(int2send(:slice), ''::bytea) FILTER (WHERE at < :as_of AND at >= :earliest_date) AS slices
         FROM (SELECT idea_id::{idea_key} AS idea_id, created_at::timestamptz AS at FROM {comments}) comment
        GROUP BY idea_id) c ON c.idea_id = i.key
  FULL JOIN (
       SELECT idea_id::{idea_key} AS idea_id, json_agg(DISTINCT left(btrim(category::text), :name_cut)) AS names,
              count(*) AS total
         FROM {idea_categories} GROUP BY 1) k ON k.idea_id = i.key
 ORDER BY date_trunc('milliseconds', i.created_at) DESC NULLS FIRST, i.id COLLATE "C"
