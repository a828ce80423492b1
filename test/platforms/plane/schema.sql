-- The tables and columns of Plane (migration 0119) that the mapping touches, with the types that Plane's migrations give
-- them, and a few that it must not need. Plane makes ids itself: the defaults here save the seed some.
-- Sources: the migrations of plane.db from 0084 to 0119, the models of issues, states and boards, and the views in apps/api/plane/space.
CREATE TABLE users (
  id         uuid PRIMARY KEY,
  username   varchar(128) NOT NULL UNIQUE,
  email      varchar(255) UNIQUE,
  password   varchar(128) NOT NULL DEFAULT '',
  token      varchar(64) NOT NULL DEFAULT '',
  is_active  boolean NOT NULL DEFAULT true,
  is_bot     boolean NOT NULL DEFAULT false,
  created_at timestamptz NOT NULL
);
CREATE TABLE workspaces (
  id         uuid PRIMARY KEY,
  name       varchar(80) NOT NULL,
  slug       varchar(48) NOT NULL UNIQUE,
  created_at timestamptz NOT NULL,
  deleted_at timestamptz
);
CREATE TABLE projects (
  id           uuid PRIMARY KEY,
  workspace_id uuid NOT NULL REFERENCES workspaces,
  name         varchar(255) NOT NULL,
  identifier   varchar(12) NOT NULL,
  network      smallint NOT NULL DEFAULT 2,
  created_at   timestamptz NOT NULL,
  archived_at  timestamptz,
  deleted_at   timestamptz
);
CREATE TABLE deploy_boards (
  id                   uuid PRIMARY KEY,
  workspace_id         uuid NOT NULL REFERENCES workspaces,
  project_id           uuid REFERENCES projects,
  entity_identifier    uuid,
  entity_name          varchar(30),
  anchor               varchar(255) NOT NULL UNIQUE,
  is_comments_enabled  boolean NOT NULL,
  is_reactions_enabled boolean NOT NULL,
  is_votes_enabled     boolean NOT NULL,
  is_disabled          boolean NOT NULL,
  created_at           timestamptz NOT NULL,
  deleted_at           timestamptz
);
CREATE UNIQUE INDEX ON deploy_boards (entity_name, entity_identifier) WHERE deleted_at IS NULL;
CREATE TABLE project_members (
  id         uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  project_id uuid NOT NULL REFERENCES projects,
  member_id  uuid REFERENCES users,
  role       smallint NOT NULL DEFAULT 15,
  is_active  boolean NOT NULL,
  created_at timestamptz NOT NULL,
  deleted_at timestamptz
);
CREATE UNIQUE INDEX ON project_members (project_id, member_id) WHERE deleted_at IS NULL;
CREATE TABLE project_public_members (
  id         uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  project_id uuid NOT NULL REFERENCES projects,
  member_id  uuid NOT NULL REFERENCES users,
  created_at timestamptz NOT NULL,
  deleted_at timestamptz
);
CREATE UNIQUE INDEX ON project_public_members (project_id, member_id) WHERE deleted_at IS NULL;
CREATE TABLE states (
  id         uuid PRIMARY KEY,
  project_id uuid NOT NULL REFERENCES projects,
  name       varchar(255) NOT NULL,
  "group"    varchar(20) NOT NULL,
  is_triage  boolean NOT NULL,
  "default"  boolean NOT NULL DEFAULT false,
  deleted_at timestamptz
);
CREATE UNIQUE INDEX ON states (name, project_id) WHERE deleted_at IS NULL;
CREATE TABLE issues (
  id               uuid PRIMARY KEY,
  project_id       uuid NOT NULL REFERENCES projects,
  parent_id        uuid REFERENCES issues,
  state_id         uuid REFERENCES states,
  name             varchar(255) NOT NULL,
  description_json jsonb NOT NULL DEFAULT '{}',
  sequence_id      int NOT NULL DEFAULT 1,
  created_by_id    uuid REFERENCES users,
  created_at       timestamptz NOT NULL,
  completed_at     timestamptz,
  archived_at      date,
  is_draft         boolean NOT NULL DEFAULT false,
  deleted_at       timestamptz
);
CREATE TABLE intake_issues (
  id         uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  project_id uuid NOT NULL REFERENCES projects,
  issue_id   uuid NOT NULL REFERENCES issues,
  status     int NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now(),
  deleted_at timestamptz
);
CREATE TABLE labels (
  id         uuid PRIMARY KEY,
  project_id uuid REFERENCES projects,
  name       varchar(255) NOT NULL,
  deleted_at timestamptz
);
CREATE UNIQUE INDEX ON labels (project_id, name) WHERE project_id IS NOT NULL AND deleted_at IS NULL;
CREATE TABLE issue_labels (
  id         uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  project_id uuid NOT NULL REFERENCES projects,
  issue_id   uuid NOT NULL REFERENCES issues,
  label_id   uuid NOT NULL REFERENCES labels,
  deleted_at timestamptz
);
CREATE TABLE modules (
  id          uuid PRIMARY KEY,
  project_id  uuid NOT NULL REFERENCES projects,
  name        varchar(255) NOT NULL,
  archived_at timestamptz,
  deleted_at  timestamptz
);
CREATE UNIQUE INDEX ON modules (name, project_id) WHERE deleted_at IS NULL;
CREATE TABLE module_issues (
  id         uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  project_id uuid NOT NULL REFERENCES projects,
  issue_id   uuid NOT NULL REFERENCES issues,
  module_id  uuid NOT NULL REFERENCES modules,
  deleted_at timestamptz
);
CREATE UNIQUE INDEX ON module_issues (issue_id, module_id) WHERE deleted_at IS NULL;
CREATE TABLE issue_votes (
  id         uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  project_id uuid NOT NULL REFERENCES projects,
  issue_id   uuid NOT NULL REFERENCES issues,
  actor_id   uuid NOT NULL REFERENCES users,
  vote       int NOT NULL,
  created_at timestamptz NOT NULL,
  deleted_at timestamptz
);
CREATE UNIQUE INDEX ON issue_votes (issue_id, actor_id) WHERE deleted_at IS NULL;
CREATE TABLE issue_comments (
  id           uuid PRIMARY KEY,
  project_id   uuid NOT NULL REFERENCES projects,
  issue_id     uuid NOT NULL REFERENCES issues,
  parent_id    uuid REFERENCES issue_comments,
  actor_id     uuid REFERENCES users,
  access       varchar(100) NOT NULL,
  comment_html text NOT NULL DEFAULT '<p></p>',
  created_at   timestamptz NOT NULL,
  deleted_at   timestamptz
);
