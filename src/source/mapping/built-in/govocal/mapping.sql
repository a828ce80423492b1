-- mapping: govocal
-- Go Vocal (govocal.com, before 2024 CitizenLab), from the migration RemoveInitiativesFromComments (2024) on. An idea is an input of
-- ideation or a proposal, its categories are the topics of inputs.
-- The five questions, answered for Go Vocal:
--   Which rows can a logged-out visitor not see?  Inputs that are drafts or wait for a review; those in a project that is a draft
--                                                 or for groups or admins only; answers of surveys, which are kept in the same
--                                                 table; comments that were deleted; everything of a site that is being deleted.
--   Which status means launched, and when?        The status codes named by `launched`. The date is that of the last change of status
--                                                 in `activities`: a status that was set at an import has none.
--   One category or many?                         Many. Of a topic and its subtopics the topic counts.
--   Are times UTC without zone?                   Yes, all of them.
--   Several sites in one database?                Yes: a schema for each. The same person is one user in each.
-- Votes are likes: dislikes, neutral reactions, and the baskets of voting and budgeting phases are not counted. Who submits an input
-- likes it by that, as in Go Vocal's own counters.
-- Statements of a common ground phase are no ideas, nor in Go Vocal's own table of posts (analytics_fact_posts), although visitors
-- see them.
-- Inputs and comments that were sent anonymously, and those whose author was deleted, count; nobody is active by them.
-- A project that is not listed is open to whoever has its address. It is left out here: a list would show it to everybody.
-- Accounts are those that completed their registration and are not blocked at present, staff included: User.active.
-- app_configurations.settings says that a trial has expired, which Go Vocal's pages then send visitors away for. No build reads it,
-- because keys of sign-in services are in the same column: do not run builds for such a site.
-- While a version keeps both tables of topics, those of projects (input_topics) are used.
-- param tenant : identifier -- the schema of the site: its host name with _ for each dot
-- param launched : text[] = implemented -- codes of the statuses that mean launched
-- param locale : text = -- language of titles and topics, such as nl-BE; empty = English, else any
-- requires public.tenants(id, deleted_at)
-- requires :tenant.app_configurations(id)
-- requires :tenant.users(id, registration_completed_at)
-- requires :tenant.users(block_end_at)
-- requires :tenant.projects(id, visible_to)
-- requires :tenant.projects(listed) where present -- Go Vocal's migration AddListedToProjects
-- requires :tenant.projects(deleted_at) where present -- before MakeUniqueIndexesPartialForSoftDelete
-- requires :tenant.admin_publications(publication_id, publication_status)
-- requires :tenant.phases(id, participation_method)
-- requires :tenant.ideas(id, title_multiloc, slug, publication_status, published_at, created_at)
-- requires :tenant.ideas(project_id, author_id, idea_status_id, creation_phase_id)
-- requires :tenant.ideas(deleted_at) where present -- before MakeUniqueIndexesPartialForSoftDelete
-- requires :tenant.idea_statuses(id, code, title_multiloc)
-- requires :tenant.activities(item_id, action, acted_at)
-- requires :tenant.reactions(reactable_id, reactable_type, user_id, mode, created_at)
-- requires :tenant.reactions(deleted_at) where present -- before MakeUniqueIndexesPartialForSoftDelete
-- requires :tenant.comments(id, author_id, publication_status, created_at)
-- requires :tenant.comments(idea_id) -- Go Vocal's migration RemoveInitiativesFromComments
-- requires :tenant.comments(deleted_at) where present
-- requires :tenant.topics(id, title_multiloc) where present -- until RenameTopicsToGlobalTopics
-- requires :tenant.ideas_topics(idea_id, topic_id) where present -- until then
-- requires :tenant.projects_allowed_input_topics(project_id, topic_id) where present -- until then
-- requires :tenant.input_topics(id, project_id, parent_id, title_multiloc) where present -- CreateInputTopicsTables, and subtopics
-- requires :tenant.ideas_input_topics(idea_id, input_topic_id) where present -- CreateInputTopicsTables
-- requires :tenant.ideas_input_topics(deleted_at) where present -- before MakeUniqueIndexesPartialForSoftDelete

