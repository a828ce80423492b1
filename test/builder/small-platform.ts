// A native platform of a few thousand rows: a build of it takes about half a second, most of it Node's start.
import { readFileSync } from 'node:fs'
import { packagePath } from '../../src/process/package-root.ts'
import type { Postgres } from '../support/postgres.ts'

const SCHEMA = readFileSync(packagePath('src', 'source', 'mapping', 'built-in', 'native', 'schema.sql'), 'utf8')

/** Ages are counted from `:as_of`, so that nothing lies in its future and every window holds something. */
const ROWS = `
INSERT INTO users SELECT i, timestamptz :'as_of' - i * interval '7 hours' FROM generate_series(1, 300) i;
INSERT INTO categories VALUES ('Product'), ('Design'), ('Ops, "more" & more'), ('Empty');
INSERT INTO ideas
  SELECT i, 'Idea ' || i || CASE i % 5 WHEN 0 THEN ', "quoted"' WHEN 1 THEN E'\\r\\nsecond line' WHEN 2 THEN ' 😀' ELSE '' END,
         timestamptz :'as_of' - i * interval '11 hours', i % 3 = 0,
         CASE WHEN i % 6 = 0 THEN timestamptz :'as_of' - i * interval '5 hours' END,
         '/ideas/' || i, CASE WHEN i % 7 > 0 THEN i % 50 END, CASE WHEN i % 2 = 0 THEN 'open' END
    FROM generate_series(1, 150) i;
INSERT INTO idea_categories
  SELECT i, CASE i % 3 WHEN 0 THEN 'Product' WHEN 1 THEN 'Design' ELSE 'Ops, "more" & more' END
    FROM generate_series(1, 140) i UNION SELECT i, 'Product' FROM generate_series(1, 150, 10) i;
INSERT INTO votes
  SELECT i % 150 + 1, i % 300, CASE WHEN i % 11 = 0 THEN -1 ELSE 1 END,
         CASE WHEN i % 97 > 0 THEN timestamptz :'as_of' - i * interval '53 minutes' END
    FROM generate_series(1, 3000) i;
INSERT INTO comments
  SELECT i, i % 150 + 1, i % 300, timestamptz :'as_of' - i * interval '97 minutes' FROM generate_series(1, 1000) i;
ANALYZE;
`

/** @param asOf an instant of the past, or psql's word for the server's own time */
export async function createSmallPlatform(postgres: Postgres, name: string, asOf = 'now'): Promise<string> {
  const url = await postgres.createDatabase(name)
  await postgres.psql(`\\set as_of '${asOf}'\n${SCHEMA}\n${ROWS}`, name)
  return url
}
