// Owns the one error that reading a source can end with, and which failures are worth a retry. Knows no connection.

/**
 * `configuration`: what the operator wrote is wrong (exit 2). `source`: the database or the mapping failed (exit 3).
 * `retryable` = the same read may succeed in a moment.
 */
export class SourceError extends Error {
  override readonly name = 'SourceError'
  readonly kind: 'configuration' | 'source'
  readonly retryable: boolean

  constructor(kind: 'configuration' | 'source', message: string, retryable = false, cause?: unknown) {
    super(message, { cause })
    this.kind = kind
    this.retryable = retryable
  }
}

/** What a failure of the server or the network means: whether to retry, and what the operator should do. */
interface Meaning {
  readonly retry: boolean
  readonly next: string
}

const again = (next: string): Meaning => ({ retry: true, next })
const stop = (next: string): Meaning => ({ retry: false, next })

/**
 * By SQLSTATE (PostgreSQL manual, appendix A), else by its class of two characters, else by Node's error code. A retry
 * always restarts the whole read: two snapshots are never mixed.
 */
const MEANINGS: ReadonlyMap<string, Meaning> = new Map(
  Object.entries<Meaning>({
    '40001': again('on a standby, raise max_standby_streaming_delay or set hot_standby_feedback = on'),
    '40P01': again('another session blocked this one'),
    '55P03': again('a lock was held longer than a build waits: another session changes a table; try when it is done'),
    '53300': again('the server has no connection left; raise max_connections or build at a quieter time'),
    '57P01': again('the server is shutting down or an administrator ended the session'),
    '57P02': again('the server crashed and restarts'),
    '57P03': again('the server is starting up or not accepting connections'),
    '57P04': stop('check the database name at the end of --database-url'),
    '57P05': again('the server ended the session as idle'),
    '08P01': again('a pooler before the server says so; see its log'),
    '08': again('the connection was lost; check that the server runs'),
    '57014': stop('a query ran longer than --statement-timeout; raise it, or see which index the mapping would need'),
    '25P03': stop('the server ended the transaction as idle'),
    '25P04': stop(
      'the server ended the transaction as too long; raise transaction_timeout for the role of --database-url',
    ),
    '28P01': stop('check the user and the password in --database-url'),
    '28000': stop('check the user in --database-url and pg_hba.conf on the server'),
    '3D000': stop('check the database name at the end of --database-url'),
    '42501': stop('run what analytics-build grants prints for the role of --database-url'),
    '42P01': stop('check --source: is this mapping the one for this database? (search_path may hide a schema)'),
    '42703': stop('the mapping may be made for another version of the platform; change the mapping'),
    '42601': stop('fix the mapping: each section is one SELECT'),
    '0A000': stop('fix the mapping: each section is one plain SELECT'),
    '25006': stop('a mapping may only read'),
    '22': stop('fix the mapping: a value in it cannot be converted'),
    '42': stop('fix the mapping'),
    '53': stop('the server is out of a resource; see its log'),
    '58': stop('the server had a system error; see its log'),
    ECONNREFUSED: again('nothing listens there; check host and port in --database-url, and that the server runs'),
    ECONNRESET: again('the connection was cut; see the server log'),
    EPIPE: again('the connection was cut; see the server log'),
    ETIMEDOUT: again('the server did not answer; check host, port and firewalls'),
    EHOSTUNREACH: again('no route to the host; check host and network'),
    ENETUNREACH: again('no route to the network; check host and network'),
    EAI_AGAIN: again('the name server did not answer'),
    ENOTFOUND: stop('no such host; check the host in --database-url'),
    ENOENT: stop('no such socket; check the host in --database-url'),
    EACCES: stop('not allowed to open the socket; check its permissions'),
  }),
)

