-- The tables and columns of Talkyard (migration v427) that the mapping touches, with the types that Talkyard's migrations
-- give them (domains as the types below them), and a few that it must not need. Ids are per site, also those of pages.
-- Sources: v1__base_version.sql to v427__switch_to_sqlx.sql in appsv/rdb/src/main/resources/db/migration, Authz.scala,
-- AuthzSiteDaoMixin.scala, CategoriesDao.scala, PageParts.scala, Post.scala, and the queries of users in UserSiteDaoMixin.scala.
CREATE TABLE sites3 (
  id             int PRIMARY KEY,
  publ_id        varchar NOT NULL,
  name           varchar,
  status         int NOT NULL DEFAULT 1,
  creator_ip     varchar
);
CREATE TABLE settings3 (
  site_id                    int NOT NULL REFERENCES sites3,
  category_id                int,
  page_id                    varchar,
  user_must_be_auth          boolean,
  user_must_be_approved      boolean,
  require_verified_email     boolean,
  sso_paseto_v2_loc_secret_c varchar,
  akismet_api_key            varchar
);
CREATE UNIQUE INDEX ON settings3 (site_id) WHERE page_id IS NULL AND category_id IS NULL;
CREATE TABLE users3 (
  site_id            int NOT NULL REFERENCES sites3,
  user_id            int NOT NULL,
  username           varchar,
  full_name          varchar,
  primary_email_addr varchar,
  is_group           boolean NOT NULL DEFAULT false,
  is_owner           boolean,
  is_admin           boolean,
  is_moderator       boolean,
  is_approved        boolean,
  email_verified_at  timestamp,
  suspended_till     timestamp,
  deactivated_at     timestamp,
  deleted_at         timestamp,
  created_at         timestamp,
  true_id_c          int,
  anonym_status_c    int,
  PRIMARY KEY (site_id, user_id)
);
CREATE TABLE categories3 (
  site_id         int NOT NULL REFERENCES sites3,
  id              int NOT NULL,
  page_id         varchar NOT NULL,
  parent_id       int,
  name            varchar NOT NULL,
  slug            varchar NOT NULL,
  new_topic_types varchar,
  unlist_category boolean NOT NULL DEFAULT false,
  unlist_topics   boolean NOT NULL DEFAULT false,
  deleted_at      timestamp,
  PRIMARY KEY (site_id, id),
  FOREIGN KEY (site_id, parent_id) REFERENCES categories3 (site_id, id)
);
CREATE TABLE perms_on_pages3 (
  site_id               int NOT NULL,
  perm_id               int NOT NULL,
  for_people_id         int NOT NULL,
  on_whole_site         boolean,
  on_category_id        int,
  on_page_id            varchar,
  may_create_page       boolean,
  may_see               boolean,
  may_see_own           boolean,
  can_see_others_priv_c smallint,
  PRIMARY KEY (site_id, perm_id),
  FOREIGN KEY (site_id, for_people_id) REFERENCES users3,
  FOREIGN KEY (site_id, on_category_id) REFERENCES categories3
);
CREATE TABLE pages3 (
  site_id     int NOT NULL REFERENCES sites3,
  page_id     varchar NOT NULL,
  page_role   smallint NOT NULL,
  category_id int,
  author_id   int NOT NULL,
  created_at  timestamp NOT NULL DEFAULT now(),
  planned_at  timestamp,
  started_at  timestamp,
  done_at     timestamp,
  closed_at   timestamp,
  hidden_at   timestamp,
  deleted_at  timestamp,
  num_likes   int NOT NULL DEFAULT 0,
  PRIMARY KEY (site_id, page_id),
  FOREIGN KEY (site_id, category_id) REFERENCES categories3,
  FOREIGN KEY (site_id, author_id) REFERENCES users3,
  CHECK (closed_at IS NOT NULL OR done_at IS NULL),
  CHECK (page_role IN (13, 14, 15) OR (planned_at IS NULL AND done_at IS NULL))
);
CREATE TABLE posts3 (
  site_id          int NOT NULL REFERENCES sites3,
  unique_post_id   int NOT NULL,
  page_id          varchar NOT NULL,
  post_nr          int NOT NULL,
  parent_nr        int,
  type             smallint,
  created_by_id    int NOT NULL,
  created_at       timestamp NOT NULL,
  approved_at      timestamp,
  approved_source  text,
  hidden_at        timestamp,
  collapsed_status smallint NOT NULL DEFAULT 0,
  deleted_status   smallint NOT NULL DEFAULT 0,
  private_status_c smallint,
  PRIMARY KEY (site_id, unique_post_id),
  UNIQUE (site_id, page_id, post_nr),
  FOREIGN KEY (site_id, page_id) REFERENCES pages3,
  FOREIGN KEY (site_id, created_by_id) REFERENCES users3,
  CHECK ((approved_at IS NULL) = (approved_source IS NULL)),
  CHECK (type <> 51 OR (approved_at IS NULL AND post_nr <= -1001)),
  CHECK (private_status_c IS NULL OR post_nr <= -1001)
);
CREATE TABLE post_actions3 (
  site_id       int NOT NULL REFERENCES sites3,
  to_post_id_c  int NOT NULL,
  page_id       varchar NOT NULL,
  post_nr       int NOT NULL,
  rel_type_c    smallint NOT NULL,
  sub_type_c    int NOT NULL DEFAULT 1,
  from_pat_id_c int NOT NULL,
  as_pat_id_c   int,
  created_at    timestamp NOT NULL,
  deleted_at    timestamp,
  PRIMARY KEY (site_id, to_post_id_c, rel_type_c, from_pat_id_c, sub_type_c),
  FOREIGN KEY (site_id, to_post_id_c) REFERENCES posts3,
  FOREIGN KEY (site_id, from_pat_id_c) REFERENCES users3
);
