-- The tables and columns of Astuto that the mapping touches, with the types that Astuto's migrations give them, and a
-- few that it must not need. Names are unique per site, and nothing makes a site's settings a single row.
-- Sources: db/schema.rb (version 2024_11_30_112415), the models of posts, users and tenants, and the workflow that changes a status.
CREATE TABLE tenants (
  id        bigserial PRIMARY KEY,
  site_name varchar NOT NULL,
  subdomain varchar NOT NULL,
  locale    varchar DEFAULT 'en',
  status    int
);
CREATE TABLE tenant_settings (
  id              bigserial PRIMARY KEY,
  tenant_id       bigint NOT NULL REFERENCES tenants,
  show_vote_count boolean NOT NULL DEFAULT true,
  is_private      boolean NOT NULL DEFAULT false
);
CREATE TABLE users (
  id                 bigserial PRIMARY KEY,
  tenant_id          bigint NOT NULL REFERENCES tenants,
  email              varchar NOT NULL DEFAULT '',
  encrypted_password varchar NOT NULL DEFAULT '',
  full_name          varchar,
  role               int,
  status             int,
  confirmed_at       timestamp,
  created_at         timestamp(6) NOT NULL,
  UNIQUE (email, tenant_id)
);
CREATE TABLE boards (
  id          bigserial PRIMARY KEY,
  tenant_id   bigint NOT NULL REFERENCES tenants,
  name        varchar NOT NULL,
  description text,
  "order"     int NOT NULL,
  slug        varchar,
  UNIQUE (name, tenant_id)
);
CREATE TABLE post_statuses (
  id              bigserial PRIMARY KEY,
  tenant_id       bigint NOT NULL REFERENCES tenants,
  name            varchar NOT NULL,
  color           varchar NOT NULL,
  "order"         int NOT NULL,
  show_in_roadmap boolean NOT NULL DEFAULT false,
  UNIQUE (name, tenant_id)
);
CREATE TABLE posts (
  id              bigserial PRIMARY KEY,
  tenant_id       bigint NOT NULL REFERENCES tenants,
  board_id        bigint NOT NULL REFERENCES boards,
  user_id         bigint REFERENCES users,
  post_status_id  bigint REFERENCES post_statuses,
  approval_status int NOT NULL DEFAULT 0,
  title           varchar NOT NULL,
  description     text,
  slug            varchar,
  created_at      timestamp(6) NOT NULL,
  UNIQUE (slug, tenant_id)
);
CREATE TABLE post_status_changes (
  id             bigserial PRIMARY KEY,
  tenant_id      bigint NOT NULL REFERENCES tenants,
  user_id        bigint NOT NULL REFERENCES users,
  post_id        bigint NOT NULL REFERENCES posts,
  post_status_id bigint REFERENCES post_statuses,
  created_at     timestamp(6) NOT NULL
);
CREATE TABLE likes (
  id         bigserial PRIMARY KEY,
  tenant_id  bigint NOT NULL REFERENCES tenants,
  user_id    bigint NOT NULL REFERENCES users,
  post_id    bigint NOT NULL REFERENCES posts,
  created_at timestamp(6) NOT NULL,
  UNIQUE (user_id, post_id)
);
CREATE TABLE comments (
  id             bigserial PRIMARY KEY,
  tenant_id      bigint NOT NULL REFERENCES tenants,
  user_id        bigint NOT NULL REFERENCES users,
  post_id        bigint NOT NULL REFERENCES posts,
  parent_id      bigint REFERENCES comments,
  body           text,
  is_post_update boolean NOT NULL DEFAULT false,
  created_at     timestamp(6) NOT NULL
);
