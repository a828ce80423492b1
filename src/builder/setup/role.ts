// Owns making the role that reads, in one transaction: all of it or nothing. Asks nothing.
import { createHash, createHmac, pbkdf2Sync, randomBytes, randomUUID } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import { escapeIdentifier, escapeLiteral } from 'pg'
import type { Client, DatabaseError } from 'pg'
import type { MappingRequires } from '../../source/mapping/requires-line.ts'
import type { Session } from './database-question.ts'
import { foldedName } from '../../source/sql/names.ts'
import { mayChange, readRole } from '../../source/check/role.ts'
import { failedIn, SourceError } from '../../source/database/source-error.ts'

export type Powers = Readonly<Awaited<ReturnType<typeof readPowers>>>

/** The comment of a role until its set-up ends: the next one may make it anew. */
const UNFINISHED = 'made by a set-up of analytics-build that did not end'
/** The comment of a role that is being made: each set-up has its own. */
export const newMark = (): string => `${UNFINISHED} (${randomUUID()})`

/** What the session may do, and whether a role is there. Its comment, `note`, is null where there is no such role. */
export async function readPowers(client: Client, role: string) {
  const { rows } = await client.query<{ role: string; createsRoles: boolean; note: string | null }>(
    `SELECT rolname AS role, (rolsuper OR rolcreaterole) AND NOT pg_catalog.pg_is_in_recovery() AS "createsRoles",
            (SELECT coalesce(pg_catalog.shobj_description(oid, 'pg_authid'), '')
               FROM pg_catalog.pg_roles WHERE rolname = ${escapeLiteral(role)}) AS "note"
       FROM pg_catalog.pg_roles WHERE rolname = current_user`,
  )
  const powers = rows[0]
  if (powers === undefined) throw new SourceError('the role of the session is not in pg_roles')
  return {
    ...powers,
    /** Whether the role that is to be made is there, and was not left by a set-up that did not end. */
    exists: powers.note?.startsWith(UNFINISHED) === false,
    /** Whether the session may change something: data, roles, files of the server. */
    changes: mayChange(await readRole(client)),
  }
}

/** What a role is to read, and where that is looked up; null = in its own search_path. */
interface Reads {
  readonly requires: readonly MappingRequires[]
  readonly searchPath: readonly string[] | null
}

/** @throws SourceError where the session does not find what it is to read, or may not read it */
export async function sessionOf(client: Client, reads: Reads | null = null): Promise<Session> {
  const { rows } = await client.query<Session>('SELECT session_user AS "user", current_database() AS "database"')
  const { user = '', database = '' } = client
  if (reads !== null) await refuseUnreadable(client, rows[0]?.user ?? user, reads).catch(failedIn(''))
  return { user, database, ...rows[0], sentUser: user, sentDatabase: database }
}

const ITERATIONS = 4096

/** The hash that the server keeps of a password (RFC 5803), so that the password itself is in no log of the server. */
export function scramHash(password: string, salt: Buffer = randomBytes(16)): string {
  const salted = pbkdf2Sync(password, salt, ITERATIONS, 32, 'sha256')
  const hmac = (text: string): Buffer => createHmac('sha256', salted).update(text).digest()
  const stored = createHash('sha256').update(hmac('Client Key')).digest('base64')
  return `SCRAM-SHA-256$${ITERATIONS}:${salt.toString('base64')}$${stored}:${hmac('Server Key').toString('base64')}`
}

/**
 * Begins a transaction that writes the role's row: until it ends, nobody else makes, changes or removes the role.
 * @returns false where the role is not as it must be, or was changed meanwhile
 */
