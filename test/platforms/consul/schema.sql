-- The tables and columns of Consul Democracy 2.x that the mapping touches, with the types that its migrations give them,
-- and a few that it must not need. What a row belongs to is a type and an id.
CREATE TABLE tenants (
  id          serial PRIMARY KEY,
  name        varchar UNIQUE,
  schema      varchar UNIQUE,
  schema_type int NOT NULL DEFAULT 0,
  hidden_at   timestamp,
  created_at  timestamp NOT NULL,
  updated_at  timestamp NOT NULL
);
CREATE TABLE settings (
  id    serial PRIMARY KEY,
  key   varchar,
  value varchar
);
CREATE TABLE users (
  id                     serial PRIMARY KEY,
  email                  varchar UNIQUE DEFAULT '',
  encrypted_password     varchar NOT NULL DEFAULT '',
  username               varchar(60),
  document_number        varchar,
  created_from_signature boolean DEFAULT false,
  confirmed_at           timestamp,
  hidden_at              timestamp,
  erased_at              timestamp,
  created_at             timestamp NOT NULL
);
CREATE TABLE organizations (
  id      serial PRIMARY KEY,
  user_id int,
  name    varchar(60)
);
CREATE TABLE proposals (
  id              serial PRIMARY KEY,
  author_id       int,
  hidden_at       timestamp,
  flags_count     int DEFAULT 0,
  cached_votes_up int DEFAULT 0,
  geozone_id      int,
  retired_at      timestamp,
  retired_reason  varchar,
  published_at    timestamp,
  selected        boolean DEFAULT false,
  created_at      timestamp NOT NULL
);
CREATE TABLE proposal_translations (
  id          serial PRIMARY KEY,
  proposal_id int NOT NULL,
  locale      varchar NOT NULL,
  title       varchar,
  summary     text,
  hidden_at   timestamp
);
CREATE TABLE milestones (
  id                 serial PRIMARY KEY,
  milestoneable_type varchar,
  milestoneable_id   int,
  publication_date   timestamp,
  status_id          int,
  created_at         timestamp NOT NULL
);
CREATE TABLE milestone_statuses (
  id        serial PRIMARY KEY,
  name      varchar,
  hidden_at timestamp
);
CREATE TABLE tags (
  id              serial PRIMARY KEY,
  name            varchar(160) UNIQUE,
  kind            varchar,
  proposals_count int DEFAULT 0
);
CREATE TABLE taggings (
  id            serial PRIMARY KEY,
  tag_id        int,
  taggable_type varchar,
  taggable_id   int,
  tagger_type   varchar,
  tagger_id     int,
  context       varchar(128),
  created_at    timestamp,
  UNIQUE (tag_id, taggable_id, taggable_type, context, tagger_id, tagger_type)
);
CREATE TABLE votes (
  id           serial PRIMARY KEY,
  votable_type varchar,
  votable_id   int,
  voter_type   varchar,
  voter_id     int,
  vote_flag    boolean,
  vote_scope   varchar,
  vote_weight  int,
  signature_id int,
  created_at   timestamp
);
CREATE TABLE comments (
  id               serial PRIMARY KEY,
  commentable_id   int,
  commentable_type varchar,
  user_id          int NOT NULL,
  ancestry         varchar,
  hidden_at        timestamp,
  valuation        boolean DEFAULT false,
  created_at       timestamp
);
