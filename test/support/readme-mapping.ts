// The README's example mappings, by name, as they stand in its text.
import { readFileSync } from 'node:fs'
import { packagePath } from '../../src/process/package-root.ts'

export function readmeMapping(name: string): string {
  const readme = readFileSync(packagePath('README.md'), 'utf8')
  const blocks = [...readme.matchAll(/```sql\n([\s\S]*?)```/g)].map(([, sql]) => sql ?? '')
  const found = blocks.find((sql) => sql.startsWith(`-- mapping: ${name}\n`))
  if (found === undefined) throw new Error(`the README has no mapping ${name}`)
  return found
}
