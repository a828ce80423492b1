-- The tables and columns of Decidim 0.31 that the mapping touches, with the types that Decidim's migrations give them,
-- and a few that it must not need. Decidim keeps hardly any foreign keys: what a row belongs to is a type and an id.
-- Sources: db/schema.rb of decidim-barcelona; of decidim/decidim the migrations 20230427105700_change_state_on_proposals (23591088),
-- 20240110203500_add_withdrawn_at_field_to_proposals (910f474d), 20240110203504_create_default_proposal_states (374a1a68) and
-- 20261005124834_rename_participatory_process_steps_to_phases (305fd02e), db/data/20261005130000_rename_participatory_process_step_references.rb
-- (587a8563), and its own statistics (proposal.rb, proposal_vote.rb, the metrics of users and proposals, reportable.rb).
CREATE TABLE decidim_organizations (
  id                serial PRIMARY KEY,
  name              jsonb NOT NULL DEFAULT '{}',
  host              varchar NOT NULL UNIQUE,
  default_locale    varchar NOT NULL,
  available_locales varchar[] DEFAULT '{}',
  smtp_settings     jsonb,
  force_users_to_authenticate_before_access_organization boolean DEFAULT false
);
CREATE TABLE decidim_users (
  id                      serial PRIMARY KEY,
  decidim_organization_id int,
  type                    varchar NOT NULL,
  name                    varchar,
  email                   varchar DEFAULT '',
  admin                   boolean NOT NULL DEFAULT false,
  managed                 boolean NOT NULL DEFAULT false,
  blocked                 boolean NOT NULL DEFAULT false,
  confirmed_at            timestamp,
  deleted_at              timestamp,
  created_at              timestamp NOT NULL
);
CREATE TABLE decidim_participatory_processes (
  id                      serial PRIMARY KEY,
  decidim_organization_id int,
  slug                    varchar NOT NULL,
  title                   jsonb NOT NULL DEFAULT '{}',
  published_at            timestamp,
  deleted_at              timestamp(6),
  private_space           boolean DEFAULT false,
  UNIQUE (decidim_organization_id, slug)
);
CREATE TABLE decidim_participatory_process_steps (
  id                               serial PRIMARY KEY,
  decidim_participatory_process_id int,
  title                            jsonb NOT NULL DEFAULT '{}',
  active                           boolean DEFAULT false
);
CREATE UNIQUE INDEX ON decidim_participatory_process_steps (decidim_participatory_process_id, active) WHERE active;
CREATE TABLE decidim_assemblies (
  id                      serial PRIMARY KEY,
  decidim_organization_id int,
  slug                    varchar NOT NULL,
  title                   jsonb NOT NULL DEFAULT '{}',
  parent_id               bigint,
  published_at            timestamp,
  deleted_at              timestamp(6),
  private_space           boolean DEFAULT false,
  is_transparent          boolean DEFAULT true,
  UNIQUE (decidim_organization_id, slug)
);
CREATE TABLE decidim_components (
  id                       serial PRIMARY KEY,
  manifest_name            varchar,
  participatory_space_type varchar NOT NULL,
  participatory_space_id   int NOT NULL,
  published_at             timestamp,
  deleted_at               timestamp(6),
  visible                  boolean DEFAULT true,
  settings                 jsonb DEFAULT '{}'
);
CREATE TABLE decidim_proposals_proposal_states (
  id                   bigserial PRIMARY KEY,
  decidim_component_id bigint NOT NULL,
  token                varchar NOT NULL,
  title                jsonb
);
CREATE TABLE decidim_proposals_proposals (
  id                                  serial PRIMARY KEY,
  decidim_component_id                int NOT NULL,
  title                               jsonb,
  body                                jsonb,
  decidim_proposals_proposal_state_id int,
  state_published_at                  timestamp,
  answered_at                         timestamp,
  published_at                        timestamp,
  withdrawn_at                        timestamp,
  deleted_at                          timestamp(6),
  proposal_votes_count                int NOT NULL DEFAULT 0,
  created_at                          timestamp NOT NULL
);
CREATE TABLE decidim_proposals_proposal_votes (
  id                  serial PRIMARY KEY,
  decidim_proposal_id int NOT NULL,
  decidim_author_id   int NOT NULL,
  temporary           boolean NOT NULL DEFAULT false,
  created_at          timestamp NOT NULL,
  UNIQUE (decidim_proposal_id, decidim_author_id)
);
CREATE TABLE decidim_coauthorships (
  id                  bigserial PRIMARY KEY,
  coauthorable_type   varchar,
  coauthorable_id     bigint,
  decidim_author_type varchar NOT NULL,
  decidim_author_id   bigint NOT NULL
);
CREATE TABLE decidim_amendments (
  id                      bigserial PRIMARY KEY,
  decidim_user_id         bigint NOT NULL,
  decidim_amendable_type  varchar,
  decidim_amendable_id    bigint,
  decidim_emendation_type varchar,
  decidim_emendation_id   bigint,
  state                   int NOT NULL DEFAULT 0
);
CREATE TABLE decidim_moderations (
  id                      serial PRIMARY KEY,
  decidim_reportable_type varchar NOT NULL,
  decidim_reportable_id   int NOT NULL,
  report_count            int NOT NULL DEFAULT 0,
  hidden_at               timestamp,
  UNIQUE (decidim_reportable_type, decidim_reportable_id)
);
CREATE TABLE decidim_comments_comments (
  id                            serial PRIMARY KEY,
  body                          jsonb,
  decidim_commentable_type      varchar NOT NULL,
  decidim_commentable_id        int NOT NULL,
  decidim_root_commentable_type varchar NOT NULL,
  decidim_root_commentable_id   int NOT NULL,
  decidim_author_type           varchar NOT NULL,
  decidim_author_id             int NOT NULL,
  created_at                    timestamp NOT NULL,
  deleted_at                    timestamp
);
CREATE TABLE decidim_taxonomies (
  id                      bigserial PRIMARY KEY,
  decidim_organization_id bigint NOT NULL,
  parent_id               bigint,
  part_of                 int[] NOT NULL DEFAULT '{}',
  name                    jsonb NOT NULL DEFAULT '{}'
);
CREATE TABLE decidim_taxonomizations (
  id                 bigserial PRIMARY KEY,
  taxonomy_id        bigint NOT NULL,
  taxonomizable_type varchar NOT NULL,
  taxonomizable_id   bigint NOT NULL,
  UNIQUE (taxonomy_id, taxonomizable_id, taxonomizable_type)
);
