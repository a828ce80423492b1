// Owns running the floor: floor.sql, what no build can cost the server less than.
import { readFile } from 'node:fs/promises'
import { packagePath } from '../../../src/process/package-root.ts'
import type { Cluster, Dataset } from './cluster.ts'
import { seconds } from './measured-build.ts'

export async function floorSeconds({ postgres }: Cluster, { name }: Dataset): Promise<number> {
  const sql = await readFile(packagePath('test', 'bench', 'floor.sql'), 'utf8')
  return seconds(() => postgres.psql(sql, name))
}
