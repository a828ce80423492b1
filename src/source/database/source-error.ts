// Owns the error that reading a source ends with, and which failures are worth a retry. Knows no connection.

/** The database or the mapping failed (exit 3). What is wrong with what the operator wrote is a CliError. */
export class SourceError extends Error {
  override readonly name = 'SourceError'
  /** The same read may succeed in a moment. */
  readonly retryable: boolean

  constructor(message: string, retryable = false, cause?: unknown) {
    super(message, { cause })
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
 * What each failure means, by SQLSTATE (PostgreSQL manual, appendix A), else by its class of two characters, else by
 * Node's error code. A retry always restarts the whole read: two snapshots are never mixed.
 */
const MEANINGS: ReadonlyMap<string, Meaning> = new Map(
  Object.entries<Meaning>({
    '40001': again('on a standby, raise max_standby_streaming_delay or set hot_standby_feedback = on'),
    '40P01': again('another session blocked this one'),
    '55P03': again('a lock was held longer than a build waits: another session changes a table; try when it is done'),
    '53300': again(
      'the server, the database or the role has no connection left; raise its limit, end other sessions (pg_stat_activity shows them), or build at a quieter time',
    ),
    '57P04': stop('check the database name at the end of --database-url'),
    '08P01': again('a pooler before the server says so; see its log, and its lists of users and databases'),
    '08': again('the connection was lost; check that the server runs'),
    '57': again('the server ended the session, or takes none now; see its log'),
    '57014': stop(
      'a query ran longer than two thirds of --deadline; raise it, or see which index the mapping would need',
    ),
    '25P03': again('the builder stood still until its time was over: was its machine or its container suspended?'),
    '25P04': stop(
      'the server ended the transaction as too long; raise transaction_timeout for the role of --database-url',
    ),
    '28P01': stop('check the user and the password in --database-url'),
    '28000': stop(
      'check the user in --database-url and pg_hba.conf on the server; where that takes only encrypted connections, add ?sslmode=require',
    ),
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
    XX000: again('the server met an error of its own, as where a table is replaced meanwhile; see its log'),
    EPROTO: stop(
      'it does not speak as PostgreSQL does; check host and port in --database-url, and what stands between',
    ),
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

/** What failures without a code mean, by the text of pg and of Node's TLS. */
const BY_TEXT: readonly (readonly [RegExp, Meaning])[] = [
  // pg says this when its connectionTimeoutMillis is over.
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

export const ROW_SECURITY_FIX = 'give the role BYPASSRLS, or pass --row-security apply to read through its policies'

/**
 * The server's function that fails, with row_security = off, instead of silently returning too few rows. Its name is
 * looked for, because its SQLSTATE is that of a missing privilege, and its message is in the server's language.
 */
const ROW_SECURITY_ROUTINE = 'check_enable_rls'

/** At most so many characters of a server's message are quoted: it may be one of megabytes. */
const MAX_QUOTED = 1000

/**
 * Makes any failure of a read one readable line.
 * @param where what was being done, such as `mapping native, section votes`
 */
export function explain(error: unknown, where = ''): SourceError {
  if (error instanceof SourceError) return error
  // A connection that tries several addresses fails with all of them together.
  const [first = error ?? {}] = error instanceof AggregateError ? (error.errors as unknown[]) : []
  const { code, message, hint, routine } = first as Record<string, unknown>
  const key = typeof code === 'string' ? code : ''
  const text = (typeof message === 'string' && message !== '' ? message : String(error)).slice(0, MAX_QUOTED)
  const meaning = routine === ROW_SECURITY_ROUTINE ? stop(ROW_SECURITY_FIX) : meaningOf(key, text)
  const shown = [
    text,
    typeof hint === 'string' ? hint.slice(0, MAX_QUOTED).replace(/\.$/, '') : '',
    meaning?.next ?? '',
  ]
    .filter((part) => part !== '')
    .join('; ')
    .replaceAll(/\s*\n\s*/g, ' ')
  const line = [where, shown].filter((part) => part !== '').join(': ')
  const state = /^[0-9A-Z]{5}$/.test(key) ? ` (SQLSTATE ${key})` : ''
  return new SourceError(`${line}${state}`, meaning?.retry, error)
}

/** For a promise whose failure becomes one readable line. */
export const failedIn =
  (where: string) =>
  (error: unknown): never => {
    throw explain(error, where)
  }

/** What poolers of many databases say, with the code of a server's own fault. */
const HOSTED_POOLER = /tenant or user not found/i

function meaningOf(code: string, text: string): Meaning | undefined {
  if (HOSTED_POOLER.test(text))
    return stop(
      'the pooler before the server has no such user; there a user has a suffix, such as analytics_reader.REF',
    )
  const known = MEANINGS.get(code) ?? MEANINGS.get(code.slice(0, 2))
  return known ?? BY_TEXT.find(([pattern]) => pattern.test(text))?.[1]
}
