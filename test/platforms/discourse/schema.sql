-- The tables and columns of Discourse and its plugin Topic Voting that the mapping touches, with the types that their
-- migrations give them, and a few that it must not need. Discourse has next to no foreign keys.
-- Sources: lib/statistics.rb, the scopes of user.rb, the plugin's topic_extension.rb and vote_release.rb; of discourse/discourse-topic-voting
-- the migrations 20240707170311_rename_voting_tables (05396b6f), 20240715021442_rename_topic_voting_site_settings (a281dad4) and
-- 20240807020209_rename_incorrect_topic_voting_site_settings (a81b74df); of discourse/discourse 20241203125523_drop_old_discourse_voting_tables
-- (4b605682).
CREATE TABLE users (
  id             serial PRIMARY KEY,
  username       varchar(60) NOT NULL UNIQUE,
  name           varchar,
  active         boolean NOT NULL DEFAULT false,
  approved       boolean NOT NULL DEFAULT false,
  staged         boolean NOT NULL DEFAULT false,
  admin          boolean NOT NULL DEFAULT false,
  trust_level    int NOT NULL DEFAULT 1,
  ip_address     inet,
  suspended_till timestamp,
  silenced_till  timestamp,
  created_at     timestamp NOT NULL
);
CREATE TABLE user_emails (
  id      serial PRIMARY KEY,
  user_id int NOT NULL,
  email   varchar(513) NOT NULL
);
CREATE TABLE anonymous_users (
  id             bigserial PRIMARY KEY,
  user_id        int NOT NULL UNIQUE,
  master_user_id int NOT NULL,
  active         boolean NOT NULL
);
CREATE TABLE site_settings (
  id        serial PRIMARY KEY,
  name      varchar NOT NULL UNIQUE,
  data_type int NOT NULL,
  value     text
);
CREATE TABLE categories (
  id                 serial PRIMARY KEY,
  name               varchar(50) NOT NULL,
  slug               varchar NOT NULL,
  topic_id           int,
  parent_category_id int,
  user_id            int NOT NULL DEFAULT -1,
  read_restricted    boolean NOT NULL DEFAULT false
);
CREATE UNIQUE INDEX ON categories (coalesce(parent_category_id, -1), name);
CREATE TABLE topics (
  id                serial PRIMARY KEY,
  title             varchar NOT NULL,
  slug              varchar,
  excerpt           varchar,
  user_id           int,
  category_id       int,
  archetype         varchar NOT NULL DEFAULT 'regular',
  visible           boolean NOT NULL DEFAULT true,
  closed            boolean NOT NULL DEFAULT false,
  archived          boolean NOT NULL DEFAULT false,
  slow_mode_seconds int NOT NULL DEFAULT 0,
  deleted_at        timestamp,
  created_at        timestamp NOT NULL
);
CREATE TABLE shared_drafts (
  id          bigserial PRIMARY KEY,
  topic_id    int NOT NULL UNIQUE,
  category_id int NOT NULL
);
CREATE TABLE posts (
  id           serial PRIMARY KEY,
  topic_id     int NOT NULL,
  user_id      int,
  post_number  int NOT NULL,
  post_type    int NOT NULL DEFAULT 1,
  raw          text NOT NULL DEFAULT '',
  action_code  varchar,
  hidden       boolean NOT NULL DEFAULT false,
  user_deleted boolean NOT NULL DEFAULT false,
  deleted_at   timestamp,
  created_at   timestamp NOT NULL,
  UNIQUE (topic_id, post_number)
);
CREATE TABLE tags (
  id            serial PRIMARY KEY,
  name          varchar NOT NULL,
  description   varchar(1000),
  target_tag_id int
);
CREATE UNIQUE INDEX ON tags (lower(name));
CREATE TABLE topic_tags (
  id         serial PRIMARY KEY,
  topic_id   int NOT NULL,
  tag_id     int NOT NULL,
  created_at timestamp NOT NULL,
  UNIQUE (topic_id, tag_id)
);
CREATE TABLE tag_group_memberships (
  id           serial PRIMARY KEY,
  tag_id       int NOT NULL,
  tag_group_id int NOT NULL,
  UNIQUE (tag_group_id, tag_id)
);
CREATE TABLE tag_group_permissions (
  id              bigserial PRIMARY KEY,
  tag_group_id    bigint NOT NULL,
  group_id        bigint NOT NULL,
  permission_type int NOT NULL DEFAULT 1
);
CREATE TABLE topic_voting_category_settings (
  id          bigserial PRIMARY KEY,
  category_id int UNIQUE
);
CREATE TABLE topic_voting_votes (
  id         bigserial PRIMARY KEY,
  topic_id   int,
  user_id    int,
  archive    boolean DEFAULT false,
  created_at timestamp NOT NULL,
  UNIQUE (user_id, topic_id)
);
CREATE TABLE topic_voting_topic_vote_count (
  id          bigserial PRIMARY KEY,
  topic_id    int UNIQUE,
  votes_count int
);
