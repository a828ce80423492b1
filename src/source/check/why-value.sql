-- What votes, or ids of ideas, look like where they are NULL or not above zero. A line of text.
SELECT 'does the section select the right column? A vote is a row with value above zero: 1 AS value, or (value > 0)::int; idea_id names its idea' AS text
