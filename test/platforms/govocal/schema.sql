-- The tables and columns of Go Vocal that the mapping touches, as back/db/structure.sql has them (CitizenLabDotCo/citizenlab,
-- 00111b73), and a few that it must not need; of before listed projects, input topics and marks of deletion. Schema "public" has the
-- table of tenants, and every table of a tenant, empty, as a model: Apartment copies it for each new tenant.
-- Sources: back/app/policies/idea_policy.rb (030579a5) and project_policy.rb, back/app/models/idea.rb (1e64a318), idea_status.rb (093b0945),
-- comment.rb (0fddf8a4), ideas_input_topic.rb, input_topic.rb and user.rb (scope active), side_fx_idea_service.rb (00332a27), and tenant.rb of
-- multi_tenancy (069afab1).
CREATE TABLE public.tenants (
  id                    uuid PRIMARY KEY,
  name                  varchar,
  host                  varchar,
  settings              jsonb DEFAULT '{}',
  created_at            timestamp NOT NULL DEFAULT now(),
  updated_at            timestamp NOT NULL DEFAULT now(),
  deleted_at            timestamp,
  creation_finalized_at timestamp
);
CREATE TABLE public.app_configurations (
  id         uuid PRIMARY KEY,
  name       varchar,
  host       varchar,
  settings   jsonb DEFAULT '{}',
  created_at timestamp(6) NOT NULL DEFAULT now(),
  updated_at timestamp(6) NOT NULL DEFAULT now()
);
CREATE TABLE public.users (
  id                        uuid PRIMARY KEY,
  email                     varchar,
  roles                     jsonb DEFAULT '[]',
  invite_status             varchar,
  registration_completed_at timestamp,
  block_start_at            timestamp,
  block_end_at              timestamp,
  created_at                timestamp NOT NULL DEFAULT now(),
  updated_at                timestamp NOT NULL DEFAULT now()
);
CREATE TABLE public.projects (
  id             uuid PRIMARY KEY,
  title_multiloc jsonb DEFAULT '{}',
  slug           varchar,
  visible_to     varchar NOT NULL DEFAULT 'public',
  created_at     timestamp NOT NULL DEFAULT now(),
  updated_at     timestamp NOT NULL DEFAULT now()
);
CREATE TABLE public.admin_publications (
  id                 uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  parent_id          uuid,
  publication_id     uuid,
  publication_type   varchar,
  publication_status varchar NOT NULL DEFAULT 'published',
  created_at         timestamp NOT NULL DEFAULT now()
);
CREATE TABLE public.phases (
  id                   uuid PRIMARY KEY,
  project_id           uuid,
  participation_method varchar NOT NULL DEFAULT 'ideation',
  created_at           timestamp NOT NULL DEFAULT now()
);
CREATE TABLE public.idea_statuses (
  id                   uuid PRIMARY KEY,
  title_multiloc       jsonb DEFAULT '{}',
  code                 varchar,
  participation_method varchar NOT NULL DEFAULT 'ideation',
  created_at           timestamp NOT NULL DEFAULT now()
);
CREATE TABLE public.ideas (
  id                 uuid PRIMARY KEY,
  title_multiloc     jsonb DEFAULT '{}',
  body_multiloc      jsonb DEFAULT '{}',
  publication_status varchar,
  published_at       timestamp,
  submitted_at       timestamp(6),
  project_id         uuid,
  author_id          uuid,
  author_hash        varchar,
  anonymous          boolean NOT NULL DEFAULT false,
  idea_status_id     uuid,
  slug               varchar,
  creation_phase_id  uuid,
  created_at         timestamp NOT NULL DEFAULT now(),
  updated_at         timestamp NOT NULL DEFAULT now(),
  likes_count        int NOT NULL DEFAULT 0,
  comments_count     int NOT NULL DEFAULT 0
);
CREATE TABLE public.activities (
  id         uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  item_type  varchar NOT NULL,
  item_id    uuid NOT NULL,
  action     varchar NOT NULL,
  payload    jsonb NOT NULL DEFAULT '{}',
  user_id    uuid,
  acted_at   timestamp NOT NULL,
  created_at timestamp NOT NULL DEFAULT now()
);
CREATE TABLE public.reactions (
  id             uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  reactable_id   uuid,
  reactable_type varchar,
  user_id        uuid,
  mode           varchar NOT NULL,
  created_at     timestamp NOT NULL,
  updated_at     timestamp NOT NULL DEFAULT now()
);
CREATE TABLE public.comments (
  id                 uuid PRIMARY KEY,
  author_id          uuid,
  idea_id            uuid,
  parent_id          uuid,
  body_multiloc      jsonb DEFAULT '{}',
  publication_status varchar NOT NULL DEFAULT 'published',
  author_hash        varchar,
  anonymous          boolean NOT NULL DEFAULT false,
  created_at         timestamp NOT NULL,
  updated_at         timestamp NOT NULL DEFAULT now()
);
CREATE TABLE public.topics (
  id             uuid PRIMARY KEY,
  title_multiloc jsonb DEFAULT '{}',
  created_at     timestamp NOT NULL DEFAULT now()
);
CREATE TABLE public.ideas_topics (
  id       uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  idea_id  uuid,
  topic_id uuid
);
CREATE TABLE public.projects_allowed_input_topics (
  id         uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  project_id uuid,
  topic_id   uuid
);

DO $$
DECLARE
  tenant text;
  model text;
BEGIN
  FOREACH tenant IN ARRAY ARRAY['ideas_town_org', 'ideas_village_org'] LOOP
    EXECUTE format('CREATE SCHEMA %I', tenant);
    FOR model IN SELECT tablename FROM pg_tables WHERE schemaname = 'public' AND tablename <> 'tenants' LOOP
      EXECUTE format('CREATE TABLE %I.%I (LIKE public.%I INCLUDING ALL)', tenant, model, model);
    END LOOP;
  END LOOP;
END $$;
