// The example mappings of docs/mappings.md, by name, as they are in its text.
import { readFileSync } from 'node:fs'
import { packagePath } from '../../src/process/package-root.ts'

export function documentedMapping(name: string): string {
  const text = readFileSync(packagePath('docs', 'mappings.md'), 'utf8')
  const blocks = [...text.matchAll(/```sql\n([\s\S]*?)```/g)].map(([, sql]) => sql ?? '')
  const found = blocks.find((sql) => sql.startsWith(`-- mapping: ${name}\n`))
  if (found === undefined) throw new Error(`docs/mappings.md has no mapping ${name}`)
  return found
}
