-- mapping: gitlab
-- GitLab (gitlab.com), self-managed, 18.0 to 19.0. An idea is an issue of one project or group, a vote is a thumbs up.
-- The five questions, answered for GitLab:
--   Which rows can a logged-out visitor not see?  Issues that are confidential or by banned authors; those of projects
--                                                 that are private or internal, in a group that is, have their issues
--                                                 for members only or off, wait for their deletion or were taken
--                                                 down; internal comments; comments by banned authors.
--   Which status means launched, and when?        Closed, since closed_at: GitLab has no other status. Not those that are
--                                                 closed as a duplicate, by a promotion to an epic, or with one of the
--                                                 labels in `declined`, because declined issues are closed, too.
--   One category or many?                         Many: labels, or those named in `categories`.
--   Are times UTC without zone?                   Yes, but for closed_at, which has its zone.
--   Several sites in one database?                Yes: projects and groups. One is chosen by its path.
-- A group has the projects of its subgroups, too: a project's namespace knows all above it (traversal_ids).
-- GitLab keeps a project from being more visible than its group; here a group that is not public hides its projects even so.
-- Moving an issue copies its votes and comments to the new one and closes it: the old one is left out, or they
-- would count twice. The copied votes have the time of the move. Issues without a project (of a group, epics) are left out.
-- Accounts are those who wrote, voted for or commented a counted issue: GitLab has none per project, and a visitor cannot
-- know how many the instance has. Of these, people (no bots) who are neither blocked nor banned. Comments of bots count.
-- Who deletes an account leaves everything to the "ghost user": such issues, votes and comments count, as nobody's.
-- That a group asks for certain IP addresses or a single sign-on does not show here: do not run builds for it.
-- Work item types have the same numbers everywhere since their table became a part of the program (18) and went (19.0).
-- Before, another number may mean issue: see what check lists for `types`. The other columns that were looked up were there in 17.10, too;
-- those of routes, award_emoji, banned_users and project_features were read in the models, not in the structure.
-- Sources: db/structure.sql (17.10, 0016ea05), db/docs/deleted_tables/work_item_types.yml, the models issue, note,
-- award_emoji, project_feature, project, has_user_type, work_items/types_framework, the finder of issues, and the policies of
-- projects and issues of gitlabhq/gitlabhq.
-- param path : text -- path of the project or group: routes.path, such as gitlab-org/gitlab
-- param types : text[] = 1 -- numbers of the work item types that are ideas: 1 = issue
-- param declined : text[] = declined,duplicate,invalid,rejected,wontfix -- labels of closed issues that are not launched, in any case
-- param categories : text[] = -- labels that are categories, or scopes (type is all of type::…); none = all labels
-- requires routes(path, namespace_id)
-- requires namespaces(id, type, visibility_level, traversal_ids)
-- requires projects(id, project_namespace_id, visibility_level, pending_delete, hidden)
-- requires project_features(project_id, issues_access_level)
-- requires issues(id, iid, project_id, namespace_id, author_id, title, confidential, created_at, closed_at, state_id)
-- requires issues(moved_to_id, duplicated_to_id, promoted_to_epic_id, work_item_type_id)
-- requires banned_users(user_id)
-- requires users(id, user_type, state, created_at)
-- requires labels(id, title)
-- requires label_links(label_id, target_type, target_id)
-- requires award_emoji(name, awardable_type, awardable_id, user_id, created_at)
-- requires notes(id, noteable_type, noteable_id, author_id, system, internal, created_at)
-- requires notes(confidential) where present -- the older name of internal

-- choices path
SELECT r.path AS value, n.type AS label
  FROM routes r
  JOIN namespaces n ON n.id = r.namespace_id
 WHERE n.visibility_level = 20 AND n.type <> 'User'
 ORDER BY n.type, r.path

-- choices types
SELECT i.work_item_type_id AS value, 'issues: ' || count(*) AS label FROM issues i GROUP BY i.work_item_type_id

-- choices declined
SELECT l.title AS value, 'issues: ' || count(*) AS label
  FROM visible v
  JOIN label_links k ON k.target_id = v.id AND k.target_type = 'Issue'
  JOIN labels l ON l.id = k.label_id
 GROUP BY l.title

-- choices categories
SELECT l.title AS value, 'issues: ' || count(*) AS label
  FROM visible v
  JOIN label_links k ON k.target_id = v.id AND k.target_type = 'Issue'
  JOIN labels l ON l.id = k.label_id
 GROUP BY l.title
UNION ALL
SELECT DISTINCT substring(l.title FROM '^(.*)::'), 'a scope'
  FROM visible v
  JOIN label_links k ON k.target_id = v.id AND k.target_type = 'Issue'
  JOIN labels l ON l.id = k.label_id
 WHERE l.title LIKE '%::%'

