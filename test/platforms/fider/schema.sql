-- The tables and columns of Fider that the mapping touches, with the types that Fider's migrations give them, and a
-- few that it must not need.
-- Sources: Fider's migrations 201702072040_create_ideas to 202511041300_content_moderation, and the queries of posts, votes, users
-- and tags in its PostgreSQL store.
CREATE TABLE tenants (
  id         serial PRIMARY KEY,
  name       varchar(60) NOT NULL,
  subdomain  varchar(40) NOT NULL UNIQUE,
  status     int NOT NULL,
  is_private boolean NOT NULL
);
CREATE TABLE users (
  id         serial PRIMARY KEY,
  tenant_id  int NOT NULL REFERENCES tenants,
  name       varchar(100),
  email      varchar(200),
  role       int NOT NULL DEFAULT 1,
  status     int NOT NULL,
  created_at timestamptz NOT NULL
);
CREATE TABLE posts (
  id            serial PRIMARY KEY,
  tenant_id     int NOT NULL REFERENCES tenants,
  number        int NOT NULL,
  title         varchar(100) NOT NULL,
  slug          varchar(100) NOT NULL,
  description   text,
  user_id       int NOT NULL REFERENCES users,
  status        int NOT NULL,
  original_id   int REFERENCES posts,
  response      text,
  response_date timestamptz,
  is_approved   boolean NOT NULL,
  created_at    timestamptz NOT NULL
);
CREATE TABLE tags (
  id        serial PRIMARY KEY,
  tenant_id int NOT NULL REFERENCES tenants,
  name      varchar(30) NOT NULL,
  slug      varchar(30) NOT NULL,
  is_public boolean NOT NULL
);
CREATE TABLE post_tags (
  tag_id    int NOT NULL REFERENCES tags,
  post_id   int NOT NULL REFERENCES posts,
  tenant_id int NOT NULL REFERENCES tenants,
  PRIMARY KEY (tag_id, post_id)
);
CREATE TABLE post_votes (
  user_id    int NOT NULL REFERENCES users,
  post_id    int NOT NULL REFERENCES posts,
  tenant_id  int NOT NULL REFERENCES tenants,
  created_at timestamptz NOT NULL,
  PRIMARY KEY (user_id, post_id)
);
CREATE TABLE comments (
  id          serial PRIMARY KEY,
  tenant_id   int NOT NULL REFERENCES tenants,
  content     text,
  post_id     int NOT NULL REFERENCES posts,
  user_id     int NOT NULL REFERENCES users,
  created_at  timestamptz NOT NULL,
  deleted_at  timestamptz,
  is_approved boolean NOT NULL
);