/** Failures without a code, by the text of pg and of Node's TLS. */
const BY_TEXT: readonly (readonly [RegExp, Meaning])[] = [
  // Of pg's connectionTimeoutMillis.
  [
    /timeout expired/i,
    again('the server did not answer; check host, port and firewalls, or raise connect_timeout in --database-url'),
  ],
  [
    /Connection terminated|connection closed|socket hang up|not queryable/i,
    again('the connection was lost; check that the server runs'),
  ],
  [
    /error establishing an SSL connection/i,
    again('the server did not answer as PostgreSQL does; check host and port, and the server log'),
  ],
  [/password must be a string/, stop('the server asks for a password; put it into --database-url')],
  [
    /certificate/i,
    stop(
      'add ?sslmode=require to --database-url to encrypt without verifying, or ?sslrootcert=FILE with the certificate of the authority',
    ),
  ],
  [/does not support SSL/i, stop('add ?sslmode=disable to --database-url to connect without encryption')],
]

/** Of PgBouncer, which has one SQLSTATE for all that it refuses. */
const BY_TEXT_OF_POOLER: typeof BY_TEXT = [
  [
    /authentication failed|no such user/i,
    stop(
      'a pooler before the server refuses the role or its password: check both in --database-url, and add the role to the list of users of the pooler (auth_file or auth_query)',
    ),
  ],
  [/no such database/i, stop('check the database name at the end of --database-url, and the list of the pooler')],
  [/\b(?:SSL|TLS) required/i, stop('add ?sslmode=require to --database-url')],
]

export const ROW_SECURITY_FIX = 'give the role BYPASSRLS, or pass --row-security apply to read through its policies'

/**
 * By the name of the server's function that raised the error, where one SQLSTATE means several things and the message is in
 * the server's language. With row_security = off, check_enable_rls fails instead of silently returning too few rows, with
 * the SQLSTATE of a missing privilege; CheckMyDatabase and InitializeSessionUserId reject a connection because of the
 * database and because of the role.
 */
const BY_ROUTINE: ReadonlyMap<string, Meaning> = new Map(
  Object.entries<Meaning>({
    'check_enable_rls 42501': stop(ROW_SECURITY_FIX),
    'CheckMyDatabase 42501': stop('GRANT CONNECT ON DATABASE to the role of --database-url'),
    'CheckMyDatabase 53300': again(
      'the database has its own limit: ALTER DATABASE … CONNECTION LIMIT raises it, or build at a quieter time',
    ),
    'InitializeSessionUserId 53300': again(
      'the role has its own limit: end its other sessions (pg_stat_activity shows them), or ALTER ROLE … CONNECTION LIMIT',
    ),
    'CheckMyDatabase 55000': again('an administrator has closed it: ALTER DATABASE … ALLOW_CONNECTIONS true opens it'),
  }),
)

/**
 * Makes any failure of a read one readable line.
 * @param where what was being done, such as `mapping native, section votes`
 * @param next what to do, where more is known than the failure says; empty = nothing is
 */
export function explain(error: unknown, where = '', next = ''): SourceError {
  if (error instanceof SourceError) return error
  const { code, message, hint, routine } = inner(error) as Record<string, unknown>
  const key = typeof code === 'string' ? code : ''
  const text = typeof message === 'string' && message !== '' ? message : String(error)
  const meaning = meaningOf(`${String(routine)} ${key}`, key, text)
  const shown = [
    text,
    typeof hint === 'string' ? hint.replace(/\.$/, '') : '',
    next === '' ? (meaning?.next ?? '') : next,
  ]
    .filter((part) => part !== '')
    .join('; ')
    .replaceAll(/\s*\n\s*/g, ' ')
  const line = [where, shown].filter((part) => part !== '').join(': ')
  const state = /^[0-9A-Z]{5}$/.test(key) ? ` (SQLSTATE ${key})` : ''
  return new SourceError('source', `${line}${state}`, meaning?.retry, error)
}

function meaningOf(routine: string, code: string, text: string): Meaning | undefined {
  return (
    BY_ROUTINE.get(routine) ??
    (code === '08P01' ? byText(BY_TEXT_OF_POOLER, text) : undefined) ??
    MEANINGS.get(code) ??
    MEANINGS.get(code.slice(0, 2)) ??
    byText(BY_TEXT, text)
  )
}

function byText(meanings: typeof BY_TEXT, text: string): Meaning | undefined {
  return meanings.find(([pattern]) => pattern.test(text))?.[1]
}

// A connection that tries several addresses fails with all of them together.
function inner(error: unknown): unknown {
  return error instanceof AggregateError && error.errors.length > 0 ? error.errors[0] : (error ?? {})
}
