-- The floor of a build: what no release can cost less than. One scan-and-group of each event table by idea and one by
-- (person, month), and every group leaves the server.
-- Written once. Never edited together with the product's SQL: a floor that moves with the product proves nothing.
-- Run with:  psql "$DATABASE_URL" -X -q -v ON_ERROR_STOP=1 -f floor.sql
COPY (SELECT idea_id, count(*) FROM votes GROUP BY idea_id) TO STDOUT \g | cat >/dev/null
COPY (SELECT idea_id, count(*) FROM comments GROUP BY idea_id) TO STDOUT \g | cat >/dev/null
COPY (SELECT user_id, date_trunc('month', created_at AT TIME ZONE 'UTC') AS month, count(*) FROM votes GROUP BY user_id, month) TO STDOUT \g | cat >/dev/null
COPY (SELECT user_id, date_trunc('month', created_at AT TIME ZONE 'UTC') AS month, count(*) FROM comments GROUP BY user_id, month) TO STDOUT \g | cat >/dev/null
