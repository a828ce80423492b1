-- The tables and columns of GitLab 19.0 that the mapping touches, with the types that db/structure.sql gives them, and a
-- few that it must not need.
CREATE TABLE namespaces (
  id               bigint PRIMARY KEY,
  name             varchar NOT NULL,
  path             varchar NOT NULL,
  owner_id         bigint,
  type             varchar NOT NULL DEFAULT 'User',
  visibility_level int NOT NULL DEFAULT 20,
  parent_id        bigint,
  runners_token    varchar,
  traversal_ids    bigint[] NOT NULL DEFAULT '{}'
);
CREATE TABLE application_settings (
  id                         bigserial PRIMARY KEY,
  default_preferred_language text NOT NULL DEFAULT 'en'
);
CREATE TABLE projects (
  id                   bigint PRIMARY KEY,
  name                 varchar,
  path                 varchar,
  namespace_id         bigint NOT NULL,
  project_namespace_id bigint NOT NULL UNIQUE,
  visibility_level     int NOT NULL DEFAULT 0,
  archived             boolean NOT NULL DEFAULT false,
  pending_delete       boolean DEFAULT false,
  hidden               boolean NOT NULL DEFAULT false,
  runners_token        varchar
);
CREATE TABLE project_features (
  id                  bigserial PRIMARY KEY,
  project_id          bigint NOT NULL UNIQUE,
  issues_access_level int,
  wiki_access_level   int
);
CREATE TABLE routes (
  id           bigserial PRIMARY KEY,
  source_id    bigint NOT NULL,
  source_type  varchar NOT NULL,
  path         varchar NOT NULL UNIQUE,
  name         varchar,
  namespace_id bigint NOT NULL UNIQUE,
  UNIQUE (source_type, source_id)
);
CREATE TABLE users (
  id                 bigint PRIMARY KEY,
  email              varchar NOT NULL DEFAULT '',
  encrypted_password varchar NOT NULL DEFAULT '',
  username           varchar UNIQUE,
  admin              boolean NOT NULL DEFAULT false,
  state              varchar,
  user_type          smallint NOT NULL DEFAULT 0,
  created_at         timestamp
);
CREATE TABLE banned_users (
  user_id    bigint PRIMARY KEY,
  created_at timestamptz NOT NULL,
  updated_at timestamptz NOT NULL
);
CREATE TABLE issues (
  id                  bigint PRIMARY KEY,
  iid                 int,
  project_id          bigint,
  namespace_id        bigint NOT NULL,
  author_id           bigint,
  title               varchar,
  description         text,
  confidential        boolean NOT NULL DEFAULT false,
  state_id            smallint NOT NULL DEFAULT 1,
  closed_at           timestamptz,
  closed_by_id        bigint,
  moved_to_id         bigint,
  duplicated_to_id    bigint,
  promoted_to_epic_id bigint,
  work_item_type_id   bigint NOT NULL,
  upvotes_count       int NOT NULL DEFAULT 0,
  created_at          timestamp
);
CREATE TABLE labels (
  id         bigint PRIMARY KEY,
  title      varchar,
  type       varchar,
  project_id bigint,
  group_id   bigint
);
CREATE TABLE label_links (
  id          bigserial PRIMARY KEY,
  label_id    bigint,
  target_type varchar,
  target_id   bigint
);
CREATE TABLE award_emoji (
  id             bigserial PRIMARY KEY,
  name           varchar,
  user_id        bigint,
  awardable_type varchar,
  awardable_id   bigint,
  created_at     timestamp
);
CREATE TABLE notes (
  id            bigint PRIMARY KEY,
  note          text,
  noteable_type varchar NOT NULL,
  noteable_id   bigint,
  author_id     bigint,
  project_id    bigint,
  system        boolean NOT NULL DEFAULT false,
  internal      boolean NOT NULL DEFAULT false,
  confidential  boolean,
  created_at    timestamp
);