-- choices launched
SELECT code AS value, 'statuses that have it: ' || count(*) AS label
  FROM :tenant.idea_statuses
 GROUP BY code

-- choices locale
SELECT language AS value, '' AS label
  FROM :tenant.idea_statuses s
 CROSS JOIN jsonb_object_keys(s.title_multiloc) AS language
 GROUP BY language

-- section with
-- A tenant and the row of its schema have the same id. A tenant is marked before its schema is dropped.
open_site AS (
  SELECT t.id
    FROM public.tenants t
    JOIN :tenant.app_configurations c ON c.id = t.id
   WHERE t.deleted_at IS NULL
),
-- Where a table has no such column, the name means the one of "earlier"; where it has, the table's own is the nearer one.
-- A draft of a folder hides no project: only the list of projects leaves those out.
shown_projects AS (
  SELECT p.id
    FROM (SELECT true AS listed, NULL::timestamp AS deleted_at) AS earlier
   CROSS JOIN LATERAL (
     SELECT q.id, q.visible_to FROM :tenant.projects q WHERE listed AND deleted_at IS NULL) AS p
    JOIN :tenant.admin_publications a ON a.publication_id = p.id
   WHERE p.visible_to = 'public' AND a.publication_status IN ('published', 'archived')
     AND EXISTS (SELECT FROM open_site)
),
kept_input_topics AS (
  SELECT z.idea_id, z.input_topic_id
    FROM (SELECT NULL::timestamp AS deleted_at) AS earlier
   CROSS JOIN LATERAL (
     SELECT y.idea_id, y.input_topic_id FROM :tenant.ideas_input_topics y WHERE deleted_at IS NULL) AS z
)

-- section users
SELECT u.id, u.registration_completed_at AT TIME ZONE 'UTC' AS created_at
  FROM :tenant.users u
 WHERE u.registration_completed_at IS NOT NULL
   AND (u.block_end_at IS NULL OR u.block_end_at AT TIME ZONE 'UTC' <= now())
   AND EXISTS (SELECT FROM open_site)

