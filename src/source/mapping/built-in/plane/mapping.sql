-- mapping: plane
-- The public board of a project in Plane (plane.so), Community Edition, from its migration 0085 (0.24) to 0119. An idea is
-- a work item (an issue) of the project, its status is its state, its categories are labels or modules.
-- The five questions, answered for Plane:
--   Which rows can a logged-out visitor not see?  Work items that are deleted, archived, drafts or still in triage;
--                                                 comments that are for the members; everything of a project that
--                                                 is not published, or archived.
--   Which status means launched, and when?        The states of the group completed, since completed_at. Plane sets that
--                                                 to the present whenever such a work item is saved, so a work item that
--                                                 is edited after its completion has the date of the last edit.
--   One category or many?                         Many, of labels or of modules. Labels of the whole workspace are not
--                                                 shown on a board.
--   Are times UTC without zone?                   No: timestamptz.
--   Several sites in one database?                Yes: each published project is one. A person is one user in all of them.
-- A board shows votes only if is_votes_enabled, comments only if is_comments_enabled: otherwise there are none here. A vote
-- against has the value -1, and is none. A vote that was changed has the date of the first one.
-- Accounts are the members of the project and the people who took part on the board (project_public_members),
-- since the earlier of the two: an account of Plane may be much older.
-- What a bot did counts, and nobody did it. A work item without a state is on no board.
-- Plane does not ask whether a board is disabled (deploy_boards.is_disabled): here it is closed.
-- Until migration 0112 a triaged work item is one of intake_issues, since then its state is; both are asked.
-- param project : uuid -- the project: projects.id
-- param categories : text = labels -- labels or modules
-- requires workspaces(id, slug, deleted_at)
-- requires projects(id, workspace_id, identifier, archived_at, deleted_at)
-- requires deploy_boards(entity_name, entity_identifier, anchor, is_votes_enabled, is_comments_enabled, deleted_at)
-- requires deploy_boards(is_disabled) -- Plane's migration 0084
-- requires users(id, is_active, is_bot)
-- requires project_members(project_id, member_id, is_active, created_at, deleted_at)
-- requires project_public_members(project_id, member_id, created_at, deleted_at)
-- requires issues(id, project_id, state_id, name, created_by_id, created_at, completed_at)
-- requires issues(archived_at, is_draft, deleted_at)
-- requires states(id, name, "group", is_triage)
-- requires intake_issues(issue_id, status) -- Plane's migration 0085
-- requires labels(id, project_id, name, deleted_at)
-- requires issue_labels(issue_id, label_id, deleted_at)
-- requires modules(id, project_id, name, archived_at, deleted_at)
-- requires module_issues(issue_id, module_id, deleted_at)
-- requires issue_votes(project_id, issue_id, actor_id, vote, created_at, deleted_at)
-- requires issue_comments(id, project_id, issue_id, actor_id, access, created_at, deleted_at)

-- choices project
SELECT p.id AS value, w.slug || '/' || p.identifier AS label
  FROM projects p
  JOIN workspaces w ON w.id = p.workspace_id

-- choices categories
SELECT value, label FROM (VALUES ('labels', 'of the project'), ('modules', 'of the project')) AS kind (value, label)

-- section users
WITH published AS (
  SELECT p.id
    FROM projects p
    JOIN workspaces w ON w.id = p.workspace_id AND w.deleted_at IS NULL
    JOIN deploy_boards b ON b.entity_identifier = p.id AND b.entity_name = 'project'
                        AND b.deleted_at IS NULL AND NOT b.is_disabled
   WHERE p.id = :project AND p.archived_at IS NULL AND p.deleted_at IS NULL
)
SELECT u.id, min(m.created_at) AS created_at
  FROM (SELECT project_id, member_id, created_at
          FROM project_members
         WHERE is_active AND deleted_at IS NULL
        UNION ALL
        SELECT project_id, member_id, created_at
          FROM project_public_members
         WHERE deleted_at IS NULL) m
  JOIN published p ON p.id = m.project_id
  JOIN users u ON u.id = m.member_id AND u.is_active AND NOT u.is_bot
 GROUP BY u.id

