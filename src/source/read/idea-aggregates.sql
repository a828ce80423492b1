-- One row per idea with every count, newest first. Rows that no idea of the mapping owns (votes, comments or categories
-- of hidden ideas, or of no idea) come as rows with `present` NULL: they are only counted as skipped.
-- A row that breaks a rule does not end the read: what is NULL, too early or too long is counted, and the reader notes what
-- it skipped. A text is cut one code point after the longest that is published, so that the reader notices.
-- Times are truncated to milliseconds before they become doubles, of which the year 9999 needs 48 bits. (extract is
-- numeric from PostgreSQL 14 on, which is slower.)
-- A date before :earliest_date counts as no date: the row is older than every window, and the months of `all` do not begin
-- with it.
-- Each event table is scanned once and grouped before it is joined. Windows are nested, so rows dated at or after an
-- edge are all that is counted; rows dated at or after dataAsOf count in `future` and in every `sN`, and the reader
-- subtracts them. `sN` holds two counts in one sum: a row of the last N days adds 1, and 2^30 more if it is of the last N/2
-- days (s14: a vote 3 days old adds 1 + 2^30, one 10 days old adds 1). The comments number the columns as the reader does. With the date compared before the value, an old row needs four comparisons instead of the sixteen of eight counts.
SELECT i.present, i.id, i.title, -- 0 to 8: the idea
       round(date_part('epoch', date_trunc('milliseconds', i.created_at)) * 1000),
       i.launched,
       round(date_part('epoch', date_trunc('milliseconds', i.launched_at)) * 1000),
       i.url, i.status, k.names,
       -- 9 to 23: its votes
       v.total > 0 AND v.idea_id IS NULL, v.total, v.no_value, v.up, v.future, v.undated, round(date_part('epoch', date_trunc('milliseconds', v.earliest)) * 1000),
       v.s2 >> 30, v.s2 & ((1 << 30) - 1), v.s14 >> 30, v.s14 & ((1 << 30) - 1), v.s60 >> 30, v.s60 & ((1 << 30) - 1), v.s180 >> 30, v.s180 & ((1 << 30) - 1),
       -- 24 to 36: its comments
       c.total > 0 AND c.idea_id IS NULL, c.total, c.future, c.undated, round(date_part('epoch', date_trunc('milliseconds', c.earliest)) * 1000),
       c.s2 >> 30, c.s2 & ((1 << 30) - 1), c.s14 >> 30, c.s14 & ((1 << 30) - 1), c.s60 >> 30, c.s60 & ((1 << 30) - 1), c.s180 >> 30, c.s180 & ((1 << 30) - 1),
       -- 37, 38: its categories
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
              count(*) FILTER (WHERE value > 0 AND (at IS NULL OR at < :earliest_date)) AS undated,
              min(at) FILTER (WHERE value > 0 AND at >= :earliest_date) AS earliest,
              sum(CASE WHEN at >= :d1 THEN 1 + (1 << 30) ELSE 1 END) FILTER (WHERE at >= :d2 AND value > 0) AS s2,
              sum(CASE WHEN at >= :d7 THEN 1 + (1 << 30) ELSE 1 END) FILTER (WHERE at >= :d14 AND value > 0) AS s14,
              sum(CASE WHEN at >= :d30 THEN 1 + (1 << 30) ELSE 1 END) FILTER (WHERE at >= :d60 AND value > 0) AS s60,
              sum(CASE WHEN at >= :d90 THEN 1 + (1 << 30) ELSE 1 END) FILTER (WHERE at >= :d180 AND value > 0) AS s180
         FROM (SELECT idea_id::{idea_key} AS idea_id, value, created_at::timestamptz AS at FROM {votes}) vote
        GROUP BY idea_id) v ON v.idea_id = i.key
  FULL JOIN (
       SELECT idea_id,
              count(*) AS total,
              count(*) FILTER (WHERE at >= :as_of) AS future,
              count(*) FILTER (WHERE at IS NULL OR at < :earliest_date) AS undated,
              min(at) FILTER (WHERE at >= :earliest_date) AS earliest,
              sum(CASE WHEN at >= :d1 THEN 1 + (1 << 30) ELSE 1 END) FILTER (WHERE at >= :d2) AS s2,
              sum(CASE WHEN at >= :d7 THEN 1 + (1 << 30) ELSE 1 END) FILTER (WHERE at >= :d14) AS s14,
              sum(CASE WHEN at >= :d30 THEN 1 + (1 << 30) ELSE 1 END) FILTER (WHERE at >= :d60) AS s60,
              sum(CASE WHEN at >= :d90 THEN 1 + (1 << 30) ELSE 1 END) FILTER (WHERE at >= :d180) AS s180
         FROM (SELECT idea_id::{idea_key} AS idea_id, created_at::timestamptz AS at FROM {comments}) comment
        GROUP BY idea_id) c ON c.idea_id = i.key
  FULL JOIN (
       SELECT idea_id::{idea_key} AS idea_id, json_agg(DISTINCT left(btrim(category::text), :name_cut)) AS names,
              count(*) AS total
         FROM {idea_categories} GROUP BY 1) k ON k.idea_id = i.key
 ORDER BY date_trunc('milliseconds', i.created_at) DESC NULLS FIRST, i.id COLLATE "C"
