-- The native schema: six plain tables, for sites that fill our shape themselves and for the embedded demo.
-- Create it with:  psql "$DATABASE_URL" -v ON_ERROR_STOP=1 -f schema.sql
-- Only rows that an anonymous visitor may see belong here.

CREATE TABLE users (
  id         bigint PRIMARY KEY,
  created_at timestamptz NOT NULL
);

CREATE TABLE categories (
  name text PRIMARY KEY
);

CREATE TABLE ideas (
  id          bigint PRIMARY KEY,
  title       text NOT NULL,
  created_at  timestamptz NOT NULL,
  launched    boolean NOT NULL DEFAULT false,
  launched_at timestamptz,                      -- NULL = launched at an unknown time; ignored unless launched
  url         text,                             -- a path such as /ideas/7, or an absolute http(s) address
  author_id   bigint,                           -- NULL = anonymous; not a foreign key: accounts may be deleted
  status      text
);

CREATE TABLE idea_categories (
  idea_id  bigint NOT NULL REFERENCES ideas ON DELETE CASCADE,
  category text NOT NULL,
  PRIMARY KEY (idea_id, category)
);

CREATE TABLE votes (
  idea_id    bigint NOT NULL,
  user_id    bigint,                            -- NULL = anonymous
  value      integer NOT NULL DEFAULT 1,        -- > 0 a vote; 0 and down-votes are ignored
  created_at timestamptz                        -- NULL = counts in totals and in the period `all` only
);

CREATE TABLE comments (
  id         bigint PRIMARY KEY,
  idea_id    bigint NOT NULL,
  user_id    bigint,
  created_at timestamptz NOT NULL
);

-- A build reads each event table from end to end, twice: it needs no index but those of the primary keys.
