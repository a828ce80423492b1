-- mapping: decidim
-- Decidim (decidim.org), 0.28 to 0.32 and the version after it. An idea is a proposal, its categories are the branches of one
-- taxonomy.
-- The five questions, answered for Decidim:
--   Which rows can a logged-out visitor not see?  Proposals that are drafts, withdrawn, deleted, hidden by moderation
--                                                 or amendments of another one; those in an unpublished or deleted
--                                                 component or space, or in a space for members only; the number of
--                                                 votes while it is hidden; comments where they are switched off;
--                                                 everything, when the organisation asks visitors to log in first.
--   Which status means launched, and when?        The states named by `launched`, since state_published_at: until then
--                                                 the state is known to the staff only. "accepted" is the closest that
--                                                 Decidim has; results are kept in another component.
--   One category or many?                         Many: taxonomies are trees under several roots. One root is chosen,
--                                                 and an idea has each branch directly below it to which it
--                                                 belongs.
--   Are times UTC without zone?                   Yes, all of them.
--   Several sites in one database?                Yes: organisations. The same person is one user in each.
-- Proposals of processes and assemblies count, which every Decidim has. Conferences and initiatives are separate
-- gems, whose tables may not exist, so their proposals are left out.
-- A space is as public as its own flags say: a public assembly below one for members only is public, and so is a
-- component that is merely left out of the menus. A transparent assembly lets everybody read.
-- The second publication of a state replaces the date of the first. A reply to a hidden comment counts, as in Decidim's
-- own counter. Votes and comments of other organisations are among the skipped rows: their ideas are not returned.
-- 0.32 puts the language before every path, and redirects from the path without it.
-- From 0.32 on access_mode replaces private_space and is_transparent, which are no longer kept. db:migrate adds it, 0 for
-- every space, and data:migrate fills it, processes and assemblies one after the other. So while no space of a kind has
-- another value, the old flags are used for that kind.
-- The version after it calls steps phases: db:migrate renames their table (20261005124834), data:migrate the keys in the settings of
-- components (20261005130000). In between both keys are asked, so no number of votes that is hidden appears.
-- Before 0.30 there are no taxonomies: each space has categories, in two levels, of which the upper one counts. The root is then 1 for
-- those of all public spaces. Where the tables of taxonomies are there, only they are read.
-- Before 0.29 the state is a number, and withdrawn is one of them (20230427105700 and 20240110203500). A proposal whose answer was taken back
-- has no state in any version.
-- param organization : int -- the site: decidim_organizations.id
-- param root_taxonomy : bigint -- the root whose branches are the categories: decidim_taxonomies.id (before 0.30: 1); 0 = no categories
-- param launched : text[] = accepted -- tokens of the proposal states that mean launched
-- param locale : text = -- language of titles and categories; empty = the organisation's default
-- requires decidim_organizations(id, host, default_locale, available_locales)
-- requires decidim_organizations(force_users_to_authenticate_before_access_organization)
-- requires decidim_users(id, decidim_organization_id, type, managed, confirmed_at, deleted_at, blocked, created_at)
-- requires decidim_participatory_processes(id, decidim_organization_id, slug, published_at, private_space)
-- requires decidim_participatory_processes(deleted_at) where present -- Decidim 0.30
-- requires decidim_participatory_processes(access_mode) where present -- Decidim 0.32
-- requires decidim_participatory_process_steps(id, decidim_participatory_process_id, active) where present -- until migration 20261005124834
-- requires decidim_participatory_process_phases(id, decidim_participatory_process_id, active) where present -- migration 20261005124834
-- requires decidim_assemblies(id, decidim_organization_id, slug, published_at, private_space, is_transparent)
-- requires decidim_assemblies(deleted_at) where present -- Decidim 0.30
-- requires decidim_assemblies(access_mode) where present -- Decidim 0.32
-- requires decidim_components(id, participatory_space_type, participatory_space_id, published_at, settings)
-- requires decidim_components(deleted_at) where present -- Decidim 0.30
-- requires decidim_proposals_proposals(id, decidim_component_id, title, published_at, state_published_at)
-- requires decidim_proposals_proposals(state) where present -- until Decidim 0.29
-- requires decidim_proposals_proposals(decidim_proposals_proposal_state_id, withdrawn_at) where present -- Decidim 0.29
-- requires decidim_proposals_proposals(deleted_at) where present -- Decidim 0.30
-- requires decidim_proposals_proposal_states(id, token) where present -- Decidim 0.29
-- requires decidim_proposals_proposal_votes(decidim_proposal_id, decidim_author_id, temporary, created_at)
-- requires decidim_coauthorships(id, coauthorable_type, coauthorable_id, decidim_author_type, decidim_author_id)
-- requires decidim_amendments(decidim_emendation_type, decidim_emendation_id)
-- requires decidim_moderations(decidim_reportable_type, decidim_reportable_id, hidden_at)
-- requires decidim_comments_comments(id, decidim_root_commentable_type, decidim_root_commentable_id)
-- requires decidim_comments_comments(decidim_author_type, decidim_author_id, created_at, deleted_at)
-- requires decidim_taxonomies(id, decidim_organization_id, parent_id, part_of, name) where present -- Decidim 0.30
-- requires decidim_taxonomizations(taxonomy_id, taxonomizable_type, taxonomizable_id) where present -- Decidim 0.30
-- requires decidim_categories(id, name, parent_id) where present -- until Decidim 0.30
-- requires decidim_categories(decidim_participatory_space_type, decidim_participatory_space_id) where present -- until Decidim 0.30
-- requires decidim_categorizations(decidim_category_id, categorizable_type, categorizable_id) where present -- until Decidim 0.30

