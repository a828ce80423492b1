-- One row per idea with every count, newest first. Rows that no idea of the mapping owns (votes, comments or categories
-- of hidden ideas) come as rows with `present` NULL: they are only counted as ignored.
-- Times are truncated before extract, which is a double below PostgreSQL 14.
-- Each event table is scanned once and grouped before it is joined. Windows are nested, so `sN` = rows dated at or
-- after an edge; rows at or after dataAsOf are in `future` and in every `sN`, and are subtracted by the reader.
SELECT i.present, i.id, i.title,
       round(extract(epoch FROM date_trunc('milliseconds', i.created_at)) * 1000),
       i.launched,
       round(extract(epoch FROM date_trunc('milliseconds', i.launched_at)) * 1000),
       i.url, i.status, k.names,
       v.idea_id, v.total, v.bad, v.up, v.future, v.undated, round(extract(epoch FROM date_trunc('milliseconds', v.earliest)) * 1000),
       v.s1, v.s2, v.s7, v.s14, v.s30, v.s60, v.s90, v.s180,
       c.idea_id, c.total, c.bad, c.future, round(extract(epoch FROM date_trunc('milliseconds', c.earliest)) * 1000),
       c.s1, c.s2, c.s7, c.s14, c.s30, c.s60, c.s90, c.s180,
       k.total, k.bad
  FROM (SELECT true AS present, id::{idea_key} AS key, id::text AS id, title::text AS title,
               created_at::timestamptz AS created_at, launched,
               CASE WHEN launched THEN launched_at::timestamptz END AS launched_at,
               url::text AS url, status::text AS status
          FROM {ideas}) i
  FULL JOIN (
       SELECT idea_id,
              count(*) AS total,
              count(*) FILTER (WHERE value IS NULL OR at < :min_time OR at >= :max_time) AS bad,
              count(*) FILTER (WHERE value > 0) AS up,
              count(*) FILTER (WHERE value > 0 AND at >= :as_of) AS future,
              count(*) FILTER (WHERE value > 0 AND at IS NULL) AS undated,
              min(at) FILTER (WHERE value > 0) AS earliest,
              count(*) FILTER (WHERE value > 0 AND at >= :d1) AS s1,
              count(*) FILTER (WHERE value > 0 AND at >= :d2) AS s2,
              count(*) FILTER (WHERE value > 0 AND at >= :d7) AS s7,
              count(*) FILTER (WHERE value > 0 AND at >= :d14) AS s14,
              count(*) FILTER (WHERE value > 0 AND at >= :d30) AS s30,
              count(*) FILTER (WHERE value > 0 AND at >= :d60) AS s60,
              count(*) FILTER (WHERE value > 0 AND at >= :d90) AS s90,
              count(*) FILTER (WHERE value > 0 AND at >= :d180) AS s180
         FROM (SELECT idea_id::{idea_key} AS idea_id, value, created_at::timestamptz AS at FROM {votes}) vote
        GROUP BY idea_id) v ON v.idea_id = i.key
  FULL JOIN (
       SELECT idea_id,
              count(*) AS total,
              count(*) FILTER (WHERE at IS NULL OR at < :min_time OR at >= :max_time) AS bad,
              count(*) FILTER (WHERE at >= :as_of) AS future,
              min(at) AS earliest,
              count(*) FILTER (WHERE at >= :d1) AS s1,
              count(*) FILTER (WHERE at >= :d2) AS s2,
              count(*) FILTER (WHERE at >= :d7) AS s7,
              count(*) FILTER (WHERE at >= :d14) AS s14,
              count(*) FILTER (WHERE at >= :d30) AS s30,
              count(*) FILTER (WHERE at >= :d60) AS s60,
              count(*) FILTER (WHERE at >= :d90) AS s90,
              count(*) FILTER (WHERE at >= :d180) AS s180
         FROM (SELECT idea_id::{idea_key} AS idea_id, created_at::timestamptz AS at FROM {comments}) comment
        GROUP BY idea_id) c ON c.idea_id = i.key
  FULL JOIN (
       SELECT idea_id::{idea_key} AS idea_id, json_agg(DISTINCT category::text) AS names,
              count(*) AS total,
              count(*) FILTER (WHERE idea_id IS NULL OR category IS NULL) AS bad
         FROM {idea_categories} GROUP BY 1) k ON k.idea_id = i.key
 ORDER BY date_trunc('milliseconds', i.created_at) DESC, i.id COLLATE "C"