-- section ideas
-- An input belongs to the phase in which it was submitted if the phase is of a kind that keeps its inputs to itself, as surveys and
-- proposals do; those of ideation, voting and budgeting have none. The date is that of the publication; published_at is empty in
-- inputs that are older than the column.
SELECT i.id,
       coalesce(nullif(i.title_multiloc ->> :locale, ''), nullif(i.title_multiloc ->> 'en', ''),
                jsonb_path_query_first(i.title_multiloc, '$.* ? (@ like_regex ".")') #>> '{}', '') AS title,
       coalesce(i.published_at, i.created_at) AT TIME ZONE 'UTC' AS created_at,
       coalesce(s.code = ANY (:launched), false) AS launched,
       change.acted_at AT TIME ZONE 'UTC' AS launched_at,
       '/ideas/' || i.slug AS url,
       i.author_id,
       coalesce(nullif(s.code, 'custom'), nullif(s.title_multiloc ->> :locale, ''), nullif(s.title_multiloc ->> 'en', ''),
                jsonb_path_query_first(s.title_multiloc, '$.* ? (@ like_regex ".")') #>> '{}') AS status
  FROM (SELECT NULL::timestamp AS deleted_at) AS earlier
 CROSS JOIN LATERAL (
   SELECT o.id, o.title_multiloc, o.slug, o.publication_status, o.published_at, o.created_at, o.project_id, o.author_id,
          o.idea_status_id, o.creation_phase_id
     FROM :tenant.ideas o WHERE deleted_at IS NULL) AS i
  JOIN shown_projects p ON p.id = i.project_id
  LEFT JOIN :tenant.phases ph ON ph.id = i.creation_phase_id
  LEFT JOIN :tenant.idea_statuses s ON s.id = i.idea_status_id
  LEFT JOIN (SELECT a.item_id, max(a.acted_at) AS acted_at
               FROM :tenant.activities a
              WHERE a.action = 'changed_status'
              GROUP BY a.item_id) AS change ON change.item_id = i.id
 WHERE i.publication_status = 'published'
   AND (i.creation_phase_id IS NULL OR ph.participation_method = 'proposals')

-- section idea_categories
SELECT z.idea_id,
       coalesce(nullif(t.title_multiloc ->> :locale, ''), nullif(t.title_multiloc ->> 'en', ''),
                jsonb_path_query_first(t.title_multiloc, '$.* ? (@ like_regex ".")') #>> '{}', '') AS category
  FROM :tenant.ideas_topics z
  JOIN :tenant.topics t ON t.id = z.topic_id

-- section idea_categories where present
-- There are two levels.
SELECT z.idea_id,
       coalesce(nullif(t.title_multiloc ->> :locale, ''), nullif(t.title_multiloc ->> 'en', ''),
                jsonb_path_query_first(t.title_multiloc, '$.* ? (@ like_regex ".")') #>> '{}', '') AS category
  FROM kept_input_topics z
  JOIN :tenant.input_topics sub ON sub.id = z.input_topic_id
  JOIN :tenant.input_topics t ON t.id = coalesce(sub.parent_id, sub.id)

-- section votes
SELECT r.reactable_id AS idea_id, r.user_id, 1 AS value, r.created_at AT TIME ZONE 'UTC' AS created_at
  FROM (SELECT NULL::timestamp AS deleted_at) AS earlier
 CROSS JOIN LATERAL (
   SELECT o.reactable_id, o.reactable_type, o.user_id, o.mode, o.created_at
     FROM :tenant.reactions o WHERE deleted_at IS NULL) AS r
 WHERE r.reactable_type = 'Idea' AND r.mode = 'up'

-- section comments
-- A reply to a deleted comment stays, and counts in Go Vocal's own counter.
SELECT c.id, c.idea_id, c.author_id AS user_id, c.created_at AT TIME ZONE 'UTC' AS created_at
  FROM (SELECT NULL::timestamp AS deleted_at) AS earlier
 CROSS JOIN LATERAL (
   SELECT o.id, o.idea_id, o.author_id, o.publication_status, o.created_at
     FROM :tenant.comments o WHERE deleted_at IS NULL) AS c
 WHERE c.publication_status = 'published'

-- section categories
SELECT coalesce(nullif(t.title_multiloc ->> :locale, ''), nullif(t.title_multiloc ->> 'en', ''),
                jsonb_path_query_first(t.title_multiloc, '$.* ? (@ like_regex ".")') #>> '{}', '') AS name
  FROM :tenant.topics t
  JOIN :tenant.projects_allowed_input_topics a ON a.topic_id = t.id
  JOIN shown_projects p ON p.id = a.project_id

-- section categories where present
SELECT coalesce(nullif(t.title_multiloc ->> :locale, ''), nullif(t.title_multiloc ->> 'en', ''),
                jsonb_path_query_first(t.title_multiloc, '$.* ? (@ like_regex ".")') #>> '{}', '') AS name
  FROM :tenant.input_topics t
  JOIN shown_projects p ON p.id = t.project_id
 WHERE t.parent_id IS NULL

-- section closed
-- Tenant.not_deleted (back/engines/commercial/multi_tenancy/app/models/tenant.rb, 069afab1). The schema "public" has the same tables,
-- empty, as a model for new sites: it is no tenant, which is an error here, as any wrong schema is.
SELECT t.deleted_at IS NOT NULL AS closed, 'deleted_at' AS reason
  FROM public.tenants t
  JOIN :tenant.app_configurations c ON c.id = t.id

-- section page
-- As back/config/schemas/settings.schema.json.erb (001c5856): a name has a text for each language, and the first of core.locales is
-- taken as the site's. AppConfiguration.base_frontend_uri (00ebd1fb) puts https in front of the host.
SELECT c.settings #> '{core,organization_name}' ->> (c.settings #>> '{core,locales,0}') AS title,
       c.settings #>> '{core,locales,0}' AS language,
       'https://' || c.host AS url
  FROM :tenant.app_configurations c
