// Owns making the role that reads, in one transaction: all of it or nothing. Asks nothing.
import { createHash, createHmac, pbkdf2Sync, randomBytes } from 'node:crypto'
import { escapeIdentifier, escapeLiteral } from 'pg'
import type pg from 'pg'
import type { MappingRequires } from '../../source/mapping/requires-line.ts'
import { folded } from '../../source/sql/names.ts'
import { mayChange, readRole } from '../../source/check/role.ts'
import { explain, SourceError } from '../../source/database/source-error.ts'

export interface Powers {
  readonly role: string
  readonly createsRoles: boolean
  /** Whether it may change something: data, roles, files of the server. */
  readonly changes: boolean
  /** Whether the role that is to be made is there. */
  readonly exists: boolean
}

/** What the session may do, and whether a role is there. */
export async function readPowers(client: pg.Client, role: string): Promise<Powers> {
  const { rows } = await client.query<Omit<Powers, 'changes'>>(
    `SELECT rolname AS role, (rolsuper OR rolcreaterole) AND NOT pg_catalog.pg_is_in_recovery() AS "createsRoles",
            EXISTS (SELECT FROM pg_catalog.pg_roles WHERE rolname = ${escapeLiteral(role)}) AS "exists"
       FROM pg_catalog.pg_roles WHERE rolname = current_user`,
  )
  const powers = rows[0]
  if (powers === undefined) throw new SourceError('source', 'the role of the session is not in pg_roles')
  return { ...powers, changes: mayChange(await readRole(client)) }
}

const ITERATIONS = 4096

/** Needs no encoding in a URL. */
export function newPassword(): string {
  return randomBytes(24).toString('base64url')
}

/** The hash that the server keeps of a password (RFC 5803), so that the password itself is in no log of the server. */
export function scramHash(password: string, salt: Buffer = randomBytes(16)): string {
  const salted = pbkdf2Sync(password, salt, ITERATIONS, 32, 'sha256')
  const hmac = (text: string): Buffer => createHmac('sha256', salted).update(text).digest()
  const stored = createHash('sha256').update(hmac('Client Key')).digest('base64')
  return `SCRAM-SHA-256$${ITERATIONS}:${salt.toString('base64')}$${stored}:${hmac('Server Key').toString('base64')}`
}

/**
 * Runs the script of a role. Unless the role can read all columns then, nothing is changed: a GRANT of a table of somebody
 * else is only a warning to the server.
 * @throws SourceError that names what the role could not read; before `onCommit` nothing is changed
 */
export async function makeRole(
  client: pg.Client,
  script: string,
  role: string,
  {
    requires,
    searchPath,
    onCommit,
  }: { requires: readonly MappingRequires[]; searchPath: readonly string[] | null; onCommit: () => void },
): Promise<void> {
  const work = script.replace(/COMMIT;\s*$/, '')
  const path = searchPath === null ? '' : `SET search_path = ${searchPath.map(escapeIdentifier).join(', ')};\n`
  try {
    await client.query(path + work)
    const unreadable = await unreadableOf(client, role, requires)
    if (unreadable.length > 0)
      throw new SourceError(
        'source',
        `role ${role} could not read ${unreadable.join(', ')}: who owns these tables must run the script`,
      )
    onCommit()
    await client.query('COMMIT')
  } catch (error) {
    await client.query('ROLLBACK').catch(() => {})
    throw explain(error)
  }
}

async function unreadableOf(client: pg.Client, role: string, requires: readonly MappingRequires[]): Promise<string[]> {
  const columns = requires
    .filter(({ optional }) => !optional)
    .flatMap(({ table, columns: names }) => names.map((name) => [table, folded(name)]))
  if (columns.length === 0) return []
  const rows = columns.map(([table = '', name = '']) => `(${escapeLiteral(table)}, ${escapeLiteral(name)})`)
  const { rows: found } = await client.query<{ table: string }>(
    `SELECT DISTINCT t AS "table" FROM (VALUES ${rows.join(', ')}) AS x (t, c)
      WHERE NOT has_column_privilege(${escapeLiteral(role)}, t, c, 'SELECT')`,
  )
  return found.map(({ table }) => table)
}