-- choices organization
SELECT id AS value, host AS label FROM decidim_organizations

-- choices root_taxonomy
SELECT 1 AS value, 'the categories of the spaces' AS label
UNION ALL
SELECT 0, 'no categories'

-- choices root_taxonomy where present
SELECT root.id AS value,
       coalesce(nullif(root.name ->> :locale, ''), nullif(root.name ->> o.default_locale, ''),
                nullif(root.name ->> 'en', ''),
                jsonb_path_query_first(root.name, '$.* ? (@ like_regex ".")') #>> '{}', '') AS label
  FROM decidim_taxonomies root
  JOIN decidim_organizations o ON o.id = root.decidim_organization_id
 WHERE root.parent_id IS NULL AND o.id = :organization
UNION ALL
SELECT 0, 'no categories'

-- choices launched
SELECT token AS value, '' AS label
  FROM (VALUES ('accepted'), ('evaluating'), ('rejected')) AS state (token)

-- choices launched where present
SELECT token AS value, 'components that have it: ' || count(*) AS label
  FROM decidim_proposals_proposal_states
 GROUP BY token

-- choices locale
SELECT language AS value, CASE WHEN language = o.default_locale THEN 'the default' ELSE '' END AS label
  FROM decidim_organizations o
 CROSS JOIN unnest(o.available_locales) AS language
 WHERE o.id = :organization

-- section with
-- Where a table has no such column, a name means the one of "earlier" (before the column) or of "until_0_31"; where it has, the table's
-- own is the nearer one.
-- access_mode: 0 open, 1 transparent, 2 restricted; until 0.31 worked out from the flags of that time. The flags alone decide while the
-- table's own are all 0.
spaces AS (
  SELECT 'Decidim::ParticipatoryProcess' AS type, s.id, s.decidim_organization_id, '/processes/' || s.slug AS path
    FROM (SELECT NULL::timestamp AS deleted_at) AS earlier
   CROSS JOIN LATERAL (
     SELECT q.id, q.decidim_organization_id, q.slug, q.private_space
       FROM decidim_participatory_processes q WHERE q.published_at IS NOT NULL AND deleted_at IS NULL) AS s
   CROSS JOIN LATERAL (SELECT CASE WHEN NOT s.private_space THEN 0 ELSE 2 END AS access_mode) until_0_31
   CROSS JOIN LATERAL (
     SELECT CASE WHEN EXISTS (SELECT FROM decidim_participatory_processes since_0_32 WHERE access_mode <> 0)
                 THEN (SELECT access_mode FROM decidim_participatory_processes since_0_32 WHERE since_0_32.id = s.id)
                 ELSE until_0_31.access_mode END AS access_mode) chosen
   WHERE chosen.access_mode <> 2
  UNION ALL
  SELECT 'Decidim::Assembly', s.id, s.decidim_organization_id, '/assemblies/' || s.slug
    FROM (SELECT NULL::timestamp AS deleted_at) AS earlier
   CROSS JOIN LATERAL (
     SELECT q.id, q.decidim_organization_id, q.slug, q.private_space, q.is_transparent
       FROM decidim_assemblies q WHERE q.published_at IS NOT NULL AND deleted_at IS NULL) AS s
   CROSS JOIN LATERAL (SELECT CASE WHEN NOT s.private_space THEN 0
                                   WHEN s.private_space AND s.is_transparent THEN 1
                                   ELSE 2 END AS access_mode) until_0_31
   CROSS JOIN LATERAL (
     SELECT CASE WHEN EXISTS (SELECT FROM decidim_assemblies since_0_32 WHERE access_mode <> 0)
                 THEN (SELECT access_mode FROM decidim_assemblies since_0_32 WHERE since_0_32.id = s.id)
                 ELSE until_0_31.access_mode END AS access_mode) chosen
   WHERE chosen.access_mode <> 2
),
-- A title is an object of languages; translations by machine are an object within it, which like_regex passes over.
shown_proposals AS (
  SELECT p.id,
         coalesce(nullif(p.title ->> :locale, ''), nullif(p.title ->> o.default_locale, ''),
                nullif(p.title ->> 'en', ''),
                jsonb_path_query_first(p.title, '$.* ? (@ like_regex ".")') #>> '{}', '') AS title,
         p.published_at AT TIME ZONE 'UTC' AS created_at,
         p.state_published_at AT TIME ZONE 'UTC' AS state_published_at,
         p.decidim_proposals_proposal_state_id,
         s.path || '/f/' || c.id || '/proposals/' || p.id AS url,
         -- The first of the authors who is a person: an organisation or a meeting may be one, too.
         (SELECT a.decidim_author_id
            FROM decidim_coauthorships a
           WHERE a.coauthorable_type = 'Decidim::Proposals::Proposal' AND a.coauthorable_id = p.id
             AND a.decidim_author_type = 'Decidim::UserBaseEntity'
           ORDER BY a.id LIMIT 1) AS author_id
    FROM (SELECT NULL::timestamp AS deleted_at, NULL::timestamp AS withdrawn_at,
                 NULL::int AS decidim_proposals_proposal_state_id) AS earlier
   CROSS JOIN LATERAL (
     SELECT q.id, q.decidim_component_id, q.title, q.published_at, q.state_published_at,
            decidim_proposals_proposal_state_id
       FROM decidim_proposals_proposals q
      WHERE q.published_at IS NOT NULL AND withdrawn_at IS NULL AND deleted_at IS NULL) AS p
   CROSS JOIN LATERAL (
     SELECT k.id, k.participatory_space_type, k.participatory_space_id
       FROM decidim_components k
      WHERE k.id = p.decidim_component_id AND k.published_at IS NOT NULL AND deleted_at IS NULL) AS c
    JOIN spaces s ON s.type = c.participatory_space_type AND s.id = c.participatory_space_id
    JOIN decidim_organizations o ON o.id = s.decidim_organization_id
   WHERE o.id = :organization AND o.force_users_to_authenticate_before_access_organization IS NOT TRUE
     AND NOT EXISTS (SELECT FROM decidim_moderations m
                      WHERE m.decidim_reportable_type = 'Decidim::Proposals::Proposal'
                        AND m.decidim_reportable_id = p.id AND m.hidden_at IS NOT NULL)
     AND NOT EXISTS (SELECT FROM decidim_amendments e
                      WHERE e.decidim_emendation_type = 'Decidim::Proposals::Proposal' AND e.decidim_emendation_id = p.id)
)

-- section users
-- Other types are groups and API accounts. A managed user is the record of somebody whom the staff helps to take part.
SELECT u.id, u.created_at AT TIME ZONE 'UTC' AS created_at
  FROM decidim_users u
  JOIN decidim_organizations o ON o.id = u.decidim_organization_id
 WHERE o.id = :organization AND o.force_users_to_authenticate_before_access_organization IS NOT TRUE
   AND u.type = 'Decidim::User' AND NOT u.managed AND NOT u.blocked
   AND u.confirmed_at IS NOT NULL AND u.deleted_at IS NULL

-- section ideas
-- state: 0 not answered, 10 evaluating, 20 accepted, -10 rejected, -20 withdrawn.
SELECT p.id, p.title, p.created_at,
       coalesce(st.token = ANY (lower(:launched::text)::text[]), false) AS launched,
       p.state_published_at AS launched_at, p.url, p.author_id, st.token AS status
  FROM shown_proposals p
  JOIN decidim_proposals_proposals q ON q.id = p.id
  LEFT JOIN (VALUES (10, 'evaluating'), (20, 'accepted'), (-10, 'rejected')) AS st (number, token)
         ON st.number = q.state AND p.state_published_at IS NOT NULL
 WHERE q.state <> -20

-- section ideas where present
SELECT p.id, p.title, p.created_at,
       coalesce(lower(st.token) = ANY (lower(:launched::text)::text[]), false) AS launched,
       p.state_published_at AS launched_at, p.url, p.author_id, st.token AS status
  FROM shown_proposals p
  LEFT JOIN decidim_proposals_proposal_states st
         ON st.id = p.decidim_proposals_proposal_state_id AND p.state_published_at IS NOT NULL

-- section idea_categories
SELECT z.categorizable_id AS idea_id,
       coalesce(nullif(branch.name ->> :locale, ''), nullif(branch.name ->> o.default_locale, ''),
                nullif(branch.name ->> 'en', ''),
                jsonb_path_query_first(branch.name, '$.* ? (@ like_regex ".")') #>> '{}', '') AS category
  FROM decidim_categorizations z
  JOIN decidim_categories t ON t.id = z.decidim_category_id
  JOIN decidim_categories branch ON branch.id = coalesce(t.parent_id, t.id)
  JOIN decidim_organizations o ON o.id = :organization
 WHERE z.categorizable_type = 'Decidim::Proposals::Proposal' AND :root_taxonomy <> 0

-- section idea_categories where present
-- part_of holds the taxonomy itself and all above it.
SELECT z.taxonomizable_id AS idea_id,
       coalesce(nullif(branch.name ->> :locale, ''), nullif(branch.name ->> o.default_locale, ''),
                nullif(branch.name ->> 'en', ''),
                jsonb_path_query_first(branch.name, '$.* ? (@ like_regex ".")') #>> '{}', '') AS category
  FROM decidim_taxonomizations z
  JOIN decidim_taxonomies t ON t.id = z.taxonomy_id
  JOIN decidim_taxonomies branch ON branch.id = ANY (t.part_of)
  JOIN decidim_organizations o ON o.id = branch.decidim_organization_id
 WHERE z.taxonomizable_type = 'Decidim::Proposals::Proposal' AND branch.parent_id = :root_taxonomy

-- section votes
-- temporary: the voter has not yet cast the least number of votes that the component asks for.
-- votes_hidden is set for each step of a process, and the active one decides; without one the default does.
SELECT v.decidim_proposal_id AS idea_id, v.decidim_author_id AS user_id, 1 AS value,
       v.created_at AT TIME ZONE 'UTC' AS created_at
  FROM decidim_proposals_proposal_votes v
  JOIN decidim_proposals_proposals p ON p.id = v.decidim_proposal_id
  JOIN decidim_components c ON c.id = p.decidim_component_id
  LEFT JOIN decidim_participatory_process_steps step
         ON step.active AND step.decidim_participatory_process_id = c.participatory_space_id
        AND c.participatory_space_type = 'Decidim::ParticipatoryProcess'
 WHERE NOT v.temporary
   AND coalesce(CASE WHEN step.id IS NULL THEN c.settings -> 'default_step'
                     ELSE c.settings -> 'steps' -> step.id::text END ->> 'votes_hidden', 'false') <> 'true'

-- section votes where present
SELECT v.decidim_proposal_id AS idea_id, v.decidim_author_id AS user_id, 1 AS value,
       v.created_at AT TIME ZONE 'UTC' AS created_at
  FROM decidim_proposals_proposal_votes v
  JOIN decidim_proposals_proposals p ON p.id = v.decidim_proposal_id
  JOIN decidim_components c ON c.id = p.decidim_component_id
  LEFT JOIN decidim_participatory_process_phases phase
         ON phase.active AND phase.decidim_participatory_process_id = c.participatory_space_id
        AND c.participatory_space_type = 'Decidim::ParticipatoryProcess'
 WHERE NOT v.temporary
   AND coalesce(CASE WHEN phase.id IS NULL THEN coalesce(c.settings -> 'default_phase', c.settings -> 'default_step')
                     ELSE coalesce(c.settings -> 'phases', c.settings -> 'steps') -> phase.id::text END
                ->> 'votes_hidden', 'false') <> 'true'

-- section comments
-- The root is the proposal; what a reply answers is another comment.
SELECT k.id, k.decidim_root_commentable_id AS idea_id,
       CASE WHEN k.decidim_author_type = 'Decidim::UserBaseEntity' THEN k.decidim_author_id END AS user_id,
       k.created_at AT TIME ZONE 'UTC' AS created_at
  FROM decidim_comments_comments k
  JOIN decidim_proposals_proposals p ON p.id = k.decidim_root_commentable_id
  JOIN decidim_components c ON c.id = p.decidim_component_id
 WHERE k.decidim_root_commentable_type = 'Decidim::Proposals::Proposal' AND k.deleted_at IS NULL
   AND coalesce(c.settings -> 'global' ->> 'comments_enabled', 'true') <> 'false'
   AND NOT EXISTS (SELECT FROM decidim_moderations m
                    WHERE m.decidim_reportable_type = 'Decidim::Comments::Comment'
                      AND m.decidim_reportable_id = k.id AND m.hidden_at IS NOT NULL)

-- section categories
SELECT coalesce(nullif(branch.name ->> :locale, ''), nullif(branch.name ->> o.default_locale, ''),
                nullif(branch.name ->> 'en', ''),
                jsonb_path_query_first(branch.name, '$.* ? (@ like_regex ".")') #>> '{}', '') AS name
  FROM decidim_categories branch
  JOIN spaces s
    ON s.type = branch.decidim_participatory_space_type AND s.id = branch.decidim_participatory_space_id
  JOIN decidim_organizations o ON o.id = s.decidim_organization_id
 WHERE o.id = :organization AND o.force_users_to_authenticate_before_access_organization IS NOT TRUE
   AND branch.parent_id IS NULL AND :root_taxonomy <> 0

-- section categories where present
SELECT coalesce(nullif(branch.name ->> :locale, ''), nullif(branch.name ->> o.default_locale, ''),
                nullif(branch.name ->> 'en', ''),
                jsonb_path_query_first(branch.name, '$.* ? (@ like_regex ".")') #>> '{}', '') AS name
  FROM decidim_taxonomies branch
  JOIN decidim_organizations o ON o.id = branch.decidim_organization_id
 WHERE o.id = :organization AND o.force_users_to_authenticate_before_access_organization IS NOT TRUE
   AND branch.parent_id = :root_taxonomy

-- section closed
-- As decidim-core's concern ForceAuthentication (25be01be) treats a visitor, for whom NULL is like false, the column's
-- default. Pages that such an organisation leaves public are no proposals.
SELECT o.force_users_to_authenticate_before_access_organization IS TRUE AS closed,
       'force_users_to_authenticate_before_access_organization' AS reason
  FROM decidim_organizations o
 WHERE o.id = :organization

-- section page
-- Before the migration 20240401192628 (0.29) the name is one text; since then it is one for each language.
SELECT CASE jsonb_typeof(n.name)
         WHEN 'string' THEN n.name #>> '{}'
         ELSE coalesce(nullif(n.name ->> o.default_locale, ''), nullif(n.name ->> 'en', ''),
                       jsonb_path_query_first(n.name, '$.* ? (@ like_regex ".")') #>> '{}')
       END AS title,
       o.default_locale AS language,
       'https://' || o.host AS url
  FROM decidim_organizations o
 CROSS JOIN LATERAL (SELECT to_jsonb(o.name) AS name) n
 WHERE o.id = :organization