-- section with
-- visibility_level: 0 private, 10 internal, 20 public. issues_access_level: 0 off, 10 members, 20 as the project, 30 everyone.
-- It may be NULL: that is 20 (ProjectFeature#access_level).
visible AS (
  SELECT i.id, i.iid, i.namespace_id, i.author_id, i.title, i.created_at, i.state_id, i.closed_at,
         i.duplicated_to_id, i.promoted_to_epic_id
    FROM routes r
    JOIN namespaces n ON n.traversal_ids @> ARRAY[r.namespace_id]
    JOIN projects p ON p.project_namespace_id = n.id
    JOIN project_features f ON f.project_id = p.id
    JOIN issues i ON i.project_id = p.id
   WHERE lower(r.path) = lower(:path)
     AND p.visibility_level = 20 AND p.pending_delete IS NOT TRUE AND NOT p.hidden AND coalesce(f.issues_access_level, 20) >= 20
     AND NOT EXISTS (SELECT FROM namespaces above
                      WHERE above.id = ANY (n.traversal_ids) AND above.visibility_level <> 20)
     AND NOT i.confidential AND i.moved_to_id IS NULL AND i.work_item_type_id::text = ANY (:types)
     AND NOT EXISTS (SELECT FROM banned_users b WHERE b.user_id = i.author_id)
),
-- Internal comments have had two names; of a version with both, either hides a comment.
shown_notes AS (
  SELECT k.id, k.noteable_id, k.author_id, k.created_at
    FROM (SELECT NULL::boolean AS confidential) AS earlier
   CROSS JOIN LATERAL (
           SELECT id, noteable_id, author_id, created_at
             FROM notes
            WHERE noteable_type = 'Issue' AND NOT system AND NOT internal AND confidential IS NOT TRUE) AS k
)

-- section users
-- user_type: 0 a person, 5 the ghost user, others are bots and placeholders. Deactivated accounts were idle for long and come
-- back at the next login.
SELECT u.id, u.created_at AT TIME ZONE 'UTC' AS created_at
  FROM users u
 WHERE u.user_type = 0 AND u.state IN ('active', 'deactivated')
   AND u.id IN (SELECT v.author_id FROM visible v
                UNION
                SELECT e.user_id
                  FROM award_emoji e
                  JOIN visible v ON v.id = e.awardable_id
                 WHERE e.awardable_type = 'Issue' AND e.name = 'thumbsup'
                UNION
                SELECT k.author_id
                  FROM shown_notes k
                  JOIN visible v ON v.id = k.noteable_id)

-- section ideas
-- state_id: 1 opened, 2 closed.
SELECT v.id, v.title, v.created_at AT TIME ZONE 'UTC' AS created_at,
       v.state_id = 2 AND v.duplicated_to_id IS NULL AND v.promoted_to_epic_id IS NULL
         AND NOT EXISTS (SELECT FROM label_links k
                           JOIN labels l ON l.id = k.label_id
                          WHERE k.target_type = 'Issue' AND k.target_id = v.id
                            AND lower(l.title) = ANY (lower(:declined::text)::text[])) AS launched,
       v.closed_at AS launched_at,
       '/' || r.path || '/-/issues/' || v.iid AS url,
       u.id AS author_id,
       CASE WHEN v.state_id = 1 THEN 'opened'
            WHEN v.duplicated_to_id IS NOT NULL THEN 'duplicate'
            WHEN v.promoted_to_epic_id IS NOT NULL THEN 'promoted'
            ELSE 'closed' END AS status
  FROM visible v
  JOIN routes r ON r.namespace_id = v.namespace_id
  LEFT JOIN users u ON u.id = v.author_id AND u.user_type <> 5

-- section idea_categories
-- The scope of a label is what stands before its last "::".
SELECT v.id AS idea_id, l.title AS category
  FROM visible v
  JOIN label_links k ON k.target_id = v.id
  JOIN labels l ON l.id = k.label_id
 WHERE k.target_type = 'Issue'
   AND (:categories = '{}' OR lower(l.title) = ANY (lower(:categories::text)::text[])
        OR lower(substring(l.title FROM '^(.*)::')) = ANY (lower(:categories::text)::text[]))

-- section votes
-- As GitLab's own counter: other emoji, thumbs down among them, are no votes.
SELECT v.id AS idea_id, u.id AS user_id, 1 AS value, e.created_at AT TIME ZONE 'UTC' AS created_at
  FROM award_emoji e
  JOIN visible v ON v.id = e.awardable_id
  LEFT JOIN users u ON u.id = e.user_id AND u.user_type <> 5
 WHERE e.awardable_type = 'Issue' AND e.name = 'thumbsup'

-- section comments
-- System notes say what was done to an issue. Internal ones were called confidential before.
SELECT k.id, v.id AS idea_id, u.id AS user_id, k.created_at AT TIME ZONE 'UTC' AS created_at
  FROM shown_notes k
  JOIN visible v ON v.id = k.noteable_id
  LEFT JOIN users u ON u.id = k.author_id AND u.user_type <> 5
 WHERE NOT EXISTS (SELECT FROM banned_users b WHERE b.user_id = k.author_id)

-- section closed
-- Closed is a path under which are projects, and a visitor finds none of them with issues. A path that is not there is an error:
-- projects move.
SELECT count(f.project_id) > 0
       AND count(f.project_id) FILTER (
             WHERE p.visibility_level = 20 AND p.pending_delete IS NOT TRUE AND NOT p.hidden AND coalesce(f.issues_access_level, 20) >= 20
               AND NOT EXISTS (SELECT FROM namespaces above
                                WHERE above.id = ANY (n.traversal_ids) AND above.visibility_level <> 20)) = 0 AS closed,
       'no public project with issues' AS reason
  FROM routes r
  JOIN namespaces n ON n.traversal_ids @> ARRAY[r.namespace_id]
  LEFT JOIN projects p ON p.project_namespace_id = n.id
  LEFT JOIN project_features f ON f.project_id = p.id
 WHERE lower(r.path) = lower(:path)
 GROUP BY r.path

-- section page
-- The name of the group or project, and the language in which the instance shows its pages to visitors who are not logged in (GitLab's
-- migration 20221101032521; merge request 106529). Of application_settings the last row holds.
SELECT n.name AS title,
       (SELECT s.default_preferred_language FROM application_settings s ORDER BY s.id DESC LIMIT 1) AS language
  FROM routes r
  JOIN namespaces n ON n.id = r.namespace_id
 WHERE lower(r.path) = lower(:path)
