-- The tables of the platform, in the schema that is first in search_path. "n" numbers the rows of a table, "filler" is
-- there to be rewritten: no section and no view reads them.
CREATE TABLE members (n int PRIMARY KEY, id bigint, created_at timestamptz, filler int);
CREATE TABLE ideas (n int PRIMARY KEY, id bigint, title text, created_at timestamptz, launched boolean, author_id bigint,
                    kept boolean, filler int);
CREATE TABLE proposals (n int PRIMARY KEY, id bigint, title text, created_at timestamptz, author_id bigint, filler int,
                        hidden boolean);
CREATE TABLE moderation (n int PRIMARY KEY, proposal_id bigint, filler int);
CREATE TABLE tags (n int PRIMARY KEY, id bigint, name text, filler int);
CREATE TABLE idea_tags (n int PRIMARY KEY, idea_id bigint, tag_id bigint, filler int);
CREATE TABLE votes (n int PRIMARY KEY, idea_id bigint, user_id bigint, created_at timestamptz, filler int);
CREATE TABLE late_votes (LIKE votes INCLUDING ALL);
CREATE TABLE ballots (n int, idea_id bigint, user_id bigint, created_at timestamptz, filler int, part int,
                      PRIMARY KEY (n, part)) PARTITION BY LIST (part);
CREATE TABLE ballots_0 PARTITION OF ballots FOR VALUES IN (0);
CREATE TABLE ballots_1 PARTITION OF ballots FOR VALUES IN (1);
CREATE TABLE ballots_2 PARTITION OF ballots FOR VALUES IN (2);
CREATE TABLE archived (LIKE votes INCLUDING ALL);
CREATE TABLE comments (n int PRIMARY KEY, id bigint, idea_id bigint, user_id bigint, created_at timestamptz, filler int);
CREATE TABLE replies (LIKE comments INCLUDING ALL);
CREATE TABLE notes (LIKE comments INCLUDING ALL);
CREATE TABLE old_notes (LIKE comments INCLUDING ALL);
ALTER TABLE old_notes INHERIT notes;
CREATE TABLE listed (n int PRIMARY KEY, name text, filler int);
CREATE TABLE settings (n int PRIMARY KEY, name text, value text, filler int);
CREATE MATERIALIZED VIEW vote_archive AS SELECT n, idea_id, user_id, created_at FROM archived;
CREATE UNIQUE INDEX ON vote_archive (n);
CREATE VIEW kept_ideas AS SELECT id, title, created_at, launched, author_id FROM ideas WHERE kept;
CREATE VIEW public_ideas AS SELECT id, title, created_at, launched, author_id FROM kept_ideas;