async function beginAlone(client: Client, role: string, isRight: (powers: Powers) => boolean): Promise<boolean> {
  const powers = await readPowers(client, role)
  if (!isRight(powers)) return false
  try {
    await client.query(`BEGIN; ${powers.note === null ? 'CREATE' : 'ALTER'} ROLE ${escapeIdentifier(role)} LOGIN`)
    if ((await readPowers(client, role)).note === (powers.note ?? '')) return true
  } catch (error) {
    const { code = '', message } = error as DatabaseError
    // The role is there now, is not any more, or its row was written by a transaction that ended meanwhile.
    if (!['42710', '23505', '42704'].includes(code) && !message.startsWith(CONCURRENTLY)) throw error
  }
  await client.query('ROLLBACK')
  return false
}

/** How the server begins to say that a row of its catalog was changed meanwhile; it has no code of its own for it. */
const CONCURRENTLY = 'tuple concurrently '
const TRIES = 20

/**
 * Runs a transaction, and anew from its beginning where another one changed meanwhile what it changes: a second GRANT of one
 * table waits until the first has ended, and is refused then (ExecGrant_Relation in PostgreSQL's aclchk.c).
 */
async function inTransaction<T>(client: Client, transaction: () => Promise<T>): Promise<T> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await transaction()
    } catch (error) {
      await client.query('ROLLBACK').catch(() => {})
      const { code, message } = error as DatabaseError
      const isConflict = code === '40P01' || message.startsWith(CONCURRENTLY)
      if (!isConflict || tries === TRIES) throw error
      await delay(Math.random() * 100)
    }
  }
}

/**
 * Runs the script of a role. Unless the role can read all columns then, nothing is changed: a GRANT of a table of somebody
 * else is only a warning to the server.
 * @throws SourceError that names what the role could not read
 */
export async function makeRole(
  client: Client,
  mark: string,
  script: string,
  role: string,
  reads: Reads,
): Promise<void> {
  await inTransaction(client, async () => {
    if (!(await beginAlone(client, role, ({ exists }) => !exists)))
      throw new SourceError(`role ${role} was made meanwhile`)
    await client.query(pathOf(reads) + script.replace(/^BEGIN;$/m, '').replace(/COMMIT;\s*$/, ''))
    await refuseUnreadable(client, role, reads)
    await client.query(`COMMENT ON ROLE ${escapeIdentifier(role)} IS ${escapeLiteral(mark)}; COMMIT`)
  }).catch(failedIn(''))
}

/** Keeps the role that was made, or removes it with all that was granted to it. @returns whether it was there, and of this set-up */
export async function endRole(client: Client, mark: string, role: string, how: 'keep' | 'remove'): Promise<boolean> {
  const name = escapeIdentifier(role)
  // Only members of the role may take away what was granted to it, and whoever made it need not be one.
  const removal = `GRANT ${name} TO CURRENT_USER; DROP OWNED BY ${name}; DROP ROLE ${name}`
  return inTransaction(client, async () => {
    if (!(await beginAlone(client, role, ({ note }) => note === mark))) return false
    await client.query(`${how === 'keep' ? `COMMENT ON ROLE ${name} IS NULL` : removal}; COMMIT`)
    return true
  })
}

function pathOf({ searchPath }: Reads): string {
  return searchPath === null ? '' : `SET search_path = ${searchPath.map(escapeIdentifier).join(', ')};\n`
}

async function refuseUnreadable(client: Client, role: string, reads: Reads): Promise<void> {
  const columns = reads.requires
    .filter(({ optional }) => !optional)
    .flatMap(({ table, columns: names }) => names.map((name) => [table, foldedName(name)]))
  if (columns.length === 0) return
  const rows = columns.map(([table = '', name = '']) => `(${escapeLiteral(table)}, ${escapeLiteral(name)})`)
  const { rows: found } = await client.query<{ table: string }>(
    `${pathOf(reads)}SELECT DISTINCT t AS "table" FROM (VALUES ${rows.join(', ')}) AS x (t, c)
      WHERE NOT has_column_privilege(${escapeLiteral(role)}, t, c, 'SELECT')`,
  )
  const unreadable = found.map(({ table }) => table).join(', ')
  if (unreadable !== '')
    throw new SourceError(`role ${role} could not read ${unreadable}: who owns these tables must run the script`)
}
