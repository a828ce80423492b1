-- The platform of the stored releases: two towns in one database, all rows before 2026-09-12 06:00 UTC, no clock and no chance.
-- Each archive has the file as it was then, so a later version may change it.

CREATE TABLE towns (id int PRIMARY KEY, is_public boolean NOT NULL);
CREATE TABLE members (id bigint PRIMARY KEY, town_id int NOT NULL, joined_at timestamptz NOT NULL);
CREATE TABLE topics (id bigint PRIMARY KEY, town_id int NOT NULL, name text NOT NULL);
CREATE TABLE proposals (
  id bigint PRIMARY KEY, town_id int NOT NULL, topic_id bigint, member_id bigint, title text NOT NULL,
  state text, submitted_at timestamptz NOT NULL, realised_at timestamptz
);
CREATE TABLE supports (proposal_id bigint NOT NULL, member_id bigint, weight int NOT NULL, given_at timestamptz);
CREATE TABLE remarks (id bigint PRIMARY KEY, proposal_id bigint NOT NULL, member_id bigint, written_at timestamptz NOT NULL);

INSERT INTO towns VALUES (1, true), (2, true);
INSERT INTO members
  SELECT i, 1 + i % 5 / 4, timestamptz '2026-09-12 05:30Z' - i * interval '31 hours' FROM generate_series(1, 40) i;
INSERT INTO topics VALUES
  (1, 1, 'Parks & Plätze'), (2, 1, 'Streets, "old" and new'), (3, 2, 'Elsewhere');
INSERT INTO proposals
  SELECT i, 1 + i % 10 / 9, CASE WHEN i % 8 > 0 THEN 1 + i % 2 END, CASE WHEN i % 7 > 0 THEN 1 + i % 40 END,
         CASE i % 5 WHEN 0 THEN '=SUM(' || i || ')' WHEN 1 THEN 'A bench, a "tree" and ' || i || ' birds'
                    WHEN 2 THEN E'Two lines\r\nof idea ' || i WHEN 3 THEN '🚲 for ' || i ELSE 'Idea <b>' || i || '</b> & more' END,
         (ARRAY['open', 'planned', 'done', NULL])[1 + i % 4], timestamptz '2026-09-12 05:00Z' - i * interval '41 hours',
         CASE WHEN i % 4 = 2 AND i % 3 > 0 THEN timestamptz '2026-09-09 05:00Z' - i * interval '17 hours' END
    FROM generate_series(1, 16) i;
INSERT INTO supports
  SELECT 1 + i * i % 16, CASE WHEN i % 9 > 0 THEN 1 + i % 40 END, CASE WHEN i % 13 > 0 THEN 1 ELSE -1 END,
         CASE WHEN i % 29 > 0 THEN timestamptz '2026-09-12 05:45Z' - i * interval '683 minutes' END
    FROM generate_series(1, 48) i;
INSERT INTO remarks
  SELECT i, 1 + i * 7 % 16, 1 + i % 40, timestamptz '2026-09-12 05:50Z' - i * interval '1201 minutes' FROM generate_series(1, 30) i;
ANALYZE;
