-- One row per user who did something that counts: words of bits, with three bits (votes, comments, ideas) for each slice
-- of time in which they did it, the last slice for what has no date; NULL where a word has no bit. Slice 0 is older
-- than every bucket and window: only dates that are none are there. A slice is a piece of
-- time that no bucket and no window cuts, so whether somebody is in one of those can be read off the bits; width_bucket
-- finds the slice by binary search. Grouping by user alone needs no temporary files and runs in parallel. Measured with
-- 5 M votes, 200 k users, 3 years: 2.1 s; with one bit string per user instead of words, which are passed by value,
-- 2.4 s; grouping by (user, slice) and counting that in SQL 18 s. Words leave as numbers: 12 MB, as bit strings 45.
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
 WHERE (at IS NULL OR at < :as_of) AND {idea_counts}
 GROUP BY user_id
