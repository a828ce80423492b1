// Owns running the floor: floor.sql, what no build can cost the server less than.
import { readFile } from 'node:fs/promises'
import { packagePath } from '../../../src/process/package-root.ts'
import { DaySlices } from '../../../src/model/day-slices.ts'
import { ideaAggregatesSql } from '../../../src/source/read/idea-aggregates-sql.ts'
import { loadMapping } from '../../../src/source/mapping/mapping.ts'
import type { Cluster, Dataset } from './cluster.ts'
import { seconds } from './measured-build.ts'

export async function floorSeconds({ postgres }: Cluster, { name }: Dataset): Promise<number> {
  const sql = await readFile(packagePath('test', 'bench', 'floor.sql'), 'utf8')
  return seconds(() => postgres.psql(sql, name))
}

/** The builder's own facts query, whose rows nobody reads. */
export function factsSeconds({ postgres }: Cluster, { name }: Dataset): Promise<number> {
  const sql = ideaAggregatesSql(
    { sections: loadMapping('native', {}).sections, keys: { idea_key: 'int8' } },
    new DaySlices(Date.now()),
  )
  return seconds(() => postgres.psql(`SET timezone = 'UTC';\nCOPY (${sql}) TO STDOUT \\g | cat >/dev/null`, name))
}
