-- The tables and columns of LogChimp that the mapping touches, with the types that LogChimp's migrations give them, and
-- a few that it must not need.
-- Sources: packages/server/src/database/migrations, the queries of boards and of a post's activity, and the files that the mapping names.
CREATE TABLE users (
  "userId"     uuid PRIMARY KEY,
  name         varchar(30),
  email        varchar(320) NOT NULL UNIQUE,
  password     varchar(72),
  username     varchar(30) NOT NULL UNIQUE,
  "isVerified" boolean DEFAULT false,
  "isOwner"    boolean DEFAULT false,
  "isBlocked"  boolean DEFAULT false,
  "createdAt"  timestamptz NOT NULL DEFAULT now(),
  "updatedAt"  timestamptz NOT NULL DEFAULT now()
);
CREATE TABLE boards (
  "boardId"   uuid PRIMARY KEY,
  name        varchar(50) NOT NULL,
  url         varchar(50) NOT NULL UNIQUE,
  color       varchar(6) NOT NULL,
  display     boolean DEFAULT false,
  view_voters boolean DEFAULT true,
  "createdAt" timestamptz NOT NULL DEFAULT now(),
  "updatedAt" timestamptz NOT NULL DEFAULT now()
);
CREATE TABLE roadmaps (
  id         uuid PRIMARY KEY,
  name       varchar(50) NOT NULL,
  url        varchar(50) NOT NULL UNIQUE,
  index      int NOT NULL,
  color      varchar(6) NOT NULL,
  display    boolean DEFAULT false,
  created_at timestamptz NOT NULL DEFAULT now(),
  updated_at timestamptz NOT NULL DEFAULT now()
);
CREATE TABLE posts (
  "postId"          uuid PRIMARY KEY,
  title             varchar(100) NOT NULL,
  slug              varchar(150) NOT NULL UNIQUE,
  "slugId"          varchar(20) NOT NULL,
  "contentMarkdown" text,
  "userId"          uuid NOT NULL REFERENCES users,
  "boardId"         uuid REFERENCES boards ON DELETE SET NULL,
  roadmap_id        uuid REFERENCES roadmaps ON DELETE SET NULL,
  "createdAt"       timestamptz NOT NULL DEFAULT now(),
  "updatedAt"       timestamptz NOT NULL DEFAULT now()
);
CREATE TABLE votes (
  "voteId"    uuid PRIMARY KEY,
  "userId"    uuid NOT NULL REFERENCES users,
  "postId"    uuid NOT NULL REFERENCES posts ON DELETE CASCADE,
  "createdAt" timestamptz NOT NULL DEFAULT now()
);
CREATE TABLE posts_comments (
  id          uuid PRIMARY KEY,
  parent_id   uuid REFERENCES posts_comments,
  activity_id uuid NOT NULL,
  body        varchar(1000) NOT NULL,
  is_edited   boolean DEFAULT false,
  is_spam     boolean DEFAULT false,
  is_internal boolean DEFAULT false,
  created_at  timestamptz NOT NULL,
  updated_at  timestamptz NOT NULL
);
CREATE TABLE posts_activity (
  id                uuid PRIMARY KEY,
  type              varchar(50) NOT NULL,
  posts_comments_id uuid REFERENCES posts_comments,
  post_id           uuid NOT NULL REFERENCES posts,
  author_id         uuid NOT NULL REFERENCES users,
  created_at        timestamptz NOT NULL
);
