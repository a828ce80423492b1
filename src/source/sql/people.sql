-- One row per person who did something that counts: three runs of bits, for votes, comments and ideas, with a bit for
-- each cell of time in which they did it (the last cell of a run: without a date). A cell is a piece of time that no
-- bucket and no window cuts, so whether somebody is in one of those can be read off the bits; width_bucket finds the
-- cell by binary search. Grouping by person alone needs no temporary files and runs in parallel: 3.5 to 5.5 s on 5 M
-- votes, where grouping by (person, cell) and counting that in SQL took 18 s (measured, 200 k people, 3 years).
SELECT bit_or(set_bit(:nothing, kind + coalesce(width_bucket(at, :edges), :undated), 1))
  FROM (SELECT user_id::{person_key} AS person, created_at::timestamptz AS at, :votes AS kind, idea_id::{idea_key} AS idea
          FROM {votes} WHERE value > 0 AND user_id IS NOT NULL
        UNION ALL
        SELECT user_id::{person_key}, created_at::timestamptz, :comments, idea_id::{idea_key}
          FROM {comments} WHERE user_id IS NOT NULL
        UNION ALL
        SELECT author_id::{person_key}, created_at::timestamptz, :ideas, id::{idea_key}
          FROM {ideas} WHERE author_id IS NOT NULL) event
 WHERE (at IS NULL OR at < :as_of) AND {idea_counts}
 GROUP BY person
