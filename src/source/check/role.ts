// Owns judging the session's role: a builder needs to read some columns, so whatever else it may do is a risk.
import { escapeIdentifier } from 'pg'
import { some } from '../../process/printable.ts'
import { warning, type Finding } from '../mapping/finding.ts'
import { fillTemplate } from '../sql/template.ts'
import { written } from '../sql/names.ts'
import type { CheckContext } from './context.ts'

interface RoleRow {
  readonly superuser: boolean
  readonly powers: readonly string[]
  readonly groups: readonly string[]
  readonly creates_in: readonly { readonly schema: string; readonly everybody: boolean }[]
  readonly writes: readonly string[]
}

export async function checkRole({ client, role, sourceName }: CheckContext): Promise<Finding[]> {
  const { rows } = await client.query<RoleRow>(fillTemplate('check/role'))
  return rows.flatMap((row) => judgeRole(row, role, sourceName))
}

function judgeRole(row: RoleRow, role: string, mapping: string): Finding[] {
  const fix = `a role that only reads: analytics-build grants --source ${mapping} > role.sql`
  const warn = (problem: string, how = fix): Finding => warning('role', `role ${role} ${problem}`, how)
  if (row.superuser) return [warn('is a superuser: it may read and change everything')]
  return [
    ...(row.powers.length > 0 ? [warn(`may ${row.powers.join(', ')}`)] : []),
    ...(row.groups.length > 0 ? [warn(`is a member of ${row.groups.join(', ')}`)] : []),
    ...(row.writes.length > 0 ? [warn(`may write ${some(row.writes, 3)}`)] : []),
    // Before PostgreSQL 15 everybody may create tables in public.
    ...row.creates_in.map(({ schema, everybody }) =>
      warn(
        `may create tables in schema ${schema}`,
        `${everybody ? 'if the platform does without: ' : ''}REVOKE CREATE ON SCHEMA ${written(schema)} FROM ${everybody ? 'PUBLIC' : escapeIdentifier(role)};`,
      ),
    ),
  ]
}
