// Owns the read-only transaction of a source: its settings, its snapshot, its clock. Knows no mapping.
import { escapeIdentifier } from 'pg'
import type pg from 'pg'
import { fillTemplate } from '../sql/template.ts'
import { OneInstant } from './one-instant.ts'
import { SourceError } from './source-error.ts'

export interface ReadOptions {
  readonly statementTimeoutMs: number
  readonly lockTimeoutMs: number
  /** `off` = row-level security is an error; `apply` = read through the role's policies. */
  readonly rowSecurity: 'off' | 'apply'
  /** Schemas in which tables are looked up; not given = the role's own search_path. */
  readonly searchPath?: readonly string[] | null
}

export interface Begun {
  /** The server's clock at the snapshot, epoch ms. */
  readonly asOfMs: number
  readonly serverVersion: string
  readonly role: string
  readonly standby: boolean
  /** How far a standby lags behind its primary; null on a primary, and where it is unknown. */
  readonly replayLagMs: number | null
  /** Must be proved before what was read is used. */
  readonly instant: OneInstant
}

/** Begins the transaction: everything read from here on, until it ends, describes one point in time. */
export async function beginRead(client: pg.Client, options: ReadOptions): Promise<Begun> {
  await client.query(settings(options))
  const instant = new OneInstant(client, options.rowSecurity)
  const start = fillTemplate('database/transaction-start', { values: { trace: instant.trace() } })
  const { rows } = await client.query<Omit<Begun, 'instant'> & { readonly encoding: string }>(start)
  await client.query(OPTIONAL_SETTINGS)
  if (rows[0] === undefined) throw new Error('the server gave no time')
  const { encoding, replayLagMs, ...begun } = rows[0]
  if (encoding !== 'UTF8') throw new SourceError(`the database's encoding is ${encoding}, must be UTF8`)
  return { ...begun, instant, replayLagMs: replayLagMs === null ? null : Math.max(0, Math.round(replayLagMs)) }
}

/**
 * One statement per setting, all SET LOCAL (a pooler such as PgBouncer gives the session to others afterwards). None of
 * them takes a snapshot: the first SELECT does (PostgreSQL manual, "SET TRANSACTION").
 */
function settings(options: ReadOptions): string {
  return [
    'BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY',
    `SET LOCAL timezone = 'UTC'`,
    `SET LOCAL standard_conforming_strings = on`,
    `SET LOCAL row_security = ${options.rowSecurity === 'off' ? 'off' : 'on'}`,
    `SET LOCAL statement_timeout = ${options.statementTimeoutMs}`,
    `SET LOCAL lock_timeout = ${options.lockTimeoutMs}`,
    `SET LOCAL extra_float_digits = 1`,
    // It is not a parameter of the start-up message, because PgBouncer rejects those.
    ...(options.searchPath ? [`SET LOCAL search_path = ${options.searchPath.map(escapeIdentifier).join(', ')}`] : []),
  ].join('; ')
}

/**
 * Settings that not every server has: each is set if possible. They follow the first SELECT, because DO takes the snapshot.
 *
 * A builder that is killed or gives up must not leave its query running, with its locks, until statement_timeout: the
 * server checks every few seconds whether the client is connected (from PostgreSQL 14 on, if its system supports it), and
 * sends keepalives in case the machine or the network is gone. Compiling a query (`jit`) cannot be cancelled.
 * `transaction_timeout` (PostgreSQL 17) would end a long read as if its session were forgotten; --deadline bounds a build.
 * pgpool takes a DO for a write: with its defaults it leaves the rest of the transaction on one server.
 */
const OPTIONAL_SETTINGS = `DO $$
DECLARE setting text[];
BEGIN
  FOREACH setting SLICE 1 IN ARRAY ARRAY[
    ['jit', 'off'],
    ['transaction_timeout', '0'],
    ['client_connection_check_interval', '3s'],
    ['tcp_keepalives_idle', '10'],
    ['tcp_keepalives_interval', '5'],
    ['tcp_keepalives_count', '3']]
  LOOP
    BEGIN
      PERFORM pg_catalog.set_config(setting[1], setting[2], true);
    EXCEPTION WHEN OTHERS THEN NULL;
    END;
  END LOOP;
END $$`
