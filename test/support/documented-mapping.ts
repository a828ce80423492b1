// The mappings that docs/ shows: files of docs/examples, and blocks of SQL in docs/mappings.md.
import { readFileSync } from 'node:fs'
import { packagePath } from '../../src/process/package-root.ts'

/** The path of an example, by its name. */
export const exampleMapping = (name: string): string => packagePath('docs', 'examples', `${name}.sql`)

/** The block of docs/mappings.md that contains this. */
export function documentedSql(part: string): string {
  const text = readFileSync(packagePath('docs', 'mappings.md'), 'utf8')
  const blocks = [...text.matchAll(/```sql\n([\s\S]*?)```/g)].map(([, sql]) => sql ?? '')
  const found = blocks.find((sql) => sql.includes(part))
  if (found === undefined) throw new Error(`docs/mappings.md has no SQL with ${part}`)
  return found
}
