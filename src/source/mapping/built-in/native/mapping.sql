-- mapping: native
-- The default: plain tables as schema.sql in this folder creates them.
-- requires users(id, created_at)
-- requires ideas(id, title, created_at, launched, launched_at, url, author_id, status)
-- requires idea_categories(idea_id, category)
-- requires votes(idea_id, user_id, value, created_at)
-- requires comments(id, idea_id, user_id, created_at)
-- requires categories(name)

-- section users
SELECT id, created_at FROM users

-- section ideas
SELECT id, title, created_at, launched, launched_at, url, author_id, status FROM ideas

-- section idea_categories
SELECT idea_id, category FROM idea_categories

-- section votes
SELECT idea_id, user_id, value, created_at FROM votes

-- section comments
SELECT id, idea_id, user_id, created_at FROM comments

-- section categories
SELECT name FROM categories
