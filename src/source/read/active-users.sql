-- One row per user who did something that counts: words of bits, with three bits (votes, comments, ideas) for each time
-- slice of their activity, the last slice for activity without a date; NULL where a word has no bit. Slice 0 is older than
-- every bucket and window. No bucket and no window cuts a slice, so the bits tell who was active in each of them;
-- width_bucket finds the slice by binary search. Grouping by user alone needs no temporary files and runs in parallel; a bit
-- string per user instead of words, which are passed by value, is slower and four times as large.
SELECT :words
  FROM (SELECT user_id::{user_key} AS user_id, created_at::timestamptz AS at, idea_id::{idea_key} AS idea, 0 AS kind,
               coalesce(width_bucket(created_at::timestamptz, :edges), :undated) AS slice
          FROM {votes} WHERE value > 0 AND user_id IS NOT NULL
        UNION ALL
        SELECT user_id::{user_key}, created_at::timestamptz, idea_id::{idea_key}, 1,
               coalesce(width_bucket(created_at::timestamptz, :edges), :undated)
          FROM {comments} WHERE user_id IS NOT NULL
        UNION ALL
        SELECT author_id::{user_key}, created_at::timestamptz, id::{idea_key}, 2,
               coalesce(width_bucket(created_at::timestamptz, :edges), :undated)
          FROM {ideas} WHERE author_id IS NOT NULL) event
 WHERE (at IS NULL OR at < :people_as_of) AND {idea_counts}
 GROUP BY user_id
