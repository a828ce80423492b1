// Owns judging the session's role: a builder needs to read some columns, so whatever else it may do is a risk.
import { escapeIdentifier, escapeLiteral } from 'pg'
import type pg from 'pg'
import { some } from '../../process/printable.ts'
import { SourceError } from '../database/source-error.ts'
import { warning, type Finding } from '../mapping/finding.ts'
import { fillTemplate } from '../sql/template.ts'
import { foldedName, sqlName } from '../sql/names.ts'
import type { CheckContext } from './context.ts'

interface RoleRow {
  readonly superuser: boolean
  readonly powers: readonly string[]
  readonly groups: readonly string[]
  readonly creates_in: readonly string[]
  readonly writes: readonly string[]
}

export async function checkRole({ client, role, source, requires, findings }: CheckContext): Promise<void> {
  const row = await readRole(client)
  const fix = `a role that only reads: analytics-build grants --source ${source.name} > role.sql`
  findings.push(...judgeRole(row, role, fix))
  // A superuser reads everything, so there is no need to list what.
  if (row.superuser) return
  const named = requires.map(({ table, columns }) => ({ table, columns: columns.map(foldedName) }))
  const { rows } = await client.query<{ name: string; columns: readonly string[] }>(
    fillTemplate('check/role-reads', { values: { requires: escapeLiteral(JSON.stringify(named)) } }),
  )
  if (rows.length === 0) return
  const shown = rows.map(({ name, columns }) => `${name}(${some(columns, COLUMNS_SHOWN)})`)
  findings.push(
    warning(
      'role',
      `role ${role} may read what the mapping does not: ${some(shown, TABLES_SHOWN, '; ')}`,
      `${fix}\nwhat everybody may read, if the platform does without: REVOKE SELECT ON … FROM PUBLIC;`,
    ),
  )
}

export async function readRole(client: pg.Client): Promise<RoleRow> {
  const { rows } = await client.query<RoleRow>(fillTemplate('check/role'))
  if (rows[0] === undefined) throw new SourceError('the role of the session is not in pg_roles')
  return rows[0]
}

/** Whether a role may do more than read: change data, act as other roles, or use files of the server. */
export function mayChange({ superuser, powers, groups, writes }: RoleRow): boolean {
  return superuser || powers.length + groups.length + writes.length > 0
}

const TABLES_SHOWN = 3
const COLUMNS_SHOWN = 4

function judgeRole(row: RoleRow, role: string, fix: string): Finding[] {
  const warn = (problem: string, how = fix): Finding => warning('role', `role ${role} ${problem}`, how)
  if (row.superuser) return [warn('is a superuser: it may read and change everything')]
  return [
    ...(row.powers.length > 0 ? [warn(`may ${row.powers.join(', ')}`)] : []),
    ...(row.groups.length > 0 ? [warn(`is a member of ${row.groups.join(', ')}`)] : []),
    ...(row.writes.length > 0 ? [warn(`may write ${some(row.writes, 3)}`)] : []),
    // Before PostgreSQL 15 everybody may create tables in public.
    ...row.creates_in.map((schema) =>
      warn(
        `may create tables in schema ${schema}`,
        `if the platform does without: REVOKE CREATE ON SCHEMA ${sqlName(schema)} FROM PUBLIC, ${escapeIdentifier(role)};`,
      ),
    ),
  ]
}
