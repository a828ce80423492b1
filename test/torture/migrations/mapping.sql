-- mapping: migrating
-- param form : text = row -- a row says that the site is closed, or the lack of one does
-- requires members(id, created_at)
-- requires public_ideas(id, title, created_at, launched, author_id)
-- requires proposals(id, title, created_at, author_id, hidden)
-- requires moderation(proposal_id)
-- requires idea_tags(idea_id, tag_id)
-- requires tags(id, name)
-- requires votes(idea_id, user_id, created_at)
-- requires late_votes(idea_id, user_id, created_at)
-- requires ballots(idea_id, user_id, created_at)
-- requires vote_archive(idea_id, user_id, created_at)
-- requires comments(id, idea_id, user_id, created_at)
-- requires replies(id, idea_id, user_id, created_at)
-- requires notes(id, idea_id, user_id, created_at)
-- requires listed(name)
-- requires settings(name, value)

-- section users
SELECT id, created_at FROM members

-- section ideas
SELECT id, title, created_at, launched, NULL::timestamptz AS launched_at, NULL::text AS url, author_id,
       'open' AS status
  FROM public_ideas
UNION ALL
SELECT id, title, created_at, false, NULL, NULL, author_id, 'proposed'
  FROM proposals
 WHERE NOT hidden AND NOT EXISTS (SELECT FROM moderation WHERE proposal_id = proposals.id)

-- section idea_categories
SELECT idea_id, name AS category FROM idea_tags JOIN tags ON tags.id = tag_id

-- section votes
SELECT idea_id, user_id, 1 AS value, created_at FROM votes
UNION ALL SELECT idea_id, user_id, 1, created_at FROM late_votes
UNION ALL SELECT idea_id, user_id, 1, created_at FROM ballots
UNION ALL SELECT idea_id, user_id, 1, created_at FROM vote_archive

-- section comments
SELECT id, idea_id, user_id, created_at FROM comments
UNION ALL SELECT id, idea_id, user_id, created_at FROM replies
UNION ALL SELECT id, idea_id, user_id, created_at FROM notes

-- section categories
SELECT name FROM listed

-- section closed
SELECT CASE :form
         WHEN 'row' THEN EXISTS (SELECT FROM settings WHERE (name, value) = ('login_required', 't'))
         ELSE NOT EXISTS (SELECT FROM settings WHERE (name, value) = ('public', 't'))
       END AS closed
