-- mapping: stored
-- The mapping of the stored releases. Each archive has the file as it was then: mapping files of 1.0 are read by every 1.x, so
-- what the format can do is used here: a parameter with choices, shared SQL, an alternative, a section closed.
-- param town : int = 1 -- the town
-- choices town
SELECT id AS value, 'town ' || id AS label FROM towns
-- requires towns(id, is_public)
-- requires members(id, town_id, joined_at)
-- requires proposals(id, town_id, topic_id, member_id, title, state, submitted_at, realised_at)
-- requires supports(proposal_id, member_id, weight, given_at)
-- requires remarks(id, proposal_id, member_id, written_at)
-- requires topics(id, town_id, name) where present -- since 2.0

-- section with
shown AS (SELECT * FROM proposals WHERE town_id = :town)

-- section closed
SELECT NOT is_public AS closed, 'not public' AS reason FROM towns WHERE id = :town

-- section users
SELECT id, joined_at AS created_at FROM members WHERE town_id = :town

-- section ideas
SELECT id, title, submitted_at AS created_at, coalesce(state = 'done', false) AS launched, realised_at AS launched_at,
       '/ideas/' || id AS url, member_id AS author_id, state AS status
  FROM shown

-- section idea_categories
SELECT id AS idea_id, 'Everything' AS category FROM shown

-- section idea_categories where present
SELECT s.id AS idea_id, t.name AS category FROM shown AS s JOIN topics AS t ON t.id = s.topic_id AND t.town_id = s.town_id

-- section votes
SELECT v.proposal_id AS idea_id, v.member_id AS user_id, v.weight AS value, v.given_at AS created_at
  FROM supports AS v JOIN shown AS s ON s.id = v.proposal_id

-- section comments
SELECT c.id, c.proposal_id AS idea_id, c.member_id AS user_id, c.written_at AS created_at
  FROM remarks AS c JOIN shown AS s ON s.id = c.proposal_id

-- section categories where present
SELECT name FROM topics WHERE town_id = :town