-- section ideas
-- intake_issues.status: -2 pending, -1 rejected, 0 snoozed, 1 accepted, 2 duplicate. All but pending and snoozed ones are on
-- the board, in the state that they have.
WITH published AS (
  SELECT p.id, b.anchor
    FROM projects p
    JOIN workspaces w ON w.id = p.workspace_id AND w.deleted_at IS NULL
    JOIN deploy_boards b ON b.entity_identifier = p.id AND b.entity_name = 'project'
                        AND b.deleted_at IS NULL AND NOT b.is_disabled
   WHERE p.id = :project AND p.archived_at IS NULL AND p.deleted_at IS NULL
)
SELECT i.id, i.name AS title, i.created_at,
       s."group" = 'completed' AS launched, i.completed_at AS launched_at,
       '/spaces/issues/' || p.anchor || '?peekId=' || i.id AS url,
       a.id AS author_id,
       s.name AS status
  FROM issues i
  JOIN published p ON p.id = i.project_id
  JOIN states s ON s.id = i.state_id AND NOT s.is_triage AND s."group" <> 'triage'
  LEFT JOIN users a ON a.id = i.created_by_id AND NOT a.is_bot
 WHERE i.deleted_at IS NULL AND i.archived_at IS NULL AND NOT i.is_draft
   AND NOT EXISTS (SELECT FROM intake_issues n WHERE n.issue_id = i.id AND n.status IN (-2, 0))

-- section idea_categories
-- Nothing keeps a work item from having a label twice.
SELECT k.issue_id AS idea_id, l.name AS category
  FROM issue_labels k
  JOIN labels l ON l.id = k.label_id AND l.project_id = :project AND l.deleted_at IS NULL
 WHERE k.deleted_at IS NULL AND :categories = 'labels'
UNION ALL
SELECT k.issue_id, m.name
  FROM module_issues k
  JOIN modules m ON m.id = k.module_id AND m.project_id = :project AND m.archived_at IS NULL AND m.deleted_at IS NULL
 WHERE k.deleted_at IS NULL AND :categories = 'modules'

-- section votes
SELECT v.issue_id AS idea_id, v.actor_id AS user_id, v.vote AS value, v.created_at
  FROM issue_votes v
  JOIN deploy_boards b ON b.entity_identifier = v.project_id AND b.entity_name = 'project'
                      AND b.deleted_at IS NULL AND b.is_votes_enabled
 WHERE v.project_id = :project AND v.deleted_at IS NULL

-- section comments
SELECT k.id, k.issue_id AS idea_id, a.id AS user_id, k.created_at
  FROM issue_comments k
  JOIN deploy_boards b ON b.entity_identifier = k.project_id AND b.entity_name = 'project'
                      AND b.deleted_at IS NULL AND b.is_comments_enabled
  LEFT JOIN users a ON a.id = k.actor_id AND NOT a.is_bot
 WHERE k.project_id = :project AND k.access = 'EXTERNAL' AND k.deleted_at IS NULL

-- section categories
WITH published AS (
  SELECT p.id
    FROM projects p
    JOIN workspaces w ON w.id = p.workspace_id AND w.deleted_at IS NULL
    JOIN deploy_boards b ON b.entity_identifier = p.id AND b.entity_name = 'project'
                        AND b.deleted_at IS NULL AND NOT b.is_disabled
   WHERE p.id = :project AND p.archived_at IS NULL AND p.deleted_at IS NULL
)
SELECT l.name
  FROM labels l
  JOIN published p ON p.id = l.project_id
 WHERE l.deleted_at IS NULL AND :categories = 'labels'
UNION ALL
SELECT m.name
  FROM modules m
  JOIN published p ON p.id = m.project_id
 WHERE m.archived_at IS NULL AND m.deleted_at IS NULL AND :categories = 'modules'

-- section closed
-- As apps/api/plane/space/views/issue.py and IssueManager (apps/api/plane/db/models/issue.py) treat a visitor: without a board
-- a project is not there, of an archived one the board is empty. What is deleted keeps its row for some weeks.
SELECT NOT EXISTS (SELECT FROM deploy_boards b
                    WHERE b.entity_identifier = p.id AND b.entity_name = 'project'
                      AND b.deleted_at IS NULL AND NOT b.is_disabled)
       OR p.archived_at IS NOT NULL OR p.deleted_at IS NOT NULL OR w.deleted_at IS NOT NULL AS closed,
       CASE WHEN w.deleted_at IS NOT NULL THEN 'the workspace is deleted'
            WHEN p.deleted_at IS NOT NULL THEN 'the project is deleted'
            WHEN p.archived_at IS NOT NULL THEN 'the project is archived'
            ELSE 'the project is not published' END AS reason
  FROM projects p
  JOIN workspaces w ON w.id = p.workspace_id
 WHERE p.id = :project

-- section page
-- As the model of projects (03f9ca45), which have no language.
SELECT name AS title FROM projects WHERE id = :project
